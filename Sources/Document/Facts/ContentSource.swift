/// The source of the text of a page in reader view.
package enum ContentSource: Sendable, Equatable {
  /// The visible page; the extraction model chose the content.
  case visiblePage
  /// The page including text that it hides until a script shows it; the extraction model chose the
  /// content.
  case hiddenText
  /// The `noscript` elements of the page; the extraction model chose the content.
  case noScript
  /// The page without its navigation, because nothing looked like content.
  case wholePage
  /// The page, which has neither visible text nor structured data.
  case emptyPage
  /// The page, which has too many elements for reader view.
  case tooLargePage
  /// The machine-readable data of the page.
  case structuredData(StructuredDataKind)

  /// The kind of machine-readable data that contained the text.
  package enum StructuredDataKind: Sendable, Equatable {
    /// JSON-LD: an article, a recipe, questions and answers, or a product description.
    case linkedData
    /// JSON-LD: the whole text of an article of which the page shows the beginning.
    case articleBody
    /// The serialized state of the page's scripts.
    case scriptState
    /// The description in the head of a page that has nothing else.
    case description
  }

  /// Whether content extraction failed, so that the whole page is shown.
  package var isWholePage: Bool {
    self == .wholePage || self == .emptyPage || self == .tooLargePage
  }
}
