import DOM

/// The nesting levels of replies in a discussion whose page shows them by indentation only: by the
/// width of an empty cell in front of each comment, by margins and padding, by comments within
/// comments, or by a class, attribute or custom property with the level of each comment, to which
/// style sheets refer. Margins of style sheets count only for elements that are named as comments,
/// because tables of contents and poems have such margins, too.
struct ReplyDepths {
  /// The number of levels that an element adds to those of its ancestors; elements that add none
  /// are absent.
  private var addedLevels: [Int32: Int] = [:]
  /// The `table` or `tbody` elements whose rows are replies.
  private var layoutTables: Set<Int32> = []

  /// A child of an element, and its indentation in pixels.
  private typealias Row = (node: Int32, distance: Double)

  private static let maxLevels = 20
  /// Maximum number of ancestors that are searched for a similar one.
  private static let maxAncestors = 64

  /// Finds the replies of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - hiding: The styles of the page.
  init(of tree: DOMTree, hiding: HidingRules = HidingRules()) {
    var parents: [Int32] = []
    var seen: Set<Int32> = []
    for node in 1..<Int32(max(1, tree.nodes.count)) {
      let element = tree.nodes[Int(node)]
      guard element.contents.contains(.text), element.mayBeComment, let parent = element.parent
      else {
        continue
      }
      let distance = Self.declaredIndentation(of: node, in: tree)
      if (distance ?? 0) > 0 || Self.declaredLevel(of: node, in: tree) != nil
        || Self.styleSheetIndentation(of: node, in: tree, hiding) > 0,
        seen.insert(parent).inserted
      {
        parents.append(parent)
      }
      addNestedReply(node, indentation: distance ?? 0, in: tree)
    }
    for parent in parents { addRows(of: parent, in: tree, hiding) }
  }

  /// Returns the number of levels that an element adds.
  subscript(_ node: Int32) -> Int { addedLevels.isEmpty ? 0 : addedLevels[node] ?? 0 }

  /// Returns whether a table only lays out replies.
  func isReplyLayout(_ table: Int32) -> Bool { layoutTables.contains(table) }

  /// Returns the indentation that an element declares, in pixels; nil if it declares none.
  private static func declaredIndentation(of node: Int32, in tree: DOMTree) -> Double? {
    if tree.nodes[Int(node)].name == .tr { return spacerWidth(of: node, in: tree) }
    guard
      tree.value(.style, of: node, contains: "-left")
        || tree.value(.style, of: node, contains: "-inline-start")
        || tree.value(.style, of: node, contains: "margin:")
        || tree.value(.style, of: node, contains: "padding:")
    else { return nil }
    return tree.sizeDeclarations(of: node)?.indentation
  }

  /// Returns the indentation in pixels that style sheets set for an element that is named as a
  /// comment, or is in a discussion; 0 for any other.
  private static func styleSheetIndentation(
    of node: Int32, in tree: DOMTree, _ hiding: HidingRules
  ) -> Double {
    guard !hiding.isEmpty, let distance = hiding.style(of: node)?.leftDistance, distance > 0,
      tree.nodes[Int(node)].name != .tr, tree.nodes[Int(node)].name != .table,
      isNamedAsComment(node, in: tree) || isInDiscussion(node, in: tree)
    else { return 0 }
    return distance
  }

  /// Returns the level in a custom property of a `style` attribute, such as `--depth: 2`; nil if
  /// there is none.
  private static func customPropertyLevel(of node: Int32, in tree: DOMTree) -> Int? {
    guard let range = tree.attribute(.style, of: node), tree.bytes.contains("--", in: range) else {
      return nil
    }
    for declaration in tree.bytes[range].split(separator: UInt8(ascii: ";")) {
      let pair = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard pair.count == 2 else { continue }
      let name = String(decoding: pair[0].filter { !$0.isWhiteSpace }, as: UTF8.self).lowercased()
      guard name.hasPrefix("--"), ["depth", "level", "indent"].contains(where: name.hasSuffix)
      else { continue }
      return Int(String(decoding: pair[1].filter { !$0.isWhiteSpace }, as: UTF8.self))
    }
    return nil
  }

