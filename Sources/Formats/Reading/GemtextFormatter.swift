import DOM
import Document

/// Shows Gemtext, the format of Gemini pages (Gemini hypertext format, version 0.24): each line has
/// one kind, which its first characters determine. It is converted to HTML, which is parsed like
/// any page.
enum GemtextFormatter {
  /// Creates the document of a text, which must be valid UTF-8.
  static func document(of text: [UInt8], url: String) -> Document {
    let tree = DOMParser.parse(html(of: text), isXML: false)
    var document = DocumentBuilder.build(tree, url: url, hiding: HidingRules())
    document.setTitleFromHeading()
    document.mainContentBlock = 0
    return document
  }

  /// The elements that contain several lines.
  private enum OpenElement {
    case none, list, quotation, preformatted

    var endTag: String {
      switch self {
      case .none: ""
      case .list: "</ul>\n"
      case .quotation: "</blockquote>\n"
      case .preformatted: "</code></pre>\n"
      }
    }
  }

  /// Returns the HTML that a text corresponds to.
  static func html(of text: [UInt8]) -> [UInt8] {
    var writer = HTMLWriter(capacity: text.count + text.count / 4)
    var group = OpenElement.none
    var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < text.count {
      let end = text[index...].firstIndex(of: 0x0A) ?? text.count
      var line = text[index..<end]
      if line.last == 0x0D { line.removeLast() }
      index = end + 1
      if line.starts(with: "```".utf8) {
        writer.write(group.endTag)
        let begins = group != .preformatted
        if begins { writeStartTag(ofPreformatted: line.dropFirst(3), text, to: &writer) }
        group = begins ? .preformatted : .none
      } else if group == .preformatted {
        writer.writeEscaped(text, line.indices)
        writer.write("\n")
      } else {
        write(line, of: text, &group, to: &writer)
      }
    }
    writer.write(group.endTag)
    return writer.bytes
  }

  /// Writes the start tag of preformatted text, whose description may be the name of a language.
  private static func writeStartTag(
    ofPreformatted description: ArraySlice<UInt8>, _ text: [UInt8], to writer: inout HTMLWriter
  ) {
    let name = description.trimmed
    let isName = !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    writer.write("<pre><code")
    if isName {
      writer.write(" class=\"language-")
      writer.writeEscaped(text, name.indices)
      writer.write("\"")
    }
    writer.write(">")
  }

  /// Writes a line outside preformatted text.
  private static func write(
    _ line: ArraySlice<UInt8>, of text: [UInt8], _ openElement: inout OpenElement,
    to writer: inout HTMLWriter
  ) {
    let level = min(3, line.prefix { $0 == UInt8(ascii: "#") }.count)
    let lineElement: OpenElement =
      line.starts(with: "* ".utf8) ? .list : line.first == UInt8(ascii: ">") ? .quotation : .none
    if lineElement != openElement {
      writer.write(openElement.endTag)
      writer.write(
        lineElement == .list ? "<ul>\n" : lineElement == .quotation ? "<blockquote>\n" : "")
      openElement = lineElement
    }
    if lineElement == .list {
      writer.write("<li>")
      writer.writeEscaped(text, line.dropFirst(2).trimmed.indices)
      writer.write("</li>\n")
    } else if lineElement == .quotation {
      writeLine(line.dropFirst().trimmed, of: text, to: &writer)
    } else if level > 0 {
      writer.write("<h\(level)>")
      writer.writeEscaped(text, line.dropFirst(level).trimmed.indices)
      writer.write("</h\(level)>\n")
    } else if line.starts(with: "=>".utf8), writeLink(line.dropFirst(2).trimmed, text, &writer) {
      return
    } else {
      writeLine(line.trimmed, of: text, to: &writer)
    }
  }

  /// Writes a line of text; one without text is an empty line.
  private static func writeLine(
    _ line: ArraySlice<UInt8>, of text: [UInt8], to writer: inout HTMLWriter
  ) {
    guard !line.isEmpty else { return writer.write("<br>\n") }
    writer.write("<div>")
    writer.writeEscaped(text, line.indices)
    writer.write("</div>\n")
  }

  /// Writes a link: a URL, and its label after white space.
  /// - Returns: Whether there is a URL.
  private static func writeLink(
    _ line: ArraySlice<UInt8>, _ text: [UInt8], _ writer: inout HTMLWriter
  ) -> Bool {
    let url = line.prefix { !$0.isWhiteSpace }
    guard !url.isEmpty else { return false }
    let label = line[url.endIndex...].trimmed
    writer.write("<div><a href=\"")
    writer.writeEscaped(text, url.indices)
    writer.write("\">")
    writer.writeEscaped(text, label.isEmpty ? url.indices : label.indices)
    writer.write("</a></div>\n")
    return true
  }
}

extension ArraySlice<UInt8> {
  /// The text without white space at either end.
  fileprivate var trimmed: Self {
    var text = drop(while: \.isWhiteSpace)
    while text.last?.isWhiteSpace == true { text.removeLast() }
    return text
  }
}
