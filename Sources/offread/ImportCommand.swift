import Doctor
import Saving
import Exchange
import Document
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Platform
import Pages
import Profiles
import Terminal
import TerminalUI

/// `offread import FILE...`: imports what other programs or devices have saved.
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
  var takesChanges = false

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
    let (restoresRemoved, takesChanges) = (restoresRemoved, takesChanges)
    let needs = ProfileArguments.Needs(reads: files + files.flatMap { Self.parts(beside: $0) })
    let isAll = try arguments.withProfile(isFilled: true, needs) { profile in
      ProfileArguments.watchPages(of: profile)
      var isAll = true
      for file in files {
        do {
          guard let takesChanges = try Self.takesChanges(of: file, in: profile, takesChanges, quiet)
          else {
            StandardOutput.complain("\(Self.shown(file)): nothing was imported")
            isAll = false
            continue
          }
          let outcome = try LibraryImport(
            into: profile, restoresRemoved: restoresRemoved, takesChanges: takesChanges
          ).run(file, tags: tags)
          if !quiet {
            try StandardOutput.write(Array(Self.text(outcome, of: file).utf8))
          } else if outcome.changes != nil {
            StandardOutput.complain(
              "\(Self.shown(file)): the changes in the file were not applied because its device is unknown;"
                + " --with-changes applies them")
          }
          for text in outcome.refused {
            StandardOutput.complain(
              "\(Self.shown(file)) \(SafeText.line(text)); it was not imported")
            isAll = false
          }
          for text in outcome.missingParts {
            StandardOutput.complain("\(Self.shown(file)) \(SafeText.line(text))")
            isAll = false
          }
          if outcome.damaged > 0 {
            StandardOutput.complain(
              "\(Self.shown(file)) has \(ByteCount.count(outcome.damaged, "damaged section"));"
                + " the other records were imported")
            isAll = false
          }
          if outcome.isTruncated {
            StandardOutput.complain(
              "\(Self.shown(file)) is truncated; the complete part was imported")
            isAll = false
          }
          for text in outcome.damagedRecords {
            let record = SafeText.withoutCredentials(inText: SafeText.line(text))
            StandardOutput.complain("\(Self.shown(file)): \(record)")
          }
        } catch let error as ReaderError {
          StandardOutput.complain(error.description)
          isAll = false
        }
      }
      return isAll
    }
    if !isAll { throw ExitCode(1) }
  }

  /// Returns whether to import the tags, notes and reading state of a bundle from an unknown
  /// device. On a terminal it asks the user before anything is imported.
  /// - Returns: nil if the user wants to import nothing of the bundle.
  private static func takesChanges(
    of file: String, in profile: Profile, _ isWanted: Bool, _ isQuiet: Bool
  ) throws -> Bool? {
    guard !isWanted, !isQuiet, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
      let changes = try LibraryImport(into: profile).unknownChanges(in: file)
    else { return isWanted }
    let question =
      "\(Self.shown(file)) is from an unknown device (\(devices(of: changes))); its changes are:\n"
      + rows(of: changes)
      + "y imports everything, p only the pages, any other key imports nothing: [y/p/N] "
    try StandardOutput.write(Array(question.utf8), to: STDERR_FILENO)
    switch (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased() {
    case "y", "yes": return true
    case "p", "pages": return false
    default: return nil
    }
  }

  /// Returns the XML files in the directory of an XML file, which a sitemap index may refer to, or
  /// the WACZ files in that of a WACZ file; empty for other files. At most `maxParts` are returned.
  private static func parts(beside file: String) -> [String] {
    func hasEnding(_ name: String, _ endings: [String]) -> Bool {
      endings.contains { name.lowercased().hasSuffix($0) }
    }
    guard let endings = partEndings.first(where: { hasEnding(file, $0) }) else { return [] }
    let directory = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { hasEnding($0, endings) }.sorted().prefix(maxParts)
      .map { "\(directory)/\($0)" }
  }

  private static let partEndings = [[".xml", ".xml.gz"], [".wacz"]]
  private static let maxParts = 1000

  private static func shown(_ file: String) -> String { SafeText.line(PathText.shown(file)) }

  /// Returns the lines that report the import of a file.
  static func text(_ outcome: LibraryImport.Outcome, of file: String) -> String {
    let name = file == "-" ? "standard input" : Self.shown(file)
    guard outcome.format.isList else { return records(outcome, name) }
    var parts = ["\(ByteCount.count(outcome.pages, "page")) kept, \(outcome.queued) queued"]
    if outcome.feeds > 0 { parts.append(ByteCount.count(outcome.feeds, "feed")) }
    if outcome.skipped > 0 {
      parts.append("\(outcome.skipped) skipped: not a web URL")
    }
    if outcome.withCredentials > 0 {
      parts.append(
        "\(outcome.withCredentials) without the user name or password, which are not stored")
    }
    let locations = outcome.skippedLines.map { line in
      "  \(name):\(line.number): \(SafeText.withoutCredentials(inText: SafeText.line(line.text)))\n"
    }
    return "\(name): \(parts.joined(separator: "; "))\n" + locations.joined()
      + (outcome.queued > 0 ? "  offread sync fetches the queued pages\n" : "")
  }

  /// Returns the lines that report the import of pages or records rather than of a list.
  private static func records(_ outcome: LibraryImport.Outcome, _ name: String) -> String {
    var text =
      switch outcome.format {
      case .directory where !outcome.isKnown:
        "\(name): imported \(ByteCount.count(outcome.pages, "page")), dated by the modification times of"
          + " the files\n"
      case .archives where !outcome.isKnown && !outcome.hasNothingNew:
        "\(name): imported \(ByteCount.count(outcome.pages, "file")), whose pages can be read now\n"
      case .mhtml where !outcome.isKnown:
        "\(name): imported \(ByteCount.count(outcome.pages, "page")), dated by the time at which the file"
          + " was saved\n"
      case .savedPage where !outcome.isKnown:
        "\(name): kept as a page, dated by the time at which it was saved\n"
      case .savedPage: "\(name): this page is already saved\n"
      case .book:
        "\(name): \(outcome.isKnown ? "already kept" : "kept"); to read it:"
          + " offread \(SafeText.line(outcome.address))\n"
      case .directory: "\(name): these pages are already saved\n"
      case .bundle where !outcome.isKnown:
        "\(name): merged with the library; new: \(parts(outcome))\n"
      case .bundle where outcome.isTruncated: "\(name): nothing new in the complete part\n"
      case .bundle where outcome.changes != nil: "\(name): its pages are already saved\n"
      case .bundle: "\(name): everything in it is already saved\n"
      case _ where outcome.isKnown: "\(name): these records are already saved\n"
      case _ where outcome.hasNothingNew: "\(name): stored, but it contains no new readable pages\n"
      default: "\(name): imported; its pages can be read now\n"
      }
    if outcome.removed > 0 {
      text +=
        "  not restored: \(ByteCount.count(outcome.removed, "page")) removed here;"
        + " --with-removed restores those that the file contains\n"
    }
    if outcome.restored > 0 {
      text += "  restored \(ByteCount.count(outcome.restored, "removed page"))\n"
    }
    if let changes = outcome.changes { text += lines(changes) }
    if outcome.unreadable > 0 {
      text += "  skipped \(ByteCount.count(outcome.unreadable, "unreadable record")):\n"
      text += outcome.unreadableRecords.map {
        "    \(SafeText.withoutCredentials(inText: SafeText.line($0)))\n"
      }.joined()
      let others = outcome.unreadable - outcome.unreadableRecords.count
      if others > 0 { text += "    and \(others) more\n" }
    }
    if outcome.unresolved > 0 {
      text +=
        "  not readable before the file with their content is imported too:"
        + " \(ByteCount.count(outcome.unresolved, "record"))\n"
    }
    if outcome.skipped > 0 {
      text +=
        "  skipped \(ByteCount.count(outcome.skipped, "file")) that \(outcome.skipped == 1 ? "is" : "are") not part of it\n"
    }
    return text
  }

  /// Returns a text with the numbers of files with pages, and of devices with library changes, that
  /// were new in a bundle.
  private static func parts(_ outcome: LibraryImport.Outcome) -> String {
    let pages = outcome.pages > 0 ? [ByteCount.count(outcome.pages, "file") + " with pages"] : []
    let message = "library changes of \(ByteCount.count(outcome.journals, "device"))"
    return (pages + (outcome.journals > 0 ? [message] : [])).joined(separator: ", ")
  }

  /// Returns the lines about changes of the library that were not imported because the bundle is
  /// from an unknown device.
  static func lines(_ changes: BundleChanges) -> String {
    "  it is from an unknown device (\(devices(of: changes))); these changes were not applied:\n"
      + rows(of: changes) + "  offread import --with-changes applies them\n"
  }

  private static func devices(of changes: BundleChanges) -> String {
    changes.devices.map {
      BundleChanges.isOfCollections($0)
        ? "which has bundled a collection" : ProgressLine.cut(SafeText.line($0), to: nameWidth)
    }.joined(separator: ", ")
  }

  /// Returns the changes that a bundle would make, as counts and names in columns.
  private static func rows(of changes: BundleChanges) -> String {
    let width = BundleChanges.Kind.allCases.map(\.label.count).max() ?? 0
    let digits = changes.rows.map { String($0.pages).count }.max() ?? 1
    func right(_ text: String) -> String {
      String(repeating: " ", count: max(0, digits - text.count)) + text
    }
    let rows = changes.rows.map { row in
      var names = row.names.map {
        ProgressLine.cut(SafeText.line(SafeText.withoutCredentials($0)), to: nameWidth)
      }
      if row.others > 0 { names.append("\(row.others) more") }
      let content = row.kind.label.padding(toLength: width, withPad: " ", startingAt: 0)
      return "    \(content)  \(right(String(row.pages)))  \(names.joined(separator: ", "))\n"
    }
    return rows.joined()
  }

  /// Maximum width of a name in columns; a longer one is truncated.
  private static let nameWidth = 40
}
