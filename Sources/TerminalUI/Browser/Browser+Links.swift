import Commands
import DOM
import Configuration
import Feeds
import Library
import Foundation
import Document
import Layout
import Reader
import Terminal

extension Browser {
  /// The absolute URL of the focused link.
  var focusedURL: String? {
    guard let focus = view?.focus else { return nil }
    return url(of: focus) ?? reference(of: focus)
  }

  /// The absolute URL of a link, or of an image that is none.
  func url(of target: PageLayout.Target) -> String? {
    guard let document = view?.page.document else { return nil }
    return switch target {
    case .link(let link): document.url(ofLink: Int(link))
    case .image(let image): document.url(ofImage: Int(image))
    case .navigation, .details, .control: nil
    }
  }

  /// The reference of a link as the page has it.
  private func reference(of target: PageLayout.Target) -> String? {
    guard let link = target.link, let links = view?.page.document.links,
      links.indices.contains(Int(link))
    else { return nil }
    return links[Int(link)].target
  }

  /// Moves the focus over links; from nowhere to the first or last one on screen.
  mutating func moveFocus(by steps: Int) {
    guard var view else { return }
    if view.layout.links.isEmpty { view.complete() }
    guard !view.layout.links.isEmpty else {
      let folded = view.foldedLinkCount
      notice = Notice(
        text: folded > 0
          ? "no links are shown; the folds of this page have \(folded)" : "no links on this page")
      return
    }
    var index = linkStop(of: view, steps)
    if !view.layout.links.indices.contains(index), !view.isComplete {
      view.complete()
      index = linkStop(of: view, steps)
    }
    let links = view.layout.links
    let wrapped = ((index % links.count) + links.count) % links.count
    if index != wrapped {
      notice = Notice(text: index < 0 ? "wrapped to the last link" : "wrapped to the first link")
    }
    view.focus = links[wrapped].target
    view.reveal(line: Int(links[wrapped].line), height: bodyHeight)
    self.view = view
  }

  /// The index of the link that is some steps away from the focus, or from the screen.
  private func linkStop(of view: PageView, _ steps: Int) -> Int {
    if let focus = view.focus, let line = view.line(of: focus), isOnScreen(line, of: view) {
      let before = view.links(before: focus)
      // An image is none of the stops: the next one comes right behind it.
      return focus.image != nil && steps > 0
        ? before + steps - 1 : before + steps
    }
    return (steps > 0 ? firstStop(of: view) : lastStop(of: view)) + steps
  }

  /// Whether a line of the page is on the screen.
  func isOnScreen(_ line: Int, of view: PageView) -> Bool {
    (view.top..<view.top + bodyHeight).contains(line)
  }

  /// The index before the first link of what is on screen; navigation is left for S-Tab.
  private func firstStop(of view: PageView) -> Int {
    let start = settings.isLinear ? view.cursor(height: bodyHeight) : view.top
    let links = view.layout.links
    let first = links.firstIndex { Int($0.line) >= start && !$0.target.isNavigation }
    return (first ?? links.count) - 1
  }

  /// The index after the last link of what is on screen.
  private func lastStop(of view: PageView) -> Int {
    let end = settings.isLinear ? view.cursor(height: bodyHeight) : view.top + bodyHeight
    let main = view.mainLine
    let links = view.layout.links
    if view.focus == nil, settings.isLinear ? end <= main : view.top <= main {
      // At the start the stop before the main content's first link is meant.
      return firstStop(of: view) + 1
    }
    return (links.lastIndex { Int($0.line) < end } ?? -1) + 1
  }

  /// Follows link `number`, or the focused one.
  mutating func follow(number: Int?) -> [Effect] {
    guard let view else { return [] }
    if let number {
      if view.numberedLinks.count < number { self.view?.complete() }
      let links = self.view?.numberedLinks ?? []
      guard links.indices.contains(number - 1) else {
        let fields = self.view?.page.document.forms.controls.isEmpty == false
        notice = Notice(
          text: "no link \(number): the page has \(links.count)"
            + (fields ? "; \(key(of: .nextLink)) leads to its fields" : ""), isError: true)
        return []
      }
      return follow(.link(links[number - 1]))
    }
    guard let focus = view.focus else {
      if let attachment = view.page.attachment {
        notice = Notice(text: "opening \(attachment.title)")
        return [.open(attachment)]
      }
      notice = Notice(text: "no link is selected; Tab selects one")
      return []
    }
    return follow(focus)
  }

