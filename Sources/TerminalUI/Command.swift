import Reader

/// Everything a key can do.
///
/// This is the one table of commands: `definition` gives the name, the default keys and the help of
/// each; the key maps, the help screens, the prompt for commands, the manual and the tests derive from it.
/// To add a command, add a case: the compiler then asks for its definition and for its branch in
/// `Browser+Commands`.
package enum Command: String, CaseIterable, Sendable {
  // Moving.
  case lineDown, lineUp, pageDown, pageUp, halfPageDown, halfPageUp
  case top, bottom, percent, nextHeading, previousHeading
  // Links.
  case nextLink, previousLink, follow, hints, linkNumbers
  // Pages.
  case back, forward, reload, openURL, editURL, olderVersion, newerVersion, offline, information
  case copyURL, copyLink, readerView
  // Finding.
  case findForward, findBackward, findNext, findPrevious
  // The program.
  case command, help, nextTheme, theme, redraw, suspend, cancel, quit

  /// A row of the table.
  package struct Definition: Sendable {
    /// The name for the config and for `:`.
    package var name: String
    /// The keys of the preset `default`, by their names, the most usual first.
    package var keys: [String]
    /// Under which heading help shows it.
    package var group: Group
    /// What it does, in a few words without a full stop.
    package var help: String
    /// What may follow the name in the prompt for commands, or nil.
    package var argument: Argument?

    fileprivate init(
      _ group: Group, _ name: String, _ keys: String, _ help: String,
      takes argument: Argument? = nil
    ) {
      self.group = group
      self.name = name
      self.keys = keys.split(separator: " ").map(String.init)
      self.help = help
      self.argument = argument
    }
  }

  /// What may follow the name of a command.
  package enum Argument: String, Sendable {
    /// A number: the count.
    case number = "N"
    /// An address.
    case address = "ADDRESS"
    /// Words to look for.
    case words = "WORDS"
    /// The name of a theme.
    case theme = "THEME"
  }

  /// The headings of help.
  package enum Group: String, CaseIterable, Sendable {
    case moving = "Moving"
    case links = "Links"
    case pages = "Pages"
    case finding = "Finding"
    case program = "Program"
  }

  /// The command's row.
  package var definition: Definition {
    switch self {
    case .lineDown: .init(.moving, "line-down", "j Down C-n", "one line down", takes: .number)
    case .lineUp: .init(.moving, "line-up", "k Up C-p", "one line up", takes: .number)
    case .pageDown: .init(.moving, "page-down", "Space PgDn C-f", "one page down", takes: .number)
    case .pageUp: .init(.moving, "page-up", "b PgUp C-b", "one page up", takes: .number)
    case .halfPageDown:
      .init(.moving, "half-page-down", "d C-d", "half a page down", takes: .number)
    case .halfPageUp: .init(.moving, "half-page-up", "u C-u", "half a page up", takes: .number)
    case .top:
      .init(.moving, "top", "g Home", "top of the page; with a count, that line", takes: .number)
    case .bottom:
      .init(.moving, "bottom", "G End", "bottom of the page; 150G: line 150", takes: .number)
    case .percent: .init(.moving, "percent", "%", "50%: the middle of the page", takes: .number)
    case .nextHeading: .init(.moving, "next-heading", "}", "next heading", takes: .number)
    case .previousHeading:
      .init(.moving, "previous-heading", "{", "previous heading", takes: .number)
    case .nextLink: .init(.links, "next-link", "Tab ]", "next link", takes: .number)
    case .previousLink: .init(.links, "previous-link", "S-Tab [", "previous link", takes: .number)
    case .follow:
      .init(.links, "follow", "Enter Right", "follow the link; 5 Enter: link 5", takes: .number)
    case .hints: .init(.links, "hints", "f", "follow a link by the letters shown before it")
    case .linkNumbers: .init(.links, "link-numbers", "*", "show or hide link numbers")
    case .back:
      .init(.pages, "back", "Left B Backspace", "back, to the old position", takes: .number)
    case .forward: .init(.pages, "forward", "L M-Right", "forward again", takes: .number)
    case .reload: .init(.pages, "reload", "r R C-r", "ask the server again; show a newer version")
    case .openURL: .init(.pages, "open", "o", "open an address", takes: .address)
    case .editURL: .init(.pages, "edit", "e U", "edit the address of this page")
    case .olderVersion: .init(.pages, "older-version", "(", "the previous saved version")
    case .newerVersion: .init(.pages, "newer-version", ")", "the latest saved version")
    case .offline: .init(.pages, "offline", "x", "offline mode on or off")
    case .information: .init(.pages, "information", "=", "page information")
    case .copyURL: .init(.pages, "copy-url", "y", "copy the address of this page")
    case .copyLink: .init(.pages, "copy-link", "Y", "copy the address of the link")
    case .readerView: .init(.pages, "reader", "v", "reader view: the main content; whole page")
    case .findForward: .init(.finding, "find", "/", "find as you type", takes: .words)
    case .findBackward: .init(.finding, "find-backward", "?", "find towards the top", takes: .words)
    case .findNext: .init(.finding, "find-next", "n", "next match")
    case .findPrevious: .init(.finding, "find-previous", "N", "previous match")
    case .command: .init(.program, "command", ":", "any command by its name")
    case .help: .init(.program, "help", "H F1", "help for this screen")
    case .nextTheme: .init(.program, "next-theme", "T", "next theme")
    case .theme: .init(.program, "theme", "", "the theme with a name", takes: .theme)
    case .redraw: .init(.program, "redraw", "C-l", "draw the screen again")
    case .suspend: .init(.program, "suspend", "C-z", "suspend; fg comes back")
    case .cancel: .init(.program, "cancel", "Esc C-c C-g", "cancel anything")
    case .quit: .init(.program, "quit", "q", "quit; close help")
    }
  }

  /// The command with a name of the table, its words joined in any way.
  package init?(name: String) {
    let spelling = KeySetting.spelling(name)
    guard
      let command = Self.allCases.first(where: {
        KeySetting.spelling($0.definition.name) == spelling
      })
    else { return nil }
    self = command
  }

  /// The names of all commands, in the order of the table.
  package static var names: [String] { allCases.map(\.definition.name) }
}
