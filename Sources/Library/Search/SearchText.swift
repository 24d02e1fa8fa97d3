import Foundation
import Layout
import OfflineCache

/// Text as the search index takes it: folded (`TextFolding`), so that words are found as people
/// type them, and in scripts that put no spaces between words the runs become pairs of characters
/// that overlap (`漢字仮` is `漢字 字仮 仮`), so that any part of a run is found as a phrase of pairs.
/// Hangul has spaces, but endings that nobody types: it becomes pairs, too.
enum SearchText {
  /// Text for the index.
  static func indexed(_ text: some StringProtocol) -> String {
    // Small letters are told from capitals by the index itself, and nothing else of ASCII changes.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return String(text) }
    return paired(TextFolding.folded(text), keepsLast: true)
  }

  /// So much of what stands beside the content of a page is taken, in bytes.
  private static let restLimit = 16 << 10

  /// The lines of a page that say something that its content does not: those with a word that has
  /// not come before. What a site says around each of its pages would else be most of an index.
  /// - Parameters:
  ///   - page: the text of the whole page.
  ///   - content: that of its content.
  /// - Returns: the lines, in their order.
  static func rest(of page: [UInt8], beside content: String) -> String {
    // What the content of a long page lacks is hardly more than a piece that was cut off.
    guard content.utf8.count < 1 << 20 else { return "" }
    var known: Set<ArraySlice<UInt8>> = []
    for word in words(of: Array(content.utf8)[...]) { known.insert(word) }
    var rest: [UInt8] = []
    for line in page.split(separator: 0x0A) {
      var isNew = false
      for word in words(of: line) where known.insert(word).inserted { isNew = true }
      guard isNew else { continue }
      guard rest.count + line.count < restLimit else { break }
      rest += line + [0x0A]
    }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The words of a line in small letters, as far as ASCII goes.
  private static func words(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.split { byte in
      !(0x61...0x7A).contains(byte) && !(0x30...0x39).contains(byte) && byte < 0x80
    }
  }

  /// The address of a page for the index: as people read it, with letters where it has codes.
  /// - Parameter key: the cache key of the page.
  /// - Returns: text for the index.
  static func indexed(address key: String) -> String {
    guard key.utf8.contains(UInt8(ascii: "%")) || key.contains("xn--") else { return indexed(key) }
    let words = key.removingPercentEncoding ?? key
    let labels = words.split(separator: ".", omittingEmptySubsequences: false).map { part in
      // In front of the first label stands the scheme, behind the last the path.
      part.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("xn--") ? Punycode.decode(label: $0) ?? String($0) : String($0) }
        .joined(separator: "/")
    }
    return indexed(labels.joined(separator: "."))
  }

  /// The words of a query as a phrase of the index: a string of the syntax of SQLite's FTS5, and
  /// whether it has to be taken as the beginning of a word; nil when there is no word in it.
  static func phrase(_ text: some StringProtocol) -> (text: String, isPrefix: Bool)? {
    let folded = TextFolding.folded(text)
    let scalars = Array(folded.unicodeScalars.filter(isWordScalar))
    guard !scalars.isEmpty else { return nil }
    // A single character of a run is at the beginning of a pair, or alone at the end.
    let isSingle = scalars.count == 1 && TextFolding.isFoundWithin(scalars[0])
    // Neither a quotation mark nor NUL may end the string.
    let words = String(
      paired(folded, keepsLast: false).map { character in
        character == "\"" || character.unicodeScalars.contains { $0.value < 0x20 } ? " " : character
      })
    return ("\"\(words.trimmed)\"", isSingle)
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || TextFolding.isFoundWithin(scalar)
  }

  /// A folded text with pairs of characters where a script has no spaces.
  private static func paired(_ text: String, keepsLast: Bool) -> String {
    // The first of these scripts begins at U+0E00.
    guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return text }
    var result = String.UnicodeScalarView()
    var run: [Unicode.Scalar] = []
    func flush() {
      guard !run.isEmpty else { return }
      result.append(" ")
      for index in run.indices.dropLast() {
        result.append(contentsOf: [run[index], run[index + 1], " "])
      }
      if keepsLast || run.count == 1 { result.append(contentsOf: [run[run.count - 1], " "]) }
      run.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if TextFolding.isFoundWithin(scalar) {
        run.append(scalar)
      } else {
        flush()
        result.append(scalar)
      }
    }
    flush()
    return String(result)
  }
}

extension String {
  /// Without white space around it.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