  /// Returns the level of a comment in a discussion by its class, such as `depth-2`, by
  /// `aria-level` or `data-depth`, or by a custom property; nil if it has none.
  private static func declaredLevel(of node: Int32, in tree: DOMTree) -> Int? {
    let element = tree.nodes[Int(node)]
    guard element.start < element.end, element.name != .tr, element.name != .table,
      let level = levelNumber(inClassOf: node, in: tree) ?? tree.attributeInteger(
        .ariaLevel, of: node)
        ?? tree.attributeInteger(.replyDepth, of: node) ?? customPropertyLevel(of: node, in: tree),
      0...99 ~= level, !tree.value(.role, of: node, contains: "heading"),
      isNamedAsComment(node, in: tree) || isInDiscussion(node, in: tree)
    else { return nil }
    return level
  }

  /// Returns the number at the end of a class that names a level; nil if there is none.
  private static func levelNumber(inClassOf node: Int32, in tree: DOMTree) -> Int? {
    guard tree.value(.class, of: node, matches: levelNames),
      let range = tree.attribute(.class, of: node)
    else { return nil }
    for name in tree.bytes[range].split(whereSeparator: \.isWhiteSpace) {
      let digits = name.reversed().prefix { $0.isDigit }.count
      guard 1...2 ~= digits, case var word = name.dropLast(digits) else { continue }
      while let last = word.last, last == UInt8(ascii: "-") || last == UInt8(ascii: "_") {
        word = word.dropLast()
      }
      let text = String(decoding: word, as: UTF8.self).lowercased()
      if ["depth", "level", "indent"].contains(where: { text.hasSuffix($0) }) {
        return Int(String(decoding: name.suffix(digits), as: UTF8.self))
      }
    }
    return nil
  }

  private static let levelNames = WordMatcher("depth,level,indent")

  /// Returns the width of the empty first cell of a row, or of a table nested in it; nil if it has
  /// no declared width, or if the cell is not empty.
  private static func spacerWidth(of row: Int32, in tree: DOMTree) -> Double? {
    var node = row
    for _ in 0..<8 {
      var next = tree.nodes[Int(node)].firstChild
      while let text = next, tree.nodes[Int(text)].name == .characters, tree.isBlank(text) {
        next = tree.nodes[Int(text)].nextSibling
      }
      guard let next else { return nil }
      node = next
      let element = tree.nodes[Int(node)]
      switch element.name {
      case .td, .th:
        if element.contents.contains(.text) { continue }
        return width(ofEmptyCell: node, in: tree)
      case .tr, .table, .tbody: continue
      default: return nil
      }
    }
    return nil
  }

  /// Returns the declared width of a cell without text, or of an element in it; nil if there is
  /// none, or if the cell shows an image other than a spacer, or a form field.
  private static func width(ofEmptyCell cell: Int32, in tree: DOMTree) -> Double? {
    var found: Double?
    var next: Int32? = cell
    while let node = next {
      let name = tree.nodes[Int(node)].name
      if name == .img ? !isSpacer(node, in: tree) : visibleElements.contains(name) { return nil }
      if found == nil {
        found =
          tree.attributeInteger(.width, of: node).map { Double(max(0, min(10_000, $0))) }
          ?? tree.sizeDeclarations(of: node)?.width
      }
      next = tree.nodeAfter(node, in: cell)
    }
    return found
  }

  private static let visibleElements: Set<ElementName> = [
    .button, .canvas, .iframe, .input, .object, .select, .svg, .textarea, .video,
  ]

  /// Returns whether an image without alternative text is a spacer, by its height or its file name.
  private static func isSpacer(_ image: Int32, in tree: DOMTree) -> Bool {
    guard tree.string(.alt, of: image)?.allSatisfy(\.isWhitespace) ?? true else { return false }
    if let height = tree.attributeInteger(.height, of: image), height <= 2 { return true }
    return FileName(reference: tree.string(.src, of: image) ?? "")?.isSpacerName == true
  }

