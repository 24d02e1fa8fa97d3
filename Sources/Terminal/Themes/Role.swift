package import Layout

/// The vocabulary of themes: everything that can have a colour or attribute of its own.
package enum Role: String, CaseIterable, Sendable, Hashable {
  // In pages.
  case text, heading, link, visited, button, code, dim, accent, quote
  // In code.
  case comment, string, number, keyword
  // Around pages.
  case title, banner, status, prompt, notice, error
  // Over pages.
  case focus, match, currentMatch, highlight

  /// The role of a text of a page.
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

/// How a role looks where a theme does not say it.
struct RoleLook {
  /// The role whose colours it takes, and that one's parent if the theme does not name it either; nil for
  /// none.
  var parent: Role?
  /// Its look where the theme names none of them. The attributes also carry its meaning on a terminal without
  /// colours.
  var look: Theme.Appearance

  init(_ parent: Role?, _ attributes: Theme.Attributes = [], foreground: Theme.Color? = nil) {
    self.parent = parent
    look = Theme.Appearance(foreground: foreground, attributes: attributes)
  }
}

extension Role {
  /// What this role is without a theme: the one list of looks that a new role must be added to.
  var looks: RoleLook {
    switch self {
    case .text: RoleLook(nil)
    case .heading: RoleLook(.text, .bold)
    case .link: RoleLook(.text, .underline, foreground: .palette(6))
    case .visited: RoleLook(.link, [.underline, .dim], foreground: .palette(5))
    case .button: RoleLook(.link, .bold, foreground: .palette(6))
    case .code, .dim, .quote: RoleLook(.text)
    // Without colours, comments alone are told apart.
    case .comment: RoleLook(.code, .italic)
    case .string, .number, .keyword: RoleLook(.code)
    case .accent: RoleLook(.text, .bold)
    case .title, .banner, .notice: RoleLook(.text, .bold)
    case .status, .prompt: RoleLook(.text)
    case .error: RoleLook(.text, [.bold, .reverse])
    case .focus: RoleLook(nil, .reverse)
    case .match: RoleLook(nil, [.underline, .bold])
    case .currentMatch: RoleLook(.match, [.reverse, .bold])
    case .highlight: RoleLook(.text, .underline)
    }
  }
}
