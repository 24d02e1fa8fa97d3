import Pages
import Document
import Foundation
import Library
import OfflineCache
import Profiles
import Rendering
import Saving
import TerminalUI

/// Runs effects that change the library, in the order in which they were requested.
extension EffectRunner {
  /// Pins a page, or unpins it if it is pinned. A page that is pinned is queued for the next sync
  /// if it, one of its frames, or the target of its automatic redirect is not saved.
  func togglePin(_ url: String, title: String, isFeed: Bool) {
    changeLibrary { profile throws(ArchiveError) in
      guard let key = Self.libraryKey(of: url, in: profile) else {
        return "only web pages and imported books can be kept"
      }
      guard FeedItemAddress(key) == nil else { return "this item is saved with its feed" }
      let page = try profile.library.page(key)
      if page.pinnedDate != nil, !page.isPinnedAsStart {
        try profile.library.record([LibraryChange(key, .pinned, nil)])
        return "no longer kept"
      }
      var changes = [LibraryChange(key, .pinned, "")]
      if BookAddress(key) == nil { changes += LibraryChange.address(url, of: key) }
      let isSaved = profile.cache.savedPages(among: [key]).contains(key)
      // The link text serves as the title only until a better title is known.
      let savedTitle = isSaved ? self.savedTitle(of: key) : nil
      let newTitle = savedTitle ?? (page.title.isEmpty ? title : "")
      if !newTitle.isEmpty, newTitle != page.title, BookAddress(key) == nil {
        changes.append(LibraryChange(key, .title, newTitle))
      }
      let lacksPart =
        isSaved && SavedReadiness.unreadiness(of: url, in: profile)?.kind == .missingPart
      if !isSaved || lacksPart { changes.append(LibraryChange(key, .queued, "")) }
      try profile.library.record(changes)
      if isFeed, !page.isFeed {
        return "kept; to follow the feed: offread save --feed \(Opener.quoted(SafeText.line(url)))"
      }
      let condition = Self.fetchCondition(after: profile.cache.warning)
      if lacksPart { return "kept; its frames are fetched \(condition)" }
      return isSaved ? "kept" : "kept; it is fetched \(condition)"
    }
  }

  /// Returns the key of a page in the library; nil if the URL is that of a local file, or has
  /// another scheme that the library does not contain.
  private static func libraryKey(of url: String, in profile: Profile) -> String? {
    guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)) else { return nil }
    let isWebPage = DocumentAddress(url).isWebURL
    let isInLibrary = isWebPage || BookAddress(key) != nil || FeedItemAddress(key) != nil
    return isInLibrary ? key : nil
  }

  /// Returns the title of a saved page from the search index, which is updated first if it does not
  /// contain the page; nil if the page has no title.
  private func savedTitle(of key: String) -> String? {
    func indexed() -> String? { (try? profile.search.titles(of: [key]))?[key] }
    if let title = indexed() { return title.isEmpty ? nil : title }
    try? updateSearchIndex()
    return indexed().flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sets the tags of a page.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - text: the tags, separated by commas.
  ///   - isAdding: whether the page keeps the tags that it has.
  func setTags(_ url: String, _ text: String, isAdding: Bool) {
    changeLibrary { profile throws(ArchiveError) in
      guard let key = Self.libraryKey(of: url, in: profile) else {
        return "only web pages and imported books can be tagged"
      }
      let before = Set(try profile.library.page(key).tags)
      let wanted = Set(LibraryAttribute.tags(text)).union(isAdding ? before : [])
      try profile.library.record(
        wanted.subtracting(before).sorted().map { LibraryChange(key, .tag($0), "") }
          + before.subtracting(wanted).sorted().map { LibraryChange(key, .tag($0), nil) })
      return wanted.isEmpty ? "no tags" : "tags: \(wanted.sorted().joined(separator: ", "))"
    }
  }

  /// Saves a highlight and pins its page. Only web pages are pinned, because the text of a book
  /// remains in its file.
  func highlightPassage(
    _ range: Range<UInt32>, of document: Document, note: String, url: String, title: String,
    date: Date
  ) {
    changeLibrary { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url) else { return "this page cannot be kept" }
      guard var highlight = Highlight(range, of: document, date: date) else {
        return "not saved: a highlight can have at most \(Highlight.maxLength >> 10) KB of text"
      }
      highlight.note = note
      var changes = [LibraryChange(key, .highlight(highlight.id), highlight.value)]
      if WebURL(url)?.isWeb ?? false { changes.append(LibraryChange(key, .pinned, "")) }
      changes += LibraryChange.address(url, of: key)
      if !title.isEmpty { changes.append(LibraryChange(key, .title, title)) }
      try profile.library.record(changes)
      return note.isEmpty ? "highlight saved" : "highlight saved with its note"
    }
  }

  /// Records highlights with their current values.
  func setHighlights(_ highlights: [Highlight], of url: String) {
    changeLibrary { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url) else { return "this page cannot be kept" }
      try profile.library.record(
        highlights.map { LibraryChange(key, .highlight($0.id), $0.value) })
      return ""
    }
  }

  /// Removes highlights.
  func removeHighlights(_ names: [String], of url: String) {
    changeLibrary { profile throws(ArchiveError) in
      guard let key = profile.cache.key(of: url) else { return "" }
      try profile.library.record(names.map { LibraryChange(key, .highlight($0), nil) })
      return ""
    }
  }

  /// Queues pages for the next sync.
  func enqueue(_ urls: [DocumentAddress], from page: DocumentAddress?) {
    changeLibrary { profile throws(ArchiveError) in
      let pages = urls.compactMap { url in
        profile.cache.key(of: url.text).map { (key: $0, url: url.text) }
      }
      try profile.library.record(
        pages.flatMap {
          [LibraryChange($0.key, .queued, page?.withoutCredentials.text ?? "")]
            + LibraryChange.address($0.url, of: $0.key)
        })
      return pages.count == 1
        ? "queued; it is fetched \(Self.fetchCondition(after: profile.cache.warning))"
        : "queued \(pages.count) pages"
    }
  }

  /// Returns the condition under which a queued page is fetched.
  /// - Parameter warning: the latest error that prevented saving, or nil.
  /// - Returns: the condition, as the end of a message.
  static func fetchCondition(after warning: ArchiveError?) -> String {
    SavedReason(notSavedDueTo: warning) == nil
      ? "when there is a network" : "when there is space on the disk"
  }

  /// Removes pages from lists, which a later sync deletes, or restores removed ones.
  func setRemoved(_ urls: [String], to isRemoved: Bool) {
    changeLibrary { profile throws(ArchiveError) in
      let removal = PageRemoval(from: profile)
      _ = isRemoved ? try removal.hide(urls) : try removal.restore(urls)
      return ""
    }
  }

  func changeLibrary(_ work: @escaping @Sendable (Profile) throws(ArchiveError) -> String) {
    lanes.run(.changes) { [self] in
      do throws(ArchiveError) {
        let text = try work(profile)
        if !text.isEmpty { post(.notice(text, isError: false)) }
      } catch {
        let text =
          profile.isPrivate
          ? "a private session changes nothing"
          : error.message(for: "the library cannot be changed")
        report(text)
      }
      post(.libraryChanged)
    }
  }
}
