package import Layout

/// The roles of text that can have colours and attributes in a theme.
package enum Role: String, CaseIterable, Sendable, Hashable {
  // Within pages.
  case text, heading, link, visited, button, code, dim, accent, quote
  // Within code.
  case comment, string, number, keyword
  // Around pages.
  case title, banner, status, prompt, notice, error
  // Overlays on pages.
  case focus, match, currentMatch, highlight

  /// Creates the role for a text role of a page.
  package init(_ role: TextRole) {
    self =
      switch role {
      case .text: .text
      case .heading: .heading
      case .link: .link
      case .button: .button
      case .code: .code
      case .dim: .dim
      case .accent: .accent
      case .quote: .quote
      case .comment: .comment
      case .string: .string
      case .number: .number
      case .keyword: .keyword
      }
  }
}

extension Role {
  /// The default style of the role. This is the only list to which a new role must be added.
  var defaultStyle: RoleStyle {
    switch self {
    case .text: RoleStyle(nil)
    case .heading: RoleStyle(.text, .bold)
    case .link: RoleStyle(.text, .underline, foreground: .palette(6))
    case .visited: RoleStyle(.link, [.underline, .dim], foreground: .palette(5))
    case .button: RoleStyle(.link, .bold, foreground: .palette(6))
    case .code, .dim, .quote: RoleStyle(.text)
    // Without colours, only comments are distinguished.
    case .comment: RoleStyle(.code, .italic)
    case .string, .number, .keyword: RoleStyle(.code)
    case .accent: RoleStyle(.text, .bold)
    case .title, .banner, .notice: RoleStyle(.text, .bold)
    case .status, .prompt: RoleStyle(.text)
    case .error: RoleStyle(.text, [.bold, .reverse])
    case .focus: RoleStyle(nil, .reverse)
    case .match: RoleStyle(nil, [.underline, .bold])
    case .currentMatch: RoleStyle(.match, [.reverse, .bold])
    case .highlight: RoleStyle(.text, .underline)
    }
  }
}
