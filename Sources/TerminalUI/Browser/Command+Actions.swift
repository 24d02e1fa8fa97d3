import Commands
import Configuration
import DOM
import Document
import Layout
import Pages

// What commands do: every switch over `Command` in this target is here, and none has a `default`,
// so that a command without an action does not compile.

/// The effect of a command on the page.
struct PageAction: Sendable {
  /// Executes the command, and returns the resulting effects.
  let run: @Sendable (inout Browser, CommandInput) -> [Effect]

  /// Creates an action that returns effects.
  static func effects(
    _ run: @escaping @Sendable (inout Browser, CommandInput) -> [Effect]
  ) -> PageAction {
    PageAction(run: run)
  }

  /// Creates an action that only changes the state of the browser.
  static func change(
    _ change: @escaping @Sendable (inout Browser, CommandInput) -> Void
  ) -> PageAction {
    PageAction { browser, input in
      change(&browser, input)
      return []
    }
  }

  /// Creates an action that opens a list, or closes it if it is open.
  static func list(_ kind: ListScreen.Kind) -> PageAction {
    .effects { browser, _ in browser.open(kind) }
  }

  /// Returns the action of a command that works only in lists: on the page, it shows a message.
  static func inLists(_ command: Command) -> PageAction {
    .change { browser, _ in browser.refuseOutsideLists(command) }
  }
}

extension Command {
  /// The action of the command on the page.
  var onPage: PageAction {
    switch self {
    case .lineDown: .change { $0.moveLine(by: $1.times) }
    case .lineUp: .change { $0.moveLine(by: -$1.times) }
    case .pageDown: .effects { $0.pageDown($1.times) }
    case .pageUp: .change { $0.scroll(byScreens: -$1.times) }
    case .halfPageDown: .change { $0.scroll(byHalfScreens: $1.times) }
    case .halfPageUp: .change { $0.scroll(byHalfScreens: -$1.times) }
    case .top: .change { $0.jump(to: ($1.count ?? 1) - 1) }
    case .bottom: .change { $0.jump(to: $1.count.map { $0 - 1 } ?? .max) }
    case .percent: .change { $0.jump(toPercent: $1.count) }
    case .nextHeading: .change { $0.goToHeading($1.times) }
    case .previousHeading: .change { $0.goToHeading(-$1.times) }
    case .outline: .list(.outline)
    case .mark: .effects { $0.askLetter(.setBookmark, $1.argument) }
    case .goToMark: .effects { $0.askLetter(.go, $1.argument) }
    case .panLeft: .change { $0.pan(by: -$1.times) }
    case .panRight: .change { $0.pan(by: $1.times) }
    case .nextChange: .change { $0.goToChange($1.times) }
    case .previousChange: .change { $0.goToChange(-$1.times) }
    case .nextLink: .change { $0.moveFocus(by: $1.times) }
    case .previousLink: .change { $0.moveFocus(by: -$1.times) }
    case .follow: .effects { $0.follow(number: $1.count) }
    case .fillIn: .change { browser, _ in browser.fillIn() }
    case .preview: .effects { $0.preview(number: $1.count) }
    case .hints: .change { browser, _ in browser.openHints(to: .follow) }
    case .queueHint: .change { browser, _ in browser.openHints(to: .queue) }
    case .openImage: .effects { browser, _ in browser.openImages() }
    case .linkNumbers: .change { browser, _ in browser.toggleLinkNumbers() }
    case .linkMarks: .effects { browser, _ in browser.toggleLinkStatus() }
    case .links: .list(.links)
    case .comments: .change { browser, _ in browser.toggleComments() }
    case .back: .effects { $0.travel(by: -$1.times) }
    case .forward: .effects { $0.travel(by: $1.times) }
    case .reload: .effects { browser, _ in browser.reload() }
    case .openURL: .effects { $0.openURL($1.argument) }
    case .openInBackground: .effects { $0.openInBackground(number: $1.count) }
    case .nextTab: .effects { $0.goToTab(by: $1.times) }
    case .previousTab: .effects { $0.goToTab(by: -$1.times) }
    case .tabs: .list(.tabs)
    case .closeTab: .effects { browser, _ in browser.closeTab(at: browser.tabs.currentIndex) }
    case .editURL: .change { browser, _ in browser.editURL() }
    case .nextPart: .effects { $0.goToPart($1.times) }
    case .previousPart: .effects { $0.goToPart(-$1.times) }
    case .olderVersion: .effects { $0.step(by: -$1.times) }
    case .newerVersion: .effects { $0.step(by: $1.times) }
    case .offline: .effects { browser, _ in browser.toggleOffline() }
    case .information: .list(.information)
    case .remote: .effects { $0.queryArchives($1.argument) }
    case .render: .effects { browser, _ in browser.render() }
    case .copyURL: .effects { browser, _ in browser.copyURL() }
    case .copyLink: .effects { browser, _ in browser.copyLink() }
    case .markLines: .effects { $0.beginMarking(count: $1.times) }
    case .readerView: .effects { browser, _ in browser.changeView() }
    case .source: .effects { browser, _ in browser.showSource() }
    case .images: .change { browser, _ in browser.changeImages() }
    case .wrapCode: .change { browser, _ in browser.toggleWrapping() }
    case .download: .effects { $0.download(to: $1.argument) }
    case .outside: .effects { browser, _ in browser.openOutside() }
    case .pipe: .effects { $0.pipe(to: $1.argument) }
    case .editor: .effects { browser, _ in browser.openEditor() }
    case .library: .list(.library)
    case .feeds: .effects { browser, _ in browser.openFeeds(.feeds) }
    case .unread: .effects { browser, _ in browser.openFeeds(.unread) }
    case .search: .effects { $0.search($1.argument) }
    case .history: .list(.history)
    case .queue: .list(.queue)
    case .downloads: .list(.downloads)
    case .highlights: .list(.highlights)
    case .exportHighlights: .effects { $0.exportHighlights(to: $1.argument) }
    case .keep: .effects { browser, _ in browser.keepPage() }
    case .keepLink: .effects { browser, _ in browser.keepLink() }
    case .tag: .effects { $0.tagPage($1.argument) }
    case .remove, .sort, .markAllRead: .inLists(self)
    case .undo: .effects { browser, _ in browser.undo() }
    case .findForward: .change { $0.beginFind($1.argument, isForward: true) }
    case .findBackward: .change { $0.beginFind($1.argument, isForward: false) }
    case .findNext: .change { $0.findAgain(isForward: $0.finding.isForward, count: $1.times) }
    case .findPrevious: .change { $0.findAgain(isForward: !$0.finding.isForward, count: $1.times) }
    case .command: .change { browser, _ in browser.openPrompt(.command) }
    case .menu: .effects { browser, _ in browser.openMenu() }
    case .help: .effects { browser, _ in browser.openHelp() }
    case .messages: .list(.messages)
    case .shell: .effects { $0.openShell($1.argument) }
    case .set: .effects { $0.set($1.argument) }
    case .editSettings: .effects { _, _ in [.editSettings] }
    case .nextTheme: .change { browser, _ in browser.changeTheme() }
    case .theme: .change { $0.changeTheme(to: $1.argument) }
    case .redraw: .effects { _, _ in [.redraw] }
    case .suspend: .effects { _, _ in [.suspend] }
    case .cancel: .effects { $0.cancel(count: $1.count) }
    case .quit: .effects { browser, _ in browser.quitByKey() }
    }
  }

