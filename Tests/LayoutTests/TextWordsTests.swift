import Document
import ReaderMode
import TestSupport
import Testing

@testable import Layout

/// The words by which the ends of a selection move.
@Suite struct TextWordsTests {
  private static func words(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return TextWords(bytes).ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("", []), (" \n\t ", []), ("one", ["one"]),
      ("One day, it rained.", ["One", "day,", "it", "rained."]),
      // Apostrophes, decimal points and underscores are inside words.
      ("can't 3.14 snake_case", ["can't", "3.14", "snake_case"]),
      // Punctuation belongs to the word before it, opening punctuation to the one after it.
      ("a (b, c) \"d\" “e” ¿f?", ["a", "(b,", "c)", "\"d\"", "“e”", "¿f?"]),
      ("well-known f(x)", ["well-", "known", "f", "(x)"]), ("a – b…", ["a", "–", "b…"]),
      ("… (", ["…", "("]), ("x=[1]", ["x=", "[1]"]),
      // Combining marks and invisible characters stay with their letters.
      ("e\u{301}te\u{301} ca\u{AD}fe", ["e\u{301}te\u{301}", "ca\u{AD}fe"]),
      ("a\u{200B}b", ["a", "b"]), ("👩‍👩‍👧 ok", ["👩‍👩‍👧", "ok"]),
      // Scripts without spaces.
      ("東京は。「人」", ["東", "京", "は。", "「人」"]), ("カタカナ です", ["カタカナ", "で", "す"]),
      ("ไป", ["ไป"]), ("한국어 말", ["한국어", "말"]),
      // Right to left.
      ("שלום, עולם!", ["שלום,", "עולם!"]),
    ] as [(String, [String])])
  func `a text is divided into words`(_ text: String, _ expected: [String]) {
    #expect(Self.words(text) == expected)
  }

  /// Characters that are combined at random.
  private static let characters = Array(
    "ab 1.,;()[]\"'-_\n\u{301}\u{200D}\u{AD}\u{200B}\u{2068}\u{FFFD}\u{0}漢字カナไทยשל👩é\u{10FFFF}"
      .unicodeScalars)

  private static func garbage(_ random: inout some RandomNumberGenerator, count: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(characters.randomElement(using: &random) ?? "x") }
    return String(text)
  }

  @Test(arguments: Seeds.all)
  func `the words of any text are ascending and leave out only white space`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let bytes = Array(Self.garbage(&random, count: Int.random(in: 0...40, using: &random)).utf8)
      var end = 0
      for word in TextWords(bytes).ranges {
        #expect(word.lowerBound >= end && !word.isEmpty && word.upperBound <= bytes.count)
        let gap = String(decoding: bytes[end..<word.lowerBound], as: UTF8.self)
        #expect(Self.isSpace(gap))
        end = word.upperBound
      }
      #expect(Self.isSpace(String(decoding: bytes[end...], as: UTF8.self)))
    }
  }

  private static func isSpace(_ text: String) -> Bool {
    // Characters that extend the white space before them are not separate words.
    text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0 == "\u{200B}" || $0 == "\u{200D}"
        || $0.properties.isGraphemeExtend || $0.properties.generalCategory == .format
    }
  }

  // MARK: Documents

  private static func document(_ html: String) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html")
  }

  private static func all(_ words: DocumentWords) -> [Range<UInt32>] {
    var result: [Range<UInt32>] = []
    while let word = words.word(endingAfter: result.last?.upperBound ?? 0) { result.append(word) }
    return result
  }

  private static func allBackwards(_ words: DocumentWords) -> [Range<UInt32>] {
    var result: [Range<UInt32>] = []
    while let word = words.word(beginningBefore: result.last?.lowerBound ?? .max) {
      result.append(word)
    }
    return result.reversed()
  }

  private static func text(_ range: Range<UInt32>, of document: Document) -> String {
    String(
      decoding: document.text[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }

  @Test(arguments: [
    "<p>One <b>day</b>, it</p><p>rained.</p>", "<ul><li>a b<li>c</ul><pre>d\n  e f\n</pre>",
    "<table><tr><th>A<th>B<tr><td>c d<td>e f</table>", "<p>東京は日本の首都です。</p><p>שלום עולם</p>",
    "<p>\(String(repeating: "word ", count: 3000))</p>", "", "<p> </p>", "<p>x</p><p>&nbsp;</p>",
  ])
  func `the words of a document are the same forwards and backwards`(_ html: String) {
    let document = Self.document(html)
    let words = DocumentWords(document)
    let forwards = Self.all(words)
    #expect(forwards == Self.allBackwards(words))
    #expect(forwards.count == words.wordCount(in: 0..<UInt32(document.text.count)))
    for (first, second) in zip(forwards, forwards.dropFirst()) {
      #expect(first.upperBound <= second.lowerBound)
    }
  }

  @Test func `words do not cross blocks, and are found from inside`() throws {
    let document = Self.document("<p>one two</p><p>three</p>")
    let words = DocumentWords(document)
    #expect(Self.all(words).map { Self.text($0, of: document) } == ["one", "two", "three"])
    #expect(words.word(endingAfter: 5) == 4..<7)
    #expect(words.word(beginningBefore: 5) == 4..<7)
    #expect(words.word(endingAfter: 12) == nil && words.word(beginningBefore: 0) == nil)
    #expect(words.blockEnd(at: 5) == 7 && words.blockEnd(at: 7) == 12)
    #expect(words.blockEnd(at: 12) == nil)
  }

  @Test func `hidden text has no words`() {
    let document = Self.document("<p>one two</p><p>three</p><p>four</p>")
    let words = DocumentWords(document, hiddenRanges: [4..<6, 7..<12])
    #expect(Self.all(words) == [0..<3, 6..<7, 12..<16])
    #expect(words.blockEnd(at: 1) == 4 && words.blockEnd(at: 8) == nil)
    #expect(words.wordCount(in: 0..<16) == 3)
  }

  @Test func `a very long word is divided, and words after it are found`() {
    let document = Self.document("<p>a \(String(repeating: "x", count: 20_000)) end</p>")
    let words = Self.all(DocumentWords(document))
    #expect(words.first == 0..<1)
    #expect(words.last.map { Self.text($0, of: document) } == "end")
    #expect(words.count < 100)
  }
}
