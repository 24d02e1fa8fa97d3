import Commands
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
      "a number before a key: a count, or the number of a link", nil
    )
    let bound = keymap.arguments.filter { $0.binding.command.definition.screens.contains(screen) }
    let own = bound.map { binding, keys -> HelpRow in
      (keys.map(\.description).joined(separator: "  "), SafeText.line(binding.text), nil)
    }
    return commands + [("Your key bindings", own), ("Counts", [counts])]
  }

  private func sections(for typing: Typing) -> [HelpSection] {
    let own = TypingKey.allCases.compactMap { key -> HelpRow? in
      let definition = key.definition
      guard let help = definition.help(in: typing) else { return nil }
      // Filters and hints use the key map; prompts have fixed keys, as in shells.
      guard let command = definition.command, typing.isDisjoint(with: .prompts) else {
        return (definition.keys.joined(separator: "  "), help, nil)
      }
      return (keys(of: command, in: typing), help, nil)
    }
    let edits = LineEditor.Edit.allCases.map { edit -> HelpRow in
      (edit.definition.keys.joined(separator: "  "), edit.definition.help, nil)
    }
    return [("Answering", own), ("Editing", typing.isDisjoint(with: .lines) ? [] : edits)]
  }

  private func keys(of command: Command) -> String {
    names(of: keymap.keys(of: command), command)
  }

  /// Returns the names of the keys of a command, without those that mean something else in a
  /// context whatever they are bound to.
  private func keys(of command: Command, in typing: Typing) -> String {
    names(of: keymap.keys(of: command).filter { TypingKey(fixed: $0, in: typing) == nil }, command)
  }

  private func names(of keys: [Key], _ command: Command) -> String {
    keys.isEmpty
      ? ":" + command.definition.name : keys.map(\.description).joined(separator: "  ")
  }

  /// Returns the title of the help screen for a subject.
  func title(of subject: HelpSubject) -> String {
    switch subject {
    case .menu(_, let subject): subject?.rawValue ?? "Menu"
    case .screen(.page): "Help for pages"
    case .screen(let screen):
      "Help for " + (Self.names.first { $0.screen == screen }?.name ?? "lists")
    case .typing(.filter): "Help for filters"
    case .typing(.letters), .typing(.linkText): "Help for letters before links"
    case .typing(.bookmark), .typing(.goToBookmark): "Help for marks"
    case .typing(.question): "Help for questions"
    case .typing(.field): "Help for fields"
    case .typing(.marking): "Help for selecting text"
    case .typing: "Help for prompts"
    }
  }

  private static let names: [(screen: Screens, name: String)] = [
    (.library, "the library"), (.history, "the history"), (.queue, "the queue"),
    (.search, "search results"), (.highlights, "highlights"), (.outline, "the outline"),
    (.links, "the links"),
    (.messages, "messages"), (.downloads, "downloads"), (.information, "page information"),
    (.choices, "choices"), (.tabs, "open pages"), (.collection, "collections"),
    (.feeds, "feeds"), (.feed, "the items of a feed"), (.unread, "unread items"),
  ]
}
