/// An error for content that cannot be decoded.
package struct DecodingFailure: Error, Sendable, Equatable {
  /// Details for logs, or empty.
  package let message: String

  package init(_ message: String = "") { self.message = message }
}

extension DecodingFailure: CustomStringConvertible {
  /// A line for logs.
  package var description: String { message.isEmpty ? "the content cannot be decoded" : message }
}
