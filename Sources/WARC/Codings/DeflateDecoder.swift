/// A decoder for the content codings `gzip` and `deflate`; the latter with or without the zlib
/// header that it should have.
final class DeflateDecoder: ContentDecoder {
  private let inflater: Inflater
  private let isGzip: Bool
  /// Whether binary content without the header of gzip is passed through unchanged.
  private let passesBinary: Bool
  /// Whether the content is not encoded; nil before the first bytes have arrived.
  private var isPlain: Bool?

  /// The first byte of a gzip member (RFC 1952 §2.3.1).
  private static let firstByte: UInt8 = 0x1F

  /// Creates a decoder.
  /// - Parameters:
  ///   - isGzip: whether the coding is gzip.
  ///   - passesBinary: whether binary content that does not begin like gzip is treated as not
  ///     encoded, despite its `Content-Encoding`, and passed through; otherwise, it is an error.
  init(isGzip: Bool, passesBinary: Bool = false) {
    self.isGzip = isGzip
    self.passesBinary = passesBinary
    // Content without the header of gzip may be no deflate stream at all.
    inflater = Inflater(format: isGzip ? .gzip : .automatic, keepsOutput: isGzip)
  }

  var isFinished: Bool { isPlain ?? false || inflater.isFinished }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingFailure) -> (consumed: Int, produced: Int) {
    if isPlain == nil, let first = input.first {
      let isBinary = isGzip && passesBinary && first != Self.firstByte
      isPlain = isBinary || input.beginsWithText
    }
    if isPlain ?? false {
      let count = min(input.count, output.count)
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
      return (count, count)
    }
    do throws(DeflateError) {
      // A gzip file may consist of several members (RFC 1952 §2.2).
      if isGzip, inflater.isFinished, input.first == Self.firstByte { try inflater.reset() }
      return try inflater.step(input, into: output)
    } catch {
      throw DecodingFailure("\(error)")
    }
  }
}
