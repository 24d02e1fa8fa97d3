import Commands
import Configuration
import Reader
import Terminal

extension Browser {
  /// Executes the text typed at the command prompt.
  mutating func perform(line: String) -> [Effect] {
    guard line.contains(where: { $0 != " " }) else { return [] }
    guard let typed = CommandLine(line) else {
      notice = Notice(text: mistake(in: line), isError: true)
      return []
    }
    return perform(typed, count: nil)
  }

  /// Executes a command line.
  mutating func perform(_ line: CommandLine, count: Int?) -> [Effect] {
    if let mistake = line.mistake {
      notice = Notice(text: mistake, isError: true)
      return []
    }
    return perform(line.command, count: count ?? line.count, argument: line.argument)
  }

  private func mistake(in line: String) -> String {
    let name = String(line.drop { $0 == " " }.prefix { $0 != " " })
    let found = CommandLine.commands(beginningWith: name).map(\.definition.name)
    if !found.isEmpty {
      return "\(name) can be \(found.prefix(6).joined(separator: ", "))"
        + (found.count > 6 ? ", and \(found.count - 6) more" : "")
    }
    let closest = ClosestWord.to(name, among: Command.names)
    return "there is no command \(name)" + (closest.map { "; did you mean \($0)?" } ?? "")
  }

  /// Returns the completions for the text of a prompt.
  func suggestions(for prompt: Prompt) -> Suggestions {
    guard prompt.kind == .command else { return Suggestions() }
    let line = prompt.editor.text
    let name = line.drop { $0 == " " }.prefix { $0 != " " }
    guard line.drop(while: { $0 == " " }).contains(" ") else {
      return Suggestions(
        CommandLine.commands(beginningWith: String(name)).map { command in
          let keys = keymap.keys(of: command).prefix(2).map(\.description).joined(separator: " ")
          let help = command.definition.help
          return .init(command.definition.name, note: keys.isEmpty ? help : "\(help)  \(keys)")
        })
    }
    guard let typed = CommandLine(line) else { return Suggestions() }
    let words = (typed.argument ?? "").lowercased()
    switch typed.command.definition.argument {
    case .theme:
      return Suggestions(
        (look.themeNames + [Browser.noChoice]).filter { $0.lowercased().contains(words) }
          .map { .init("\(typed.command.definition.name) \($0)") })
    case .order:
      return Suggestions(
        ListScreen.Order.allCases.map { .init("\(typed.command.definition.name) \($0.rawValue)") })
    case .setting:
      return Suggestions(
        Settings.names.filter { $0.hasPrefix(words) }.map { name in
          .init(
            "\(typed.command.definition.name) \(name)",
            note: (try? settings.value(of: name)) ?? nil ?? "")
        })
    case .number, .address, .words, .letter, .tags, .shell, .file, .date, nil: return Suggestions()
    }
  }
}
