/// Where the text of a page in reader view is from.
package enum ContentSource: Sendable, Equatable {
  /// The page, chosen by the model.
  case page
  /// The page with what it hides until a script shows it, chosen by the model.
  case hidden
  /// What the page has for browsers without scripts (`noscript`), chosen by the model.
  case noScript
  /// The page without its navigation: nothing looked like content.
  case wholePage
  /// The page, which shows no text and has none for programs.
  case nothing
  /// The page, which has too many elements for reader view.
  case tooLarge
  /// What the page says to programs.
  case embedded(Data)

  /// Where among what the page says to programs the text was found.
  package enum Data: Sendable, Equatable {
    /// JSON-LD: an article, a recipe, questions and answers, the description of a product.
    case linkedData
    /// The state of the page's own scripts.
    case state
    /// The description in the head, of a page that has nothing else.
    case description
  }

  /// Whether nothing on the page was told from the rest of it.
  package var isWholePage: Bool { self == .wholePage || self == .nothing || self == .tooLarge }
}
