import Configuration
import Library
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Profiles
import Rendering
import TerminalUI

/// `offread archive info|verify|compact|rebuild|cdxj`: inspects and maintains the archive.
struct ArchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Inspect and maintain the archive.")

  /// The maintenance tasks.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case info, verify, compact, rebuild, cdxj
  }

  @Argument(
    help:
      "info: print counts and sizes; verify: check every record; compact: free space; rebuild: rebuild the index; cdxj: write an index for pywb and others."
  )
  var action: Action

  @Flag(name: .customLong("dry-run"), help: "compact: only print how much space would be freed.")
  var isDryRun = false

  @Flag(help: "info, verify: write JSON.")
  var json = false

  @Option(
    name: .customShort("o"), parsing: .unconditional,
    help: ArgumentHelp("cdxj: write to a file.", valueName: "file"))
  var output: String?

  @Flag(help: "cdxj: write compressed blocks and an index of the blocks.")
  var zipnum = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "cdxj: check whether an index still matches the archive.", valueName: "file"),
    transform: NonemptyArgument.parse)
  var check: String?

  @Flag(help: "cdxj: replace existing files.")
  var force = false

  @Flag(help: "Show no progress and print only errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  mutating func validate() throws {
    if isDryRun, action != .compact {
      throw ValidationError("--dry-run can only be used with offread archive compact")
    }
    if json, action != .info, action != .verify {
      throw ValidationError("--json can only be used with offread archive info and verify")
    }
    if action != .cdxj, output != nil || zipnum || check != nil || force {
      throw ValidationError(
        "-o, --zipnum, --check and --force can only be used with offread archive cdxj")
    }
    output = try ContentOutput.path(ofArgument: output)
    if zipnum, output == nil {
      throw ValidationError("--zipnum writes several files; give -o FILE")
    }
    if check != nil, output != nil || zipnum {
      throw ValidationError("--check cannot be used with -o or --zipnum")
    }
  }

  mutating func run() throws {
    let (command, locations) = (self, try arguments.profile.locations)
    let needs = ProfileArguments.Needs(inputFiles: [check].compactMap(\.self), outputs: outputs)
    let isSound = try arguments.withProfile(needs) { profile in
      ProfileArguments.watchPages(of: profile)
      switch command.action {
      case .info: try command.writeSummary(try profile.cache.archive.summary(), locations)
      case .verify: return try command.verify(profile)
      // Nothing was ever saved.
      case .compact where profile.isReadOnly, .rebuild where profile.isReadOnly:
        try command.printLines(["nothing is saved in \(locations.archive.path)"])
      case .compact: try command.compact(profile.cache)
      case .rebuild: try command.rebuild(profile)
      case .cdxj:
        let archive = profile.cache.archive
        if let file = command.check { return try command.checkIndex(file, archive) }
        try command.writeIndex(archive)
      }
      return true
    }
    if !isSound { throw ExitCode(1) }
  }

  func withProgressBar<Value>(
    _ label: String, _ work: (@escaping ArchiveProgress.Watch) throws -> Value
  ) throws -> Value {
    let bar = ProgressBar(label, isQuiet: quiet)
    defer { bar.finish() }
    return try work(bar.advance)
  }

  func printLines(_ lines: [String]) throws {
    guard !quiet else { return }
    try StandardOutput.write(Array(lines.map { SafeText.line($0) + "\n" }.joined().utf8))
  }

  private func writeSummary(_ summary: ArchiveSummary, _ locations: Locations) throws {
    guard !json else { return try StandardOutput.write(Array(try JSONReport.text(summary).utf8)) }
    func day(_ date: Date?) -> String {
      date.map { DateTexts.dayAndTimeText($0, in: .local) } ?? "-"
    }
    let lines = [
      "directory \(locations.archive.path)",
      "index     \(locations.index.path), \(CountFormatter.byteCountText(summary.indexBytes))",
      "segments  \(summary.segments), \(summary.ownSegments) of them of this device; "
        + CountFormatter.byteCountText(summary.bytes),
      "records   \(summary.records)",
      "pages     \(summary.keys) of \(CountFormatter.countText(summary.hosts, "host")), "
        + CountFormatter.countText(summary.versions, "version"),
      "content   \(day(summary.oldest)) to \(day(summary.newest))",
      "damaged   \(CountFormatter.countText(summary.damaged, "version"))",
      "removed   \(CountFormatter.countText(summary.removed, "version")) still on the disk, "
        + CountFormatter.byteCountText(summary.removedBytes),
    ]
    try StandardOutput.write(Array(lines.map { SafeText.line($0) + "\n" }.joined().utf8))
  }

  /// Rebuilds the index, the library database and the search index, without opening the existing
  /// ones first.
  private func rebuild(_ profile: Profile) throws {
    let locations = profile.locations
    let location = ArchiveLocation(archive: locations.archive, index: locations.index)
    let (summary, notices) = try withProgressBar("rebuilding") {
      try Archive.rebuild(
        at: location, device: profile.device, progress: $0, mayRemove: profile.isKnown)
    }
    notices.forEach { StandardOutput.printError($0.description) }
    try profile.library.rebuild()
    try withProgressBar("indexing text") { watch in
      try profile.search.rebuild { watch(ArchiveProgress(done: $0.done, total: $0.total)) }
    }
    try printLines(
      [
        "the index contains \(CountFormatter.countText(summary.versions, "version")) of "
          + CountFormatter.countText(summary.keys, "page")
      ])
  }

  private func verify(_ profile: Profile) throws -> Bool {
    var result = try withProgressBar("verifying") { try profile.cache.archive.verify(progress: $0) }
    try profile.library.verify(into: &result)
    if json {
      try StandardOutput.write(Array(try JSONReport.text(result).utf8))
      return result.isSound
    }
    for damage in result.damages {
      let url = damage.url.map { " (\(SafeText.withoutCredentials($0)))" } ?? ""
      let part = damage.length > 0 ? "\(damage.length) bytes at" : "damaged at byte"
      StandardOutput.printError(
        "\(damage.file): \(part) \(damage.offset)\(url): \(damage.reason)")
    }
    let wrong = result.damages.isEmpty ? "nothing damaged" : "\(result.damages.count) damaged"
    try printLines(
      [
        "\(CountFormatter.countText(result.records, "record")) in "
          + "\(CountFormatter.countText(result.segments, "segment")), \(CountFormatter.byteCountText(result.bytes)), "
          + "\(CountFormatter.countText(result.digests, "digest")) compared, "
          + "\(CountFormatter.countText(result.lines, "line")) in "
          + "\(CountFormatter.countText(result.journals, "journal")): \(wrong)"
      ])
    return result.isSound
  }

  private func compact(_ cache: HTTPCache) throws {
    let result = try withProgressBar("compacting") {
      try cache.compact(isDryRun: isDryRun, progress: $0)
    }
    var lines: [String] = []
    if result.evicted > 0 {
      lines.append(
        "\(CountFormatter.countText(result.evicted, "version")) \(isDryRun ? "would be" : "") evicted"
          .replacingOccurrences(of: "  ", with: " "))
    }
    if result.joined > 0 {
      lines.append(
        "\(CountFormatter.countText(result.joined, "segment")) \(isDryRun ? "would be merged" : "merged")"
      )
    }
    lines.append(
      "\(isDryRun ? "would free" : "freed") \(CountFormatter.byteCountText(result.freedBytes)) of segments and "
        + "\(CountFormatter.byteCountText(result.indexBytes)) of the index")
    try printLines(lines)
  }
}
