import Commands
import Configuration
import Document
import Layout
import Terminal

/// Help: a list of the key bindings on the screen below it.
extension Browser {
  /// Opens help for the layer on top, or closes it.
  mutating func openHelp() -> [Effect] {
    if case .help = list?.kind { return closeHelp() }
    layers.openHelp(about: layers.top.helpSubject)
    return reloadList()
  }

  /// Closes help and restores the layers below it.
  mutating func closeHelp() -> [Effect] {
    layers.closeHelp()
    return reloadList()
  }

  /// Closes help and executes a command from its list.
  mutating func runFromHelp(_ command: Command) -> [Effect] {
    let effects = closeHelp()
    guard command != .help else { return effects }
    return effects + perform(command, count: nil)
  }

  // MARK: Entries

  /// Returns the help entries for a subject, with the current key bindings.
  func helpEntries(for subject: HelpSubject) -> [ListEntry] {
    let sections =
      switch subject {
      case .menu: [HelpSection]()
      case .screen(let screen): helpSections(for: screen)
      case .inputContext(let typing): helpSections(for: typing)
      }
    let widest = sections.flatMap(\.rows).map { displayWidth.width(of: $0.keys) }.max() ?? 0
    return sections.flatMap { section -> [ListEntry] in
      guard !section.rows.isEmpty else { return [] }
      return [.heading(section.title)]
        + section.rows.flatMap { row in
          helpTexts(for: row, keyColumns: widest).enumerated().map { index, text in
            var entry = ListEntry(
              text, to: row.command.map { .command($0) } ?? .nowhere,
              extraFilterText: row.keys + " " + row.help
                + (row.command.map { " :" + $0.definition.name } ?? ""))
            entry.isContinuation = index > 0
            entry.indentation = 1
            return entry
          }
        }
    }
  }

  /// Returns the lines of a row of help, wrapped to the width of the list: the description is
  /// beside the keys or, on a narrow screen, below them. In linear mode, each row is one line.
  private func helpTexts(for row: HelpRow, keyColumns: Int) -> [String] {
    let maxKeyColumns = max(8, size.columns * 2 / 5)
    let width = listArea.columns.count - 3
    guard keyColumns <= maxKeyColumns || settings.isLinear else {
      return [row.keys]
        + displayWidth.wrapped(row.help, to: max(1, width - 2)).map { "  " + $0 }
    }
    let keyColumns = min(keyColumns, maxKeyColumns)
    let keys = displayWidth.truncated(row.keys, to: keyColumns, ellipsis: glyphs.ellipsis)
    let padding = String(repeating: " ", count: keyColumns - displayWidth.width(of: keys) + 2)
    guard !settings.isLinear else { return [keys + padding + row.help] }
    let indentation = String(repeating: " ", count: keyColumns + 2)
    return displayWidth.wrapped(row.help, to: max(1, width - keyColumns - 2)).enumerated().map {
      ($0.offset == 0 ? keys + padding : indentation) + $0.element
    }
  }

  private typealias HelpRow = (keys: String, help: String, command: Command?)
  private typealias HelpSection = (title: String, rows: [HelpRow])

  private func helpSections(for screen: Screens) -> [HelpSection] {
    let commands = Command.HelpGroup.allCases.map { group -> HelpSection in
      let rows = Command.allCases.filter { $0.definition.group == group }.compactMap { command in
        command.definition.help(on: screen).map { (keyNames(of: command), $0, command) }
      }
      return (group.rawValue, rows)
    }
    let follow = keyName(of: .follow)
    let counts: HelpRow = (
      "5\(keyName(of: .lineDown))  150\(keyName(of: .bottom))  3 \(follow)",
      "a number before a key: a count, or the number of a link", nil
    )
    let bound = keymap.bindingsWithArguments.filter {
      $0.binding.command.definition.screens.contains(screen)
    }
    let own = bound.map { binding, keys -> HelpRow in
      (keys.map(\.description).joined(separator: "  "), SafeText.line(binding.commandLine), nil)
    }
    return commands + [("Your key bindings", own), ("Counts", [counts])]
  }

  private func helpSections(for context: InputContexts) -> [HelpSection] {
    let own = InputKey.allCases.compactMap { key -> HelpRow? in
      let definition = key.definition
      guard let help = definition.help(in: context) else { return nil }
      // Filters and hints use the key map; prompts have fixed keys, as in shells.
      guard let command = definition.command, context.isDisjoint(with: .prompts) else {
        return (definition.keys.joined(separator: "  "), help, nil)
      }
      return (keyNames(of: command, in: context), help, nil)
    }
    let edits = LineEditor.Edit.allCases.map { edit -> HelpRow in
      (edit.definition.keys.joined(separator: "  "), edit.definition.help, nil)
    }
    return [("Answering", own), ("Editing", context.isDisjoint(with: .lineInputs) ? [] : edits)]
  }

  private func keyNames(of command: Command) -> String {
    keyNames(of: keymap.keys(of: command), command)
  }

  /// Returns the names of the keys of a command, without the keys that have a fixed function in an
  /// input context, which no key binding can change.
  private func keyNames(of command: Command, in typing: InputContexts) -> String {
    keyNames(
      of: keymap.keys(of: command).filter { InputKey(fixed: $0, in: typing) == nil }, command)
  }

  private func keyNames(of keys: [Key], _ command: Command) -> String {
    keys.isEmpty
      ? ":" + command.definition.name : keys.map(\.description).joined(separator: "  ")
  }

  /// Returns the title of the help screen for a subject.
  func helpTitle(of subject: HelpSubject) -> String {
    switch subject {
    case .menu(_, let subject): subject?.rawValue ?? "Menu"
    case .screen(.page): "Help for pages"
    case .screen(let screen):
      "Help for " + (Self.screenNames.first { $0.screen == screen }?.name ?? "lists")
    case .inputContext(.filter): "Help for filters"
    case .inputContext(.hintLetters), .inputContext(.linkText): "Help for link hints"
    case .inputContext(.setBookmarkLetter), .inputContext(.goToBookmarkLetter): "Help for marks"
    case .inputContext(.question): "Help for questions"
    case .inputContext(.field): "Help for fields"
    case .inputContext(.selection): "Help for selecting text"
    case .inputContext: "Help for prompts"
    }
  }

  private static let screenNames: [(screen: Screens, name: String)] = [
    (.library, "the library"), (.history, "the history"), (.queue, "the queue"),
    (.search, "search results"), (.highlights, "highlights"), (.outline, "the outline"),
    (.links, "the links"),
    (.messages, "messages"), (.downloads, "downloads"), (.information, "page information"),
    (.choices, "choices"), (.tabs, "open pages"), (.collection, "collections"),
    (.feeds, "feeds"), (.feed, "the items of a feed"), (.unread, "unread items"),
  ]
}
