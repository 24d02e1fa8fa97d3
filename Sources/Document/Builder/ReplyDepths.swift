import DOM

/// The nesting levels of replies in a discussion whose page shows them by indentation only: by the
/// width of an empty cell in front of each comment, by margins and padding of `style` attributes,
/// or by comments within comments.
struct ReplyDepths {
  /// The number of levels that an element adds to those of its ancestors; elements that add none
  /// are absent.
  private var levels: [Int32: Int] = [:]
  /// The `table` or `tbody` elements whose rows are replies.
  private var tables: Set<Int32> = []

  /// A child of an element with its indentation in pixels.
  private typealias Row = (node: Int32, distance: Double)

  private static let maxLevels = 12
  /// Maximum number of ancestors that are searched for a similar one.
  private static let maxAncestors = 64

  /// Finds the replies of a page.
  init(of tree: DOMTree) {
    var parents: [Int32] = []
    var seen: Set<Int32> = []
    for node in 1..<Int32(max(1, tree.nodes.count)) {
      let element = tree.nodes[Int(node)]
      guard element.contents.contains(.text), element.name.mayBeComment, element.parent >= 0 else {
        continue
      }
      let distance = Self.distance(of: node, in: tree)
      if let distance, distance > 0, seen.insert(element.parent).inserted {
        parents.append(element.parent)
      }
      addNested(node, distance: distance ?? 0, in: tree)
    }
    for parent in parents { addRows(of: parent, in: tree) }
  }

  /// Returns the number of levels that an element adds.
  subscript(_ node: Int32) -> Int { levels.isEmpty ? 0 : levels[node] ?? 0 }

  /// Returns whether a table only lays out replies.
  func arranges(_ table: Int32) -> Bool { tables.contains(table) }

  /// Returns the indentation that an element declares, in pixels; nil if it declares none.
  private static func distance(of node: Int32, in tree: DOMTree) -> Double? {
    if tree.nodes[Int(node)].name == .tr { return spacer(of: node, in: tree) }
    guard
      tree.value(.style, of: node, contains: "-left")
        || tree.value(.style, of: node, contains: "-inline-start")
        || tree.value(.style, of: node, contains: "margin:")
        || tree.value(.style, of: node, contains: "padding:")
    else { return nil }
    return tree.styledSize(of: node)?.indentation
  }

  /// Returns the width of the empty first cell of a row, or of a table nested in it.
  private static func spacer(of row: Int32, in tree: DOMTree) -> Double? {
    var node = row
    for _ in 0..<8 {
      node = tree.nodes[Int(node)].firstChild
      while node >= 0, tree.nodes[Int(node)].name == .characters, tree.isBlank(node) {
        node = tree.nodes[Int(node)].nextSibling
      }
      guard node >= 0 else { return nil }
      let element = tree.nodes[Int(node)]
      switch element.name {
      case .td, .th:
        if element.contents.contains(.text) { continue }
        return width(ofEmpty: node, in: tree)
      case .tr, .table, .tbody: continue
      default: return nil
      }
    }
    return nil
  }

  /// Returns the declared width of a cell without text, or of an element in it; nil if there is
  /// none, or if the cell shows an image other than a spacer, or a form field.
  private static func width(ofEmpty cell: Int32, in tree: DOMTree) -> Double? {
    var found: Double?
    var node = cell
    while node >= 0 {
      let name = tree.nodes[Int(node)].name
      if name == .img ? !isSpacer(node, in: tree) : showsSomething.contains(name) { return nil }
      if found == nil {
        found =
          tree.number(.width, of: node).map { Double(max(0, min(10_000, $0))) }
          ?? tree.styledSize(of: node)?.width
      }
      node = tree.next(node, in: cell)
    }
    return found
  }

  private static let showsSomething: Set<ElementName> = [
    .button, .canvas, .iframe, .input, .object, .select, .svg, .textarea, .video,
  ]

  /// Returns whether an image without alternative text is a spacer, by its height or its file name.
  private static func isSpacer(_ image: Int32, in tree: DOMTree) -> Bool {
    guard tree.string(.alt, of: image)?.allSatisfy(\.isWhitespace) ?? true else { return false }
    if let height = tree.number(.height, of: image), height <= 2 { return true }
    return FileName(reference: tree.string(.src, of: image) ?? "")?.isOfSpacer == true
  }

