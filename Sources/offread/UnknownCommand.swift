import Platform
import Configuration
import Document
import Exchange
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
    "compact": "archive", "status": "check", "follow": "save", "subscribe": "save", "feed": "save",
    "unfollow": "remove", "unsubscribe": "remove",
  ]

  /// What is said of the first word of a command line when it is no command and no address.
  ///
  /// A name without a dot may be that of a host in one's own network; it is an address with a slash, a port or
  /// a scheme.
  /// - Parameters:
  ///   - word: the word.
  ///   - commands: the names of the commands.
  ///   - shown: those that are proposed; nil for all.
  ///   - exists: whether a path names something; an argument for tests.
  /// - Returns: the words, or nil when the word may be a command, a file or an address.
  static func words(
    for word: String, commands: [String], shown: [String]? = nil,
    exists: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> String? {
    guard isName(word, exists: exists), word != "help", !commands.contains(word) else { return nil }
    let name = SafeText.line(word)
    let advice =
      near(word, among: shown ?? commands).map { "did you mean offread \($0)?" }
      ?? "offread --help lists the commands"
    return "\(name) is no command and no address; \(advice) (a host of this name: \(name)/)"
  }

  /// What is said of a word behind `help` that is no command; nil for a command and for options.
  static func words(forTopic word: String, commands: [String], shown: [String]) -> String? {
    guard !word.hasPrefix("-"), word != "help", !commands.contains(word) else { return nil }
    let advice =
      near(word, among: shown).map { "did you mean offread help \($0)?" }
      ?? "offread --help lists the commands"
    return "there is no command \(SafeText.line(word)); \(advice)"
  }

  private static func near(_ word: String, among commands: [String]) -> String? {
    otherNames[word.lowercased()] ?? ClosestWord.to(word, among: commands)
      ?? commands.first { $0.hasPrefix(word.lowercased()) }
  }

  /// What is said of a word that stands where a file or an address does, and is neither; nil when it may be one.
  static func words(
    forTarget word: String, exists: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> String? {
    guard isName(word, exists: exists) else { return nil }
    let name = SafeText.line(word)
    return "there is no file \(name), and it is no address (a host of this name: \(name)/)"
  }

  /// What is said of a word that stands where the address of a page does, and is none; nil when it may be one.
  static func words(forPage word: String) -> String? {
    guard isName(word, exists: { _ in false }) || LinkLine.isFileName(word) else { return nil }
    let name = SafeText.line(word)
    return "\(name) is no address (a host of this name: \(name)/)"
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