  /// Records the children of an element as comments if their indentations or levels show that they
  /// are.
  private mutating func addRows(of parent: Int32, in tree: DOMTree, _ hiding: HidingRules) {
    var rows: [Row] = []
    var rowsWithLevels: [Row] = []
    var rowsWithMargins: [Row] = []
    var next = tree.nodes[Int(parent)].firstChild
    while let node = next {
      next = tree.nodes[Int(node)].nextSibling
      let element = tree.nodes[Int(node)]
      guard element.contents.contains(.text), element.mayBeComment else { continue }
      rows.append((node, Self.declaredIndentation(of: node, in: tree) ?? 0))
      if let level = Self.declaredLevel(of: node, in: tree) {
        rowsWithLevels.append((node, Double(level)))
      }
      rowsWithMargins.append((node, Self.styleSheetIndentation(of: node, in: tree, hiding)))
    }
    // Elements of other classes are the parts of one comment.
    if rowsWithMargins.count < 3
      || !rowsWithMargins.allSatisfy({ tree.hasSameClass($0.node, rowsWithMargins[0].node) })
    {
      rowsWithMargins = []
    }
    // Levels precede the margins that style sheets give to their classes.
    let nestedRows = [rows, rowsWithLevels, rowsWithMargins].first {
      $0.contains { $0.distance > 0 }
    }
    if let nestedRows { addRows(nestedRows, of: parent, in: tree) }
  }

  /// Records rows as comments if their indentations are multiples of one step and each is, with few
  /// exceptions, at most one step deeper than the one before. A larger step, below a comment that
  /// was deleted, counts as one level.
  private mutating func addRows(_ rows: [Row], of parent: Int32, in tree: DOMTree) {
    let minDistance = rows.map(\.distance).min() ?? 0
    let levelDistance = rows.map { $0.distance - minDistance }.filter { $0 > 0.5 }.min() ?? 0
    guard levelDistance > 0,
      rows.count >= 3 || rows.count == 2 && Self.areCommentAndReply(rows, in: tree)
    else {
      return
    }
    var (skippedLevelCount, repliesWithLevels) = (0, [(Int32, Int)]())
    /// The indentations, in steps, of the last comment and of the comments that it replies to,
    /// outermost first.
    var openLevels: [Double] = []
    for row in rows {
      let rowLevel = ((row.distance - minDistance) / levelDistance).rounded()
      guard abs(rowLevel * levelDistance - row.distance + minDistance) < levelDistance / 4 else {
        return
      }
      if rowLevel > (openLevels.last ?? -1) + 1 { skippedLevelCount += 1 }
      while let last = openLevels.last, last >= rowLevel { openLevels.removeLast() }
      if !openLevels.isEmpty {
        guard Self.isComment(row.node, in: tree) else { return }
        repliesWithLevels.append((row.node, min(openLevels.count, Self.maxLevels)))
      }
      openLevels.append(rowLevel)
    }
    guard skippedLevelCount * 4 < rows.count else { return }
    for (node, level) in repliesWithLevels { addedLevels[node] = level }
    guard let first = repliesWithLevels.first, tree.nodes[Int(first.0)].name == .tr else { return }
    let isTable = tree.nodes[Int(parent)].name == .table
    layoutTables.insert(isTable ? parent : tree.nodes[Int(parent)].parent ?? 0)
  }

  /// Returns whether two elements are certainly a comment and its reply: their markup names them
  /// so, or each of them declares an indentation.
  private static func areCommentAndReply(_ rows: [Row], in tree: DOMTree) -> Bool {
    guard rows.allSatisfy({ isComment($0.node, in: tree) }),
      tree.nodes[Int(rows[0].node)].name == tree.nodes[Int(rows[1].node)].name
    else { return false }
    if rows.allSatisfy({ declaredIndentation(of: $0.node, in: tree) != nil }) { return true }
    var node = rows[1].node
    for _ in 0..<4 where node > 0 {
      if isNamedAsComment(node, in: tree) || tree.value(.class, of: node, contains: "thread")
        || tree.value(.class, of: node, contains: "discussion")
        || tree.value(.id, of: node, contains: "comment")
      {
        return true
      }
      node = tree.nodes[Int(node)].parent ?? 0
    }
    return false
  }

