import Document
import ArgumentParser
import OfflineCache
import Reader

/// `offread complete WORD`: the addresses of saved pages that begin so, a line each, for the completions
/// of shells.
struct CompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "List saved addresses for the completions of shells.",
    shouldDisplay: false)

  @Argument(help: "The beginning of an address.")
  var word = ""

  @OptionGroup var arguments: ProfileArguments

  /// As many as a person looks through.
  private static let limit = 200

  mutating func run() throws {
    let profile = try arguments.profile
    defer { profile.close() }
    // A shell asks while somebody types: what is wrong is told by the command itself.
    let found = (try? SavedAddresses.beginning(with: word, in: profile, limit: Self.limit)) ?? []
    let lines = found.map { SafeText.withoutCredentials($0) }.filter { $0 == SafeText.line($0) }
    try StandardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
