import Commands
import DOM
import Configuration
import Document
import Layout
import Terminal

/// The menu: the commands that are available on the current screen, for users who do not know the
/// keys or use a mouse.
extension Browser {
  /// Opens the menu of the current screen, or closes it.
  mutating func openMenu() -> [Effect] {
    if case .help = list?.kind { return closeHelp() }
    layers.openHelp(about: .menu(list?.kind.screen ?? .page, nil))
    return reloadList()
  }

  /// Shows the commands of a subject instead of the subjects; nil returns to the subjects, with the
  /// subject selected that was open.
  mutating func showMenu(of subject: MenuSubject?) -> [Effect] {
    guard case .help(.menu(let screen, let old))? = list?.kind else { return [] }
    list = ListScreen(.help(.menu(screen, subject)))
    let effects = reloadList()
    let index = list.flatMap { list in
      list.shownIndices.firstIndex { list.entries[$0].target == old.map { .subject($0) } }
    }
    let viewport = listViewport
    list?.select(index ?? 0, viewport: viewport)
    return effects
  }

  /// Whether the open list is the menu.
  var isMenuOpen: Bool { list?.isMenu == true }

  /// Returns the menu entries for a screen: the subjects, or the commands of one of them with their
  /// first keys. If there are only a few commands, they are listed directly.
  func menuEntries(for screen: Screens, about subject: MenuSubject?) -> [ListEntry] {
    if let subject {
      return commands(about: subject, on: screen).compactMap(menuEntryMaker(on: screen))
    }
    let sections = MenuSubject.allCases.map { ($0, commands(about: $0, on: screen)) }
      .filter { !$0.1.isEmpty }
    if sections.reduce(0, { $0 + $1.1.count }) <= Self.maxDirectMenuRows {
      return sections.flatMap { $0.1.compactMap(menuEntryMaker(on: screen)) }
    }
    return sections.map { subject, commands in
      let text = commands.compactMap(menuEntryMaker(on: screen)).map(\.filterText).joined(
        separator: " ")
      var entry = ListEntry(subject.rawValue, to: .subject(subject), extraFilterText: text)
      entry.details[.extraText] = keyNames(of: commands)
      return entry
    }
  }

  /// The maximum number of commands that the menu lists directly, without subjects.
  private static let maxDirectMenuRows = 12

  private func commands(about subject: MenuSubject, on screen: Screens) -> [Command] {
    Command.allCases.filter { $0.menuSubject == subject && hasEffect($0, on: screen) }
  }

  private func menuEntryMaker(on screen: Screens) -> (Command) -> ListEntry? {
    { command in
      guard let help = command.definition.help(on: screen) else { return nil }
      var entry = ListEntry(
        help, to: .command(command), extraFilterText: ":" + command.definition.name)
      entry.details[.extraText] = keyName(of: command)
      return entry
    }
  }

  /// Returns the first keys of the first three commands that have keys.
  private func keyNames(of commands: [Command]) -> String {
    let keys = commands.compactMap { keymap.keys(of: $0).first?.description }
    return keys.prefix(3).joined(separator: " ") + (keys.count > 3 ? " " + glyphs.ellipsis : "")
  }

  /// Returns the text of the last row for a subject.
  func menuStatusText(of subject: MenuSubject) -> String {
    guard case .help(.menu(let screen, _))? = list?.kind else { return "" }
    let count = commands(about: subject, on: screen).count
    return "\(keyName(of: .follow)) shows \(DateTexts.countText(count, "command"))"
  }

  /// The box of the menu, below the title; nil if no menu is open, in linear mode, and if the
  /// screen is too small.
  var menuArea: ListArea? {
    guard isMenuOpen, let list, !settings.isLinear, size.rows >= 7, size.columns >= 30 else {
      return nil
    }
    let keys = (list.columnWidths[.extraText] ?? 0) + 2
    let widest = list.entries.map { displayWidth.width(of: $0.title) + $0.indentation }.max() ?? 0
    let width = min(widest + keys + 3, size.columns - 2)
    let height = max(1, min(list.shownIndices.count, size.rows - 4))
    return ListArea(rows: 2..<2 + height, columns: 1..<1 + width, hasBorder: true)
  }

  /// Draws the screen below the menu.
  func drawBelowMenu(in frame: inout Frame) {
    var below = self
    below.layers.closeHelp()
    if let list = below.list {
      below.drawList(list, in: &frame)
    } else {
      below.drawTitle(in: &frame)
      below.drawBanner(in: &frame)
      below.drawBody(in: &frame)
    }
  }
}

extension Document {
  /// Whether the document has preformatted text.
  var hasCode: Bool {
    blocks.contains { if case .preformatted = $0.kind { true } else { false } }
  }
}
