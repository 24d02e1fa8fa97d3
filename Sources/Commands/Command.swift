import Configuration
import Pages
import Sandbox

/// The commands that keys can be bound to.
///
/// This is the only table of commands: `definition` gives the name, the default keys and the help
/// of each. Key maps, help screens, the command prompt, the manual and the tests are derived from
/// it. To add a command, add a case: the compiler then requires its definition, menu subject and
/// its branches in `Command+Actions`.
package enum Command: String, CaseIterable, Sendable {
  // Movement.
  case lineDown, lineUp, pageDown, pageUp, halfPageDown, halfPageUp
  case top, bottom, percent, nextHeading, previousHeading, outline, mark, goToMark
  case panLeft, panRight, nextChange, previousChange
  case nextLink, previousLink, follow, fillIn, preview, hints, queueHint, openImage, linkNumbers,
    linkMarks,
    links, comments
  case back, forward, reload, openURL, openInBackground, nextTab, previousTab, tabs, closeTab,
    editURL,
    nextPart, previousPart, olderVersion, newerVersion,
    offline,
    information
  case remote, render, copyURL, copyLink, markLines, readerView, source, images, wrapCode, download,
    outside
  case pipe, editor
  // Library.
  case library, feeds, unread, search, history, queue, downloads, highlights,
    exportHighlights, fetchEnclosures, keep, keepLink, tag, markAllRead, remove, undo, sort
  // Search.
  case findForward, findBackward, findNext, findPrevious
  // Program.
  case command, menu, help, messages, shell, set, editSettings, nextTheme, theme, redraw, suspend,
    cancel, quit

  /// The definition of a command: a row of the table.
  package struct Definition: Sendable {
    /// The name in the settings and at the command prompt (`:`).
    package var name: String
    /// The names of the command's keys in the preset `default`, the most common first.
    package var keys: [String]
    /// The heading under which help lists the command.
    package var group: HelpGroup
    /// A short description without a full stop.
    package var help: String
    /// The argument that may follow the name at the command prompt; nil if there is none.
    package var argument: Argument?
    /// The descriptions of the command, each for a set of screens.
    private var helpRows: [(screens: Screens, help: String)]

    fileprivate init(
      _ group: HelpGroup, _ name: String, _ keys: String, _ help: String,
      takes argument: Argument? = nil, inLists list: String? = nil, on screens: Screens = .all,
      but otherHelp: KeyValuePairs<Screens, String> = [:]
    ) {
      self.group = group
      self.name = name
      self.keys = keys.split(separator: " ").map(String.init)
      self.help = help
      self.argument = argument
      helpRows = otherHelp.map { ($0, $1) }
      if let list { helpRows.append((screens.intersection(.lists), list)) }
      if screens.contains(.page) { helpRows.append((.page, help)) }
    }

    /// The screens on which the command has an effect.
    package var screens: Screens { helpRows.reduce(into: []) { $0.formUnion($1.screens) } }

    /// Returns the description for a screen; nil if the command has no effect there.
    package func help(on screen: Screens) -> String? {
      helpRows.first { $0.screens.contains(screen) }?.help
    }
  }

  /// The kind of argument of a command. The raw value names the argument in help texts.
  package enum Argument: String, Sendable {
    /// A number, such as a repeat count.
    case number = "N"
    /// A URL.
    case url = "ADDRESS"
    /// Search words.
    case searchTerms = "WORDS"
    /// The letter of a bookmark in a page.
    case letter = "LETTER"
    /// Tags separated by commas.
    case tags = "TAGS"
    /// A shell command.
    case shell = "COMMAND"
    /// The name of a file.
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
  package enum HelpGroup: String, CaseIterable, Sendable {
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
        .moving, "bottom", "G End", "end of the page; 150G: line 150", takes: .number,
        inLists: "last entry")
    case .percent:
      .init(.moving, "percent", "%", "go to a percentage of the page, such as 50%", takes: .number)
    case .nextHeading: .init(.moving, "next-heading", "}", "next heading", takes: .number)
    case .previousHeading:
      .init(.moving, "previous-heading", "{", "previous heading", takes: .number)
    case .outline:
      .init(
        .moving, "outline", "t", "list the headings of the page",
        inLists: "list the headings of the page")
    case .mark: .init(.moving, "mark", "m", "set a mark here, named by a letter", takes: .letter)
    case .goToMark:
      .init(
        .moving, "go-to-mark", "'", "go to a mark; '': back to where you jumped from",
        takes: .letter)
    case .panLeft:
      .init(.moving, "pan-left", "<", "scroll long lines of code to the left", takes: .number)
    case .panRight:
      .init(.moving, "pan-right", ">", "scroll long lines of code to the right", takes: .number)
    case .nextChange:
      .init(
        .moving, "next-change", "c", "next change since the version shown before", takes: .number)
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
        .links, "preview", "K", "preview the footnote, or the start of the saved page",
        takes: .number)
    case .hints:
      .init(.links, "hints", "f", "show letters before the links; type them to follow one")
    case .queueHint:
      .init(.links, "queue-hint", "F", "show letters before the links; type them to queue one")
    case .openImage:
      .init(.links, "open-image", "i", "show letters before the images; type them to open one")
    case .linkMarks:
      .init(.links, "link-marks", "&", "show or hide which links are saved or queued")
    case .links:
      .init(
        .links, "links", "l", "list the links of the page", inLists: "list the links of the page")
    case .comments:
      .init(.links, "comments", "$", "show or hide the comments below a text in reader view")
    case .linkNumbers: .init(.links, "link-numbers", ".", "show or hide link numbers")
    case .back:
      .init(
        .pages, "back", "Left B Backspace", "back, to the old position", takes: .number,
        inLists: "close")
    case .forward: .init(.pages, "forward", "L M-Right", "forward again", takes: .number)
    case .reload:
      .init(
        .pages, "reload", "r R C-r", "reload the page, or queue it; show a newer version",
        inLists: "update the list", on: [.page, .savedPageLists, .feeds, .highlights, .information])
    case .openURL:
      .init(
        .pages, "open", "o", "open a URL or a file", takes: .url,
        inLists: "open a URL or a file")
    case .openInBackground:
      .init(
        .pages, "open-in-background", "C-t", "open the link in a background tab; 5 C-t: link 5",
        takes: .number, inLists: "open in a background tab",
        on: [.page, .savedPageLists, .highlights, .links])
    case .nextTab:
      .init(
        .pages, "next-tab", "M-.", "next tab", takes: .number,
        inLists: "next tab", on: [.page, .savedPageLists, .highlights])
    case .previousTab:
      .init(
        .pages, "previous-tab", "M-,", "previous tab", takes: .number,
        inLists: "previous tab", on: [.page, .savedPageLists, .highlights])
    case .tabs: .init(.pages, "tabs", "", "list the tabs", inLists: "list the tabs")
    case .closeTab:
      .init(
        .pages, "close-tab", "X", "close this tab; closing the last one quits", on: .page,
        but: [.tabs: "close the page"])
    case .editURL:
      .init(
        .pages, "edit", "e U", "edit the URL of this page", on: .page,
        but: [.highlights: "edit the note"])
    case .olderVersion:
      .init(.pages, "older-version", "(", "older saved version", takes: .number)
    case .newerVersion:
      .init(.pages, "newer-version", ")", "newer saved version", takes: .number)
    case .nextPart:
      .init(
        .pages, "next-part", ";", "the next page of a book, a collection or a list",
        takes: .number)
    case .previousPart:
      .init(.pages, "previous-part", ",", "the page before this one", takes: .number)
    case .remote:
      .init(
        .pages, "remote", "", "show a capture from a web archive: the latest, or of a date",
        takes: .date)
    case .render:
      .init(.pages, "render", "", "show the page as a browser renders it with scripts")
    case .offline:
      .init(
        .pages, "offline", "x", "turn offline mode on or off",
        inLists: "turn offline mode on or off")
    case .information:
      .init(
        .pages, "information", "=", "show the source, the dates and the saved versions",
        inLists: "show the source, the dates and the saved versions")
    case .copyURL:
      .init(
        .pages, "copy-url", "y", "copy the URL of this page", inLists: "copy the URL",
        on: [.page, .savedPageLists, .feeds, .highlights, .links, .downloads])
    case .copyLink:
      .init(
        .pages, "copy-link", "Y", "copy the URL of the link", inLists: "copy the URL",
        on: [.page, .savedPageLists, .feeds, .highlights, .links, .downloads])
    case .markLines:
      .init(
        .pages, "select-text", "w", "select text to copy, or to highlight with a note",
        takes: .number)
    case .readerView: .init(.pages, "reader", "v", "switch between reader view and the whole page")
    case .source: .init(.pages, "source", "\\", "switch between the page and its source")
    case .images:
      .init(.pages, "images", "*", "show the images as text, draw them, or hide them")
    case .wrapCode: .init(.pages, "wrap-code", "W", "wrap long lines of code, or cut them off")
    case .download:
      .init(.pages, "download", "D", "download the link, or this page, to a file", takes: .file)
    case .outside:
      .init(.pages, "open-external", "O", "open the link, or this page, in another program")
    case .pipe:
      .init(.pages, "pipe", "|", "pipe the text of the page into a command", takes: .shell)
    case .editor: .init(.pages, "editor", "E", "open the text of the page in the editor")
    case .findForward:
      .init(
        .finding, "find", "/", "find as you type", takes: .searchTerms,
        inLists: "filter as you type")
    case .findBackward: .init(.finding, "find-backward", "?", "find backwards", takes: .searchTerms)
    case .findNext: .init(.finding, "find-next", "n", "next match")
    case .findPrevious: .init(.finding, "find-previous", "N", "previous match")
    case .library:
      .init(
        .library, "library", "s", "library: the saved pages", inLists: "library: the saved pages")
    case .feeds:
      .init(
        .library, "feeds", "f", "in a list: list the feeds", inLists: "list the feeds", on: .lists)
    case .unread:
      .init(
        .library, "unread", "n", "in a list: list the unread items of the feeds",
        inLists: "list the unread items of the feeds", on: .lists)
    case .search:
      .init(
        .library, "search", "S", "search everything saved", takes: .searchTerms,
        inLists: "search everything saved")
    case .history:
      .init(
        .library, "history", "V", "history: the pages you opened",
        inLists: "history: the pages you opened")
    case .queue:
      .init(.library, "queue", "Q", "list the queued pages", inLists: "list the queued pages")
    case .downloads:
      .init(
        .library, "downloads", "P", "list the downloads",
        inLists: "list the downloads")
    case .highlights:
      .init(
        .library, "highlights", "\"", "list the highlights with their notes",
        inLists: "list the highlights")
    case .exportHighlights:
      .init(
        .library, "export-highlights", "",
        "write the highlights of the page, or of the list, to a Markdown file", takes: .file,
        inLists: "write all highlights to a Markdown file", on: [.page, .highlights])
    case .fetchEnclosures:
      .init(
        .library, "fetch-enclosures", "",
        "fetch the audio and video of the feed, or of all feeds",
        inLists: "fetch the audio and video of the feed, or of all feeds",
        on: [.page, .library, .feeds, .feed, .unread])
    case .keep:
      .init(
        .library, "keep", "a", "keep this page, or stop keeping it",
        inLists: "keep, or stop keeping",
        on: [.page, .savedPageLists, .links])
    case .keepLink: .init(.library, "keep-link", "A", "keep the linked page, or stop keeping it")
    case .tag:
      .init(
        .library, "tag", "#", "edit the tags of this page", takes: .tags, inLists: "edit the tags",
        on: [.page, .savedPageLists, .feeds, .links])
    case .markAllRead:
      .init(
        .library, "mark-all-read", "N", "in a list: mark the items of the feed as read",
        inLists: "mark the items of the feed as read", on: [.library, .feeds, .feed, .unread])
    case .remove:
      .init(
        .library, "remove", "Del", "in a list: remove the saved page", inLists: "remove",
        on: .savedPageLists,
        but: [
          .downloads: "cancel, or remove from the list", .highlights: "remove the highlight",
          .tabs: "close the page",
        ])
    case .undo:
      .init(
        .library, "undo", "z", "restore the page removed or closed last",
        inLists: "undo the last removal, closing or marking as read",
        on: [.page, .savedPageLists, .feeds, .highlights, .tabs])
    case .sort:
      .init(
        .library, "sort", "O", "in the library: change the order", takes: .order,
        inLists: "change the order", on: .library)
    case .messages:
      .init(
        .program, "messages", "M", "list the errors of this session",
        inLists: "list the errors of this session")
    case .shell:
      .init(
        .program, "shell", "!", "run a command, or a shell", takes: .shell,
        inLists: "run a command, or a shell")
    case .command:
      .init(
        .program, "command", ":", "run a command by its name", inLists: "run a command by its name")
    case .menu:
      .init(
        .program, "menu", "F10", "menu of the commands",
        inLists: "menu of the commands", but: [.help: "close"])
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
        .program, "edit-settings", "", "edit the settings file, then reload it",
        inLists: "edit the settings file")
    case .nextTheme: .init(.program, "next-theme", "T", "next theme", inLists: "next theme")
    case .theme:
      .init(
        .program, "theme", "", "choose a theme by its name", takes: .theme,
        inLists: "choose a theme by its name")
    case .redraw:
      .init(.program, "redraw", "C-l", "redraw the screen", inLists: "redraw the screen")
    case .suspend:
      .init(.program, "suspend", "C-z", "suspend; fg resumes", inLists: "suspend; fg resumes")
    case .cancel:
      .init(
        .program, "cancel", "Esc C-c C-g", "cancel anything", inLists: "clear the filter, or close")
    case .quit: .init(.program, "quit", "q", "quit; close help", inLists: "close")
    }
  }

  /// Creates the command with the given name, or with a name that it had in 1.0.0; nil if there is
  /// none. Case and word separators are ignored.
  package init?(name: String) {
    let spelling = KeySetting.spelling(name)
    let command = Self.allCases.first { KeySetting.spelling($0.definition.name) == spelling }
    guard let command = command ?? Self.commandsByFormerName[spelling] else { return nil }
    self = command
  }

  /// Commands by the spelling of their names in 1.0.0, which settings may contain.
  private static let commandsByFormerName: [String: Command] = [
    "openbehind": .openInBackground, "marklines": .markLines, "outside": .outside,
  ]

  /// The names of all commands, in the order of the table.
  package static var names: [String] { allCases.map(\.definition.name) }
}

