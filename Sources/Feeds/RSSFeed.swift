import DOM
import Dates
import Foundation
import Document
import OfflineCache

/// A parser for the elements of RSS 0.90 to 2.0, and of common modules.
enum RSSFeed {
  /// Parses the metadata of a channel.
  static func read(_ channel: FeedElement, into feed: inout Feed) {
    readUpdateInterval(channel, into: &feed)
    var link: String?
    for child in channel.children {
      switch (child.vocabulary, child.name) {
      case (.plain, "title"): setIfEmpty(&feed.title, child.lineWithoutInlineMarkup)
      case (.plain, "description"): setIfEmpty(&feed.subtitle, child.lineWithoutInlineMarkup)
      case (.itunes, "subtitle"), (.itunes, "summary"):
        setIfEmpty(&feed.subtitle, child.lineWithoutInlineMarkup)
      case (.plain, "link"):
        let reference = child.line.isEmpty ? child.xml.attribute("href") : child.line
        link = link ?? child.url(reference)
      case (.atom, "link"): AtomFeed.readLink(child, into: &feed)
      case (.itunes, "new-feed-url"): feed.newURL = child.webURL(child.line)
      case (.plain, "language"), (.dublinCore, "language"): setIfEmpty(&feed.language, child.line)
      case (.plain, "managingeditor"), (.dublinCore, "creator"), (.itunes, "author"):
        setIfEmpty(&feed.author, person(child))
      case (.plain, "lastbuilddate"), (.plain, "pubdate"), (.dublinCore, "date"):
        feed.date = feed.date ?? DateText.parse(child.line)
      default: break
      }
    }
    feed.siteURL = link ?? feed.siteURL
  }

  /// Parses the update interval of a feed: `ttl`, or else the syndication module, which Atom feeds
  /// use as well.
  static func readUpdateInterval(_ channel: FeedElement, into feed: inout Feed) {
    var seconds: Double?
    var period: Double?
    var frequency = 1.0
    for child in channel.children {
      switch (child.vocabulary, child.name) {
      case (.plain, "ttl"): seconds = Double(child.line).map { $0 * 60 }
      case (.syndication, "updateperiod"): period = periodLengths[child.line.lowercased()]
      case (.syndication, "updatefrequency"): frequency = max(1, Double(child.line) ?? 1)
      default: break
      }
    }
    guard let interval = seconds.flatMap({ $0 > 0 ? $0 : nil }) ?? period.map({ $0 / frequency }),
      interval < 1e8
    else { return }
    feed.updateInterval = .seconds(max(60, interval))
  }

  /// Parses an item.
  /// - Parameters:
  ///   - element: the item.
  ///   - siteURL: the page of the feed, which is the base of relative links.
  ///   - dateOrder: the order of day and month in the dates of the feed.
  /// - Returns: the item.
  static func parseItem(
    _ element: FeedElement, siteURL: String, dateOrder: WrittenDate.DayMonthOrder
  ) -> FeedItem {
    var item = FeedItem()
    item.language = element.language
    var deferred = DeferredItemProperties(dateOrder: dateOrder)
    for child in element.children { read(child, into: &item, &deferred, siteURL) }
    item.url = deferred.originalLink ?? deferred.link ?? deferred.atomLink ?? deferred.permalink
    // RSS 1.0 §5.5: `rdf:about` identifies the item, and is usually the same as its link.
    if let about = element.xml.attribute("rdf:about"), !about.isEmpty {
      item.url = item.url ?? element.url(about, against: siteURL)
      if item.id.isEmpty, about != deferred.link ?? deferred.atomLink { item.id = about }
    }
    let hasName = !item.author.isEmpty && !AuthorListBuilder.isMailAddress(item.author)
    if !hasName, !deferred.author.isEmpty { item.author = deferred.author }
    setIfEmpty(&item.author, deferred.mediaCredit)
    setIfEmpty(&item.author, deferred.source)
    item.date = item.date ?? deferred.date ?? item.updateDate
    let base = item.url ?? siteURL
    var texts = ItemTextCollector()
    for (rank, text) in deferred.texts { texts.add(markup(text, base: base), as: rank) }
    let isSummaryDescription = texts.apply(to: &item)
    for link in deferred.relatedLinks { link.addRelated(to: &item) }
    addTranscript(deferred.transcripts, siteURL, to: &item)
    Episode.addChapters(deferred.chapters, siteURL, to: &item)
    Episode.addPeople(deferred.people, siteURL, to: &item)
    item.images = deferred.images.imagesToShow(
      in: item, isSummaryDescription: isSummaryDescription, title: deferred.alternativeTitle)
    if item.title.isEmpty { item.title = deferred.alternativeTitle }
    return item
  }

