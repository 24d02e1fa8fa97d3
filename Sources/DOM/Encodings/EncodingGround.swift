/// What spoke for the encoding in which a page was read, the strongest first.
package enum EncodingGround: Sendable, Equatable, CaseIterable {
  /// A byte order mark.
  case mark
  /// `Content-Type`.
  case header
  /// A `meta` element or an XML declaration.
  case declaration
  /// The bytes themselves: they are valid in it, or make sense in no other.
  case content
  /// How often which characters follow each other.
  case guess

  /// Finds out what spoke for an encoding.
  /// - Parameters:
  ///   - encoding: the name of the encoding that was found; see `Document.encoding`.
  ///   - bytes: all bytes of the page.
  ///   - charset: the label of `Content-Type`, or nil.
  ///   - isMarkup: whether `meta` elements count.
  package init(of encoding: String, _ bytes: [UInt8], charset: String?, isMarkup: Bool) {
    let declared = MetaPrescan.encoding(in: bytes.prefix(1024), isMarkup: isMarkup)
    if CharacterEncoding.byteOrderMark(bytes)?.0.name == encoding {
      self = .mark
    } else if charset.flatMap({ CharacterEncoding(label: $0.utf8) })?.name == encoding {
      self = .header
    } else if declared?.name == encoding {
      self = .declaration
    } else {
      let isPlain = ["UTF-8", "UTF-16LE", "UTF-16BE", "ISO-2022-JP"].contains(encoding)
      self = isPlain ? .content : .guess
    }
  }
}