  /// Follows a link, or opens and closes what is folded.
  mutating func follow(_ target: PageLayout.Target) -> [Effect] {
    switch target {
    case .control(let control): return activate(control)
    case .image(let image): return open(image: image)
    case .navigation, .details:
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
        // A page from standard input has no URL.
        jump(to: String(reference.dropFirst()))
      } else {
        notice = Notice(text: "not an address: \(shown(reference))", isError: true)
      }
      return []
    }
    guard Address.isReadable(url, from: view.page.url) else { return openOutside(url) }
    if let fragment = fragment(of: url, on: view.page) {
      jump(to: fragment)
      return []
    }
    let request = LoadRequest(url, origin: .link(from: view.page.url), options: loading.options)
    return load(request, purpose: .visit)
  }

  /// Goes to a target within the page and remembers the place before.
  private mutating func jump(to fragment: String) {
    guard let view else { return }
    guard let offset = Self.anchor(fragment, in: view.page.document) else {
      notice = Notice(text: "the page has no place named #\(shown(fragment))", isError: true)
      return
    }
    history.leave(visit(of: view))
    rememberJump()
    show(offset: offset)
  }

  /// Brings text of the page to the top, out of what folds it away.
  mutating func show(offset: UInt32) {
    guard var view else { return }
    view.unfold(offset, height: bodyHeight)
    view.scroll(toSource: offset, height: bodyHeight)
    view.focus = nil
    self.view = view
    refreshMatches()
  }

  /// Where a fragment points to in a document, as written or with percent-encoding undone.
  static func anchor(_ fragment: String, in document: Document) -> UInt32? {
    if fragment.isEmpty || fragment.lowercased() == "top" { return 0 }
    if let text = TextFragment(fragment), let offset = text.offset(in: document) { return offset }
    let end = fragment.firstRange(of: ":~:")?.lowerBound ?? fragment.endIndex
    let name = String(fragment[..<end])
    let decoded = name.removingPercentEncoding ?? name
    // Forges give the names in what people wrote this prefix, and have a script find them without.
    for name in [name, decoded, "user-content-" + decoded] {
      if let anchor = document.anchors.first(where: { $0.name == name }) { return anchor.offset }
    }
    return nil
  }

  private mutating func toggle(fold target: PageLayout.Target) {
    let height = bodyHeight
    view?.toggle(fold: target, height: height)
    view?.focus = target
    refreshMatches()
  }

  /// Shows or hides link numbers.
  mutating func toggleLinkNumbers() {
    look.toggleLinkNumbers()
    relayout()
    notice = Notice(
      text: look.showsLinkNumbers ? "link numbers on; 5 Enter follows link 5" : "link numbers off")
  }

  /// Shows or hides which links are saved.
  mutating func toggleLinkMarks() -> [Effect] {
    look.toggleLinkMarks()
    guard let view else { return [] }
    if look.showsLinkMarks {
      notice = Notice(
        text: "\(glyphs.saved) saved  \(glyphs.notSaved) not saved  \(glyphs.queued) waits")
      return lookUpSaved()
    }
    mark([:], [], of: view.page.url, isShown: false)
    notice = Notice(text: "link marks off")
    return []
  }

  /// Lets a link wait for the next sync.
  mutating func enqueue(_ target: PageLayout.Target) -> [Effect] {
    guard let view, let url = url(of: target), url.isWebURL
    else {
      notice = Notice(text: "only pages of the web are queued", isError: true)
      return []
    }
    return [.enqueue([url], from: view.page.url)]
  }

  /// Follows what was clicked.
  mutating func click(row: Int, column: Int) -> [Effect] {
    guard let view, bodyRows.contains(row) else { return [] }
    let line = view.top + row - bodyRows.lowerBound
    guard let target = view.target(line: line, column: column - view.gutter) else { return [] }
    return follow(target)
  }

  /// Shows beside the links of the page on screen which of them are saved.
  /// - Parameters:
  ///   - saved: the absolute URLs that are saved, and from when.
  ///   - queued: those that wait.
  ///   - url: the page whose links they are; another one is not changed.
  ///   - isShown: false takes the marks away.
  mutating func mark(
    _ saved: [String: Date], _ queued: Set<String>, of url: String, isShown: Bool = true
  ) {
    guard var view, view.page.url.isSamePage(as: url) else { return }
    let document = view.page.document
    var options = layoutOptions(for: view)
    options.linkMarks =
      !isShown
      ? []
      : document.links.indices.map { link in
        // What is no page, or is this one, needs no mark.
        guard let url = document.url(ofLink: link), url.isWebURL,
          fragment(of: url, on: view.page) == nil
        else { return .none }
        return saved[url] != nil ? .saved : queued.contains(url) ? .queued : .notSaved
      }
    view.savedDates = saved
    view.relayout(options, height: bodyHeight)
    self.view = view
    refreshMatches()
  }
}

extension PageView {
  /// What can be reached at a column of a line.
  func target(line index: Int, column: Int) -> PageLayout.Target? {
    guard layout.lines.indices.contains(index) else { return nil }
    var found: PageLayout.Target?
    layout.forEachCluster(ofLine: index, options.widths) { cluster, run in
      if (cluster.column..<cluster.column + cluster.width).contains(column) { found = run.target }
    }
    return found
  }
}
