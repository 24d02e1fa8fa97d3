import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Hostile input in text formats.
struct HostileTextTests {
  private static let types = [
    "application/json", "text/csv", "text/tab-separated-values", "text/markdown", "application/xml",
    "text/plain", "text/gemini",
  ]

  @Test(arguments: [
    "[", "{\"a\":", "[[],", "{", "\"", "\\", "\"\\n", ",", "\"\",", "\t", "\n", "\r", "a,b\n",
    "<",
    "<a>", "<a b='", "<!--", "<![CDATA[", "<!x [", "</a>", "<?", "&", "&amp;", ">", "> ", "- ",
    "* ",
    "1. ", "#", "# a\n", "*", "_", "**a ", "*a_", "~~", "`", "``a", "![", "[a](", "[a][", "](",
    "]",
    "[a]: b\n", "[a](b \"", "[a](b(", "<a@", "|", "a|b\n-|-\n", "|-", "    a\n", "\t- ", ">a\n",
    "- a\n\n",
    "www.", "(www.", "*www.a.b",
    "http://", "https://a.test/(", "\u{8}", "_\u{8}", "a\u{8}a", "\u{1B}[", "\u{1B}", "\u{C}",
    "\0",
    "!!! a\n    b\n", "!!! a\n    ", "::: note\n", ":::\n", "::::tip\n:::\n", "=> ", "=>a\n",
    "\u{202E}", "---\n", "```\n", "~~~", "<div>\n", "<script>", "[[", "[![", "é", "\\[",
    "<style </style\n", "<script </script\n",
  ])
  func `repeated markup gives a valid document at bounded cost`(_ part: String) {
    let size = Effort.rounds(24_000, part: 6_000)
    let bytes = Array(String(repeating: part, count: size / part.utf8.count).utf8)
    for type in Self.types {
      let document = Document(bytes: bytes, mediaType: type)
      #expect(document.problems.isEmpty, "\(type) \(part): \(document.problems.first ?? "")")
      #expect(document.text.count < 24 * bytes.count + 1000, "\(type) \(part)")
    }
  }

  @Test func `very many brackets give a document of bounded size`() {
    let count = Effort.rounds(1_000_000, part: 200_000)
    for json in [
      String(repeating: "[", count: count),
      String(repeating: "[", count: count / 2) + String(repeating: "]", count: count / 2),
    ] {
      let document = Document(bytes: Array(json.utf8), mediaType: "application/json")
      #expect(document.text.count < 3 * count)
    }
  }

  @Test func `runs of backticks of every length are text, and the last matching pair is code`() {
    let runs = (1...1500).map { String(repeating: "`", count: $0) + " " }.joined()
    let document = Document(bytes: Array((runs + "``x``").utf8), mediaType: "text/markdown")
    let text = String(decoding: document.text, as: UTF8.self)
    #expect(text.hasPrefix("` "), "\(text.prefix(20))")
    #expect(document.runs.contains { $0.style.contains(.code) })
    #expect(document.text.count > 1_000_000)
  }

  @Test(arguments: 1...6)
  func `random input gives a valid document`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words: [String] = [
      "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u12", "<", ">", "</", "<!--", "-->", "<![CDATA[",
      "]]>",
      "*", "_", "`", "#", "- ", "1. ", "> ", "|", "---", "\n", "\n\n", " ", "    ", "\t",
      "http://a", "(", ")",
      "!", "~~", "[a]: b", "\u{8}", "\u{1B}[0m", "\0", "é", "漢", "\u{202E}", "\r", "a", "word", "=",
      "'", "1",
    ]
    let parts: [[UInt8]] = words.map { Array($0.utf8) } + [[0xFF], [0xC2], [0xE2, 0x80]]
    for _ in 0..<60 {
      var bytes: [UInt8] = []
      for _ in 0..<Int(random.next() % 400) {
        bytes += parts[Int(random.next() % UInt64(parts.count))]
      }
      for type in Self.types {
        let document = Document(bytes: bytes, mediaType: type, charset: "utf-8")
        #expect(document.problems.isEmpty, "\(type): \(document.problems.first ?? "")")
      }
    }
  }
}
