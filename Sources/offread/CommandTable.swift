import ArgumentParser
import Foundation

/// The commands with their options and arguments, as ArgumentParser describes them, so that shells
/// complete exactly what `--help` shows.
struct CommandTable: Decodable {
  /// A command, or the program itself.
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var shouldDisplay: Bool?
    var arguments: [Argument]?
    var subcommands: [Command]?

    private enum CodingKeys: String, CodingKey {
      case commandName = "commandName"
      case abstract = "abstract"
      case shouldDisplay = "shouldDisplay"
      case arguments = "arguments"
      case subcommands = "subcommands"
    }

    /// Returns the option or flag with a spelling, such as `--data-dir`; nil if the command has
    /// none.
    func option(_ spelling: String, isFlag: Bool = false) -> Argument? {
      arguments?.first {
        $0.kind == (isFlag ? .flag : .option) && $0.spellings.contains(spelling)
      }
    }
  }

  /// An option, a flag or a positional argument.
  struct Argument: Decodable {
    /// The kind of an argument.
    enum Kind: String, Decodable {
      case positional, option, flag
    }

    /// A name of an option, without hyphens.
    struct Name: Decodable {
      var kind: String
      var name: String

      private enum CodingKeys: String, CodingKey {
        case kind = "kind"
        case name = "name"
      }
    }

    /// The values that the parser accepts.
    struct Values: Decodable {
      var list: [String: [String]]?

      private enum CodingKeys: String, CodingKey {
        case list = "list"
      }
    }

    var kind: Kind
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var isRepeating: Bool
    var shouldDisplay: Bool
    var completionKind: Values?

    private enum CodingKeys: String, CodingKey {
      case kind = "kind"
      case names = "names"
      case valueName = "valueName"
      case abstract = "abstract"
      case isRepeating = "isRepeating"
      case shouldDisplay = "shouldDisplay"
      case completionKind = "completionKind"
    }

    /// The names of the option with their hyphens, the longest last.
    var spellings: [String] {
      (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
        .sorted { $0.utf8.count < $1.utf8.count }
    }
  }

  /// The program, with its commands.
  var command: Command

  private enum CodingKeys: String, CodingKey {
    case command = "command"
  }

  /// Returns the table of this program.
  /// - Throws: `DecodingError` if ArgumentParser changes the format of its description.
  static func ofThisProgram() throws -> CommandTable {
    try JSONDecoder().decode(Self.self, from: Data(Offread._dumpHelp().utf8))
  }
}
