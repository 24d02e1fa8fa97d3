import Configuration
import Document
import Feeds
import Foundation
import Layout
import Library
import OfflineCache
import Pages
import Profiles
import Reader
import Saving
import Synchronization
import TerminalUI

/// Runs effects that only read. They run concurrently.
extension EffectRunner {
  /// Posts the rows of a list.
  func postList(_ query: ListQuery) {
    lanes.run(.lookups) { [self] in
      do throws(ArchiveError) {
        switch query {
        case .library:
          // The position of the page that was just left may still be queued for writing.
          lanes.wait(for: .positions)
          try postLibrary()
        case .search(let text): try search(text)
        case .highlights: try listHighlights()
        case .collection(let id): try listPages(ofCollection: id)
        case .feeds: try listFeeds()
        case .items(let feed): try listItems(of: feed)
        }
      } catch {
        guard error != .stopped else { return }
        post(.listed(.failed(error.message(for: "the library cannot be read"))))
      }
    }
  }

  private func postLibrary() throws(ArchiveError) {
    // Pages that are already indexed are posted at once, with the numbers of the groups as they
    // were shown last; pages saved since the last indexing and current numbers follow.
    let known = try LibraryContents(
      of: profile, limit: LibraryContents.maxFirstRows, groups: LibraryGroups(storedIn: profile))
    if !known.rows.isEmpty { post(.listed(.library(known, isComplete: false))) }
    try updateSearchIndex()
    try postCompleteLibrary()
    post(.listed(.pinnedExcess(try PinnedSize.excess(in: profile))))
    do {
      let added = try EarlierCrawls.adopt(in: profile) { [self] in state.withLock(\.isStopped) }
      guard added > 0 else { return }
    } catch {
      return report(error.message(for: EarlierCrawls.failureMessage))
    }
    try postCompleteLibrary()
  }

  private func postCompleteLibrary() throws(ArchiveError) {
    let groups = try LibraryGroups(in: profile)
    let contents = try LibraryContents(of: profile, groups: groups)
    post(.listed(.library(contents, isComplete: true)))
    // Where the database cannot be written, the first screen counts again.
    try? groups.store(in: profile)
  }

  private func listHighlights() throws(ArchiveError) {
    lanes.wait(for: .changes)
    let pages = try profile.library.highlightedPages().reversed().map {
      HighlightedPage($0, in: profile)
    }
    post(.listed(.highlights(pages)))
  }

  private func search(_ searchText: String) throws(ArchiveError) {
    let query: SearchQuery
    do throws(SearchQuery.Mistake) {
      query = try SearchQuery(searchText, timeZone: .local)
    } catch {
      switch error {
      case .empty: post(.listed(.failed(error.description)))
      case .date(let text):
        post(.listed(.failed("\(text) is not a date; give one such as 2026-11-21")))
      }
      return
    }
    try updateSearchIndex()
    let found = try profile.find(query, limit: 100)
    post(.listed(.search(found.hits, terms: searchText)))
    for line in found.problems { report(line) }
  }

  func updateSearchIndex() throws(ArchiveError) {
    try profile.search.catchUp { _ in !state.withLock(\.isStopped) }
  }

  /// Posts which of some absolute URLs are saved, and which are queued.
  func findSavedLinks(_ targets: [String], of page: DocumentAddress, loader: PageLoader) {
    lanes.run(.lookups) { [self] in
      let saved = loader.savedLinks(targets)
      let waiting = Set(((try? profile.library.pages(with: .queued)) ?? []).map(\.key))
      let queued =
        waiting.isEmpty
        ? [] : Set(targets.filter { profile.cache.key(of: $0).map(waiting.contains) ?? false })
      post(.savedLinks(of: page, saved, queued: queued))
    }
  }

  /// Posts which links of a document lead to pages that were read.
  /// - Parameters:
  ///   - pageNumber: the number of the page in the browser.
  ///   - document: the document.
  ///   - urls: the URLs of the document; links to them are ignored.
  func findVisitedLinks(_ pageNumber: Int, _ document: Document, _ urls: [DocumentAddress]) {
    lanes.run(.lookups) { [self] in
      let links = document.linksToOtherPages(from: urls.map(\.text))
      // The position of the page that was just left may still be queued for writing.
      lanes.wait(for: .positions)
      let read = profile.readingLog.read(among: Set(links.map(\.url)))
      guard !read.isEmpty else { return }
      post(
        .visitedLinksFound(
          pageNumber: pageNumber, Set(links.filter { read.contains($0.url) }.map(\.link))))
    }
  }