  /// The properties of an item that are evaluated after all its elements have been read.
  private struct DeferredItemProperties {
    /// The order of day and month in dates.
    let dateOrder: WrittenDate.DayMonthOrder
    var link: String?
    var originalLink: String?
    /// The alternate link in the Atom vocabulary, which may lead to another representation of the
    /// page; nil if there is none.
    var atomLink: String?
    /// The identifier of the item if it is an absolute URL; otherwise nil.
    var permalink: String?
    /// The author in the vocabulary of podcasts, or empty.
    var author = ""
    /// The title of the feed that the item comes from, or empty.
    var source = ""
    /// The contributor to a media file, or empty.
    var mediaCredit = ""
    var authors = AuthorListBuilder()
    /// The date in an element that RSS does not define, such as `published` or `created`; nil if
    /// there is none.
    var date: Date?
    var alternativeTitle = ""
    var texts: [(ItemTextCollector.Rank, FeedElement)] = []
    var relatedLinks: [FeedElement] = []
    var transcripts: [FeedElement] = []
    /// Elements with the chapters of an episode, or with the URL of a file that contains them.
    var chapters: [FeedElement] = []
    var people: [FeedElement] = []
    var images = MediaImageCollector()
    /// The number of `media:group` elements.
    var mediaGroupCount = 0
  }

  private static func read(
    _ child: FeedElement, into item: inout FeedItem, _ deferred: inout DeferredItemProperties,
    _ siteURL: String,
    group: Int? = nil
  ) {
    if let rank = textRank(of: child) { return deferred.texts.append((rank, child)) }
    switch (child.vocabulary, child.name) {
    case (.plain, "title"): setIfEmpty(&item.title, child.lineWithoutInlineMarkup)
    case (.dublinCore, "title"), (.media, "title"), (.itunes, "title"):
      setIfEmpty(&deferred.alternativeTitle, child.lineWithoutInlineMarkup)
    case (.plain, "link"):
      let reference = child.line.isEmpty ? child.xml.attribute("href") : child.line
      deferred.link = deferred.link ?? child.url(reference, against: siteURL)
      item.addRelatedLink(child.externalURL(reference))
    case (.atom, "link"): readLink(child, into: &item, &deferred)
    case (.other, "origlink"): deferred.originalLink = child.url(child.line)
    case (.plain, "guid"), (.atom, "id"):
      setIfEmpty(&item.id, child.line)
      if child.xml.attribute("isPermaLink")?.lowercased() != "false" {
        deferred.permalink = deferred.permalink ?? child.absoluteURL
      }
    case (.plain, "author"), (.plain, "creator"), (.dublinCore, "creator"):
      deferred.authors.add(person(child), as: child.name, to: &item.author)
    case (.atom, "author"):
      deferred.authors.add(AtomFeed.person(child), as: "atom", to: &item.author)
    case (.itunes, "author"): setIfEmpty(&deferred.author, person(child))
    case (.plain, "source"): setIfEmpty(&deferred.source, child.lineWithoutInlineMarkup)
    case (.media, "credit"): setIfEmpty(&deferred.mediaCredit, person(child))
    case (.plain, "pubdate"), (.dublinCore, "date"), (.atom, "published"), (.dublinCore, "issued"):
      item.date = item.date ?? DateText.parse(child.line, order: deferred.dateOrder)
    case (.plain, "published"), (.plain, "date"), (.plain, "created"), (.dublinCore, "created"):
      deferred.date = deferred.date ?? DateText.parse(child.line, order: deferred.dateOrder)
    case (.atom, "updated"), (.plain, "updated"), (.plain, "modified"), (.dublinCore, "modified"):
      item.updateDate = DateText.parse(child.line, order: deferred.dateOrder)
    case (.plain, "category"), (.dublinCore, "subject"), (.itunes, "keywords"):
      addTag(child.lineWithoutInlineMarkup, to: &item)
    case (.itunes, "duration"): item.duration = durationText(child.line)
    case (.plain, "comments"): item.commentsURL = child.url(child.line, against: siteURL)
    case (.plain, "enclosure"):
      deferred.images.add(enclosure: child, against: siteURL)
      addEnclosure(child, to: &item, siteURL)
    case (.media, "content"):
      deferred.images.add(child, against: siteURL)
      addEnclosure(child, to: &item, siteURL, group: group)
    case (.media, "thumbnail"): deferred.images.add(thumbnail: child, against: siteURL)
    case (.media, "group"):
      deferred.mediaGroupCount += 1
      let groupNumber = group ?? deferred.mediaGroupCount
      for part in child.children { read(part, into: &item, &deferred, siteURL, group: groupNumber) }
    case (.other, "transcript"): deferred.transcripts.append(child)
    case (.other, "chapters"): deferred.chapters.append(child)
    case (.other, "person"): deferred.people.append(child)
    case (.dublinCore, "language"): item.language = child.line
    default: break
    }
  }

