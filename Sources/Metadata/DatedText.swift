import Dates

/// Recognizes dates in lines that no markup names as dates.
package enum DatedText {
  private static let maxBytes = 200

  /// Whether a short line contains the date of a day.
  package static func containsDay(_ line: String) -> Bool {
    line.utf8.count <= maxBytes
      && DateScanner(DateToken.tokens(of: line), order: .monthFirst).dates.contains {
        $0.date.day != nil
      }
  }
}
