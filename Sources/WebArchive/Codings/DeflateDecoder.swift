import WARC

/// The codings `gzip` and `deflate`; the latter with or without the zlib wrapping it should have.
final class DeflateDecoder: ContentDecoder {
  private let inflater: Inflater
  private let isGzip: Bool
  /// Whether what is no gzip from its first byte on passes as it is.
  private let passesPlain: Bool
  /// Whether the content has no coding; nil while nothing of it has come.
  private var isPlain: Bool?

  /// RFC 1952 §2.3.1.
  private static let firstByte: UInt8 = 0x1F

  /// Begins a content.
  /// - Parameters:
  ///   - isGzip: whether the coding is gzip.
  ///   - passesPlain: whether what is no gzip from its first byte on was never encoded, whatever its
  ///     field says, and passes as it came; else it is an error.
  init(isGzip: Bool, passesPlain: Bool = false) {
    self.isGzip = isGzip
    self.passesPlain = passesPlain
    inflater = Inflater(format: isGzip ? .gzip : .automatic)
  }

  var isFinished: Bool { isPlain ?? false || inflater.isFinished }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(TransportFailure) -> (consumed: Int, produced: Int) {
    if isPlain == nil, let first = input.first {
      isPlain = isGzip && passesPlain && first != Self.firstByte
    }
    if isPlain ?? false {
      let count = min(input.count, output.count)
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
      return (count, count)
    }
    do throws(DeflateError) {
      // RFC 1952 §2.2: members follow one another.
      if isGzip, inflater.isFinished, input.first == Self.firstByte { try inflater.reset() }
      return try inflater.step(input, into: output)
    } catch {
      throw TransportFailure(.malformed, "\(error)")
    }
  }
}
