import Foundation
package import Document
import Layout

/// The end of a URL that names a place of a page by its words (URL Fragment Text Directives):
/// `#:~:text=words`. Of a range and its context, only the start is searched. Several directives
/// denote the position where their texts are nearest to each other.
package struct TextFragment: Sendable, Equatable {
  /// The text of each directive.
  package let terms: [String]

  private static let mark = ":~:"
  private static let name = "text="
  /// Maximum number of directives that are read or written.
  private static let maxTerms = 8

  /// Reads the fragment of a URL, without `#`; nil when it names no words.
  package init?(_ fragment: String) {
    guard let mark = fragment.range(of: Self.mark) else { return nil }
    let directives = fragment[mark.upperBound...].split(separator: "&")
    terms = directives.prefix(Self.maxTerms).compactMap(Self.words)
    if terms.isEmpty { return nil }
  }

  private static func words(ofDirective directive: Substring) -> String? {
    guard directive.hasPrefix(name) else { return nil }
    let parts = directive.dropFirst(name.count).split(separator: ",")
    // What stands before and after the words has a hyphen.
    let own = parts.first { !$0.hasSuffix("-") && !$0.hasPrefix("-") }
    guard let words = own?.removingPercentEncoding, !words.isEmpty else { return nil }
    return words
  }

  /// A URL that leads to words of a page.
  /// - Parameters:
  ///   - url: the URL of the page, without a fragment.
  ///   - words: the words as they stand there.
  /// - Returns: the URL.
  package static func url(_ url: String, words: String) -> String { Self.url(url, terms: [words]) }

  /// Returns a URL for the position in a page where some terms are nearest to each other.
  /// - Parameters:
  ///   - url: the page, without a fragment.
  ///   - terms: the terms as written in the page; duplicates are ignored.
  /// - Returns: the URL; `url` when there are no terms.
  package static func url(_ url: String, terms: [String]) -> String {
    var known: Set<String> = []
    let directives = terms.filter { known.insert($0.lowercased()).inserted }.prefix(maxTerms).map {
      name + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }
    return directives.isEmpty ? url : "\(url)#\(mark)\(directives.joined(separator: "&"))"
  }

  /// Returns the position of the terms in a document, preferably outside its navigation; nil when
  /// they do not occur.
  package func offset(in document: Document) -> UInt32? {
    let page = SearchedText(document)
    let terms = terms.map { TextPassage.Term(text: FoldedText($0), isWhole: false) }
    return TextPassage(of: terms, in: page)?.terms.first.flatMap { page.source(of: $0.lowerBound) }
  }
}
