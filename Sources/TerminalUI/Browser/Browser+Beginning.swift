import Commands
import Document
import Layout
import Reader
import Terminal

// Of a long page the first screens are shown while the rest of it is read. Who moves about moves on them; what
// needs more of the page is held back until it has come.

extension Browser {
  /// Shows the first screens of a page, where it will be shown from its top.
  mutating func begin(_ page: Page, by load: Load) {
    guard load.purpose == .visit, !isContinued(page), mode == .page, list == nil else { return }
    loading.show(beginning: firstScreens(of: page))
  }

  private func firstScreens(of page: Page) -> PageView {
    let values = FormValues()
    return PageView(page: page, options: layoutOptions(for: page, values: values), values: values)
  }

  /// Ends what is loading, if anything is; what was typed for it is dropped.
  mutating func stopLoading() -> [Effect] { loading.end().map { [.cancel($0.id)] } ?? [] }

  /// Whether an event waits for the rest of the page.
  func holds(_ event: InputEvent) -> Bool {
    guard let load = loading.load, load.beginning != nil else { return false }
    switch event {
    case .background, .answer: return false
    case .mouse, .paste: return true
    case .key(let key):
      switch keymap[key] {
      case .cancel: return false
      // Nobody who leaves waits, unless it is a letter for what was opened before.
      case .quit: return !load.held.allSatisfy(isMove)
      // What comes after something that waits may be part of it.
      case .suspend, .redraw, .nextTab, .previousTab, .closeTab: return !load.held.isEmpty
      default: return true
      }
    }
  }

  /// Whether an event only moves about on the page, or counts how often.
  private func isMove(_ event: InputEvent) -> Bool {
    switch event {
    case .mouse(let mouse): return mouse.action == .wheelUp || mouse.action == .wheelDown
    case .paste, .background, .answer: return false
    case .key(let key):
      guard let command = keymap[key] else {
        if case .character(let scalar) = key.code { return ("0"..."9").contains(scalar) }
        return false
      }
      return Self.moves.contains(command)
    }
  }

  private static let moves: Set<Command> = [
    .lineDown, .lineUp, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom, .percent,
    .nextHeading, .previousHeading, .nextLink, .previousLink, .follow,
  ]

  /// Carries a move out on the first screens, as far as they go.
  /// - Returns: whether they went far enough; else the event waits for the rest of the page.
  mutating func moveOnBeginning(_ event: InputEvent) -> Bool {
    guard let load = loading.load, let first = load.beginning, load.held.isEmpty, isMove(event)
    else { return false }
    if case .key(let key) = event, let command = keymap[key],
      [.bottom, .percent, .follow].contains(command)
    {
      return false
    }
    var browser = drawn
    browser.loading.end()
    browser.notice = nil
    _ = browser.handle(event)
    // At their end, and around it, the whole page goes on differently.
    guard let moved = browser.view, browser.notice == nil,
      moved.top == first.top || moved.top < moved.lastTop(height: bodyHeight)
    else { return false }
    loading.show(beginning: moved)
    (count, notice) = (browser.count, nil)
    return true
  }

  /// Shows the page that has come where its first screens were left.
  mutating func goOn(from first: PageView) {
    guard let view, first.top > 0 || first.focus != nil else { return }
    var position = first.position(in: view.page.document)
    // Mostly nothing is different above it.
    if position.source == first.source { position.line = first.top }
    let (links, others) = (first.page.document.links, view.page.document.links)
    if let link = position.focus?.link,
      !others.indices.contains(Int(link)) || others[Int(link)] != links[Int(link)]
    {
      position.focus = nil
    }
    restore(position)
  }

  /// Lays the first screens out for the size as it is now.
  mutating func relayoutBeginning() {
    guard let page = loading.load?.beginning?.page else { return }
    loading.show(beginning: firstScreens(of: page))
  }

  /// What is drawn: the browser with the first screens in the place of the page, where there are some.
  var drawn: Browser {
    var drawn = self
    drawn.view = loading.load?.beginning
    drawn.loading.show(beginning: nil)
    if drawn.opening.refresh.page != nil { drawn.opening.refresh = .none }
    drawn.finding.clear()
    return drawn
  }
}
