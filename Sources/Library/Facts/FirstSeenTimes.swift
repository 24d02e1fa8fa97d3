import Foundation
import OfflineCache
import WARC

/// The times at which facts of other devices that are dated in the future were first seen on this
/// device. The first-seen time replaces the date of such a fact, so that a fact from a device with
/// a wrong clock does not override others for years. The times are stored in a file, because the
/// database of facts may be rebuilt at any time.
package struct FirstSeenTimes {
  /// The maximum difference in milliseconds by which another device's clock may be ahead. Dates
  /// within it are kept, which preserves the order of facts.
  private static let maxClockSkew: Int64 = 86_400_000
  /// The earliest plausible current time, in milliseconds since 1970: 1 January 2026. A clock that
  /// shows an earlier time has not been set.
  private static let earliestPlausibleTime: Int64 = 1_767_225_600_000
  /// The maximum number of stored times. When it is reached, the current time is used without being
  /// stored.
  private static let maxTimes = 200_000

  private let file: StateFile?
  private let now: Int64
  /// The times in milliseconds since 1970, by digests of the facts.
  private var knownTimes: [UInt64: Int64] = [:]
  /// The lines that have not been written to the file yet.
  private var newLines: [UInt8] = []

  /// Reads the stored times; invalid lines are skipped.
  /// - Parameters:
  ///   - file: The file; nil to store nothing.
  ///   - now: The current time in milliseconds since 1970.
  init(_ file: URL?, now: Int64) {
    self.file = file.map(StateFile.init)
    self.now = now
    guard let file, let bytes = try? [UInt8](Data(contentsOf: file)) else { return }
    for line in bytes.split(separator: 10) {
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2, let digest = UInt64(words[0], radix: 16), let time = Int64(words[1]),
        time >= Self.earliestPlausibleTime
      else { continue }
      knownTimes[digest] = min(time, knownTimes[digest] ?? time)
    }
  }

  /// Returns a fact of another device; a date in the future is replaced by the time at which the
  /// fact was first seen.
  mutating func withPlausibleDate(_ fact: LibraryFact) -> LibraryFact {
    var fact = fact
    fact.date = withPlausibleDate(
      fact.date, "\(fact.attribute.text)\n\(fact.value ?? "")\n\(fact.key)", of: fact.device)
    return fact
  }

  /// Returns a removal by another device; a date in the future is replaced by the time at which the
  /// removal was first seen.
  mutating func withPlausibleDate(
    _ removal: LibraryJournal.Removal, of device: String
  ) -> LibraryJournal.Removal {
    LibraryJournal.Removal(
      digest: removal.digest, date: withPlausibleDate(removal.date, removal.digest, of: device))
  }

  private mutating func withPlausibleDate(_ date: Int64, _ text: String, of device: String) -> Int64
  {
    guard now >= Self.earliestPlausibleTime, Self.isAhead(date, of: now) || !knownTimes.isEmpty
    else { return date }
    let digest = DigestBuilder.bytes(of: "\(device)\n\(date)\n\(text)".utf8, .sha256).prefix(8)
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if let seen = knownTimes[digest] { return min(date, seen) }
    guard Self.isAhead(date, of: now) else { return date }
    if knownTimes.count < Self.maxTimes {
      knownTimes[digest] = now
      newLines += "\(String(digest, radix: 16)) \(now)\n".utf8
    }
    return now
  }

  /// Returns whether a date is implausibly far in the future. Both arguments are in milliseconds
  /// since 1970.
  package static func isAhead(_ date: Int64, of now: Int64) -> Bool { date > now + maxClockSkew }

  /// Appends new times to the file. If that fails, the times are determined again when the facts
  /// are read the next time.
  mutating func save() {
    guard let file, !newLines.isEmpty else { return }
    defer { newLines = [] }
    guard let opened = try? file.openLocked() else { return }
    defer { opened.unlock() }
    guard let size = try? opened.status().size else { return }
    // A line truncated by a crash must not corrupt the next one.
    try? opened.write((size > 0 ? [10] : []) + newLines, at: size)
    try? opened.sync()
  }
}
