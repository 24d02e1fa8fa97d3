package import DOM

// Many pages have their menu twice: once for wide screens, and once closed, for narrow ones, which
// a script or a linked style sheet hides.

/// The menus of a page that repeat the links of an earlier menu.
package struct RepeatedMenus {
  /// The outermost elements of the menus, in document order.
  package private(set) var nodes: [Int32] = []

  /// Minimum number of links in a repeated menu.
  private static let minLinks = 4
  /// Maximum number of words outside links in a repeated menu.
  private static let maxPlainWordCount = 8

  /// A menu and the keys of its links.
  private struct Menu {
    var linkKeys: Set<LinkKey> = []
    var plainWordCount = 0
    /// Whether the menu has links to the next, previous or numbered pages of a series, which are
    /// also useful below a text.
    var hasPaginationLinks = false
    /// Whether the menu has headings, which may be those of articles.
    var hasHeading = false
  }

  /// A link: its target and its text.
  private struct LinkKey: Hashable {
    var target: ArraySlice<UInt8>
    var text: [UInt8]
  }

  /// Finds the repeated menus of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - hiding: The rules that hide elements; hidden menus are not shown twice.
  package init(of tree: DOMTree, hiding: HidingRules) {
    /// The number of the menu in which each link occurred first.
    var menuNumberByLink: [LinkKey: Int] = [:]
    /// The menus around the current node that do not repeat an earlier one, each with its number
    /// and the node after its last descendant.
    var openMenus: [(number: Int, end: Int32?)] = []
    var (menuNumber, remainingVisits) = (0, Self.maxVisits(in: tree))
    var next = tree.nodes.isEmpty ? nil : tree.nodeAfter(0, in: 0)
    while let node = next, remainingVisits > 0 {
      while let last = openMenus.last, last.end == node { openMenus.removeLast() }
      let element = tree.nodes[Int(node)]
      guard element.name != .characters, element.contents.contains(.text),
        !hiding.hides(node, of: tree)
      else {
        next = tree.nodeAfterSubtree(node, in: 0)
        continue
      }
      guard tree.isMenu(node), let menu = Self.menu(node, of: tree, hiding, &remainingVisits) else {
        next = tree.nodeAfter(node, in: 0)
        continue
      }
      let knownLinkCount = menu.linkKeys.count { link in
        guard let first = menuNumberByLink[link] else { return false }
        return !openMenus.contains { $0.number == first }
      }
      if menu.linkKeys.count >= Self.minLinks, knownLinkCount * 5 >= menu.linkKeys.count * 4,
        menu.plainWordCount <= Self.maxPlainWordCount, !menu.hasPaginationLinks, !menu.hasHeading
      {
        nodes.append(node)
        next = tree.nodeAfterSubtree(node, in: 0)
        continue
      }
      menuNumber += 1
      for link in menu.linkKeys where menuNumberByLink[link] == nil {
        menuNumberByLink[link] = menuNumber
      }
      openMenus.append((menuNumber, tree.nodeAfterSubtree(node, in: 0)))
      next = tree.nodeAfter(node, in: 0)
    }
  }

  /// Maximum number of nodes in a menu; an element with more does not count as one.
  private static let maxNodes = 2000

  /// Maximum number of nodes visited in all menus, since menus may be nested.
  private static func maxVisits(in tree: DOMTree) -> Int { 4 * tree.nodes.count + maxNodes }

  /// Returns the links and other contents of a menu; nil if it has more than `maxNodes` nodes.
  private static func menu(
    _ root: Int32, of tree: DOMTree, _ hiding: HidingRules, _ remainingNodes: inout Int
  ) -> Menu? {
    var (menu, nodeCount) = (Menu(), 0)
    var next = tree.nodeAfter(root, in: root)
    while let node = next {
      nodeCount += 1
      remainingNodes -= 1
      guard nodeCount <= maxNodes else { return nil }
      let element = tree.nodes[Int(node)]
      if element.name == .a, let target = tree.attribute(.href, of: node) {
        let text = Array(tree.collapsedText(below: node).utf8)
        if !text.isEmpty { menu.linkKeys.insert(LinkKey(target: tree.bytes[target], text: text)) }
        menu.hasPaginationLinks = menu.hasPaginationLinks || tree.isPaginationLink(node, text: text)
        next = tree.nodeAfterSubtree(node, in: root)
      } else if element.name == .characters {
        menu.plainWordCount += tree.bytes[Int(element.start)..<Int(element.end)]
          .split(whereSeparator: \.isWhiteSpace).count { $0.contains { $0.isLetter || $0 >= 0x80 } }
        next = tree.nodeAfter(node, in: root)
      } else if element.name.headingLevel > 0 {
        menu.hasHeading = true
        next = tree.nodeAfter(node, in: root)
      } else if element.name == .button || hiding.hides(node, of: tree) {
        next = tree.nodeAfterSubtree(node, in: root)
      } else {
        next = tree.nodeAfter(node, in: root)
      }
    }
    return menu
  }
}

extension DOMTree {
  /// Whether an element is a menu by its name, role, class or id.
  fileprivate func isMenu(_ node: Int32) -> Bool {
    let element = nodes[Int(node)]
    switch element.name {
    case .nav, .menu: return true
    case .div, .ul, .ol, .aside, .section, .header, .footer: break
    default: return false
    }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .role where bytes.contains("navigation", in: value) || bytes.contains("menu", in: value):
        return true
      case .class, .id:
        guard bytes.contains("menu", in: value) || bytes.contains("nav", in: value) else {
          continue
        }
        if bytes.withUnsafeBufferPointer({ Self.menuNames.match($0, in: value) }) != 0 {
          return true
        }
      default: break
      }
    }
    return false
  }

  /// Whether a link leads to the next or previous page, or to a numbered one.
  fileprivate func isPaginationLink(_ link: Int32, text: [UInt8]) -> Bool {
    if value(.rel, of: link, contains: "next") || value(.rel, of: link, contains: "prev") {
      return true
    }
    let words = text.split { !$0.isLetter && !$0.isDigit && $0 < 0x80 }
    guard let first = words.first else { return false }
    return first.allSatisfy(\.isDigit)
      || ["next", "previous", "prev", "older", "newer"].contains {
        first.map(\.lowercased).elementsEqual($0.utf8)
      }
  }

  private static let menuNames = WordMatcher([
    (1, " nav , nav-,-nav ,-nav-,_nav , nav_,navbar,navigation,navmenu, menu,-menu,_menu,mainmenu"),
    (1, "mobilemenu,sidemenu,submenu,topmenu,offcanvas,drawer,hamburger"),
  ])
}
