import Commands
import Configuration
import Terminal

extension Browser {
  /// Executes the text typed at the command prompt.
  mutating func perform(line: String) -> [Effect] {
    guard line.contains(where: { $0 != " " }) else { return [] }
    guard let typed = CommandLine(line) else {
      reportError(errorMessage(in: line))
      return []
    }
    return perform(typed, count: nil)
  }

  /// Executes a command line. `numericArgument` overrides the count in the line.
  mutating func perform(_ line: CommandLine, count: Int?) -> [Effect] {
    if let mistake = line.argumentError {
      reportError(mistake)
      return []
    }
    return perform(line.command, count: count ?? line.numericArgument, argument: line.argument)
  }

  private func errorMessage(in line: String) -> String {
    let name = String(line.drop { $0 == " " }.prefix { $0 != " " })
    if CommandLine.isNumber(name) { return "'\(line)' is not \(CommandLine.numbersText)" }
    let found = CommandLine.commands(beginningWith: name).map(\.definition.name)
    if !found.isEmpty {
      return "\(name) can be \(found.prefix(6).joined(separator: ", "))"
        + (found.count > 6 ? ", and \(found.count - 6) more" : "")
    }
    // As in `width 40` or `width=40`.
    let spelling = KeySetting.spelling(String(name.prefix { $0 != "=" }))
    if let setting = Settings.names.first(where: { KeySetting.spelling($0) == spelling }) {
      return "there is no command \(setting); :set \(setting)=VALUE changes the setting"
    }
    let closest = ClosestWord.to(name, among: Command.names)
    return "there is no command \(name)" + (closest.map { "; did you mean \($0)?" } ?? "")
  }
}
