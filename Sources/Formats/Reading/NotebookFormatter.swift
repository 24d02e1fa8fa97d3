import DOM
import Document
import Foundation

/// Shows Jupyter notebooks (nbformat 3 and 4): their texts, which are Markdown, their code, and the
/// texts and images of the results.
enum NotebookFormatter {
  /// Creates the document of a notebook.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - url: The URL of the notebook, or empty.
  /// - Returns: The document; nil if the text is not a notebook.
  static func document(of text: [UInt8], url: String) -> Document? {
    // Programs write this member at the end or at the beginning.
    let name = Array("\"nbformat\"".utf8)
    let ends = [text.suffix(examinedLength), text.prefix(examinedLength)]
    guard ends.contains(where: { $0.firstRange(of: name) != nil }),
      let notebook = JSONValue(text), notebook["nbformat"]?.number != nil
    else { return nil }
    let cells =
      notebook["cells"]?.array
      ?? notebook["worksheets"]?.array.flatMap { $0["cells"]?.array ?? [] } ?? []
    guard !cells.isEmpty else { return nil }
    let language =
      notebook["metadata"]?["language_info"]?["name"]?.string
      ?? notebook["metadata"]?["kernelspec"]?["language"]?.string
    var (html, imageCount) = ("", 0)
    for cell in cells {
      html += self.html(of: cell, language: language ?? "", imageCount: &imageCount)
    }
    return MarkdownFormatter.document(ofHTML: Array(html.utf8), url: url)
  }

  /// The number of bytes at each end that are searched for the version of the format.
  private static let examinedLength = 4096

  private static func html(
    of cell: JSONValue, language: String, imageCount: inout Int
  ) -> String {
    let source = text(of: cell["source"] ?? cell["input"])
    switch cell["cell_type"]?.string {
    case "markdown":
      let html = TextMarkup.html(of: source, mediaType: "text/markdown")
      return embed(attachments: cell["attachments"], in: html)
    case "heading":
      let level = Int(min(6, max(1, cell["level"]?.number ?? 2)))
      return "<h\(level)>\(Markup.escaped(source))</h\(level)>\n"
    case "code":
      let results = html(ofResults: cell["outputs"]?.array ?? [], imageCount: &imageCount)
      guard source.utf8.contains(where: { !$0.isWhiteSpace }) else { return results }
      return "<pre><code class=\"language-\(Markup.escapedLine(language))\">"
        + Markup.escaped(source) + "</code></pre>\n" + results
    default: return preformatted(source)
    }
  }

