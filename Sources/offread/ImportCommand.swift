import Doctor
import Saving
import Exchange
import Document
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Pages
import Profiles
import Terminal
import TerminalUI

/// `offread import FILE...`: imports pages and library data that other programs or devices have
/// saved.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import books, lists, mirrors, web archives and bundles.")

  @Argument(help: "Files and directories; - is standard input.")
  var files: [String]

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: "Tag books and the pages of lists.")
  var tags: [String] = []

  @Flag(
    name: .customLong("with-removed"),
    help: "Bring back pages that were removed after a bundle was made.")
  var restoresRemoved = false

  @Flag(
    name: .customLong("with-changes"),
    help: "Apply the changes in a bundle from an unknown device.")
  var importsChanges = false

  @Flag(help: "Print only errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    for tag in tags where LibraryAttribute.tags(tag).isEmpty {
      throw ValidationError("--tag takes a tag such as news, not '\(SafeText.line(tag))'")
    }
  }

  mutating func run() throws {
    let (files, tags, quiet) = (files, tags, quiet)
    let (restoresRemoved, takesChanges) = (restoresRemoved, importsChanges)
    let needs = ProfileArguments.Needs(
      inputFiles: files + files.flatMap { Self.siblingFiles(beside: $0) })
    let isAll = try arguments.withProfile(createsDirectories: true, needs) { profile in
      ProfileArguments.watchPages(of: profile)
      var isAll = true
      for file in files {
        do {
          guard
            let takesChanges = try Self.confirmsChanges(
              of: file, in: profile, importsChanges: takesChanges, isQuiet: quiet)
          else {
            StandardOutput.printError("\(LocalFile.displayName(file)): nothing was imported")
            isAll = false
            continue
          }
          let outcome = try LibraryImport(
            into: profile, restoresRemoved: restoresRemoved, appliesChanges: takesChanges
          ).run(file, tags: tags)
          if !quiet {
            try StandardOutput.write(Array(Self.outcomeText(outcome, of: file).utf8))
          } else if outcome.changes != nil {
            StandardOutput.printError(
              "\(LocalFile.displayName(file)): the library changes in the file were not applied because they are from"
                + " an unknown device; --with-changes applies them")
          }
          isAll = Self.reportProblems(of: outcome, file) && isAll
        } catch let error as ReaderError {
          StandardOutput.printError(error.description)
          isAll = false
        }
      }
      return isAll
    }
    if !isAll { throw ExitCode(1) }
  }

  /// Prints messages about the parts of a file that could not be imported.
  /// - Returns: Whether everything was imported.
  private static func reportProblems(of outcome: LibraryImport.Outcome, _ file: String) -> Bool {
    var isAll = true
    for text in outcome.refusalReasons {
      StandardOutput.printError(
        "\(LocalFile.displayName(file)) \(SafeText.line(text)); it was not imported")
      isAll = false
    }
    for text in outcome.missingParts {
      StandardOutput.printError("\(LocalFile.displayName(file)) \(SafeText.line(text))")
      isAll = false
    }
    if outcome.damagedCount > 0 {
      StandardOutput.printError(
        "\(LocalFile.displayName(file)) has \(CountFormatter.countText(outcome.damagedCount, "damaged section"));"
          + " the other records were imported")
      isAll = false
    }
    if outcome.isTruncated {
      StandardOutput.printError(
        "\(LocalFile.displayName(file)) is truncated; the complete part was imported")
      isAll = false
    }
    for text in outcome.damagedRecords {
      let record = SafeText.withoutCredentials(inText: SafeText.line(text))
      StandardOutput.printError("\(LocalFile.displayName(file)): \(record)")
    }
    return isAll
  }

  /// Returns whether to import the tags, notes and reading state of a bundle from an unknown
  /// device. On a terminal it asks the user before anything is imported.
  /// - Returns: nil if the user wants to import nothing of the bundle.
  private static func confirmsChanges(
    of file: String, in profile: Profile, importsChanges: Bool, isQuiet: Bool
  ) throws -> Bool? {
    guard !importsChanges, !isQuiet, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
      let changes = try LibraryImport(into: profile).unknownChanges(in: file)
    else { return importsChanges }
    let question =
      "\(LocalFile.displayName(file)) is from an unknown device (\(deviceNames(of: changes))); its changes are:\n"
      + changeRows(of: changes)
      + "y imports everything, p only the pages, any other key imports nothing: [y/p/N] "
    try StandardOutput.write(Array(question.utf8), to: STDERR_FILENO)
    switch (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased() {
    case "y", "yes": return true
    case "p", "pages": return false
    default: return nil
    }
  }

  /// Returns the neighbouring files that the import of a file may read as well: XML files in the
  /// directory of an XML file, which may be a sitemap index, and WACZ files in the directory of a
  /// WACZ file, which may be a collection. At most `maxSiblingFiles` are returned, and none for
  /// other files.
  private static func siblingFiles(beside file: String) -> [String] {
    func hasEnding(_ name: String, _ endings: [String]) -> Bool {
      endings.contains { name.lowercased().hasSuffix($0) }
    }
    guard let endings = siblingSuffixes.first(where: { hasEnding(file, $0) }) else { return [] }
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { hasEnding($0, endings) }.sorted().prefix(maxSiblingFiles)
      .map { "\(directory)/\($0)" }
  }

  private static let siblingSuffixes = [[".xml", ".xml.gz"], [".wacz"]]
  private static let maxSiblingFiles = 1000

  /// Returns the lines that report the import of a file.
  static func outcomeText(_ outcome: LibraryImport.Outcome, of file: String) -> String {
    let name = LocalFile.displayName(file)
    guard outcome.format.list != nil else { return recordsText(outcome, name) }
    var parts = [
      "\(CountFormatter.countText(outcome.pageCount, "page")) kept, \(outcome.queuedCount) queued"
    ]
    if outcome.feedCount > 0 { parts.append(CountFormatter.countText(outcome.feedCount, "feed")) }
    if outcome.skippedCount > 0 {
      parts.append("\(outcome.skippedCount) skipped: not a web URL")
    }
    if outcome.hasFurtherEntries { parts.append("the list has more entries than offread reads") }
    if outcome.credentialCount > 0 {
      parts.append(
        "\(outcome.credentialCount) without the user name or password, which are not stored")
    }
    let locations = outcome.skippedLines.map { line in
      "  \(name):\(line.number): \(SafeText.withoutCredentials(inText: SafeText.line(line.text)))\n"
    }
    return "\(name): \(parts.joined(separator: "; "))\n" + locations.joined()
      + (outcome.queuedCount > 0 ? "  offread sync fetches the queued pages\n" : "")
  }

  private static func resultLine(_ outcome: LibraryImport.Outcome, _ name: String) -> String {
    switch outcome.format {
    case .directory where !outcome.wasImportedBefore:
      "\(name): imported \(CountFormatter.countText(outcome.pageCount, "page")), dated by "
        + (outcome.hasRequestDates ? "HTTrack or " : "") + "the modification times of the files\n"
    case .archives where !outcome.wasImportedBefore && !outcome.hasNothingNew:
      "\(name): imported \(CountFormatter.countText(outcome.pageCount, "file")), whose pages can be read now\n"
    case .mhtml where !outcome.wasImportedBefore:
      "\(name): imported \(CountFormatter.countText(outcome.pageCount, "page")), dated by the time at which the file"
        + " was saved\n"
    case .savedPage where !outcome.wasImportedBefore:
      "\(name): kept as a page, dated by the time at which it was saved\n"
    case .savedPage: "\(name): this page is already saved\n"
    case .book:
      "\(name): \(outcome.wasImportedBefore ? "already kept" : "kept"); to read it:"
        + " offread \(SafeText.line(outcome.address))\n"
    case .directory: "\(name): these pages are already saved\n"
    case .bundle where !outcome.wasImportedBefore:
      "\(name): merged with the library; new: \(newPartsText(outcome))\n"
    case .bundle where outcome.isTruncated: "\(name): nothing new in the complete part\n"
    case .bundle where outcome.changes != nil: "\(name): its pages are already saved\n"
    case .bundle: "\(name): everything in it is already saved\n"
    case .archives, .mhtml, .warc, .arc, .wacz, .zip, .list:
      recordsResultLine(outcome, name)
    }
  }

  private static func recordsResultLine(
    _ outcome: LibraryImport.Outcome, _ name: String
  ) -> String {
    if outcome.wasImportedBefore { return "\(name): these records are already saved\n" }
    return outcome.hasNothingNew
      ? "\(name): stored, but it contains no new readable pages\n"
      : "\(name): imported; its pages can be read now\n"
  }

  /// Returns the lines that report the import of pages or records rather than of a list.
  private static func recordsText(_ outcome: LibraryImport.Outcome, _ name: String) -> String {
    var text = resultLine(outcome, name)
    if let collection = outcome.collectionName {
      text += "  its pages are the collection \(SafeText.line(collection))\n"
    }
    if outcome.archiveCount > 0 {
      text += "  imported \(CountFormatter.countText(outcome.archiveCount, "web archive")) too\n"
    }
    if outcome.removedCount > 0 {
      text +=
        "  not restored: \(CountFormatter.countText(outcome.removedCount, "page")) removed here;"
        + " --with-removed restores those that the file contains\n"
    }
    if outcome.restoredCount > 0 {
      text += "  restored \(CountFormatter.countText(outcome.restoredCount, "removed page"))\n"
    }
    if let changes = outcome.changes { text += unknownChangesText(changes) }
    if outcome.unreadableCount > 0 {
      text +=
        "  skipped \(CountFormatter.countText(outcome.unreadableCount, "unreadable record")):\n"
      text += outcome.unreadableRecords.map {
        "    \(SafeText.withoutCredentials(inText: SafeText.line($0)))\n"
      }.joined()
      let otherCount = outcome.unreadableCount - outcome.unreadableRecords.count
      if otherCount > 0 { text += "    and \(otherCount) more\n" }
    }
    if outcome.unresolvedCount > 0 {
      text +=
        "  \(CountFormatter.countText(outcome.unresolvedCount, "record")) cannot be read until the file with"
        + " the content is imported too\n"
    }
    return text + skippedText(outcome)
  }

  /// Returns the lines about files that were left out.
  private static func skippedText(_ outcome: LibraryImport.Outcome) -> String {
    var text = ""
    if outcome.skippedCount > 0 {
      let reason = outcome.format == .bundle ? "that bundles do not contain" : "without a web URL"
      text += "  skipped \(CountFormatter.countText(outcome.skippedCount, "file")) \(reason)\n"
    }
    if outcome.separateFileCount > 0 {
      let files = CountFormatter.countText(outcome.separateFileCount, "file")
      text += "  skipped \(files) to be imported by name: books or ZIP archives\n"
    }
    return text
  }

  /// Returns a text about the new data in a bundle: the number of files with pages, and the number
  /// of devices with library changes.
  private static func newPartsText(_ outcome: LibraryImport.Outcome) -> String {
    let pages =
      outcome.pageCount > 0
      ? [CountFormatter.countText(outcome.pageCount, "file") + " with pages"] : []
    let message = "library changes of \(CountFormatter.countText(outcome.journalCount, "device"))"
    return (pages + (outcome.journalCount > 0 ? [message] : [])).joined(separator: ", ")
  }

  /// Returns the lines about changes of the library that were not imported because the bundle is
  /// from an unknown device.
  static func unknownChangesText(_ changes: BundleChanges) -> String {
    "  it is from an unknown device (\(deviceNames(of: changes))); these changes were not applied:\n"
      + changeRows(of: changes) + "  offread import --with-changes applies them\n"
  }

  private static func deviceNames(of changes: BundleChanges) -> String {
    changes.devices.map {
      BundleChanges.isCollectionBundle($0)
        ? "not named in a bundle of collections"
        : ProgressLine.truncated(SafeText.line($0), to: maxNameWidth)
    }.joined(separator: ", ")
  }

  /// Returns the changes that a bundle would make, as counts of pages and names in columns. There
  /// is no count for changes of collections that affect none of their pages.
  private static func changeRows(of changes: BundleChanges) -> String {
    let width = BundleChanges.Kind.allCases.map(\.label.count).max() ?? 0
    let digits = changes.rows.map { String($0.pageCount).count }.max() ?? 1
    func right(_ text: String) -> String {
      String(repeating: " ", count: max(0, digits - text.count)) + text
    }
    let rows = changes.rows.map { row in
      var names = row.names.map {
        ProgressLine.truncated(SafeText.line(SafeText.withoutCredentials($0)), to: maxNameWidth)
      }
      if row.otherNameCount > 0 { names.append("\(row.otherNameCount) more") }
      let content = row.kind.label.padding(toLength: width, withPad: " ", startingAt: 0)
      let count = right(row.pageCount > 0 ? String(row.pageCount) : "")
      return "    \(content)  \(count)  \(names.joined(separator: ", "))\n"
    }
    return rows.joined()
  }

  /// Maximum width of a name in columns; a longer one is truncated.
  private static let maxNameWidth = 40
}
