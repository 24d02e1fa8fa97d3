import Commands
import DOM
import Configuration
import Feeds
import Formats
import Library
import OfflineCache
import Foundation
import Document
import Layout
import Pages
import ReaderMode
import Terminal

extension Browser {
  /// The URL of the focused link or image: absolute if it can be resolved, otherwise the reference
  /// as written; nil if nothing suitable is focused.
  var focusedURL: String? {
    guard let focus = view?.focus else { return nil }
    return url(of: focus) ?? reference(of: focus)
  }

  /// Returns the absolute URL of a link, or of an image that is not a link; nil for other targets
  /// and invalid URLs.
  func url(of target: PageLayout.Target) -> String? {
    guard let document = view?.page.document else { return nil }
    return switch target {
    case .link(let link): document.url(ofLink: Int(link))
    case .image(let image): document.url(ofImage: Int(image))
    case .navigation, .fold, .control: nil
    }
  }

  /// Returns the reference of a link as written in the page; nil for other targets.
  private func reference(of target: PageLayout.Target) -> String? {
    guard let link = target.linkIndex, let links = view?.page.document.links,
      links.indices.contains(Int(link))
    else { return nil }
    return links[Int(link)].target
  }

  /// Moves the focus by a number of links, controls and folds. Without a focus on the screen, the
  /// move starts before the first or after the last of these on the screen.
  mutating func moveFocus(by steps: Int) {
    guard var view else { return }
    if view.layout.linkPlacements.isEmpty { view.layOutRest() }
    guard !view.layout.linkPlacements.isEmpty else {
      let foldedCount = view.foldedLinkCount
      notify(
        foldedCount > 0
          ? "no links are shown; the folded parts of this page have \(foldedCount)"
          : "no links on this page")
      return
    }
    var index = linkIndex(of: view, steps)
    if !view.layout.linkPlacements.indices.contains(index), !view.isComplete {
      view.layOutRest()
      index = linkIndex(of: view, steps)
    }
    let links = view.layout.linkPlacements
    let wrappedIndex = ((index % links.count) + links.count) % links.count
    if index != wrappedIndex {
      notify(index < 0 ? "wrapped to the last link" : "wrapped to the first link")
    }
    let (target, line) = (links[wrappedIndex].target, Int(links[wrappedIndex].lineIndex))
    view.focus = target
    view.reveal(line: line, height: bodyHeight)
    self.view = view
    let runs = view.layout.runs(ofLine: line)
    if let bytes = runs.first(where: { $0.run.target == target })?.bytes {
      scrollHorizontallyToShow(bytes, line: line)
    }
  }

  /// Returns the index in `PageLayout.linkPlacements` of the link that is a number of steps away
  /// from the focus or, without a focus on the screen, from `indexBeforeFirstLink` or
  /// `indexAfterLastLink`. It may be out of range.
  private func linkIndex(of view: PageView, _ steps: Int) -> Int {
    if let focus = view.focus, let line = view.line(of: focus), isOnScreen(line, of: view) {
      let before = view.linkCount(before: focus)
      // Tab does not stop at images, so the next stop is the first link after the image.
      return focus.imageIndex != nil && steps > 0
        ? before + steps - 1 : before + steps
    }
    return (steps > 0 ? indexBeforeFirstLink(of: view) : indexAfterLastLink(of: view)) + steps
  }

  /// Returns whether a line of the page is on the screen.
  func isOnScreen(_ line: Int, of view: PageView) -> Bool {
    (view.topLine..<view.topLine + bodyHeight).contains(line)
  }

  /// Returns the index before the first link at or below the top of the screen, or the cursor in
  /// linear mode. The navigation fold is skipped, because Shift-Tab reaches it.
  private func indexBeforeFirstLink(of view: PageView) -> Int {
    let start = currentLine(of: view)
    let links = view.layout.linkPlacements
    let first = links.firstIndex { Int($0.lineIndex) >= start && !$0.target.isNavigation }
    return (first ?? links.count) - 1
  }

  /// Returns the index after the last link above the bottom of the screen, or above the cursor in
  /// linear mode.
  private func indexAfterLastLink(of view: PageView) -> Int {
    let end =
      settings.isLinear ? view.visibleCursorLine(height: bodyHeight) : view.topLine + bodyHeight
    let main = view.mainContentLine
    let links = view.layout.linkPlacements
    if view.focus == nil, settings.isLinear ? end <= main : view.topLine <= main {
      // At or above the beginning of the main content, Shift-Tab goes to the link before the first
      // stop, such as the navigation fold.
      return indexBeforeFirstLink(of: view) + 1
    }
    return (links.lastIndex { Int($0.lineIndex) < end } ?? -1) + 1
  }

