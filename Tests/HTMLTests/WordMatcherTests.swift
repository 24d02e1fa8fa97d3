import TestSupport
import Testing

@testable import DOM
@testable import ReaderMode

struct WordMatcherTests {
  private static let terms: [(UInt32, StaticString)] = [
    (1, "side,sidebar, nav "), (2, "barn,-ad-"), (4, " share_,ide"), (8, "sidebars"),
    (16, "two words"),
  ]

  @Test(
    arguments: [
      ("", 0), (" ", 0), ("si", 0), ("side", 1 | 4), ("SideBar", 1 | 4), ("xsidebarn", 1 | 2 | 4),
      ("sidebars", 1 | 4 | 8), ("sidebar s", 1 | 4), ("nav", 1), ("NAV", 1), ("navs", 0),
      ("a nav", 1),
      ("a\tnav\nb", 1), ("x-nav", 0), ("-ad-", 2), ("-ad", 0), ("--ad--", 2), ("share_", 4),
      ("share_x", 4), ("xshare_", 0), ("two words", 16), ("two\u{0C}WORDS", 16), ("two", 0),
      ("wort-süde", 0), ("\u{FFFD}ide\u{FFFD}", 4), ("barn side", 1 | 2 | 4), ("ba\u{0}rn", 0),
    ] as [(String, UInt32)])
  func `words match anywhere in any case, and spaces match the ends of names`(
    text: String, bits: UInt32
  ) {
    let matcher = WordMatcher(Self.terms)
    // Bytes outside the range are not read.
    let bytes = Array("side\(text)sidebars".utf8)
    let range = 4..<4 + text.utf8.count
    #expect(bytes.withUnsafeBufferPointer { matcher.match($0, in: range) } == bits)
  }

  @Test func `matches equal those of separate searches, whatever the bytes are`() {
    let matcher = WordMatcher(Vocabulary.boilerplateNames.map { ($0.rawValue, $1) })
    let lists = Vocabulary.boilerplateNames.map { name, list in
      (name.rawValue, "\(list)".split(separator: ",").map { Array($0.utf8) })
    }
    let parts = lists.flatMap(\.1) + [Array(" ".utf8), Array("-".utf8), [0xC3], Array("so".utf8)]
    var random = SplitMix64(seed: 7)
    func next(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    for _ in 0..<500 {
      let text = (0..<next(5)).flatMap { _ in parts[next(parts.count)].dropLast(next(3)) }
      let whole = [0x20] + text + [0x20]
      let expected = lists.reduce(0 as UInt32) { bits, list in
        list.1.contains { whole.firstRange(of: $0) != nil } ? bits | list.0 : bits
      }
      #expect(text.withUnsafeBufferPointer { matcher.match($0, in: $0.indices) } == expected)
    }
  }

  @Test func `vocabulary phrases have the hash of a block with the same text`() {
    for (_, list) in Vocabulary.phrases {
      var hashes: [UInt64] = []
      BlockTextCounts.forEachHash(of: list) { hashes.append($0) }
      let expected = "\(list)".split(separator: ",").map { phrase in
        var text = BlockTextCounts()
        let bytes = Array(phrase.utf8)
        bytes.withUnsafeBufferPointer { text.add($0, in: $0.indices, isLink: false) }
        text.endWord()
        return text.openingHash
      }
      #expect(hashes == expected)
    }
  }
}