  /// Returns the rank of an element that contains a text of an item; nil for any other element.
  private static func textRank(of element: FeedElement) -> ItemTextCollector.Rank? {
    switch (element.vocabulary, element.name) {
    case (.content, "encoded"), (.content, "items"), (.xhtml, "body"), (.xhtml, "div"),
      (.atom, "content"), (.plain, "content"), (.plain, "body"), (.plain, "fulltext"),
      (_, "full-text"):
      .content
    case (.plain, "description"), (.plain, "summary"), (.atom, "summary"),
      (.dublinCore, "description"):
      .description
    case (.itunes, "summary"): .podcastSummary
    case (.media, "description"): .mediaDescription
    case (.media, "text"), (.other, "content"), (.other, "description"), (.other, "summary"),
      (.other, "markdown"):
      .fallback
    case (.itunes, "subtitle"): .subtitle
    default: nil
    }
  }

  /// Returns the text in an element of an item as markup; nil if the text is empty.
  private static func markup(_ element: FeedElement, base: String) -> FeedItem.Markup? {
    switch (element.vocabulary, element.name) {
    // Texts of Media RSS are plain unless their type is HTML.
    case (.media, _): AtomFeed.markup(element, base: base)
    case (.other, "markdown"): element.textMarkup(mediaType: "text/markdown", base: base)
    // The content module of RSS 1.0 puts the text into a list of its representations.
    case (.content, "items"): element.descendant("value")?.markup(base: base)
    default: element.lineMarkup(base: base) ?? element.markup(base: base)
    }
  }

  /// Adds a link to the transcript of an episode (`podcast:transcript`), which may be available in
  /// several media types; the most readable type is preferred.
  private static func addTranscript(
    _ elements: [FeedElement], _ base: String, to item: inout FeedItem
  ) {
    let types = ["text/html", "text/plain", "text/vtt", "application/x-subrip", "application/srt"]
    let ranked = elements.map { element in
      let type = element.xml.attribute("type")?.oneLine.lowercased() ?? ""
      return (types.firstIndex(of: type) ?? types.count, element)
    }
    guard let best = ranked.min(by: { $0.0 < $1.0 })?.1 else { return }
    item.addRelatedLink(best.url(best.xml.attribute("url"), against: base), title: "Transcript")
  }

  private static func readLink(
    _ link: FeedElement, into item: inout FeedItem, _ deferred: inout DeferredItemProperties
  ) {
    switch link.relation {
    case "alternate":
      deferred.atomLink = deferred.atomLink ?? link.url(link.xml.attribute("href"))
    case "related", "via": deferred.relatedLinks.append(link)
    case "enclosure":
      deferred.images.add(enclosure: link)
      addEnclosure(link, to: &item, nil)
    case "replies": item.commentsURL = link.url(link.xml.attribute("href"))
    default: break
    }
  }

