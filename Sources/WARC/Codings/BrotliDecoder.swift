import CBrotli

/// A decoder for the content coding `br` (RFC 7932).
final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer?
  private var hasEnded = false
  /// Whether the content is not encoded; nil before the first bytes have arrived.
  private var isPlain: Bool?

  var isFinished: Bool { isPlain ?? false || hasEnded }

  init() {
    state = BrotliDecoderCreateInstance(nil, nil, nil)
  }

  deinit {
    BrotliDecoderDestroyInstance(state)
  }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecodingFailure) -> (consumed: Int, produced: Int) {
    if isPlain == nil, !input.isEmpty { isPlain = input.beginsWithText }
    if isPlain ?? false {
      let count = min(input.count, output.count)
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
      return (count, count)
    }
    guard !hasEnded else { return (0, 0) }
    var availableIn = input.count
    var nextIn = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var availableOut = output.count
    var nextOut = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = BrotliDecoderDecompressStream(
      state, &availableIn, &nextIn, &availableOut, &nextOut, nil)
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
    case BROTLI_DECODER_RESULT_ERROR:
      throw DecodingFailure()
    default: break
    }
    return (input.count - availableIn, output.count - availableOut)
  }
}
