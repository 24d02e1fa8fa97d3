import Rendering
import Saving
import Document
import ArgumentParser
import Foundation
import OfflineCache
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
  var isLater = false

  @Flag(name: .customLong("undo"), help: "Restore pages that were removed with --later.")
  var isUndone = false

  @Flag(name: .customLong("yes"), help: "Do not ask before deleting more than one page.")
  var isSure = false

  @Flag(help: "Print only errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    if selection.isEmpty { throw ValidationError(PageSelection.message) }
    guard [isDryRun, isLater, isUndone].count(where: \.self) <= 1 else {
      throw ValidationError("--dry-run, --later and --undo exclude each other")
    }
  }

  mutating func run() throws {
    let (isLater, isUndone, isDryRun, quiet) = (isLater, isUndone, isDryRun, quiet)
    let (selection, isSure) = (selection, isSure)
    let isAllThere = try arguments.withProfile(selection.needs) { profile in
      let collections = try selection.chosenCollections(in: profile, isRemoved: isUndone)
      if !collections.isEmpty {
        let removal = CollectionRemoval(profile: profile, isSure: isSure, isQuiet: quiet)
        try isUndone
          ? removal.restore(collections) : removal.remove(collections, isDryRun: isDryRun)
        guard selection.hasOthers else { return true }
      }
      var others = selection
      others.collections = []
      var pages = try others.pages(in: profile, isRemoved: isUndone, allowsBooks: true)
      // Two URLs may refer to the same page.
      var seen: Set<String> = []
      pages.urls.removeAll { !seen.insert(profile.cache.key(of: $0) ?? $0).inserted }
      if isLater || isUndone {
        return try Self.hide(pages.urls, in: profile, isUndone: isUndone, isQuiet: quiet)
          && pages.isWhole
      }
      if !isDryRun, !isSure, pages.urls.count > 1 { try Self.confirm(pages.urls) }
      let parts = try quiet ? [] : PageRemoval(from: profile).remainingParts(of: pages.urls)
      let bar = ProgressBar("removing", isQuiet: quiet)
      defer { bar.finish() }
      let outcomes = try PageRemoval(from: profile).remove(
        pages.urls, isDryRun: isDryRun, progress: bar.advance)
      bar.finish()
      var isAllThere = pages.isWhole
      var (count, unsaved, bytes): (Int, Int, Int64) = (0, 0, 0)
      for outcome in outcomes {
        let lines = Self.lines(outcome, isDryRun: isDryRun)
        if outcome.removal.versions == 0, !outcome.wasKnown {
          isAllThere = false
          StandardOutput.complain(lines[0])
        } else {
          if outcome.removal.versions > 0 { count += 1 } else { unsaved += 1 }
          bytes += outcome.removal.bytes
          if !quiet {
            try StandardOutput.write(Array((lines.joined(separator: "\n") + "\n").utf8))
          }
        }
      }
      if pages.urls.count > 1, !quiet {
        let sum =
          "\(isDryRun ? "would remove" : "removed") \(ByteCount.count(count, "page")),"
          + " \(ByteCount.text(bytes))"
          + (unsaved > 0 ? "; and \(unsaved) without saved versions" : "") + "\n"
        try StandardOutput.write(Array(sum.utf8))
      }
      try StandardOutput.write(Array(Self.text(ofParts: parts).utf8))
      return isAllThere
    }
    if !isAllThere { throw ExitCode(1) }
  }

  /// Asks on the terminal whether to remove several pages; fails if there is no terminal.
  /// - Throws: an exit code if the pages are not to be removed.
  private static func confirm(_ urls: [String]) throws {
    let count = urls.count
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      StandardOutput.complain(
        "--yes is required without a terminal; --dry-run lists the \(count) pages")
      throw ExitCode(2)
    }
    var question = urls.prefix(maxNamed).map {
      "  \(SafeText.line(SafeText.withoutCredentials($0)))\n"
    }
    if count > maxNamed { question.append("  and \(count - maxNamed) more\n") }
    question.append("This cannot be undone, unlike --later. Remove \(count) pages? [y/N] ")
    try StandardOutput.write(Array(question.joined().utf8), to: STDERR_FILENO)
    let response = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard ["y", "yes"].contains(response) else {
      StandardOutput.complain("nothing was removed")
      throw ExitCode(1)
    }
  }

  /// Maximum number of pages that the question lists.
  private static let maxNamed = 10

  /// Hides pages, or restores hidden ones.
  /// - Returns: whether all of them were found.
  private static func hide(
    _ urls: [String], in profile: Profile, isUndone: Bool, isQuiet: Bool
  ) throws -> Bool {
    let removal = PageRemoval(from: profile)
    let missing = Set(try isUndone ? removal.restore(urls) : removal.hide(urls))
    for url in urls {
      let name = SafeText.line(SafeText.withoutCredentials(url))
      if missing.contains(url) {
        StandardOutput.complain(
          isUndone ? "\(name) was not removed with --later" : "\(name) is not saved")
      } else if !isQuiet {
        let text =
          isUndone
          ? "\(name) is restored"
          : "\(name) is hidden; to restore it: offread remove --undo \(name)"
        try StandardOutput.write(Array((text + "\n").utf8))
      }
    }
    return missing.isEmpty
  }

  /// Returns the lines that list the parts of removed pages that stay saved.
  static func text(ofParts parts: [String]) -> String {
    guard !parts.isEmpty else { return "" }
    var lines = parts.prefix(maxNamed).map { "  \(SafeText.line(SafeText.withoutCredentials($0)))" }
    if parts.count > maxNamed { lines.append("  and \(parts.count - maxNamed) more") }
    let stay = parts.count == 1 ? "stays" : "stay"
    return "\(ByteCount.count(parts.count, "part")) of what is removed \(stay) saved:\n"
      + lines.joined(separator: "\n") + "\n"
  }

  /// Returns the lines that report a removal.
  static func lines(_ outcome: PageRemoval.Outcome, isDryRun: Bool) -> [String] {
    let removal = outcome.removal
    let url = SafeText.line(SafeText.withoutCredentials(removal.key))
    var feed = outcome.wasFeed ? ["  a feed, which is no longer followed"] : []
    if outcome.enclosures > 0 {
      feed.append(
        "  with \(ByteCount.count(outcome.enclosures, "enclosure")),"
          + " \(ByteCount.text(outcome.enclosureBytes))")
    }
    guard removal.versions > 0 else {
      return outcome.wasKnown
        ? ["\(isDryRun ? "would remove" : "removed") \(url): it had no saved versions"] + feed
        : ["\(url) is not saved"]
    }
    let versions = ByteCount.count(
      removal.versions, outcome.wasPage ? "version" : "error response")
    var lines = [
      "\(isDryRun ? "would remove" : "removed") \(url): \(versions),"
        + " \(ByteCount.text(removal.bytes))"
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
