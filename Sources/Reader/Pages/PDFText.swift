import Document
import Formats
import Foundation

/// Extracts the text of a PDF file with `pdftotext` of poppler-utils: in reading order if the program supports
/// `-bbox-layout`, otherwise line by line.
package enum PDFText {
  package static let mediaType = "application/pdf"

  /// Whether bytes begin as a file of this kind does (ISO 32000-2, section 7.5.2).
  package static func isBegun(by bytes: [UInt8]) -> Bool { bytes.starts(with: "%PDF-".utf8) }

  /// Returns the text as HTML.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - title: the title if the file has none.
  /// - Returns: the HTML; nil when the program is missing or fails.
  package static func markup(of bytes: [UInt8], title: String) -> [UInt8]? {
    // An old `pdftotext` does not know the option and exits at once.
    if let output = try? LimitedProcess.run(.pdfBoxes, input: bytes),
      let boxes = PDFBoxes(output), let reading = PDFReading(boxes.pages)
    {
      let names = [stated(boxes.title), reading.title, boxes.title, title]
      let head = head(title: names.first { !$0.isEmpty } ?? "")
      return Array((head + reading.html + "</main>").utf8)
    }
    return (try? LimitedProcess.run(.pdf, input: bytes)).map { lines(of: $0, title: title) }
  }

  private static func head(title: String) -> String {
    "<!DOCTYPE html><meta charset=utf-8><title>\(Markup.line(title))</title><main>"
  }

  /// Returns the title in the file's metadata; empty when it is a file name that a program wrote there.
  private static func stated(_ title: String) -> String {
    let isFile = FileName(reference: title).map { $0.text.contains(".") && !$0.text.contains(" ") }
    return isFile ?? false || title.hasPrefix("Microsoft ") ? "" : title
  }

  /// Returns the lines of each page as laid out on it, as HTML.
  private static func lines(of text: [UInt8], title: String) -> [UInt8] {
    let head = head(title: title)
    let title = Markup.line(title)
    var pages = text.split(separator: 0x0C, omittingEmptySubsequences: false)
    if pages.last?.isEmpty ?? false { pages.removeLast() }
    var markup = Array(head.utf8)
    if pages.allSatisfy({ $0.allSatisfy { $0 <= 0x20 } }) {
      markup += Array(
        ("<h1>\(title)</h1><p>This file has pictures of pages and no text. <kbd>O</kbd> opens it in"
          + " another program.</p>").utf8)
    }
    for (index, page) in pages.enumerated() {
      if pages.count > 1 { markup += Array("<h2>Page \(index + 1)</h2>".utf8) }
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

  /// Why a file has no text here.
  /// - Parameter bytes: a file of any kind.
  /// - Returns: the end of a sentence, or nothing where it is of another kind.
  static func obstacle(in bytes: [UInt8]) -> String {
    guard isBegun(by: bytes) else { return "" }
    guard isPossible else { return "pdftotext, of the package poppler-utils, finds its text" }
    // ISO 32000-2, section 7.6.1. What opens without a password was read.
    let isLocked = Data(bytes).range(of: Data("/Encrypt".utf8)) != nil
    return isLocked ? "a password locks it" : "it is damaged, and pdftotext cannot read it"
  }

  /// Whether the program is there.
  package static var isPossible: Bool { ChildProcess.find("pdftotext") != nil }
}
