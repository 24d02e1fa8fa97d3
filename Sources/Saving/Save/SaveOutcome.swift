package import Foundation
package import Reader

/// What came of a page that was to be saved.
package struct SaveOutcome: Sendable, Equatable {
  /// The page: the absolute URL without fragment.
  package var url: String
  /// How many links lead to it from a page that was asked for.
  package var depth: Int
  /// What came of it.
  package var result: Result
  /// The bytes of its content and that of its images.
  package var size: Int64 = 0
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
