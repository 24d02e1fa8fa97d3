import Foundation
import DOM

/// Text from outside made fit for one line of a terminal.
package enum SafeText {
  /// The text with white space folded to single spaces, control characters shown as U+FFFD, and
  /// without what cannot be seen (`CharacterRole`).
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
    return CharacterRole.visible(String(result))
  }

  /// A text from outside among words of the program, in an isolate (UAX 9): its letters do not change the order of
  /// those words. Only a frame takes it.
  package static func isolated(_ text: String) -> String {
    text.utf8.contains { $0 >= 0xD6 } ? "\u{2068}\(text)\u{2069}" : text
  }

  /// A URL without the user name and password in it (`https://user:secret@host/`), also when it is
  /// spelled as people type it (`https:/user:secret@host`, `user:secret@host`).
  package static func withoutCredentials(_ url: String) -> String {
    guard let start = authorityStart(of: url) else { return url }
    let authority = url[start...].prefix { !"/?#\\".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[authority.index(after: at)...])
  }

  /// Text for one line with every URL in it without user name and password.
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

  /// Where the part of a URL with the host in it begins, as browsers read it.
  private static func authorityStart(of url: String) -> String.Index? {
    let scheme = url.urlScheme
    if let scheme, ["http", "https", "ftp"].contains(scheme) {
      let rest = url.dropFirst(scheme.count + 1)
      return rest.firstIndex { $0 != "/" && $0 != "\\" } ?? url.endIndex
    }
    if let slashes = url.range(of: "://") { return slashes.upperBound }
    // `user:secret@host`; `mailto:name@host` and the like name a person, not a secret.
    let isOneWord = !url.contains { $0.isWhitespace }
    guard isOneWord, let scheme,
      !["mailto", "xmpp", "sip", "sips", "acct", "news"].contains(scheme)
    else {
      return nil
    }
    return url.startIndex
  }
}
