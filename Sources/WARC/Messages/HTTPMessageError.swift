public import Foundation

/// An error of reading the HTTP message in a record.
public enum HTTPMessageError: Error, Sendable, Hashable {
  /// The block does not begin with the head of an HTTP message.
  case noMessage
  /// The head is longer than `HTTPMessageDecoder.maxHeadLength`.
  case headTooLong
  /// The content is longer than allowed when it is decoded.
  case contentTooLong(limit: Int64)
  /// The content cannot be decoded as a coding that the head names.
  case undecodable(coding: String)
  /// The head, a chunk or a compressed stream has no end.
  case incomplete
}

extension HTTPMessageError: CustomStringConvertible {
  /// A message for the user, in one line.
  public var description: String {
    switch self {
    case .noMessage: "the record does not contain an HTTP message"
    case .headTooLong:
      "the head of the message is longer than \(HTTPMessageDecoder.maxHeadLength) bytes"
    case .contentTooLong(let limit): "the content is longer than \(limit) bytes when it is decoded"
    case .undecodable(let coding): "the content cannot be decoded as \(coding)"
    case .incomplete: "the message is incomplete"
    }
  }
}

extension HTTPMessageError: LocalizedError {
  /// The same line as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
