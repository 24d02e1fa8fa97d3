import WARC

/// Recognizes captures without a record id of their own, as in the files of programs that give all
/// records the same id, or none.
struct CaptureIDs {
  /// The hash values of the identities of the first captures, by the hash values of their ids.
  private var captures: [Int: Int] = [:]

  /// Returns whether a capture has no id, or that of an earlier one with another identity, and
  /// otherwise records it.
  /// - Parameter record: a record.
  /// - Returns: whether it lacks an id of its own; false if it is not a capture.
  mutating func lacksOwnID(_ record: WARCRecord) -> Bool {
    guard [.response, .resource, .revisit].contains(record.kind) else { return false }
    guard let id = record.id else { return true }
    let capture = Self.identity(of: record).hashValue
    let first = captures[id.hashValue, default: capture]
    captures[id.hashValue] = first
    return first != capture
  }

  /// Returns the values that copies of a record have in common. The length distinguishes a redirect
  /// to its own URL from the response that follows in the same second.
  static func identity(of record: WARCRecord) -> [String?] {
    [record.targetURI] + ["WARC-Date", "Content-Length"].map { record.fields[$0] }
  }
}
