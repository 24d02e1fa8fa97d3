import Configuration
import Pages
import Terminal

/// A parsed line of the command prompt: `150`, `theme nord`, `open example.org`.
package struct CommandLine: Equatable {
  package var command: Command
  /// The text after the name, without surrounding white space; nil if there is no such text.
  package var argument: String?

  package init(command: Command, argument: String?) {
    (self.command, self.argument) = (command, argument)
  }

  /// Parses a line whose first word is the name of a command or an unambiguous prefix of one; nil
  /// if there is no such command. A number alone stands for the command `top` with this number as
  /// its argument, a number and `%` for `percent`, `$` for `bottom`, and `q` for `quit`.
  package init?(_ line: String) {
    let tokens = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let word = tokens.first.map(String.init) else { return nil }
    var rest = tokens.count > 1 ? tokens[1].drop { $0 == " " } : ""
    while rest.last == " " { rest.removeLast() }
    if Self.isNumber(word) {
      let number = word.prefix { $0 != "%" }
      guard rest.isEmpty, Int(number).map(Self.numbers.contains) == true else { return nil }
      (command, argument) = (number == word ? .top : .percent, String(number))
      return
    }
    // Abbreviations familiar from editors.
    let abbreviated: Command? = word == "q" ? .quit : word == "$" ? .bottom : nil
    let name = abbreviated?.definition.name ?? word
    let found = Command(name: name).map { [$0] } ?? Self.commands(beginningWith: name)
    guard found.count == 1 else { return nil }
    command = found[0]
    argument = rest.isEmpty ? nil : String(rest)
  }

  /// Parses the target of a key binding: a complete name and an optional argument; nil if there is
  /// no such command.
  package init?(binding text: String) {
    let tokens = text.split(separator: " ", maxSplits: 1)
    guard let command = tokens.first.flatMap({ Command(name: String($0)) }) else { return nil }
    self.command = command
    argument = tokens.count > 1 ? String(tokens[1]) : nil
  }

  /// The valid numeric arguments.
  private static let numbers = 0...999_999

  /// A description of the valid numeric arguments.
  package static let numbersText = "a number from \(numbers.lowerBound) to \(numbers.upperBound)"

  /// Returns whether a word is a number with or without a sign and `%`, whether or not it is valid.
  package static func isNumber(_ word: String) -> Bool {
    let number = word.first.map { "+-".contains($0) } == true ? word.dropFirst() : word[...]
    let digits = number.last == "%" ? number.dropLast() : number
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// A message about an error in the argument; nil if there is none.
  package var argumentError: String? {
    let definition = command.definition
    guard let argument else { return nil }
    switch definition.argument {
    case nil: return "\(definition.name) takes no argument"
    case .number where numericArgument == nil:
      return "\(definition.name) takes \(Self.numbersText), not \(argument)"
    default: return nil
    }
  }

  /// The numeric argument of a command that takes one; nil if it is missing or not in `numbers`.
  package var numericArgument: Int? {
    guard command.definition.argument == .number, let number = argument.flatMap({ Int($0) }),
      Self.numbers.contains(number)
    else { return nil }
    return number
  }

  /// Returns the commands whose names begin with a prefix; case and word separators are ignored.
  package static func commands(beginningWith name: String) -> [Command] {
    let spelling = KeySetting.spelling(name)
    return Command.allCases.filter {
      KeySetting.spelling($0.definition.name).hasPrefix(spelling)
    }
  }
}
