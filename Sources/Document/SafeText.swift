import Foundation
import DOM

/// Functions that make untrusted text safe for one line of a terminal.
package enum SafeText {
  /// Returns the text on one line, with control characters replaced by U+FFFD and invisible
  /// characters removed (`CharacterRole`). White space is collapsed to single spaces, except in
  /// text that consists of printable ASCII only, which is returned unchanged.
  package static func line(_ text: String) -> String {
    let isClean = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isClean { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r", " ", "\u{2028}", "\u{2029}":
        if result.last != " " { result.append(" ") }
      default: result.append(scalar)
      }
    }
    return CharacterRole.sanitizedForTerminal(String(result))
  }

  /// Returns an untrusted text wrapped in a first-strong isolate (UAX 9), so that its letters do
  /// not reorder the text of offread around it. Text that cannot contain right-to-left letters is
  /// returned unchanged. Only frames of the terminal interface support the isolate.
  package static func bidiIsolated(_ text: String) -> String {
    text.utf8.contains { $0 >= 0xD6 } ? "\u{2068}\(text)\u{2069}" : text
  }

  /// Returns a displayed URL wrapped in a left-to-right isolate (UAX 9), so that right-to-left
  /// letters in it reorder neither its other parts nor the text of offread around it. See
  /// `bidiIsolated`.
  package static func leftToRightIsolated(_ url: String) -> String {
    url.utf8.contains { $0 >= 0xD6 } ? "\u{2066}\(url)\u{2069}" : url
  }

  /// Returns a URL without the user name and password in it (`https://user:secret@host/`), even if
  /// it is malformed or abbreviated (`https:/user:secret@host`, `user:secret@host`).
  package static func withoutCredentials(_ url: String) -> String {
    guard let start = authorityStart(of: url) else { return url }
    let authority = url[start...].prefix { !"/?#\\".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[authority.index(after: at)...])
  }

  /// Returns a URL with the percent-encoded characters after its authority decoded, so that it can
  /// be read. ASCII characters and bytes that are not UTF-8 remain encoded, and so do characters
  /// that are invisible or blank.
  package static func withReadableCharacters(_ url: String) -> String {
    guard url.utf8.contains(UInt8(ascii: "%")) else { return url }
    let authority = url.utf8.first == UInt8(ascii: "/") ? nil : authorityStart(of: url)
    let pathStart = authority.map { start in
      url[start...].firstIndex { "/?#\\".contains($0) } ?? url.endIndex
    }
    let bytes = Array(url[(pathStart ?? url.startIndex)...].utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let character = encodedCharacter(in: bytes, at: index)
      output += character?.utf8.map(\.self) ?? [bytes[index]]
      index += character.map { $0.utf8.count * 3 } ?? 1
    }
    return String(url[..<(pathStart ?? url.startIndex)]) + String(decoding: output, as: UTF8.self)
  }

  /// Returns the readable character that is percent-encoded at an index; nil if there is none.
  private static func encodedCharacter(in bytes: [UInt8], at index: Int) -> String? {
    guard let first = encodedByte(in: bytes, at: index), first >= 0xC2, first < 0xF5 else {
      return nil
    }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let encoded = (0..<length).compactMap { encodedByte(in: bytes, at: index + 3 * $0) }
    let decoded = String(decoding: encoded, as: UTF8.self)
    guard decoded.utf8.elementsEqual(encoded), let scalar = decoded.unicodeScalars.first,
      decoded.unicodeScalars.count == 1, isReadable(scalar)
    else { return nil }
    return decoded
  }

  private static func encodedByte(in bytes: [UInt8], at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%") else { return nil }
    let digits = bytes[(index + 1)...(index + 2)]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Whether a non-ASCII character is visible wherever it stands. The joiners, which Persian and
  /// Indic words contain, count as visible.
  private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D: return true
    // The blank Braille pattern, and the characters that replace others.
    case 0x2800, 0xFFFC, 0xFFFD: return false
    default: break
    }
    guard CharacterRole(scalar) == .visible, !scalar.properties.isDefaultIgnorableCodePoint else {
      return false
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .spaceSeparator,
      .surrogate, .unassigned:
      return false
    default: return true
    }
  }

  /// Returns a one-line text with user names and passwords removed from all URLs in it.
  package static func withoutCredentials(inText text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    let isEdge = { (character: Character) in
      character.isWhitespace || "'\"<>“”‘’=".contains(character)
    }
    var result = ""
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix { !isEdge($0) }
      result += withoutCredentials(String(word))
      rest = rest[word.endIndex...]
      if let edge = rest.popFirst() { result.append(edge) }
    }
    return result
  }

  /// Returns the index at which the authority of a URL (RFC 3986, section 3.2) begins, as parsed by
  /// browsers; nil if the URL has none.
  private static func authorityStart(of url: String) -> String.Index? {
    let scheme = url.urlScheme
    if let scheme, ["http", "https", "ftp"].contains(scheme) {
      let rest = url.dropFirst(scheme.count + 1)
      return rest.firstIndex { $0 != "/" && $0 != "\\" } ?? url.endIndex
    }
    if let slashes = url.range(of: "://") { return slashes.upperBound }
    // `user:secret@host`; but `mailto:name@host` and the like contain an identifier, not a secret.
    let isOneWord = !url.contains { $0.isWhitespace }
    guard isOneWord, let scheme,
      !["mailto", "xmpp", "sip", "sips", "acct", "news"].contains(scheme)
    else {
      return nil
    }
    return url.startIndex
  }
}
