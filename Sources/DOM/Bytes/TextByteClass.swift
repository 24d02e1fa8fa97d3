/// The class of a byte of text for output to a terminal.
@usableFromInline
package enum TextByteClass: UInt8 {
  /// A byte that is copied as it is.
  case plain
  /// Collapsible white space.
  case space
  /// A control character, or the first byte of a character that needs a closer check.
  case special

  @inlinable @inline(__always)
  package init(_ byte: UInt8) {
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: self = .space
    case 0..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xE2, 0xEE, 0xEF, 0xF3: self = .special
    default: self = .plain
    }
  }
}

extension [UInt8] {
  /// Appends a range of other bytes.
  package mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Appends bytes, faster than `append(contentsOf:)`.
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(addingCapacity: bytes.count) { capacity in
      capacity.withUnsafeMutableBufferPointer { capacity, count in
        count = bytes.count
        UnsafeMutableRawBufferPointer(capacity).copyMemory(from: UnsafeRawBufferPointer(bytes))
      }
    }
  }
}

extension String {
  /// The text on one line, with white space collapsed and without control characters; see
  /// `SpecialText.collapsedLine`.
  package var oneLine: String { SpecialText.collapsedLine(Array(utf8)[...]) }
}
