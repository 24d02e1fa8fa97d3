/// A text of at most 16 bytes without reference counting, so that styles are copied quickly.
package struct ShortText: Sendable, Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private let count: Int8

  /// Creates a text from UTF-8; nil if it has more than 16 bytes.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= 16 else { return nil }
    count = Int8(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if index < 8 {
        low |= UInt64(byte) << UInt64(8 * index)
      } else {
        high |= UInt64(byte) << UInt64(8 * (index - 8))
      }
    }
  }

  /// The text as UTF-8.
  package var bytes: [UInt8] {
    (0..<Int(count)).map { index in
      let half = index < 8 ? low : high
      return UInt8(truncatingIfNeeded: half >> UInt64(8 * (index % 8)))
    }
  }
}
