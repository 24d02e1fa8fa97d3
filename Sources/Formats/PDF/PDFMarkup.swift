import Document

/// Writes the output of `pdftotext` as a page of HTML.
package enum PDFMarkup {
  /// Returns the text in reading order.
  /// - Parameters:
  ///   - output: the output with the option `-bbox-layout`.
  ///   - title: the title if the file has none.
  /// - Returns: the page; nil when the output has no words, or their reading order cannot be
  ///   determined.
  package static func page(bboxOutput output: [UInt8], title: String) -> [UInt8]? {
    guard let boxes = PDFBoxParser(output), let reading = PDFReadingOrder(boxes.pages) else {
      return nil
    }
    let names = [
      usableTitle(boxes.title), reading.title, remainingTitle(boxes.title), title,
    ]
    let head = head(
      title: names.first { !$0.isEmpty } ?? "", author: usableAuthor(boxes.author))
    return Array((head + reading.html + "</main>").utf8)
  }

  /// Returns the lines of each page as laid out on it.
  /// - Parameters:
  ///   - output: the output with the option `-layout`.
  ///   - title: the title.
  /// - Returns: the page.
  package static func page(layoutOutput output: [UInt8], title: String) -> [UInt8] {
    let head = head(title: title)
    let title = Markup.escapedLine(title)
    var pages = output.split(separator: 0x0C, omittingEmptySubsequences: false)
    if pages.last?.isEmpty ?? false { pages.removeLast() }
    var markup = Array(head.utf8)
    if pages.allSatisfy({ $0.allSatisfy { $0 <= 0x20 } }) {
      markup += Array(
        ("<h1>\(title)</h1><p>This file has only images of pages, without text."
          + " <code>:open-external</code> opens it in another program.</p>").utf8)
    }
    for (index, page) in pages.enumerated() {
      if pages.count > 1 {
        markup += Array("<p id=\"page-\(index + 1)\"><small>Page \(index + 1)</small></p>".utf8)
      }
      markup += Array("<pre>\n".utf8)
      for byte in page {
        switch byte {
        case UInt8(ascii: "&"): markup += Array("&amp;".utf8)
        case UInt8(ascii: "<"): markup += Array("&lt;".utf8)
        default: markup.append(byte)
        }
      }
      markup += Array("</pre>".utf8)
    }
    return markup + Array("</main>".utf8)
  }

  private static func head(title: String, author: String = "") -> String {
    let author =
      author.isEmpty ? "" : "<meta name=author content=\"\(Markup.escapedLine(author))\">"
    return "<!DOCTYPE html><meta charset=utf-8><title>\(Markup.escapedLine(title))</title>\(author)"
      + "<main>"
  }

  /// Returns the author in the file's metadata; empty when it seems to be the name of an account.
  private static func usableAuthor(_ author: String) -> String {
    let isAccount = author.lowercased().hasSuffix("user") || author.contains("@")
    let isName = author.contains { $0 == " " || !$0.isASCII }
    return isAccount || !isName || isPlaceholder(author) ? "" : author
  }

  /// Returns the title in the file's metadata; empty when it is a file name or a placeholder that a
  /// program wrote there.
  private static func usableTitle(_ title: String) -> String {
    let isFile = FileName(reference: title).map { $0.text.contains(".") && !$0.text.contains(" ") }
    let isUnusable =
      isFile ?? false || title.hasPrefix("Microsoft ") || isPlaceholder(title)
    return isUnusable ? "" : title
  }

  /// Returns the title in the file's metadata for a file without a heading: without the name of the
  /// program that wrote it; empty when it is a placeholder.
  private static func remainingTitle(_ title: String) -> String {
    var title = title
    if title.hasPrefix("Microsoft "), let dash = title.firstRange(of: " - ") {
      title.removeSubrange(..<dash.upperBound)
    }
    return isPlaceholder(title) ? "" : title
  }

  /// Returns whether programs write a title or a name, apart from numbers, if the author has chosen
  /// none.
  private static func isPlaceholder(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter }.joined(separator: " ")
    return placeholders.contains(words)
  }

  private static let placeholders: Set<String> = [
    "anonymous", "document", "microsoft account", "layout", "no title", "powerpoint presentation",
    "presentation", "slide", "title", "unknown", "unknown author", "untitled",
    "untitled document", "untitled presentation", "word document",
  ]
}
