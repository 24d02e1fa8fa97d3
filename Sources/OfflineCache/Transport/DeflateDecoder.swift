import WARC

/// The codings `gzip` and `deflate`; the latter with or without the zlib wrapping it should have.
final class DeflateDecoder: ContentDecoder {
  private let inflater: Inflater
  private let isGzip: Bool

  init(isGzip: Bool) {
    self.isGzip = isGzip
    inflater = Inflater(format: isGzip ? .gzip : .automatic)
  }

  var isFinished: Bool { inflater.isFinished }

  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(TransportFailure) -> (consumed: Int, produced: Int) {
    do throws(DeflateError) {
      // RFC 1952 §2.2: members follow one another.
      if isGzip, inflater.isFinished, input.first == 0x1F { try inflater.reset() }
      return try inflater.step(input, into: output)
    } catch {
      throw TransportFailure(.malformed, "broken compressed content: \(error)")
    }
  }
}
