import Profiles
import Library
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
  ///   - isDryRun: whether to import nothing and only collect the changes by unknown devices.
  /// - Returns: the outcome.
  /// - Throws: `ArchiveError`.
  func merge(_ file: OpenFile, isDryRun: Bool = false) throws -> Outcome {
    var transfer = try BundleTransfer(from: file, by: self, isDryRun: isDryRun)
    try transfer.run()
    try profile.cache.archive.catchUp()
    try profile.library.catchUp()
    var outcome = transfer.outcome
    outcome.changes = try BundleChanges(
      transfer.factsOfUnknownDevices, in: profile.library, now: now)
    if isDryRun { return outcome }
    if restoresRemoved {
      outcome.restoredCount = try restore(transfer.facts)
    } else {
      outcome.removedCount = try PageRemoval(from: profile).removeAgain(
        in: transfer.addedSegments, now: now)
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