  /// Returns the HTML of a text with the images that are attached to its cell (`attachment:NAME`).
  /// Each image is inserted once, so that the size of the HTML is limited.
  private static func embed(attachments: JSONValue?, in html: String) -> String {
    guard case .object(var images)? = attachments, !images.isEmpty else { return html }
    let bytes = Array(html.utf8)
    let attributeStart = Array("src=\"attachment:".utf8)
    var result: [UInt8] = []
    var (copied, rest) = (0, bytes[...])
    while let start = rest.firstRange(of: attributeStart) {
      let reference = rest[start.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
      rest = rest[reference.endIndex...]
      let written = String(decoding: reference, as: UTF8.self)
      let name = written.removingPercentEncoding ?? written
      guard let formats = images.removeValue(forKey: name), let url = imageURL(among: formats)
      else { continue }
      result += bytes[copied..<start.lowerBound]
      result += "src=\"\(url)".utf8
      copied = reference.endIndex
    }
    return copied == 0 ? html : String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  /// Returns the results of a cell as HTML. Consecutive parts of the output to one stream are one
  /// text, in which a later part may replace the end of an earlier one.
  private static func html(ofResults results: [JSONValue], imageCount: inout Int) -> String {
    var html = ""
    // The name of the stream to which the previous result belongs, and its text so far.
    var (streamName, output): (String?, String) = (nil, "")
    for result in results {
      let isOutput = result["output_type"]?.string == "stream"
      let name: String? = isOutput ? (result["name"] ?? result["stream"])?.string ?? "" : nil
      if name != streamName {
        html += preformatted(ProgramOutput.finalText(of: output))
        (streamName, output) = (name, "")
      }
      if isOutput {
        output += text(of: result["text"])
      } else {
        html += self.html(ofResult: result, imageCount: &imageCount)
      }
    }
    return html + preformatted(ProgramOutput.finalText(of: output))
  }

  /// Returns a result as HTML: an image, a text, or else the types that are not shown. Empty if the
  /// result has no content.
  private static func html(ofResult result: JSONValue, imageCount: inout Int) -> String {
    if let lines = result["traceback"]?.array.compactMap(\.string), !lines.isEmpty {
      return preformatted(lines.joined(separator: "\n"))
    }
    if let name = result["ename"]?.string {
      return preformatted([name, result["evalue"]?.string ?? ""].joined(separator: ": "))
    }
    // In version 3, the formats are members of the result itself.
    let formats = result["data"] ?? result
    if let markdown = formats["text/markdown"] {
      return TextMarkup.html(of: text(of: markdown), mediaType: "text/markdown")
    }
    let plain = ProgramOutput.finalText(of: text(of: formats["text/plain"] ?? formats["text"]))
    if let source = imageURL(among: formats) {
      imageCount += 1
      // Without a number, adjacent images would be merged as duplicates.
      let description = "image \(imageCount)" + (plain.isEmpty ? "" : ": " + plain)
      return "<p><img alt=\"\(Markup.escapedLine(description))\" src=\"\(source)\"></p>\n"
    }
    if plain.isEmpty || isObjectName(plain), let markup = markup(among: formats) { return markup }
    let shown = preformatted(plain)
    guard shown.isEmpty, case .object(let members) = formats else { return shown }
    let types = members.keys.filter { $0.contains("/") && $0 != "text/plain" }.sorted()
    return types.isEmpty ? "" : "<p>[\(Markup.escapedLine(types.joined(separator: ", ")))]</p>\n"
  }

  /// Returns whether a text is only the name of an object, such as
  /// `<IPython.core.display.HTML object>`, whose content is in another format.
  private static func isObjectName(_ text: String) -> Bool {
    text.hasPrefix("<") && text.hasSuffix(">") && !text.contains("\n")
  }

  /// Returns a result that is HTML, a drawing with text, a formula or JSON; nil if it has none of
  /// these. The HTML of diagrams that scripts draw has no text.
  private static func markup(among formats: JSONValue) -> String? {
    // In version 3, the names are not media types.
    for name in ["text/html", "html", "image/svg+xml", "svg"] {
      let content = Array(text(of: formats[name]).utf8)
      guard !content.isEmpty else { continue }
      var writer = HTMLWriter(capacity: content.count)
      writer.writeFiltered(content, 0..<content.count)
      let document = MarkdownFormatter.document(ofHTML: writer.bytes, url: "")
      guard !document.images.isEmpty || document.text.contains(where: { !$0.isWhiteSpace }) else {
        continue
      }
      // A table without an end tag would contain the next cells.
      return "<div>" + String(decoding: writer.bytes, as: UTF8.self) + "</table></div>\n"
    }
    let formula = text(of: formats["text/latex"] ?? formats["latex"])
    if !formula.isEmpty { return TextMarkup.html(of: formula, mediaType: "text/markdown") }
    guard let value = formats["application/json"] else { return nil }
    var json: [UInt8] = []
    value.appendJSON(to: &json)
    return preformatted(String(decoding: JSONFormatter.document(of: json).text, as: UTF8.self))
  }

  /// Returns the escaped URL with the content of the image of a result; nil if it has none.
  private static func imageURL(among formats: JSONValue) -> String? {
    // In version 3, the names are not media types.
    for (name, type) in [
      ("image/png", "image/png"), ("image/jpeg", "image/jpeg"), ("png", "image/png"),
      ("jpeg", "image/jpeg"),
    ] {
      let content = text(of: formats[name]).filter { !$0.isWhitespace }
      guard !content.isEmpty else { continue }
      return "data:\(type);base64,\(Markup.escaped(content))"
    }
    return nil
  }

  /// Returns the text of a program as HTML, without the escape sequences of terminals; empty for
  /// white space.
  private static func preformatted(_ text: String) -> String {
    guard text.utf8.contains(where: { !$0.isWhiteSpace }) else { return "" }
    let shown = PlainTextFormatter.document(of: Array(text.utf8)).text
    return "<pre>\n" + Markup.escaped(String(decoding: shown, as: UTF8.self)) + "</pre>\n"
  }

  /// Returns a text, which may be divided into lines.
  private static func text(of value: JSONValue?) -> String {
    guard let value else { return "" }
    return value.string ?? value.array.compactMap(\.string).joined()
  }
}

extension JSONValue {
  /// Appends the value as JSON, with the members of objects sorted by name.
  fileprivate func appendJSON(to text: inout [UInt8]) {
    switch self {
    case .null: text += "null".utf8
    case .bool(let bool): text += String(bool).utf8
    case .number: text += (string ?? "").utf8
    case .string(let string): Self.appendQuoted(string, to: &text)
    case .array(let values):
      text.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        value.appendJSON(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        Self.appendQuoted(name, to: &text)
        text.append(UInt8(ascii: ":"))
        value.appendJSON(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func appendQuoted(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0x0A: text += "\\n".utf8
      case 0x09: text += "\\t".utf8
      case 0..<0x20: text.append(0x20)
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
