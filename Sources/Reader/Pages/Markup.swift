import Document

/// Text put into pages that the program writes itself.
enum Markup {
  /// Text as markup of ASCII alone, so that it means the same in most encodings.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&", "<", ">", "\"", "\u{80}"...: result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The same of what a page, a file or its name says, on one line and without controls.
  static func line(_ text: String) -> String { escaped(SafeText.line(text)) }
}
