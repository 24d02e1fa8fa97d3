// URL references in pages that are not UTF-8: the query is percent-encoded in the encoding of the
// page (URL standard, "percent-encode after encoding"), the rest of the URL in UTF-8.

extension CharacterEncoding {
  /// Whether the queries of references are encoded differently than in UTF-8.
  package var hasOwnQueries: Bool { self != .utf8 && canEncode }

  /// Returns a URL reference with the characters of its query beyond ASCII percent-encoded in this
  /// encoding; nil if the query is only ASCII, or if the reference has a scheme whose queries are
  /// always UTF-8. A character that the encoding does not have becomes a percent-encoded numeric
  /// character reference.
  package func encodingQuery(of reference: ArraySlice<UInt8>) -> [UInt8]? {
    guard hasOwnQueries,
      let question = reference.firstIndex(where: { $0 == questionMark || $0 == hash }),
      reference[question] == questionMark
    else { return nil }
    let query = reference[(question + 1)...].prefix { $0 != hash }
    guard query.contains(where: { $0 >= 0x80 }), Self.isSpecial(reference) else { return nil }
    return Array(reference[...question]) + encoded(query) + Array(reference[query.endIndex...])
  }

  /// Returns the value of a `srcset` attribute with encoded queries; nil if nothing changes. See
  /// `encodingQuery(of:)`.
  package func encodingQueries(ofSourceSet value: ArraySlice<UInt8>) -> [UInt8]? {
    guard hasOwnQueries, value.contains(where: { $0 >= 0x80 }) else { return nil }
    var result: [UInt8] = []
    var rest = value
    while !rest.isEmpty {
      let spaces = rest.prefix { $0.isWhiteSpace }
      let token = rest[spaces.endIndex...].prefix { !$0.isWhiteSpace }
      result += spaces
      result += encodingQuery(of: token) ?? Array(token)
      rest = rest[token.endIndex...]
    }
    return result.elementsEqual(value) ? nil : result
  }

  /// Percent-encodes the characters of a query beyond ASCII.
  private func encoded(_ query: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = query
    while !rest.isEmpty {
      let plain = rest.prefix { $0 < 0x80 }
      let text = rest[plain.endIndex...].prefix { $0 >= 0x80 }
      result += plain
      rest = rest[text.endIndex...]
      let bytes = encode(String(decoding: text, as: UTF8.self)) { "%26%23\($0.value)%3B" }
      for byte in bytes {
        if byte >= 0x7F || byte <= 0x20 || "\"#<>'".utf8.contains(byte) {
          result += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
        } else {
          result.append(byte)
        }
      }
    }
    return result
  }

  /// Whether a reference is relative or has a special scheme (URL standard §4.2). A relative
  /// reference has the scheme of its page or file, which is special, too.
  private static func isSpecial(_ reference: ArraySlice<UInt8>) -> Bool {
    let trimmed = reference.drop { $0 <= 0x20 }
    let name = trimmed.prefix {
      $0.isLetter || $0.isDigit || "+-.".utf8.contains($0)
    }
    guard name.first?.isLetter == true, name.endIndex < trimmed.endIndex,
      trimmed[name.endIndex] == UInt8(ascii: ":")
    else { return true }
    return specialSchemes.contains(String(decoding: name.map(\.lowercased), as: UTF8.self))
  }

  private static let specialSchemes: Set<String> = ["file", "ftp", "http", "https", "ws", "wss"]
  private static let digits = Array("0123456789ABCDEF".utf8)
  private var questionMark: UInt8 { UInt8(ascii: "?") }
  private var hash: UInt8 { UInt8(ascii: "#") }
}
