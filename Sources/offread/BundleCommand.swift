import Profiles
import Saving
import Document
import ArgumentParser
import Foundation
import OfflineCache
import Session
import TerminalUI

/// `offread bundle -o FILE`: writes the whole library into one file.
struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Write the library, or collections, into one file for another device.")

  @Option(
    name: .customShort("o"), parsing: .unconditional,
    help: ArgumentHelp("Write to a file.", valueName: "file"))
  var output: String?

  @Option(
    name: .customLong("collection"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Write only the pages of a collection.", valueName: "collection"))
  var collections: [String] = []

  @Flag(help: "Replace an existing file.")
  var force = false

  @Flag(help: "Print only errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  mutating func validate() throws {
    output = try ContentOutput.path(ofArgument: output)
    if output == nil, StandardOutput.isTerminal {
      throw ValidationError("a bundle cannot be written to a terminal; give -o FILE")
    }
  }

  mutating func run() throws {
    let (output, names) = (output, collections)
    let bar = ProgressBar("bundling", isQuiet: quiet) { CountFormatter.byteCountText($0) }
    let needs = ProfileArguments.Needs(
      outputs: output.map { [OutputGrant($0, replacesExisting: force)] } ?? [])
    let contents = try arguments.withProfile(needs) { profile in
      defer { bar.finish() }
      let chosen = try names.map { try PageSelection.collection(named: $0, in: profile) }
      let total = try profile.cache.archive.summary().bytes
      do {
        var file = try ContentOutput(path: output)
        let bundle = LibraryBundle(of: profile)
        let progress = { bar.advance(ArchiveProgress(done: $0, total: max($0, total))) }
        let contents =
          chosen.isEmpty
          ? try bundle.write(now: Date(), progress: progress, into: { try file.write($0) })
          : try bundle.write(
            chosen, now: Date(), progress: progress, into: { try file.write($0) })
        try file.finish()
        return contents
      } catch let error as StandardOutput.WriteError {
        StandardOutput.printError("\(ContentOutput.displayName(of: output)): \(error.message)")
        throw ExitCode(1)
      }
    }
    ExportCommand.reportSkippedResponses(count: contents.privateCount)
    guard !quiet, let output else { return }
    let text =
      "\(ContentOutput.displayName(of: output)): \(CountFormatter.countText(contents.segmentCount, "file")) with pages,"
      + " library changes of \(CountFormatter.countText(contents.journalCount, "device"));"
      + " \(CountFormatter.byteCountText(contents.size))\n"
      + "  offread import merges it with the library of another device\n"
    try StandardOutput.write(Array(text.utf8))
  }
}
