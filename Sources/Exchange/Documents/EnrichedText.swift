/// Text with simple formatting commands (`text/enriched`, RFC 1896).
enum EnrichedText {
  /// Maximum length of the name of a command, in characters (RFC 1896).
  private static let maxNameLength = 60

  /// Returns the text without its commands and their parameters.
  static func plainText(_ text: String) -> String {
    var plain = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      plain += rest[..<start]
      rest = rest[start...].dropFirst()
      if rest.first == "<" {
        plain.append("<")
        rest = rest.dropFirst()
        continue
      }
      let isEnd = rest.first == "/"
      let name = rest.dropFirst(isEnd ? 1 : 0).prefix { $0.isASCII && $0.isLetter || $0 == "-" }
        .prefix(maxNameLength)
      let characterAfterName = rest.dropFirst(name.count + (isEnd ? 1 : 0))
      guard !name.isEmpty, characterAfterName.first == ">" else {
        plain.append("<")
        continue
      }
      rest = characterAfterName.dropFirst()
      // The value of a parameter, such as the name of a font, has no commands.
      if !isEnd, name.lowercased() == "param" {
        let value = rest.prefix { $0 != "<" }
        if rest.dropFirst(value.count).prefix(8).lowercased() == "</param>" {
          rest = rest.dropFirst(value.count + 8)
        }
      }
    }
    return plain + rest
  }
}
