import Foundation
import WARC

/// Where a record is in the archive.
struct RecordPlace: Sendable, Equatable {
  /// The file name of the segment.
  var segment: String
  /// Where the record begins.
  var position: WARCPosition
  /// The id of the record that is expected there.
  var record: String
  /// How many bytes of the segment it takes; 0 when it shares a gzip member with others.
  var size: Int64 = 0
}

/// A stored response and where its content is: what an index row holds.
struct ArchivedVersion: Sendable, Equatable {
  /// The response. Its `lastCheck` is what records say; see `assembled`.
  var stored: StoredResponse
  /// What versions of one key are ordered by, in milliseconds since 1970: when the version was last
  /// known to be the current one, but never less than that of a version saved before it, so that a
  /// clock set back does not make an older version the newest.
  var order: Int64
  /// Where the content is.
  var place: RecordPlace
  /// The payload digest that the record names when it is not SHA-256.
  var foreignDigest: String?
  /// The segment whose record says what is known of it now: its own, or that of the last look at it.
  var source = ""
  /// Where that record says that it is from, when that is another archive (`WARC-Source-URI`).
  var origin: String?
  /// Whether the content was found to be damaged.
  var isDamaged = false

  /// Whether this may be shown as the page.
  var isUsable: Bool { stored.isGood && !isDamaged }

  /// Whether this comes before another in the list of versions. Equal dates: what was written later
  /// comes first.
  func isNewer(than other: ArchivedVersion) -> Bool {
    if order != other.order { return order > other.order }
    if place.segment != other.place.segment { return place.segment > other.place.segment }
    let (mine, others) = (place.position, other.place.position)
    if mine.offset != others.offset { return mine.offset > others.offset }
    return mine.memberOffset > others.memberOffset
  }

  /// The versions of one key, newest first, each with its last check: a later answer for the same
  /// variant is a check of the good version before it. What others have captured is none.
  static func assembled(_ versions: [ArchivedVersion]) -> [ArchivedVersion] {
    var sorted = versions.sorted { $0.isNewer(than: $1) }
    var current: [Int] = []
    for index in sorted.indices.reversed() {
      let answer = sorted[index].stored
      guard answer.foreignFile == nil else { continue }
      let before = current.firstIndex { sorted[$0].stored.varying == answer.varying }
      if let before {
        let result: StoredResponse.Check.Result =
          if let suspicion = answer.suspicion {
            .suspect(suspicion)
          } else if answer.isGood {
            .replaced
          } else {
            .status(answer.response.status)
          }
        // What was there before may have come again.
        let isAgain = answer.contentDate < sorted[current[before]].stored.contentDate
        let check = StoredResponse.Check(
          date: isAgain ? answer.responseTime : answer.contentDate, result: result)
        sorted[current[before]].stored.note(check)
        if answer.isGood { current[before] = index }
      } else if answer.isGood {
        current.append(index)
      }
    }
    return sorted
  }
}

extension StoredResponse {
  /// Makes a check the last one unless a later one is known.
  mutating func note(_ check: Check) {
    if let lastCheck, lastCheck.date > check.date { return }
    lastCheck = check
  }
}
