import ArgumentParser
import Document
import Library
import OfflineCache
import Reader

/// `offread complete -- WORD...`: what may stand in the place of the last word behind the name of the program, for
/// the completions of shells.
///
/// A line each, with what it does behind a tab; `:files` and `:folders` are lines that leave the names of
/// files to the shell.
struct CompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "List what may be typed, for the completions of shells.",
    shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough, help: "What is typed.")
  var words: [String] = []

  /// As many as a person looks through.
  private static let limit = 200

  mutating func run() throws {
    let words = words.first == "--" ? Array(words.dropFirst()) : words
    let completion = Completion(of: try CommandTable.own(), after: words)
    var lines = completion.candidates.map { candidate in
      completion.start + candidate.word
        + (candidate.description.isEmpty ? "" : "\t" + candidate.description)
    }
    if completion.sources.contains(where: { $0 == .addresses || $0 == .tags }) {
      var arguments = ProfileArguments()
      arguments.dataDirectory = completion.dataDirectory
      // A shell asks while somebody types: what is wrong is told by the command itself.
      lines += ((try? saved(completion, in: arguments)) ?? []).map { completion.start + $0 }
    }
    for source in completion.sources {
      switch source {
      case .files: lines.append(":files")
      case .folders: lines.append(":folders")
      case .addresses, .tags: break
      }
    }
    try StandardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// What is in the library and begins as was typed.
  private func saved(_ completion: Completion, in arguments: ProfileArguments) throws -> [String] {
    let profile = try arguments.profile
    defer { profile.close() }
    let found =
      completion.sources.contains(.tags)
      ? try profile.library.tags().map(\.tag).filter { $0.hasPrefix(completion.typed) }
      : try SavedAddresses.beginning(with: completion.typed, in: profile, limit: Self.limit)
    return found.map { SafeText.withoutCredentials($0) }.filter { $0 == SafeText.line($0) }
  }
}
