import Configuration
import Document
import Library
import Saving
import ArgumentParser
import OfflineCache
import Pages
import ReaderMode
import Profiles
import TerminalUI

/// `offread mark [URL...]`: tags pages, adds notes and marks them as read or unread.
struct MarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", abstract: "Tag pages, add notes, mark them read or unread.")

  @OptionGroup var selection: PageSelection

  /// The tags to add. `--tag` adds tags if pages or collections are named, and selects pages
  /// otherwise.
  private var tags: [String] { addsTags ? selection.tags : [] }

  private var addsTags: Bool { selection.namesPages || !selection.collections.isEmpty }

  @Option(
    name: .customLong("untag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Remove this tag.", valueName: "tag"))
  var untags: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Set the note, replacing an existing one; \"\" deletes it.", valueName: "text"))
  var note: String?

  @Flag(help: "Mark the pages as read.")
  var read = false

  @Flag(help: "Mark the pages as unread.")
  var unread = false

  @Flag(help: "Archive the pages: hide them from lists.")
  var archive = false

  @Flag(help: "Show archived pages in lists again.")
  var unarchive = false

  @Flag(help: "Keep the pages: no limit applies to them, and sync refreshes them.")
  var keep = false

  @Flag(help: "Stop keeping the pages; they remain saved.")
  var unkeep = false

  @Option(
    name: .customLong("every"),
    help: ArgumentHelp(
      "How often sync refreshes the pages: 12h, 1w; 0 for the default.", valueName: "time"))
  var every: String?

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    if selection.isEmpty { throw ValidationError(PageSelection.emptyMessage) }
    for (name, tokens) in [("tag", tags), ("untag", untags)] {
      for word in tokens where LibraryAttribute.tags(word).isEmpty {
        throw ValidationError("--\(name) takes a tag such as news, not '\(SafeText.line(word))'")
      }
    }
    for (one, other, isWrong) in [
      ("read", "unread", read && unread), ("archive", "unarchive", archive && unarchive),
      ("keep", "unkeep", keep && unkeep),
    ] where isWrong {
      throw ValidationError("--\(one) and --\(other) cannot be used together")
    }
    if let every, every != "0", Interval(argument: every) == nil {
      throw ValidationError(
        "--every takes a time of at least one minute such as 12h, or 0, not"
          + " '\(SafeText.line(every))'")
    }
    guard !changes(of: "").isEmpty else {
      throw ValidationError(
        "nothing to change; give \(addsTags ? "--tag, " : "")--untag, --note, --[un]read,"
          + " --[un]archive, --[un]keep or --every")
    }
  }

  mutating func run() throws {
    let command = self
    let foundAll = try arguments.withProfile(selection.needs) { profile in
      let pages = try command.selection.pages(
        in: profile, usesTags: !command.addsTags, allowsBooks: true)
      let collections = try command.selection.selectedCollections(in: profile)
      let collectionKeys = Set(collections.flatMap(\.pages))
      var foundAll = pages.isListComplete
      var changes = try collections.flatMap { try command.collectionChanges(of: $0, in: profile) }
      let allCollections = command.untags.isEmpty ? [] : try profile.library.collections()
      // Tags select collections, too, which lose their tags as a whole.
      let untaggedCollections = command.addsTags ? [] : allCollections.filter(command.isSelected)
      changes += untaggedCollections.flatMap(command.untaggingChanges)
      let otherCollections = allCollections.filter { owner in
        !untaggedCollections.contains { $0.id == owner.id }
      }
      for url in pages.urls {
        guard let pageKey = profile.cache.key(of: url) else { continue }
        for key in try Self.libraryKeys(of: pageKey, in: profile) {
          if collectionKeys.contains(key) {
            let feed = try profile.library.page(key).feed
            changes += command.changes(
              of: key, callsHook: profile.settings.hooks.isCalledForItems(of: feed)
            ).filter { !$0.isOfCollection }
          } else if let pageChanges = try command.changes(of: key, url, in: profile) {
            changes += pageChanges
            let isUntagged = command.reportUnremovedTags(
              of: try profile.library.page(key), url, among: otherCollections, untaggedCollections)
            foundAll = foundAll && isUntagged
          } else {
            foundAll = false
          }
        }
      }
      try profile.library.record(changes)
      return foundAll
    }
    if !foundAll { throw ExitCode(1) }
  }

  /// Returns the keys under which the library has a page: its own, unless the library has only URLs
  /// that redirect to it.
  private static func libraryKeys(of key: String, in profile: Profile) throws -> [String] {
    guard try profile.library.page(key) == LibraryPage(key: key) else { return [key] }
    let sources = try profile.cache.archive.redirects(to: key).sorted()
    let pages = try profile.library.pages(sources).filter {
      $0.removed == nil && ($0.pinnedDate != nil || $0.queuedDate != nil || !$0.feed.isEmpty)
    }
    return pages.isEmpty ? [key] : pages.map(\.key)
  }

  /// Returns the changes that the options make to a page; nil, after an error message, if the page
  /// is neither saved nor in the library.
  private func changes(
    of key: String, _ url: String, in profile: Profile
  ) throws -> [LibraryChange]? {
    let name = SafeText.line(SafeText.withoutCredentials(url))
    let isSaved = try !profile.cache.archive.captures(of: key).isEmpty
    let page = try profile.library.page(key)
    guard isSaved || page != LibraryPage(key: key) else {
      StandardOutput.printError(
        "\(name) is not saved; to save it: offread save \(Opener.quoted(name))")
      return nil
    }
    var changes = changes(
      of: key, callsHook: profile.settings.hooks.isCalledForItems(of: page.feed))
    if page.title.isEmpty, let title = Self.title(of: key, in: profile) {
      changes.append(LibraryChange(key, .title, title))
    }
    return changes
  }

  /// Returns whether `--tag` selects a collection.
  private func isSelected(_ collection: PageCollection) -> Bool {
    selection.tags.flatMap(LibraryAttribute.tags).contains(where: collection.tags.contains)
  }

  /// Returns the changes that remove tags from a collection.
  private func untaggingChanges(_ collection: PageCollection) -> [LibraryChange] {
    untags.flatMap(LibraryAttribute.tags).filter(collection.tags.contains).map {
      LibraryChange(collection.key, .tag($0), nil)
    }
  }

  /// Reports the tags that `--untag` does not remove from a page, because the page does not have
  /// them or they are tags of its collections.
  /// - Parameters:
  ///   - page: the page before the change.
  ///   - url: its URL.
  ///   - collections: the collections that keep their tags.
  ///   - untaggedCollections: the collections that lose their tags.
  /// - Returns: whether the page has none of the tags after the change.
  private func reportUnremovedTags(
    of page: LibraryPage, _ url: String, among collections: [PageCollection],
    _ untaggedCollections: [PageCollection]
  ) -> Bool {
    let name = SafeText.line(SafeText.withoutCredentials(url))
    var hasNone = true
    for tag in untags.flatMap(LibraryAttribute.tags) {
      func hasTag(_ collection: PageCollection) -> Bool {
        collection.tags.contains(tag) && page.membership.collections.contains(collection.id)
      }
      if let owner = collections.first(where: hasTag) {
        hasNone = false
        let (tag, collection) = (SafeText.line(tag), SafeText.line(owner.name))
        StandardOutput.printError(
          "\(name) has the tag \(tag) from its collection; to remove it:"
            + " offread mark --collection \(Opener.quoted(collection))"
            + " --untag \(Opener.quoted(tag))"
        )
      } else if !page.tags.contains(tag), !untaggedCollections.contains(where: hasTag) {
        StandardOutput.printError("\(name) has no tag \(SafeText.line(tag))")
      }
    }
    return hasNone
  }

  /// Returns the title of the newest good version of a page; nil if it has none, or there is no
  /// such version.
  private static func title(of key: String, in profile: Profile) -> String? {
    guard let version = try? profile.cache.archive.captures(of: key).first(where: \.isGood),
      let document = try? profile.document(
        of: version, as: .page, limit: LoadOptions().maxRenderedSize)
    else { return nil }
    return document.title.isEmpty ? nil : document.title
  }

  /// Returns the changes that the options make to a collection itself. The collection has tags, its
  /// pages are pinned as a whole, and its start pages have the interval.
  private func collectionChanges(
    of collection: PageCollection, in profile: Profile
  ) throws -> [LibraryChange] {
    var changes = changes(of: collection.key).filter {
      if case .tag = $0.attribute { true } else { false }
    }
    var record = collection.record
    if keep || unkeep { record.isPinned = keep }
    if record != collection.record { changes.append(collection.change(record)) }
    let starts = try profile.library.pages(collection.startKeys(in: profile.cache))
    if keep || unkeep {
      changes += starts.filter { $0.pinnedDate == nil || $0.isPinnedAsStart }.map {
        LibraryChange($0.key, .pinned, keep ? PageCollection.startMarker : nil)
      }
    }
    return changes
      + starts.flatMap { self.changes(of: $0.key) }.filter { $0.attribute == .interval }
  }

  /// Returns the changes that the options make to a page.
  /// - Parameters:
  ///   - key: The cache key of the page.
  ///   - callsHook: Whether the read hook applies to the page.
  /// - Returns: The changes.
  private func changes(of key: String, callsHook: Bool = false) -> [LibraryChange] {
    func marker(_ attribute: LibraryAttribute, isSet: Bool, isRemoved: Bool) -> [LibraryChange] {
      isSet || isRemoved ? [LibraryChange(key, attribute, isSet ? "1" : nil)] : []
    }
    var changes = tags.flatMap(LibraryAttribute.tags).map { LibraryChange(key, .tag($0), "1") }
    changes += untags.flatMap(LibraryAttribute.tags).map { LibraryChange(key, .tag($0), nil) }
    if let note { changes.append(LibraryChange(key, .note, note.isEmpty ? nil : note)) }
    if read || unread {
      changes += LibraryChange.marking(key, isRead: read, callsHook: callsHook)
    }
    changes += marker(.archived, isSet: archive, isRemoved: unarchive)
    changes += marker(.pinned, isSet: keep, isRemoved: unkeep)
    if let every {
      let seconds = Interval(argument: every)?.seconds
      changes.append(LibraryChange(key, .interval, seconds.map { "\($0)" }))
    }
    return changes
  }
}

extension LibraryChange {
  /// Whether the change concerns an attribute of a collection as a whole, which its pages do not
  /// have.
  fileprivate var isOfCollection: Bool {
    switch attribute {
    case .tag, .pinned, .interval: true
    default: false
    }
  }
}
