import Foundation
package import Document
import Layout

/// A text fragment of a URL (URL Fragment Text Directives): `#:~:text=words`. Only the start of a
/// range is searched for. Several directives denote the position where their texts are nearest to
/// each other; the context of a single directive distinguishes equal texts.
package struct TextFragment: Sendable, Equatable {
  /// The text of each directive.
  package let terms: [String]
  /// The context before and after the text of the first directive; empty if there is none.
  private let prefix, suffix: String

  private static let delimiter = ":~:"
  private static let name = "text="
  /// The maximum number of directives that are read or written.
  private static let maxTerms = 8

  /// Parses the fragment of a URL without `#`; returns nil if it has no text directive.
  package init?(_ fragment: String) {
    guard let marker = fragment.range(of: Self.delimiter) else { return nil }
    let directives = fragment[marker.upperBound...].split(separator: "&").prefix(Self.maxTerms)
      .compactMap(Directive.init)
    guard let first = directives.first else { return nil }
    terms = directives.map(\.text)
    (prefix, suffix) = (first.prefix, first.suffix)
  }

  /// A directive: `text=prefix-,start,end,-suffix`.
  private struct Directive {
    var text: String
    var prefix = ""
    var suffix = ""

    init?(_ directive: Substring) {
      guard directive.hasPrefix(TextFragment.name) else { return nil }
      let parts = directive.dropFirst(TextFragment.name.count).split(separator: ",")
      // A hyphen marks the context before and after the text.
      let textPart = parts.first { !$0.hasSuffix("-") && !$0.hasPrefix("-") }
      guard let content = textPart?.removingPercentEncoding, !content.isEmpty else { return nil }
      text = content
      if let first = parts.first, first.hasSuffix("-") {
        prefix = first.dropLast().removingPercentEncoding ?? ""
      }
      if let last = parts.last, last.hasPrefix("-") {
        suffix = last.dropFirst().removingPercentEncoding ?? ""
      }
    }
  }

  /// Returns a URL with a text fragment.
  /// - Parameters:
  ///   - url: The URL of the page, without a fragment.
  ///   - text: The text as it occurs on the page.
  /// - Returns: The URL.
  package static func url(_ url: String, text: String) -> String { Self.url(url, terms: [text]) }

  /// Returns a URL that opens a page where some terms are nearest to each other.
  /// - Parameters:
  ///   - url: The URL of the page, without a fragment.
  ///   - terms: The terms as written in the page; duplicates are ignored.
  /// - Returns: The URL; `url` if there are no terms.
  package static func url(_ url: String, terms: [String]) -> String {
    var known: Set<String> = []
    let directives = terms.filter { known.insert($0.lowercased()).inserted }.prefix(maxTerms).map {
      name + encoded($0)
    }
    return directives.isEmpty ? url : "\(url)#\(delimiter)\(directives.joined(separator: "&"))"
  }

  /// Returns a URL for a passage of a page.
  /// - Parameters:
  ///   - url: The URL of the page, without a fragment.
  ///   - start: The start of the passage, or the whole passage.
  ///   - end: The end of the passage; empty if `start` is the whole passage.
  ///   - prefix: The text before the passage; empty for none.
  ///   - suffix: The text after the passage; empty for none.
  /// - Returns: The URL.
  static func url(
    _ url: String, from start: String, to end: String, prefix: String, suffix: String
  ) -> String {
    let parts = [
      prefix.isEmpty ? "" : encoded(prefix) + "-", encoded(start), encoded(end),
      suffix.isEmpty ? "" : "-" + encoded(suffix),
    ]
    return "\(url)#\(delimiter)\(name)" + parts.filter { !$0.isEmpty }.joined(separator: ",")
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// Returns the position of the terms in a document, preferably outside its navigation; nil if
  /// they do not occur.
  package func offset(in document: Document) -> UInt32? {
    let page = SearchedText(document)
    if let offset = offsetInContext(in: page) { return page.source(of: offset) }
    let terms = terms.map { TextPassage.Term(text: FoldedText($0), isWhole: false) }
    let passage =
      TextPassage(of: terms, in: page)
      ?? TextPassage(of: terms, in: SearchedText(document, hidesNoteNumbers: true))
    return passage?.terms.first.flatMap { page.source(of: $0.lowerBound) }
  }

  /// Returns the position in a page of the text of a single directive, identified by its context:
  /// by the text on both sides if the page still has it, otherwise by that on one side. Returns nil
  /// if the directive has no context or the context does not occur.
  private func offsetInContext(in page: SearchedText) -> Int? {
    guard let term = terms.first, terms.count == 1, !prefix.isEmpty || !suffix.isEmpty else {
      return nil
    }
    let text = FoldedText(page.text)
    for (prefix, suffix) in [(prefix, suffix), (prefix, ""), ("", suffix)]
    where !prefix.isEmpty || !suffix.isEmpty {
      // In scripts without spaces, the context may be adjacent to the text.
      for separator in [" ", ""] {
        let sample = [prefix, term, suffix].filter { !$0.isEmpty }.joined(separator: separator)
        guard let found = text.range(of: FoldedText(sample)) else { continue }
        let before =
          prefix.isEmpty ? nil : text.range(of: FoldedText(prefix), from: found.lowerBound)
        let start = before?.upperBound ?? found.lowerBound
        return text.range(of: FoldedText(term), from: start)?.lowerBound ?? found.lowerBound
      }
    }
    return nil
  }
}
