import Configuration
import Reader
import Terminal

/// What is typed at the prompt for commands, read: `150`, `theme nord`, `open example.org`.
struct CommandLine: Equatable {
  var command: Command
  /// What follows the name, without white space around it; nil when nothing does.
  var argument: String?

  init(command: Command, argument: String?) {
    (self.command, self.argument) = (command, argument)
  }

  /// Reads a line whose first word is a name, or the beginning of one name only.
  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let word = words.first.map(String.init) else { return nil }
    if Int(word) != nil {
      (command, argument) = (.top, word)
      return
    }
    // As fingers know it from editors.
    let name = word == "q" ? Command.quit.definition.name : word
    let found = Command(name: name).map { [$0] } ?? Self.commands(beginningWith: name)
    guard found.count == 1 else { return nil }
    command = found[0]
    var rest = words.count > 1 ? words[1].drop { $0 == " " } : ""
    while rest.last == " " { rest.removeLast() }
    argument = rest.isEmpty ? nil : String(rest)
  }

  /// Reads what a key is bound to: a whole name, and what follows it.
  init?(binding text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard let command = words.first.flatMap({ Command(name: String($0)) }) else { return nil }
    self.command = command
    argument = words.count > 1 ? String(words[1]) : nil
  }

  /// What is wrong with what follows the name, or nil.
  var mistake: String? {
    let definition = command.definition
    guard let argument else { return nil }
    switch definition.argument {
    case nil: return "\(definition.name) takes nothing after its name"
    case .number where count == nil: return "\(definition.name) takes a number, not \(argument)"
    default: return nil
    }
  }

  /// The number that follows the name, for a command that takes one.
  var count: Int? {
    guard command.definition.argument == .number, let number = argument.flatMap({ Int($0) }),
      (0...999_999).contains(number)
    else { return nil }
    return number
  }

  /// The commands whose names begin with some letters, their words joined in any way.
  static func commands(beginningWith name: String) -> [Command] {
    let spelling = KeySetting.spelling(name)
    return Command.allCases.filter {
      KeySetting.spelling($0.definition.name).hasPrefix(spelling)
    }
  }
}

extension Browser {
  /// Carries out what was typed at the prompt for commands.
  mutating func perform(line: String) -> [Effect] {
    guard line.contains(where: { $0 != " " }) else { return [] }
    guard let typed = CommandLine(line) else {
      notice = Notice(text: mistake(in: line), isError: true)
      return []
    }
    return perform(typed, count: nil)
  }

  /// Carries out a command with what follows its name.
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

  /// What Tab can make of what is typed.
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
    case .number, .address, .words, .letter, .tags, .shell, .file, .date, nil: return Suggestions()
    }
  }
}
