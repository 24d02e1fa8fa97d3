package import Foundation
import Document
import OfflineCache

/// The source of a page: the facts behind the banner.
package struct Provenance: Sendable, Equatable {
  package var source: Source
  /// The date of the content: when the server generated a response (estimated from `Age`), when a
  /// rendering was made, or when a book was imported; nil for files and built-in pages.
  package var contentDate: Date?
  /// The last check of the copy with the server; nil if it was never checked since it was fetched.
  package var lastCheck: Check?
  /// The number of older saved versions.
  package var olderVersions: Int
  /// Whether the saved copy is still fresh (RFC 9111 §4.2).
  package var isFresh: Bool
  /// The archive file that contains the copy, if another device or program wrote it; nil otherwise.
  package var importedFile: String?
  /// The host of the web archive that the copy comes from, according to its record; nil for none.
  package var archiveHost: String?
  /// The reason why the content on screen may not be the page, if there is no saved copy to show
  /// instead; nil otherwise.
  package var rejection: SavedReason?
  /// Whether the content of an incomplete response is saved as a copy for reading without the
  /// network.
  package var isContentSaved = false
  /// The names in lower case of the request fields in which the request of the copy differs from
  /// this request (RFC 9111 §4.1).
  package var differingFields: [String] = []

  package init(
    source: Source, contentDate: Date? = nil, lastCheck: Check? = nil, olderVersions: Int = 0,
    isFresh: Bool = false, importedFile: String? = nil, archiveHost: String? = nil
  ) {
    self.importedFile = importedFile
    self.archiveHost = archiveHost
    self.isFresh = isFresh
    self.source = source
    self.contentDate = contentDate
    self.lastCheck = lastCheck
    self.olderVersions = olderVersions
  }

  /// Whether the copy comes from a web archive.
  package var isFromRemote: Bool { archiveHost != nil }

  /// A text such as `for another x-api-key` for a copy that responds to a different request; nil
  /// otherwise.
  package var variantDescription: String? {
    guard let first = differingFields.first else { return nil }
    // The server chooses the names, so they may be arbitrarily long.
    let isShort = differingFields.count == 1 && first.utf8.count <= 24
    return "for another \(isShort ? SafeText.line(first) : "request")"
  }

  /// A text such as `from import-0a1b.warc.gz` for a copy that another device or program wrote, or
  /// `from the archive of HOST` for one from a web archive; nil otherwise.
  package var importDescription: String? {
    let source = archiveHost.map { "the archive of \($0)" } ?? importedFile
    return source.map { "from \(SafeText.line($0))" }
  }

  /// The source of the bytes on screen.
  package enum Source: Sendable, Equatable {
    /// The network, just now: a new response, or a saved one that the server confirmed.
    case network
    /// A saved response that is still fresh, shown without a request.
    case fresh
    /// A saved copy, shown for this reason.
    case saved(SavedReason)
    /// A local file that replaces the page, by a substitution rule of the settings.
    case substituted
    /// A built-in page.
    case builtIn
    /// A local file or standard input.
    case file
    /// A page of offread that explains why the page is not available.
    case explanation
  }

  /// A check of the copy with the server.
  package struct Check: Sendable, Equatable {
    /// The date when the check ended.
    package var date: Date
    /// The reason why the check failed; nil if it succeeded.
    package var failure: SavedReason?

    package init(date: Date, failure: SavedReason? = nil) {
      self.date = date
      self.failure = failure
    }
  }
}
