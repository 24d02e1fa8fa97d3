package import Library
import Document

/// Passages that are kept, as Markdown: quotations, each with its note behind it.
package enum HighlightText {
  /// The passages of a page below a heading of level 2, or nothing.
  /// - Parameter highlights: the passages.
  /// - Returns: UTF-8.
  package static func section(_ highlights: [Highlight]) -> [UInt8] {
    highlights.isEmpty ? [] : Array(("\n## Highlights\n\n" + quotations(highlights)).utf8)
  }

  /// The passages of a page below its title and its address.
  /// - Parameters:
  ///   - highlights: the passages.
  ///   - title: the title of the page, or empty.
  ///   - url: its address.
  /// - Returns: UTF-8.
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

  /// A line that means its letters and nothing else in Markdown (CommonMark §2.4).
  private static func escaped(_ line: String) -> String {
    var result = ""
    for character in line {
      if "\\`*_{}[]<>#|~&!".contains(character) { result.append("\\") }
      result.append(character)
    }
    // What would begin a list, a rule or a heading of the line before.
    if let first = result.first, "+-=".contains(first) { return "\\" + result }
    let digits = result.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, let mark = result.dropFirst(digits.count).first, mark == "." || mark == ")"
    {
      return digits + "\\" + result.dropFirst(digits.count)
    }
    return result
  }
}
