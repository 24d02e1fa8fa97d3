import WARC

/// Recognizes captures without a record id of their own, as in the files of programs that give all
/// records the same id, or none.
struct CaptureIDs {
  /// The hash values of the URI and date of each capture so far, by the hash value of its id.
  private var captures: [Int: Int] = [:]

  /// Returns whether a capture has no id, or that of an earlier one with another URI or date, and
  /// otherwise records it. Copies of a record have the same URI and date.
  /// - Parameter record: a record.
  /// - Returns: whether it lacks an id of its own; false if it is not a capture.
  mutating func lacksOwnID(_ record: WARCRecord) -> Bool {
    guard [.response, .resource, .revisit].contains(record.kind) else { return false }
    guard let id = record.id else { return true }
    let capture = [record.targetURI, record.fields["WARC-Date"]].hashValue
    let first = captures[id.hashValue, default: capture]
    captures[id.hashValue] = first
    return first != capture
  }
}