extension Command {
  /// The menu subject that lists the command; nil for the command that opens the menu.
  package var menuSubject: MenuSubject? {
    switch self {
    case .lineDown, .lineUp, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom,
      .percent, .nextHeading, .previousHeading, .outline, .mark, .goToMark, .panLeft, .panRight:
      .moving
    case .nextLink, .previousLink, .follow, .fillIn, .preview, .hints, .openImage, .links: .links
    case .findForward, .findBackward, .findNext, .findPrevious: .finding
    case .back, .forward, .reload, .openURL, .editURL, .nextPart, .previousPart: .pages
    case .openInBackground, .nextTab, .previousTab, .tabs, .closeTab: .tabs
    case .readerView, .source, .images, .linkNumbers, .linkMarks, .wrapCode, .nextTheme, .theme,
      .comments:
      .appearance
    case .olderVersion, .newerVersion, .nextChange, .previousChange, .remote, .render, .offline,
      .information:
      .versions
    case .keep, .keepLink, .queueHint, .tag, .markAllRead, .markLines, .remove, .undo: .keeping
    case .library, .feeds, .unread, .search, .history, .queue, .downloads, .highlights,
      .exportHighlights, .fetchEnclosures, .sort:
      .library
    case .copyURL, .copyLink, .download, .outside, .pipe, .editor, .shell: .programs
    case .command, .help, .messages, .set, .editSettings, .redraw, .suspend, .cancel, .quit:
      .offread
    case .menu: nil
    }
  }
}
