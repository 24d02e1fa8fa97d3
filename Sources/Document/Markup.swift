/// Text in the HTML pages that offread writes itself.
package enum Markup {
  /// Returns a text as ASCII with character references, so that it has the same meaning in most
  /// encodings.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&", "<", ">", "\"", "\u{80}"...: result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns an untrusted text as one line of ASCII with character references, without control
  /// characters.
  package static func escapedLine(_ text: String) -> String { escaped(SafeText.line(text)) }
}
