public import Foundation

/// Why a WARC file cannot be read or written.
public enum WARCError: Error, Sendable, Equatable {
  /// The file cannot be opened or read.
  case unreadable(String)
  /// The file ends within a record.
  case cut(offset: Int64)
  /// There is no record where one should be, or its bytes are not what was written.
  case damaged(offset: Int64, reason: String)
  /// A head is longer than the reader allows.
  case headTooLong(offset: Int64)
  /// A block has another length than was announced.
  case wrongLength(announced: Int64, actual: Int64)
}

extension WARCError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .cut(let offset): "it ends within the record at byte \(offset)"
    case .damaged(let offset, let reason): "damaged at byte \(offset): \(reason)"
    case .headTooLong(let offset): "the record at byte \(offset) has too long a head"
    case .wrongLength(let announced, let actual):
      "a record has \(actual) bytes, where \(announced) were announced"
    }
  }
}

extension WARCError: LocalizedError {
  /// The same line, for `localizedDescription`.
  public var errorDescription: String? { description }
}
