import Platform
import Configuration
import Document
import OfflineCache
import Reader

/// A word where a command or an address stands, that is neither.
enum UnknownCommand {
  /// What people call things here and elsewhere that have other names here.
  private static let otherNames = [
    "tags": "list", "tag": "mark", "ls": "list", "show": "read", "open": "read", "view": "read",
    "queue": "list", "library": "list", "feeds": "list", "history": "read", "rm": "remove",
    "delete": "remove", "find": "search", "grep": "search", "get": "fetch", "download": "save",
    "keep": "save", "update": "sync", "refresh": "sync", "pull": "sync", "log": "versions",
    "note": "mark", "settings": "config", "backup": "bundle", "verify": "archive",
    "compact": "archive", "status": "check",
  ]

  /// What is said of the first word of a command line when it is no command and no address.
  ///
  /// A name without a dot may be that of a host in one's own network; it is an address with a slash, a port or
  /// a scheme.
  /// - Parameters:
  ///   - word: the word.
  ///   - commands: the names of the commands.
  ///   - exists: whether a path names something; an argument for tests.
  /// - Returns: the words, or nil when the word may be a command, a file or an address.
  static func words(
    for word: String, commands: [String], exists: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> String? {
    guard isName(word, exists: exists), word != "help", !commands.contains(word) else { return nil }
    let near =
      otherNames[word.lowercased()] ?? ClosestWord.to(word, among: commands)
      ?? commands.first { $0.hasPrefix(word.lowercased()) }
    let name = SafeText.line(word)
    let advice = near.map { "did you mean offread \($0)?" } ?? "offread --help lists the commands"
    return "\(name) is no command and no address; \(advice) (a host of this name: \(name)/)"
  }

  /// What is said of a word that stands where a file or an address does, and is neither; nil when it may be one.
  static func words(
    forTarget word: String, exists: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> String? {
    guard isName(word, exists: exists) else { return nil }
    let name = SafeText.line(word)
    return "there is no file \(name), and it is no address (a host of this name: \(name)/)"
  }

  /// Whether a word is a bare name, of nothing that is here.
  private static func isName(_ word: String, exists: (String) -> Bool) -> Bool {
    guard let first = word.unicodeScalars.first, first.properties.isAlphabetic,
      word != "localhost"
    else { return false }
    return word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
        || scalar == "_"
    } && !exists(word)
  }
}
