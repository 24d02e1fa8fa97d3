import Commands
import Terminal

extension ListScreen {
  /// Whether the list is the menu.
  var isMenu: Bool { if case .help(.menu) = kind { true } else { false } }

  /// Handles a key that edits the filter, selects an entry of the menu, or is bound to a command.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    if isFiltering { return editFilter(by: key, in: context) }
    if isMenu, case .character(let letter) = key.code, key.modifiers.isEmpty,
      letter.properties.isAlphabetic, context.keymap[key] != .quit
    {
      selectNext(beginningWith: letter, width: context.viewport)
      return []
    }
    return context.requests(key, on: kind.screen)
  }

  private mutating func editFilter(by key: Key, in context: LayerContext) -> [LayerRequest] {
    let command = context.keymap[key]
    if command == .redraw { return [.effect(.redraw)] }
    if command == .suspend { return [.effect(.suspend)] }
    if command == .cancel {
      isFiltering = false
      clearFilter(viewport: context.viewport)
      return []
    }
    switch key.code {
    case .enter:
      isFiltering = false
      return [.openEntry]
    case .up, .down, .tab: isFiltering = false
    default: if filter.performEdit(key) { applyFilter(viewport: context.viewport) }
    }
    return []
  }

  /// Handles a command, which may move the selection.
  /// - Parameters:
  ///   - command: The command.
  ///   - input: The text typed with it.
  ///   - viewport: The screen area of the list.
  /// - Returns: The requests to the browser, in order.
  mutating func handle(_ command: Command, _ input: CommandInput, viewport: Viewport)
    -> [LayerRequest]
  {
    let times = input.times
    if loadState == .openingFirstEntry { loadState = .loading }
    switch command.listAction {
    case .moveSelection(let sign): move(by: sign * times, viewport: viewport)
    case .moveByScreens(let sign):
      movePages(by: sign * times, isHalfPage: false, viewport: viewport)
    case .moveByHalfScreens(let sign):
      movePages(by: sign * times, isHalfPage: true, viewport: viewport)
    case .selectFirst: select(number: input.count ?? 1, viewport: viewport)
    case .selectLast: select(number: input.count ?? .max, viewport: viewport)
    case .openEntry:
      if let count = input.count { select(number: count, viewport: viewport) }
      return [.openEntry]
    case .filter:
      isFiltering = input.argument == nil
      guard let text = input.argument else { break }
      filter.replace(with: text)
      applyFilter(viewport: viewport)
    case .cancel where !filter.text.isEmpty: clearFilter(viewport: viewport)
    case .cancel, .closeList: return [.closeList(command)]
    case .performOnEntry(let action): return [.performOnEntry(action, argument: input.argument)]
    case .undo: return [.undo]
    case .sort: return [.sortList(input.argument)]
    case .reload: return [.reloadList]
    case .performOnPage:
      return [.performOnPage(command, count: input.count, argument: input.argument)]
    }
    return []
  }

  private mutating func clearFilter(viewport: Viewport) {
    filter = LineEditor()
    applyFilter(viewport: viewport)
  }

  /// Selects an entry by its number among those shown, from 1; the last one if there are fewer.
  mutating func select(number: Int, viewport: Viewport) {
    let entries = shownIndices.indices.filter { !self.entries[shownIndices[$0]].isHeading }
    guard let last = entries.last else { return }
    select(entries.indices.contains(number - 1) ? entries[number - 1] : last, viewport: viewport)
  }

  /// Selects the next entry that begins with a letter.
  private mutating func selectNext(beginningWith letter: Unicode.Scalar, width: Viewport) {
    let order =
      Array(shownIndices.indices.dropFirst(selectedIndex + 1))
      + shownIndices.indices.prefix(selectedIndex)
    let found = order.first { index in
      let entry = entries[shownIndices[index]]
      return !entry.isHeading
        && entry.title.unicodeScalars.first?.properties.lowercaseMapping
          == letter.properties.lowercaseMapping
    }
    if let found { select(found, viewport: width) }
  }
}