  /// Posts the highlights of a document that was loaded from a URL, and their positions in it.
  func findHighlights(_ pageNumber: Int, _ document: Document, of url: DocumentAddress) {
    lanes.run(.lookups) { [self] in
      lanes.wait(for: .changes)
      guard let key = profile.cache.key(of: url.text),
        let highlights = try? profile.library.page(key).highlights
      else { return }
      post(.highlights(pageNumber: pageNumber, PlacedHighlight.find(highlights, in: document)))
    }
  }

  /// Posts the saved versions of a page.
  func listVersions(of url: DocumentAddress) {
    lanes.run(.lookups) { [self] in
      do throws(ArchiveError) {
        post(.versions(try PageVersions(of: url.text, in: profile.cache)))
      } catch {
        post(.versions(PageVersions(url: url.text, all: [])))
        report(error.message(for: "the versions cannot be read"))
      }
    }
  }

  /// Posts the differences between two versions of a page.
  func compare(_ id: ComparisonID, _ old: Document, _ new: Document) {
    lanes.run(.lookups) { [self] in post(.compared(id, PageChanges(from: old, to: new))) }
  }

  /// Posts the files and saved pages that match the text that the user is typing, unless the text
  /// has changed since. Indexed pages are posted at once; pages that were saved since the last
  /// search, and pages of ZIM files, follow.
  func findCompletions(_ typed: String, _ subject: CompletionSubject) {
    state.withLock { $0.typedText = typed }
    lanes.run(.lookups) { [self] in
      let isWanted = { [self] in state.withLock { $0.typedText == typed } }
      guard isWanted() else { return }
      let files = PathCompletion.paths(
        beginningWith: typed, limit: 50, givesURLs: subject == .addresses
      ).map { SavedAddresses.Match(url: $0) }
      // A text with a slash that leads to files is a path; a page must not displace them.
      if subject == .files || typed.contains("/") && !files.isEmpty {
        return post(.completionsFound(typed, files))
      }
      let matching = { [profile] in
        try? SavedAddresses.matching(typed, in: profile, limit: 50) + files
      }
      let found = matching() ?? files
      post(.completionsFound(typed, found))
      guard (try? updateSearchIndex()) != nil, isWanted() else { return }
      let all = matching() ?? found
      if all != found { post(.completionsFound(typed, all)) }
      let titles = isWanted() ? profile.zimTitles(for: typed, limit: 20) : []
      if !titles.isEmpty { post(.completionsFound(typed, all + titles)) }
    }
  }

  /// Searches the parts of a document for a text and posts the first part in which it occurs,
  /// unless another search begins meanwhile; nil stops the search.
  func searchParts(_ search: PartSearch?) {
    state.withLock { $0.partSearch = search }
    guard let search else { return }
    lanes.run(.lookups) { [self] in
      // The navigation links to neighbouring parts are omitted, because they contain the titles of
      // those parts.
      let loader = PageLoader(profile: profile)
      var unreadablePartCount = 0
      for url in search.parts {
        guard state.withLock({ $0.partSearch == search && !$0.isStopped }) else { return }
        do throws(ReaderError) {
          let page = try loader.part(at: url, options: search.options)
          guard page.attachment == nil, page.document.contains(oneOf: search.terms) else {
            continue
          }
          return post(
            .partsSearched(
              search, PartSearch.Result(part: url, unreadablePartCount: unreadablePartCount)))
        } catch {
          unreadablePartCount += 1
        }
      }
      post(
        .partsSearched(
          search, PartSearch.Result(part: nil, unreadablePartCount: unreadablePartCount)))
    }
  }

  /// Posts the tags of a page.
  func readTags(of url: String) {
    lanes.run(.lookups) { [self] in
      lanes.wait(for: .changes)
      guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)),
        let page = try? profile.library.page(key)
      else { return }
      post(.tags(page.tags, of: url))
    }
  }
}

extension Document {
  /// Returns whether one of the terms occurs in the text, including folded content.
  fileprivate func contains(oneOf terms: [String]) -> Bool {
    terms.contains { !offsets(of: $0, maxMatches: 1).isEmpty }
  }
}
