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

  /// Converts a description, which programs write as plain text or as HTML, to HTML that closes all
  /// of its elements, so that they do not contain what follows.
  package static func html(ofDescription text: String) -> String {
    guard text.looksLikeHTML else { return html(ofPlainText: text) }
    let document = document(ofHTMLText: text)
    let targets = document.links.map(\.target)
    let markup = document.semanticXHTML(
      ExportTargets(linkURL: { targets[$0] }, imageURL: { _ in nil }))
    // Without links, URLs are only in the text.
    let linked = targets.isEmpty ? linkingURLs(inTextOf: markup) : markup
    return String(decoding: linked, as: UTF8.self)
  }

  /// Returns HTML, whose attributes contain no angle brackets, with the URLs in its text as links.
  private static func linkingURLs(inTextOf markup: [UInt8]) -> [UInt8] {
    var writer = HTMLWriter(capacity: markup.count)
    var start = 0
    while start < markup.count {
      let isTag = markup[start] == UInt8(ascii: "<")
      let next = markup[start...].firstIndex(of: UInt8(ascii: isTag ? ">" : "<"))
      let end = next.map { isTag ? $0 + 1 : $0 } ?? markup.count
      if isTag {
        writer.write(markup[start..<end])
      } else {
        let text = String(decoding: markup[start..<end], as: UTF8.self).withoutCharacterReferences
        writer.writeLinkingURLs(Array(text.utf8), 0..<text.utf8.count)
      }
      start = end
    }
    return writer.bytes
  }

  /// Creates the document of a text that is declared as plain, but is HTML. Line breaks are kept if
  /// only its links are HTML.
  static func document(ofHTMLText text: String) -> Document {
    let html = text.hasTagOfLine ? text : text.replacing("\n", with: "<br>")
    return MarkdownFormatter.document(ofHTML: Array(html.utf8), url: "")
  }
}

extension String {
  /// Whether text that is declared as plain looks like HTML.
  package var looksLikeHTML: Bool { contains("</a>") || hasTagOfLine }

  /// Whether the text contains a tag by which HTML ends a line or a paragraph.
  var hasTagOfLine: Bool { contains("</p>") || contains("<br") || contains("</div>") }
}
