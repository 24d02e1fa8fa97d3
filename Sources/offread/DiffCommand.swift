import Platform
import Configuration
import Saving
import Library
import ArgumentParser
import Foundation
import Document
import ReaderMode
import OfflineCache
import Pages
import Profiles
import TerminalUI

/// `offread diff URL [A B]`: shows the changes between two saved versions of a page.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the changes between two saved versions of a page.")

  /// The output formats.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// Plain text with markers around deletions and insertions.
    case text
    /// Markdown with deletions struck out and insertions bold.
    case markdown
  }

  @Argument(help: "An http or https URL.")
  var url: String

  @Argument(help: "The older version, an id from offread versions; default: the one before.")
  var from: String?

  @Argument(help: "The newer version; default: the newest.")
  var to: String?

  @Option(help: "Output format: text or markdown.")
  var format: Format = .text

  @Flag(help: "Compare only the main content.")
  var reader = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of the text; default: that of the terminal, or 80.", valueName: "n"))
  var width: Int?

  @Option(help: ArgumentHelp("Use of colours: auto, always or never.", valueName: "when"))
  var color: Settings.ColorChoice = .auto

  @Flag(
    name: .customLong("exit-code"),
    help: "Exit with 1 if the versions differ, with 2 if they could not be compared.")
  var reportsByExitCode = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    if let width, !(20...1000).contains(width) {
      throw ValidationError("--width takes 20 to 1000")
    }
    guard format == .markdown else { return }
    if width != nil { throw ValidationError("--width requires --format text") }
    if color == .always { throw ValidationError("--color requires --format text") }
  }

  mutating func run() throws {
    let isDifferent: Bool
    do {
      isDifferent = try compare()
    } catch let code as ExitCode where reportsByExitCode && code == ExitCode(1) {
      // As in diff(1), the exit code 1 means that the versions differ, so errors have the code 2.
      throw ExitCode(2)
    }
    if reportsByExitCode, isDifferent { throw ExitCode(1) }
  }

  /// Writes the difference.
  /// - Returns: whether the versions differ.
  /// - Throws: an exit code, after the error was reported; `StandardOutput.WriteError`.
  private func compare() throws -> Bool {
    let typed = try ProfileArguments.url(typed: url)
    let (from, to, view) = (from, to, view)
    let (oldVersion, newVersion, difference, setting) = try arguments.withProfile { profile in
      let (oldVersion, newVersion) = try Self.versions(
        of: profile.url(of: typed), from, to, in: profile)
      return (
        oldVersion, newVersion,
        PageDifference(
          from: try Self.document(oldVersion, view, in: profile),
          to: try Self.document(newVersion, view, in: profile)),
        profile.settings.color
      )
    }
    let dates = DateTexts.distinctDateTexts(
      [oldVersion.contentDate, newVersion.contentDate], in: .local)
    let ids = [oldVersion, newVersion].map { String($0.id.prefix(8)) }
    switch format {
    case .text:
      let columns = width ?? StandardOutput.terminalColumns() ?? 80
      try write("--- \(ids[0]) from \(dates[0])\n+++ \(ids[1]) from \(dates[1])\n\n")
      if difference.isEmpty {
        try write("  the text is the same\n")
      } else {
        try difference.writeText(width: columns, isColored: usesColor(setting)) { try write($0) }
      }
    case .markdown:
      try write("From \(ids[0]) (\(dates[0])) to \(ids[1]) (\(dates[1])):\n\n")
      if difference.isEmpty {
        try write("*The text is the same.*\n")
      } else {
        try difference.writeMarkdown { try write($0) }
      }
    }
    return !difference.isEmpty
  }

  private var view: PageViewMode {
    reader
      ? .reader(ReaderOptions(showsMetadata: false, keepsComments: false, foldsNavigation: false))
      : .page
  }

  private func write(_ text: String) throws { try StandardOutput.write(Array(text.utf8)) }

  /// Whether to use colours.
  /// - Parameter setting: the choice of the settings, which applies only to terminals.
  /// - Returns: whether to use them.
  private func usesColor(_ setting: Settings.ColorChoice) -> Bool {
    if let isWanted = color.isWanted { return isWanted }
    guard StandardOutput.isTerminal else { return false }
    let isForbidden = SystemProcesses.environment["NO_COLOR"]?.isEmpty == false
    return setting.isWanted ?? (StandardOutput.isCapableTerminal && !isForbidden)
  }

  // MARK: Versions

  private static func versions(
    of url: String, _ from: String?, _ to: String?, in profile: Profile
  ) throws -> (StoredResponse, StoredResponse) {
    let shownURL = SafeText.line(SafeText.withoutCredentials(url))
    let undamagedVersions = try profile.cache.pageVersions(of: url).filter { !$0.isDamaged }
    guard !undamagedVersions.isEmpty else {
      StandardOutput.printError("\(shownURL) is not saved")
      StandardOutput.printVariant(of: url, in: profile.cache, command: "offread diff")
      throw ExitCode(1)
    }
    let pages = undamagedVersions.filter { $0.isGood && !$0.response.isRedirect }.map(\.response)
    func named(_ id: String) throws -> StoredResponse {
      let found = undamagedVersions.filter { $0.response.id.hasPrefix(id.lowercased()) }
      guard found.count == 1, let only = found.first, !id.isEmpty else {
        StandardOutput.printError(
          found.isEmpty || id.isEmpty
            ? "there is no version \(SafeText.line(id)) of \(shownURL); offread versions lists them"
            : "\(SafeText.line(id)) matches \(found.count) versions of \(shownURL); give more characters"
        )
        throw ExitCode(1)
      }
      return only.response
    }
    let new = try to.map(named) ?? pages.first { from.map($0.id.hasPrefix) != true } ?? pages.first
    let old = try from.map(named) ?? pages.first { $0.id != new?.id }
    guard let old, let new else {
      StandardOutput.printError(
        "only one version of \(shownURL) is saved; there is nothing to compare it with")
      throw ExitCode(1)
    }
    return (old, new)
  }

  private static func document(
    _ version: StoredResponse, _ view: PageViewMode, in profile: Profile
  ) throws -> Document {
    do {
      return try profile.document(
        of: version, as: view, limit: LoadOptions().maxRenderedSize)
    } catch let problem as PageContent.Problem {
      switch problem {
      case .notText(let type):
        StandardOutput.printError("version \(version.id.prefix(8)) is not text (\(type))")
      case .tooLarge:
        StandardOutput.printError("version \(version.id.prefix(8)) is too long to compare")
      }
      throw ExitCode(1)
    }
  }
}
