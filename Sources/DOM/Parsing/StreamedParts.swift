// Servers that render with React 18 or later stream pages with parts out of order: a template with
// an id (`B:0`) marks the position of a part; a placeholder follows up to a comment (`<!--/$-->`);
// the part comes at the end of the page in a hidden element (`S:0`), with a script call that names
// both (`$RC("B:0","S:0")`). Parts of parts (`P:1`) are moved by `$RS("S:1","P:1")`. This code has
// the same effect without scripts; parts without a call are matched by number.

/// The parts of a page that a server streamed out of order.
struct StreamedParts {
  /// Whether the page has a template for a part.
  private(set) var isExpected = false
  /// The calls that assign parts to positions, in order.
  private var calls: [Call] = []

  /// The two ids of a call, one of which is a position.
  private struct Call {
    var first: [UInt8]
    var second: [UInt8]
  }

  /// The maximum number of positions, of parts and of calls considered for a page.
  private static let limit = 4096

  /// The element that `MarkupPreparation` inserts at the end of a placeholder.
  static let endOfPlaceholder: StaticString = "<template id=\"/$\"></template>"

  /// Records the id of a template.
  mutating func record(template id: ArraySlice<UInt8>) {
    isExpected = isExpected || id.streamedKind.map { $0 != .part } ?? false
  }

  // MARK: Calls

  /// Records the calls in a script: two string literals in parentheses, `$RC("B:0","S:0")`.
  mutating func record(program: UnsafeBufferPointer<UInt8>) {
    guard isExpected else { return }
    var index = program.firstIndex(of: UInt8(ascii: "$"), from: 0)
    while index < program.count, calls.count < Self.limit {
      defer { index = program.firstIndex(of: UInt8(ascii: "$"), from: index + 1) }
      guard index + 4 < program.count, program[index + 1] == UInt8(ascii: "R"),
        program[index + 2].isLetter, program[index + 3] == UInt8(ascii: "(")
      else { continue }
      var position = index + 4
      guard let first = Self.name(in: program, &position),
        let second = Self.name(in: program, &position)
      else { continue }
      calls.append(Call(first: first, second: second))
    }
  }

  /// Returns the string literal at an index, after white space and a comma, and advances the index
  /// past it.
  private static func name(in program: UnsafeBufferPointer<UInt8>, _ position: inout Int)
    -> [UInt8]?
  {
    while position < program.count,
      program[position].isWhiteSpace || program[position] == UInt8(ascii: ",")
    {
      position += 1
    }
    guard position < program.count,
      program[position] == UInt8(ascii: "\"") || program[position] == UInt8(ascii: "'")
    else { return nil }
    let start = position + 1
    let end = program[start...].prefix(maxNameLength + 1).firstIndex(of: program[position])
    guard let end, end > start else { return nil }
    position = end + 1
    return Array(program[start..<end])
  }

  fileprivate static let maxNameLength = 64

  // MARK: Moving

  /// Moves the parts to their positions. Parts without a position, and those that would contain
  /// themselves or exceed the maximum depth, stay where they are.
  func moveParts(in tree: inout DOMTree) {
    guard isExpected else { return }
    var moves = moves(in: tree)
    guard !moves.isEmpty else { return }
    Self.measure(&moves, in: tree)
    Self.resolve(&moves)
    // Outer parts first, so that no node is moved twice.
    var steps = tree.nodes.count
    for move in moves.filter({ $0.level > 0 }).sorted(by: { $0.level < $1.level }) {
      tree.movePart(move.part, to: move.template, steps: &steps)
    }
  }

  /// A part and its position, with their depths in the tree.
  private struct Move {
    /// The template to be replaced by the children of the part.
    var template: Int32
    /// The element that contains the part.
    var part: Int32
    /// The depth of the template.
    var templateDepth = 0
    /// The depth of the part's element, and of the deepest node in that element.
    var partDepth = 0
    var deepest = 0
    /// The index of the innermost part that contains the template; nil if there is none.
    var outer: Int?
    /// The number of nested parts at the new position, itself included; 0 if unknown, -1 if the
    /// part is not moved.
    var level = 0
    /// The depth of the part's children after the move.
    var newDepth = 0
  }

  /// Returns the moves: by the calls, then by equal numbers.
  private func moves(in tree: DOMTree) -> [Move] {
    var positions: [ArraySlice<UInt8>: Int32] = [:]
    var parts: [ArraySlice<UInt8>: Int32] = [:]
    var order: [ArraySlice<UInt8>] = []
    for node in 0..<Int32(tree.nodes.count) where tree.nodes[Int(node)].name != .characters {
      guard let range = tree.attribute(.id, of: node), range.count <= Self.maxNameLength,
        case let id = tree.bytes[range], let kind = id.streamedKind
      else { continue }
      let isTemplate = tree.nodes[Int(node)].name == .template
      if isTemplate, kind != .part, positions[id] == nil, positions.count < Self.limit {
        positions[id] = node
        order.append(id)
      } else if !isTemplate, kind == .part, parts[id] == nil, parts.count < Self.limit {
        parts[id] = node
      }
    }
    var moves: [Move] = []
    func add(_ position: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) {
      guard let node = positions[position], let from = parts[part] else { return }
      positions[position] = nil
      parts[part] = nil
      moves.append(Move(template: node, part: from))
    }
    for call in calls {
      if positions[call.first[...]] != nil {
        add(call.first[...], call.second[...])
      } else {
        add(call.second[...], call.first[...])
      }
    }
    for position in order { add(position, position.namingPart[...]) }
    return moves
  }

