// Servers that render with React 18 or later stream pages with parts out of order: a template with
// an id (`B:0`) marks the position of a part; a placeholder follows up to a comment (`<!--/$-->`);
// the part comes at the end of the page in a hidden element (`S:0`), with a script call that names
// both (`$RC("B:0","S:0")`). Parts of parts (`P:1`) are moved by `$RS("S:1","P:1")`. This code has
// the same effect without scripts; parts without a call are matched by number.

/// The parts of a page that a server streamed out of order.
struct StreamedParts {
  /// Whether the page has a template for a part.
  private(set) var hasPartTemplate = false
  /// The calls that assign parts to positions, in order.
  private var insertionCalls: [InsertionCall] = []

  /// The two ids of a call, one of which is a position.
  private struct InsertionCall {
    var firstID: [UInt8]
    var secondID: [UInt8]
  }

  /// The maximum number of positions, of parts and of calls considered for a page.
  private static let maxCount = 4096

  /// The element that `MarkupPreparation` inserts at the end of a placeholder.
  static let placeholderEndTag: StaticString = "<template id=\"/$\"></template>"

  /// Records whether the id of a template is one of those that mark the position of a part.
  mutating func record(template id: ArraySlice<UInt8>) {
    hasPartTemplate = hasPartTemplate || id.streamedIDKind.map { $0 != .part } ?? false
  }

  // MARK: Calls

  /// Records the calls in a script: two string literals in parentheses, `$RC("B:0","S:0")`.
  mutating func record(script: UnsafeBufferPointer<UInt8>) {
    guard hasPartTemplate else { return }
    var index = script.firstIndex(of: UInt8(ascii: "$"), from: 0)
    while index < script.count, insertionCalls.count < Self.maxCount {
      defer { index = script.firstIndex(of: UInt8(ascii: "$"), from: index + 1) }
      guard index + 4 < script.count, script[index + 1] == UInt8(ascii: "R"),
        script[index + 2].isLetter, script[index + 3] == UInt8(ascii: "(")
      else { continue }
      var position = index + 4
      guard let first = Self.consumeStringLiteral(in: script, &position),
        let second = Self.consumeStringLiteral(in: script, &position)
      else { continue }
      insertionCalls.append(InsertionCall(firstID: first, secondID: second))
    }
  }

