import Feeds
package import Foundation
package import OfflineCache

/// A page saved by a browser (`saved from url=(0020)https://…`) or SingleFile, with its source in a
/// comment near the beginning.
package struct SavedPage: Sendable, Equatable {
  /// The web URL of the page.
  package var url: WebURL
  /// The time when it was saved, or nil if unknown.
  package var date: Date?

  /// The number of bytes searched for the comment.
  private static let searchedLength = 4096

  /// Detects a saved page; returns nil unless it has such a comment.
  /// - Parameter bytes: The file, in any encoding.
  package init?(_ bytes: [UInt8]) {
    let start = ImportFormat.text(of: Array(bytes.prefix(Self.searchedLength)))
    guard start.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
    self.init(String(decoding: start, as: UTF8.self))
  }

  /// Parses the beginning of a page.
  init?(_ text: String) {
    var rest = text[...]
    while let open = rest.range(of: "<!--") {
      // Comments in the body are content.
      guard rest[..<open.lowerBound].range(of: "<body", options: .caseInsensitive) == nil else {
        return nil
      }
      rest = rest[open.upperBound...]
      let comment = rest.range(of: "-->").map { rest[..<$0.lowerBound] } ?? rest
      if let found = Self.browser(comment) ?? Self.singleFile(comment) {
        (url, date) = found
        return
      }
      rest = rest[comment.endIndex...]
    }
    return nil
  }

  private static func browser(_ comment: Substring) -> (WebURL, Date?)? {
    let words = comment.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, words[0] == "saved", words[1] == "from",
      let end = words[2].firstIndex(of: ")"), words[2].hasPrefix("url=(")
    else { return nil }
    return page(words[2][end...].dropFirst()).map { ($0, nil) }
  }

  private static func singleFile(_ comment: Substring) -> (WebURL, Date?)? {
    let lines = comment.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard lines.contains(where: { $0.hasPrefix("Page saved with SingleFile") }) else { return nil }
    func value(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).drop(while: \.isWhitespace)
    }
    guard let url = value("url:").flatMap(page) else { return nil }
    // The date is followed by the name of the time zone in parentheses.
    return (url, value("saved date:").flatMap { DateText.parse(String($0.prefix { $0 != "(" })) })
  }

  private static func page(_ text: Substring) -> WebURL? {
    WebURL(String(text)).flatMap { $0.isWeb ? $0.withoutFragment.withoutCredentials : nil }
  }
}
