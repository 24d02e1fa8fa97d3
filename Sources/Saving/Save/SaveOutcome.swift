package import Foundation
import OfflineCache
package import Pages

/// The outcome of saving a page.
package struct SaveOutcome: Sendable, Equatable {
  /// The absolute URL of the page without fragment.
  package var url: String
  /// The URL that was loaded instead of the requested URL, from which it differs only in the scheme
  /// (http or https); nil if the requested URL itself was loaded.
  var alternateSchemeURL: String?
  /// The number of links that lead to the page from a requested page.
  package var depth: Int
  /// Whether the page was saved, and the reason if not.
  package var result: Result
  /// The size in bytes of the content of the page and of all its parts that were saved, including
  /// images.
  package var size: Int64 = 0
  /// The date of the content; nil if there is none.
  package var date: Date?
  /// Whether only the text in the feed is saved, rather than the page itself.
  package var isFeedText = false
  /// The title, or empty.
  package var title = ""
  /// The number of images that were saved.
  package var imageCount = 0
  /// The number of images that could not be saved.
  package private(set) var missingImageCount = 0
  /// Whether an image could not be saved for a reason that may be temporary.
  var lacksImages = false
  /// The first images that could not be saved.
  package private(set) var missingImageNames: [MissingImage] = []

  /// The number of subresources saved for a browser: style sheets, scripts, fonts, and images that
  /// `imageCount` does not include.
  package var partCount = 0
  /// The size in bytes of the subresources saved for a browser, which is included in `size`.
  package var partsSize: Int64 = 0
  /// The number of subresources for a browser that could not be saved.
  package var missingPartCount = 0
  /// Whether the page was requested only as the next part of an article.
  package var isNextPart = false
  /// The cache key of the first part of the article that the page continues; nil unless the article
  /// is kept.
  var firstPinnedPart: String?
  /// The absolute URL of the next document of a series (`rel=next`), or nil.
  var nextURL: WebURL?
  /// The number of frames and `meta refresh` targets that were saved.
  package var neededPartCount = 0
  /// The cache keys of the frames and `meta refresh` targets that were requested, including the
  /// targets of their redirects.
  var neededKeys: [String] = []
  /// The number of frames and `meta refresh` targets that could not be saved.
  package var missingNeededPartCount = 0
  /// The cache keys of all responses without which the page cannot be read as it was saved: images,
  /// other parts, and redirects.
  var dependencies: Set<String> = []
  /// Whether the content of the page was read, so that `dependencies` is complete.
  var hasAllDependencies = false
  /// The reason why the page cannot be read although it is saved, or nil.
  package var unreadiness: Unreadiness?
  /// The kind of page that the site seems to show instead of the requested one; nil if nothing
  /// indicates this, or if the page is unchanged. Such a page still counts as ready.
  package var standIn: StandInPage?
  /// Whether needed parts (frames or refresh targets) could not be loaded for a reason that may be
  /// temporary.
  var lacksParts = false
  /// Whether the page was reported as unready before, and has not changed since.
  package var wasUnready = false
  /// Whether the page can be read only in the rendering of a browser.
  package var needsRendering = false
  /// Whether the page is queued, because it could not be loaded completely, its server is busy, or
  /// its response is unconfirmed.
  package var isQueued = false
  /// The time before which the page should not be requested again, because its server is busy;
  /// otherwise nil.
  package var retryAfter: Date?
  /// The failure, if another request is unlikely to succeed; otherwise nil.
  package var lastingFailure: LastingFailure?
  /// Whether the page will be requested again in spite of the lasting failure, because it is
  /// queued, pinned or a feed.
  package var isRetried = false
  /// Whether the URL must not be requested: the site does not permit it, or a page named the URL
  /// and its host is on a private network or its port is blocked.
  var isForbidden = false
  /// Whether the settings forbid saving the response, or it is too large, so that another request
  /// would be useless.
  var isUnstorable = false
  /// Whether the failure of the page is excused: an earlier run has reported the same failure, and
  /// the request sets `excusesRepeatedFailures`.
  package var isExcused = false

  /// Whether a response was received that is not trusted as the page.
  package var isRejected = false
  /// The number of days on which responses were rejected, including the day of this save; 0 if the
  /// response was trusted.
  package var rejectionDayCount = 0
  /// Whether the saved copy may have come from a captive portal, so that the page remains queued
  /// and is requested again.
  package var isUnconfirmed = false
  /// Whether a captive portal responded in place of the page's server.
  package var isFromCaptivePortal = false
  /// Whether the page's server responded.
  package var isReached = false

  /// The result of saving a page.
  package enum Result: Sendable, Equatable {
    /// A new version was saved.
    case saved
    /// The page was saved before and has not changed.
    case unchanged
    /// An older copy remains; the value is the reason why there is no newer one.
    case kept(String)
    /// No copy is saved; the value is the reason.
    case failed(String)
    /// The site does not permit automatic requests (robots.txt).
    case refused
  }

  /// Whether the page is the next part of an article that is kept.
  var continuesPinnedPage: Bool { firstPinnedPart != nil }

  /// Whether the saved copy is the current version on the server.
  package var isCurrent: Bool { result == .saved || result == .unchanged }

  /// Whether the page can be read offline: a copy is saved, and nothing prevents reading it
  /// (`unreadiness`).
  package var isReady: Bool { isReadable && unreadiness == nil }

  /// Whether a copy is saved.
  package var isReadable: Bool {
    switch result {
    case .saved, .unchanged, .kept: true
    case .failed, .refused: false
    }
  }
}

extension SaveOutcome {
  /// Counts an image that could not be saved, and records its URL unless `maxMissingImageNames` is
  /// reached.
  mutating func countMissing(image url: WebURL, _ reason: String) {
    missingImageCount += 1
    guard missingImageNames.count < Self.maxMissingImageNames else { return }
    missingImageNames.append(MissingImage(url: url.description, reason: reason))
  }

  /// The maximum number of missing images of a page that are recorded.
  private static let maxMissingImageNames = 20
}
