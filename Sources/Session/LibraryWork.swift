import Configuration
import Saving
import Feeds
import Library
import Dispatch
import Foundation
import Document
import OfflineCache
import Reader
import Synchronization
import Terminal
import TerminalUI

/// Carries out what the `Browser` wants of the library: away from the main thread, answers go to the
/// mailbox. What changes something is done in its order; what only looks never keeps anyone waiting.
final class LibraryWork: Sendable {
  private let profile: Profile
  private let post: @Sendable (Message) -> Void
  private let changes = DispatchQueue(label: "offread.library.changes")
  private let places = DispatchQueue(label: "offread.library.places")
  private let looks = DispatchQueue(label: "offread.library.looks", attributes: .concurrent)
  private let tabs: SavedTabsFolder
  private let isStopped = Mutex(false)
  private let typedLast = Mutex("")

  /// - Parameters:
  ///   - profile: whose library.
  ///   - post: takes answers, from any thread.
  init(profile: Profile, post: @escaping @Sendable (Message) -> Void) {
    self.profile = profile
    tabs = SavedTabsFolder(folder: profile.locations.tabs)
    self.post = post
  }

  // MARK: Looking

  /// Finds out what there is for a list.
  func list(_ query: ListQuery) {
    looks.async { [self] in
      do throws(ArchiveError) {
        switch query {
        case .library:
          // What is on the screen was read just now.
          places.sync {}
          try listLibrary()
        case .search(let words): try search(words)
        case .highlights: try listHighlights()
        }
      } catch {
        guard error != .stopped else { return }
        post(.listed(.failed("the library cannot be read: \(error.description)")))
      }
    }
  }

  private func listLibrary() throws(ArchiveError) {
    // What is known is there at once; what was saved since the last time follows.
    let known = try LibraryContents(of: profile, limit: LibraryContents.firstLimit)
    if !known.rows.isEmpty { post(.listed(.library(known, isComplete: false))) }
    try catchUp()
    post(.listed(.library(try LibraryContents(of: profile), isComplete: true)))
  }

  private func listHighlights() throws(ArchiveError) {
    changes.sync {}
    let pages = try profile.library.highlightedPages().reversed().map {
      HighlightedPage($0, in: profile)
    }
    post(.listed(.highlights(pages)))
  }

  private func search(_ words: String) throws(ArchiveError) {
    let query: SearchQuery
    do throws(SearchQuery.Mistake) {
      query = try SearchQuery(words, timeZone: .current)
    } catch {
      switch error {
      case .empty: post(.listed(.failed("there is no word to look for")))
      case .date(let text):
        post(.listed(.failed("\(text) is no date; give one such as 2026-11-21")))
      }
      return
    }
    try catchUp()
    let found = try profile.find(query, limit: 100)
    post(.listed(.search(found.hits, words: words)))
    for line in found.problems { post(.told(line, isError: true)) }
  }

  private func catchUp() throws(ArchiveError) {
    try profile.search.catchUp { _ in !isStopped.withLock { $0 } }
  }

  /// Which of some absolute URLs are saved, and which wait.
  func lookUp(_ targets: [String], of page: String, loader: PageLoader) {
    looks.async { [self] in
      let saved = loader.savedLinks(targets)
      let waiting = Set(((try? profile.library.pages(with: .queued)) ?? []).map(\.key))
      let queued =
        waiting.isEmpty
        ? [] : Set(targets.filter { profile.cache.key(of: $0).map(waiting.contains) ?? false })
      post(.savedLinks(of: page, saved, queued: queued))
    }
  }

  /// Which links of a document with some addresses lead to pages that were read.
  func lookUpVisited(_ arrival: Int, _ document: Document, _ addresses: [String]) {
    looks.async { [self] in
      let links = document.foreignLinks(from: addresses)
      // The page from which this one was opened was left just now.
      places.sync {}
      let read = profile.readingLog.read(among: Set(links.map(\.url)))
      guard !read.isEmpty else { return }
      post(.visitedLinks(arrival: arrival, Set(links.filter { read.contains($0.url) }.map(\.link))))
    }
  }

  /// Which passages of a document that came from an address are kept, and where.
  func lookUpHighlights(_ arrival: Int, _ document: Document, of url: String) {
    looks.async { [self] in
      changes.sync {}
      guard let key = profile.cache.key(of: url),
        let highlights = try? profile.library.page(key).highlights
      else { return }
      post(.highlights(arrival: arrival, PlacedHighlight.find(highlights, in: document)))
    }
  }

  /// Finds out which versions of a page are saved.
  func listVersions(of url: String) {
    looks.async { [self] in
      do throws(ArchiveError) {
        post(.versions(try PageVersions(of: url, in: profile.cache)))
      } catch {
        post(.versions(PageVersions(url: url, all: [])))
        post(.told("the versions cannot be read: \(error.description)", isError: true))
      }
    }
  }

