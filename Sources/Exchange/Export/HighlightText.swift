package import Library
import Document

/// Highlights as Markdown: quotations, each followed by its note.
package enum HighlightText {
  /// Returns the highlights of a page below a heading of level 2, or nothing.
  /// - Parameter highlights: The highlights.
  /// - Returns: UTF-8 text.
  package static func section(_ highlights: [Highlight]) -> [UInt8] {
    highlights.isEmpty ? [] : Array(("\n## Highlights\n\n" + quotations(highlights)).utf8)
  }

  /// Returns the highlights of a page below its title and URL.
  /// - Parameters:
  ///   - highlights: The highlights.
  ///   - title: The title of the page, or empty.
  ///   - url: Its URL.
  /// - Returns: UTF-8 text.
  package static func page(_ highlights: [Highlight], title: String, url: String) -> [UInt8] {
    let heading = escaped(SafeText.line(title.isEmpty ? url : title))
    return Array("# \(heading)\n\n<\(SafeText.line(url))>\n\n\(quotations(highlights))".utf8)
  }

  private static func quotations(_ highlights: [Highlight]) -> String {
    highlights.map { highlight in
      let note = SafeText.line(highlight.note)
      return "> \(escaped(SafeText.line(highlight.exact)))\n"
        + (note.isEmpty ? "" : "\n\(escaped(note))\n")
    }.joined(separator: "\n")
  }

  /// Escapes a line so that it is literal text in Markdown (CommonMark §2.4).
  private static func escaped(_ line: String) -> String {
    var result = ""
    for character in line {
      if "\\`*_{}[]<>#|~&!".contains(character) { result.append("\\") }
      result.append(character)
    }
    // Characters that would begin a list or a rule, or turn the previous line into a heading.
    if let first = result.first, "+-=".contains(first) { return "\\" + result }
    let digits = result.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, let marker = result.dropFirst(digits.count).first,
      marker == "." || marker == ")"
    {
      return digits + "\\" + result.dropFirst(digits.count)
    }
    return result
  }
}
