/// A streaming decoder of one content coding (RFC 9110 §8.4.1). Used from one thread at a time.
protocol ContentDecoder: AnyObject {
  /// Whether the stream has ended as it should.
  var isFinished: Bool { get }

  /// Decodes into a buffer until the input is used up or the buffer is full.
  /// - Returns: how many bytes were read and written; (0, 0) means that more input is needed, or
  ///   that the stream has ended.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(TransportFailure) -> (consumed: Int, produced: Int)
}

/// The decoders of a response's codings in a row. Content is pushed in and pulled out, so a small
/// input that becomes huge never stands in memory.
package final class ContentDecoding {
  private static let chunkSize = 65_536
  /// The most codings of one content: nobody uses more than two, and each has its state in memory.
  package static let codingLimit = 8

  private let stages: [Stage]
  /// How many bytes were pulled.
  private(set) var length: Int64 = 0

  private final class Stage {
    let decoder: any ContentDecoder
    /// The coding as the response names it.
    let coding: String
    var input: [UInt8] = []
    var position = 0
    var hasInput = false

    init(_ decoder: any ContentDecoder, _ coding: String) {
      (self.decoder, self.coding) = (decoder, coding)
    }
  }

  /// Makes the decoders for a response, and takes the codings off its fields; without any when a
  /// coding is unknown, or there are too many, so that the content is handed through as it came.
  ///
  /// What was not encoded passes where the field is more likely to be wrong than the content: a
  /// transfer coding, which hardly anybody uses.
  /// - Parameters:
  ///   - response: the head.
  ///   - isRecorded: whether another program has recorded it; some record the decoded content under
  ///     a field that still names the coding, so that it passes, too.
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

  /// Whether content passes unchanged.
  package var isIdentity: Bool { stages.isEmpty }

  /// Gives the next bytes of the transfer; only when the last ones are used up.
  package func push(_ bytes: [UInt8]) {
    guard let first = stages.first else { return }
    first.input = bytes
    first.position = 0
    first.hasInput = first.hasInput || !bytes.isEmpty
  }

  /// The next chunk of decoded content, or nil when more input is needed.
  package func pull() throws(TransportFailure) -> [UInt8]? {
    guard let chunk = try pull(stage: stages.count - 1) else { return nil }
    length += Int64(chunk.count)
    return chunk
  }

  /// Checks, at the end of the transfer, that every stream has ended.
  /// - Parameter isEnded: whether the transfer itself said where its end is; else one without a
  ///   single byte may have been cut, too.
  /// - Throws: `TransportFailure` of the kind `incomplete` when one has not.
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
          failure.kind, "its content cannot be decoded as \(stage.coding)\(detail)")
      }
      stage.position += consumed
      if !chunk.isEmpty { return chunk }
      // What follows the end of a stream is ignored.
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
