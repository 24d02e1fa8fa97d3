import Foundation
import OfflineCache

/// A line of a list that names a page.
package struct LinkLine: Sendable, Equatable {
  /// The address as written; a host without a scheme becomes a URL.
  package var address: String
  /// The text after the address, or empty.
  package var title: String
  /// Whether it is a link in Gemini syntax: `=> ADDRESS TITLE`.
  package var isGemini = false

  /// Parses a line; returns nil if it names no page.
  package init?(_ line: String) {
    var rest = line[...]
    if rest.hasPrefix("=>") {
      isGemini = true
      rest = rest.dropFirst(2)
    } else {
      for marker in ["- ", "* ", "+ "] where rest.hasPrefix(marker) { rest = rest.dropFirst(2) }
    }
    rest = rest.drop { $0 == " " }
    if let link = Self.markdown(rest) {
      (address, title) = link
      return
    }
    if rest.hasPrefix("<") { rest = rest.dropFirst() }
    let word = rest.prefix { $0 != " " && $0 != ">" }
    let behind = rest[word.endIndex...].drop { $0 == " " || $0 == ">" }
    title = behind.hasPrefix("#") ? "" : String(behind)
    if word.contains("://") {
      address = String(word)
    } else if Self.isHost(word), title.isEmpty, let url = WebURL.forHost(String(word))?.description
    {
      address = url
    } else if isGemini, word.contains(":") {
      address = String(word)
    } else {
      return nil
    }
  }

  /// Returns the address and the title of a Markdown link, `[title](address)`, at the start of a
  /// text; nil if there is none.
  private static func markdown(_ text: Substring) -> (String, String)? {
    guard text.hasPrefix("["), let middle = text.range(of: "]("),
      let end = text[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let target = text[middle.upperBound..<end].prefix { $0 != " " }
    return (String(target), String(text[..<middle.lowerBound].dropFirst()))
  }

  /// Whether a word is a host, with or without a port and a path: `example.org/page`.
  private static func isHost(_ word: Substring) -> Bool {
    let authority = word.prefix { $0 != "/" }
    let host = authority.prefix { $0 != ":" }
    guard authority.dropFirst(host.count + 1).utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    if WebURL.isLoopback(host) { return true }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { byte in
            byte >= 0x80 || byte == 0x2D || (0x30...0x39).contains(byte)
              || (0x61...0x7A).contains(byte | 0x20)
          }
      } && labels.last?.contains { $0.isLetter } == true && !isFileName(word)
  }

  /// Whether a word is the name of a file rather than a host: it ends with a file extension that is
  /// not a top-level domain.
  package static func isFileName(_ word: some StringProtocol) -> Bool {
    let ending = word.lowercased().split(separator: ".").last ?? ""
    return !word.contains("/") && word.contains(".") && fileExtensions.contains(String(ending))
  }

  private static let fileExtensions: Set = [
    "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "txt", "pdf", "xml", "json", "epub",
  ]
}
