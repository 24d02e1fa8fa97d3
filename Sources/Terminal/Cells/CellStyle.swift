package import Document
package import Images
package import Layout

/// How a cell looks: a role of the theme plus the attributes of the text.
package struct CellStyle: Sendable, Hashable {
  /// The role that gives colours.
  package var role: Role
  /// What the text means; gives bold, italic, underline.
  package var inline: InlineStyle
  /// The colours of a part of an image, in place of the role's.
  package var colors: ImageColors?

  package init(_ role: Role = .text, inline: InlineStyle = InlineStyle()) {
    self.role = role
    self.inline = inline
  }

  /// As the text of a page looks.
  package init(_ style: TextStyle) {
    self.init(Role(style.role), inline: style.inline)
  }
}