  /// Returns whether an element contains a block or a link, unlike an indented line of a poem.
  private static func isComment(_ node: Int32, in tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if element.name == .tr || element.contents.contains(.block) { return true }
    var next = tree.nodeAfter(node, in: node)
    while let current = next {
      if tree.nodes[Int(current)].name == .a { return true }
      next = tree.nodeAfter(current, in: node)
    }
    return false
  }

  /// Adds a level for an element with a similar ancestor: both are indented, or both have the class
  /// of a comment.
  private mutating func addNestedReply(_ node: Int32, indentation: Double, in tree: DOMTree) {
    if Self.holdsReplies(node, in: tree) || Self.isOneLevelDeeper(node, in: tree) {
      addedLevels[node] = 1
      return
    }
    let isNamed = Self.isNamedAsComment(node, in: tree)
    guard isNamed || indentation >= Self.minIndentation, tree.nodes[Int(node)].name != .tr else {
      return
    }
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    for _ in 0..<Self.maxAncestors where ancestor > 0 {
      let ancestorNode = tree.nodes[Int(ancestor)]
      // Nested lists and quotations are indented anyway, and an element that holds replies has its
      // level.
      if ancestorNode.name == .li || ancestorNode.name == .blockquote
        || Self.holdsReplies(ancestor, in: tree)
      {
        return
      }
      if ancestorNode.name == tree.nodes[Int(node)].name {
        let isReplyOfAncestor =
          isNamed
          ? Self.areAlike(node, ancestor, in: tree)
            && Self.hasText(from: ancestor, to: node, in: tree)
          : (Self.declaredIndentation(of: ancestor, in: tree) ?? 0) >= Self.minIndentation
            || tree.hasSameClass(node, ancestor) && Self.hasText(from: ancestor, to: node, in: tree)
        if isReplyOfAncestor {
          addedLevels[node] = 1
          let isOuterIndented =
            (Self.declaredIndentation(of: ancestor, in: tree) ?? 0) >= Self.minIndentation
          if !isNamed, isOuterIndented, addedLevels[ancestor] == nil { addedLevels[ancestor] = 1 }
          return
        }
      }
      ancestor = ancestorNode.parent ?? 0
    }
  }

  /// Returns whether a custom element declares a level that is one higher than the level of the
  /// custom element around it, with text between the two. The items of menus are not replies.
  private static func isOneLevelDeeper(_ node: Int32, in tree: DOMTree) -> Bool {
    guard tree.nodes[Int(node)].name == .other,
      let level = tree.attributeInteger(.replyDepth, of: node), level > 0
    else { return false }
    var isDeeper = false
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    for _ in 0..<maxAncestors where ancestor > 0 {
      let outer = tree.nodes[Int(ancestor)]
      if outer.name == .nav { return false }
      if !isDeeper, outer.name == .other,
        let outerLevel = tree.attributeInteger(.replyDepth, of: ancestor)
      {
        guard outerLevel == level - 1, hasText(from: ancestor, to: node, in: tree) else {
          return false
        }
        isDeeper = true
      }
      ancestor = outer.parent ?? 0
    }
    return isDeeper
  }

  private static let minIndentation = 8.0

  /// Returns whether an element holds the replies to a comment before it, other than in a list,
  /// which is indented anyway.
  private static func holdsReplies(_ node: Int32, in tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    guard element.name == .div || element.name == .section, element.start < element.end,
      let name = tree.attribute(.class, of: node),
      case let found = tree.bytes.withUnsafeBufferPointer({ replyNames.match($0, in: name) }),
      found != 0, levelNumber(inClassOf: node, in: tree) == nil, hasSiblingWithText(node, in: tree)
    else { return false }
    var next = element.firstChild
    while let child = next {
      switch tree.nodes[Int(child)].name {
      case .ul, .ol, .dl, .blockquote: return false
      case .characters where tree.isBlank(child): next = tree.nodes[Int(child)].nextSibling
      default: return found & 1 != 0 || isInDiscussion(node, in: tree)
      }
    }
    return false
  }

