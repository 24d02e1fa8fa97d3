/// A streaming decoder for one content coding (RFC 9110 §8.4.1). Used from one thread at a time.
protocol ContentDecoder: AnyObject {
  /// Whether the end of the encoded stream has been reached.
  var isFinished: Bool { get }

  /// Decodes into a buffer until the input is consumed or the buffer is full.
  /// - Returns: the number of bytes read and written; (0, 0) if more input is needed, or if the
  ///   stream has ended.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(TransportFailure) -> (consumed: Int, produced: Int)
}

/// The chain of decoders for the codings of a response. Content is pushed in and pulled out in
/// chunks, so a small input that decompresses to a huge output is never held in memory as a whole.
package final class ContentDecoding {
  private static let chunkSize = 65_536
  /// The maximum number of codings of one response. In practice, there are at most two, and each
  /// decoder needs memory.
  package static let codingLimit = 8

  private let stages: [Stage]
  /// The number of decoded bytes that were pulled.
  private(set) var length: Int64 = 0

  private final class Stage {
    let decoder: any ContentDecoder
    /// The name of the coding in the header.
    let coding: String
    var input: [UInt8] = []
    var position = 0
    var hasInput = false

    init(_ decoder: any ContentDecoder, _ coding: String) {
      (self.decoder, self.coding) = (decoder, coding)
    }
  }

  /// Creates the decoders for a response, and removes its codings from the header fields. If a
  /// coding is unknown, or there are too many, no decoders are created and the content is passed
  /// through as received.
  ///
  /// Content that is not encoded at all is passed through if the header field is likely to be
  /// wrong: for transfer codings, which are very rare.
  /// - Parameters:
  ///   - response: the head.
  ///   - isRecorded: whether the response was recorded by another program. Some programs record the
  ///     decoded content with the original `Content-Encoding`, so such content is passed through
  ///     too.
  package init(removingCodingsOf response: inout ResponseHead, isRecorded: Bool = false) {
    let transfer = response.fields.values(of: "Transfer-Encoding").flatMap { FieldList.texts($0) }
      .filter { $0.lowercased() != "chunked" }
    let content = response.fields.values(of: "Content-Encoding").flatMap { FieldList.texts($0) }
    let codings =
      content.map { (name: $0.lowercased(), passesPlain: isRecorded) }
      + transfer.map { (name: $0.lowercased(), passesPlain: true) }
    let named = codings.filter { $0.name != "identity" }
    let isUsual = named.count <= Self.codingLimit
    let decoders = isUsual ? named.reversed().map(Self.decoder) : []
    if isUsual, decoders.allSatisfy({ $0 != nil }) {
      stages = zip(decoders, named.reversed()).compactMap { decoder, coding in
        decoder.map { Stage($0, coding.name) }
      }
      response.fields["Content-Encoding"] = nil
      response.fields["Transfer-Encoding"] = nil
    } else {
      stages = []
      if transfer.isEmpty { response.fields["Transfer-Encoding"] = nil }
    }
    if !stages.isEmpty { response.fields["Content-Length"] = nil }
  }

  /// Whether the content is passed through unchanged.
  package var isIdentity: Bool { stages.isEmpty }

  /// Provides the next encoded bytes. Call this only after all previous bytes have been consumed.
  package func push(_ bytes: [UInt8]) {
    guard let first = stages.first else { return }
    first.input = bytes
    first.position = 0
    first.hasInput = first.hasInput || !bytes.isEmpty
  }

  /// Returns the next chunk of decoded content; nil if more input is needed.
  package func pull() throws(TransportFailure) -> [UInt8]? {
    guard let chunk = try pull(stage: stages.count - 1) else { return nil }
    length += Int64(chunk.count)
    return chunk
  }

  /// Checks at the end of the transfer that every encoded stream has ended.
  /// - Parameter isEnded: whether the framing of the message delimits the content. If it does not,
  ///   empty content may have been truncated too.
  /// - Throws: `TransportFailure` of the kind `incomplete` if a stream has not ended.
  package func finish(isEnded: Bool = true) throws(TransportFailure) {
    for stage in stages where (stage.hasInput || !isEnded) && !stage.decoder.isFinished {
      throw TransportFailure(.incomplete, "the compressed content has no end")
    }
  }

  private func pull(stage index: Int) throws(TransportFailure) -> [UInt8]? {
    guard index >= 0 else { return nil }
    let stage = stages[index]
    while true {
      var failure: TransportFailure?
      var consumed = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { output, count in
        stage.input.withUnsafeBytes { input in
          let rest = UnsafeRawBufferPointer(rebasing: input[stage.position...])
          do throws(TransportFailure) {
            (consumed, count) = try stage.decoder.step(
              rest, into: UnsafeMutableRawBufferPointer(output))
          } catch {
            failure = error
          }
        }
      }
      if let failure {
        let detail = failure.message.isEmpty ? "" : " (\(failure.message))"
        throw TransportFailure(
          .undecodable, "its content cannot be decoded as \(stage.coding)\(detail)",
          about: stage.coding)
      }
      stage.position += consumed
      if !chunk.isEmpty { return chunk }
      // Data after the end of a stream is ignored.
      if consumed == 0, stage.decoder.isFinished { stage.position = stage.input.count }
      if stage.position < stage.input.count, consumed > 0 { continue }
      if index == 0 { return nil }
      guard let bytes = try pull(stage: index - 1) else { return nil }
      stage.input = bytes
      stage.position = 0
      stage.hasInput = true
    }
  }

  private static func decoder(
    _ coding: String, passesPlain: Bool
  ) -> (any ContentDecoder)? {
    switch coding {
    case "gzip", "x-gzip": DeflateDecoder(isGzip: true, passesPlain: passesPlain)
    case "deflate": DeflateDecoder(isGzip: false)
    case "br": BrotliDecoder(passesPlain: passesPlain)
    case "zstd": ZstdDecoder()
    default: nil
    }
  }
}
