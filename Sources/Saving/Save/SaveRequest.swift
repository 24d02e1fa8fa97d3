import Configuration
package import Reader
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

/// What came of a page that was to be saved.
package struct SaveOutcome: Sendable, Equatable {
  /// The page: the absolute URL without fragment.
  package var url: String
  /// How many links lead to it from a page that was asked for.
  package var depth: Int
  /// What came of it.
  package var result: Result
  /// The bytes of its content and that of its images.
  package var size: Int64
  /// When the content is from, or nil when there is none.
  package var date: Date?
  /// Its title, or empty.
  package var title = ""
  /// How many images were saved with it, and how many could not be.
  package var images = 0
  package private(set) var missingImages = 0
  /// The first images that could not be saved.
  package private(set) var missingImageNames: [MissingImage] = []

  /// The style sheets, scripts, fonts and their like that were kept with it, with their bytes, which are
  /// in `size`, too; and how many could not be.
  package var parts = 0
  package var partsSize: Int64 = 0
  package var missingParts = 0
  /// Whether it is wanted as the next part of a text only.
  package var isNextPart = false
  /// How many frames, and pages to which it goes on by itself, were saved with it; and how many could not be.
  package var neededParts = 0
  /// The cache keys of these parts, including the targets of their redirects.
  var neededKeys: [String] = []
  package var missingNeededParts = 0
  /// Why it cannot be read although it is there, or nil.
  package var unready: Unreadiness?
  /// Whether parts that it needs could not be had and may be there later.
  var lacksParts = false
  /// Whether it was reported as unready before, and has not changed since.
  package var wasUnready = false
  /// Whether it can only be read in the text that a browser has made of it.
  package var needsRendering = false
  /// Whether it waits in the queue, as it could not be had.
  package var isQueued = false
  /// Before when its server does not want to be asked again, or nil.
  package var askAgain: Date?
  /// Why it did not come, where asking again hardly helps, or nil.
  package var lasting: LastingFailure?
  /// Whether it is in the library all the same, and so is asked for again.
  package var isAskedAgain = false
  /// Whether it failed as it did before, when that was told, and the request excuses it.
  package var isExcused = false

  /// Whether a response came that is not trusted as the page.
  package var isRefused = false
  /// The number of days on which responses were rejected, if the report shows how to accept one; otherwise 0.
  package var refusedDays = 0
  /// Whether the saved copy may have come from a captive portal, so that the page stays queued and is requested again.
  package var isUnconfirmed = false
  /// Whether the network in between answered in the place of its server.
  package var isPortal = false
  /// Whether its server answered.
  package var isReached = false

  /// What can come of a page.
  package enum Result: Sendable, Equatable {
    /// It is saved, in a version that is new.
    case saved
    /// It was saved before, and has not changed.
    case unchanged
    /// There is a copy of before; the reason is why there is no newer one.
    case kept(String)
    /// There is none; the reason is why.
    case failed(String)
    /// Its site does not want it to be fetched without being asked for.
    case refused
  }

  /// Whether it is there as its server has it now.
  package var isCurrent: Bool { result == .saved || result == .unchanged }

  /// Whether it can be read without a network: it is there, with what its text needs.
  package var isReady: Bool { isReadable && unready == nil }

  /// Whether it is there without a network.
  package var isReadable: Bool {
    switch result {
    case .saved, .unchanged, .kept: true
    case .failed, .refused: false
    }
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

/// An image that could not be saved.
package struct MissingImage: Sendable, Equatable {
  /// Its absolute URL.
  package var url: String
  /// The reason, or empty if unknown.
  package var reason: String
}

extension SaveOutcome {
  /// Counts an image that could not be saved, and records its URL unless there are too many.
  mutating func countMissing(image url: String, _ reason: String) {
    missingImages += 1
    guard missingImageNames.count < Self.maxMissingImageNames else { return }
    missingImageNames.append(MissingImage(url: url, reason: reason))
  }

  /// Maximum number of missing images of a page that are recorded.
  private static let maxMissingImageNames = 20
}