  /// Parts of classes: 1 where they name replies, 2 where they do so within a discussion.
  private static let replyNames = WordMatcher([
    (1, " replies , replies-,-replies ,_replies ,subcomment,child-comment,comment-child"),
    (1, "comments-child,nested-comment,comment-replies,comment__replies"),
    (2, " children , child ,-children ,_children , nested , responses ,-responses ,indent"),
  ])

  private static func hasSiblingWithText(_ node: Int32, in tree: DOMTree) -> Bool {
    var next = tree.nodes[Int(node)].previousSibling
    for _ in 0..<16 {
      guard let sibling = next else { break }
      let domNode = tree.nodes[Int(sibling)]
      if domNode.name == .characters ? !tree.isBlank(sibling) : domNode.contents.contains(.text) {
        return true
      }
      next = domNode.previousSibling
    }
    return false
  }

  private static func isInDiscussion(_ node: Int32, in tree: DOMTree) -> Bool {
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    for _ in 0..<6 where ancestor > 0 {
      if isNamedAsComment(ancestor, in: tree)
        || tree.value(.class, of: ancestor, contains: "thread")
        || tree.value(.id, of: ancestor, contains: "comment")
      {
        return true
      }
      ancestor = tree.nodes[Int(ancestor)].parent ?? 0
    }
    return false
  }

  private static func isNamedAsComment(_ node: Int32, in tree: DOMTree) -> Bool {
    tree.value(.class, of: node, contains: "comment")
      || tree.value(.class, of: node, contains: "reply")
  }

  /// Returns whether an element that is named as a comment is named like one of its ancestors. The
  /// body of a comment is not named like it, although the class that comes first, which may only
  /// set the appearance, can be the same.
  private static func areAlike(_ node: Int32, _ ancestor: Int32, in tree: DOMTree) -> Bool {
    guard tree.hasSameClass(node, ancestor) else { return false }
    let (names, outerNames) = (tree.firstClasses(of: node), tree.firstClasses(of: ancestor))
    if names.contains(where: { endsInCommentName($0) }),
      outerNames.contains(where: { endsInCommentName($0) }) || outerNames.isSubset(of: names)
    {
      return true
    }
    return outerNames.contains { isCommentName($0) && names.contains($0) }
  }

  private static func isCommentName(_ name: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(name)
    return bytes.contains("comment", in: bytes.indices)
      || bytes.contains("reply", in: bytes.indices)
  }

  private static func endsInCommentName(_ name: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return text.hasSuffix("comment") || text.hasSuffix("reply")
  }

  /// Returns whether there is text in an element before one of its descendants.
  private static func hasText(from outer: Int32, to inner: Int32, in tree: DOMTree) -> Bool {
    var next = tree.nodeAfter(outer, in: outer)
    for _ in 0..<200 {
      guard let node = next, node != inner else { break }
      if tree.nodes[Int(node)].name == .characters, !tree.isBlank(node) { return true }
      next = tree.nodeAfter(node, in: outer)
    }
    return false
  }
}

extension DOMTree.Node {
  /// Whether pages use such elements for comments.
  fileprivate var mayBeComment: Bool {
    switch name {
    case .div, .section, .article, .tr, .table, .details: true
    // A custom element.
    case .other: contents.contains(.block)
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

  /// Returns the first 32 classes of an element. An element may have many descendants with which
  /// its classes are compared.
  fileprivate func firstClasses(of node: Int32) -> Set<ArraySlice<UInt8>> {
    guard let names = attribute(.class, of: node) else { return [] }
    let classes = bytes[names].split(maxSplits: 32, whereSeparator: \.isWhiteSpace)
    return Set(classes.prefix(32))
  }
}

extension DocumentBuilder {
  /// Opens a quotation for each level of a reply that the page shows by indentation only.
  mutating func beginReply(_ node: Int32, _ name: ElementName) {
    let levels = replyDepths[node]
    guard levels > 0 else { return }
    if name == .tr, case .data = tables.innermost { return }
    for _ in 0..<levels { openContainer(.quote) }
  }
}
