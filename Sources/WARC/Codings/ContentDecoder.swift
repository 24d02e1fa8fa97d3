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

/// A streaming decoder for one content coding (RFC 9110 §8.4.1). Use a decoder from one thread at a
/// time. Content that begins with text is passed through unchanged: some servers, and proxies that
/// decode a response, declare a coding that the content does not have.
protocol ContentDecoder: AnyObject {
  /// Whether the end of the encoded stream has been reached.
  var isFinished: Bool { get }

  /// Decodes into a buffer until the input is consumed or the buffer is full.
  /// - Returns: the number of bytes read and written; (0, 0) if more input is needed, or if the
  ///   stream has ended.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingFailure) -> (consumed: Int, produced: Int)
}

extension UnsafeRawBufferPointer {
  /// Content that begins with this number of ASCII text bytes is recognised as not encoded.
  /// Compressed data hardly ever begins with even two such bytes.
  private static let minTextLength = 24

  /// Whether the bytes begin with ASCII text, unlike compressed data. A byte-order mark may precede
  /// the text.
  var beginsWithText: Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.count >= Self.minTextLength
      && text.prefix(Self.minTextLength).allSatisfy {
        (0x20..<0x7F).contains($0) || [0x09, 0x0A, 0x0D].contains($0)
      }
  }
}
