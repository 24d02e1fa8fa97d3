/// A fingerprint of the text of a response. It ignores the parts that a captive portal varies from
/// request to request: numbers, session IDs and the requested URL. Two responses with the same
/// words in the same order have the same fingerprint.
enum TextFingerprint {
  /// Returns a hash of the words of a text in order. The hash is valid only in this process.
  /// - Parameters:
  ///   - text: The text in lowercase.
  ///   - url: The requested URL; its occurrences in the text are ignored.
  /// - Returns: The hash; nil if fewer than `minWordCount` words remain.
  static func value(of text: [UInt8], without url: WebURL) -> Int? {
    var hasher = Hasher()
    var count = 0
    for word in tokens(of: removing(url, from: text)) where !isNumberOrID(word) {
      hasher.combine(word)
      count += 1
    }
    return count >= minWordCount ? hasher.finalize() : nil
  }

  /// The minimum number of words. Shorter texts, such as "OK", occur on many sites.
  private static let minWordCount = 3
  /// The maximum length of an ASCII word in bytes; a longer one is treated as a session ID.
  private static let maxWordLength = 24

  private static func tokens(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split { $0 < 0x80 && !isAlphanumeric($0) }
  }

  /// Returns whether a word is a number or an ID: it contains a digit, or exceeds `maxWordLength`.
  private static func isNumberOrID(_ word: ArraySlice<UInt8>) -> Bool {
    word.contains { (0x30...0x39).contains($0) }
      || word.count > maxWordLength && word.allSatisfy { $0 < 0x80 }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  /// Replaces each occurrence of the URL, of its components and of its percent-encoded form with a
  /// space.
  private static func removing(_ url: WebURL, from text: [UInt8]) -> [UInt8] {
    let wholeURL = url.description.lowercased()
    let host = url.host?.lowercased() ?? ""
    let path = url.path.lowercased()
    let forms = [
      wholeURL, percentEncoded(wholeURL), host + path, host, path.utf8.count > 1 ? path : "",
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

  /// Returns the percent-encoded form of a URL within a query, in lowercase.
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      isAlphanumeric(byte) || "-._~".utf8.contains(byte)
        ? String(decoding: [byte], as: UTF8.self)
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
