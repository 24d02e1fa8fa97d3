import DOM
package import Document
import Foundation
import OfflineCache
import ReaderMode

extension FeedItem {
  /// The text of the item without markup: its content, or else its summary; empty if it has
  /// neither.
  package var plainText: String {
    guard let markup = content ?? summary else { return "" }
    let document = Document(
      bytes: Array(markup.html.utf8), mediaType: "text/html", charset: "utf-8", url: markup.base)
    return String(decoding: document.text, as: UTF8.self)
  }

  /// Returns whether the text is that of another version of the item in which a few consecutive
  /// words were corrected. A number that changes is not a correction: texts of one template, such
  /// as those of a weather report, differ in their numbers.
  package func corrects(_ other: FeedItem) -> Bool {
    let (new, old) = (words, other.words)
    let start = zip(new, old).prefix { $0 == $1 }.count
    let rest = (new.dropFirst(start), old.dropFirst(start))
    let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    let changed = Array(rest.0.dropLast(end) + rest.1.dropLast(end))
    let count = max(new.count, old.count)
    return count >= Self.minCorrectedLength && (count - start - end) * 5 <= count
      && !changed.contains { word in word.contains { (0x30...0x39).contains($0) } }
  }

  /// The minimum number of words of a text in which a correction is recognized.
  private static let minCorrectedLength = 8

  private var words: [ArraySlice<UInt8>] { Array(plainText.utf8).split { $0 <= 0x20 } }

  /// The title, or else the first words of the text; empty if the item has neither.
  package var displayName: String { title.isEmpty ? textExcerpt : title }

  /// The maximum length in characters of a name that is derived from the text, and the maximum
  /// number of bytes of the text that are read for that purpose.
  private static let maxDisplayNameLength = 80, maxDisplayNameSourceBytes = 1 << 13

  private var textExcerpt: String {
    guard let markup = content ?? summary else {
      return (images.map(\.descriptionText) + enclosures.map(\.descriptionText))
        .first { !$0.isEmpty } ?? ""
    }
    let document = Document(
      bytes: Array(markup.html.utf8.prefix(Self.maxDisplayNameSourceBytes)), mediaType: "text/html",
      charset: "utf-8", url: markup.base)
    let text = String(decoding: document.plainText, as: UTF8.self).oneLine
    let start = text.prefix(Self.maxDisplayNameLength)
    guard start.endIndex < text.endIndex else { return text }
    return String(start.lastIndex(of: " ").map { start[..<$0] } ?? start) + "…"
  }

  /// Adds an attached file as the first one, unless the item already has a file with this URL.
  package mutating func addFirstEnclosure(_ url: String, mediaType: String, length: Int) {
    guard !enclosures.contains(where: { $0.url == url }) else { return }
    enclosures.insert(
      Enclosure(url: url, mediaType: mediaType, length: Int64(length)), at: 0)
  }

  /// Whether the item has a content or a summary.
  package var hasText: Bool { !(content ?? summary ?? Markup(html: "")).html.isEmpty }
}

extension Feed {
  /// Returns an item as a page: its title, its date and author, and its content, or otherwise its
  /// summary.
  /// - Parameters:
  ///   - item: an item of the feed.
  ///   - url: the URL of the page of the item.
  ///   - preface: trusted HTML that is shown between the title and the text.
  /// - Returns: the page; links are absolute.
  package func document(of item: FeedItem, url: String, preface: String = "") -> Document {
    var feed = self
    var item = item
    // The content is not folded below the summary.
    if item.content != nil { item.summary = nil }
    item.url = nil
    feed.items = [item]
    (feed.title, feed.subtitle, feed.siteURL) = (item.title.isEmpty ? title : item.title, "", nil)
    (feed.nextURL, feed.isTruncated) = (nil, false)
    return feed.itemDocument(url: url, preface: preface)
  }
}
