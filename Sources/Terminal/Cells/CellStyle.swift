package import Document
package import Images
package import Layout

/// The style of a cell: a role of the theme and inline attributes.
package struct CellStyle: Sendable, Hashable {
  /// The role, which determines the colours.
  package var role: Role
  /// The inline styles, which add attributes such as bold or underline to those of the role.
  package var inlineStyle: InlineStyle
  /// The colours of a part of an image, which override the role's colours; nil for other text.
  package var imageColors: ImageColors?

  package init(_ role: Role = .text, inlineStyle: InlineStyle = InlineStyle()) {
    self.role = role
    self.inlineStyle = inlineStyle
  }

  /// Creates the cell style for a text style of a page.
  package init(_ style: TextStyle) {
    self.init(Role(style.role), inlineStyle: style.inlineStyle)
  }
}
