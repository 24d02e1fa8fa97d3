/// The subjects in the first list of the menu. Each opens the list of its commands.
///
/// Help and the manual group commands more coarsely (`HelpGroup`), because they are read from
/// beginning to end, while a menu is for selecting one line.
package enum MenuSubject: String, CaseIterable, Sendable {
  case moving = "Move on the page"
  case links = "Links and images"
  case finding = "Find words"
  case pages = "Go to other pages"
  case tabs = "Open tabs"
  case appearance = "Appearance of the page"
  case versions = "Versions and offline mode"
  case keeping = "Keep, mark and remove"
  case library = "Library, search and queue"
  case programs = "Copy, download, other programs"
  case offread = "offread itself"
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