  /// Finds out what differs between two versions of a page.
  func compare(_ id: ComparisonID, _ old: Document, _ new: Document) {
    looks.async { [self] in post(.compared(id, PageChanges(from: old, to: new))) }
  }

  /// Finds the saved pages that may be meant by what was typed; what was typed since goes first. What is
  /// known is there at once; what was saved since the last search follows.
  func complete(_ typed: String) {
    typedLast.withLock { $0 = typed }
    looks.async { [self] in
      let isWanted = { [self] in typedLast.withLock { $0 == typed } }
      guard isWanted() else { return }
      let found = (try? SavedAddresses.matching(typed, in: profile, limit: 50)) ?? []
      post(.completed(typed, found))
      guard (try? catchUp()) != nil, isWanted() else { return }
      let all = (try? SavedAddresses.matching(typed, in: profile, limit: 50)) ?? found
      if all != found { post(.completed(typed, all)) }
      let titles = isWanted() ? profile.zimTitles(for: typed, limit: 20) : []
      if !titles.isEmpty { post(.completed(typed, Array((all + titles).prefix(50)))) }
    }
  }

  // MARK: Places

  /// Writes down where a page was left.
  func remember(_ record: ReadingLog.Record) {
    guard !profile.isPrivate else { return }
    places.async { [self] in
      do throws(ArchiveError) {
        try profile.readingLog.append(record)
      } catch {
        post(.told("places cannot be written down: \(error.description)", isError: true))
      }
    }
  }

  /// Writes down which pages are open.
  func save(_ open: SavedTabs?) {
    places.async { [self] in
      do throws(ArchiveError) {
        try tabs.write(open)
      } catch {
        post(.told("open pages cannot be written down: \(error.description)", isError: true))
      }
    }
  }

  /// Takes what was open in programs that crashed.
  func recallTabs() {
    places.async { [self] in
      let lost = tabs.takeLost()
      if !lost.isEmpty { post(.lostTabs(lost)) }
    }
  }

  /// The settings file.
  var settingsFile: URL { profile.locations.config }

  /// Reads the settings file again. If it has no mistakes, it becomes the last good one, which is used while the
  /// file cannot be read.
  func readSettings() -> SettingsFile.Reading {
    let file = settingsFile
    do throws(ReaderError) {
      let bytes = try LocalFile.read(file.path)
      let reading = SettingsFile.parse(
        String(decoding: bytes, as: UTF8.self), name: file.path,
        folder: file.deletingLastPathComponent())
      SettingsFile.keep(bytes, ifGood: reading, at: profile.locations.lastSettings)
      return reading
    } catch {
      return SettingsFile.read(file)
    }
  }

  /// Takes what a key chose for good, for the next page at once.
  func choose(_ choice: Choices.Choice) {
    profile.take(choice)
    guard !profile.isPrivate else { return }
    places.async { [self] in
      do throws(ArchiveError) {
        try profile.choiceFile.add(choice)
      } catch {
        post(.told("not remembered: \(error.description)", isError: true))
      }
    }
  }

  /// Where a page was left, for the thread that loads it.
  func place(on page: Page) -> ReadingLog.Record? {
    places.sync {
      let name = Browser.placeName(of: page)
      var record = profile.readingLog.last(of: name)
      // The record may have another spelling of the same URL.
      record?.url = name
      return record
    }
  }

  /// Finds out what a letter marks.
  func recallMark(_ letter: String) {
    places.async { [self] in post(.recalledMark(letter, profile.readingLog.mark(letter))) }
  }

  // MARK: Changing

