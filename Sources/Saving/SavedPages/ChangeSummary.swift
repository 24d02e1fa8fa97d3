import Pages
package import Profiles
package import Library
import ReaderMode
import Document
import OfflineCache

/// A one-line summary of the changes between two versions of a page.
package struct ChangeSummary: Sendable, Equatable {
  /// The number of paragraphs that are new or changed.
  package var addedCount = 0
  /// The number of paragraphs that are deleted or changed.
  package var removedCount = 0
  /// The first new text, or else the first deleted text, on one line; not sanitized.
  package var excerpt = ""

  /// The maximum number of characters of the excerpt.
  private static let maxCharacters = 100

  /// Summarizes a difference; nil if the versions are equal.
  package init?(_ difference: PageDifference) {
    guard !difference.isEmpty else { return nil }
    var (new, gone) = ("", "")
    for case .changed(_, let pieces) in difference.parts {
      let changes = pieces.map(\.change)
      if changes.contains(where: { $0 != .deleted }) { addedCount += 1 }
      if changes.contains(where: { $0 != .inserted }) { removedCount += 1 }
      if new.isEmpty { new = Self.excerpt(of: pieces, .inserted) }
      if gone.isEmpty { gone = Self.excerpt(of: pieces, .deleted) }
    }
    excerpt = String((new.isEmpty ? gone : new).prefix(Self.maxCharacters))
  }

  /// Returns the text of the first piece with this change that contains a letter or a digit.
  private static func excerpt(of pieces: [PageDifference.Piece], _ change: PageDifference.Change)
    -> String
  {
    let piece = pieces.first { piece in
      piece.change == change && piece.text.contains { $0.isLetter || $0.isNumber }
    }
    return (piece?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Compares the newest showable version of a page with the one before it.
  ///
  /// Returns nil if there is no earlier version, if the server has confirmed the newest one since
  /// it was saved (the change was reported then), if both are equal, if one of them is not text or
  /// cannot be read, or if they are too long to be compared. Blocks for file access.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - profile: the profile in which the page is saved.
  package init?(ofNewest url: String, in profile: Profile) {
    // The change was reported when the version was saved; a later check does not report it again.
    guard let pages = try? PageVersions(of: url, in: profile.cache).pages, pages.count > 1,
      pages[0].response.lastCheck == nil
    else { return nil }
    let documents = pages.prefix(2).compactMap {
      try? profile.document(of: $0.response, as: .page, limit: Int64(PageChanges.maxTextLength))
    }
    guard documents.count == 2,
      documents[0].text.count + documents[1].text.count <= PageChanges.maxTextLength
    else { return nil }
    self.init(PageDifference(from: documents[1], to: documents[0]))
  }

  /// The summary as text, such as `+12 −3 lines: the first new text`; sanitized.
  package var text: String {
    let counts = [(addedCount, "+"), (removedCount, "−")].filter { $0.0 > 0 }.map {
      "\($0.1)\($0.0)"
    }
    let noun = max(addedCount, removedCount) == 1 ? "line" : "lines"
    return SafeText.line(
      counts.joined(separator: " ") + " " + noun + (excerpt.isEmpty ? "" : ": \(excerpt)"))
  }
}
