import Foundation

/// Text from outside made fit for one line of a terminal.
package enum SafeText {
  /// The text with white space folded to single spaces, and control characters, line separators
  /// and bidi controls shown as U+FFFD.
  package static func line(_ text: String) -> String {
    let isClean = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isClean { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x20:
        if result.last != " " { result.append(" ") }
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0xFEFF:
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// A URL without the user name and password in it (`https://user:secret@host/`).
  package static func withoutCredentials(_ url: String) -> String {
    guard let slashes = url.range(of: "://") else { return url }
    let authority = url[slashes.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<slashes.upperBound] + url[authority.index(after: at)...])
  }
}
