import Configuration
import Reader
import Exchange
import Library
import Foundation
import OfflineCache
import WARC

extension LibraryImport {
  /// Puts a bundle together with what is here: every segment and journal that is not, and of those that are
  /// the longer ones. Of two facts about the same thing the later one counts.
  ///
  /// Anybody can make a bundle. So the journal of a machine of which there is none here is only looked at, for
  /// what it would change, unless changes are wanted; so is one under this machine's own name that is no
  /// beginning of its journal. Pages come as those of any file from elsewhere, also under this machine's own
  /// name.
  /// - Parameters:
  ///   - file: the bundle.
  ///   - path: its name, for what is said of it.
  ///   - isLooking: whether to import nothing and only collect the changes by unknown devices.
  /// - Returns: what came of it.
  /// - Throws: `ArchiveError`.
  func merge(_ file: OpenFile, of path: String, isLooking: Bool = false) throws -> Outcome {
    var outcome = Outcome(format: .bundle)
    var said = BundledFacts()
    var unknown = BundledFacts()
    let own = SegmentName.machine(try profile.machine)
    let known = Set(try profile.library.otherMachines() + [own])
    var arrived: Set<String> = []
    outcome.isKnown = true
    let archive = try ArrivingFile(in: profile.locations.archive.path)
    let journals = try ArrivingFile(in: profile.locations.journals.path)
    let size = try file.status().size
    var offset: Int64 = 0
    outcome.isCut = true
    while true {
      let block = try file.bytes(at: offset, count: TarHeader.block)
      if block.count == TarHeader.block, block.allSatisfy({ $0 == 0 }) {
        outcome.isCut = false
        break
      }
      guard let header = TarHeader(block) else { break }
      let start = offset + Int64(TarHeader.block)
      // Neither may be past the end, also where adding them up would be.
      guard header.size <= size - start else { break }
      let range = start..<start + header.size
      offset = range.upperBound + Int64(header.padding)
      guard header.isFile else {
        outcome.skipped += 1
        continue
      }
      if let name = Self.name(header.name, in: LibraryBundle.archiveFolder, [".warc.gz", ".warc"]),
        try isWARC(file, range)
      {
        guard !isLooking else { continue }
        let ending = name.hasSuffix(".gz") ? ".warc.gz" : ".warc"
        let isTrusted = try takesChanges || SegmentName(name)?.machine != own || archive.has(name)
        if case .taken(let segment) = try archive.take(
          file, range, as: isTrusted ? name : nil, ending: ending)
        {
          outcome.pages += 1
          outcome.isKnown = false
          arrived.insert(segment)
        }
      } else if let name = Self.name(header.name, in: LibraryBundle.journalFolder, [".journal"]) {
        let machine =
          try LibraryJournal.head(
            file.bytes(at: start, count: min(LibraryJournal.headLimit, Int(clamping: header.size))))?
          .machine ?? JournalFolder.machine(name) ?? name
        let isFamiliar =
          machine == own || JournalFolder.machine(name) == own
          ? try restoresRemoved || journals.isBeginning(file, range, of: own + ".journal")
          : known.contains(machine)
        guard takesChanges || isFamiliar else {
          try unknown.read(file, range, of: machine)
          continue
        }
        guard !isLooking else { continue }
        if restoresRemoved { try said.read(file, range, of: machine) }
        if try journals.take(file, range, as: name, ending: ".journal") != .known {
          outcome.journals += 1
          outcome.isKnown = false
        }
      } else if header.name != LibraryBundle.mark {
        outcome.skipped += 1
      }
    }
    try profile.cache.archive.catchUp()
    try profile.library.catchUp()
    outcome.changes = try BundleChanges(unknown, in: profile.library, now: now)
    if isLooking { return outcome }
    if restoresRemoved {
      outcome.restored = try restore(said)
    } else {
      outcome.removed = try PageRemoval(from: profile).again(in: arrived, now: now)
    }
    return outcome
  }

  /// Says once more, as of now, what a bundle says of pages that were removed since; those that are not
  /// saved wait to be fetched.
  /// - Returns: how many pages that are.
  private func restore(_ said: BundledFacts) throws -> Int {
    let removals = try profile.library.removals(of: said.facts.keys)
    let back = removals.keys.filter { key in
      said.facts[key]?[.kept]?.value != nil || said.facts[key]?[.feed]?.value != nil
    }
    let saved = profile.cache.savedPages(among: Array(back))
    var changes: [LibraryChange] = []
    var count = 0
    for key in back.sorted() {
      let known = try profile.library.page(key)
      guard known == LibraryPage(key: key), let facts = said.facts[key] else { continue }
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

  /// The name of a file in a folder of a bundle; nil when it is none that belongs there.
  static func name(_ path: String, in folder: String, _ endings: [String]) -> String? {
    guard path.hasPrefix(folder) else { return nil }
    let name = path.dropFirst(folder.count)
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