  /// Returns the string literal at an index, after white space and a comma, and advances the index
  /// past it; nil if something else is there.
  private static func consumeStringLiteral(
    in program: UnsafeBufferPointer<UInt8>, _ position: inout Int
  )
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
    let end = program[start...].prefix(maxIDLength + 1).firstIndex(of: program[position])
    guard let end, end > start else { return nil }
    position = end + 1
    return Array(program[start..<end])
  }

  fileprivate static let maxIDLength = 64

  // MARK: Moving

  /// Moves the parts to their positions. Parts without a position, and those that would contain
  /// themselves or exceed the maximum depth, stay where they are.
  func moveParts(in tree: inout DOMTree) {
    guard hasPartTemplate else { return }
    var moves = moves(in: tree)
    guard !moves.isEmpty else { return }
    Self.measureDepths(&moves, in: tree)
    Self.resolveNesting(&moves)
    // Outer parts first, so that no node is moved twice.
    var steps = tree.nodes.count
    for move in moves.filter({ $0.nestingCount > 0 }).sorted(by: {
      $0.nestingCount < $1.nestingCount
    }) {
      tree.movePart(move.partElement, to: move.template, remainingSteps: &steps)
    }
  }

  /// A part and its position, with their depths in the tree.
  private struct PartMove {
    /// The template to be replaced by the children of the part.
    var template: Int32
    /// The element that contains the part.
    var partElement: Int32
    /// The depth of the template.
    var templateDepth = 0
    /// The depth of the element that contains the part.
    var partDepth = 0
    /// The depth of the deepest node in that element.
    var deepestDepth = 0
    /// The index of the innermost part that contains the template; nil if there is none.
    var enclosingMoveIndex: Int?
    /// The number of nested parts at the new position, itself included; 0 if unknown, -1 if the
    /// part is not moved.
    var nestingCount = 0
    /// The depth of the part's children after the move.
    var newDepth = 0
  }

  /// Returns the moves: by the calls, then by equal numbers.
  private func moves(in tree: DOMTree) -> [PartMove] {
    var placeholders: [ArraySlice<UInt8>: Int32] = [:]
    var partElements: [ArraySlice<UInt8>: Int32] = [:]
    var placeholderOrder: [ArraySlice<UInt8>] = []
    for node in 0..<Int32(tree.nodes.count) where tree.nodes[Int(node)].name != .characters {
      guard let range = tree.attribute(.id, of: node), range.count <= Self.maxIDLength,
        case let id = tree.bytes[range], let kind = id.streamedIDKind
      else { continue }
      let isTemplate = tree.nodes[Int(node)].name == .template
      if isTemplate, kind != .part, placeholders[id] == nil, placeholders.count < Self.maxCount {
        placeholders[id] = node
        placeholderOrder.append(id)
      } else if !isTemplate, kind == .part, partElements[id] == nil,
        partElements.count < Self.maxCount
      {
        partElements[id] = node
      }
    }
    var moves: [PartMove] = []
    func add(_ position: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) {
      guard let node = placeholders[position], let element = partElements[part] else { return }
      placeholders[position] = nil
      partElements[part] = nil
      moves.append(PartMove(template: node, partElement: element))
    }
    for call in insertionCalls {
      if placeholders[call.firstID[...]] != nil {
        add(call.firstID[...], call.secondID[...])
      } else {
        add(call.secondID[...], call.firstID[...])
      }
    }
    for position in placeholderOrder { add(position, position.partIDWithSameNumber[...]) }
    return moves
  }

  /// The depths of parts and positions, measured while the tree is traversed.
  private struct DepthMeasurement {
    private(set) var moves: [PartMove]
    private var moveIndexByNode: [Int32: Int] = [:]
    /// The moves of the parts that contain the node, from the outermost.
    private var openMoveIndices: [Int] = []

    init(of moves: [PartMove]) {
      self.moves = moves
      for (index, move) in moves.enumerated() {
        moveIndexByNode[move.template] = index
        moveIndexByNode[move.partElement] = index
      }
    }

    mutating func enter(_ node: Int32, depth: Int) {
      if let index = moveIndexByNode[node] {
        if moves[index].partElement == node {
          moves[index].partDepth = depth
          moves[index].deepestDepth = depth
          openMoveIndices.append(index)
        } else {
          moves[index].templateDepth = depth
          moves[index].enclosingMoveIndex = openMoveIndices.last
        }
      }
      if let inner = openMoveIndices.last {
        moves[inner].deepestDepth = max(moves[inner].deepestDepth, depth)
      }
    }

    mutating func leave(_ node: Int32) {
      guard let last = openMoveIndices.last, moves[last].partElement == node else { return }
      openMoveIndices.removeLast()
      if let outer = openMoveIndices.last {
        moves[outer].deepestDepth = max(moves[outer].deepestDepth, moves[last].deepestDepth)
      }
    }
  }

  /// Determines the depths of parts and positions in one traversal.
  private static func measureDepths(_ moves: inout [PartMove], in tree: DOMTree) {
    var measurement = DepthMeasurement(of: moves)
    defer { moves = measurement.moves }
    var node: Int32 = 0
    var depth = 0
    while true {
      measurement.enter(node, depth: depth)
      if let child = tree.nodes[Int(node)].firstChild {
        node = child
        depth += 1
        continue
      }
      while true {
        measurement.leave(node)
        if let sibling = tree.nodes[Int(node)].nextSibling {
          node = sibling
          break
        }
        guard let parent = tree.nodes[Int(node)].parent else { return }
        node = parent
        depth -= 1
      }
    }
  }

  /// Determines which parts are moved: those whose chain of enclosing parts is acyclic, and that do
  /// not exceed the maximum depth.
  private static func resolveNesting(_ moves: inout [PartMove]) {
    for start in moves.indices {
      // The chain of enclosing parts that are not resolved yet.
      var unresolved: [Int] = []
      var next: Int? = start
      while let index = next, moves[index].nestingCount == 0 {
        unresolved.append(index)
        moves[index].nestingCount = -1
        next = moves[index].enclosingMoveIndex
      }
      for index in unresolved.reversed() {
        let move = moves[index]
        guard let outerIndex = move.enclosingMoveIndex else {
          moves[index].nestingCount = 1
          moves[index].newDepth = move.templateDepth
          continue
        }
        let outer = moves[outerIndex]
        let newDepth = outer.newDepth + move.templateDepth - outer.partDepth - 1
        let deepest = newDepth + move.deepestDepth - move.partDepth - 1
        let fits = outer.nestingCount > 0 && deepest <= TreeBuilder.maxDepth
        moves[index].nestingCount = fits ? outer.nestingCount + 1 : -1
        moves[index].newDepth = newDepth
      }
    }
  }
}

