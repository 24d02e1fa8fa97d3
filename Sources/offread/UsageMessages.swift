import Configuration
import Foundation

/// The usage errors of ArgumentParser as single lines.
enum UsageMessages {
  /// Returns a message on one line, with list items separated by commas.
  static func oneLine(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    var text = ""
    var isList = false
    for line in lines {
      let isMember = line.hasPrefix("- ")
      if !text.isEmpty { text += isMember && isList ? ", " : " " }
      text += isMember ? String(line.dropFirst(2)) : line
      isList = isMember
    }
    return text
  }

  /// Returns a message of ArgumentParser in the style of all other messages: in lower case, and
  /// with a hint about the values that an option takes.
  static func restyled(_ message: String) -> String {
    var text = message
    if let match = message.firstMatch(of: /^The value '(.*?)' is invalid for '(.*?)'/) {
      let name = String(match.2.prefix { $0 != " " })
      let listed = message[match.range.upperBound...]
        .firstMatch(of: /Please provide one of (?:the following: )?(.*?)\.?$/)
      text =
        (optionValues[name] ?? listed.map { String($0.1) }).map {
          "\(name) takes \($0), not '\(match.1)'"
        } ?? "'\(match.1)' is not valid for \(name)"
    } else if let match = message.firstMatch(of: /^Missing expected argument '<(.*?)>.*'$/) {
      text = "missing argument: \(match.1)"
    } else if let match = message.firstMatch(of: /^Missing expected argument '(--[^ ']+).*'$/) {
      text = "missing option: \(match.1)"
    }
    guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return text }
    return first.lowercased() + text.dropFirst()
  }

  /// Descriptions of the values that options take, for options whose valid values ArgumentParser
  /// does not list.
  private static let optionValues = [
    "--every": "a time of at least one minute, such as 12h", "--max-size": "a size such as 20M",
    "--patience": "a number of seconds", "--timeout": "a number of seconds",
    "--connect-timeout": "a number of seconds", "--limit": "a number", "--width": "a number",
    "--depth": "a number", "--delay": "a number of milliseconds", "--jobs": "a number",
    "--max-pages": "a number", "--items": "a number", "--open": "the number of a result",
    "--max-redirects": "a number", "--copy": "latest, previous or an id",
    "--data-dir": "the path of a directory", "--log": "the path of a file",
    "--cookies": "the path of a file", "--netrc-file": "the path of a file",
    "--cert": "the path of a file", "--key": "the path of a file",
    "--cacert": "the path of a file", "--from": "the path of a file",
    "--check": "the path of a file", "--base": "a URL",
  ]

  /// Returns the names of the options of a command, including the common ones.
  static func spellings(of command: String) -> Set<String> {
    let table = (try? CommandTable.ofThisProgram())?.command.subcommands ?? []
    let own = table.first { $0.commandName == command }?.arguments ?? []
    return Set(own.flatMap(\.spellings)).union(["--help", "--version"])
  }

  /// Returns the message for an unknown option, with the most similar option of the command by edit
  /// distance (missing, added, changed or swapped letters).
  /// - Parameters:
  ///   - message: the message of ArgumentParser.
  ///   - command: the name of the command; nil for the reader.
  /// - Returns: the corrected message; `message` itself if it is about something else.
  static func unknownOptionMessage(_ message: String, of command: String?) -> String {
    let start = "Unknown option '"
    guard message.hasPrefix(start) else { return message }
    let option = String(message.dropFirst(start.count).prefix { $0 != "'" && $0 != "=" })
    // Some programs have long options with a single dash.
    let name = String(option.drop { $0 == "-" })
    let names = spellings(of: command ?? "read").filter { $0.hasPrefix("--") }.sorted()
      .map { String($0.dropFirst(2)) }
    let closest = names.contains(name) ? name : ClosestWord.to(name, among: names)
    return "\(start)\(option)'" + (closest.map { "; did you mean --\($0)?" } ?? "")
  }

  /// Returns the message for an option that only other commands have; nil if no command has it.
  /// - Parameters:
  ///   - message: the message of ArgumentParser.
  ///   - command: the command that was called, such as `offread list`.
  /// - Returns: the message, without the reference to `--help`.
  static func misplacedOptionMessage(_ message: String, of command: String) -> String? {
    let start = "Unknown option '"
    guard message.hasPrefix(start) else { return nil }
    let option = message.dropFirst(start.count).prefix { $0 != "'" && $0 != "=" }
    let table = (try? CommandTable.ofThisProgram())?.command.subcommands ?? []
    let names = table.filter { candidate in
      candidate.shouldDisplay != false
        && candidate.arguments?.contains { $0.spellings.contains(String(option)) } == true
    }.map(\.commandName)
    guard !names.isEmpty else { return nil }
    return "\(command) has no option \(option), which \(names.joined(separator: ", "))"
      + " \(names.count == 1 ? "has" : "have")"
  }
}
