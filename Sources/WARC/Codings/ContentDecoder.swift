/// A streaming decoder for one content coding (RFC 9110 §8.4.1). Use a decoder from one thread at a
/// time. Content that begins with text is passed through unchanged: some servers, and proxies that
/// decode a response, declare a coding that the content does not have.
protocol ContentDecoder: AnyObject {
  /// Whether the end of the encoded stream has been reached.
  var isFinished: Bool { get }
  /// Whether all content was decoded, although a checksum after it may be missing.
  var hasAllContent: Bool { get }

  /// Decodes into a buffer until the input is consumed or the buffer is full.
  /// - Returns: the number of bytes read and written; (0, 0) if more input is needed, or if the
  ///   stream has ended.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingFailure) -> (consumed: Int, produced: Int)
}

extension ContentDecoder {
  /// The value of `isFinished`, for codings without a checksum at the end.
  var hasAllContent: Bool { isFinished }
}

extension UnsafeRawBufferPointer {
  /// The number of bytes that distinguish text from compressed data. Compressed data hardly ever
  /// begins with even four bytes of text.
  private static let maxTextLength = 24

  /// Whether the bytes begin with enough UTF-8 text to be sure that they are not compressed.
  var beginsWithText: Bool { count >= Self.maxTextLength && isTextOrEmpty }

  /// Whether the first bytes are UTF-8 text without control characters other than white space. The
  /// last character may be incomplete.
  var isTextOrEmpty: Bool {
    var continuationCount = 0
    for byte in prefix(Self.maxTextLength) {
      if continuationCount > 0 {
        guard byte & 0xC0 == 0x80 else { return false }
        continuationCount -= 1
        continue
      }
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20..<0x7F: break
      case 0xC2...0xDF: continuationCount = 1
      case 0xE0...0xEF: continuationCount = 2
      case 0xF0...0xF4: continuationCount = 3
      default: return false
      }
    }
    return true
  }
}
