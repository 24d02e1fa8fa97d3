import Foundation
import Layout
import OfflineCache

/// Converts text for the search index. Text is folded (`TextFolding`), so that words are found as
/// users type them. In scripts without spaces between words, runs of characters become overlapping
/// pairs (`漢字仮` becomes `漢字 字仮 仮`), so that any substring of a run is found as a phrase of pairs.
/// Hangul has spaces, but also suffixes that users do not type, so runs of it become pairs as well.
enum SearchText {
  /// Returns text for the index.
  static func indexed(_ text: some StringProtocol) -> String {
    // The FTS5 tokenizer ignores case itself, and folding changes nothing else in ASCII.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return signsAsWords(String(text)) }
    return bigrams(signsAsWords(readingsAsRuns(TextFolding.folded(text))), keepsLast: true)
  }

  /// Returns folded text in which each run with readings is followed by the run as it is read:
  /// `食(た)べ物(もの)` becomes `食べ物 たべもの`.
  private static func readingsAsRuns(_ text: String) -> String {
    // Han characters have at least this first byte, unlike those of most other scripts.
    guard text.utf8.contains(UInt8(ascii: "(")), text.utf8.contains(where: { $0 >= 0xE3 })
    else { return text }
    let scalars = text.unicodeScalars.map(\.value)
    guard scalars.indices.contains(where: { Reading.content(at: $0, in: scalars) != nil })
    else { return text }
    var result: [UInt32] = []
    var run: [UInt32] = []
    /// The number of Han characters at the end of `run` whose reading is not known yet.
    var hanCount = 0
    var (index, hasReading) = (0, false)
    func endRun() {
      if hasReading { result += [0x20] + run + [0x20] }
      run.removeAll(keepingCapacity: true)
      (hanCount, hasReading) = (0, false)
    }
    while index < scalars.count {
      if let reading = Reading.content(at: index, in: scalars) {
        let content = scalars[reading]
        // Latin letters would become one word with those of the next reading.
        let separator: [UInt32] = content.contains { $0 < 0x80 } ? [0x20] : []
        run.replaceSubrange(run.suffix(hanCount).indices, with: separator + content + separator)
        (hanCount, hasReading) = (0, true)
        index = reading.upperBound + 1
        continue
      }
      let scalar = scalars[index]
      if Unicode.Scalar(scalar).map(TextFolding.mayBeginMatchWithinWord) ?? false {
        run.append(scalar)
        hanCount = Reading.isHan(scalar) ? hanCount + 1 : 0
      } else {
        endRun()
      }
      result.append(scalar)
      index += 1
    }
    endRun()
    return String(String.UnicodeScalarView(result.compactMap(Unicode.Scalar.init)))
  }

  /// The words for `++` and `#` at the end of names: private-use characters, which the tokenizer
  /// takes for letters.
  private static let (plusesWord, sharpWord) = (" \u{EFF1} ", " \u{EFF2} ")