  /// Follows link `number`, or the focused one if it is nil.
  mutating func follow(number: Int?) -> [Effect] {
    guard let view else { return [] }
    if let number {
      if view.numberedLinks.count < number { self.view?.layOutRest() }
      let links = self.view?.numberedLinks ?? []
      guard links.indices.contains(number - 1) else {
        let fields = self.view?.page.document.forms.controls.isEmpty == false
        reportError(
          Self.missingLinkMessage(number, linkCount: links.count)
            + (fields ? "; \(keyName(of: .nextLink)) selects its fields" : ""))
        return []
      }
      return follow(.link(links[number - 1]))
    }
    guard let focus = view.focus else {
      if let attachment = view.page.attachment {
        notify("opening \(attachment.title)")
        return [.openAttachment(attachment)]
      }
      let advice = hasVisibleHighlight ? ", \(keyName(of: .highlights)) lists the highlights" : ""
      notify(noSelectedLinkMessage + advice)
      return []
    }
    return follow(focus)
  }

  /// Activates a target: follows a link, toggles a fold, activates a control or opens an image.
  mutating func follow(_ target: PageLayout.Target) -> [Effect] {
    switch target {
    case .control(let control): return activate(control)
    case .image(let image): return open(image: image)
    case .navigation, .fold:
      toggle(fold: target)
      return []
    case .link(let link): return follow(link: link)
    }
  }

  private mutating func follow(link: Int32) -> [Effect] {
    guard let view else { return [] }
    if let line = view.line(of: .link(link)), isOnScreen(line, of: view) {
      self.view?.focus = .link(link)
    }
    let document = view.page.document
    guard let url = document.url(ofLink: Int(link)) else {
      let reference = reference(of: .link(link)) ?? ""
      if reference.hasPrefix("#") {
        // A page from standard input has no URL against which the reference could be resolved.
        jump(to: String(reference.dropFirst()))
      } else if view.page.url.hasScheme("stdin"), Self.isRelative(reference) {
        let name = displayURL(reference)
        reportError("the link \(name) needs the URL of this page; give it with --base")
      } else {
        reportError("not a URL: \(displayURL(reference))")
      }
      return []
    }
    guard Address.isReadable(url, from: view.page.url) else { return openInOtherProgram(url) }
    if let fragment = samePageFragment(of: url, on: view.page) {
      jump(to: fragment)
      return []
    }
    var request = LoadRequest(url, origin: .link(from: view.page.url), options: loading.options)
    request.suggestedName = suggestedName(ofLink: link, to: url, on: view.page)
    return load(request, purpose: .newEntry)
  }

  /// Returns whether a reference has no scheme.
  private static func isRelative(_ reference: String) -> Bool {
    !reference.prefix { !"/?#".contains($0) }.contains(":")
  }

  /// Returns the file name that a link suggests for its target; empty for none. A page names files
  /// of its own origin only (HTML standard, "downloading resources").
  private func suggestedName(ofLink link: Int32, to url: String, on page: Page) -> String {
    guard let name = page.document.downloadNames[link], let target = WebURL(url),
      page.url.parsedURL?.origin == target.origin
    else { return "" }
    return name
  }

  /// Scrolls to a fragment of the page and remembers the previous position.
  private mutating func jump(to fragment: String) {
    guard let view else { return }
    guard let offset = Self.anchorOffset(fragment, in: view.page.document) else {
      reportError(missingSectionMessage(fragment))
      return
    }
    history.push(historyEntry(of: view))
    recordJumpOrigin()
    show(offset: offset)
  }

  /// Scrolls a text offset to the top, and opens the folds that hide it.
  mutating func show(offset: UInt32) {
    guard var view else { return }
    view.unfold(offset, height: bodyHeight)
    view.scroll(toSource: offset, height: bodyHeight)
    view.focus = nil
    self.view = view
    refreshMatches()
  }

  mutating func showFragment(of page: Page) {
    guard let fragment = page.fragment,
      let offset = Self.anchorOffset(String(fragment), in: page.document), offset > 0
    else { return }
    show(offset: offset)
    highlight(textOf: fragment, at: offset)
  }

  /// Returns the offset of a fragment in a document; percent-encoding is decoded if necessary.
  /// Returns nil if the document has no such anchor.
  static func anchorOffset(_ fragment: String, in document: Document) -> UInt32? {
    if fragment.isEmpty || fragment.lowercased() == "top" { return 0 }
    if let text = TextFragment(fragment), let offset = text.offset(in: document) { return offset }
    for name in FragmentIDs.anchorNames(of: fragment) {
      if let anchor = document.anchors.first(where: { $0.name == name }) { return anchor.offset }
    }
    return nil
  }

