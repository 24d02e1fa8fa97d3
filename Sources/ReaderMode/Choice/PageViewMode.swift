/// The form in which a page is shown.
package enum PageViewMode: Sendable, Equatable {
  /// All visible content, as in a browser.
  case page
  /// Reader view: only the main content.
  case reader(ReaderOptions)
  /// The source text.
  case source
}
