/// Identifies the text of a response, ignoring what a captive portal changes from request to request: numbers, session
/// ids and the requested URL. Two responses with the same words in the same order have one fingerprint.
enum TextFingerprint {
  /// Returns a hash of the words of a text in their order, valid in this process.
  /// - Parameters:
  ///   - text: the text in lower case.
  ///   - url: the URL that was asked for; where the text repeats it, that is left out.
  /// - Returns: the value; nil when fewer than `minWords` words are left.
  static func value(of text: [UInt8], without url: WebURL) -> Int? {
    var hasher = Hasher()
    var count = 0
    for word in words(of: removing(url, from: text)) where !isToken(word) {
      hasher.combine(word)
      count += 1
    }
    return count >= minWords ? hasher.finalize() : nil
  }

  /// Minimum number of words; shorter texts, such as "OK", are common to many sites.
  private static let minWords = 3
  /// A word of more ASCII characters is a session id.
  private static let maxWordLength = 24

  private static func words(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split { $0 < 0x80 && !isAlphanumeric($0) }
  }

  /// Whether a word is a number or an id: it has a digit, or is longer than words are.
  private static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
    word.contains { (0x30...0x39).contains($0) }
      || word.count > maxWordLength && word.allSatisfy { $0 < 0x80 }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  /// Replaces each occurrence of the URL, of its parts and of its percent-encoded form by a space.
  private static func removing(_ url: WebURL, from text: [UInt8]) -> [UInt8] {
    let whole = url.description.lowercased()
    let host = url.host?.lowercased() ?? ""
    let path = url.path.lowercased()
    let forms = [
      whole, percentEncoded(whole), host + path, host, path.utf8.count > 1 ? path : "",
    ].filter { !$0.isEmpty }
    return forms.reduce(text) { removing(Array($1.utf8), from: $0) }
  }

  private static func removing(_ part: [UInt8], from text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    while let found = ByteCase.firstIndex(of: part, in: text, from: start) {
      result += text[start..<found] + [0x20]
      start = found + part.count
    }
    return start == 0 ? text : result + text[start...]
  }

  /// The percent-encoding of a URL within a query, in lower case.
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      isAlphanumeric(byte) || "-._~".utf8.contains(byte)
        ? String(decoding: [byte], as: UTF8.self)
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
