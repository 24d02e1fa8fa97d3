import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread list`: the kept pages, those that wait in the queue, the feeds that are followed.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the pages that are kept, the queue, or the feeds.")

  @Option(name: .customLong("tag"), help: "Only pages with this tag.")
  var tag: String?

  @Flag(name: .customLong("queue"), help: "The pages that wait to be fetched.")
  var showsQueue = false

  @Flag(name: .customLong("feeds"), help: "The feeds that are followed.")
  var showsFeeds = false

  @Flag(name: .customLong("unread"), help: "Kept pages and items of feeds that were not read.")
  var showsUnread = false

  @Flag(name: .customLong("archived"), help: "The kept pages that were put aside.")
  var showsArchived = false

  @Flag(name: .customLong("removed"), help: "The pages that wait to be removed.")
  var showsRemoved = false

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    let chosen = [showsQueue, showsFeeds, showsUnread, showsArchived, showsRemoved]
    guard chosen.count(where: \.self) <= 1 else {
      throw ValidationError(
        "--queue, --feeds, --unread, --archived and --removed exclude each other")
    }
    if let tag, LibraryAttribute.tag(tag) == nil { throw ValidationError("--tag takes a word") }
  }

  mutating func run() throws {
    let profile = try arguments.profile
    defer { StandardOutput.complain(closing: profile) }
    var rest: [LibraryPage] = []
    var (width, isBegun) = (0, false)
    func writeOut() throws {
      let entries = try ProfileArguments.telling { try Self.entries(of: rest, in: profile) }
      rest = []
      let text =
        json
        ? try Self.json(entries, isFirst: !isBegun)
        : Self.text(entries, width: &width, now: Date())
      isBegun = true
      try StandardOutput.write(Array(text.utf8))
    }
    try forEachPage(in: profile.library) { page in
      rest.append(page)
      if rest.count == Self.piece { try writeOut() }
    }
    if !rest.isEmpty { try writeOut() }
    if json { try StandardOutput.write(Array((isBegun ? "\n]\n" : "[\n\n]\n").utf8)) }
  }

  /// So many pages are looked up and written at a time.
  private static let piece = 1000

  /// Goes through the pages that are asked for, in the order in which they came.
  private func forEachPage(
    in library: PageLibrary, _ visit: (LibraryPage) throws -> Void
  ) throws {
    let tag = tag.flatMap(LibraryAttribute.tag)
    func go(_ attribute: LibraryAttribute, where isWanted: (LibraryPage) -> Bool) throws {
      try ProfileArguments.telling {
        try library.forEachPage(with: attribute) { pages in
          for page in pages where isWanted(page) && tag.map(page.tags.contains) ?? true {
            try visit(page)
          }
        }
      }
    }
    if showsQueue {
      try go(.queued) { _ in true }
    } else if showsFeeds {
      try go(.feed) { _ in true }
    } else if showsRemoved {
      try go(.removed) { _ in true }
    } else if showsUnread {
      try go(.kept, where: \.isUnread)
      try go(.item) { $0.kept == nil && $0.isUnread }
    } else if showsArchived {
      try go(.archived) { _ in true }
    } else if let tag {
      try go(.tag(tag)) { _ in true }
    } else {
      try go(.kept) { !$0.isArchived }
    }
  }

  /// One page with what is saved of it.
  struct Entry {
    var page: LibraryPage
    /// The newest good version.
    var saved: StoredResponse?
    /// Of a feed, how many items it has here, and how many of them were not read.
    var items = 0
    var unread = 0
  }

  private static func entries(
    of pages: [LibraryPage], in profile: Profile
  ) throws(ArchiveError) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(pages.count)
    let saved = try profile.cache.archive.newest(of: pages.lazy.map(\.key))
    for page in pages {
      var entry = Entry(page: page, saved: saved[page.key])
      if page.isFeed {
        let items = try profile.library.items(of: page.key)
        entry.items = items.count
        for item in items where try profile.library.page(item).isUnread { entry.unread += 1 }
      }
      entries.append(entry)
    }
    return entries
  }

  /// A line for each page: how old the copy is, the title, the URL, the tags.
  /// - Parameters:
  ///   - entries: the pages.
  ///   - width: the columns of the ages; they become as many as are needed.
  ///   - now: from which ages count.
  /// - Returns: the lines.
  static func text(_ entries: [Entry], width: inout Int, now: Date) -> String {
    let ages = entries.map { entry in
      entry.saved.map { DateWords.age(of: $0.contentDate, now: now, in: .current) }
        ?? (entry.page.queued != nil ? "queued" : "not saved")
    }
    width = max(width, ages.map(\.count).max() ?? 0)
    let columns = width + 2
    return zip(entries, ages).map { entry, age in
      let title = entry.page.title.isEmpty ? "" : SafeText.line(entry.page.title) + "  "
      let tags = entry.page.tags.map { " #" + SafeText.line($0) }.joined()
      let items = entry.page.isFeed ? "  \(entry.unread) of \(entry.items) unread" : ""
      let note = entry.page.note.split(whereSeparator: \.isNewline).map {
        String(repeating: " ", count: columns) + SafeText.line(String($0)) + "\n"
      }.joined()
      let url = SafeText.line(SafeText.withoutCredentials(entry.page.url))
      return age.padding(toLength: columns, withPad: " ", startingAt: 0) + title + url + tags
        + items + "\n" + note
    }.joined()
  }

  private struct Line: Encodable {
    var url: String
    var title: String
    var tags: [String]
    var kept: String?
    var queued: String?
    var from: String?
    var note: String?
    var saved: String?
    var size: Int64?
    var read: String?
    var isArchived: Bool
    var every: Double?
    var feed: String?
    var items: Int?
    var unread: Int?
  }

  /// Members of an array, from its bracket on.
  private static func json(_ entries: [Entry], isFirst: Bool) throws -> String {
    let lines = entries.map { entry in
      let page = entry.page
      return Line(
        url: SafeText.withoutCredentials(page.url), title: page.title, tags: page.tags,
        kept: page.kept?.ISO8601Format(), queued: page.queued?.ISO8601Format(),
        from: page.queuedFrom.isEmpty ? nil : page.queuedFrom,
        note: page.note.isEmpty ? nil : page.note,
        saved: entry.saved?.contentDate.ISO8601Format(), size: entry.saved?.length,
        read: page.read?.ISO8601Format(), isArchived: page.isArchived, every: page.interval,
        feed: page.feed.isEmpty ? nil : page.feed, items: page.isFeed ? entry.items : nil,
        unread: page.isFeed ? entry.unread : nil)
    }
    let text = try JSONText.of(lines).trimmingCharacters(in: .whitespacesAndNewlines)
    let members = text.dropFirst().dropLast().reversed().drop(while: \.isWhitespace).reversed()
    return (isFirst ? "[" : ",") + String(members)
  }
}
