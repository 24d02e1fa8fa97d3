import Configuration
package import Crawl
import Library
package import Foundation
package import OfflineCache

/// A request to save pages, with its options.
package struct SaveRequest: Sendable {
  /// The absolute URLs of the requested pages.
  package var pages: [String]
  /// The bounds within which links are followed.
  package var bounds = CrawlBounds()
  /// Rate limits for sites.
  package var pace = PaceLimits()
  /// Whether the images of pages are saved.
  package var includesImages = true
  /// Whether links that a site's robots.txt disallows are not followed.
  package var obeysRobots = true
  /// The options for loading each page.
  package var options: LoadOptions
  /// Whether unchanged pages are not parsed again for images and links.
  package var skipsUnchanged = false
  /// Whether an interrupted save of the same request is resumed.
  package var resumes = true
  /// Whether the run stops if the first loads reach no server, which indicates that there is no
  /// network.
  package var givesUpUnreached = false
  /// Whether a page that fails for the same lasting reason as before does not count as a failure,
  /// because an earlier run has reported it. Set for scheduled requests, which the user did not
  /// make directly.
  package var excusesRepeatedFailures = false
  /// Whether the requested pages are pinned.
  package var pinsPages = true
  /// The tags to add to the requested pages.
  package var tags: [String] = []
  /// The refresh interval of the requested pages in seconds; nil to leave it unchanged.
  package var interval: TimeInterval?
  /// Whether style sheets, scripts and fonts are saved with the pages; nil to apply what the
  /// library has recorded for each page.
  package var isComplete: Bool?
  /// The pages in `pages` that may be loaded only from the public network, because another program
  /// or a page of a public site named them.
  package var publicOnlyPages: Set<String> = []
  /// The pages in `pages` whose scheme the user did not type: they may be loaded with http or
  /// https.
  package var assumedPages: Set<String> = []
  /// The feeds whose new items are saved.
  package var feeds: [FeedRequest] = []
  /// The maximum number of items of a feed, or 0 for all.
  package var feedItems = SyncSettings().feedItems
  /// Whether `pages` are the pages of collections. Most of these were found by links, so lists
  /// among them are not followed to their next pages. Set only for checks.
  package var requestsCollectionMembers = false
  /// The collection that the saved pages form; nil if they form none.
  package var collection: CollectionRequest?
  /// The pages that are requested because a feed links to them. Unlike `pages`, robots.txt files
  /// may disallow them.
  package var linkedPages: [String] = []

  /// Whether the network is not used. If so, nothing is saved, and the report describes the saved
  /// copies.
  package var isOfflineCheck: Bool { options.mode == .cacheOnly }

  /// Returns the changes for each requested page: its tags (unless the collection gets them), its
  /// interval, and whether it is saved completely.
  func changes(of key: String) -> [LibraryChange] {
    var changes: [LibraryChange] = []
    if collection == nil { changes += tags.map { LibraryChange(key, .tag($0), "1") } }
    if let interval { changes.append(LibraryChange(key, .interval, "\(interval)")) }
    if let isComplete { changes.append(LibraryChange(key, .complete, isComplete ? "1" : nil)) }
    return changes
  }

  /// Creates a request for pages.
  package init(pages: [String], options: LoadOptions = LoadOptions()) {
    self.pages = pages
    self.options = options
    // The user waits for a save, so a slow response is never replaced by a saved copy.
    self.options.fallbackDelay = options.totalTimeout
    self.options.mode = .networkFirst
  }
}
