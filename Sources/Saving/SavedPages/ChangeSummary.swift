package import Reader
package import Library
import ReaderMode
import Document
import OfflineCache

/// What has changed between two versions of a page, in a line.
package struct ChangeSummary: Sendable, Equatable {
  /// How many paragraphs are new or changed, and how many are gone or changed.
  package var added = 0
  package var removed = 0
  /// The first words that are new, else the first that are gone, on one line; as they are on the page, not
  /// cleaned.
  package var words = ""

  /// The most characters of the words.
  private static let mostCharacters = 100

  /// Sums a difference up; nil when both versions say the same.
  package init?(_ difference: PageDifference) {
    guard !difference.isEmpty else { return nil }
    var (new, gone) = ("", "")
    for case .changed(_, let pieces) in difference.parts {
      let changes = pieces.map(\.change)
      if changes.contains(where: { $0 != .deleted }) { added += 1 }
      if changes.contains(where: { $0 != .inserted }) { removed += 1 }
      if new.isEmpty { new = Self.words(of: pieces, .inserted) }
      if gone.isEmpty { gone = Self.words(of: pieces, .deleted) }
    }
    words = String((new.isEmpty ? gone : new).prefix(Self.mostCharacters))
  }

  /// The first piece of a kind that says something.
  private static func words(of pieces: [PageDifference.Piece], _ change: PageDifference.Change)
    -> String
  {
    let piece = pieces.first { piece in
      piece.change == change && piece.text.contains { $0.isLetter || $0.isNumber }
    }
    return (piece?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Compares a version of a page that has just come, the newest that may be shown, with the one before it; nil
  /// when there is none, when it has not just come, when they say the same, when one of them is no text or cannot be read, and when they are too long to be
  /// compared. Blocks for the disk.
  /// - Parameters:
  ///   - url: the page.
  ///   - profile: where it is saved.
  package init?(ofNewest url: String, in profile: Profile) {
    // A version that was found unchanged since it came was told of when it came.
    guard let pages = try? PageVersions(of: url, in: profile.cache).pages, pages.count > 1,
      pages[0].response.lastCheck == nil
    else { return nil }
    let documents = pages.prefix(2).compactMap {
      try? profile.document(of: $0.response, as: .page, limit: Int64(PageChanges.limit))
    }
    guard documents.count == 2,
      documents[0].text.count + documents[1].text.count <= PageChanges.limit
    else { return nil }
    self.init(PageDifference(from: documents[1], to: documents[0]))
  }

  /// `+12 −3 lines: the first words that are new`, cleaned.
  package var text: String {
    let counts = [(added, "+"), (removed, "−")].filter { $0.0 > 0 }.map { "\($0.1)\($0.0)" }
    let noun = max(added, removed) == 1 ? "line" : "lines"
    return SafeText.line(
      counts.joined(separator: " ") + " " + noun + (words.isEmpty ? "" : ": \(words)"))
  }
}
