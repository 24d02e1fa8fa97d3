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

  /// Returns a URL without the user name and password in it (`https://user:secret@host/`), even if
  /// it is malformed or abbreviated (`https:/user:secret@host`, `user:secret@host`).
  package static func withoutCredentials(_ url: String) -> String {
    guard let start = authorityStart(of: url) else { return url }
    let authority = url[start...].prefix { !"/?#\\".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[authority.index(after: at)...])
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
  /// browsers.
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
