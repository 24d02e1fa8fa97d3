import Rendering
import Saving
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Profiles
import TerminalUI

/// `offread remove [URL...]`: deletes saved pages from the disk.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete saved pages from the disk.")

  @OptionGroup var selection: PageSelection

  @Flag(name: .customLong("dry-run"), help: "Only print what would be deleted.")
  var isDryRun = false

  @Flag(
    name: .customLong("later"), help: "Hide the pages now; a sync deletes them after a week.")
  var hidesPages = false

  @Flag(name: .customLong("undo"), help: "Restore pages that were removed with --later.")
  var undoesRemoval = false

  @Flag(name: .customLong("yes"), help: "Do not ask before deleting more than one page.")
  var isConfirmed = false

  @Flag(help: "Print only errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    if selection.isEmpty { throw ValidationError(PageSelection.emptyMessage) }
    guard [isDryRun, hidesPages, undoesRemoval].count(where: \.self) <= 1 else {
      throw ValidationError("--dry-run, --later and --undo cannot be used together")
    }
  }

  mutating func run() throws {
    let command = self
    let foundAll = try arguments.withProfile(selection.needs) { try command.apply(to: $0) }
    if !foundAll { throw ExitCode(1) }
  }

  /// Removes or restores the selected collections and pages.
  /// - Returns: whether all of them were found.
  private func apply(to profile: Profile) throws -> Bool {
    let collections = try selection.selectedCollections(in: profile, isRemoved: undoesRemoval)
    if !collections.isEmpty {
      let removal = CollectionRemoval(profile: profile, isConfirmed: isConfirmed, isQuiet: quiet)
      try undoesRemoval
        ? removal.restore(collections) : removal.remove(collections, isDryRun: isDryRun)
      guard selection.hasOthers else { return true }
    }
    var pageSelection = selection
    pageSelection.collections = []
    var pages = try pageSelection.pages(in: profile, isRemoved: undoesRemoval, allowsBooks: true)
    // Two URLs may refer to the same page.
    var seenKeys: Set<String> = []
    pages.urls.removeAll { !seenKeys.insert(profile.cache.key(of: $0) ?? $0).inserted }
    let foundAll =
      try hidesPages || undoesRemoval
      ? Self.setHidden(pages.urls, in: profile, restores: undoesRemoval, isQuiet: quiet)
      : delete(pages.urls, in: profile)
    return foundAll && pages.isListComplete
  }

  /// Deletes pages after confirmation and reports them; with `--dry-run`, only reports them.
  /// - Returns: whether all of them were found.
  private func delete(_ urls: [String], in profile: Profile) throws -> Bool {
    if !isDryRun, !isConfirmed, urls.count > 1 { try Self.requestConfirmation(urls) }
    let remainingParts = try quiet ? [] : Self.remainingParts(of: urls, in: profile)
    let bar = ProgressBar("removing", isQuiet: quiet)
    defer { bar.finish() }
    let outcomes = try PageRemoval(from: profile).remove(
      urls, isDryRun: isDryRun, progress: bar.advance)
    bar.finish()
    for outcome in outcomes {
      let lines = Self.removalLines(outcome, isDryRun: isDryRun)
      if !Self.wasFound(outcome) {
        StandardOutput.printError(lines[0])
        StandardOutput.printVariant(
          of: outcome.removal.key, in: profile.cache, command: "offread remove")
      } else if !quiet {
        try StandardOutput.write(Array((lines.joined(separator: "\n") + "\n").utf8))
      }
    }
    if urls.count > 1, !quiet {
      let summary = Self.summary(of: outcomes, isDryRun: isDryRun)
      try StandardOutput.write(Array(summary.utf8))
    }
    try StandardOutput.write(Array(Self.stayingPartsText(ofParts: remainingParts).utf8))
    return outcomes.allSatisfy(Self.wasFound)
  }

  /// Returns whether a page was saved or known to the library.
  private static func wasFound(_ outcome: PageRemoval.Outcome) -> Bool {
    outcome.removal.versions > 0 || outcome.wasInLibrary
  }

  /// Returns the line that counts the removed pages.
  private static func summary(of outcomes: [PageRemoval.Outcome], isDryRun: Bool) -> String {
    let found = outcomes.filter(wasFound)
    let savedCount = found.count { $0.removal.versions > 0 }
    let bytes = found.reduce(0) { $0 + $1.removal.bytes }
    let unsavedCount = found.count - savedCount
    return
      "\(isDryRun ? "would remove" : "removed") \(CountFormatter.countText(savedCount, "page")),"
      + " \(CountFormatter.byteCountText(bytes))"
      + (unsavedCount > 0 ? "; and \(unsavedCount) without saved versions" : "") + "\n"
  }

  /// Returns the saved parts of pages that are not removed with them, and shows the progress.
  private static func remainingParts(of urls: [String], in profile: Profile) throws -> [String] {
    let bar = ProgressBar("looking for images and other parts", isQuiet: false) { "\($0) pages" }
    defer { bar.finish() }
    return try PageRemoval(from: profile).remainingParts(of: urls, progress: bar.advance)
  }

  /// Asks on the terminal whether to remove several pages; fails if there is no terminal.
  /// - Throws: an exit code if the pages are not to be removed.
  private static func requestConfirmation(_ urls: [String]) throws {
    let count = urls.count
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      StandardOutput.printError(
        "--yes is required without a terminal; --dry-run lists the \(count) pages")
      throw ExitCode(2)
    }
    var question = urls.prefix(maxListedPages).map {
      "  \(SafeText.line(SafeText.withoutCredentials($0)))\n"
    }
    if count > maxListedPages { question.append("  and \(count - maxListedPages) more\n") }
    question.append("This cannot be undone, unlike --later. Remove \(count) pages? [y/N] ")
    try StandardOutput.write(Array(question.joined().utf8), to: STDERR_FILENO)
    let response = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard ["y", "yes"].contains(response) else {
      StandardOutput.printError("nothing was removed")
      throw ExitCode(1)
    }
  }

  /// Maximum number of pages that the question lists.
  private static let maxListedPages = 10

  /// Hides pages, or restores hidden ones.
  /// - Returns: whether all of them were found.
  private static func setHidden(
    _ urls: [String], in profile: Profile, restores: Bool, isQuiet: Bool
  ) throws -> Bool {
    let removal = PageRemoval(from: profile)
    let missing = Set(try restores ? removal.restore(urls) : removal.hide(urls))
    for url in urls {
      let name = SafeText.line(SafeText.withoutCredentials(url))
      if missing.contains(url) {
        StandardOutput.printError(
          restores ? "\(name) was not removed with --later" : "\(name) is not saved")
        if !restores {
          StandardOutput.printVariant(
            of: url, in: profile.cache, command: "offread remove --later")
        }
      } else if !isQuiet {
        let text =
          restores
          ? "\(name) is restored"
          : "\(name) is hidden; to restore it: offread remove --undo \(Opener.quoted(name))"
        try StandardOutput.write(Array((text + "\n").utf8))
      }
    }
    return missing.isEmpty
  }

  /// Returns the lines that list the parts of removed pages that stay saved.
  static func stayingPartsText(ofParts parts: [String]) -> String {
    guard !parts.isEmpty else { return "" }
    var lines = parts.prefix(maxListedPages).map {
      "  \(SafeText.line(SafeText.withoutCredentials($0)))"
    }
    if parts.count > maxListedPages { lines.append("  and \(parts.count - maxListedPages) more") }
    let stay = parts.count == 1 ? "stays" : "stay"
    return "\(CountFormatter.countText(parts.count, "part")) of what is removed \(stay) saved:\n"
      + lines.joined(separator: "\n") + "\n"
  }

  private static func feedLines(_ outcome: PageRemoval.Outcome) -> [String] {
    var lines = outcome.wasFeed ? ["  a feed, which is no longer followed"] : []
    if outcome.enclosures > 0 {
      lines.append(
        "  with \(CountFormatter.countText(outcome.enclosures, "enclosure")),"
          + " \(CountFormatter.byteCountText(outcome.enclosureBytes))")
    }
    if outcome.damagedEnclosures > 0 {
      lines.append(
        "  without \(CountFormatter.countText(outcome.damagedEnclosures, "enclosure")) whose record cannot"
          + " be read")
    }
    return lines
  }

  /// Returns the lines that report a removal.
  static func removalLines(_ outcome: PageRemoval.Outcome, isDryRun: Bool) -> [String] {
    let removal = outcome.removal
    let url = SafeText.line(SafeText.withoutCredentials(removal.key))
    let feed = feedLines(outcome)
    guard removal.versions > 0 else {
      return outcome.wasInLibrary
        ? ["\(isDryRun ? "would remove" : "removed") \(url): it had no saved versions"] + feed
        : ["\(url) is not saved"]
    }
    let versions = CountFormatter.countText(
      removal.versions, outcome.wasPage ? "version" : "error response")
    var lines = [
      "\(isDryRun ? "would remove" : "removed") \(url): \(versions),"
        + " \(CountFormatter.byteCountText(removal.bytes))"
    ]
    lines += feed
    if removal.importedVersions > 0 {
      lines.append(
        "  \(removal.importedVersions) of them in files that this device did not write:"
          + " \(SafeText.line(removal.importedFiles.joined(separator: ", ")))")
      lines.append(
        "    hidden now, and deleted when the device that wrote them runs"
          + " offread archive compact, or when the file is deleted")
    }
    for url in removal.redirects {
      lines.append("  and the redirect to it from \(SafeText.line(url))")
    }
    for url in removal.remaining {
      lines.append("  it redirected to \(SafeText.line(url)), which stays saved")
    }
    return lines
  }
}
