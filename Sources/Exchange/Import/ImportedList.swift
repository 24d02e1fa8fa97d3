package import Feeds
import DOM
import Foundation
import Document
import OfflineCache

/// The pages and feeds in an imported file.
package struct ImportedList: Sendable, Equatable {
  /// The format of the file.
  package let format: ListFormat
  /// The pages in the order of the file, each URL once.
  package private(set) var links: [ImportedLink] = []
  /// The feeds in the order of the file, each URL once.
  package private(set) var feeds: [OPML.Outline] = []
  /// The URLs of the sitemaps in a sitemap index, each once.
  package private(set) var sitemaps: [String] = []
  /// The number of entries without a web URL (`gemini:`, `javascript:`, or none at all).
  package private(set) var skippedCount = 0
  /// The first lines without a web URL, at most `maxSkippedLines`; empty unless the file is a text.
  package private(set) var skippedLines: [LinkLines.Line] = []
  /// Whether lines of a text contain other text before their URLs.
  package internal(set) var hasRunningText = false
  /// The number of entries whose URL has a user name or a password. These are still in `links`, but
  /// the import does not store them.
  package private(set) var credentialCount = 0

  /// Whether the file has more entries than are read.
  package private(set) var hasFurtherEntries = false

  /// The maximum number of pages of a file, and of sitemaps; further ones are not imported.
  static let maxEntries = 1_000_000
  /// The text that Diigo writes for a page without tags.
  private static let absentTag = "no_tag"
  /// The maximum number of skipped lines that are recorded.
  static let maxSkippedLines = 5

  /// The indices of links by the key of their URL.
  private var linkIndices: [String: Int] = [:]
  /// The indices of feeds by URL.
  private var feedIndices: [String: Int] = [:]
  private var sitemapURLs: Set<String> = []

  /// Reads as much of a file as possible; returns nil if it is not a list of pages (see
  /// `ImportFormat`; WARC files and ZIP archives are not read here).
  /// - Parameter bytes: The content, in any encoding.
  package init?(_ bytes: [UInt8]) {
    guard let format = ImportFormat(of: bytes)?.list else { return nil }
    self.format = format
    let file = ListFormat.File(bytes: ImportFormat.decompressed(bytes))
    guard (try? format.facts.read(file, &self)) != nil else { return nil }
  }

  /// Whether the file is almost certainly a list of the user.
  package var isCertainlyList: Bool {
    switch format.facts.evidence {
    case .export, .list: !links.isEmpty || !feeds.isEmpty
    case .text: skippedCount == 0 && !links.isEmpty && !hasRunningText
    case .page: false
    }
  }

  /// The pages in the order in which they were added to the list, the oldest first. Pages without a
  /// date come last; otherwise, the order is that of the file.
  package var linksByDate: [ImportedLink] {
    links.enumerated().sorted { one, other in
      (one.element.date ?? .distantFuture, one.offset)
        < (other.element.date ?? .distantFuture, other.offset)
    }.map(\.element)
  }

  /// Reads the texts and highlights of the pages that are in files beside the list.
  /// - Parameter content: Returns the content of the file at a relative path; nil if there is none.
  package mutating func readContents(_ content: (String) -> [UInt8]?) {
    for index in links.indices {
      if links[index].content.isEmpty, let path = links[index].contentPath,
        let bytes = content(path)
      {
        links[index].content = String(decoding: bytes, as: UTF8.self)
      }
      if let path = links[index].highlightsPath, let bytes = content(path) {
        links[index].add(note: Self.highlights(in: bytes))
      }
    }
  }

  /// Returns the quotations and notes of a text in Markdown without markers, headings and empty
  /// lines.
  private static func highlights(in text: [UInt8]) -> String {
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.filter { !$0.hasPrefix("#") }
      .map { String($0.drop { $0 == ">" || $0 == " " }).oneLine }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Adding

  /// Adds an entry.
  /// - Parameters:
  ///   - address: The URL as written in the file.
  ///   - link: The page, without its URL.
  ///   - line: The line of a text that contains it.
  mutating func add(_ address: String, _ link: ImportedLink, of line: LinkLines.Line? = nil) {
    let address = address.withUnescapedAmpersands
    guard links.count < Self.maxEntries,
      let url = WebURL(WrappedURL.content(of: address) ?? address), url.isWeb
    else { return skip(line) }
    if url.credentials != nil { credentialCount += 1 }
    var link = link
    link.url = url.description
    link.title = link.title.oneLine
    // Many programs use the URL as the title of pages whose title they do not know.
    if [address, link.url].contains(link.title.withUnescapedAmpersands) { link.title = "" }
    link.note = link.note.withoutControls
    var seen: Set<String> = []
    link.tags = link.tags.map(\.oneLine).filter {
      !$0.isEmpty && $0 != Self.absentTag && seen.insert($0).inserted
    }
    let key = CacheKey.make(url)
    if let position = linkIndices[key] {
      merge(link, into: &links[position])
    } else {
      linkIndices[key] = links.count
      links.append(link)
    }
  }

  /// Adds a feed, or a page of a list of feeds. A feed that is in several folders has the tags of
  /// all these folders.
  mutating func add(_ outline: OPML.Outline) {
    if let url = outline.feedURL {
      if let index = feedIndices[url] {
        Self.merge(outline, into: &feeds[index])
      } else {
        feedIndices[url] = feeds.count
        feeds.append(outline)
      }
    } else if let url = outline.siteURL {
      add(
        url,
        ImportedLink(
          url: "", title: outline.title, tags: outline.tags, note: outline.descriptionLine))
    }
  }

  /// Adds a sitemap of a sitemap index.
  mutating func add(sitemap reference: String) {
    guard sitemaps.count < Self.maxEntries, let url = WebURL(reference), url.isWeb else {
      return skip()
    }
    if sitemapURLs.insert(url.description).inserted { sitemaps.append(url.description) }
  }

  /// Adds the feeds of a list in OPML.
  mutating func addFeeds(ofOPML bytes: [UInt8]) throws(ListFormat.UnreadableFile) {
    guard let list = OPML(bytes) else { throw ListFormat.UnreadableFile() }
    for outline in list.outlines { add(outline) }
    skippedCount += list.skippedCount
  }

  /// Adds the pages of the items of a feed, which must have at least one item.
  mutating func addItems(ofFeed bytes: [UInt8]) throws(ListFormat.UnreadableFile) {
    guard let feed = Feed(bytes), !feed.items.isEmpty else { throw ListFormat.UnreadableFile() }
    hasFurtherEntries = feed.isTruncated
    for item in feed.items {
      guard let url = item.url else {
        skip()
        continue
      }
      var link = ImportedLink(url: url, title: item.title, tags: item.tags, date: item.date)
      let html = item.content?.html ?? ""
      if html.utf8.count >= LinkJSON.minContentLength { link.content = html }
      add(url, link)
    }
  }

  /// Counts an entry without a web URL.
  /// - Parameter line: The line of a text that contains it.
  mutating func skip(_ line: LinkLines.Line? = nil) {
    skippedCount += 1
    if let line, skippedLines.count < Self.maxSkippedLines { skippedLines.append(line) }
  }

  /// The maximum number of tags of a feed that is listed more than once.
  private static let maxFeedTags = 200

  /// Merges a duplicate feed.
  private static func merge(_ other: OPML.Outline, into feed: inout OPML.Outline) {
    if feed.title.isEmpty { feed.title = other.title }
    if feed.descriptionLine.isEmpty { feed.descriptionLine = other.descriptionLine }
    for tag in other.tags where feed.tags.count < maxFeedTags && !feed.tags.contains(tag) {
      feed.tags.append(tag)
    }
  }

  /// Merges a duplicate entry.
  private func merge(_ other: ImportedLink, into link: inout ImportedLink) {
    if link.title.isEmpty { link.title = other.title }
    if link.note.isEmpty { link.note = other.note }
    if link.content.isEmpty { link.content = other.content }
    addSections(of: other, to: &link)
    addLine(other.note, to: &link)
    link.tags += other.tags.filter { !link.tags.contains($0) }
    link.date = [link.date, other.date].compactMap(\.self).min()
    link.isArchived = link.isArchived && other.isArchived
    link.isStarred = link.isStarred || other.isStarred
  }

  /// The number of bytes of a note above which nothing of other entries is added to it.
  private static let maxMergedNote = 4096

  /// Adds text to the note of a page, unless the note contains it.
  private func addLine(_ line: String, to link: inout ImportedLink) {
    guard !line.isEmpty, link.note.utf8.count < Self.maxMergedNote, !link.note.contains(line) else {
      return
    }
    link.add(note: line)
  }

  /// Adds the URLs and titles of entries for sections of one page, which differ in their fragments,
  /// to the note of the page.
  private func addSections(of other: ImportedLink, to link: inout ImportedLink) {
    let fragments = [link, other].map { WebURL($0.url)?.fragment ?? "" }
    guard fragments[0] != fragments[1] else { return }
    for (section, fragment) in zip([link, other], fragments) where !fragment.isEmpty {
      let url = WebURL(section.url)?.withoutCredentials.description ?? section.url
      addLine(section.title.isEmpty ? url : "\(url) \(section.title)", to: &link)
    }
  }
}

extension String {
  /// The text without control characters other than line feeds, and without white space at either
  /// end.
  fileprivate var withoutControls: String {
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      String($0).oneLine
    }
    return lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