  private mutating func toggle(fold target: PageLayout.Target) {
    let height = bodyHeight
    view?.toggleFold(target, height: height)
    view?.focus = target
    refreshMatches()
    rememberComments(toggledBy: target)
  }

  /// Unfolds the comments below the text and goes to them, or folds them.
  mutating func toggleComments() {
    guard let number = view?.page.document.commentsFoldNumber else {
      notify(
        view?.page.view == .page
          ? "comments are folded only in reader view (\(keyName(of: .readerView)))"
          : "no comments were found on this page")
      return
    }
    toggle(fold: .fold(number))
    guard let line = view?.line(of: .fold(number)) else { return }
    let height = bodyHeight
    view?.scroll(to: line, height: height)
  }

  /// Stores whether the comments are shown as the preference for the site of the page.
  private mutating func rememberComments(toggledBy fold: PageLayout.Target) {
    guard let view, let number = view.page.document.commentsFoldNumber, fold.foldNumber == number,
      let site = Choices.site(of: view.page.url.text)
    else { return }
    let isOpen = view.options.toggledFolds.contains(number)
    let choice = Choices.Choice.comments(isOpen: isOpen, site: site)
    choices.apply(choice)
    additionalEffects.append(.storeChoice(choice))
  }

  /// Shows or hides link numbers.
  mutating func toggleLinkNumbers() {
    appearance.toggleLinkNumbers()
    relayout()
    notify(
      appearance.showsLinkNumbers
        ? "link numbers on; 5 \(keyName(of: .follow)) follows link 5" : "link numbers off")
  }

  /// Shows or hides the marks of saved links.
  mutating func toggleLinkStatus() -> [Effect] {
    appearance.toggleLinkStatus()
    guard view != nil else { return [] }
    if appearance.showsLinkStatus {
      notify("\(glyphs.saved) saved  \(glyphs.notSaved) not saved  \(glyphs.queued) queued")
      return findSavedLinks()
    }
    hideLinkMarks()
    notify("link marks off")
    return []
  }

  /// Adds the URL of a link to the queue for the next sync.
  mutating func enqueue(_ target: PageLayout.Target) -> [Effect] {
    guard let view, let url = url(of: target), url.isWebURL
    else {
      reportError("only links to web pages can be queued")
      return []
    }
    return [.enqueue([DocumentAddress(url)], from: view.page.url)]
  }

  /// Activates the target at a screen position.
  mutating func click(row: Int, column: Int) -> [Effect] {
    guard let view, bodyRows.contains(row) else { return [] }
    let line = view.topLine + row - bodyRows.lowerBound
    guard let target = view.linkTarget(line: line, column: column - view.gutterWidth) else {
      return []
    }
    return follow(target)
  }

  /// Shows which links of the page on the screen are saved, if marks are shown.
  /// - Parameters:
  ///   - savedDates: The absolute URLs that are saved, with their dates.
  ///   - queuedURLs: The absolute URLs in the queue.
  ///   - url: The URL of the page to which the links belong; nothing changes if another page is
  ///     shown.
  mutating func showLinkStatus(
    _ savedDates: [String: Date], _ queuedURLs: Set<String>, of url: DocumentAddress
  ) {
    guard let view, showsLinkMarks, view.page.url.isSamePage(as: url) else { return }
    let document = view.page.document
    var options = layoutOptions(for: view)
    options.linkStatuses = document.links.indices.map { link in
      // Links to non-web URLs and to this page get no mark.
      guard let url = document.url(ofLink: link), url.isWebURL,
        samePageFragment(of: url, on: view.page) == nil
      else { return .none }
      return savedDates[url] != nil ? .saved : queuedURLs.contains(url) ? .queued : .notSaved
    }
    self.view?.savedDates = savedDates
    if options != view.options { relayout(options) }
  }

  /// Removes the marks from the page on the screen if they are no longer shown; otherwise returns
  /// an effect that looks up which links are saved.
  mutating func updateLinkMarks() -> [Effect] {
    if !showsLinkMarks { hideLinkMarks() }
    return findSavedLinks()
  }

  /// Removes the marks of saved links from the page on the screen.
  private mutating func hideLinkMarks() {
    guard let view, !view.options.linkStatuses.isEmpty else { return }
    var options = layoutOptions(for: view)
    options.linkStatuses = []
    self.view?.savedDates = [:]
    relayout(options)
  }
}

extension PageView {
  /// Returns the target at a column of a line, or nil.
  func linkTarget(line index: Int, column: Int) -> PageLayout.Target? {
    guard layout.lines.indices.contains(index) else { return nil }
    var found: PageLayout.Target?
    layout.forEachCluster(ofLine: index, options.widths) { cluster, run in
      if (cluster.column..<cluster.column + cluster.width).contains(column) { found = run.target }
    }
    return found
  }
}
