/// Determines the length of the content that a response declares (RFC 9112 §6.3).
enum DeclaredLength {
  /// Returns the declared length; nil if there is none or another framing overrides it.
  /// - Throws: `TransportFailure`: `incomplete` if the declared lengths differ or are invalid (the
  ///   content is then complete only if it marks its own end, as HTML does); `tooLarge` if the
  ///   length does not fit into 63 bits.
  static func read(_ fields: FieldLines) throws(TransportFailure) -> Int64? {
    guard fields["Transfer-Encoding"] == nil else { return nil }
    let values = fields.values(of: "Content-Length").flatMap { FieldList.memberTexts($0) }
    guard let first = values.first else { return nil }
    guard values.allSatisfy({ $0 == first }) else {
      throw TransportFailure(.incomplete, "the response declares different lengths")
    }
    guard !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw TransportFailure(.incomplete, "the response declares an invalid length")
    }
    guard let length = Int64(first) else {
      throw TransportFailure(
        .tooLarge, "the response declares a length of \(first.utf8.count) digits")
    }
    return length
  }
}