  /// Keeps a page, or no longer if it is kept; one that is not saved waits for the next sync.
  func keep(_ url: String, title: String, isFeed: Bool) {
    change { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)) else {
        return "this page cannot be kept"
      }
      let known = try profile.library.page(key)
      if known.kept != nil {
        try profile.library.record([LibraryChange(key, .kept, nil)])
        return "no longer kept"
      }
      var changes = [LibraryChange(key, .kept, "")]
      if BookAddress(key) == nil { changes += LibraryChange.address(url, of: key) }
      let isSaved = profile.cache.savedPages(among: [key]).contains(key)
      // The text of a link is the title only until a better one is known.
      let own = isSaved ? self.savedTitle(of: key) : nil
      let name = own ?? (known.title.isEmpty ? title : "")
      if !name.isEmpty, name != known.title, BookAddress(key) == nil {
        changes.append(LibraryChange(key, .title, name))
      }
      let lacksPart =
        isSaved && SavedReadiness.unreadiness(of: url, in: profile)?.kind == .missingPart
      if !isSaved || lacksPart { changes.append(LibraryChange(key, .queued, "")) }
      try profile.library.record(changes)
      if isFeed, !known.isFeed {
        return "kept, not followed; that is: offread save --feed \(SafeText.line(url))"
      }
      if lacksPart { return "kept; its frames wait for the next sync" }
      return isSaved ? "kept" : "kept; it waits for the next sync"
    }
  }

  /// Returns the title of a saved page; nil when it has none.
  private func savedTitle(of key: String) -> String? {
    func indexed() -> String? { (try? profile.search.titles(of: [key]))?[key] }
    if let title = indexed() { return title.isEmpty ? nil : title }
    try? catchUp()
    return indexed().flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Finds out which tags a page has.
  func readTags(of url: String) {
    looks.async { [self] in
      changes.sync {}
      guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)),
        let page = try? profile.library.page(key)
      else { return }
      post(.tags(page.tags, of: url))
    }
  }

  /// Gives a page tags.
  /// - Parameters:
  ///   - url: its address.
  ///   - words: the tags, with commas between them.
  ///   - isAdding: whether it keeps those that it has.
  func tag(_ url: String, _ words: String, isAdding: Bool) {
    change { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)) else {
        return "this page cannot have tags"
      }
      let before = Set(try profile.library.page(key).tags)
      let wanted = Set(LibraryAttribute.tags(words)).union(isAdding ? before : [])
      try profile.library.record(
        wanted.subtracting(before).sorted().map { LibraryChange(key, .tag($0), "") }
          + before.subtracting(wanted).sorted().map { LibraryChange(key, .tag($0), nil) })
      return wanted.isEmpty ? "no tags" : "tags: \(wanted.sorted().joined(separator: ", "))"
    }
  }

  /// Keeps a passage, and the page that it is of; a book stays in its file.
  func keepPassage(
    _ range: Range<UInt32>, of document: Document, note: String, url: String, title: String,
    date: Date
  ) {
    change { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url) else { return "this page cannot be kept" }
      guard var highlight = Highlight(range, of: document, date: date) else {
        return "not kept: a highlight has \(Highlight.longest >> 10) KB of text at most"
      }
      highlight.note = note
      var changes = [LibraryChange(key, .highlight(highlight.id), highlight.value)]
      if WebURL(url)?.isWeb ?? false { changes.append(LibraryChange(key, .kept, "")) }
      changes += LibraryChange.address(url, of: key)
      if !title.isEmpty { changes.append(LibraryChange(key, .title, title)) }
      try profile.library.record(changes)
      return note.isEmpty ? "kept the passage" : "kept the passage with its note"
    }
  }

  /// Keeps passages as they are here.
  func set(_ highlights: [Highlight], of url: String) {
    change { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url) else { return "this page cannot be kept" }
      try profile.library.record(
        highlights.map { LibraryChange(key, .highlight($0.id), $0.value) })
      return ""
    }
  }

  /// Keeps passages no longer.
  func remove(highlights names: [String], of url: String) {
    change { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url) else { return "" }
      try profile.library.record(names.map { LibraryChange(key, .highlight($0), nil) })
      return ""
    }
  }

  /// Lets pages wait for the next sync.
  func enqueue(_ urls: [String], from page: String) {
    change { profile throws(ArchiveError) in
      let pages = urls.compactMap { url in profile.cache.key(of: url).map { (key: $0, url: url) } }
      try profile.library.record(
        pages.flatMap {
          [LibraryChange($0.key, .queued, SafeText.withoutCredentials(page))]
            + LibraryChange.address($0.url, of: $0.key)
        })
      return pages.count == 1 ? "queued; it comes with the network" : "queued \(pages.count) pages"
    }
  }

  /// Hides pages, to be removed later by a sync, or shows them again.
  func setRemoved(_ urls: [String], _ isRemoved: Bool) {
    change { profile throws(ArchiveError) in
      let removal = PageRemoval(from: profile)
      _ = isRemoved ? try removal.hide(urls) : try removal.restore(urls)
      return ""
    }
  }

  private func change(_ work: @escaping @Sendable (Profile) throws(ArchiveError) -> String) {
    changes.async { [self] in
      do throws(ArchiveError) {
        let words = try work(profile)
        if !words.isEmpty { post(.told(words, isError: false)) }
      } catch {
        let words =
          profile.isPrivate
          ? "a private session keeps nothing"
          : "the library cannot be changed: \(error.description)"
        post(.told(words, isError: true))
      }
      post(.libraryChanged)
    }
  }

  /// Waits until everything is written down, and stops what only looks.
  func finish() {
    isStopped.withLock { $0 = true }
    places.sync {}
    changes.sync {}
  }
}
