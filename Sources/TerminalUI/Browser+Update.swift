import Foundation
import HTML
import Layout
import Reader

extension Browser {
  /// Answers a message by changing the state; what is to be done in the world is returned.
  package mutating func update(_ message: Message) -> [Effect] {
    switch message {
    case .started: return load(start, purpose: .visit)
    case .clock(let date): now = date
    case .input(let event): return handle(event)
    case .resized(let size): resize(to: size)
    case .idle: view?.grow()
    case .load(let id, let event): return handle(event, of: id)
    case .savedLinks(let url, let saved): mark(saved, of: url)
    case .queue(.waiting(let count)): queued = count
    case .queue(.arrived(let count)):
      notice = Notice(text: DateWords.count(count, "queued page") + " arrived")
    case .terminated(let signal): return [.quit(128 + signal)]
    }
    return []
  }

  private mutating func handle(_ event: InputEvent) -> [Effect] {
    switch event {
    case .background(let isDark):
      if settings.theme == nil { chooseTheme(isDark: isDark) }
      return []
    case .key(let key):
      notice = nil
      return handle(key)
    case .paste(let text):
      notice = nil
      paste(text)
      return []
    case .mouse(let mouse):
      guard settings.takesMouse else { return [] }
      notice = nil
      return handle(mouse)
    }
  }

  private mutating func handle(_ key: Key) -> [Effect] {
    switch mode {
    case .prompt(let prompt): return handle(key, in: prompt)
    case .hints(let hints): return handle(key, in: hints)
    case .overlay(let overlay):
      takeDigit(key)
      guard let command = keymap[key] else { return [] }
      return perform(command, in: overlay, count: takeCount())
    case .page:
      if takeDigit(key) { return [] }
      guard let command = keymap[key] else {
        if takeCount() == nil {
          notice = Notice(text: "\(key) does nothing here; \(helpKey): help")
        }
        return []
      }
      return perform(command, count: takeCount())
    }
  }

  /// The name of the key that opens help.
  var helpKey: String { keymap.keys(of: .help).first?.description ?? "" }

  /// The name of the key that quits.
  var quitKey: String { keymap.keys(of: .quit).first?.description ?? "" }

  /// Adds a digit to the count, unless the key is bound to something.
  @discardableResult
  private mutating func takeDigit(_ key: Key) -> Bool {
    guard case .character(let scalar) = key.code, key.modifiers.isEmpty, keymap[key] == nil,
      let digit = Int(String(scalar)), scalar.isASCII
    else { return false }
    count = min((count ?? 0) * 10 + digit, 999_999)
    return true
  }

  private mutating func takeCount() -> Int? {
    defer { count = nil }
    return count
  }

  private mutating func paste(_ text: String) {
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch mode {
    case .prompt(var prompt):
      prompt.editor.insert(line)
      prompt.suggestions = suggestions(for: prompt)
      mode = .prompt(prompt)
      promptChanged()
    case .page:
      // Whoever pastes on a page means to go there; Enter is still theirs.
      openPrompt(.open, text: line)
    case .overlay, .hints: break
    }
  }

  private mutating func handle(_ mouse: InputEvent.Mouse) -> [Effect] {
    switch (mouse.action, mode) {
    case (.wheelUp, .page): scroll(by: -3)
    case (.wheelDown, .page): scroll(by: 3)
    case (.wheelUp, .overlay(let overlay)):
      return perform(.lineUp, in: overlay, count: 3)
    case (.wheelDown, .overlay(let overlay)):
      return perform(.lineDown, in: overlay, count: 3)
    case (.click, .page), (.click, .hints):
      mode = .page
      return click(row: mouse.row, column: mouse.column)
    default: break
    }
    return []
  }

  private mutating func resize(to size: Size) {
    self.size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    relayout()
    if case .hints = mode { mode = .page }
    if case .overlay(var overlay) = mode {
      overlay.clamp(in: self)
      mode = .overlay(overlay)
    }
  }

  /// Lays the page out for the size and the settings as they are now.
  mutating func relayout() {
    guard var view else { return }
    view.relayout(
      layoutOptions(for: view.page, like: view.options), height: bodyHeight)
    self.view = view
    refreshMatches()
  }

  /// How a page is laid out on this screen.
  func layoutOptions(for page: Page, like old: LayoutOptions? = nil) -> LayoutOptions {
    let width = min(max(20, size.columns), 500)
    var options = LayoutOptions(
      width: width, textWidth: min(settings.textWidth, max(20, width - 2)))
    options.isCentered = true
    options.isASCII = glyphs.isASCII
    options.widths = widths
    options.foldsNavigation = true
    options.opensNavigation = old?.opensNavigation ?? false
    options.foldsDetails = true
    options.toggledDetails = old?.toggledDetails ?? []
    options.isolatesDirections = true
    options.linkNumbers = showsLinkNumbers ? .numbers : .none
    if showsLinkNumbers {
      let document = page.document
      options.linkTargets = document.links.indices.map {
        shown(document.url(ofLink: $0) ?? document.links[$0].target)
      }
    }
    options.linkMarks = old?.linkMarks ?? []
    return options
  }
}
