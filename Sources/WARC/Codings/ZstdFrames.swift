import CZstd

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
