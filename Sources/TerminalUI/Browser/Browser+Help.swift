import Commands
import Document
import Layout
import Reader
import Terminal

/// Help: a list of the key bindings on the screen below it.
extension Browser {
  /// The subject of help for the current input mode.
  private var helpSubject: HelpSubject {
    switch mode {
    case .prompt(let prompt): .typing(prompt.typing)
    case .hints(let hints): .typing(hints.filter == nil ? .letters : .linkWords)
    case .letter(let use): .typing(use == .mark ? .mark : .goToMark)
    case .question: .typing(.question)
    case .marking: .typing(.marking)
    case .preview, .image: .screen(.page)
    case .page:
      if let list {
        list.isFiltering ? .typing(.filter) : .screen(list.kind.screen)
      } else {
        .screen(.page)
      }
    }
  }

  /// Opens help for the current screen and input mode, or closes it.
  mutating func openHelp() -> [Effect] {
    if case .help = list?.kind { return closeHelp() }
    lists.openHelp(about: helpSubject, over: mode)
    mode = .page
    return reloadList()
  }

  /// Opens help in an input mode if the key is bound to it.
  /// - Parameters:
  ///   - key: The key.
  ///   - isTyped: Returns whether a character is input in this mode, so that it does not open help.
  /// - Returns: The resulting effects; nil if the key does not open help.
  mutating func openHelp(
    by key: Key, unless isTyped: (Unicode.Scalar) -> Bool = { _ in true }
  ) -> [Effect]? {
    guard keymap[key] == .help else { return nil }
    if case .character(let scalar) = key.code, key.modifiers.isEmpty, isTyped(scalar) { return nil }
    return openHelp()
  }

  /// The open list and the input mode, or those below help if it is open.
  var openBelowHelp: (list: ListScreen?, mode: Mode) {
    lists.below.map { ($0.list, $0.mode) } ?? (list, mode)
  }

  /// Closes help and restores the screen below it.
  mutating func closeHelp() -> [Effect] {
    mode = lists.closeHelp()
    return reloadList()
  }

  /// Closes help and executes a command from its list.
  mutating func run(_ command: Command) -> [Effect] {
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
      case .screen(let screen): sections(for: screen)
      case .typing(let typing): sections(for: typing)
      }
    let widest = sections.flatMap(\.rows).map { widths.width(of: $0.keys) }.max() ?? 0
    let columns = min(widest, max(8, size.columns * 2 / 5))
    return sections.flatMap { section -> [ListEntry] in
      guard !section.rows.isEmpty else { return [] }
      return [.heading(section.title)]
        + section.rows.map { row in
          let keys = widths.truncated(row.keys, to: columns, ellipsis: glyphs.ellipsis)
          let padding = String(repeating: " ", count: columns - widths.width(of: keys) + 2)
          var entry = ListEntry(
            keys + padding + row.help, to: row.command.map { .command($0) } ?? .nowhere,
            alsoFoundBy: row.command.map { ":" + $0.definition.name } ?? row.keys)
          entry.indent = 1
          return entry
        }
    }
  }

  private typealias HelpRow = (keys: String, help: String, command: Command?)
  private typealias HelpSection = (title: String, rows: [HelpRow])

  private func sections(for screen: Screens) -> [HelpSection] {
    let commands = Command.Group.allCases.map { group -> HelpSection in
      let rows = Command.allCases.filter { $0.definition.group == group }.compactMap { command in
        command.definition.help(on: screen).map { (keys(of: command), $0, command) }
      }
      return (group.rawValue, rows)
    }
    let follow = key(of: .follow)
    let counts: HelpRow = (
      "5\(key(of: .lineDown))  150\(key(of: .bottom))  3 \(follow)",
      "a number before a key: how often, or which one", nil
    )
    let bound = keymap.arguments.filter { $0.binding.command.definition.screens.contains(screen) }
    let own = bound.map { binding, keys -> HelpRow in
      (keys.map(\.description).joined(separator: "  "), SafeText.line(binding.text), nil)
    }
    return commands + [("Of the settings", own), ("Counts", [counts])]
  }

  private func sections(for typing: Typing) -> [HelpSection] {
    let own = TypingKey.allCases.compactMap { key -> HelpRow? in
      let definition = key.definition
      guard let help = definition.help(in: typing) else { return nil }
      // Filters and hints use the key map; prompts have fixed keys, as in shells.
      guard let command = definition.command, typing.isDisjoint(with: .prompts) else {
        return (definition.keys.joined(separator: "  "), help, nil)
      }
      return (keys(of: command), help, nil)
    }
    let edits = LineEditor.Edit.allCases.map { edit -> HelpRow in
      (edit.definition.keys.joined(separator: "  "), edit.definition.help, nil)
    }
    return [("Answering", own), ("Editing", typing.isDisjoint(with: .lines) ? [] : edits)]
  }

  private func keys(of command: Command) -> String {
    let bound = keymap.keys(of: command).map(\.description)
    return bound.isEmpty ? ":" + command.definition.name : bound.joined(separator: "  ")
  }

  /// Returns the title of the help screen for a subject.
  func title(of subject: HelpSubject) -> String {
    switch subject {
    case .menu(_, let subject): subject?.rawValue ?? "What can be done here"
    case .screen(.page): "Help for pages"
    case .screen(let screen):
      "Help for " + (Self.names.first { $0.screen == screen }?.name ?? "lists")
    case .typing(.filter): "Help for filters"
    case .typing(.letters), .typing(.linkWords): "Help for letters before links"
    case .typing(.mark), .typing(.goToMark): "Help for marks"
    case .typing(.question): "Help for questions"
    case .typing(.field): "Help for fields"
    case .typing(.marking): "Help for marked lines"
    case .typing: "Help for prompts"
    }
  }

  private static let names: [(screen: Screens, name: String)] = [
    (.library, "the library"), (.history, "the history"), (.queue, "the queue"),
    (.search, "what a search found"), (.highlights, "highlights"), (.outline, "the outline"),
    (.links, "the links"),
    (.messages, "messages"), (.downloads, "downloads"), (.information, "page information"),
    (.choices, "choices"), (.tabs, "open pages"),
  ]
}
