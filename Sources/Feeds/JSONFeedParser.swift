import DOM
import Foundation
import Document
import Formats
import OfflineCache

/// A parser for JSON Feed 1 and 1.1.
struct JSONFeedParser {
  private(set) var feed = Feed(format: .json)
  private let url: String

  /// Parses a feed.
  /// - Parameters:
  ///   - json: the top-level object.
  ///   - url: the URL of the feed, or empty.
  init(_ json: JSONValue, url: String) {
    self.url = url
    feed.title = line(json["title"]).withoutEscapes
    feed.subtitle = line(json["description"])
    feed.siteURL = absoluteURL(json["home_page_url"])
    feed.selfURL = absoluteURL(json["feed_url"])
    feed.nextURL = absoluteURL(json["next_url"])
    feed.language = line(json["language"])
    feed.author = authors(json)
    feed.isExpired = json["expired"]?.bool ?? false
    let items = elements(json["items"]).filter { if case .object = $0 { true } else { false } }
    feed.items = items.prefix(Feed.maxItems).map(parseItem)
    feed.isTruncated = items.count > Feed.maxItems
    feed.setMissingAuthors()
  }

  private func parseItem(_ json: JSONValue) -> FeedItem {
    var item = FeedItem()
    item.id = line(json["id"])
    let base = feed.siteURL ?? url
    item.url =
      absoluteURL(json["url"], base) ?? absoluteURL(json["external_url"], base)
      ?? (item.id.contains("://") ? absoluteURL(json["id"]) : nil)
    item.title = line(json["title"]).withoutEscapes
    item.author = authors(json)
    item.updateDate = date(json["date_modified"])
    item.date = date(json["date_published"]) ?? item.updateDate
    item.language = line(json["language"])
    let contentBase = item.url ?? base
    var texts = ItemTextCollector()
    if let html = json["content_html"]?.string {
      let html = html.withoutCDATADelimiters.withoutRepeatedEscape
      texts.add(FeedItem.Markup(html: html, base: contentBase).nilIfBlank, as: .content)
    }
    if let text = json["content_text"]?.string {
      texts.add(textMarkup(text, base: contentBase), as: .content)
    }
    if let summary = json["summary"]?.string {
      texts.add(textMarkup(summary, base: contentBase), as: .description)
    }
    _ = texts.apply(to: &item)
    item.addRelatedLink(absoluteURL(json["external_url"], base))
    if item.content == nil, item.summary == nil,
      let image = absoluteURL(json["image"], base) ?? absoluteURL(json["banner_image"], base)
    {
      item.images = [FeedItem.Image(url: image)]
    }
    for tag in elements(json["tags"]) { RSSFeed.addTag(line(tag), to: &item) }
    addAttachments(json, base: base, to: &item)
    return item
  }

  /// Adds the attached files. Attached images are shown if the text contains no image.
  private func addAttachments(_ json: JSONValue, base: String, to item: inout FeedItem) {
    for file in elements(json["attachments"]) {
      guard let target = absoluteURL(file["url"], base) else { continue }
      guard item.enclosures.count < FeedItem.maxEnclosures else {
        item.omittedEnclosureCount += 1
        continue
      }
      item.enclosures.append(
        FeedItem.Enclosure(
          url: target, mediaType: line(file["mime_type"]).lowercased(),
          length: file["size_in_bytes"]?.number.flatMap { Int64(exactly: $0.rounded()) }
            .flatMap { $0 > 0 ? $0 : nil },
          title: line(file["title"]),
          duration: RSSFeed.durationText(seconds: file["duration_in_seconds"]?.number) ?? ""))
    }
    let texts = [item.content, item.summary].compactMap { $0?.html.lowercased() }
    guard item.images.isEmpty, !texts.contains(where: { $0.contains("<img") }) else { return }
    item.images = item.enclosures.filter { $0.mediaType.hasPrefix("image/") }
      .map { FeedItem.Image(url: $0.url, descriptionText: $0.title) }
  }

  /// Returns the names of the authors; version 1 of the format allows only one author.
  private func authors(_ json: JSONValue) -> String {
    let people = elements(json["authors"])
    let names = (people.isEmpty ? elements(json["author"]) : people)
      .map { ($0["name"] ?? $0).string?.withoutMarkup ?? "" }
    return names.filter { !$0.isEmpty }.prefix(20).joined(separator: ", ")
  }

  /// Returns the elements of an array. A single value counts as an array with this element, and an
  /// object whose names are numbers as an array, which PHP writes as an object if it has gaps.
  private func elements(_ json: JSONValue?) -> [JSONValue] {
    switch json {
    case .array(let values)?: return values
    case .object(let members)?:
      let numbered = members.compactMap { name, value in Int(name).map { ($0, value) } }
      guard numbered.count == members.count else { return [.object(members)] }
      return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    case .string(let text)?: return [.string(text)]
    case .number?, .bool?, .null?, nil: return []
    }
  }

  /// Returns a date, which some feeds write as a number of seconds or milliseconds since 1970; nil
  /// if the value is not a date.
  private func date(_ json: JSONValue?) -> Date? {
    if let text = json?.string { return DateText.parse(text) }
    guard let number = json?.number, abs(number) < 1e17 else { return nil }
    return DateText.parse(String(Int64(number)))
  }

  /// Returns plain text as markup; nil if it is blank. A text that looks like HTML is treated as
  /// HTML.
  private func textMarkup(_ text: String, base: String) -> FeedItem.Markup? {
    let markup =
      text.looksLikeHTML
      ? FeedItem.Markup(html: text, base: base) : FeedItem.Markup(text: text, base: base)
    return markup.nilIfBlank
  }

  private func line(_ json: JSONValue?) -> String { json?.string?.oneLine ?? "" }

  private func absoluteURL(_ json: JSONValue?, _ base: String? = nil) -> String? {
    guard let reference = json?.string, !reference.isEmpty,
      let target = WebURL(reference, against: base ?? url), target.isWeb
    else { return nil }
    return target.description
  }
}
