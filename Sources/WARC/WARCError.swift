public import Foundation

/// An error of reading or writing a WARC file.
public enum WARCError: Error, Sendable, Equatable {
  /// The file cannot be opened or read. The text contains the reason.
  case unreadable(String)
  /// The file ends within the record that begins at the given offset.
  case cut(offset: Int64)
  /// There is no valid record at the given offset, or the bytes of the record do not match its
  /// digest or checksum.
  case damaged(offset: Int64, reason: String)
  /// The header of the record at the given offset is longer than the reader allows.
  case headTooLong(offset: Int64)
  /// The length of a block that is written differs from the length that the caller announced.
  case wrongLength(announced: Int64, actual: Int64)
}

extension WARCError: CustomStringConvertible {
  /// A message for the user, in one line.
  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .cut(let offset): "it is truncated within the record at byte \(offset)"
    case .damaged(let offset, let reason): "damaged at byte \(offset): \(reason)"
    case .headTooLong(let offset): "the header of the record at byte \(offset) is too long"
    case .wrongLength(let announced, let actual):
      "a record has \(actual) bytes instead of the declared \(announced)"
    }
  }
}

extension WARCError: LocalizedError {
  /// The same line as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
