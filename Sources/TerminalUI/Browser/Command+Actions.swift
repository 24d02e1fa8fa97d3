import Commands
import Configuration
import DOM
import Document
import Layout
import Pages

// The actions of commands. Every switch over `Command` in this target is in this file, and none has
// a `default`, so that a command without an action does not compile.

extension Command {
  /// The action of the command on the page.
  var pageAction: PageAction {
    switch self {
    case .lineDown: .change { $0.moveCursorOrScroll(by: $1.times) }
    case .lineUp: .change { $0.moveCursorOrScroll(by: -$1.times) }
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
    case .mark: .effects { $0.useLetterOrAsk(.setBookmark, $1.argument) }
    case .goToMark: .effects { $0.useLetterOrAsk(.goToBookmark, $1.argument) }
    case .panLeft: .change { $0.scrollHorizontally(by: -$1.times) }
    case .panRight: .change { $0.scrollHorizontally(by: $1.times) }
    case .nextChange: .change { $0.moveToChange($1.times) }
    case .previousChange: .change { $0.moveToChange(-$1.times) }
    case .nextLink: .change { $0.moveFocus(by: $1.times) }
    case .previousLink: .change { $0.moveFocus(by: -$1.times) }
    case .follow: .effects { $0.follow(number: $1.count) }
    case .fillIn: .change { browser, _ in browser.editFirstTextField() }
    case .preview: .effects { $0.showLinkPreview(number: $1.count) }
    case .hints: .change { browser, _ in browser.showHints(to: .follow) }
    case .queueHint: .change { browser, _ in browser.showHints(to: .queue) }
    case .openImage: .effects { browser, _ in browser.chooseImage() }
    case .linkNumbers: .change { browser, _ in browser.toggleLinkNumbers() }
    case .linkMarks: .effects { browser, _ in browser.toggleLinkStatus() }
    case .links: .list(.links)
    case .comments: .change { browser, _ in browser.toggleComments() }
    case .back: .effects { $0.moveInHistory(by: -$1.times) }
    case .forward: .effects { $0.moveInHistory(by: $1.times) }
    case .reload: .effects { browser, _ in browser.reload() }
    case .openURL: .effects { $0.openURL($1.argument) }
    case .openInBackground: .effects { $0.openInBackground(number: $1.count) }
    case .nextTab: .effects { $0.goToTab(by: $1.times) }
    case .previousTab: .effects { $0.goToTab(by: -$1.times) }
    case .tabs: .list(.tabs)
    case .closeTab: .effects { browser, _ in browser.closeTab(at: browser.tabs.currentIndex) }
    case .editURL: .change { browser, _ in browser.editURL() }
    case .nextPart: .effects { $0.moveInSequence($1.times) }
    case .previousPart: .effects { $0.moveInSequence(-$1.times) }
    case .olderVersion: .effects { $0.moveToVersion(by: -$1.times) }
    case .newerVersion: .effects { $0.moveToVersion(by: $1.times) }
    case .offline: .effects { browser, _ in browser.toggleOffline() }
    case .information: .list(.information)
    case .remote: .effects { $0.queryArchives($1.argument) }
    case .render: .effects { browser, _ in browser.renderInBrowser() }
    case .copyURL: .effects { browser, _ in browser.copyURL() }
    case .copyLink: .effects { browser, _ in browser.copyLink() }
    case .markLines: .effects { $0.beginSelection(count: $1.times) }
    case .readerView: .effects { browser, _ in browser.toggleReaderView() }
    case .source: .effects { browser, _ in browser.toggleSource() }
    case .images: .change { browser, _ in browser.switchImageDisplay() }
    case .wrapCode: .change { browser, _ in browser.toggleWrapping() }
    case .download: .effects { $0.download(to: $1.argument) }
    case .outside: .effects { browser, _ in browser.openInOtherProgram() }
    case .pipe: .effects { $0.pipePage(to: $1.argument) }
    case .editor: .effects { browser, _ in browser.openPageInEditor() }
    case .library: .list(.library)
    case .feeds: .effects { browser, _ in browser.openFeeds(.feeds) }
    case .unread: .effects { browser, _ in browser.openFeeds(.unread) }
    case .search: .effects { $0.search($1.argument) }
    case .history: .list(.history)
    case .queue: .list(.queue)
    case .downloads: .list(.downloads)
    case .highlights: .list(.highlights)
    case .exportHighlights: .effects { $0.exportHighlights(to: $1.argument) }
    case .fetchEnclosures: .effects { browser, _ in browser.fetchEnclosures() }
    case .keep: .effects { browser, _ in browser.togglePagePin() }
    case .keepLink: .effects { browser, _ in browser.toggleLinkPin() }
    case .tag: .effects { $0.tagPage($1.argument) }
    case .remove, .sort, .markAllRead: .listOnly(self)
    case .undo: .effects { browser, _ in browser.undo() }
    case .findForward: .change { $0.beginFind($1.argument, isForward: true) }
    case .findBackward: .change { $0.beginFind($1.argument, isForward: false) }
    case .findNext: .change { $0.findNext(isForward: $0.pageSearch.isForward, count: $1.times) }
    case .findPrevious:
      .change { $0.findNext(isForward: !$0.pageSearch.isForward, count: $1.times) }
    case .command: .change { browser, _ in browser.openPrompt(.commandLine) }
    case .menu: .effects { browser, _ in browser.openMenu() }
    case .help: .effects { browser, _ in browser.openHelp() }
    case .messages: .list(.messages)
    case .shell: .effects { $0.openShell($1.argument) }
    case .set: .effects { $0.setOrShowSetting($1.argument) }
    case .editSettings: .effects { _, _ in [.editSettings] }
    case .nextTheme: .change { browser, _ in browser.changeTheme() }
    case .theme: .change { $0.changeTheme(to: $1.argument) }
    case .redraw: .effects { _, _ in [.redraw] }
    case .suspend: .effects { _, _ in [.suspend] }
    case .cancel: .effects { $0.cancel(count: $1.count) }
    case .quit: .effects { browser, _ in browser.quitAfterConfirmation() }
    }
  }

