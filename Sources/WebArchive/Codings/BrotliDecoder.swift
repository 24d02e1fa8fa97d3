import CBrotli

/// The coding `br` (RFC 7932).
final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer?
  private(set) var isFinished = false

  init() {
    state = BrotliDecoderCreateInstance(nil, nil, nil)
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
  }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(TransportFailure) -> (consumed: Int, produced: Int) {
    guard !isFinished else { return (0, 0) }
    var availableIn = input.count
    var nextIn = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var availableOut = output.count
    var nextOut = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = BrotliDecoderDecompressStream(
      state, &availableIn, &nextIn, &availableOut, &nextOut, nil)
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: isFinished = true
    case BROTLI_DECODER_RESULT_ERROR:
      throw TransportFailure(.malformed, "broken compressed content (br)")
    default: break
    }
    return (input.count - availableIn, output.count - availableOut)
  }
}
