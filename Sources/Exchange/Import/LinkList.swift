import DOM
import Foundation
import Document
import OfflineCache

/// Lists of pages as text: an address a line, with what may stand beside it; links as Gemini and
/// Markdown write them.
enum LinkList {
  /// Tells the format of a text; nil when no line of it is an address.
  static func format(of text: [UInt8]) -> ImportFormat? {
    var hasAddress = false
    for line in lines(of: text) {
      guard let entry = Entry(line) else { continue }
      if entry.isGemini { return .offpunk }
      hasAddress = hasAddress || WebURL(entry.address)?.isWeb == true
    }
    return hasAddress ? .list : nil
  }

  /// Reads a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    for line in lines(of: text) {
      if let entry = Entry(line) {
        list.add(entry.address, ImportedLink(url: "", title: entry.title))
      } else if !isComment(line) {
        list.skip()
      }
    }
  }

  private static func lines(of text: [UInt8]) -> some Sequence<String> {
    text.lazy.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self).oneLine }
  }

  private static func isComment(_ line: String) -> Bool { line.isEmpty || line.hasPrefix("#") }

  /// A line that names a page.
  private struct Entry {
    var address: String
    var title: String
    /// It is written as Gemini's links are: `=> ADDRESS TITLE`.
    var isGemini = false

    init?(_ line: String) {
      var rest = line[...]
      guard !LinkList.isComment(line) else { return nil }
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
      } else if Self.isHost(word), behind.isEmpty || behind.hasPrefix("#") {
        address = "https://" + word
      } else if isGemini, word.contains(":") {
        address = String(word)
      } else {
        return nil
      }
    }

    /// `[title](address)`
    private static func markdown(_ text: Substring) -> (String, String)? {
      guard text.hasPrefix("["), let middle = text.range(of: "]("),
        let end = text[middle.upperBound...].firstIndex(of: ")")
      else { return nil }
      let target = text[middle.upperBound..<end].prefix { $0 != " " }
      return (String(target), String(text[..<middle.lowerBound].dropFirst()))
    }

    /// Whether a word is a host, with or without a path: `example.org/page`.
    private static func isHost(_ word: Substring) -> Bool {
      let host = word.prefix { $0 != "/" }
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      return labels.count > 1
        && labels.allSatisfy { label in
          !label.isEmpty
            && label.utf8.allSatisfy { byte in
              byte >= 0x80 || byte == 0x2D || (0x30...0x39).contains(byte)
                || (0x61...0x7A).contains(byte | 0x20)
            }
        } && labels.last?.contains { $0.isLetter } == true
    }
  }
}
