import Commands
import DOM
import Configuration
import Document
import Layout
import Reader
import Terminal

/// The menu: what can be done here, by the table of commands; for who knows no keys, and for mice.
extension Browser {
  /// Opens the menu over what is on the screen, or closes it.
  mutating func openMenu() -> [Effect] {
    if case .help = list?.kind { return closeHelp() }
    lists.openHelp(about: .menu(list?.kind.screen ?? .page), over: mode)
    return reloadList()
  }

  /// Whether the open list is the menu.
  var isMenuOpen: Bool { if case .help(.menu)? = list?.kind { true } else { false } }

  /// What can be done on a screen, grouped as in help, with the most usual keys.
  func menuEntries(for screen: Screens) -> [ListEntry] {
    Command.Group.allCases.flatMap { group -> [ListEntry] in
      let commands = Command.allCases.filter {
        $0.definition.group == group && $0 != .menu && isPossible($0, on: screen)
      }
      guard !commands.isEmpty else { return [] }
      return [.heading(group.rawValue)]
        + commands.compactMap { command in
          guard let help = command.definition.help(on: screen) else { return nil }
          var entry = ListEntry(
            help, to: .command(command), alsoFoundBy: ":" + command.definition.name)
          entry.details[.note] = key(of: command)
          entry.indent = 1
          return entry
        }
    }
  }

  /// Whether a command would do more now than say that it cannot.
  private func isPossible(_ command: Command, on screen: Screens) -> Bool {
    guard command.definition.help(on: screen) != nil else { return false }
    guard screen == .page else { return true }
    switch command {
    case .command, .help, .messages, .shell, .nextTheme, .theme, .redraw, .suspend, .quit, .library,
      .search, .history, .queue, .downloads, .highlights, .openURL, .editURL, .offline, .goToMark,
      .menu, .undo:
      return true
    case .cancel: return loading.load != nil || finding.find != nil || view?.focus != nil
    case .back: return !history.past.isEmpty || opening.list != nil || start == nil
    case .forward: return !history.future.isEmpty
    case .nextTab, .previousTab, .tabs: return tabs.count > 1
    case .closeTab: return tabs.count > 1
    case .findNext, .findPrevious: return finding.find != nil
    default: return view.map { isPossible(command, in: $0) } ?? false
    }
  }

  private func isPossible(_ command: Command, in view: PageView) -> Bool {
    let page = view.page
    switch command {
    case .follow: return view.focus != nil || page.attachment != nil
    case .preview, .openBehind, .copyLink: return focusedURL != nil
    case .keepLink: return focusedURL?.isWebURL == true
    case .nextLink, .previousLink, .hints, .queueHint, .links, .linkNumbers, .linkMarks:
      return !page.document.links.isEmpty || !page.document.forms.controls.isEmpty
    case .openImage, .images: return !page.document.images.isEmpty
    case .nextHeading, .previousHeading, .outline: return !view.layout.headings.isEmpty
    case .panLeft, .panRight, .wrapCode: return page.document.hasCode
    case .nextChange, .previousChange: return view.changes != nil
    case .nextPart, .previousPart: return page.parts != nil
    case .olderVersion, .newerVersion: return versionedURL != nil
    case .remote: return versionedURL != nil && !settings.remotes.isEmpty
    case .render: return page.url.isWebURL
    case .keep, .tag: return page.url.isWebURL && page.sent == nil
    case .readerView: return page.hasReaderView
    case .source: return page.content != nil
    default: return true
    }
  }

  /// Chooses the next entry that begins with a letter.
  mutating func choose(beginningWith letter: Unicode.Scalar) {
    guard let list else { return }
    let order =
      Array(list.shown.indices.dropFirst(list.chosen + 1)) + list.shown.indices.prefix(list.chosen)
    let found = order.first { index in
      let entry = list.entries[list.shown[index]]
      return !entry.isHeading
        && entry.title.unicodeScalars.first?.properties.lowercaseMapping
          == letter.properties.lowercaseMapping
    }
    guard let found else { return }
    let room = listRoom
    self.list?.choose(found, room: room)
  }

  /// The box of the menu, below the title; nil where there is no room for one.
  var menuBox: ListPlace? {
    guard isMenuOpen, let list, !settings.isLinear, size.rows >= 7, size.columns >= 30 else {
      return nil
    }
    let keys = (list.columnWidths[.note] ?? 0) + 2
    let widest = list.entries.map { widths.width(of: $0.title) + $0.indent }.max() ?? 0
    let width = min(widest + keys + 3, size.columns - 2)
    let height = max(1, min(list.shown.count, size.rows - 4))
    return ListPlace(rows: 2..<2 + height, columns: 1..<1 + width, isBox: true)
  }

  /// Draws what is below the menu.
  func drawBelowMenu(in frame: inout Frame) {
    var below = self
    below.mode = below.lists.closeHelp()
    if let list = below.list {
      below.draw(list, in: &frame)
    } else {
      below.drawTitle(in: &frame)
      below.drawBanner(in: &frame)
      below.drawBody(in: &frame)
    }
  }
}

extension Document {
  /// Whether it has preformatted text.
  fileprivate var hasCode: Bool {
    blocks.contains { if case .preformatted = $0.kind { true } else { false } }
  }
}