  /// The action of the command in a list.
  var inList: ListAction {
    switch self {
    case .lineDown, .nextLink: .move(1)
    case .lineUp, .previousLink: .move(-1)
    case .pageDown: .screens(1)
    case .pageUp: .screens(-1)
    case .halfPageDown: .halfScreens(1)
    case .halfPageUp: .halfScreens(-1)
    case .top: .first
    case .bottom: .last
    case .follow: .open
    case .findForward: .filter
    case .cancel: .cancel
    case .quit, .back: .close
    case .openInBackground: .entry(.openInBackground)
    case .closeTab: .entry(.closeTab)
    case .editURL: .entry(.edit)
    case .copyURL, .copyLink: .entry(.copy)
    case .keep: .entry(.keep)
    case .tag: .entry(.tag)
    case .remove: .entry(.remove)
    case .markAllRead: .entry(.markRead)
    case .undo: .undo
    case .sort: .sort
    case .reload: .reload
    case .percent, .nextHeading, .previousHeading, .outline, .mark, .goToMark, .panLeft, .panRight,
      .nextChange, .previousChange, .fillIn, .preview, .hints, .queueHint, .openImage,
      .linkNumbers, .linkMarks, .links, .comments, .forward, .openURL, .nextTab, .previousTab,
      .tabs,
      .nextPart, .previousPart, .olderVersion, .newerVersion, .offline, .information, .remote,
      .render, .markLines, .readerView, .source, .images, .wrapCode, .download, .outside, .pipe,
      .editor, .library, .feeds, .unread, .search, .history, .queue, .downloads, .highlights,
      .exportHighlights, .keepLink,
      .findBackward, .findNext, .findPrevious, .command, .menu, .help, .messages, .shell, .set,
      .editSettings, .nextTheme, .theme, .redraw, .suspend:
      .onPage
    }
  }

