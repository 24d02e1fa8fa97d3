import ReaderMode
import DOM
package import Document
import Foundation
import OfflineCache

extension Feed {
  /// Returns the feed as a page: its title, and each item with its link, date, author and summary.
  /// If an item also has a full text, the full text is folded below the summary.
  /// - Parameter url: the URL of the feed, or empty.
  /// - Returns: the page; links in items are absolute.
  package func document(url: String) -> Document {
    var tree = DOMTree.empty
    tree.language = Array(language.utf8)
    let heading = title.isEmpty ? format.rawValue + " feed" : title
    tree.addText(heading, to: tree.addElement(.title, to: 0))
    tree.addText(heading, to: tree.addElement(.h1, to: 0))
    if !subtitle.isEmpty, subtitle != title {
      tree.addText(subtitle, to: tree.addElement(.p, to: 0))
    }
    if let siteURL {
      let line = tree.addElement(.p, to: 0)
      tree.addText(siteURL, to: tree.addElement(.a, to: line, [.href: siteURL]))
    }
    for (index, item) in items.enumerated() {
      Self.add(item, to: &tree, fragmentSuffix: items.count > 1 ? "/\(index + 1)" : "")
    }
    if items.isEmpty {
      tree.addText("This feed has no items.", to: tree.addElement(.p, to: 0))
    }
    if isTruncated {
      tree.addText(
        "This feed has more items; these are its first \(items.count).",
        to: tree.addElement(.p, to: 0))
    }
    if let nextURL {
      let line = tree.addElement(.p, to: 0)
      tree.addText("Older items", to: tree.addElement(.a, to: line, [.href: nextURL]))
    }
    var document = Document(tree: tree, url: url)
    document.encodingName = encoding
    return document
  }

  /// Returns a feed with a single item as a page. The heading of the page is the title; `preface`,
  /// which is trusted HTML, follows it.
  func itemDocument(url: String, preface: String) -> Document {
    var tree = DOMTree.empty
    tree.language = Array((items.first?.language ?? language).utf8)
    tree.addText(title, to: tree.addElement(.title, to: 0))
    tree.addText(title, to: tree.addElement(.h1, to: 0))
    if !preface.isEmpty {
      tree.graft(DOMParser.parse(Array(preface.utf8)), to: tree.addElement(.div, to: 0))
    }
    for item in items { Self.add(item, to: &tree, fragmentSuffix: "", includesTitle: false) }
    var document = Document(tree: tree, url: url)
    document.encodingName = encoding
    return document
  }

  /// Adds an item.
  /// - Parameters:
  ///   - item: the item.
  ///   - tree: the tree of the page.
  ///   - fragmentSuffix: a suffix that makes the fragment names in the item's texts unique on the
  ///     page; empty if no other item uses these names.
  ///   - includesTitle: whether the title of the item is shown.
  private static func add(
    _ item: FeedItem, to tree: inout DOMTree, fragmentSuffix: String, includesTitle: Bool = true
  ) {
    let section = tree.addElement(.section, to: 0)
    let name = heading(of: item)
    if includesTitle { addHeading(name, of: item, to: section, of: &tree) }
    let date = item.date.map(DateText.formatted) ?? ""
    let facts = [date == name && includesTitle ? "" : date, item.author, item.duration]
      .filter { !$0.isEmpty }
    if !facts.isEmpty {
      let line = tree.addElement(.p, to: section)
      tree.addText(facts.joined(separator: " · "), to: tree.addElement(.small, to: line))
    }
    addTexts(of: item, to: section, of: &tree, fragmentSuffix)
    for image in item.images {
      let line = tree.addElement(.p, to: section)
      if image.descriptionText.isEmpty {
        // An empty alternative text would declare the image as decorative.
        tree.addElement(.img, to: line, [.src: image.url])
      } else {
        tree.addElement(.img, to: line, [.src: image.url, .alt: image.descriptionText])
      }
    }
    if !item.tags.isEmpty {
      let line = tree.addElement(.p, to: section)
      tree.addText(
        item.tags.joined(separator: ", "), to: tree.addElement(.small, to: line))
    }
    addLinks(of: item, to: section, of: &tree)
  }

  /// Adds the summary of an item and its content, which is folded below the summary.
  private static func addTexts(
    of item: FeedItem, to section: Int32, of tree: inout DOMTree, _ fragmentSuffix: String
  ) {
    let summary = item.summary.map(ParsedMarkup.init)
    let content = item.content?.html == item.summary?.html ? nil : item.content
    var parts = [summary, content.map(ParsedMarkup.init)].compactMap { $0 }
    if !fragmentSuffix.isEmpty {
      let names = parts.reduce(into: Set<String>()) { $0.formUnion($1.tree.fragmentNames) }
      for index in parts.indices {
        (parts[index].fragmentSuffix, parts[index].fragmentNames) = (fragmentSuffix, names)
      }
    }
    guard let first = parts.first else { return }
    first.add(to: tree.addElement(.div, to: section), of: &tree)
    guard parts.count > 1 else { return }
    let details = tree.addElement(.details, to: section)
    tree.addText("Whole text", to: tree.addElement(.summary, to: details))
    parts[1].add(to: details, of: &tree)
  }

