import Configuration
import Reader

/// The commands that keys can be bound to.
///
/// This is the only table of commands: `definition` gives the name, the default keys and the help
/// of each. Key maps, help screens, the command prompt, the manual and the tests are derived from
/// it. To add a command, add a case: the compiler then requires its definition and its branch in
/// `Browser+Commands`.
package enum Command: String, CaseIterable, Sendable {
  // Movement.
  case lineDown, lineUp, pageDown, pageUp, halfPageDown, halfPageUp
  case top, bottom, percent, nextHeading, previousHeading, outline, mark, goToMark
  case panLeft, panRight, nextChange, previousChange
  case nextLink, previousLink, follow, fillIn, preview, hints, queueHint, openImage, linkNumbers,
    linkMarks,
    links
  case back, forward, reload, openURL, openBehind, nextTab, previousTab, tabs, closeTab, editURL,
    nextPart, previousPart, olderVersion, newerVersion,
    offline,
    information
  case remote, render, copyURL, copyLink, markLines, readerView, source, images, wrapCode, download,
    outside
  case pipe, editor
  // Library.
  case library, search, history, queue, downloads, highlights, keep, keepLink, tag, remove, undo,
    sort
  // Search.
  case findForward, findBackward, findNext, findPrevious
  // Program.
  case command, menu, help, messages, shell, set, editSettings, nextTheme, theme, redraw, suspend,
    cancel, quit

  /// A row of the table.
  package struct Definition: Sendable {
    /// The name in the settings and at the command prompt (`:`).
    package var name: String
    /// The names of its keys in the preset `default`, the most common first.
    package var keys: [String]
    /// The heading under which help lists it.
    package var group: Group
    /// A short description without a full stop.
    package var help: String
    /// The argument that may follow the name at the command prompt, or nil.
    package var argument: Argument?
    /// The descriptions of the command, each for a set of screens.
    private var rows: [(screens: Screens, help: String)]

    fileprivate init(
      _ group: Group, _ name: String, _ keys: String, _ help: String,
      takes argument: Argument? = nil, inLists list: String? = nil, on screens: Screens = .all,
      but others: KeyValuePairs<Screens, String> = [:]
    ) {
      self.group = group
      self.name = name
      self.keys = keys.split(separator: " ").map(String.init)
      self.help = help
      self.argument = argument
      rows = others.map { ($0, $1) }
      if let list { rows.append((screens.intersection(.lists), list)) }
      if screens.contains(.page) { rows.append((.page, help)) }
    }

    /// The screens on which it has an effect.
    package var screens: Screens { rows.reduce(into: []) { $0.formUnion($1.screens) } }

    /// Returns the description for a screen; nil if the command has no effect there.
    package func help(on screen: Screens) -> String? {
      rows.first { $0.screens.contains(screen) }?.help
    }
  }

  /// The kind of argument of a command.
  package enum Argument: String, Sendable {
    /// A number: the count.
    case number = "N"
    /// A URL.
    case address = "ADDRESS"
    /// Search words.
    case words = "WORDS"
    /// The letter of a mark.
    case letter = "LETTER"
    /// Tags separated by commas.
    case tags = "TAGS"
    /// A shell command.
    case shell = "COMMAND"
    /// A file name.
    case file = "FILE"
    /// A sort order of the library.
    case order = "ORDER"
    /// The name of a theme.
    case theme = "THEME"
    /// A date.
    case date = "DATE"
    /// The name of a setting and its value.
    case setting = "NAME VALUE"
  }

  /// The headings of help.
  package enum Group: String, CaseIterable, Sendable {
    case moving = "Moving"
    case links = "Links"
    case pages = "Pages"
    case finding = "Finding"
    case library = "Library"
    case program = "Program"
  }

  /// The definition of the command.
  package var definition: Definition {
    switch self {
    case .lineDown:
      .init(
        .moving, "line-down", "j Down C-n", "one line down", takes: .number, inLists: "next entry")
    case .lineUp:
      .init(
        .moving, "line-up", "k Up C-p", "one line up", takes: .number, inLists: "previous entry")
    case .pageDown:
      .init(
        .moving, "page-down", "Space PgDn C-f", "one page down", takes: .number,
        inLists: "one screen down")
    case .pageUp:
      .init(
        .moving, "page-up", "b PgUp C-b", "one page up", takes: .number, inLists: "one screen up")
    case .halfPageDown:
      .init(
        .moving, "half-page-down", "d C-d", "half a page down", takes: .number,
        inLists: "half a screen down")
    case .halfPageUp:
      .init(
        .moving, "half-page-up", "u C-u", "half a page up", takes: .number,
        inLists: "half a screen up")
    case .top:
      .init(
        .moving, "top", "g Home", "top of the page; with a count, that line", takes: .number,
        inLists: "first entry")
    case .bottom:
      .init(
        .moving, "bottom", "G End", "bottom of the page; 150G: line 150", takes: .number,
        inLists: "last entry")
    case .percent: .init(.moving, "percent", "%", "50%: the middle of the page", takes: .number)
    case .nextHeading: .init(.moving, "next-heading", "}", "next heading", takes: .number)
    case .previousHeading:
      .init(.moving, "previous-heading", "{", "previous heading", takes: .number)
    case .outline:
      .init(
        .moving, "outline", "t", "the headings of the page", inLists: "the headings of the page")
    case .mark: .init(.moving, "mark", "m", "mark this place with a letter", takes: .letter)
    case .goToMark:
      .init(.moving, "go-to-mark", "'", "go to a mark; '' where you jumped from", takes: .letter)
    case .panLeft:
      .init(.moving, "pan-left", "<", "lines of code that are cut: to the left", takes: .number)
    case .panRight:
      .init(.moving, "pan-right", ">", "lines of code that are cut: to the right", takes: .number)
    case .nextChange:
      .init(
        .moving, "next-change", "c", "next change against the version seen before", takes: .number)
    case .previousChange:
      .init(.moving, "previous-change", "C", "previous change", takes: .number)
    case .nextLink:
      .init(
        .links, "next-link", "Tab ]", "next link or field", takes: .number, inLists: "next entry")
    case .previousLink:
      .init(
        .links, "previous-link", "S-Tab [", "previous link or field", takes: .number,
        inLists: "previous entry")
    case .follow:
      .init(
        .links, "follow", "Enter Right", "follow the link; 5 Enter: link 5", takes: .number,
        inLists: "open the entry", on: .all.subtracting(.messages),
        but: [
          .choices: "choose", .information: "show the saved version", .help: "run the command",
        ])
    case .fillIn:
      .init(.links, "fill-in", "I", "type into the first field on the screen or below it")
    case .preview:
      .init(
        .links, "preview", "K", "the footnote, or what the saved page begins with, in a box",
        takes: .number)
    case .hints: .init(.links, "hints", "f", "follow a link by the letters shown before it")
    case .queueHint:
      .init(.links, "queue-hint", "F", "let a link wait for the next sync, by letters")
    case .openImage:
      .init(.links, "open-image", "i", "open an image by the letters shown before it")
    case .linkMarks:
      .init(.links, "link-marks", "&", "show or hide which links are saved and which wait")
    case .links:
      .init(.links, "links", "l", "the links of the page", inLists: "the links of the page")
    case .linkNumbers: .init(.links, "link-numbers", ".", "show or hide link numbers")
    case .back:
      .init(
        .pages, "back", "Left B Backspace", "back, to the old position", takes: .number,
        inLists: "close")
    case .forward: .init(.pages, "forward", "L M-Right", "forward again", takes: .number)
    case .reload:
      .init(
        .pages, "reload", "r R C-r", "ask the server again, or in the queue; show a newer version",
        inLists: "look again", on: [.page, .saved, .highlights, .information])
    case .openURL:
      .init(.pages, "open", "o", "open an address", takes: .address, inLists: "open an address")
    case .openBehind:
      .init(
        .pages, "open-behind", "C-t", "open the link behind this page; 5 C-t: link 5",
        takes: .number, inLists: "open behind this page",
        on: [.page, .saved, .highlights, .links])
    case .nextTab:
      .init(
        .pages, "next-tab", "M-.", "the open page after this one", takes: .number,
        inLists: "the open page after this one", on: [.page, .saved, .highlights])
    case .previousTab:
      .init(
        .pages, "previous-tab", "M-,", "the open page before this one", takes: .number,
        inLists: "the open page before this one", on: [.page, .saved, .highlights])
    case .tabs: .init(.pages, "tabs", "", "the pages that are open", inLists: "the open pages")
    case .closeTab:
      .init(
        .pages, "close-tab", "X", "close this page; the last one quits", on: .page,
        but: [.tabs: "close the page"])
    case .editURL:
      .init(
        .pages, "edit", "e U", "edit the address of this page", on: .page,
        but: [.highlights: "edit the note"])
    case .olderVersion:
      .init(.pages, "older-version", "(", "the saved version before this one", takes: .number)
    case .newerVersion:
      .init(.pages, "newer-version", ")", "the saved version after this one", takes: .number)
    case .nextPart:
      .init(.pages, "next-part", "", "the next chapter of the book", takes: .number)
    case .previousPart:
      .init(.pages, "previous-part", "", "the chapter before this one", takes: .number)
    case .remote:
      .init(
        .pages, "remote", "", "the page as an archive of the web has it, now or on a date",
        takes: .date)
    case .render:
      .init(.pages, "render", "", "the page as a browser makes it that runs its scripts")
    case .offline:
      .init(.pages, "offline", "x", "offline mode on or off", inLists: "offline mode on or off")
    case .information:
      .init(
        .pages, "information", "=", "how the page came, and its saved versions",
        inLists: "how the page came, and its saved versions")
    case .copyURL:
      .init(
        .pages, "copy-url", "y", "copy the address of this page", inLists: "copy the address",
        on: [.page, .saved, .highlights, .links, .downloads])
    case .copyLink:
      .init(
        .pages, "copy-link", "Y", "copy the address of the link", inLists: "copy the address",
        on: [.page, .saved, .highlights, .links, .downloads])
    case .markLines:
      .init(
        .pages, "mark-lines", "w", "mark a paragraph, or lines: to copy, or to keep with a note",
        takes: .number)
    case .readerView: .init(.pages, "reader", "v", "reader view: the main content; whole page")
    case .source: .init(.pages, "source", "\\", "the text of which the page is made; the page")
    case .images:
      .init(.pages, "images", "*", "draw images that stand alone, hide them, or only name them")
    case .wrapCode: .init(.pages, "wrap-code", "W", "wrap or cut long lines of code")
    case .download:
      .init(.pages, "download", "D", "write the link, or this page, to a file", takes: .file)
    case .outside:
      .init(.pages, "outside", "O", "open the link, or this page, in another program")
    case .pipe:
      .init(.pages, "pipe", "|", "give the text of the page to a command", takes: .shell)
    case .editor: .init(.pages, "editor", "E", "the text of the page in the editor")
    case .findForward:
      .init(
        .finding, "find", "/", "find as you type", takes: .words, inLists: "filter while typing")
    case .findBackward: .init(.finding, "find-backward", "?", "find towards the top", takes: .words)
    case .findNext: .init(.finding, "find-next", "n", "next match")
    case .findPrevious: .init(.finding, "find-previous", "N", "previous match")
    case .library:
      .init(.library, "library", "s", "what is saved; continue reading", inLists: "what is saved")
    case .search:
      .init(
        .library, "search", "S", "find words in everything saved", takes: .words,
        inLists: "find words in everything saved")
    case .history: .init(.library, "history", "V", "what was read", inLists: "what was read")
    case .queue: .init(.library, "queue", "Q", "what waits to be fetched", inLists: "what waits")
    case .downloads:
      .init(
        .library, "downloads", "P", "what is written to files",
        inLists: "what is written to files")
    case .highlights:
      .init(
        .library, "highlights", "\"", "the passages that are kept, with their notes",
        inLists: "the passages that are kept")
    case .keep:
      .init(
        .library, "keep", "a", "keep this page, or no longer", inLists: "keep, or no longer",
        on: [.page, .saved, .links])
    case .keepLink: .init(.library, "keep-link", "A", "keep the page of the link, or no longer")
    case .tag:
      .init(
        .library, "tag", "#", "give this page tags", takes: .tags, inLists: "give the page tags",
        on: [.page, .saved, .links])
    case .remove:
      .init(
        .library, "remove", "Del", "in a list: remove what is saved of a page", inLists: "remove",
        on: .saved,
        but: [
          .downloads: "cancel, or take off the list", .highlights: "remove the highlight",
          .tabs: "close the page",
        ])
    case .undo:
      .init(
        .library, "undo", "z", "bring back what was removed last",
        inLists: "bring back what was removed", on: [.page, .saved, .highlights])
    case .sort:
      .init(
        .library, "sort", "O", "in the library: another order", takes: .order,
        inLists: "another order", on: .library)
    case .messages:
      .init(.program, "messages", "M", "what went wrong so far", inLists: "what went wrong so far")
    case .shell:
      .init(
        .program, "shell", "!", "run a command, or a shell", takes: .shell,
        inLists: "run a command, or a shell")
    case .command:
      .init(.program, "command", ":", "any command by its name", inLists: "any command by its name")
    case .menu:
      .init(
        .program, "menu", "F10", "what can be done here, to choose from",
        inLists: "what can be done here", but: [.help: "close"])
    case .help:
      .init(
        .program, "help", "H F1", "help for this screen", inLists: "help for this screen",
        but: [.help: "close help"])
    case .set:
      .init(
        .program, "set", "", "show or change a setting for this session", takes: .setting,
        inLists: "show or change a setting")
    case .editSettings:
      .init(
        .program, "edit-settings", "", "edit the settings file, and read it again",
        inLists: "edit the settings file")
    case .nextTheme: .init(.program, "next-theme", "T", "next theme", inLists: "next theme")
    case .theme:
      .init(
        .program, "theme", "", "the theme with a name", takes: .theme,
        inLists: "the theme with a name")
    case .redraw:
      .init(.program, "redraw", "C-l", "draw the screen again", inLists: "draw the screen again")
    case .suspend:
      .init(.program, "suspend", "C-z", "suspend; fg comes back", inLists: "suspend; fg comes back")
    case .cancel:
      .init(.program, "cancel", "Esc C-c C-g", "cancel anything", inLists: "drop the filter; close")
    case .quit: .init(.program, "quit", "q", "quit; close help", inLists: "close")
    }
  }

  /// Creates the command with the given name; case and word separators are ignored.
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
