import Foundation
import OfflineCache
import WARC

/// When what another machine dates in the future was first seen here: that is its date then, so
/// nobody's wrong clock has the last word for years. The times are kept, since the database of
/// facts may be built again at any time.
package struct FirstSeenTimes {
  /// So far, in milliseconds, may the clock of another machine be ahead of ours: as far as that,
  /// its words have their own order with those of others.
  private static let wrongClock: Int64 = 86_400_000
  /// A clock that says an earlier time has never been set: 1 January 2026, in milliseconds since
  /// 1970.
  private static let earliest: Int64 = 1_767_225_600_000
  /// As many are kept; beyond that the time of reading counts.
  private static let most = 200_000

  private let file: StateFile?
  private let now: Int64
  /// The times in milliseconds since 1970, by digests of what was said.
  private var known: [UInt64: Int64] = [:]
  /// The lines that are not in the file yet.
  private var new: [UInt8] = []

  /// Reads what is kept; lines that are none are passed over.
  /// - Parameters:
  ///   - file: where it is kept; nil for nowhere.
  ///   - now: the time of day, in milliseconds since 1970.
  init(_ file: URL?, now: Int64) {
    self.file = file.map(StateFile.init)
    self.now = now
    guard let file, let bytes = try? [UInt8](Data(contentsOf: file)) else { return }
    for line in bytes.split(separator: 10) {
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2, let digest = UInt64(words[0], radix: 16), let time = Int64(words[1]),
        time >= Self.earliest
      else { continue }
      known[digest] = min(time, known[digest] ?? time)
    }
  }

  /// A fact of another machine, at the time when it was first seen if it says it is from later.
  mutating func settled(_ fact: LibraryFact) -> LibraryFact {
    var fact = fact
    fact.date = settled(
      fact.date, "\(fact.attribute.text)\n\(fact.value ?? "")\n\(fact.key)", of: fact.machine)
    return fact
  }

  /// The same for a removal.
  mutating func settled(
    _ removal: LibraryJournal.Removal, of machine: String
  ) -> LibraryJournal.Removal {
    LibraryJournal.Removal(
      digest: removal.digest, date: settled(removal.date, removal.digest, of: machine))
  }

  private mutating func settled(_ date: Int64, _ words: String, of machine: String) -> Int64 {
    guard now >= Self.earliest, Self.isAhead(date, of: now) || !known.isEmpty else { return date }
    let digest = DigestBuilder.bytes(of: "\(machine)\n\(date)\n\(words)".utf8, .sha256).prefix(8)
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if let seen = known[digest] { return min(date, seen) }
    guard Self.isAhead(date, of: now) else { return date }
    if known.count < Self.most {
      known[digest] = now
      new += "\(String(digest, radix: 16)) \(now)\n".utf8
    }
    return now
  }

  /// Whether a date cannot be right, in milliseconds since 1970.
  package static func isAhead(_ date: Int64, of now: Int64) -> Bool { date > now + wrongClock }

  /// Writes down what is new. What cannot be is settled anew when the facts are read again.
  mutating func keep() {
    guard let file, !new.isEmpty else { return }
    defer { new = [] }
    guard let opened = try? file.locked() else { return }
    defer { opened.unlock() }
    guard let size = try? opened.status().size else { return }
    // A line that was cut by a kill must not take the next one with it.
    try? opened.write((size > 0 ? [10] : []) + new, at: size)
    try? opened.sync()
  }
}