  /// Adds the related links of an item, its attached files and the link to its comments.
  private static func addLinks(of item: FeedItem, to section: Int32, of tree: inout DOMTree) {
    for link in item.relatedLinks {
      let line = tree.addElement(.p, to: section)
      let name = link.title.isEmpty ? link.url : link.title
      tree.addText(name, to: tree.addElement(.a, to: line, [.href: link.url]))
    }
    for enclosure in item.enclosures
    where !item.images.contains(where: { $0.url == enclosure.url }) {
      let line = tree.addElement(.p, to: section)
      let name = enclosure.title.isEmpty ? enclosure.url : enclosure.title
      tree.addText(name, to: tree.addElement(.a, to: line, [.href: enclosure.url]))
      let facts = [
        enclosure.mediaType, enclosure.duration,
        enclosure.length.map { CountFormatter.byteCountText($0) } ?? "",
      ].filter { !$0.isEmpty }
      if !facts.isEmpty { tree.addText(" (" + facts.joined(separator: ", ") + ")", to: line) }
      if !enclosure.descriptionText.isEmpty {
        tree.addText(enclosure.descriptionText, to: tree.addElement(.p, to: section))
      }
    }
    if item.omittedEnclosureCount > 0 {
      tree.addText(
        "This item has \(CountFormatter.countText(item.omittedEnclosureCount, "more file")); these are its"
          + " first \(item.enclosures.count).",
        to: tree.addElement(.p, to: section))
    }
    if let comments = item.commentsURL, comments != item.url, !item.hasLink(to: comments) {
      let line = tree.addElement(.p, to: section)
      tree.addText("Comments", to: tree.addElement(.a, to: line, [.href: comments]))
    }
  }

  /// Returns the title of an item, or else its date, its first words, or its URL.
  private static func heading(of item: FeedItem) -> String {
    if item.title.isEmpty, let date = item.date { return DateText.formatted(date) }
    let name = item.displayName
    return name.isEmpty ? item.url ?? item.guid : name
  }

  private static func addHeading(
    _ name: String, of item: FeedItem, to section: Int32, of tree: inout DOMTree
  ) {
    let heading = tree.addElement(.h2, to: section)
    if let url = item.url {
      tree.addText(name, to: tree.addElement(.a, to: heading, [.href: url]))
    } else {
      tree.addText(name, to: heading)
    }
  }
}

/// The parsed text of an item. It is parsed separately, so that its unclosed elements do not affect
/// the following content.
private struct ParsedMarkup {
  let tree: DOMTree
  let base: WebURL?
  /// The base URLs of the elements to which an `xml:base` applies, by node index.
  let ownBases: [Int32: WebURL]
  /// The fragment names that the texts of the item define.
  var fragmentNames: Set<String> = []
  /// A suffix for the names in `fragmentNames`; empty to keep them unchanged.
  var fragmentSuffix = ""

  init(_ markup: FeedItem.Markup) {
    tree = DOMParser.parse(
      CharacterEncoding.utf8.decode(Array(markup.html.utf8)), isXML: markup.isXML)
    base = WebURL(markup.base)
    ownBases = markup.isXML ? Self.baseURLs(of: tree, within: markup.base) : [:]
  }

  /// Adds the parsed text to a node of a page.
  func add(to parent: Int32, of page: inout DOMTree) {
    page.graft(tree, to: parent, fragmentSuffix: fragmentSuffix) { reference, node in
      guard !reference.hasPrefix("#") else {
        return isDefined(reference.dropFirst()) ? reference + fragmentSuffix : nil
      }
      let base = ownBases.isEmpty ? self.base : ownBases[node] ?? self.base
      return base?.resolve(reference)?.description
    }
  }

  /// Returns whether a fragment refers to a name that the texts of the item define.
  private func isDefined(_ fragment: Substring) -> Bool {
    guard !fragmentNames.isEmpty else { return false }
    let name = String(fragment)
    return fragmentNames.contains(name)
      || name.removingPercentEncoding.map(fragmentNames.contains) ?? false
  }

  private static func baseURLs(of part: DOMTree, within outer: String) -> [Int32: WebURL] {
    guard part.attributes.contains(where: { $0.name == .base }) else { return [:] }
    var bases: [Int32: WebURL] = [:]
    // In an XML tree, parents precede their children.
    for (index, node) in part.nodes.enumerated() where node.name != .characters {
      let inherited = node.parent.flatMap { bases[$0] }
      let resolved = part.attribute(.base, of: Int32(index)).flatMap { said in
        WebURL.resolve(
          String(decoding: part.bytes[said], as: UTF8.self),
          against: inherited?.description ?? outer)
      }
      bases[Int32(index)] = resolved.flatMap { WebURL($0) } ?? inherited
    }
    return bases
  }
}
