import CZstd

/// The coding `zstd` (RFC 8878): frames one after another, windows of at most 8 MB (RFC 9659).
final class ZstdDecoder: ContentDecoder {
  private let stream: OpaquePointer?
  private(set) var isFinished = false

  init() {
    stream = ZSTD_createDStream()
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23)
  }

  deinit {
    ZSTD_freeDStream(stream)
  }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(TransportFailure) -> (consumed: Int, produced: Int) {
    if isFinished, input.isEmpty { return (0, 0) }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let left = ZSTD_decompressStream(stream, &target, &source)
    guard ZSTD_isError(left) == 0 else {
      throw TransportFailure(.malformed, "broken compressed content (zstd)")
    }
    // 0 is the end of a frame; an idle call between frames asks for the next header.
    if source.pos > 0 || target.pos > 0 { isFinished = left == 0 }
    return (source.pos, target.pos)
  }
}
