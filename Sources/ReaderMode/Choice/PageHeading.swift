import DOM
import Document
import Metadata

/// The first-level heading above the content of a page that the title of the page does not repeat,
/// such as the heading of an article on a page whose title is the name of the site, or the heading
/// of a timetable.
struct PageHeading {
  let text: String

  private static let maxBytes = 300

  /// Finds the heading; returns nil if there is none, or if the content, a part of the page with
  /// the same nodes, has a heading of level 1 itself. On a page that is not one text, no other text
  /// may be between the heading and the content.
  init?(of page: DOMTree, hiding: HidingRules, content: DOMTree, _ facts: ReaderFacts) {
    guard content.nodes.count >= page.nodes.count,
      let firstTextNode = Self.firstText(of: content), firstTextNode < page.nodes.count,
      !Self.hasTopLevelHeading(content)
    else { return nil }
    // The content may begin with the heading, at a lower level.
    guard
      let headingText = Self.headingText(of: page, before: firstTextNode, hiding: hiding, facts),
      !Self.isHeading(around: firstTextNode, PageTitle.comparisonKey(headingText), in: content)
    else { return nil }
    text = headingText
  }

  /// Returns the heading before the content that is neither in the title nor the name of the site;
  /// nil if no heading qualifies, or if the content is in navigation or a hidden element.
  private static func headingText(
    of page: DOMTree, before firstTextNode: Int32, hiding: HidingRules, _ facts: ReaderFacts
  ) -> String? {
    let titleKey = PageTitle.comparisonKey(facts.metadata.title)
    let siteKey = PageTitle.comparisonKey(facts.metadata.siteName)
    let isOneText = facts.kind.mayBeOneText
    let textAncestors = page.ancestors(of: firstTextNode)
    var headingText: String?
    var next = page.nodeAfter(0, in: 0)
    while let node = next, node != firstTextNode {
      let element = page.nodes[Int(node)]
      if element.name == .characters {
        if !isOneText, !page.isBlank(node) { headingText = nil }
        next = page.nodeAfter(node, in: 0)
        continue
      }
      let isAside = element.name == .nav || element.name == .aside || element.name == .footer
      if isAside || element.name.neverShowsText || hiding.hides(node, of: page) {
        // The content may be in it.
        guard !textAncestors.contains(node) else { return nil }
        next = page.nodeAfterSubtree(node, in: 0)
        continue
      }
      if element.name == .h1, !page.isLogo(node) {
        let line = page.headingTexts(below: node)[0]
        let key = PageTitle.comparisonKey(line)
        let repeatsTitle = PageTitle.hasSameLetters(line, facts.metadata.title)
        if !key.isEmpty, line.utf8.count <= maxBytes, key != siteKey, !repeatsTitle,
          !isMostlyContained(key, in: titleKey)
        {
          headingText = line
        } else if !key.isEmpty, repeatsTitle {
          headingText = nil
        }
        next = page.nodeAfterSubtree(node, in: 0)
        continue
      }
      next = page.nodeAfter(node, in: 0)
    }
    return headingText
  }

  /// Returns whether most words of a heading are in the title.
  private static func isMostlyContained(_ heading: String, in title: String) -> Bool {
    let (words, others) = (Set(heading.split(separator: " ")), Set(title.split(separator: " ")))
    return words.intersection(others).count * 2 > words.count
  }

  private static func firstText(of content: DOMTree) -> Int32? {
    var next = content.nodeAfter(0, in: 0)
    while let node = next {
      let name = content.nodes[Int(node)].name
      if name == .characters, !content.isBlank(node) { return node }
      next =
        name.neverShowsText ? content.nodeAfterSubtree(node, in: 0) : content.nodeAfter(node, in: 0)
    }
    return nil
  }

  private static func hasTopLevelHeading(_ content: DOMTree) -> Bool {
    content.descendants(of: 0).contains {
      content.nodes[Int($0)].name == .h1 && !content.collapsedText(below: $0).isEmpty
    }
  }

  /// Returns whether a text is in a heading with a comparison key.
  private static func isHeading(around node: Int32, _ key: String, in content: DOMTree) -> Bool {
    content.heading(around: node).map { content.isHeading($0, withKey: key) } ?? false
  }
}

extension DOMTree {
  /// Returns whether a heading is the name of the site: it contains a link to the start page, or an
  /// element around it is named as a logo.
  fileprivate func isLogo(_ heading: Int32) -> Bool {
    for node in descendants(of: heading).prefix(16) where nodes[Int(node)].name == .a {
      if let target = string(.href, of: node),
        ["/", "./", ".", "#", "index.html", "/index.html"].contains(target)
      {
        return true
      }
    }
    var above = heading
    for _ in 0..<3 where above > 0 {
      if value(.class, of: above, matches: Self.logoNames)
        || value(.id, of: above, matches: Self.logoNames)
      {
        return true
      }
      above = nodes[Int(above)].parent ?? 0
    }
    return false
  }

  private static let logoNames = WordMatcher(
    "logo,site-title,sitename,site-name,site_title,sitetitle,brand,masthead,banner,tagline")
}
