import CZstd

/// A decoder for the content coding `zstd` (RFC 8878): one or more frames, with windows of at most
/// 8 MB (RFC 9659).
final class ZstdDecoder: ContentDecoder {
  private let stream: OpaquePointer?
  private var hasEnded = false
  /// Whether binary content that does not begin like a frame is passed through unchanged.
  private let passesBinary: Bool
  /// Whether the content is not encoded; nil before the first bytes have arrived.
  private var isPlain: Bool?

  var isFinished: Bool { isPlain ?? false || hasEnded }

  /// Creates a decoder.
  /// - Parameter passesBinary: whether binary content that does not begin like a frame is treated
  ///   as not encoded, despite its `Content-Encoding`.
  init(passesBinary: Bool = false) {
    self.passesBinary = passesBinary
    stream = ZSTD_createDStream()
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23)
  }

  deinit {
    ZSTD_freeDStream(stream)
  }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingFailure) -> (consumed: Int, produced: Int) {
    if isPlain == nil, let first = input.first {
      // The first bytes of a frame, and of a skippable frame (RFC 8878 §3.1).
      let isFrame = first == 0x28 || (0x50...0x5F).contains(first)
      isPlain = !isFrame && (passesBinary || input.isTextOrEmpty) || input.beginsWithText
    }
    if isPlain ?? false {
      let count = min(input.count, output.count)
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
      return (count, count)
    }
    if hasEnded, input.isEmpty { return (0, 0) }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let left = ZSTD_decompressStream(stream, &target, &source)
    guard ZSTD_isError(left) == 0 else {
      throw DecodingFailure()
    }
    // A result of 0 is the end of a frame. A call between frames that consumes and produces nothing
    // returns the size of the next frame header instead.
    if source.pos > 0 || target.pos > 0 { hasEnded = left == 0 }
    return (source.pos, target.pos)
  }
}
