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

/// A decoder for a file that consists of zstd frames, optionally with a dictionary.
package final class ZstdFrames {
  /// The base-2 logarithm of the maximum window size: 128 MB, the default limit of the command
  /// `zstd`.
  private static let maxWindowLog: Int32 = 27
  private static let pieceSize = 1 << 16

  private let stream: OpaquePointer?
  /// Whether the input so far ends inside a frame.
  package private(set) var isWithinFrame = false

  package init() {
    stream = ZSTD_createDStream()
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.maxWindowLog)
  }

  deinit { ZSTD_freeDStream(stream) }

  /// Uses a dictionary for all following frames.
  /// - Throws: `DecodingFailure` if the dictionary is invalid.
  package func use(dictionary: [UInt8]) throws(DecodingFailure) {
    let result = dictionary.withUnsafeBytes {
      ZSTD_DCtx_loadDictionary(stream, $0.baseAddress, $0.count)
    }
    guard ZSTD_isError(result) == 0 else {
      throw DecodingFailure("broken dictionary (zstd)")
    }
  }

  /// Decodes the next piece of the input.
  /// - Parameters:
  ///   - input: the encoded bytes.
  ///   - sink: receives decoded bytes, and whether a frame ends after them.
  /// - Throws: `DecodingFailure` if the input is damaged; errors of `sink`.
  package func decode(
    _ input: [UInt8], into sink: (_ chunk: [UInt8], _ endsFrame: Bool) throws -> Void
  ) throws {
    var consumed = 0
    var isFull = false
    while consumed < input.count || isFull {
      var left = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
        input.withUnsafeBytes { bytes in
          var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: consumed)
          var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
          left = ZSTD_decompressStream(stream, &target, &source)
          consumed = source.pos
          count = ZSTD_isError(left) == 0 ? target.pos : 0
        }
      }
      guard ZSTD_isError(left) == 0 else {
        throw DecodingFailure("broken compressed content (zstd)")
      }
      isFull = chunk.count == Self.pieceSize && left != 0
      isWithinFrame = left != 0
      try sink(chunk, left == 0)
    }
  }
}
