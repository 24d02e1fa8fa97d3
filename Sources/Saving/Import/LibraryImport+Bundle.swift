import Configuration
import Profiles
import Exchange
import Library
import Foundation
import OfflineCache
import WARC

extension LibraryImport {
  /// Merges a bundle into the library: adds all segments and journals that the library lacks, and
  /// extends those for which the bundle has a longer version. Of two facts about the same
  /// attribute, the later one wins.
  ///
  /// A bundle is untrusted. Therefore, the journal of an unknown device is only evaluated for the
  /// changes that it would make, unless `appliesChanges` is set. The same applies to a journal
  /// under this device's own name that is not a prefix of this device's journal. Segments are
  /// treated as imported, even those under this device's own name.
  /// - Parameters:
  ///   - file: the bundle.
  ///   - path: its path.
  ///   - isDryRun: whether to import nothing and only collect the changes by unknown devices.
  /// - Returns: the outcome.
  /// - Throws: `ArchiveError`.
  func merge(_ file: OpenFile, of path: String, isDryRun: Bool = false) throws -> Outcome {
    var outcome = Outcome(format: .bundle)
    var bundledFacts = BundledFacts()
    var factsOfUnknownDevices = BundledFacts()
    let ownDevice = SegmentName.device(try profile.device)
    let knownDevices = Set(try profile.library.otherDevices() + [ownDevice])
    var addedSegments: Set<String> = []
    outcome.wasImportedBefore = true
    let archive = try ArrivingFile(in: profile.locations.archive.path)
    let journals = try ArrivingFile(in: profile.locations.journals.path)
    let size = try file.status().size
    var offset: Int64 = 0
    outcome.isTruncated = true
    while true {
      let block = try file.bytes(at: offset, count: TarHeader.blockSize)
      if block.count == TarHeader.blockSize, block.allSatisfy({ $0 == 0 }) {
        outcome.isTruncated = false
        break
      }
      guard let header = TarHeader(block) else { break }
      let start = offset + Int64(TarHeader.blockSize)
      // The sizes are compared without adding the header's size to an offset, which could overflow.
      guard header.size <= size - start else { break }
      let range = start..<start + header.size
      offset = range.upperBound + Int64(header.padding)
      guard header.isFile else {
        outcome.skippedCount += 1
        continue
      }
      if let name = Self.name(
        header.name, in: LibraryBundle.archiveDirectory, [".warc.gz", ".warc"]),
        try isWARC(file, range)
      {
        guard !isDryRun else { continue }
        let ending = name.hasSuffix(".gz") ? ".warc.gz" : ".warc"
        let isTrusted =
          try appliesChanges || SegmentName(name)?.device != ownDevice || archive.contains(name)
        if case .added(let segment) = try archive.store(
          file, range, as: isTrusted ? name : nil, ending: ending)
        {
          outcome.pageCount += 1
          outcome.wasImportedBefore = false
          addedSegments.insert(segment)
        }
      } else if let name = Self.name(header.name, in: LibraryBundle.journalDirectory, [".journal"])
      {
        let device =
          try LibraryJournal.head(
            file.bytes(
              at: start, count: min(LibraryJournal.maxHeadLength, Int(clamping: header.size))))?
          .device ?? JournalDirectory.device(name) ?? name
        let isKnownDevice =
          device == ownDevice || JournalDirectory.device(name) == ownDevice
          ? try restoresRemoved || journals.isPrefix(file, range, of: ownDevice + ".journal")
          : knownDevices.contains(device)
        guard appliesChanges || isKnownDevice else {
          try factsOfUnknownDevices.read(file, range, of: device)
          continue
        }
        guard !isDryRun else { continue }
        if restoresRemoved { try bundledFacts.read(file, range, of: device) }
        if try journals.store(file, range, as: name, ending: ".journal") != .alreadyPresent {
          outcome.journalCount += 1
          outcome.wasImportedBefore = false
        }
      } else if header.name != LibraryBundle.manifestName {
        outcome.skippedCount += 1
      }
    }
    try profile.cache.archive.catchUp()
    try profile.library.catchUp()
    outcome.changes = try BundleChanges(factsOfUnknownDevices, in: profile.library, now: now)
    if isDryRun { return outcome }
    if restoresRemoved {
      outcome.restoredCount = try restore(bundledFacts)
    } else {
      outcome.removedCount = try PageRemoval(from: profile).removeAgain(in: addedSegments, now: now)
    }
    return outcome
  }

  /// For pages that were pinned or followed in a bundle and removed after it was written, records
  /// these facts again with the current date, unless the library contains newer facts about them.
  /// Pages that are not saved are queued.
  /// - Returns: the number of pages.
  private func restore(_ bundledFacts: BundledFacts) throws -> Int {
    let removals = try profile.library.removals(of: bundledFacts.facts.keys)
    let back = removals.keys.filter { key in
      bundledFacts.facts[key]?[.pinned]?.value != nil
        || bundledFacts.facts[key]?[.feed]?.value != nil
    }
    let saved = profile.cache.savedPages(among: Array(back))
    var changes: [LibraryChange] = []
    var count = 0
    for key in back.sorted() {
      let known = try profile.library.page(key)
      guard known == LibraryPage(key: key), let facts = bundledFacts.facts[key] else { continue }
      for (attribute, fact) in facts.sorted(by: { $0.value.date < $1.value.date })
      where fact.value != nil && attribute != .removed && attribute != .queued {
        changes.append(LibraryChange(key, attribute, fact.value))
      }
      if !saved.contains(key), facts[.feed]?.value == nil {
        changes.append(LibraryChange(key, .queued, ""))
      }
      count += 1
    }
    try profile.library.record(changes)
    return count
  }

  /// Returns the name of a file in a directory of a bundle; nil if a file with this path does not
  /// belong there.
  static func name(_ path: String, in directory: String, _ endings: [String]) -> String? {
    guard path.hasPrefix(directory) else { return nil }
    let name = path.dropFirst(directory.count)
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
        || byte == 0x2E || byte == 0x5F
    }
    guard isPlain, !name.hasPrefix("."), endings.contains(where: { name.hasSuffix($0) }) else {
      return nil
    }
    return String(name)
  }

  func isWARC(_ file: OpenFile, _ range: Range<Int64>) throws -> Bool {
    let reader = WARCReader(verifiesDigests: false) { offset, buffer in
      let count = min(Int64(buffer.count), range.upperBound - range.lowerBound - offset)
      guard count > 0 else { return 0 }
      return try file.read(
        at: range.lowerBound + offset,
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)]))
    }
    if case .record? = try? reader.next() { return true }
    return false
  }
}
