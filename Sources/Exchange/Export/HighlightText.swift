package import Library
import Document

/// Highlights as Markdown: quotations, each followed by its note.
package enum HighlightText {
  /// Returns the highlights of a page below a heading of level 2, or nothing.
  /// - Parameter highlights: The highlights.
  /// - Returns: UTF-8 text.
  package static func section(_ highlights: [Highlight]) -> [UInt8] {
    highlights.isEmpty ? [] : Array(("\n## Highlights\n\n" + quotations(highlights, of: nil)).utf8)
  }

  /// Returns the highlights of several pages, each below its title and URL.
  /// - Parameter pages: The highlights of each page with its title and URL.
  /// - Returns: UTF-8 text.
  package static func pages(
    _ pages: [(highlights: [Highlight], title: String, url: String)]
  ) -> [UInt8] {
    Array(pages.map { page($0.highlights, title: $0.title, url: $0.url) }.joined(separator: [0x0A]))
  }

  /// Returns the highlights of a page below its title and URL, each with a link that opens it.
  /// - Parameters:
  ///   - highlights: The highlights.
  ///   - title: The title of the page, or empty.
  ///   - url: The URL of the page.
  /// - Returns: UTF-8 text.
  package static func page(_ highlights: [Highlight], title: String, url: String) -> [UInt8] {
    let heading = escaped(SafeText.line(title.isEmpty ? url : title))
    let text = quotations(highlights, of: url)
    return Array("# \(heading)\n\n<\(destination(url))>\n\n\(text)".utf8)
  }

  /// Returns the highlights as quotations. If the URL of their page is given, each ends with a
  /// link.
  private static func quotations(_ highlights: [Highlight], of url: String?) -> String {
    highlights.map { highlight in
      let note = SafeText.line(highlight.note)
      let link = url.map { " [open](<\(destination(highlight.address(on: $0)))>)" } ?? ""
      return "> \(escaped(SafeText.line(highlight.exact)))\(link)\n"
        + (note.isEmpty ? "" : "\n\(escaped(note))\n")
    }.joined(separator: "\n")
  }

  /// Returns a URL for use between angle brackets (CommonMark §6.3, §6.5), with the characters that
  /// are not allowed there percent-encoded.
  private static func destination(_ url: String) -> String {
    SafeText.line(url).unicodeScalars.map { scalar in
      switch scalar {
      case "<": "%3C"
      case ">": "%3E"
      case "\\": "%5C"
      case " ": "%20"
      default: String(scalar)
      }
    }.joined()
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
