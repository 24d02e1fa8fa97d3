import DOM

/// Finds the lists that are not rendered as lists of items: site navigation, which has no numbers,
/// and lists with nothing but a date.
struct ListRoles {
  /// A list with nothing but a date, which is rendered as plain lines; nil without one.
  private var dateLine: Int32?
  /// For each list that was examined, whether it is site navigation.
  private var isNavigationByList: [Int32: Bool] = [:]

  /// Begins a list that is rendered as a plain line because it contains only a date.
  /// - Returns: Whether the list is one.
  mutating func beginDateLine(_ list: Int32, in tree: DOMTree) -> Bool {
    guard Self.containsOnlyDate(list, in: tree) else { return false }
    dateLine = list
    return true
  }

  /// Returns whether a list is rendered as a plain line.
  func isDateLine(_ list: Int32) -> Bool { list == dateLine }

  /// Returns whether a list is site navigation, in which numbers are meaningless: it is in a `nav`,
  /// has a class for navigation or breadcrumbs, or contains only links in a `footer`.
  mutating func isNavigation(_ list: Int32, in tree: DOMTree) -> Bool {
    if let known = isNavigationByList[list] { return known }
    let isNavigation = Self.findNavigation(around: list, in: tree)
    isNavigationByList[list] = isNavigation
    return isNavigation
  }

  private static func findNavigation(around list: Int32, in tree: DOMTree) -> Bool {
    if tree.value(.class, of: list, contains: "breadcrumb")
      || tree.value(.class, of: list, contains: "nav")
    {
      return true
    }
    var next: Int32? = list
    for _ in 0..<64 {
      guard let node = next else { break }
      let name = tree.nodes[Int(node)].name
      if name == .nav || tree.value(.role, of: node, contains: "navigation") { return true }
      if name == .footer { return hasOnlyLinks(list, in: tree) }
      next = tree.nodes[Int(node)].parent
    }
    return false
  }

  /// Returns whether the first items of a list contain only links.
  private static func hasOnlyLinks(_ list: Int32, in tree: DOMTree) -> Bool {
    var next = tree.nodeAfter(list, in: list)
    for _ in 0..<32 {
      guard let current = next else { break }
      let node = tree.nodes[Int(current)]
      if node.name == .characters,
        !tree.bytes[Int(node.start)..<Int(node.end)].allSatisfy(\.isWhiteSpace)
      {
        return false
      }
      next =
        node.name == .a
        ? tree.nodeAfterSubtree(current, in: list) : tree.nodeAfter(current, in: list)
    }
    return true
  }

  /// Returns whether a list has a single item that contains only a date, as below the name of an
  /// author.
  private static func containsOnlyDate(_ list: Int32, in tree: DOMTree) -> Bool {
    var next = tree.nodeAfter(list, in: list)
    var (items, hasDate) = (0, false)
    for _ in 0..<16 {
      guard let node = next else { break }
      let domNode = tree.nodes[Int(node)]
      switch domNode.name {
      case .li where items == 0 && domNode.parent == list: items = 1
      case .time where items == 1 && !hasDate && domNode.contents.contains(.text):
        hasDate = true
        next = tree.nodeAfterSubtree(node, in: list)
        continue
      case .a, .span: break
      case .characters:
        let bytes = tree.bytes[Int(domNode.start)..<Int(domNode.end)]
        guard bytes.allSatisfy(\.isWhiteSpace) else { return false }
      default: return false
      }
      next = tree.nodeAfter(node, in: list)
    }
    return hasDate && next == nil
  }
}
