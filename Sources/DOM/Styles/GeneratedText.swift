/// The text that a style sheet inserts into a page.
package struct GeneratedText: Sendable, Equatable {
  /// The text as UTF-8; empty for none.
  package var bytes: [UInt8] = []
  /// Whether a part of the text is the value of an attribute.
  package var hasAttributeValue = false
  /// Whether line feeds in the text are line breaks; nil if the styles of the element decide.
  package var keepsLineFeeds: Bool?
}
