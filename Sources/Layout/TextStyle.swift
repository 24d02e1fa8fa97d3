package import Document

/// The style of a run: a role and inline attributes.
package struct TextStyle: Sendable, Hashable {
  /// The text role, which determines the colours.
  package var role: TextRole
  /// The inline styles, which determine bold, italic and underline.
  package var inlineStyle: InlineStyle

  package init(_ role: TextRole = .text, inlineStyle: InlineStyle = InlineStyle()) {
    self.role = role
    self.inlineStyle = inlineStyle
  }
}
