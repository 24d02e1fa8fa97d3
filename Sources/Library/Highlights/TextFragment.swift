import Foundation
package import Document
import Layout

/// A text fragment of a URL (URL Fragment Text Directives): `#:~:text=words`. Only the start of a
/// range is searched, without its context. Several directives denote the position where their texts
/// are nearest to each other.
package struct TextFragment: Sendable, Equatable {
  /// The text of each directive.
  package let terms: [String]

  private static let delimiter = ":~:"
  private static let name = "text="
  /// The maximum number of directives that are read or written.
  private static let maxTerms = 8

  /// Parses the fragment of a URL without `#`; returns nil if it has no text directive.
  package init?(_ fragment: String) {
    guard let marker = fragment.range(of: Self.delimiter) else { return nil }
    let directives = fragment[marker.upperBound...].split(separator: "&")
    terms = directives.prefix(Self.maxTerms).compactMap(Self.text)
    if terms.isEmpty { return nil }
  }

  private static func text(ofDirective directive: Substring) -> String? {
    guard directive.hasPrefix(name) else { return nil }
    let parts = directive.dropFirst(name.count).split(separator: ",")
    // The context before and after the text is marked by a hyphen.
    let own = parts.first { !$0.hasSuffix("-") && !$0.hasPrefix("-") }
    guard let content = own?.removingPercentEncoding, !content.isEmpty else { return nil }
    return content
  }

  /// Returns a URL with a text fragment.
  /// - Parameters:
  ///   - url: The URL of the page, without a fragment.
  ///   - text: The text as it occurs on the page.
  /// - Returns: The URL.
  package static func url(_ url: String, text: String) -> String { Self.url(url, terms: [text]) }

  /// Returns a URL for the position in a page where some terms are nearest to each other.
  /// - Parameters:
  ///   - url: The URL of the page, without a fragment.
  ///   - terms: The terms as written in the page; duplicates are ignored.
  /// - Returns: The URL; `url` if there are no terms.
  package static func url(_ url: String, terms: [String]) -> String {
    var known: Set<String> = []
    let directives = terms.filter { known.insert($0.lowercased()).inserted }.prefix(maxTerms).map {
      name + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }
    return directives.isEmpty ? url : "\(url)#\(delimiter)\(directives.joined(separator: "&"))"
  }

  /// Returns the position of the terms in a document, preferably outside its navigation; nil if
  /// they do not occur.
  package func offset(in document: Document) -> UInt32? {
    let page = SearchedText(document)
    let terms = terms.map { TextPassage.Term(text: FoldedText($0), isWhole: false) }
    return TextPassage(of: terms, in: page)?.terms.first.flatMap { page.source(of: $0.lowerBound) }
  }
}
