import CZlib

/// The container formats of a deflate stream (RFC 1950, 1951, 1952).
package enum DeflateFormat: Sendable, Equatable {
  /// gzip; when decoding, with one or more members.
  case gzip
  /// zlib; HTTP calls it "deflate".
  case zlib
  /// Raw deflate blocks without a container.
  case raw
  /// One of the other formats, according to the first two bytes; only for decoding.
  case automatic
}

/// An error of decoding a deflate stream.
package enum DeflateError: Error, Sendable, Equatable {
  /// The data is not a deflate stream of the expected format, or a checksum is wrong.
  case malformed(String)
  case outOfMemory
}

extension DeflateError: CustomStringConvertible {
  /// A message for the user, in one line.
  package var description: String {
    switch self {
    case .malformed(let reason): reason
    case .outOfMemory: "there is not enough memory"
    }
  }
}

/// The CRC-32 checksum of gzip and ZIP (RFC 1952 §8).
package struct CRC32: Sendable {
  /// The checksum of the bytes so far.
  package private(set) var value: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: [UInt8]) {
    var checksum = UInt(value)
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let piece = UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
        checksum = crc32(checksum, piece.baseAddress, UInt32(piece.count))
        rest = UnsafeBufferPointer(rebasing: rest[piece.count...])
      }
    }
    value = UInt32(truncatingIfNeeded: checksum)
  }

  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32()
    checksum.update(bytes)
    return checksum.value
  }
}
