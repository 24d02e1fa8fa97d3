import DOM
import Document
import OfflineCache

extension Document {
  /// Whether the page only requests consent, as sites do on a first visit instead of showing the
  /// page. This is decided by the text; a page with other text besides the request does not count.
  package var asksOnlyForConsent: Bool {
    guard text.count <= Self.maxConsentPageLength else { return false }
    let isTitled = Self.names(ConsentVocabulary.subjects, title)
    var hasResponse = false
    var (about, others) = (0, 0)
    for block in blocks where !block.runs.isEmpty {
      let isAbout = Self.names(ConsentVocabulary.subjects, text(of: block))
      for run in runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)] {
        let content = text(of: run)
        if run.style.contains(.control) {
          hasResponse = hasResponse || Self.names(ConsentVocabulary.buttonLabels, content)
        } else if isAbout {
          about += Self.count(content)
        } else if run.link == nil {
          others += Self.count(content)
        }
      }
    }
    let maxOthers = max(Self.maxOtherWordCount, about / (isTitled ? 1 : 4))
    return hasResponse && (isTitled || about > 0) && others <= maxOthers
  }

  /// Maximum length of the text of a page that only requests consent, in bytes.
  private static let maxConsentPageLength = 4000
  /// Maximum number of words besides the request, such as the name of the site.
  private static let maxOtherWordCount = 12

  private static func count(_ text: String) -> Int {
    text.split(whereSeparator: \.isWhitespace).count
  }

  private static func names(_ vocabulary: [String], _ text: String) -> Bool {
    let text = text.lowercased()
    return vocabulary.contains { text.contains($0) }
  }
}
