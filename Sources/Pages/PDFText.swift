import Sandbox
import Document
import Formats
import Foundation

/// Extracts the text of a PDF file with `pdftotext` of poppler-utils: in reading order if the
/// program supports `-bbox-layout`, otherwise line by line.
package enum PDFText {
  package static let mediaType = "application/pdf"

  /// Returns whether bytes are a PDF file; see `PDFSignature`.
  package static func isFormat(of bytes: [UInt8]) -> Bool { PDFSignature.isPresent(in: bytes) }

  /// Returns the text as HTML.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - title: the title if the file has none.
  /// - Returns: the HTML; nil if the program is missing or fails.
  package static func markup(of bytes: [UInt8], title: String) -> [UInt8]? {
    // An old `pdftotext` does not know the option and exits at once.
    if let output = try? LimitedProcess.run(.pdfBoxes, input: bytes),
      let page = PDFMarkup.page(bboxOutput: output, title: title)
    {
      return page
    }
    return (try? LimitedProcess.run(.pdf, input: bytes)).map {
      PDFMarkup.page(layoutOutput: $0, title: title)
    }
  }

  /// Returns why the text of a file cannot be extracted.
  /// - Parameter bytes: a file of any format.
  /// - Returns: the reason as the end of a sentence about the file; empty if the file is not a PDF
  ///   file.
  package static func extractionProblem(in bytes: [UInt8]) -> String {
    guard isFormat(of: bytes) else { return "" }
    guard isPossible else { return "pdftotext is not installed (package poppler-utils)" }
    // ISO 32000-2 §7.6.1. Files that open without a password have been read already.
    let isLocked = Data(bytes).range(of: Data("/Encrypt".utf8)) != nil
    return isLocked
      ? "it is protected by a password" : "it is damaged, and pdftotext cannot read it"
  }

  /// Returns whether a file is a PDF file that lacks the trailer at its end (ISO 32000-2 §7.5.5),
  /// because it is truncated or damaged.
  package static func isDamaged(_ bytes: [UInt8]) -> Bool {
    isFormat(of: bytes)
      && Data(bytes.suffix(maxTrailerOffset)).range(of: Data("startxref".utf8)) == nil
  }

  /// Number of bytes at the end of a file in which the trailer is searched for, because servers may
  /// append something to a file.
  private static let maxTrailerOffset = 1 << 16

  /// Whether `pdftotext` is installed.
  package static var isPossible: Bool { ChildProcess.find("pdftotext") != nil }
}