  /// The action of the command in a list.
  var listAction: ListAction {
    switch self {
    case .lineDown, .nextLink: .moveSelection(1)
    case .lineUp, .previousLink: .moveSelection(-1)
    case .pageDown: .moveByScreens(1)
    case .pageUp: .moveByScreens(-1)
    case .halfPageDown: .moveByHalfScreens(1)
    case .halfPageUp: .moveByHalfScreens(-1)
    case .top: .selectFirst
    case .bottom: .selectLast
    case .follow: .openEntry
    case .findForward: .filter
    case .cancel: .cancel
    case .quit, .back: .closeList
    case .openInBackground: .performOnEntry(.openInBackground)
    case .closeTab: .performOnEntry(.closeTab)
    case .editURL: .performOnEntry(.edit)
    case .copyURL, .copyLink: .performOnEntry(.copy)
    case .keep: .performOnEntry(.togglePin)
    case .tag: .performOnEntry(.setTags)
    case .remove: .performOnEntry(.remove)
    case .markAllRead: .performOnEntry(.markRead)
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
      .exportHighlights, .fetchEnclosures, .keepLink,
      .findBackward, .findNext, .findPrevious, .command, .menu, .help, .messages, .shell, .set,
      .editSettings, .nextTheme, .theme, .redraw, .suspend:
      .performOnPage
    }
  }

  /// The action of the command while text is selected; nil if it has none.
  var selectionAction: SelectionAction? {
    switch self {
    case .lineDown: .moveEnd(.lines(1))
    case .lineUp: .moveEnd(.lines(-1))
    case .pageDown: .moveEnd(.screens(1))
    case .pageUp: .moveEnd(.screens(-1))
    case .halfPageDown: .moveEnd(.halfScreens(1))
    case .halfPageUp: .moveEnd(.halfScreens(-1))
    case .top: .moveEnd(.toScreenTop)
    case .bottom: .moveEnd(.toScreenBottom)
    case .markLines: .moveEnd(.paragraphs)
    case .copyURL, .copyLink: .copy
    case .follow: .highlight
    case .remove: .removeHighlights
    case .cancel, .quit, .back: .cancel
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
      .history, .queue, .downloads, .highlights, .exportHighlights, .fetchEnclosures, .keep,
      .keepLink, .tag,
      .markAllRead, .undo, .sort,
      .findForward, .findBackward,
      .findNext, .findPrevious, .command, .menu, .help, .messages, .shell, .set, .editSettings,
      .nextTheme, .theme:
      nil
    }
  }

  /// Whether the command needs a page and its action does not report a missing page.
  var requiresPage: Bool {
    [.hints, .queueHint, .openImage, .readerView, .keep, .tag].contains(self)
  }

  /// Whether the command moves the cursor of linear mode away from the focused link.
  var movesCursorFromFocus: Bool {
    [
      .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom, .percent, .nextHeading,
      .previousHeading, .findNext, .findPrevious,
    ].contains(self)
  }
}

extension Browser {
  /// Returns whether a command would currently have an effect, so that the menu lists it.
  func hasEffect(_ command: Command, on screen: Screens) -> Bool {
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
      return loading.load != nil || awaitedRevalidationID != nil
        || downloads.cancellableDownload != nil
        || pageSearch.pageMatches != nil || view?.focus != nil
    case .back: return !history.backEntries.isEmpty || opening.list != nil || startRequest == nil
    case .forward: return !history.forwardEntries.isEmpty
    case .nextTab, .previousTab, .tabs, .closeTab: return tabs.count > 1
    case .findNext, .findPrevious: return !pageSearch.query.isEmpty
    case .follow: return view?.focus != nil || page?.attachment != nil
    case .preview, .openInBackground, .copyLink: return focusedURL != nil
    case .fetchEnclosures: return opening.feed != nil
    case .exportHighlights: return view?.highlights.isEmpty == false
    case .fillIn: return view?.firstTextField != nil
    case .keepLink: return focusedURL?.isWebURL == true
    case .nextLink, .previousLink, .hints, .queueHint, .links, .linkNumbers, .linkMarks:
      return page.map { !$0.document.links.isEmpty || !$0.document.forms.controls.isEmpty } ?? false
    case .comments: return page?.document.commentsFoldNumber != nil
    case .openImage, .images: return page?.document.images.isEmpty == false
    case .nextHeading, .previousHeading: return view?.layout.headings.isEmpty == false
    case .outline:
      return view?.layout.headings.isEmpty == false || page?.parts?.entries.isEmpty == false
    case .panLeft, .panRight, .wrapCode: return page?.document.hasCode == true
    case .nextChange, .previousChange: return view?.changes != nil
    case .nextPart, .previousPart:
      return sequence != nil
        || page.map { $0.nextDocument != nil || !$0.document.pageStarts.isEmpty } ?? false
    case .olderVersion, .newerVersion: return savableURL != nil
    case .remote: return savableURL != nil && !settings.remotes.isEmpty
    case .keep, .tag, .render: return page.map { $0.url.isWebURL && $0.sentForm == nil } ?? false
    case .readerView: return page?.hasReaderView == true
    case .source: return page?.content != nil
    case .lineDown, .lineUp, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom,
      .percent, .mark, .markLines, .reload, .information, .copyURL, .download, .outside, .pipe,
      .editor, .findForward, .findBackward, .remove, .sort, .markAllRead:
      return page != nil
    }
  }
}
