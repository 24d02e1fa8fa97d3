import Document
import Formats

/// Chooses the command that opens a file (the one in the settings, then one from mailcap, then
/// `xdg-open`) or a URL.
package struct Opener: Sendable {
  /// The command of the settings; nil for none.
  package var setting: String?
  /// The command of the settings for audio and video; nil to open them like other files.
  package var player: String?
  /// The mailcap files that exist.
  package var mailcaps: [Mailcap]
  /// Whether `xdg-open` is installed.
  package var hasDesktop: Bool

  /// Returns whether a media type is that of audio or video.
  static func isPlayable(_ mediaType: String) -> Bool {
    ["audio/", "video/"].contains { mediaType.hasPrefix($0) } || mediaType == "application/ogg"
  }

  package init(setting: String?, player: String? = nil, mailcaps: [Mailcap], hasDesktop: Bool) {
    self.setting = setting
    self.player = player
    self.mailcaps = mailcaps
    self.hasDesktop = hasDesktop
  }

  /// A shell command.
  package struct Command: Sendable, Equatable {
    /// The command line.
    package var line: String
    /// Whether the command needs the terminal.
    package var needsTerminal = false
    /// Whether the output of the command is shown in a pager.
    package var isCopious = false

    /// The name of the program, for messages.
    package var program: String

    init(line: String, of command: String, needsTerminal: Bool = false, isCopious: Bool = false) {
      self.line = line
      self.needsTerminal = needsTerminal
      self.isCopious = isCopious
      let word = command.split(separator: " ").first ?? ""
      program = word.split(separator: "/").last.map(String.init) ?? command
    }
  }

  /// Returns the command that opens a file.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - mediaType: its media type.
  ///   - passes: returns whether a shell command succeeds.
  /// - Returns: the command; nil if no program is known.
  package func command(
    path: String, mediaType: String, passes: (String) -> Bool
  ) -> Command? {
    if let setting = Self.isPlayable(mediaType) ? player ?? setting : setting,
      setting.contains(where: { $0 != " " })
    {
      let line = setting.contains("%s") ? setting : setting + " %s"
      return Command(line: Self.expanded(line, path, mediaType), of: line)
    }
    for mailcap in mailcaps {
      for entry in mailcap.entries(for: mediaType) {
        if let test = entry.test, !passes(Self.expanded(test, path, mediaType)) { continue }
        // If the command does not contain the file name, the file is its standard input.
        var line = Self.expanded(entry.command, path, mediaType)
        // The braces redirect the input of all commands of the line.
        if !entry.command.contains("%s") { line = "{ \(line)\n} < \(Self.quoted(path))" }
        return Command(
          line: line, of: entry.command, needsTerminal: entry.needsTerminal || entry.isCopious,
          isCopious: entry.isCopious)
      }
    }
    return hasDesktop ? Command(line: "xdg-open \(Self.quoted(path))", of: "xdg-open") : nil
  }

  /// Returns the command that opens a URL: the one in `$BROWSER`, otherwise the one in the
  /// settings, otherwise `xdg-open`. The URL reaches the shell only as the value of a variable,
  /// since it comes from a page.
  /// - Parameters:
  ///   - variable: the name of the variable.
  ///   - browsers: the value of `$BROWSER`: commands separated by colons, of which the first that
  ///     succeeds is used.
  /// - Returns: the command; nil if no program is known.
  package func command(forURLIn variable: String, browsers: String) -> Command? {
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

  /// Replaces `%s` by the file name and `%t` by the media type. Parameters of the media type
  /// (`%{charset}`) are unknown and removed.
  private static func expanded(_ command: String, _ path: String, _ mediaType: String) -> String {
    var result = ""
    var rest = command[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[percent...].dropFirst()
      switch rest.popFirst() {
      case "s": append(quoted(path), to: &result, &rest)
      case "t": append(safeMediaType(mediaType), to: &result, &rest)
      case "{": rest = rest.drop { $0 != "}" }.dropFirst()
      case "%": result += "%"
      case "n", "F": break
      case let other?: result += "%\(other)"
      case nil: result += "%"
      }
    }
    return result + rest
  }

  /// Appends a word, which replaces a placeholder, to `result`. `rest` is the command after the
  /// placeholder. If the word is quoted, quotation marks directly around the placeholder are
  /// removed from both.
  private static func append(_ word: String, to result: inout String, _ rest: inout Substring) {
    if word.hasPrefix("'"), let marker = result.last, marker == "'" || marker == "\"",
      rest.first == marker
    {
      result.removeLast()
      rest.removeFirst()
    }
    result += word
  }

  /// Returns a word quoted for the shell if necessary.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { Attachment.isPlain($0) || $0 == "/" }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Returns a media type unchanged if the shell cannot misinterpret it, and otherwise
  /// `MediaType.unknownEssence`.
  private static func safeMediaType(_ mediaType: String) -> String {
    let isSafe = mediaType.unicodeScalars.allSatisfy {
      Attachment.isPlain($0) || $0 == "/" || $0 == "+"
    }
    return isSafe ? mediaType : MediaType.unknownEssence
  }
}
