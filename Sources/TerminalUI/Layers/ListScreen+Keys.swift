import Commands
import Terminal

/// The effect of a command in a list.
enum ListAction: Sendable, Equatable {
  /// Moves the selection by the count, times this number.
  case move(Int)
  /// Moves the selection by as many screens, or half screens.
  case screens(Int), halfScreens(Int)
  case first, last
  case open
  case filter
  /// Removes the filter, or closes the list without one.
  case cancel
  case close
  case entry(EntryAction)
  case undo, sort, reload
  /// The command has the same effect as on the page.
  case onPage
}

/// The effect of a command on the selected entry of a list.
enum EntryAction: Sendable, Equatable {
  case openInBackground, closeTab, edit, copy, keep, tag, markRead, remove
}

extension ListScreen {
  /// Whether the list is the menu.
  var isMenu: Bool { if case .help(.menu) = kind { true } else { false } }

  /// Handles a key that edits the filter, selects an entry of the menu, or is bound to a command.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    if isFiltering { return editFilter(by: key, in: context) }
    if isMenu, case .character(let letter) = key.code, key.modifiers.isEmpty,
      letter.properties.isAlphabetic, context.keymap[key] != .quit
    {
      choose(beginningWith: letter, width: context.viewport)
      return []
    }
    return context.perform(key, on: kind.screen)
  }

  private mutating func editFilter(by key: Key, in context: LayerContext) -> [LayerRequest] {
    let command = context.keymap[key]
    if command == .redraw { return [.effect(.redraw)] }
    if command == .suspend { return [.effect(.suspend)] }
    if command == .cancel {
      isFiltering = false
      clearFilter(width: context.viewport)
      return []
    }
    switch key.code {
    case .enter:
      isFiltering = false
      return [.openEntry]
    case .up, .down, .tab: isFiltering = false
    default: if filter.edit(key) { applyFilter(viewport: context.viewport) }
    }
    return []
  }

  /// Handles a command, which may move the selection.
  /// - Parameters:
  ///   - command: The command.
  ///   - input: The text typed with it.
  ///   - width: The screen area of the list.
  /// - Returns: The requests to the browser, in order.
  mutating func handle(_ command: Command, _ input: CommandInput, width: Viewport) -> [LayerRequest]
  {
    let times = input.times
    switch command.inList {
    case .move(let sign): move(by: sign * times, viewport: width)
    case .screens(let sign): movePages(by: sign * times, isHalf: false, viewport: width)
    case .halfScreens(let sign): movePages(by: sign * times, isHalf: true, viewport: width)
    case .first: choose(number: input.count ?? 1, width: width)
    case .last: choose(number: input.count ?? .max, width: width)
    case .open:
      if let count = input.count { choose(number: count, width: width) }
      return [.openEntry]
    case .filter:
      isFiltering = input.argument == nil
      guard let text = input.argument else { break }
      filter.replace(with: text)
      applyFilter(viewport: width)
    case .cancel where !filter.text.isEmpty: clearFilter(width: width)
    case .cancel, .close: return [.closeList(command)]
    case .entry(let action): return [.entry(action, argument: input.argument)]
    case .undo: return [.undo]
    case .sort: return [.sort(input.argument)]
    case .reload: return [.reloadList]
    case .onPage:
      return [.performOnPage(command, count: input.count, argument: input.argument)]
    }
    return []
  }

  private mutating func clearFilter(width: Viewport) {
    filter = LineEditor()
    applyFilter(viewport: width)
  }

  /// Selects an entry by its number among those shown, from 1; the last one if there are fewer.
  mutating func choose(number: Int, width: Viewport) {
    let entries = shown.indices.filter { !self.entries[shown[$0]].isHeading }
    guard let last = entries.last else { return }
    choose(entries.indices.contains(number - 1) ? entries[number - 1] : last, viewport: width)
  }

  /// Selects the next entry that begins with a letter.
  private mutating func choose(beginningWith letter: Unicode.Scalar, width: Viewport) {
    let order = Array(shown.indices.dropFirst(chosen + 1)) + shown.indices.prefix(chosen)
    let found = order.first { index in
      let entry = entries[shown[index]]
      return !entry.isHeading
        && entry.title.unicodeScalars.first?.properties.lowercaseMapping
          == letter.properties.lowercaseMapping
    }
    if let found { choose(found, viewport: width) }
  }
}
