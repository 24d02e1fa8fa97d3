import ArgumentParser
import Foundation

/// The commands with their options and arguments, as ArgumentParser describes them: what `--help` shows is what
/// shells complete.
struct CommandTable: Decodable {
  /// A command, or the program.
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var shouldDisplay: Bool?
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The option that is spelled so, with a value or as a flag, or nil.
    func option(_ spelling: String, isFlag: Bool = false) -> Argument? {
      arguments?.first {
        $0.kind == (isFlag ? .flag : .option) && $0.spellings.contains(spelling)
      }
    }
  }

  /// An option, a flag, or what stands between them.
  struct Argument: Decodable {
    /// How it is given.
    enum Kind: String, Decodable {
      case positional, option, flag
    }

    /// One of its names.
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    /// Values that the parser knows.
    struct Values: Decodable {
      var list: [String: [String]]?
    }

    var kind: Kind
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var isRepeating: Bool
    var shouldDisplay: Bool
    var completionKind: Values?

    /// Its names as they are typed, the long one last.
    var spellings: [String] {
      (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
        .sorted { $0.utf8.count < $1.utf8.count }
    }
  }

  /// The program with its commands.
  var command: Command

  /// The table of this program.
  static func own() throws -> CommandTable {
    try JSONDecoder().decode(Self.self, from: Data(Offread._dumpHelp().utf8))
  }
}