extension DOMTree {
  /// Replaces a template and the placeholder after it by the children of a part. `remainingSteps`
  /// limits the number of nodes searched for the end of the placeholder.
  fileprivate mutating func movePart(_ part: Int32, to position: Int32, remainingSteps: inout Int) {
    // The position is still in the part if a part between them has lost its own position.
    guard nodes[Int(part)].firstChild != nil, nodes[Int(position)].parent != nil,
      !isAncestor(part, of: position)
    else { return }
    detach(part)
    if let end = placeholderEndTemplate(from: position, remainingSteps: &remainingSteps) {
      while let next = nodes[Int(position)].nextSibling {
        detach(next)
        if next == end { break }
      }
    }
    while let child = nodes[Int(part)].firstChild {
      detach(child)
      insert(child, before: position)
    }
    addContents(nodes[Int(part)].contents, from: nodes[Int(position)].parent)
    detach(position)
  }

  private func isAncestor(_ element: Int32, of node: Int32) -> Bool {
    var next = nodes[Int(node)].parent
    while let ancestor = next, ancestor != element { next = nodes[Int(ancestor)].parent }
    return next != nil
  }

  /// Returns the template at the end of a placeholder, among the siblings after its position; nil
  /// if there is none.
  private func placeholderEndTemplate(from position: Int32, remainingSteps: inout Int) -> Int32? {
    var depth = 0
    var next = nodes[Int(position)].nextSibling
    while let node = next, remainingSteps > 0 {
      remainingSteps -= 1
      if nodes[Int(node)].name == .template, let range = attribute(.id, of: node) {
        let id = bytes[range]
        if id.elementsEqual("/$".utf8) {
          if depth == 0 { return node }
          depth -= 1
        } else if id.streamedIDKind == .boundary {
          depth += 1
        }
      }
      next = nodes[Int(node)].nextSibling
    }
    return nil
  }
}

/// The kind of an id.
private enum StreamedIDKind: UInt8 {
  /// The position of a part that is shown as a unit (a suspense boundary).
  case boundary = 0x42
  /// A position within a part.
  case segment = 0x50
  /// A part for a boundary or a segment.
  case part = 0x53
}

extension ArraySlice<UInt8> {
  /// The kind of an id such as `B:1f`, with any prefix; nil for other ids.
  fileprivate var streamedIDKind: StreamedIDKind? {
    let digits = reversed().prefix {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }.count
    guard digits > 0, digits <= 8, count >= digits + 2, self[endIndex - digits - 1] == 0x3A else {
      return nil
    }
    return StreamedIDKind(rawValue: self[endIndex - digits - 2])
  }

  /// The id of the part with the same number.
  fileprivate var partIDWithSameNumber: [UInt8] {
    var id = Array(self)
    if let colon = id.lastIndex(of: 0x3A), colon > 0 {
      id[colon - 1] = StreamedIDKind.part.rawValue
    }
    return id
  }
}
