import DOM
import Document

/// Converts text without markup to HTML, for text that is part of a page.
package enum TextMarkup {
  /// Converts plain text to HTML: blank lines separate paragraphs, other lines are kept, and URLs
  /// are links.
  package static func html(ofPlainText text: String) -> String {
    let bytes = Array(text.replacing("\r\n", with: "\n").utf8)
    var writer = HTMLWriter(capacity: bytes.count + bytes.count / 4)
    var isInParagraph = false
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = start..<end
      start = end + 1
      if bytes[line].allSatisfy(\.isWhiteSpace) {
        if isInParagraph { writer.write("</p>") }
        isInParagraph = false
      } else {
        writer.write(isInParagraph ? "<br>" : "<p>")
        writer.writeLinkingURLs(bytes, line)
        isInParagraph = true
      }
    }
    if isInParagraph { writer.write("</p>") }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Converts text of a media type other than HTML to HTML: Markdown by its markup, plain text by
  /// its paragraphs, and other text line by line.
  package static func html(of text: String, mediaType: String) -> String {
    if mediaType == "text/plain" { return html(ofPlainText: text) }
    let bytes = Array(text.utf8)
    if TextFormat(mediaType: mediaType, name: "") == .markdown {
      return String(decoding: MarkdownFormatter.html(of: bytes), as: UTF8.self)
    }
    var writer = HTMLWriter(capacity: bytes.count + bytes.count / 4)
    // The parser drops the first line break of the element.
    writer.write("<pre>\n")
    writer.writeLinkingURLs(bytes, bytes.indices)
    writer.write("</pre>")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