  /// Adds an attached file to an item. A `media:content` element is ignored if it is an image (see
  /// `MediaImageCollector`) or a Flash player, which no program plays, or if it has no type and its
  /// medium is neither video nor audio. `group` is the index of the `media:group` that contains the
  /// file. If a file is also listed outside a group, it is the main file of the group.
  static func addEnclosure(
    _ element: FeedElement, to item: inout FeedItem, _ base: String?, group: Int? = nil
  ) {
    let xml = element.xml
    let isDefault =
      element.vocabulary != .media || xml.attribute("isDefault")?.lowercased() == "true"
    let reference = xml.attribute("url") ?? xml.attribute("href")
    guard let url = element.url(reference, against: base) else {
      return item.addRelatedLink(
        element.externalURL(reference), title: xml.attribute("title")?.oneLine ?? "")
    }
    if let index = item.enclosures.firstIndex(where: { $0.url == url }) {
      if item.enclosures[index].groupIndex == nil { item.enclosures[index].groupIndex = group }
      if isDefault { item.enclosures[index].isDefault = true }
      return
    }
    let type = xml.attribute("type")?.oneLine.lowercased() ?? ""
    let medium = xml.attribute("medium")?.lowercased() ?? ""
    let isImage = medium == "image" || type.hasPrefix("image/")
    let isKnown = !type.isEmpty || medium == "video" || medium == "audio"
    let isFlash = type == "application/x-shockwave-flash"
    if element.vocabulary == .media, isImage || !isKnown || isFlash { return }
    let description = element.children.first {
      $0.vocabulary == .media && $0.name == "description"
    }
    guard item.enclosures.count < FeedItem.maxEnclosures else {
      item.omittedEnclosureCount += 1
      return
    }
    let length = xml.attribute("length") ?? xml.attribute("fileSize")
    item.enclosures.append(
      FeedItem.Enclosure(
        url: url, mediaType: type,
        length: length.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil },
        title: xml.attribute("title")?.oneLine ?? "",
        duration: durationText(xml.attribute("duration")?.oneLine ?? ""), groupIndex: group,
        isDefault: isDefault, descriptionText: description?.lineWithoutInlineMarkup ?? ""))
  }

  /// Returns a duration as text. A number of seconds, which many feeds contain, is converted to
  /// `h:mm:ss` or `m:ss`. The result is empty for a text of more than 12 bytes, and for zero, which
  /// stands for an unknown duration.
  static func durationText(_ text: String) -> String {
    if text.allSatisfy({ $0 == "0" || $0 == ":" || $0 == "." }) { return "" }
    return durationText(seconds: Double(text)) ?? (text.utf8.count <= 12 ? text : "")
  }

  /// Returns a number of seconds as `h:mm:ss` or `m:ss`; nil if the number is nil, zero or out of
  /// range.
  static func durationText(seconds: Double?) -> String? {
    guard let exact = seconds, exact > 0, exact < 1_000_000 else { return nil }
    let seconds = Int(exact)
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)") + ":"
      + twoDigits(seconds % 60)
  }

  static func addTag(_ tag: String, to item: inout FeedItem) {
    guard !tag.isEmpty, item.tags.count < 100, !item.tags.contains(tag) else { return }
    item.tags.append(tag)
  }

  /// Sets a text unless it is already set.
  static func setIfEmpty(_ text: inout String, _ value: String) {
    if text.isEmpty { text = value }
  }

  /// Returns the name in `mail@example.org (Name)`, in `Name <mail@example.org>`, or in a child
  /// element `name` as in Atom; any other text is returned unchanged.
  private static func person(_ element: FeedElement) -> String {
    if element.child("name") != nil { return AtomFeed.person(element) }
    let line = element.text.withoutMarkup
    if let open = line.firstIndex(of: "("), line.hasSuffix(")"), line[..<open].contains("@") {
      return String(line[open...].dropFirst().dropLast()).oneLine
    }
    if let open = line.firstIndex(of: "<"), line.hasSuffix(">"), line[open...].contains("@"),
      open > line.startIndex
    {
      return String(line[..<open]).oneLine
    }
    return line
  }

  private static let periodLengths: [String: Double] = [
    "hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000, "yearly": 31_536_000,
  ]
}
