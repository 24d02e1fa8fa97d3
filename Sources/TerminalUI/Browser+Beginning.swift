import HTML
import Layout
import Reader

// Of a long page the first screens are shown while the rest of it is read. They are there to look at: what is
// typed is meant for the page, and is held back until it has come.

extension Browser {
  /// Shows the first screens of a page, where it will be shown from its top.
  mutating func begin(_ page: Page, by loading: Loading) {
    guard loading.purpose == .visit, !isContinued(page), mode == .page, list == nil else { return }
    beginning = firstScreens(of: page)
  }

  private func firstScreens(of page: Page) -> PageView {
    let values = FormValues()
    return PageView(page: page, options: layoutOptions(for: page, values: values), values: values)
  }

  /// Ends what is loading, if anything is; what was typed for it is dropped.
  mutating func stopLoading() -> [Effect] {
    guard let loading else { return [] }
    self.loading = nil
    beginning = nil
    held = []
    return [.cancel(loading.id)]
  }

  /// Whether an event waits for the rest of the page.
  func holds(_ event: InputEvent) -> Bool {
    guard beginning != nil else { return false }
    switch event {
    case .background: return false
    case .mouse, .paste: return true
    case .key(let key):
      switch keymap[key] {
      case .cancel: return false
      // What comes after something that waits may be part of it.
      case .quit, .suspend, .redraw: return !held.isEmpty
      default: return true
      }
    }
  }

  /// Answers what was held back.
  mutating func takeHeld() -> [Effect] {
    let events = held
    held = []
    return events.flatMap { handle($0) }
  }

  /// Lays the first screens out for the size as it is now.
  mutating func relayoutBeginning() {
    beginning = beginning.map { firstScreens(of: $0.page) }
  }

  /// What is drawn: the browser with the first screens in the place of the page, where there are some.
  var drawn: Browser {
    var drawn = self
    drawn.view = beginning
    drawn.beginning = nil
    drawn.newer = nil
    drawn.find = nil
    return drawn
  }
}
