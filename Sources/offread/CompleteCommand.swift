import ArgumentParser
import Document
import Library
import OfflineCache
import Pages
import Profiles

/// `offread complete -- WORD...`: lists completions of the last word of a command line, for shells.
///
/// The output has one candidate a line, followed by a tab and a description. The lines `:files` and
/// `:folders` ask the shell to complete file names or directory names.
struct CompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "List the completions of a command line, for shells.",
    shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough, help: "The words of the command line.")
  var words: [String] = []

  /// Maximum number of URLs that are listed.
  private static let maxURLs = 200

  mutating func run() throws {
    let tokens = words.first == "--" ? Array(words.dropFirst()) : words
    let completion = Completion(of: try CommandTable.ofThisProgram(), after: tokens)
    var lines = completion.candidates.map { candidate in
      completion.fixedPrefix + candidate.word
        + (candidate.description.isEmpty ? "" : "\t" + candidate.description)
    }
    if completion.sources.contains(where: { $0 != .files && $0 != .directories }) {
      var arguments = ProfileArguments()
      arguments.dataDirectory = completion.dataDirectory
      // Errors are ignored while the user types; the command itself reports them.
      lines += ((try? savedCandidates(completion, in: arguments)) ?? []).map {
        completion.fixedPrefix + $0
      }
    }
    for source in completion.sources {
      switch source {
      case .files: lines.append(":files")
      case .directories: lines.append(":folders")
      case .addresses, .tags, .collections, .versions: break
      }
    }
    try StandardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Returns the URLs, the tags, the names of collections of the library, or the ids of versions of
  /// a page that begin with the typed text.
  private func savedCandidates(_ completion: Completion, in arguments: ProfileArguments) throws
    -> [String]
  {
    let profile = try arguments.profile
    defer { profile.close() }
    let found =
      if completion.sources.contains(.tags) {
        try profile.library.tags().map(\.tag).filter { $0.hasPrefix(completion.typedText) }
      } else if completion.sources.contains(.collections) {
        try profile.library.collectionsWithoutPages().map(\.name).filter {
          $0.hasPrefix(completion.typedText)
        }
      } else if completion.sources.contains(.versions) {
        try Self.versions(of: completion.operands.first, in: profile).filter {
          $0.hasPrefix(completion.typedText)
        }
      } else {
        try SavedAddresses.urls(
          beginningWith: completion.typedText, in: profile, limit: Self.maxURLs)
      }
    return found.map { SafeText.withoutCredentials($0) }.filter { $0 == SafeText.line($0) }
  }

  /// Returns the ids of the saved versions of the page at a typed URL, newest first, as short as
  /// `offread versions` prints them.
  private static func versions(of text: String?, in profile: Profile) throws -> [String] {
    guard let text, let address = try? Address(typed: text, exists: { _ in false }),
      let page = address.page(allowsBooks: false, allowsItems: false)
    else { return [] }
    let url = profile.url(of: TypedURL(page, typed: text))
    let ids = try profile.cache.pageVersions(of: url).map(\.response.id)
    let length = VersionsCommand.prefixLength(ids)
    return ids.map { String($0.prefix(length)) }
  }
}
