import DOM

/// The order in which a browser shows the children of flex containers and grids that style sheets
/// reorder (CSS Flexbox 1 §5.1 and §5.4, CSS Grid 1 §6.3).
///
/// Only an order from top to bottom is applied, and the order of short lines in a row or grid: the
/// columns of a page are read in the order of the page, in which the main text usually precedes
/// what is beside it. An order that depends on the size of the screen is not applied.
struct VisualOrder {
  /// The first child by parent.
  private var firstChildByParent: [Int32: Int32] = [:]
  /// The next sibling by child; nil for the last child.
  private var nextSiblingByChild: [Int32: Int32?] = [:]

  /// The maximum number of bytes of a child of a row.
  private static let maxLineLength = 200
  /// The maximum number of nodes of a child of a row.
  private static let maxLineNodes = 16

  init() {}

  /// Finds the elements of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - hiding: The styles of the page.
  ///   - fixed: Elements whose siblings keep their order.
  init(of tree: DOMTree, hiding: HidingRules, except fixed: [Int32]) {
    let fixedParents = Set(fixed.map { tree.nodes[Int($0)].parent })
    var parents: [Int32] = []
    for node in 1..<Int32(max(1, tree.nodes.count)) {
      guard let style = Self.style(of: node, in: tree, hiding) else { continue }
      if style.flexDirection == .columnReverse || style.flexDirection == .rowReverse {
        parents.append(node)
      }
      if let order = style.order, order != 0, let parent = tree.nodes[Int(node)].parent {
        parents.append(parent)
      }
    }
    for parent in Set(parents) where parent > 0 && !fixedParents.contains(parent) {
      recordOrder(Self.order(of: parent, in: tree, hiding), of: parent, in: tree)
    }
  }

  func firstChild(of node: Int32, in tree: DOMTree) -> Int32? {
    firstChildByParent.isEmpty
      ? tree.nodes[Int(node)].firstChild
      : firstChildByParent[node] ?? tree.nodes[Int(node)].firstChild
  }

  func nextSibling(of node: Int32, in tree: DOMTree) -> Int32? {
    nextSiblingByChild.isEmpty
      ? tree.nodes[Int(node)].nextSibling
      : nextSiblingByChild[node] ?? tree.nodes[Int(node)].nextSibling
  }

  private mutating func recordOrder(_ children: [Int32]?, of parent: Int32, in tree: DOMTree) {
    guard let children, let first = children.first else { return }
    firstChildByParent[parent] = first
    for (index, child) in children.enumerated() {
      let next = index + 1 < children.count ? children[index + 1] : nil
      nextSiblingByChild.updateValue(next, forKey: child)
    }
  }

  /// Returns the styles of an element from style sheets and from its attribute; nil if they concern
  /// no text.
  private static func style(
    of node: Int32, in tree: DOMTree, _ hiding: HidingRules
  ) -> TextStyleDeclarations? {
    let element = tree.nodes[Int(node)]
    guard element.name != .characters, element.parent != nil else { return nil }
    let sheet = hiding.style(of: node)
    guard hiding.appliesStyleAttributes, let own = tree.attribute(.style, of: node),
      tree.bytes.contains("flex", in: own) || tree.bytes.contains("grid", in: own)
        || tree.bytes.contains("order:", in: own)
    else { return sheet }
    var style = sheet ?? TextStyleDeclarations()
    style.apply(tree.inlineTextStyle(own))
    return style
  }

  /// Returns the children of an element in the order in which they are shown; nil if that is the
  /// order of the page, or unknown.
  private static func order(
    of parent: Int32, in tree: DOMTree, _ hiding: HidingRules
  ) -> [Int32]? {
    guard mayBeFlexContainer(tree.nodes[Int(parent)].name),
      let style = style(of: parent, in: tree, hiding), style.isFlex == true || style.isGrid == true
    else { return nil }
    var items: [(node: Int32, order: Int16)] = []
    var next = tree.nodes[Int(parent)].firstChild
    while let child = next {
      let itemStyle = self.style(of: child, in: tree, hiding)
      if style.isGrid == true, itemStyle?.hasGridRow == true { return nil }
      items.append((child, itemStyle?.order ?? 0))
      next = tree.nodes[Int(child)].nextSibling
    }
    let direction = style.isFlex == true ? style.flexDirection : nil
    let isReversed = direction == .columnReverse || direction == .rowReverse
    let isColumn = direction == .columnReverse || direction == .column
    guard isColumn || items.allSatisfy({ isShortLine($0.node, in: tree) }) else { return nil }
    // Stable: equal items keep their order.
    var ordered = items.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }.map { $0.element.node }
    if isReversed { ordered.reverse() }
    return ordered
  }

  private static func mayBeFlexContainer(_ name: ElementName) -> Bool {
    switch name {
    case .div, .section, .article, .main, .header, .footer, .nav, .aside, .ul, .figure, .p, .span,
      .other:
      true
    default: false
    }
  }

  /// Returns whether a node is a short line of text without blocks.
  private static func isShortLine(_ root: Int32, in tree: DOMTree) -> Bool {
    guard !tree.nodes[Int(root)].contents.contains(.block) else { return false }
    var (next, length): (Int32?, Int) = (root, 0)
    for _ in 0..<maxLineNodes {
      guard let node = next else { break }
      let domNode = tree.nodes[Int(node)]
      if domNode.name == .characters { length += Int(domNode.end - domNode.start) }
      next = tree.nodeAfter(node, in: root)
    }
    return next == nil && length <= maxLineLength
  }
}
