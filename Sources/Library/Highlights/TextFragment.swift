import Foundation
package import Document
import Layout

/// The end of a URL that names a place of a page by its words (URL Fragment Text Directives):
/// `#:~:text=words`. Of a range and of the words around it, only the beginning is looked for.
package struct TextFragment: Sendable, Equatable {
  /// The words.
  package let words: String

  private static let mark = ":~:text="

  /// Reads the fragment of a URL, without `#`; nil when it names no words.
  package init?(_ fragment: String) {
    guard let mark = fragment.range(of: Self.mark) else { return nil }
    let parts = fragment[mark.upperBound...].prefix { $0 != "&" }.split(separator: ",")
    // What stands before and after the words has a hyphen.
    let own = parts.first { !$0.hasSuffix("-") && !$0.hasPrefix("-") }
    guard let words = own?.removingPercentEncoding, !words.isEmpty else { return nil }
    self.words = words
  }

  /// A URL that leads to words of a page.
  /// - Parameters:
  ///   - url: the page, without a fragment.
  ///   - words: the words as they stand there.
  /// - Returns: the URL.
  package static func url(_ url: String, words: String) -> String {
    let plain = CharacterSet.alphanumerics
    return "\(url)#\(mark)\(words.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
  }

  /// Where the words are in a document, or nil.
  package func offset(in document: Document) -> UInt32? {
    let text = FoldedText(String(decoding: document.text, as: UTF8.self))
    return text.range(of: FoldedText(words)).flatMap { UInt32(exactly: $0.lowerBound) }
  }
}
