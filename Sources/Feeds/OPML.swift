import DOM
import OfflineCache

/// A list of feeds and links (OPML 1.0 and 2.0).
package struct OPML: Sendable, Equatable {
  /// The title of the list on one line, or empty.
  package var title = ""
  /// The entries, in order.
  package var outlines: [Outline] = []
  /// The number of entries of a parsed list that were skipped because they have URLs, but no
  /// http(s) URL.
  package private(set) var skippedCount = 0

  /// A feed or a page.
  package struct Outline: Sendable, Equatable {
    /// The title on one line, or empty.
    package var title = ""
    /// The absolute URL of the feed, or nil for a page.
    package var feedURL: String?
    /// The absolute URL of the page, or nil.
    package var siteURL: String?
    /// The enclosing folders from the outermost, followed by the categories, without duplicates.
    package var tags: [String] = []
    /// The description on one line, or empty.
    package var descriptionLine = ""

    package init(
      title: String = "", feedURL: String? = nil, siteURL: String? = nil, tags: [String] = [],
      descriptionLine: String = ""
    ) {
      self.title = title
      self.feedURL = feedURL
      self.siteURL = siteURL
      self.tags = tags
      self.descriptionLine = descriptionLine
    }
  }

  /// The maximum number of entries, and the maximum nesting depth of folders.
  private static let maxOutlines = 500_000, maxFolderDepth = 16

  package init() {}

  /// Parses a list, tolerating errors; returns nil if the content is not OPML.
  ///
  /// The folders of an entry become tags. Parsing takes linear time.
  package init?(_ bytes: consuming [UInt8]) {
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    let tree = XMLTree(encoding.decode(bytes))
    var seenFeeds: Set<[String?]> = []
    var isOPML = false
    /// The folders that enclose the current element.
    var folders: [(element: XMLElement, name: String)] = []
    for element in tree.elements {
      switch element.name {
      case "opml", "body": isOPML = true
      case "title" where title.isEmpty && element.parent?.name == "head":
        title = element.text.oneLine.withoutEscapes
      case "outline" where outlines.count < Self.maxOutlines && !Self.isEpisode(element):
        while let last = folders.last, !last.element.encloses(element) { folders.removeLast() }
        let outline = Self.outline(element, folders: folders.map(\.name))
        let isFolder = outline.feedURL == nil && Self.isFolder(element)
        if isFolder, !outline.title.isEmpty, folders.count < Self.maxFolderDepth {
          folders.append((element, outline.title))
        }
        // A site with several feeds is treated only as a folder; a page may have further pages
        // below it.
        if isFolder, Self.hasFeeds(element) { continue }
        if outline.feedURL != nil || outline.siteURL != nil {
          if seenFeeds.insert([outline.feedURL, outline.siteURL] + outline.tags).inserted {
            outlines.append(outline)
          }
        } else if Self.hasURL(element), !isFolder {
          skippedCount += 1
        }
      default: break
      }
    }
    guard isOPML else { return nil }
  }

  private static func outline(_ element: XMLElement, folders: [String]) -> Outline {
    var outline = Outline()
    /// The value of `url`, which is the URL of a feed or a page depending on `type`.
    var link = ""
    var isFeed = false
    for (name, value) in element.attributes {
      switch name.lowercased() {
      case "xmlurl": outline.feedURL = outline.feedURL ?? feedURL(value)
      case "htmlurl": outline.siteURL = outline.siteURL ?? url(value)
      case "url": link = value
      case "type": isFeed = ["rss", "atom"].contains(value.oneLine.lowercased())
      case "title":
        if !value.oneLine.isEmpty { outline.title = value.oneLine.withoutEscapes }
      case "text": if outline.title.isEmpty { outline.title = value.oneLine.withoutEscapes }
      case "description": outline.descriptionLine = value.oneLine
      case "category":
        // The format of the value is `/Folder/Folder,word` (OPML 2.0).
        outline.tags += value.split { $0 == "," || $0 == "/" }.prefix(maxFolderDepth)
          .map { String($0).oneLine }
      default: break
      }
    }
    if isFeed, isBlank("xmlurl", of: element) {
      outline.feedURL = feedURL(link)
    } else {
      outline.siteURL = outline.siteURL ?? url(link)
    }
    var seenTags: Set<String> = []
    outline.tags = (folders + outline.tags).filter { !$0.isEmpty && seenTags.insert($0).inserted }
    return outline
  }

  /// Returns whether an entry is an episode, which podcast players list below its feed.
  private static func isEpisode(_ element: XMLElement) -> Bool {
    isBlank("xmlurl", of: element) && !isBlank("enclosureurl", of: element)
  }

  /// Returns whether an entry has a non-empty attribute for a URL.
  private static func hasURL(_ element: XMLElement) -> Bool {
    element.attributes.contains { name, value in
      ["xmlurl", "htmlurl", "url"].contains(name.lowercased()) && !value.oneLine.isEmpty
    }
  }

  /// Returns whether an entry contains entries for feeds.
  private static func hasFeeds(_ element: XMLElement) -> Bool {
    element.children.contains { $0.name == "outline" && !isBlank("xmlurl", of: $0) }
  }

  private static func isBlank(_ name: String, of element: XMLElement) -> Bool {
    element.attribute(name)?.oneLine.isEmpty ?? true
  }

  /// Returns whether an entry is a folder: it contains other entries and is not a feed.
  private static func isFolder(_ element: XMLElement) -> Bool {
    element.children.contains { $0.name == "outline" } && isBlank("xmlurl", of: element)
  }

  private static func url(_ text: String) -> String? {
    guard let url = WebURL(text.withUnescapedAmpersands), url.isWeb else { return nil }
    return url.description
  }

  /// The schemes that browsers and podcast players use for feeds instead of `http` or before it.
  static let feedSchemes: Set = ["feed", "itpc", "pcast", "podcast"]

  /// Returns the http(s) URL of a feed; nil if the text contains none. The text may have one of
  /// `feedSchemes` before another URL or instead of `http:`, or no scheme at all.
  private static func feedURL(_ text: String) -> String? {
    var reference = text.oneLine
    if let scheme = reference.urlScheme, feedSchemes.contains(scheme) {
      reference = String(reference.dropFirst(scheme.count + 1))
      if reference.hasPrefix("//") { reference = "http:" + reference }
    }
    if reference.hasPrefix("//") { return url("https:" + reference) }
    return url(reference) ?? (beginsWithHost(reference) ? url("https://" + reference) : nil)
  }

  /// Returns whether a text begins with a host name followed by a slash.
  private static func beginsWithHost(_ text: String) -> Bool {
    guard let slash = text.firstIndex(of: "/") else { return false }
    let parts = text[..<slash].split(separator: ":", omittingEmptySubsequences: false)
    let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1 && parts.count <= 2
      && parts.dropFirst().allSatisfy { UInt16($0) != nil }
      && labels.allSatisfy { label in
        !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      }
  }

  // MARK: Writing

  /// Returns the list in OPML 2.0. Each entry is in a folder for its first tag, and all tags are
  /// categories. A tag with a comma or slash cannot be a category, so it becomes another folder.
  /// - Returns: the bytes in UTF-8.
  package func bytes() -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
      <head><title>\(title.escapedForXML)</title></head>
      <body>

      """
    var order: [[String]] = []
    var members: [[String]: [Outline]] = [:]
    for outline in outlines {
      let rest = outline.tags.dropFirst().filter { !$0.canBeCategory }
      let folders = outline.tags.prefix(1) + rest.prefix(Self.maxFolderDepth - 1)
      if members[Array(folders)] == nil { order.append(Array(folders)) }
      members[Array(folders), default: []].append(outline)
    }
    for folders in order {
      for folder in folders { text += "<outline text=\"\(folder.escapedForXML)\">\n" }
      for outline in members[folders] ?? [] { text += Self.line(outline) }
      for _ in folders { text += "</outline>\n" }
    }
    text += "</body>\n</opml>\n"
    return Array(text.utf8)
  }

  private static func line(_ outline: Outline) -> String {
    let name = outline.title.isEmpty ? outline.siteURL ?? outline.feedURL ?? "" : outline.title
    var line =
      "<outline text=\"\(name.escapedForXML)\" type=\"\(outline.feedURL == nil ? "link" : "rss")\""
    if let url = outline.feedURL { line += " xmlUrl=\"\(url.escapedForXML)\"" }
    if let url = outline.siteURL {
      line += " \(outline.feedURL == nil ? "url" : "htmlUrl")=\"\(url.escapedForXML)\""
    }
    let categories = outline.tags.filter(\.canBeCategory)
    if !categories.isEmpty {
      line += " category=\"\(categories.joined(separator: ",").escapedForXML)\""
    }
    if !outline.descriptionLine.isEmpty {
      line += " description=\"\(outline.descriptionLine.escapedForXML)\""
    }
    return line + "/>\n"
  }
}

extension XMLElement {
  /// Returns whether a later element is nested in this one.
  fileprivate func encloses(_ other: XMLElement) -> Bool {
    other.source.endIndex <= source.endIndex
  }
}

extension String {
  /// The text of a URL with `&` for each `&amp;`. Some programs escape URLs once too often.
  package var withUnescapedAmpersands: String {
    contains("&amp;") ? replacing("&amp;", with: "&") : self
  }

  fileprivate var canBeCategory: Bool { !utf8.contains(0x2C) && !utf8.contains(0x2F) }

  /// The text escaped for XML content and attributes, without characters that are not allowed in
  /// XML.
  package var escapedForXML: String {
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case 0x09, 0x0A, 0x0D: result.append(0x20)
      case 0..<0x20: break
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self).replacing("\u{FFFE}", with: "")
      .replacing("\u{FFFF}", with: "")
  }
}
