import Configuration
import Exchange
import Foundation
import Library
import OfflineCache
import Profiles
import WARC

/// The transfer of the segments and journals of a bundle into a library; see
/// `LibraryImport.merge(_:isDryRun:)`.
struct BundleTransfer {
  private let file: OpenFile
  private let request: LibraryImport
  /// Whether nothing is added to the library.
  private let isDryRun: Bool
  private let ownDevice: String
  /// The devices whose journals the library has, including this one.
  private let knownDevices: Set<String>
  private let archive: ArrivingFile
  private let journals: ArrivingFile

  /// The outcome so far.
  private(set) var outcome = LibraryImport.Outcome(format: .bundle)
  /// The names of the segments that were added.
  private(set) var addedSegments: Set<String> = []
  /// The facts in the journals; empty unless the import restores removed pages.
  private(set) var facts = BundledFacts()
  /// The facts in the journals of unknown devices, which are not added to the library.
  private(set) var factsOfUnknownDevices = BundledFacts()

  /// Prepares the transfer of a bundle for an import.
  init(from file: OpenFile, by request: LibraryImport, isDryRun: Bool) throws {
    (self.file, self.request, self.isDryRun) = (file, request, isDryRun)
    let profile = request.profile
    ownDevice = SegmentName.device(try profile.device)
    knownDevices = Set(try profile.library.otherDevices() + [ownDevice])
    archive = try ArrivingFile(in: profile.locations.archive.path)
    journals = try ArrivingFile(in: profile.locations.journals.path)
    outcome.wasImportedBefore = true
  }

  /// Transfers all complete files of the bundle.
  mutating func run() throws {
    let size = try file.status().size
    var offset: Int64 = 0
    while true {
      let block = try file.bytes(at: offset, count: TarHeader.blockSize)
      if block.count == TarHeader.blockSize, block.allSatisfy({ $0 == 0 }) { return }
      let start = offset + Int64(TarHeader.blockSize)
      // The sizes are compared without adding the header's size to an offset, which could overflow.
      guard let header = TarHeader(block), header.size <= size - start else {
        outcome.isTruncated = true
        return
      }
      let range = start..<start + header.size
      offset = range.upperBound + Int64(header.padding)
      try transfer(header, range)
    }
  }

  /// Transfers the file at a range of the bundle.
  private mutating func transfer(_ header: TarHeader, _ range: Range<Int64>) throws {
    guard header.isFile else {
      outcome.skippedCount += 1
      return
    }
    if let name = LibraryImport.name(
      header.name, in: LibraryBundle.archiveDirectory, [".warc.gz", ".warc"]),
      try request.isWARC(file, range)
    {
      if !isDryRun { try addSegment(name, range) }
    } else if let name = LibraryImport.name(
      header.name, in: LibraryBundle.journalDirectory, [".journal"])
    {
      try addJournal(name, range)
    } else if header.name != LibraryBundle.manifestName {
      outcome.skippedCount += 1
    }
  }

  private mutating func addSegment(_ name: String, _ range: Range<Int64>) throws {
    let ending = name.hasSuffix(".gz") ? ".warc.gz" : ".warc"
    let isTrusted =
      try request.appliesChanges || SegmentName(name)?.device != ownDevice
      || archive.contains(name)
    if case .added(let segment) = try archive.store(
      file, range, as: isTrusted ? name : nil, ending: ending)
    {
      outcome.pageCount += 1
      outcome.wasImportedBefore = false
      addedSegments.insert(segment)
    }
  }

  /// Adds a journal to the library; if its device is unknown, only reads its facts.
  private mutating func addJournal(_ name: String, _ range: Range<Int64>) throws {
    let head = try file.bytes(
      at: range.lowerBound,
      count: min(LibraryJournal.maxHeadLength, Int(clamping: range.upperBound - range.lowerBound)))
    let device = LibraryJournal.head(head)?.device ?? JournalDirectory.device(name) ?? name
    let isKnownDevice =
      device == ownDevice || JournalDirectory.device(name) == ownDevice
      ? try request.restoresRemoved || journals.isPrefix(file, range, of: ownDevice + ".journal")
      : knownDevices.contains(device)
    guard request.appliesChanges || isKnownDevice else {
      return try factsOfUnknownDevices.read(file, range, of: device)
    }
    guard !isDryRun else { return }
    if request.restoresRemoved { try facts.read(file, range, of: device) }
    if try journals.store(file, range, as: name, ending: ".journal").isNew {
      outcome.journalCount += 1
      outcome.wasImportedBefore = false
    }
  }
}
