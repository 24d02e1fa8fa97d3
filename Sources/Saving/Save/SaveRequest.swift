import Configuration
import Reader
package import Crawl
import Library
package import Foundation
package import OfflineCache

/// What is to be saved, and how.
package struct SaveRequest: Sendable {
  /// The absolute URLs of the pages that are asked for.
  package var pages: [String]
  /// How far their links are followed.
  package var bounds = CrawlBounds()
  /// How much is asked of sites at once.
  package var pace = PaceLimits()
  /// Whether the images of pages are saved with them.
  package var includesImages = true
  /// Whether links are not followed where a site's robots.txt does not want it.
  package var obeysRobots = true
  /// How each page is loaded.
  package var options: LoadOptions
  /// Whether pages that have not changed are not looked through for images and links once more.
  package var passesOverUnchanged = false
  /// Whether it goes on where the same was interrupted.
  package var resumes = true
  /// Whether it stops when the first loads reach no server: there is no network then.
  package var givesUpUnreached = false
  /// Whether a page that fails for good in the way in which it did before counts as no failure, as it was told
  /// then: nobody asks for it but a plan.
  package var excusesRepeatedFailures = false
  /// Whether the pages that are asked for are kept from then on.
  package var keeps = true
  /// The tags that they get.
  package var tags: [String] = []
  /// How often they are refreshed, in seconds; nil changes nothing.
  package var interval: TimeInterval?
  /// Whether style sheets, scripts and fonts are kept with the pages; nil as the library says of each.
  package var isComplete: Bool?
  /// Of `pages`, those that have to stay in the public network: another program has named them.
  package var publicPages: Set<String> = []
  /// Of `pages`, those whose scheme the user did not type: the other of http and https may be tried.
  package var assumedPages: Set<String> = []
  /// The feeds whose new items are saved.
  package var feeds: [FeedRequest] = []
  /// How many items of a feed stay, 0 for all.
  package var feedItems = SyncSettings().feedItems
  /// Pages that are wanted as something links to them; their sites may refuse that.
  package var linkedPages: [String] = []

  /// Whether no network is asked: then nothing is saved, and the report says what is there.
  package var isCheck: Bool { options.mode == .cacheOnly }

  /// What is said of each page that is asked for.
  func changes(of key: String) -> [LibraryChange] {
    tags.map { LibraryChange(key, .tag($0), "1") }
      + (interval.map { [LibraryChange(key, .interval, "\($0)")] } ?? [])
      + (isComplete.map { [LibraryChange(key, .complete, $0 ? "1" : nil)] } ?? [])
  }

  /// Asks for pages; see the members.
  package init(pages: [String], options: LoadOptions = LoadOptions()) {
    self.pages = pages
    self.options = options
    // What is saved is worth waiting for: the copy that is there does not answer in its place.
    self.options.patience = options.totalTimeout
    self.options.mode = .networkFirst
  }
}

/// How far the saving is.
package struct SaveProgress: Sendable, Equatable {
  /// Pages that are done, and those that are known in all.
  package var done = 0
  package var known = 0
  /// Bytes received.
  package var received: Int64 = 0
  /// The hosts that are asked now, or were busy, with the loads that wait and run.
  package var hosts: [Host] = []
  /// How many pages wait in the queue as their servers are busy, and when the first is asked for again.
  package var later = 0
  package var askAgain: Date?
  /// How many hosts wait until those are done.
  package var waitingHosts = 0

  /// One host.
  package struct Host: Sendable, Equatable {
    package var name: String
    package var waiting: Int
    package var running: Int
    /// Pages and images that were fetched from it.
    package var done: Int
  }
}