  /// Returns folded text in which the signs of names such as `C++` and `F#` are words of their own.
  /// The tokenizer ignores signs, so `C++` would be found as `c` otherwise; as two words, it is
  /// still found by `c`.
  private static func signsAsWords(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes -> String? in
      var result: [UInt8] = []
      var copied = 0
      var index = 1
      while index < bytes.count {
        defer { index += 1 }
        let byte = bytes[index]
        guard byte == 0x2B || byte == 0x23, isLetter(bytes[index - 1]) else { continue }
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
        let isPluses = byte == 0x2B && next == 0x2B
        // A letter or a digit follows the sign in `page#section`.
        guard isPluses || byte == 0x23 && !isLetter(next) && !(0x30...0x39).contains(next) else {
          continue
        }
        result += bytes[copied..<index]
        result += (isPluses ? plusesWord : sharpWord).utf8
        copied = index + (isPluses ? 2 : 1)
      }
      guard copied > 0 else { return nil }
      result += bytes[copied...]
      return String(decoding: result, as: UTF8.self)
    } ?? text
  }

  /// Whether a byte is an ASCII letter, or part of a letter that is not ASCII.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
  }

  /// The maximum number of bytes of indexed text outside the main content of a page.
  private static let maxTextLengthOutsideContent = 16 << 10

  /// Returns the lines of a page with at least one word that occurs neither in its main content nor
  /// in an earlier line. If all lines were indexed, boilerplate of sites would make up most of an
  /// index.
  /// - Parameters:
  ///   - page: The text of the whole page.
  ///   - content: The text of its main content.
  /// - Returns: The lines, in order.
  static func linesOutsideContent(of page: [UInt8], beside content: String) -> String {
    // The content of a long page is truncated, so the rest would mostly be content.
    guard content.utf8.count < 1 << 20 else { return "" }
    var known: Set<ArraySlice<UInt8>> = []
    for word in terms(of: Array(content.utf8)[...]) { known.insert(word) }
    var lines: [UInt8] = []
    for line in page.split(separator: 0x0A) {
      var isNew = false
      for word in terms(of: line) where known.insert(word).inserted { isNew = true }
      guard isNew else { continue }
      guard lines.count + line.count < maxTextLengthOutsideContent else { break }
      lines += line + [0x0A]
    }
    return String(decoding: lines, as: UTF8.self)
  }

  /// Returns the words of a line, with ASCII in lower case.
  private static func terms(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.split { byte in
      !(0x61...0x7A).contains(byte) && !(0x30...0x39).contains(byte) && byte < 0x80
    }
  }

  /// Returns the URL of a page for the index, with percent-encoding and Punycode decoded.
  /// - Parameter key: The cache key of the page.
  /// - Returns: The text for the index.
  static func indexed(address key: String) -> String {
    guard key.utf8.contains(UInt8(ascii: "%")) || key.contains("xn--") else { return indexed(key) }
    let text = key.removingPercentEncoding ?? key
    let labels = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      // The scheme precedes the first label of the host, and the path follows the last one.
      part.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("xn--") ? Punycode.decode(label: $0) ?? String($0) : String($0) }
        .joined(separator: "/")
    }
    return indexed(labels.joined(separator: "."))
  }

  /// Returns the words of a query as an FTS5 string, and whether the string must be used as a
  /// prefix; nil if the query contains no word.
  static func phrase(_ text: some StringProtocol) -> (text: String, isPrefix: Bool)? {
    let scalars = Array(TextFolding.folded(text).unicodeScalars)
    guard let last = scalars.lastIndex(where: isWordScalar) else { return nil }
    var words = String.UnicodeScalarView()
    let endsInRun = TextFolding.mayBeginMatchWithinWord(scalars[last])
    // Punctuation at the end would end the run, which may continue on a page.
    words.append(contentsOf: scalars[..<(endsInRun ? last + 1 : scalars.count)])
    // A single character at the end may be the first of a pair in the index, or the last character
    // of a run, which the index has on its own.
    let isSingle =
      endsInRun && (last == 0 || !TextFolding.mayBeginMatchWithinWord(scalars[last - 1]))
    // A quotation mark or a control character would end the FTS5 string.
    let content = String(
      bigrams(signsAsWords(String(words)), keepsLast: false).map { character in
        character == "\"" || character.unicodeScalars.contains { $0.value < 0x20 } ? " " : character
      })
    return ("\"\(content.trimmed)\"", isSingle)
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || TextFolding.mayBeginMatchWithinWord(scalar)
  }

  /// Returns folded text in which runs in scripts without spaces are pairs of characters. The last
  /// character of each run follows the pairs on its own; for a run at the end of the text, this is
  /// the case only if `keepsLast` is true.
  private static func bigrams(_ text: String, keepsLast: Bool) -> String {
    // The first scripts without spaces begin at U+0E00.
    guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return text }
    var result = String.UnicodeScalarView()
    var run: [Unicode.Scalar] = []
    func flush(keepsLast: Bool = true) {
      guard !run.isEmpty else { return }
      result.append(" ")
      for index in run.indices.dropLast() {
        result.append(contentsOf: [run[index], run[index + 1], " "])
      }
      if keepsLast || run.count == 1 { result.append(contentsOf: [run[run.count - 1], " "]) }
      run.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if TextFolding.mayBeginMatchWithinWord(scalar) {
        run.append(scalar)
      } else {
        flush()
        result.append(scalar)
      }
    }
    flush(keepsLast: keepsLast)
    return String(result)
  }
}

extension String {
  /// The text without white space at either end.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
