import Document
import Formats

/// Which command shows a file: that of the settings, else that of mailcap, else `xdg-open`.
package struct Opener: Sendable {
  /// The command of the settings, or nil.
  package var setting: String?
  /// The mailcap files that are there.
  package var mailcaps: [Mailcap]
  /// Whether `xdg-open` is installed.
  package var hasDesktop: Bool

  package init(setting: String?, mailcaps: [Mailcap], hasDesktop: Bool) {
    self.setting = setting
    self.mailcaps = mailcaps
    self.hasDesktop = hasDesktop
  }

  /// A command for the shell.
  package struct Command: Sendable, Equatable {
    /// What the shell is told to do.
    package var line: String
    /// Whether it has to have the terminal.
    package var needsTerminal = false
    /// Whether what it writes is for a pager.
    package var isCopious = false

    /// The name of the program, for a message.
    package var program: String

    init(line: String, of command: String, needsTerminal: Bool = false, isCopious: Bool = false) {
      self.line = line
      self.needsTerminal = needsTerminal
      self.isCopious = isCopious
      let word = command.split(separator: " ").first ?? ""
      program = word.split(separator: "/").last.map(String.init) ?? command
    }
  }

  /// Chooses the command for a file.
  /// - Parameters:
  ///   - path: the file.
  ///   - mediaType: its type.
  ///   - passes: whether a command of the shell succeeds.
  /// - Returns: the command, or nil when nothing is known that shows it.
  package func command(
    path: String, mediaType: String, passes: (String) -> Bool
  ) -> Command? {
    if let setting, setting.contains(where: { $0 != " " }) {
      let line = setting.contains("%s") ? setting : setting + " %s"
      return Command(line: Self.expanded(line, path, mediaType), of: line)
    }
    for mailcap in mailcaps {
      for entry in mailcap.entries(for: mediaType) {
        if let test = entry.test, !passes(Self.expanded(test, path, mediaType)) { continue }
        // Without its name the file is standard input.
        var line = Self.expanded(entry.command, path, mediaType)
        // All parts of a command read what one of them leaves.
        if !entry.command.contains("%s") { line = "{ \(line)\n} < \(Self.quoted(path))" }
        return Command(
          line: line, of: entry.command, needsTerminal: entry.needsTerminal || entry.isCopious,
          isCopious: entry.isCopious)
      }
    }
    return hasDesktop ? Command(line: "xdg-open \(Self.quoted(path))", of: "xdg-open") : nil
  }

  /// Chooses the command for an address, which reaches the shell in a variable only: a page has written
  /// it.
  /// - Parameters:
  ///   - variable: the name of the variable.
  ///   - browsers: `$BROWSER`: commands with colons between them, of which the first that works counts.
  /// - Returns: the command, or nil when nothing is known that opens addresses.
  package func command(forAddressIn variable: String, browsers: String) -> Command? {
    let set = [browsers.split(separator: ":").map(String.init), [setting ?? ""]].map { commands in
      commands.filter { command in command.contains { $0 != " " } }
    }
    let chosen = set.first { !$0.isEmpty } ?? (hasDesktop ? ["xdg-open"] : [])
    guard let first = chosen.first else { return nil }
    let word = "\"$\(variable)\""
    let lines = chosen.map { command in
      var line = command
      for pattern in ["'%s'", "\"%s\"", "%s"] { line = line.replacing(pattern, with: word) }
      return command.contains("%s") ? line : "\(line) \(word)"
    }
    return Command(line: lines.joined(separator: " || "), of: first)
  }

  /// A command with the file and its type in the places of `%s` and `%t`; parameters of the type are
  /// not known (`%{charset}`).
  private static func expanded(_ command: String, _ path: String, _ mediaType: String) -> String {
    var result = ""
    var rest = command[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[percent...].dropFirst()
      switch rest.popFirst() {
      case "s": append(quoted(path), to: &result, &rest)
      case "t": append(safe(mediaType), to: &result, &rest)
      case "{": rest = rest.drop { $0 != "}" }.dropFirst()
      case "%": result += "%"
      case "n", "F": break
      case let other?: result += "%\(other)"
      case nil: result += "%"
      }
    }
    return result + rest
  }

  /// Puts a word in its place; quotation marks directly around the place go, if the word has its own.
  private static func append(_ word: String, to result: inout String, _ rest: inout Substring) {
    if word.hasPrefix("'"), let mark = result.last, mark == "'" || mark == "\"", rest.first == mark
    {
      result.removeLast()
      rest.removeFirst()
    }
    result += word
  }

  /// A word that the shell takes as it is.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { Attachment.isPlain($0) || $0 == "/" }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A media type without what a shell could read as something else.
  private static func safe(_ mediaType: String) -> String {
    let isSafe = mediaType.unicodeScalars.allSatisfy {
      Attachment.isPlain($0) || $0 == "/" || $0 == "+"
    }
    return isSafe ? mediaType : MediaType.unknown
  }
}
