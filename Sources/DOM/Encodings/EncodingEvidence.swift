/// The evidence for the encoding of a page, the strongest first.
package enum EncodingEvidence: Sendable, Equatable, CaseIterable {
  /// A byte order mark.
  case byteOrderMark
  /// The `charset` of `Content-Type`.
  case contentTypeHeader
  /// A `meta` element or an XML declaration.
  case documentDeclaration
  /// The bytes, which are unlikely in any encoding other than UTF-8, UTF-16 or ISO-2022-JP.
  case content
  /// Character frequencies.
  case characterFrequency

  /// Determines the evidence for an encoding.
  /// - Parameters:
  ///   - encoding: The name of the detected encoding; see `Document.encodingName`.
  ///   - bytes: All bytes of the page.
  ///   - charset: The label of `Content-Type`; nil if it has none.
  ///   - isMarkup: Whether `meta` elements count.
  package init(of encoding: String, _ bytes: [UInt8], charset: String?, isMarkup: Bool) {
    let declared = MetaPrescan.encoding(in: bytes.prefix(1024), isMarkup: isMarkup)
    if CharacterEncoding.encodingOfByteOrderMark(bytes)?.0.name == encoding {
      self = .byteOrderMark
    } else if charset.flatMap({ CharacterEncoding(label: $0.utf8) })?.name == encoding {
      self = .contentTypeHeader
    } else if declared?.name == encoding {
      self = .documentDeclaration
    } else {
      let isPlain = ["UTF-8", "UTF-16LE", "UTF-16BE", "ISO-2022-JP"].contains(encoding)
      self = isPlain ? .content : .characterFrequency
    }
  }
}
