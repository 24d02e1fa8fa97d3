import DOM
import Foundation
import OfflineCache

/// The lines of a list of pages as text: a URL per line, optionally followed by a title, or links
/// in Gemini or Markdown syntax. Empty lines and lines that begin with `#` are skipped.
package struct LinkLines: Sequence, IteratorProtocol {
  /// A line that is not empty.
  package struct Line: Sendable, Equatable {
    /// The line number, from 1.
    package var number: Int
    /// The content on one line.
    package var text: String
    /// The page that it refers to, or nil.
    package var link: LinkLine?
  }

  private let bytes: [UInt8]
  private var place: Int
  private var number = 0

  /// Creates a sequence of the lines, of which one is in memory at a time.
  /// - Parameter text: UTF-8 text.
  package init(_ text: [UInt8]) {
    bytes = text
    place = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  package mutating func next() -> Line? {
    while place < bytes.count {
      number += 1
      let end = bytes[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      let text = String(decoding: bytes[place..<end], as: UTF8.self).oneLine
      place = end + (bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
      if text.isEmpty || text.hasPrefix("#") { continue }
      return Line(number: number, text: text, link: LinkLine(text))
    }
    return nil
  }
}

/// A line of a list that refers to a page.
package struct LinkLine: Sendable, Equatable {
  /// The URL with its scheme.
  package var address: String
  /// The text after it, or empty.
  package var title: String
  /// Whether it is in Gemini syntax: `=> URL TITLE`.
  package var isGemini = false

  /// Parses a line; returns nil if it does not refer to a page.
  package init?(_ line: String) {
    var rest = line[...]
    if rest.hasPrefix("=>") {
      isGemini = true
      rest = rest.dropFirst(2)
    } else {
      for mark in ["- ", "* ", "+ "] where rest.hasPrefix(mark) { rest = rest.dropFirst(2) }
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
    } else if Self.isHost(word), title.isEmpty, let url = WebURL.ofHost(String(word))?.description {
      address = url
    } else if isGemini, word.contains(":") {
      address = String(word)
    } else {
      return nil
    }
  }

  /// Parses `[title](url)`.
  private static func markdown(_ text: Substring) -> (String, String)? {
    guard text.hasPrefix("["), let middle = text.range(of: "]("),
      let end = text[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let target = text[middle.upperBound..<end].prefix { $0 != " " }
    return (String(target), String(text[..<middle.lowerBound].dropFirst()))
  }

  /// Whether a word is a host, optionally with a port and a path: `example.org/page`.
  private static func isHost(_ word: Substring) -> Bool {
    let authority = word.prefix { $0 != "/" }
    let host = authority.prefix { $0 != ":" }
    guard authority.dropFirst(host.count + 1).utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    if WebURL.isOfThisMachine(host) { return true }
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

  /// Whether a word is a file name rather than a host: its extension is not a top-level domain.
  package static func isFileName(_ word: some StringProtocol) -> Bool {
    let ending = word.lowercased().split(separator: ".").last ?? ""
    return !word.contains("/") && word.contains(".") && fileEndings.contains(String(ending))
  }

  private static let fileEndings: Set = [
    "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "txt", "pdf", "xml", "json", "epub",
  ]
}