  /// Determines the depths of parts and positions in one traversal.
  private static func measure(_ moves: inout [Move], in tree: DOMTree) {
    var moveOfNode: [Int32: Int] = [:]
    for (index, move) in moves.enumerated() {
      moveOfNode[move.template] = index
      moveOfNode[move.part] = index
    }
    var open: [Int] = []
    var node: Int32 = 0
    var depth = 0
    while true {
      if let index = moveOfNode[node] {
        if moves[index].part == node {
          moves[index].partDepth = depth
          moves[index].deepest = depth
          open.append(index)
        } else {
          moves[index].templateDepth = depth
          moves[index].outer = open.last
        }
      }
      if let inner = open.last { moves[inner].deepest = max(moves[inner].deepest, depth) }
      if tree.nodes[Int(node)].firstChild >= 0 {
        node = tree.nodes[Int(node)].firstChild
        depth += 1
        continue
      }
      while true {
        if let last = open.last, moves[last].part == node {
          open.removeLast()
          if let outer = open.last {
            moves[outer].deepest = max(moves[outer].deepest, moves[last].deepest)
          }
        }
        if node == 0 { return }
        if tree.nodes[Int(node)].nextSibling >= 0 {
          node = tree.nodes[Int(node)].nextSibling
          break
        }
        node = tree.nodes[Int(node)].parent
        depth -= 1
      }
    }
  }

  /// Determines which parts are moved: those whose chain of enclosing parts is acyclic, and that do
  /// not exceed the maximum depth.
  private static func resolve(_ moves: inout [Move]) {
    for start in moves.indices {
      // The chain of enclosing parts that are not resolved yet.
      var unresolved: [Int] = []
      var next: Int? = start
      while let index = next, moves[index].level == 0 {
        unresolved.append(index)
        moves[index].level = -1
        next = moves[index].outer
      }
      for index in unresolved.reversed() {
        let move = moves[index]
        guard let outerIndex = move.outer else {
          moves[index].level = 1
          moves[index].newDepth = move.templateDepth
          continue
        }
        let outer = moves[outerIndex]
        let newDepth = outer.newDepth + move.templateDepth - outer.partDepth - 1
        let deepest = newDepth + move.deepest - move.partDepth - 1
        let fits = outer.level > 0 && deepest <= TreeBuilder.maxDepth
        moves[index].level = fits ? outer.level + 1 : -1
        moves[index].newDepth = newDepth
      }
    }
  }
}

extension DOMTree {
  /// Replaces a template and the placeholder after it by the children of a part. `steps` limits the
  /// number of nodes searched for the end of the placeholder.
  fileprivate mutating func movePart(_ part: Int32, to position: Int32, steps: inout Int) {
    guard nodes[Int(part)].firstChild >= 0, nodes[Int(position)].parent >= 0 else { return }
    detach(part)
    if let end = endOfPlaceholder(from: position, steps: &steps) {
      while case let next = nodes[Int(position)].nextSibling, next >= 0 {
        detach(next)
        if next == end { break }
      }
    }
    var child = nodes[Int(part)].firstChild
    while child >= 0 {
      let next = nodes[Int(child)].nextSibling
      detach(child)
      insert(child, before: position)
      child = next
    }
    addContents(nodes[Int(part)].contents, from: nodes[Int(position)].parent)
    detach(position)
  }

  /// Returns the template at the end of a placeholder, among the siblings after its position.
  private func endOfPlaceholder(from position: Int32, steps: inout Int) -> Int32? {
    var depth = 0
    var node = nodes[Int(position)].nextSibling
    while node >= 0, steps > 0 {
      steps -= 1
      if nodes[Int(node)].name == .template, let range = attribute(.id, of: node) {
        let id = bytes[range]
        if id.elementsEqual("/$".utf8) {
          if depth == 0 { return node }
          depth -= 1
        } else if id.streamedKind == .boundary {
          depth += 1
        }
      }
      node = nodes[Int(node)].nextSibling
    }
    return nil
  }
}

/// The kind of an id.
private enum StreamedKind: UInt8 {
  /// The position of a part that is shown as a unit (a suspense boundary).
  case boundary = 0x42
  /// A position within a part.
  case segment = 0x50
  /// A part for a boundary or a segment.
  case part = 0x53
}

extension ArraySlice<UInt8> {
  /// The kind of an id such as `B:1f`, with any prefix; nil for other ids.
  fileprivate var streamedKind: StreamedKind? {
    let digits = reversed().prefix {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }.count
    guard digits > 0, digits <= 8, count >= digits + 2, self[endIndex - digits - 1] == 0x3A else {
      return nil
    }
    return StreamedKind(rawValue: self[endIndex - digits - 2])
  }

  /// The id of the part with the same number.
  fileprivate var namingPart: [UInt8] {
    var id = Array(self)
    if let colon = id.lastIndex(of: 0x3A), colon > 0 { id[colon - 1] = StreamedKind.part.rawValue }
    return id
  }
}
