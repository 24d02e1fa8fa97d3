import Testing

@testable import Layout

@Suite struct LineBreakerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var width = 20
    var lines: [String]
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(name: "empty", text: "", lines: [""]),
    Row(name: "fits", text: "exactly twenty chars", lines: ["exactly twenty chars"]),
    Row(
      name: "breaks at a space", text: "exactly twenty chars more",
      lines: ["exactly twenty chars", "more"]),
    Row(
      name: "the space at the break is not shown", text: "aaaa bbbb cccc dddd  eeee",
      lines: ["aaaa bbbb cccc dddd", "eeee"]),
    Row(name: "forced break", text: "one\ntwo\n\nfour", lines: ["one", "two", "", "four"]),
    Row(
      name: "hyphen inside a word", text: "this is a state-of-the-art reader",
      lines: ["this is a state-of-", "the-art reader"]),
    Row(
      name: "email address", text: "write to head-office@my-firm.test or well-known x", width: 27,
      lines: ["write to", "head-office@my-firm.test or", "well-known x"]),
    Row(
      name: "email address wider than a line", text: "to head-office@my-firm.test",
      lines: ["to", "head-office@my-firm.", "test"]),
    Row(
      name: "URL that fits on the next line", text: "look at https://my-host.test/a-b now",
      width: 25, lines: ["look at", "https://my-host.test/a-b", "now"]),
    Row(
      name: "URL without a scheme in CJK text", text: "日本語my-host.test/abc日本", width: 18,
      lines: ["日本語", "my-host.test/abc日", "本"]),
    Row(
      name: "path that fits on the next line", text: "see “é” in /usr/lib/my-program", width: 20,
      lines: ["see “é” in", "/usr/lib/my-program"]),
    Row(
      name: "path wider than a line", text: "in /usr/share/my-program/my-data",
      lines: ["in /usr/share/my-", "program/my-data"]),
    Row(
      name: "markup with a path", text: "in the <a href=/a/my-file.pdf>it</a>", width: 28,
      lines: ["in the <a href=/a/my-", "file.pdf>it</a>"]),
    Row(
      name: "words between slashes", text: "have breakfast/lunch/dinner", width: 24,
      lines: ["have breakfast/lunch/", "dinner"]),
    Row(
      name: "no break after the hyphen of an option", text: "use this command -long",
      lines: ["use this command", "-long"]),
    Row(
      name: "no break in a number", text: "a range of the years 1990-1999",
      lines: ["a range of the years", "1990-1999"]),
    Row(
      name: "slash between words", text: "reading this and/or that",
      lines: ["reading this and/or", "that"]),
    Row(
      name: "no break after one letter and a slash", text: "driver of the new I/O layer",
      lines: ["driver of the new", "I/O layer"]),
    Row(
      name: "no break after a first slash", text: "it is found below /usr",
      lines: ["it is found below", "/usr"]),
    Row(
      name: "long word", text: "a " + String(repeating: "x", count: 45),
      lines: [
        "a", String(repeating: "x", count: 20), String(repeating: "x", count: 20), "xxxxx",
      ]),
    Row(
      name: "URL at punctuation", text: "https://example.org/index.php?title=abc",
      lines: ["https://example.org/", "index.php?title=abc"]),
    Row(
      name: "no-break space", text: "a distance of 20\u{A0}km", width: 18,
      lines: ["a distance of", "20\u{A0}km"]),
    Row(
      name: "CJK breaks anywhere", text: "日本語日本語日本語日本語",
      lines: ["日本語日本語日本語日", "本語"]),
    Row(
      name: "no CJK punctuation at the start", text: "日本語日本語日本語日、本語",
      lines: ["日本語日本語日本語", "日、本語"]),
    Row(
      name: "Thai: a vowel stays with the consonant behind it", text: "กขคเงจ", width: 4,
      lines: ["กขค", "เงจ"]),
    Row(
      name: "Thai: no vowel of a consonant before begins a line", text: "กขคงะจฉ", width: 4,
      lines: ["กขค", "งะจฉ"]),
    Row(
      name: "Thai: the sign of repetition stays", text: "กขคงๆจ", width: 4, lines: ["กขค", "งๆจ"]),
    Row(
      name: "Thai: the sign of repetition stays, behind a space", text: "กขคง ๆ จ", width: 4,
      lines: ["กขค", "ง ๆ", "จ"]),
    Row(
      name: "Thai: nothing better is known", text: "กขคงจฉชซ", width: 4, lines: ["กขคง", "จฉชซ"]),
    Row(
      name: "Lao: vowel and sign of repetition", text: "ກຂຄເງໆຈ", width: 4, lines: ["ກຂຄ", "ເງໆຈ"]),
    Row(
      name: "Khmer: a consonant stays below another", text: "កខគង្ចឆ", width: 4,
      lines: ["កខគ", "ង្ចឆ"]),
    Row(
      name: "Burmese: the consonant that ends a syllable", text: "ကခဂငန်စ", width: 4,
      lines: ["ကခဂ", "ငန်စ"]),
    Row(
      name: "Hangul breaks at spaces or syllables", text: "한국어 낱말 사이에서 줄을",
      lines: ["한국어 낱말 사이에서", "줄을"]),
    Row(
      name: "a wide character does not straddle the edge", text: "abcdefghijklmnopqrs日",
      lines: ["abcdefghijklmnopqrs", "日"]),
    Row(
      name: "ZWJ sequence is not divided", text: "abcdefghijklmnopqrs👨‍👩‍👧",
      lines: ["abcdefghijklmnopqrs", "👨‍👩‍👧"]),
    Row(
      name: "flags are not divided", text: "abcdefghijklmnopq🇨🇭🇫🇷",
      lines: ["abcdefghijklmnopq🇨🇭", "🇫🇷"]),
    Row(
      name: "combining marks take no room",
      text: "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301} abcdefghijklmn x",
      lines: ["e\u{301}e\u{301}e\u{301}e\u{301}e\u{301} abcdefghijklmn", "x"]),
    Row(
      name: "soft hyphen at the break", text: "abcdefghijkl mnopq\u{AD}rstuv",
      lines: ["abcdefghijkl mnopq-", "rstuv"]),
    Row(
      name: "soft hyphen without room for the hyphen", text: "abcdefghijkl mnopqrs\u{AD}tuvw",
      lines: ["abcdefghijkl", "mnopqrs\u{AD}tuvw"]),
    Row(
      name: "zero-width space", text: "abcdefghijkl\u{200B}mnopqrstuvw",
      lines: ["abcdefghijkl\u{200B}", "mnopqrstuvw"]),
    Row(
      name: "dash between words", text: "é one two three—four five",
      lines: ["é one two three—four", "five"]),
    Row(
      name: "an apostrophe does not break", text: "the word isn’t divided isn’t",
      lines: ["the word isn’t", "divided isn’t"]),
    Row(name: "width one", text: "ab 日", width: 1, lines: ["a", "b", "日"]),
  ]

  @Test(arguments: rows) func `lines are filled greedily`(_ row: Row) {
    #expect(lines(of: row.text, width: row.width) == row.lines)
  }

  @Test func `ASCII text breaks at the same positions alone and next to other text`() {
    let text = "Run https://example.org/a/b?c=d or state-of-the-art -x and 10/12, (see) a--b."
    for width in 20...60 {
      let alone = lines(of: text, width: width)
      let beside = lines(of: text + "\né", width: width)
      #expect(beside.dropLast() == alone[...], "width \(width)")
    }
  }

  @Test func `code is broken where its author allows it, not at hyphens`() {
    #expect(
      lines(of: "run\u{200B}-on\u{200B}-each", width: 8, isCode: true)
        == ["run\u{200B}-on\u{200B}", "-each"])
    #expect(lines(of: "an apt-get call", width: 8, isCode: true) == ["an", "apt-get", "call"])
  }

  @Test func `any bytes are broken into contiguous lines`() {
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<300 {
      let bytes = (0..<200).map { _ -> UInt8 in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state)
      }
      let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
      for width in [1, 2, 7, 20] {
        let segments = segments(of: text, width: width)
        var position = 0
        for segment in segments {
          #expect(
            segment.range.lowerBound >= position && segment.nextLineStart > segment.range.lowerBound
          )
          position = segment.nextLineStart
        }
        #expect(position == text.count)
      }
    }
  }

  private func lines(of text: String, width: Int, isCode: Bool = false) -> [String] {
    let bytes = Array(text.utf8)
    return segments(of: bytes, width: width, isCode: isCode).map { segment in
      String(decoding: bytes[segment.range], as: UTF8.self) + (segment.isHyphenated ? "-" : "")
    }
  }

  private func segments(
    of bytes: [UInt8], width: Int, isCode: Bool = false
  ) -> [LineBreaker.Segment] {
    var breaker = LineBreaker(widths: DisplayWidth())
    breaker.prepare(
      bytes, isASCII: DisplayWidth.isASCII(bytes, in: 0..<bytes.count),
      unbreakableRanges: isCode ? [0..<bytes.count] : [])
    var result: [LineBreaker.Segment] = []
    var position = 0
    repeat {
      let segment = breaker.segment(of: bytes, from: position, width: width)
      result.append(segment)
      position = segment.nextLineStart
    } while position < bytes.count && result.count < 10_000
    return result
  }
}
