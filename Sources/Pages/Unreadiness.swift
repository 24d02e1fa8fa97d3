import Document

/// The reason why a saved page cannot be read offline.
package enum Unreadiness: Sendable, Hashable, CustomStringConvertible {
  /// The page has no text, or its text is created by scripts.
  case withoutText
  /// The content of the page is empty.
  case empty
  /// The page only requests consent.
  case asksForConsent
  /// A required frame is not saved; the value is its URL.
  case missingFrame(String)
  /// The target of the page's `meta refresh` is not saved; the value is its URL.
  case missingTarget(String)
  /// offread crashed on the page repeatedly, so this version does not parse it.
  case crashes
  /// The page is a PDF file that cannot be read.
  case damaged

  /// The categories of reasons, for counts.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case withoutText, empty, asksForConsent, missingPart, excluded, damaged
  }

  package var kind: Kind {
    switch self {
    case .withoutText: .withoutText
    case .empty: .empty
    case .asksForConsent: .asksForConsent
    case .missingFrame, .missingTarget: .missingPart
    case .crashes: .excluded
    case .damaged: .damaged
    }
  }

  /// Whether the page was read and has no text.
  package var isLackOfText: Bool { self == .withoutText || self == .empty }

  /// The reason, as a clause about the page.
  package var description: String {
    switch self {
    case .withoutText: "it has no text to read"
    case .empty: "the server sent an empty page"
    case .asksForConsent: "it only asks for consent"
    case .missingFrame(let url): "its frame \(Self.displayedURL(url)) is not saved"
    case .missingTarget(let url): "it redirects to \(Self.displayedURL(url)), which is not saved"
    case .crashes: "offread has crashed on it"
    case .damaged: "the file is damaged"
    }
  }

  private static func displayedURL(_ url: String) -> String {
    SafeText.line(SafeText.withoutCredentials(url))
  }
}
