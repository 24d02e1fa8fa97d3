import Platform
import Configuration
import Document
import Exchange
import OfflineCache
import Pages

/// Messages for a word that is neither a command nor a URL where one is expected.
enum UnknownCommand {
  /// Words that users of other programs may type, with the command of the same purpose.
  private static let commandsByOtherName = [
    "tags": "list", "tag": "mark", "ls": "list", "show": "read", "open": "read", "view": "read",
    "queue": "list", "library": "list", "feeds": "list", "history": "read", "rm": "remove",
    "delete": "remove", "find": "search", "grep": "search", "get": "fetch", "download": "save",
    "keep": "save", "update": "sync", "refresh": "sync", "pull": "sync", "log": "versions",
    "note": "mark", "settings": "config", "backup": "bundle", "verify": "archive",
    "compact": "archive", "status": "check", "follow": "save", "subscribe": "save", "feed": "save",
    "unfollow": "remove", "unsubscribe": "remove",
  ]

  /// Returns the message for the first word of a command line that is neither a command nor a URL.
  ///
  /// A name without a dot may be the name of a host in the local network; it counts as a URL only
  /// with a slash, a port or a scheme.
  /// - Parameters:
  ///   - word: the word.
  ///   - commands: the names of the commands.
  ///   - shown: the commands that may be suggested; nil for all.
  ///   - exists: returns whether a path exists; a parameter for tests.
  /// - Returns: the message; nil if the word may be a command, a file or a URL.
  static func message(
    for word: String, commands: [String], shown: [String]? = nil,
    exists: (String) -> Bool = { $0.withPath { access($0, F_OK) } == 0 }
  ) -> String? {
    guard isName(word, exists: exists), word != "help", !commands.contains(word) else { return nil }
    let name = SafeText.line(word)
    let advice =
      nearestCommand(word, among: shown ?? commands).map { "did you mean offread \($0)?" }
      ?? "offread --help lists the commands"
    return
      "'\(name)' is neither a command nor a URL; \(advice) (for a host of this name type \(name)/)"
  }

  /// Returns the message for a word after `help` that is not a command; nil for a command and for
  /// options.
  static func message(forTopic word: String, commands: [String], shown: [String]) -> String? {
    guard !word.hasPrefix("-"), word != "help", !commands.contains(word) else { return nil }
    let advice =
      nearestCommand(word, among: shown).map { "did you mean offread help \($0)?" }
      ?? "offread --help lists the commands"
    return "there is no command '\(SafeText.line(word))'; \(advice)"
  }

  private static func nearestCommand(_ word: String, among commands: [String]) -> String? {
    commandsByOtherName[word.lowercased()] ?? ClosestWord.to(word, among: commands)
      ?? commands.first { !word.isEmpty && $0.hasPrefix(word.lowercased()) }
  }

  /// Returns the message for a word that is neither a file nor a URL where one is expected; nil if
  /// the word may be a file or a URL.
  static func message(forTarget word: String) -> String? {
    guard isName(word, exists: LocalFile.exists) else { return nil }
    let name = SafeText.line(word)
    var status = stat()
    if word.withPath({ lstat($0, &status) }) == 0, !LocalFile.exists(word) {
      return "'\(name)' is a symbolic link that cannot be followed: \(SystemMessage.last)"
    }
    return "'\(name)' is neither a file nor a URL (for a host of this name type \(name)/)"
  }

  /// Returns the message for a word that is not a URL where the URL of a page is expected; nil if
  /// the word may be such a URL.
  static func message(forPage word: String) -> String? {
    guard isName(word, exists: { _ in false }) || LinkLine.isFileName(word) else { return nil }
    let name = SafeText.line(word)
    return "'\(name)' is not a URL (for a host of this name type \(name)/)"
  }

  /// Returns whether a word is a bare name that no file has.
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
