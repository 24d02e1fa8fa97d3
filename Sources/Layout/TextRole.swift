/// The roles of text in a page that may have colours of their own.
package enum TextRole: Sendable, Hashable, CaseIterable {
  case text, heading, link, button, code, dim, accent, quote
  // Roles within code.
  case comment, string, number, keyword
}
