import WARC

/// The chain of decoders for the codings of a response; see `CodingChain`.
package final class ContentDecoding {
  /// The maximum number of codings of one response.
  package static let maxCodings = CodingChain.maxCodings

  private let chain: CodingChain

  /// Creates the decoders for a response, and removes its codings from the header fields. If a
  /// coding is unknown, or there are too many, no decoders are created and the content is passed
  /// through as received.
  ///
  /// Text that is not encoded although a field names a coding is passed through: its server is
  /// mistaken, or a proxy decoded it. So is binary content if `Transfer-Encoding` names the coding:
  /// transfer codings are so rare that the field is probably wrong. So is content that was encoded
  /// once although two fields name the coding, as if a proxy and the server had each added one.
  /// - Parameters:
  ///   - response: the head.
  ///   - isRecorded: whether the response was recorded by another program. Some programs record the
  ///     decoded content with the original `Content-Encoding`, so binary content that is not
  ///     encoded although this field names a coding is passed through, too.
  package init(removingCodingsOf response: inout ResponseHead, isRecorded: Bool = false) {
    let transfer = response.fields.values(of: "Transfer-Encoding").flatMap {
      FieldList.memberTexts($0)
    }
    .filter { $0.lowercased() != "chunked" }
    let content = response.fields.values(of: "Content-Encoding").flatMap {
      FieldList.memberTexts($0)
    }
    let names = content.map { $0.lowercased() }
    // The codings are in the order in which they were applied, so the last one is removed first.
    let isRepeated: [Bool] = zip(names, names.dropFirst()).map { $0 == $1 } + [false]
    let codings =
      zip(names, isRepeated).map { name, isRepeated in
        CodingChain.Coding(name: name, passesBinary: isRecorded || isRepeated)
      }
      + transfer.map { CodingChain.Coding(name: $0.lowercased(), passesBinary: true) }
    if let chain = CodingChain(codings) {
      self.chain = chain
      response.fields["Content-Encoding"] = nil
      response.fields["Transfer-Encoding"] = nil
    } else {
      chain = CodingChain()
      if transfer.isEmpty { response.fields["Transfer-Encoding"] = nil }
    }
    if !chain.isIdentity { response.fields["Content-Length"] = nil }
  }

  /// Whether the content is passed through unchanged.
  package var isIdentity: Bool { chain.isIdentity }

  /// Whether every encoded stream was decoded to its end. The checksum of a gzip stream may be
  /// missing.
  package var isComplete: Bool { chain.isComplete(isEnded: false) }

  /// The number of decoded bytes that were pulled.
  var length: Int64 { chain.length }

  /// Provides the next encoded bytes. Call this only after all previous bytes have been consumed.
  package func push(_ bytes: [UInt8]) { chain.push(bytes) }

  /// Returns the next chunk of decoded content; nil if more input is needed.
  package func pull() throws(TransportFailure) -> [UInt8]? {
    do throws(CodingChain.Failure) {
      return try chain.pull()
    } catch {
      let detail = error.message.isEmpty ? "" : " (\(error.message))"
      throw TransportFailure(
        .undecodable, "its content cannot be decoded as \(error.coding)\(detail)",
        about: error.coding)
    }
  }

  /// Checks at the end of the transfer that every encoded stream has ended.
  /// - Parameter isEnded: whether the framing of the message delimits the content. If it does not,
  ///   empty content may have been truncated too.
  /// - Throws: `TransportFailure` of the kind `incomplete` if a stream has not ended.
  package func finish(isEnded: Bool = true) throws(TransportFailure) {
    guard chain.isComplete(isEnded: isEnded) else {
      throw TransportFailure(.incomplete, "the compressed content is truncated")
    }
  }
}
