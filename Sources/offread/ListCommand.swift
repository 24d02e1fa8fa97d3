import Saving
import Document
import Formats
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Profiles
import Rendering
import TerminalUI

/// `offread list`: lists the kept pages, the queue or the feeds.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List kept pages, collections, the queue or the feeds.")

  @Option(name: .customLong("tag"), help: "List pages with this tag.")
  var tag: String?

  @Option(
    name: .customLong("collection"),
    help: ArgumentHelp(
      "List the pages of a collection in reading order.", valueName: "collection"))
  var collection: String?

  @Flag(name: .customLong("collections"), help: "List the collections.")
  var showsCollections = false

  @Flag(name: .customLong("enclosures"), help: "List the audio and video files of feeds.")
  var showsEnclosures = false

  @Flag(name: .customLong("queue"), help: "List the pages that are waiting to be fetched.")
  var showsQueue = false

  @Flag(name: .customLong("feeds"), help: "List the feeds.")
  var showsFeeds = false

  @Flag(name: .customLong("unread"), help: "List unread kept pages and unread feed items.")
  var showsUnread = false

  @Flag(name: .customLong("archived"), help: "List the archived pages.")
  var showsArchived = false

  @Flag(name: .customLong("removed"), help: "List the removed pages that can still be restored.")
  var showsRemoved = false

  @Flag(name: .customLong("saved"), help: "List all saved pages, kept or not.")
  var showsSaved = false

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp(
      "Sort order: date, title, size, site or progress.", valueName: "order"))
  var order: ListScreen.Order?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Maximum number of pages.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("List only pages of this host and its subdomains.", valueName: "host"))
  var site: String?

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    let chosenSubjects = chosenSubjects
    guard chosenSubjects.count <= 1 else {
      throw ValidationError(
        "--queue, --feeds, --unread, --archived, --removed and --saved cannot be used together")
    }
    let hasSelection =
      tag != nil || collection != nil || site != nil || order != nil || limit != nil
    let mayListCollections = [[], [.removed]].contains(chosenSubjects) && !hasSelection
    guard !showsCollections || mayListCollections else {
      throw ValidationError("--collections can be combined only with --removed and --json")
    }
    let isAlone = !showsCollections && chosenSubjects.isEmpty && !hasSelection
    guard !showsEnclosures || isAlone else {
      throw ValidationError("--enclosures can be combined only with --json")
    }
    if collection != nil, tag != nil || [.feeds, .removed, .saved].contains(subject) {
      throw ValidationError(
        "--collection cannot be used with --tag, --feeds, --removed or --saved")
    }
    if let tag, LibraryAttribute.tags(tag).count != 1 {
      throw ValidationError(
        "--tag takes one tag without a comma, not '\(SafeText.line(tag))'")
    }
    if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more") }
    if let site, Self.address(ofSite: site) == nil {
      throw ValidationError("--site takes the name of a host")
    }
  }

  mutating func run() throws {
    let profile = try arguments.confinedProfile()
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    if showsCollections { return try writeCollections(in: profile) }
    if showsEnclosures { return try writeEnclosures(in: profile) }
    let progress = Self.readingProgress(in: profile)
    var table = ListTable(width: Self.tableWidth)
    var count = 0
    func write(_ pages: [LibraryPage]) throws {
      let entries = try ProfileArguments.reportingErrors {
        try Self.entries(of: pages, progress, profile)
      }
      var text = ""
      if json {
        // Nothing is written before the pages are found.
        if count == 0, !entries.isEmpty { text = JSONReport.arrayStart("pages") }
        for (index, entry) in entries.enumerated() {
          text += try JSONReport.member(JSONEntry(entry), isFirst: count + index == 0)
        }
      } else {
        text = table.text(entries.map { Self.pageRow($0, now: Date()) })
      }
      count += entries.count
      try StandardOutput.write(Array(text.utf8))
    }
    do {
      try forEachBatch(in: profile, progress, write)
    } catch is EndOfList {}
    if json {
      let start = count == 0 ? JSONReport.arrayStart("pages") : ""
      try StandardOutput.write(Array((start + JSONReport.arrayEnd).utf8))
    } else if count == 0 {
      StandardOutput.printError(emptyMessage)
    }
  }

  private func writeCollections(in profile: Profile) throws {
    let count = try Self.writeCollections(
      in: profile, isRemoved: showsRemoved, json: json, width: Self.tableWidth)
    guard count == 0, !json else { return }
    StandardOutput.printError(
      showsRemoved
        ? "no collection is waiting to be removed"
        : "there are no collections; make one with: offread save --depth 1 --as NAME URL")
  }

  private func writeEnclosures(in profile: Profile) throws {
    let count = try Self.writeEnclosures(in: profile, json: json, width: Self.tableWidth)
    guard count == 0, !json else { return }
    StandardOutput.printError(
      "there are no enclosures; fetch them with enclosures = \"audio\" in [[feed]] of the settings")
  }

  /// The lists that options select; `validate` rejects more than one.
  private var chosenSubjects: [ListSubject] {
    let options: [(isSet: Bool, subject: ListSubject)] = [
      (showsQueue, .queue), (showsFeeds, .feeds), (showsUnread, .unread),
      (showsArchived, .archived), (showsRemoved, .removed), (showsSaved, .saved),
    ]
    return options.filter(\.isSet).map(\.subject)
  }

  private var subject: ListSubject { chosenSubjects.first ?? .kept }

  /// The message if there is no page to list.
  private var emptyMessage: String {
    guard tag != nil || site != nil else { return subject.emptyMessage }
    let isOfAnyPage = subject == .kept && (tag != nil || collection != nil)
    return "no \(isOfAnyPage ? "page" : subject.noun)" + (site.map { " on \($0)" } ?? "")
      + (tag.map { " has the tag \($0)" } ?? "")
  }

  /// The width of the terminal on standard output, in columns; nil if it is not a terminal.
  private static var tableWidth: Int? {
    StandardOutput.isTerminal ? StandardOutput.terminalColumns() ?? 80 : nil
  }

  // MARK: Pages

  /// Thrown to stop the iteration when the limit is reached.
  private struct EndOfList: Error {}

  /// Number of pages that are looked up and written at a time.
  private static let batchSize = 1000

  /// Passes the selected pages to `write` in batches, in the requested order.
  private func forEachBatch(
    in profile: Profile, _ progress: [String: Int], _ write: ([LibraryPage]) throws -> Void
  ) throws {
    guard let order else { return try forEachUnsortedBatch(in: profile, write) }
    // Only the sort keys of the lines are kept in memory.
    var entryLocations: [(key: String, item: Int, sortKeys: ListScreen.Order.SortKeys)] = []
    try forEachPageBatch(in: profile) { pages in
      let entries = try ProfileArguments.reportingErrors {
        try Self.entries(of: pages, progress, profile)
      }
      for entry in entries {
        let item = entryLocations.last.map { $0.key == entry.page.key ? $0.item + 1 : 0 } ?? 0
        entryLocations.append((entry.page.key, item, entry.sortKeys(in: order)))
      }
    }
    let sorted = entryLocations.enumerated().sorted { one, other in
      if order.precedes(one.element.sortKeys, other.element.sortKeys) { return true }
      return !order.precedes(other.element.sortKeys, one.element.sortKeys)
        && one.offset < other.offset
    }.prefix(limit ?? .max).map(\.element)
    for start in stride(from: 0, to: sorted.count, by: Self.batchSize) {
      let batch = sorted[start..<min(start + Self.batchSize, sorted.count)]
      let pages = try ProfileArguments.reportingErrors {
        try profile.library.pages(batch.map(\.key))
      }
      try write(
        zip(pages, batch).map { page, line in
          lines(of: page).dropFirst(line.item).first ?? page
        })
    }
  }

  /// Returns the entries of a page in the list: with `--unread`, an entry for each unread feed item
  /// that links to it, otherwise the page itself.
  private func lines(of page: LibraryPage) -> [LibraryPage] {
    showsUnread ? page.unreadItems : [page]
  }

  private func forEachUnsortedBatch(
    in profile: Profile, _ write: ([LibraryPage]) throws -> Void
  ) throws {
    var rest: [LibraryPage] = []
    var left = limit ?? .max
    try forEachPageBatch(in: profile) { pages in
      rest += pages.prefix(left)
      left -= min(left, pages.count)
      guard rest.count >= Self.batchSize || left == 0 else { return }
      try write(rest)
      rest = []
      if left == 0 { throw EndOfList() }
    }
    if !rest.isEmpty { try write(rest) }
  }

  /// Passes the selected pages to `visit` in batches: those of a collection in reading order, saved
  /// pages by key, and others by the date of the attribute that selects them. With `--unread`, the
  /// kept pages precede the feed items. Of a text on several pages, only the first one is listed.
  private func forEachPageBatch(
    in profile: Profile, _ visit: ([LibraryPage]) throws -> Void
  ) throws {
    let library = profile.library
    let isSelected = try selectionByTagAndSite(in: library)
    func filter(_ pages: [LibraryPage], where isWanted: (LibraryPage) throws -> Bool) throws {
      let wanted = try pages.filter { try isWanted($0) && isSelected($0) }
      if !wanted.isEmpty { try visit(wanted.flatMap(lines)) }
    }
    func visitPages(
      _ attribute: LibraryAttribute, where isWanted: (LibraryPage) throws -> Bool
    ) throws {
      try ProfileArguments.reportingErrors {
        try library.forEachPage(with: attribute) { try filter($0, where: isWanted) }
      }
    }
    if let collection {
      return try filter(Self.pages(ofCollection: collection, in: profile), where: isListedMember)
    }
    switch subject {
    case .saved:
      try ProfileArguments.reportingErrors {
        try forEachSavedPage(in: profile) { try filter($0) { $0.removed == nil } }
      }
    case .queue: try visitPages(.queued) { _ in true }
    case .feeds: try visitPages(.feed) { _ in true }
    case .removed: try visitPages(.removed) { _ in true }
    case .unread:
      try visitPages(.pinned) { try $0.isUnread && !library.isContinuation($0) }
      try visitPages(.item) { $0.pinnedDate == nil && $0.isUnread }
    case .archived: try visitPages(.archived) { _ in true }
    case .kept:
      guard let tag = tag.flatMap(LibraryAttribute.tag) else {
        return try visitPages(.pinned) { try !$0.isArchived && !library.isContinuation($0) }
      }
      let pages = try ProfileArguments.reportingErrors { try library.pages(taggedWith: tag) }
      try filter(pages) { $0.removed == nil }
    }
  }

  /// Returns a closure that returns whether a page has the tag and is on the site of the options.
  private func selectionByTagAndSite(in library: PageLibrary) throws -> (LibraryPage) -> Bool {
    let site = site.flatMap(Self.address(ofSite:))
    let tagged = try tag.flatMap(LibraryAttribute.tag).map { tag in
      Set(try ProfileArguments.reportingErrors { try library.pages(taggedWith: tag).map(\.key) })
    }
    return { page in
      tagged?.contains(page.key) ?? true && site.map { Self.isPage(page, of: $0) } ?? true
    }
  }

  private static func pages(
    ofCollection name: String, in profile: Profile
  ) throws -> [LibraryPage] {
    // Titles come from the search index.
    try? profile.search.catchUp { _ in true }
    return try ProfileArguments.reportingErrors {
      let collection = try PageSelection.collection(named: name, in: profile)
      return try profile.library.pages(collection.pages)
    }
  }

  private func isListedMember(_ page: LibraryPage) -> Bool {
    page.removed == nil && (!showsUnread || page.isUnread)
      && (!showsQueue || page.queuedDate != nil) && (!showsArchived || page.isArchived)
  }

  /// Visits the pages that have a good version, ordered by key. Images, style sheets and scripts
  /// are skipped.
  private func forEachSavedPage(
    in profile: Profile, _ visit: ([LibraryPage]) throws -> Void
  ) throws {
    // Titles come from the search index.
    try? profile.search.catchUp { _ in true }
    let archive = profile.cache.archive
    var last = ""
    while case let keys = try archive.keys(from: last, limit: Self.batchSize), let end = keys.last {
      last = end
      let saved = try profile.cache.newest(of: keys)
      let pages = keys.filter { saved[$0].map(Self.isPage) ?? false }
      try visit(try profile.library.pages(pages))
    }
  }

  /// Returns whether a response is a page: neither a redirect nor a resource of a page, such as an
  /// image.
  private static func isPage(_ saved: StoredResponse) -> Bool {
    guard !saved.isRedirect else { return false }
    let type = MediaType(saved.response.fields["Content-Type"] ?? "").essence
    let isPart =
      ["image/", "font/", "audio/", "video/"].contains { type.hasPrefix($0) }
      || type == "text/css" || type.hasSuffix("javascript") || type.contains("font")
    return !isPart
  }

  /// Returns the URL of a site that was given as a host name or a URL; nil if it is neither.
  private static func address(ofSite site: String) -> WebURL? {
    // A name that could be a file name is treated as a host here.
    for text in [site, "https://" + site] {
      if case .web(let url)? = try? Address(typed: text, exists: { _ in false }) { return url }
    }
    return nil
  }

  /// Returns whether a page belongs to a site or one of its subdomains; if the site has a port, the
  /// ports must be equal.
  private static func isPage(_ page: LibraryPage, of site: WebURL) -> Bool {
    guard let url = WebURL(page.key), let host = url.host, let name = site.host else {
      return false
    }
    return (host == name || host.hasSuffix("." + name)) && (site.port ?? url.port) == url.port
  }

  // MARK: Data of a page

  /// A page with the data that the list shows.
  private struct Entry {
    var page: LibraryPage
    /// The newest good version; nil if there is none.
    var newestVersion: StoredResponse?
    /// The latest rendering by a browser; nil if there is none.
    var rendering: SavedRendering?
    /// Whether no good version is left because the saved ones are damaged.
    var isDamaged = false
    /// The reading progress in percent; nil if it is unknown.
    var readPercent: Int?
    /// For a feed, the number of its items; 0 for other pages.
    var itemCount = 0
    /// For a feed, the number of its unread items; 0 for other pages.
    var unreadCount = 0

    /// The title of the rendering if there is one, or else of the page.
    var title: String {
      if let rendering, !rendering.title.isEmpty { return rendering.title }
      return page.title
    }

    func sortKeys(in order: ListScreen.Order) -> ListScreen.Order.SortKeys {
      ListScreen.Order.SortKeys(
        title: order != .title ? "" : title.isEmpty ? page.url : title,
        url: page.key, date: newestVersion?.contentDate, size: newestVersion?.length ?? 0,
        readPercent: readPercent ?? (page.readDate == nil ? nil : 100))
    }
  }

  /// Returns the reading progress of the pages that were read last, at most 2000, in percent, by
  /// cache key.
  private static func readingProgress(in profile: Profile) -> [String: Int] {
    let records = profile.readingLog.recent(limit: 2000)
    return Dictionary(
      records.compactMap { record in
        profile.cache.key(of: record.url).map { ($0, record.percent) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the tags of the collections that have any, by identifier.
  private static func inheritedTags(
    in profile: Profile
  ) throws(ArchiveError) -> [String: [String]] {
    var tags: [String: [String]] = [:]
    for collection in try profile.library.collectionsWithoutPages() where !collection.tags.isEmpty {
      tags[collection.id] = collection.tags
    }
    return tags
  }

  private static func entries(
    of pages: [LibraryPage], _ progress: [String: Int], _ profile: Profile
  ) throws(ArchiveError) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(pages.count)
    let newestVersions = try profile.cache.newest(of: pages.lazy.map(\.key))
    let renderings = try SavedRendering.latest(of: pages.map(\.key), in: profile)
    // The library may have only a link text as the title.
    let titles =
      newestVersions.isEmpty
      ? [:] : (try? profile.search.titles(of: Array(newestVersions.keys))) ?? [:]
    let areInCollections = pages.contains { !$0.membership.collections.isEmpty }
    let tags = areInCollections ? try inheritedTags(in: profile) : [:]
    for page in pages {
      var page = page
      // A page has the tags of its collections, too.
      let inheritedTags = page.membership.collections.flatMap { tags[$0] ?? [] }
      if !inheritedTags.isEmpty { page.tags = Set(page.tags + inheritedTags).sorted() }
      var entry = Entry(
        page: page,
        newestVersion: listedVersion(of: page, newest: newestVersions[page.key], in: profile.cache),
        readPercent: progress[page.key])
      entry.rendering = renderings[page.key]
      if let title = titles[page.key], !title.isEmpty, page.feed.isEmpty, !page.isFeed {
        entry.page.title = title
      }
      // Queued pages are skipped: they are fetched anyway, and there may be many.
      if entry.newestVersion == nil, page.queuedDate == nil {
        entry.isDamaged = try profile.cache.archive.damagedVersions(of: page.key)
          .contains { $0.response.isGood }
      }
      if page.isFeed {
        (entry.itemCount, entry.unreadCount) = try itemCounts(of: page.key, in: profile.library)
      }
      entries.append(entry)
    }
    return entries
  }

  private static func listedVersion(
    of page: LibraryPage, newest: StoredResponse?, in cache: HTTPCache
  ) -> StoredResponse? {
    let isItemText = FeedItemAddress(page.key) != nil && !page.feed.isEmpty
    let version = isItemText ? cache.page(of: page.feed) : newest
    // A redirect stands for its target; nothing is saved if it leads to no page.
    return version?.isRedirect ?? false ? cache.page(of: page.key) : version
  }

  private static func itemCounts(
    of feed: String, in library: PageLibrary
  ) throws(ArchiveError) -> (all: Int, unread: Int) {
    var (all, unread) = (0, 0)
    for key in try library.items(of: feed) {
      let item = try library.page(key)
      all += item.unreadItems.count
      if item.isUnread { unread += item.unreadItems.count }
    }
    return (all, unread)
  }

  /// Returns the table row of a page.
  private static func pageRow(_ entry: Entry, now: Date) -> ListTable.Row {
    let page = entry.page
    var row = ListTable.Row()
    row.title = SafeText.line(entry.title)
    row.tags = page.tags.map { "#" + SafeText.line($0) }.joined(separator: " ")
    let age = entry.newestVersion.map { DateTexts.shortAgeText(of: $0.contentDate, now: now) }
    let copy =
      (page.isUnconfirmed && page.queuedDate != nil ? "not confirmed" : nil)
      ?? age.map { page.queuedDate == nil ? $0 : $0 + ", queued" }
      ?? (entry.isDamaged ? "damaged" : nil)
    row.age =
      page.goneSince(besides: entry.newestVersion).map { gone in
        [copy ?? LastingFailure(rawValue: page.failure)?.message, SaveText.goneText(since: gone)]
          .compactMap(\.self).joined(separator: ", ")
      } ?? copy
      ?? LastingFailure(rawValue: page.failure)?.message
      ?? (page.queuedDate == nil
        ? "not saved" : page.endOfPause(now: now).flatMap { retryText($0, now: now) } ?? "queued")
    if let rendering = entry.rendering {
      row.age += ", rendered " + DateTexts.shortAgeText(of: rendering.date, now: now)
    }
    row.size = entry.newestVersion.map { CountFormatter.byteCountText($0.length) } ?? ""
    row.readingProgress =
      page.isFeed
      ? "\(entry.unreadCount) of \(entry.itemCount) unread"
      : entry.readPercent.map { "\($0)%" } ?? (page.readDate == nil ? "" : "read")
    row.url = SafeText.line(SafeText.withoutCredentials(page.url))
    row.noteLines = page.note.split(whereSeparator: \.isNewline).map { SafeText.line(String($0)) }
    return row
  }

  /// Returns a text with the time at which a queued page is requested again; nil if that time has
  /// come.
  private static func retryText(_ date: Date, now: Date) -> String? {
    date > now ? SaveText.retryTimeText(date, now: now) : nil
  }

  private struct JSONEntry: Encodable {
    var url: String
    var title: String
    var tags: [String]
    var kept: String?
    var queued: String?
    var retryAfter: String?
    var failed: String?
    var goneSince: String?
    var from: String?
    var note: String?
    var saved: String?
    /// The date of the latest rendering, which provides the title; nil if there is none.
    var rendered: String?
    var size: Int64?
    var read: String?
    var isArchived: Bool
    var every: Double?
    var feed: String?
    var items: Int?
    var unread: Int?
    var progress: Int?

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case tags = "tags"
      case kept = "kept"
      case queued = "queued"
      case retryAfter = "askAgain"
      case failed = "failed"
      case goneSince = "goneSince"
      case from = "from"
      case note = "note"
      case saved = "saved"
      case rendered = "rendered"
      case size = "size"
      case read = "read"
      case isArchived = "isArchived"
      case every = "every"
      case feed = "feed"
      case items = "items"
      case unread = "unread"
      case progress = "progress"
    }

    init(_ entry: Entry) {
      let page = entry.page
      url = SafeText.withoutCredentials(page.url)
      (title, tags) = (entry.title, page.tags)
      rendered = entry.rendering?.date.ISO8601Format()
      (kept, queued) = (page.pinnedDate?.ISO8601Format(), page.queuedDate?.ISO8601Format())
      retryAfter = page.queuedDate == nil ? nil : page.retryAfter?.ISO8601Format()
      failed =
        entry.isDamaged
        ? "damaged" : entry.newestVersion == nil ? page.failureText : nil
      goneSince = page.goneSince(besides: entry.newestVersion)?.ISO8601Format()
      from = page.queuedFrom.isEmpty ? nil : page.queuedFrom
      note = page.note.isEmpty ? nil : page.note
      (saved, size) = (
        entry.newestVersion?.contentDate.ISO8601Format(), entry.newestVersion?.length
      )
      (read, progress) = (page.readDate?.ISO8601Format(), entry.readPercent)
      (isArchived, every) = (page.isArchived, page.interval)
      feed = page.feed.isEmpty ? nil : page.feed
      (items, unread) = page.isFeed ? (entry.itemCount, entry.unreadCount) : (nil, nil)
    }
  }
}

extension ListScreen.Order: ExpressibleByArgument {}
