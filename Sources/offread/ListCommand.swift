import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread list`: the kept pages, or those that wait in the queue.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the pages that are kept, or the queue.")

  @Option(name: .customLong("tag"), help: "Only pages with this tag.")
  var tag: String?

  @Flag(name: .customLong("queue"), help: "The pages that wait to be fetched.")
  var showsQueue = false

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    if tag != nil, showsQueue { throw ValidationError("--tag and --queue exclude each other") }
    if let tag, LibraryAttribute.tag(tag) == nil { throw ValidationError("--tag takes a word") }
  }

  mutating func run() throws {
    let profile = try arguments.profile
    defer { StandardOutput.complain(closing: profile) }
    let attribute: LibraryAttribute =
      if let tag = tag.flatMap(LibraryAttribute.tag) { .tag(tag) } else {
        showsQueue ? .queued : .kept
      }
    let entries = try ProfileArguments.telling {
      try Self.entries(with: attribute, in: profile)
    }
    let text = json ? try Self.json(entries) : Self.text(entries, now: Date())
    try StandardOutput.write(Array(text.utf8))
  }

  /// One page with what is saved of it.
  struct Entry {
    var page: LibraryPage
    /// The newest good version.
    var saved: StoredResponse?
  }

  private static func entries(
    with attribute: LibraryAttribute, in profile: Profile
  ) throws(ArchiveError) -> [Entry] {
    let pages = try profile.library.pages(with: attribute)
    var entries: [Entry] = []
    for page in pages {
      let versions = try profile.cache.archive.captures(of: page.key)
      entries.append(Entry(page: page, saved: versions.first(where: \.isGood)))
    }
    return entries
  }

  /// A line for each page: how old the copy is, the title, the URL, the tags.
  static func text(_ entries: [Entry], now: Date) -> String {
    let ages = entries.map { entry in
      entry.saved.map { DateWords.age(of: $0.contentDate, now: now, in: .current) }
        ?? (entry.page.queued != nil ? "queued" : "not saved")
    }
    let width = ages.map(\.count).max() ?? 0
    return zip(entries, ages).map { entry, age in
      let title = entry.page.title.isEmpty ? "" : SafeText.line(entry.page.title) + "  "
      let tags = entry.page.tags.map { " #" + SafeText.line($0) }.joined()
      let url = SafeText.line(SafeText.withoutCredentials(entry.page.key))
      return age.padding(toLength: width + 2, withPad: " ", startingAt: 0) + title + url + tags
        + "\n"
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
  }

  private static func json(_ entries: [Entry]) throws -> String {
    let lines = entries.map { entry in
      let page = entry.page
      return Line(
        url: SafeText.withoutCredentials(page.key), title: page.title, tags: page.tags,
        kept: page.kept?.ISO8601Format(), queued: page.queued?.ISO8601Format(),
        from: page.queuedFrom.isEmpty ? nil : page.queuedFrom,
        note: page.note.isEmpty ? nil : page.note,
        saved: entry.saved?.contentDate.ISO8601Format(), size: entry.saved?.length)
    }
    return try JSONText.of(lines)
  }
}
