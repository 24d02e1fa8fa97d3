import Configuration
import Library
import OfflineCache
import Profiles
import Saving
import Synchronization
import TerminalUI

/// Runs effects that fetch the enclosures of feeds.
extension EffectRunner {
  /// The minimum time between two progress reports.
  private static let progressInterval = Duration.milliseconds(200)

  /// Starts fetching enclosures, or stops a running fetch.
  func handle(_ request: EnclosureRequest) {
    switch request {
    case .fetch(let feed, let itemURLs, let options):
      fetchEnclosures(of: feed, firstOf: itemURLs, options)
    case .stop: state.withLock { $0.fetchesEnclosures = false }
    }
  }

  /// Fetches the waiting enclosures of a feed, and posts the progress and the result.
  /// - Parameters:
  ///   - feed: the cache key of the feed; nil for the feed of the item, or for all feeds without an
  ///     item.
  ///   - itemURLs: the URLs of the page of an item, whose files are fetched first; empty for no
  ///     preference.
  ///   - options: the options for loads.
  private func fetchEnclosures(
    of feed: String?, firstOf itemURLs: [String], _ options: LoadOptions
  ) {
    guard profile.settings.fetchesEnclosures else {
      let reason = "the settings select none; set enclosures = \"audio\" in [[feed]]"
      return post(.enclosures(.refused(reason)))
    }
    guard !profile.isReadOnly else {
      return post(.enclosures(.refused("the data directory cannot be written")))
    }
    state.withLock { $0.fetchesEnclosures = true }
    lanes.run(.downloads) { [self] in
      // Items that the user has just marked as read need no files.
      lanes.wait(for: .changes)
      do throws(ArchiveError) {
        let item = try feedItem(at: itemURLs)
        let feeds = (feed ?? item?.feed).map { Set([$0]) }
        let fetcher = EnclosureFetcher(profile, of: feeds, first: item?.key, options: options)
        post(.enclosures(.finished(run(fetcher))))
      } catch {
        post(.enclosures(.refused(error.reason)))
      }
    }
  }

  /// Runs a fetcher until it has finished or the user has stopped it, and posts its progress.
  private func run(_ fetcher: EnclosureFetcher) -> EnclosureReport {
    var last: ContinuousClock.Instant?
    return fetcher.run { progress in
      let now = ContinuousClock.now
      if last.map({ now - $0 >= Self.progressInterval }) ?? true {
        last = now
        post(.enclosures(.progressed(progress)))
      }
      return state.withLock(\.fetchesEnclosures)
    }
  }

  /// Returns the first page with one of some URLs that is an item of a feed; nil if there is none.
  /// - Throws: `ArchiveError.unreadable`.
  private func feedItem(at urls: [String]) throws(ArchiveError) -> LibraryPage? {
    let keys = urls.compactMap { profile.cache.key(of: $0) }
    return try profile.library.pages(keys).first { !$0.feed.isEmpty }
  }
}
