import Testing

@testable import Layout

@Suite struct DisplayWidthTests {
  static let rows: [(name: String, text: String, clusters: Int, width: Int)] = [
    ("ASCII", "abc", 3, 3),
    ("Latin", "Zürich", 6, 6),
    ("combining", "e\u{301}", 1, 1),
    ("a thousand combining marks", "e" + String(repeating: "\u{301}", count: 1000), 1, 1),
    ("CJK", "苏黎世", 3, 6),
    ("full-width forms", "ＡＢ", 2, 4),
    ("half-width katakana", "ｱｲ", 2, 2),
    ("Hangul syllables", "한국", 2, 4),
    ("leading consonants without end", String(repeating: "\u{1111}", count: 5), 3, 10),
    ("Hangul jamo", "\u{1112}\u{1161}\u{11AB}", 1, 2),
    ("emoji", "😀", 1, 2),
    ("new emoji", "\u{1FAE8}", 1, 2),
    ("ZWJ family", "👨‍👩‍👧‍👦", 1, 8),
    ("ZWJ with VS16", "❤️‍🔥", 1, 4),
    ("ZWJ with VS16 at its end", "👨‍⚖️", 1, 4),
    ("joined emoji without end", String(repeating: "👨\u{200D}", count: 50), 9, 100),
    ("skin tone", "👍🏽", 1, 4),
    ("flag of a region", "🏴\u{E0067}\u{E0062}\u{E007F}", 1, 2),
    ("flags", "🇨🇭🇫🇷", 2, 4),
    ("half a flag", "🇨", 1, 1),
    ("VS16", "❤️", 1, 2),
    ("text heart", "❤", 1, 1),
    ("keycap", "1️⃣", 1, 2),
    ("zero-width space", "a\u{200B}b", 3, 2),
    ("zero-width joiner alone", "\u{200D}", 1, 0),
    ("soft hyphen", "a\u{AD}b", 3, 2),
    ("no-break space", "a\u{A0}b", 3, 3),
    ("ambiguous", "①°…", 3, 3),
    ("replacement", "\u{FFFD}", 1, 1),
    ("Arabic", "مرحبا", 5, 5),
    ("Hebrew with points", "שָׁ", 1, 1),
    ("Thai", "ที่", 1, 1),
    ("box drawing", "│┌", 2, 2),
    ("control", "\u{7}", 1, 0),
  ]

  @Test(arguments: rows.indices) func `text has the width that terminals give it`(_ index: Int) {
    let row = Self.rows[index]
    let bytes = Array(row.text.utf8)
    let clusters = Array(GraphemeClusters(bytes))
    #expect(clusters.count == row.clusters, "\(row.name)")
    #expect(clusters.reduce(0) { $0 + $1.width } == row.width, "\(row.name)")
    #expect(DisplayWidth().width(of: row.text) == row.width, "\(row.name)")
    #expect(clusters.last?.bytes.upperBound == bytes.count, "\(row.name)")
  }

  @Test(
    arguments: [
      ("①°…", 6), ("“quoted”", 10), ("Ωα Жж", 9), ("é ñ", 4), ("e\u{301}", 1), ("\u{E9}\u{301}", 2),
      ("a\u{AD}b", 2), ("│┌", 4), ("\u{E000}\u{10FFFD}", 4), ("❤️", 2), ("☎️", 2), ("漢ｱ", 3),
      ("\u{FFFD}", 2),
      ("ASCII", 5), ("👨‍👩‍👧‍👦🇨🇭", 10), ("\u{300}", 0),
    ] as [(String, Int)])
  func `ambiguous characters have the configured width`(text: String, width: Int) {
    let wide = DisplayWidth(ambiguousWidth: 2)
    let bytes = Array(text.utf8)
    #expect(wide.width(of: text) == width)
    #expect(GraphemeClusters(bytes, widths: wide).reduce(0) { $0 + $1.width } == width)
  }

  @Test func `clusters of a byte range stay within it`() {
    let bytes = Array("ab日本".utf8)
    let clusters = Array(GraphemeClusters(bytes, in: 1..<5))
    #expect(clusters.map(\.bytes) == [1..<2, 2..<5])
    #expect(clusters.map(\.width) == [1, 2])
  }

  @Test func `invalid UTF-8 is split into clusters, too`() {
    let bytes: [UInt8] = [0xFF, 0x41, 0xC3, 0xE2, 0x82, 0xF0, 0x9F, 0x98, 0x80, 0xC0, 0x80]
    var position = 0
    for cluster in GraphemeClusters(bytes) {
      #expect(cluster.bytes.lowerBound == position && !cluster.bytes.isEmpty)
      position = cluster.bytes.upperBound
    }
    #expect(position == bytes.count)
  }
}