  /// Records the children of an element as comments if their indentations are multiples of one step
  /// and each is, with few exceptions, at most one step deeper than the one before. A larger step,
  /// below a comment that was deleted, counts as one level.
  private mutating func addRows(of parent: Int32, in tree: DOMTree) {
    var rows: [Row] = []
    var node: Int32 = -1
    var next = tree.nodes[Int(parent)].firstChild
    while next >= 0 {
      (node, next) = (next, tree.nodes[Int(next)].nextSibling)
      let element = tree.nodes[Int(node)]
      guard element.contents.contains(.text), element.name.mayBeComment else { continue }
      rows.append((node, Self.distance(of: node, in: tree) ?? 0))
    }
    let base = rows.map(\.distance).min() ?? 0
    let step = rows.map { $0.distance - base }.filter { $0 > 0.5 }.min() ?? 0
    guard rows.count >= 3, step > 0 else { return }
    var (skips, found) = (0, [(Int32, Int)]())
    /// The steps of a comment and of those that it replies to.
    var answered: [Double] = []
    for row in rows {
      let steps = ((row.distance - base) / step).rounded()
      guard abs(steps * step - row.distance + base) < step / 4 else { return }
      if steps > (answered.last ?? -1) + 1 { skips += 1 }
      while let last = answered.last, last >= steps { answered.removeLast() }
      if !answered.isEmpty {
        guard Self.isComment(row.node, in: tree) else { return }
        found.append((row.node, min(answered.count, Self.maxLevels)))
      }
      answered.append(steps)
    }
    guard skips * 4 < rows.count else { return }
    for (node, level) in found { levels[node] = level }
    guard let first = found.first, tree.nodes[Int(first.0)].name == .tr else { return }
    let isTable = tree.nodes[Int(parent)].name == .table
    tables.insert(isTable ? parent : tree.nodes[Int(parent)].parent)
  }

  /// Returns whether an element contains a block or a link, unlike an indented line of a poem.
  private static func isComment(_ node: Int32, in tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if element.name == .tr || element.contents.contains(.block) { return true }
    var next = tree.next(node, in: node)
    while next >= 0 {
      if tree.nodes[Int(next)].name == .a { return true }
      next = tree.next(next, in: node)
    }
    return false
  }

  /// Adds a level for an element with a similar ancestor: both are indented, or both have the class
  /// of a comment.
  private mutating func addNested(_ node: Int32, distance: Double, in tree: DOMTree) {
    let isNamed = Self.isNamed(node, in: tree)
    guard isNamed || distance >= Self.minDistance, tree.nodes[Int(node)].name != .tr else { return }
    var above = tree.nodes[Int(node)].parent
    for _ in 0..<Self.maxAncestors where above > 0 {
      let outer = tree.nodes[Int(above)]
      // Nested lists and quotations are indented anyway.
      if outer.name == .li || outer.name == .blockquote { return }
      if outer.name == tree.nodes[Int(node)].name {
        let isLike =
          isNamed
          ? tree.hasSameClass(node, above) && Self.hasText(from: above, to: node, in: tree)
          : (Self.distance(of: above, in: tree) ?? 0) >= Self.minDistance
        if isLike {
          levels[node] = 1
          if !isNamed, levels[above] == nil { levels[above] = 1 }
          return
        }
      }
      above = outer.parent
    }
  }

  private static let minDistance = 8.0

  private static func isNamed(_ node: Int32, in tree: DOMTree) -> Bool {
    tree.value(.class, of: node, contains: "comment")
      || tree.value(.class, of: node, contains: "reply")
  }

  /// Returns whether there is text in an element before one of its descendants.
  private static func hasText(from outer: Int32, to inner: Int32, in tree: DOMTree) -> Bool {
    var node = tree.next(outer, in: outer)
    for _ in 0..<200 where node >= 0 && node != inner {
      if tree.nodes[Int(node)].name == .characters, !tree.isBlank(node) { return true }
      node = tree.next(node, in: outer)
    }
    return false
  }
}

extension ElementName {
  /// Whether pages use such an element for a comment.
  fileprivate var mayBeComment: Bool {
    switch self {
    case .div, .section, .article, .tr, .table, .details: true
    default: false
    }
  }
}

extension DOMTree {
  /// Returns whether two elements have the same first class.
  fileprivate func hasSameClass(_ one: Int32, _ other: Int32) -> Bool {
    func first(_ node: Int32) -> ArraySlice<UInt8>? {
      attribute(.class, of: node).flatMap {
        bytes[$0].split(maxSplits: 1, whereSeparator: \.isWhiteSpace).first
      }
    }
    guard let class1 = first(one), let class2 = first(other) else { return false }
    return class1 == class2
  }
}

extension DocumentBuilder {
  /// Opens a quotation for each level of a reply that the page shows by indentation only.
  mutating func beginReply(_ node: Int32, _ name: ElementName) {
    let levels = replies[node]
    guard levels > 0 else { return }
    if name == .tr, case .data = tables.last { return }
    for _ in 0..<levels { openContainer(.quote) }
  }
}