  /// The action of the command while text is selected; nil if it has none.
  var whileMarking: MarkingAction? {
    switch self {
    case .lineDown: .move(.lines(1))
    case .lineUp: .move(.lines(-1))
    case .pageDown: .move(.screens(1))
    case .pageUp: .move(.screens(-1))
    case .halfPageDown: .move(.halfScreens(1))
    case .halfPageUp: .move(.halfScreens(-1))
    case .top: .move(.toTop)
    case .bottom: .move(.toBottom)
    case .markLines: .move(.paragraphs)
    case .copyURL, .copyLink: .copy
    case .follow: .keep
    case .remove: .remove
    case .cancel, .quit, .back: .close
    case .redraw: .redraw
    case .suspend: .suspend
    case .percent, .nextHeading, .previousHeading, .outline, .mark, .goToMark, .panLeft, .panRight,
      .nextChange, .previousChange, .nextLink, .previousLink, .fillIn, .preview, .hints,
      .queueHint, .openImage, .linkNumbers, .linkMarks, .links, .comments, .forward, .reload,
      .openURL,
      .openInBackground, .nextTab, .previousTab, .tabs, .closeTab, .editURL, .nextPart,
      .previousPart,
      .olderVersion, .newerVersion, .offline, .information, .remote, .render, .readerView, .source,
      .images, .wrapCode, .download, .outside, .pipe, .editor, .library, .feeds, .unread, .search,
      .history, .queue, .downloads, .highlights, .exportHighlights, .keep, .keepLink, .tag,
      .markAllRead, .undo, .sort,
      .findForward, .findBackward,
      .findNext, .findPrevious, .command, .menu, .help, .messages, .shell, .set, .editSettings,
      .nextTheme, .theme:
      nil
    }
  }

  /// Whether the command moves the cursor of linear mode away from the focused link.
  var leavesFocus: Bool {
    [
      .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom, .percent, .nextHeading,
      .previousHeading, .findNext, .findPrevious,
    ].contains(self)
  }
}

extension Browser {
  /// Returns whether a command would currently have an effect, so that the menu lists it.
  func isPossible(_ command: Command, on screen: Screens) -> Bool {
    guard command.definition.help(on: screen) != nil else { return false }
    guard screen == .page else { return true }
    let page = view?.page
    switch command {
    case .command, .help, .messages, .shell, .set, .editSettings, .nextTheme, .theme, .redraw,
      .suspend, .quit, .library, .feeds, .unread, .search, .history, .queue, .downloads,
      .highlights, .openURL,
      .editURL, .offline, .goToMark, .menu, .undo:
      return true
    case .cancel:
      return loading.load != nil || awaitedCheck != nil || downloads.cancellable != nil
        || finding.find != nil || view?.focus != nil
    case .back: return !history.past.isEmpty || opening.list != nil || start == nil
    case .forward: return !history.future.isEmpty
    case .nextTab, .previousTab, .tabs, .closeTab: return tabs.count > 1
    case .findNext, .findPrevious: return !finding.query.isEmpty
    case .follow: return view?.focus != nil || page?.attachment != nil
    case .preview, .openInBackground, .copyLink: return focusedURL != nil
    case .exportHighlights: return view?.highlights.isEmpty == false
    case .fillIn: return view?.firstLine != nil
    case .keepLink: return focusedURL?.isWebURL == true
    case .nextLink, .previousLink, .hints, .queueHint, .links, .linkNumbers, .linkMarks:
      return page.map { !$0.document.links.isEmpty || !$0.document.forms.controls.isEmpty } ?? false
    case .comments: return page?.document.commentsFold != nil
    case .openImage, .images: return page?.document.images.isEmpty == false
    case .nextHeading, .previousHeading: return view?.layout.headings.isEmpty == false
    case .outline:
      return view?.layout.headings.isEmpty == false || page?.parts?.entries.isEmpty == false
    case .panLeft, .panRight, .wrapCode: return page?.document.hasCode == true
    case .nextChange, .previousChange: return view?.changes != nil
    case .nextPart, .previousPart:
      return sequence != nil
        || page.map { $0.nextDocument != nil || !$0.document.pageStarts.isEmpty } ?? false
    case .olderVersion, .newerVersion: return versionedURL != nil
    case .remote: return versionedURL != nil && !settings.remotes.isEmpty
    case .keep, .tag, .render: return page.map { $0.url.isWebURL && $0.sent == nil } ?? false
    case .readerView: return page?.hasReaderView == true
    case .source: return page?.content != nil
    case .lineDown, .lineUp, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom,
      .percent, .mark, .markLines, .reload, .information, .copyURL, .download, .outside, .pipe,
      .editor, .findForward, .findBackward, .remove, .sort, .markAllRead:
      return page != nil
    }
  }
}
