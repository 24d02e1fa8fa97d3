import Foundation
import WARC

/// A stored response and the location of its content: a row of the index.
struct ArchivedVersion: Sendable, Equatable {
  /// The response. In the index, its `lastCheck` comes only from check and revisit records;
  /// `sortedWithChecks` also considers later responses.
  var stored: StoredResponse
  /// The sort key among the versions of one cache key, in milliseconds since 1970: the time at
  /// which the version was last known to be current. It is never less than the sort key of a
  /// version that was saved before, so that a clock that was set back does not make an older
  /// version the newest.
  var order: Int64
  /// The location of the content.
  var location: RecordReference
  /// The payload digest in the record; nil if the record has none, or if it is the digest of the
  /// decoded content.
  var recordedDigest: String?
  /// The segment of the record that determines the current state of the version: its own record, or
  /// its last revisit.
  var source = ""
  /// The origin of the record that determines the current state of the version, if the record came
  /// from another archive (`WARC-Source-URI`).
  var origin: String?
  /// Whether the content was found to be damaged.
  var isDamaged = false

  /// Whether this may be shown as the page.
  var isUsable: Bool { stored.isGood && !isDamaged }

  /// Returns whether this precedes another version in the list of versions. If the sort keys are
  /// equal, the one that was written later comes first.
  func isNewer(than other: ArchivedVersion) -> Bool {
    if order != other.order { return order > other.order }
    if location.segment != other.location.segment {
      return location.segment > other.location.segment
    }
    let (mine, others) = (location.position, other.location.position)
    if mine.offset != others.offset { return mine.offset > others.offset }
    return mine.memberOffset > others.memberOffset
  }

  /// Returns the versions of one key, newest first, each with its last check: a later response for
  /// the same variant counts as a check of the good version before it. Responses that other devices
  /// saved do not count.
  static func sortedWithChecks(_ versions: [ArchivedVersion]) -> [ArchivedVersion] {
    var sorted = versions.sorted { $0.isNewer(than: $1) }
    var currentIndices: [Int] = []
    for index in sorted.indices.reversed() {
      let response = sorted[index].stored
      guard response.importedFile == nil else { continue }
      let earlierIndex = currentIndices.firstIndex { sorted[$0].stored.varying == response.varying }
      if let earlierIndex {
        let result: StoredResponse.Check.Result =
          if let rejectionReason = response.rejectionReason {
            .suspect(rejectionReason)
          } else if response.isGood {
            .replaced
          } else {
            .status(response.response.status)
          }
        // Earlier content may have been received again.
        let isReceivedAgain =
          response.contentDate < sorted[currentIndices[earlierIndex]].stored.contentDate
        let check = StoredResponse.Check(
          date: isReceivedAgain ? response.responseTime : response.contentDate, result: result)
        sorted[currentIndices[earlierIndex]].stored.record(check)
        if response.isGood { currentIndices[earlierIndex] = index }
      } else if response.isGood {
        currentIndices.append(index)
      }
    }
    return sorted
  }
}

extension StoredResponse {
  /// Sets the last check, unless a later check is known.
  mutating func record(_ check: Check) {
    if let lastCheck, lastCheck.date > check.date { return }
    lastCheck = check
  }
}
