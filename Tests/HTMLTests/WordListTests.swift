import DOM
import TestSupport
import Testing

@testable import Document

@Suite struct WordListTests {
  private func list(_ text: String) -> WordList { WordList(of: Array(text.utf8)[...]) }

  @Test(
    arguments: [
      ("", 0), ("  -- !", 0), ("one", 1), ("One one ONE", 1), ("don't don’t", 1), ("a–b a", 2),
      ("日本 日", 2), ("Ünï ünï", 2), ("x1 1x", 2), ("a…", 1),
    ] as [(String, Int)])
  func `distinct words are counted regardless of ASCII case`(_ text: String, _ count: Int) {
    #expect(list(text).count == count, "\(text)")
  }

  @Test(arguments: Seeds.all)
  func `common words are those of both texts`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          ["a", "b", "ab", "abc", "b2", "é", "z"].randomElement(using: &random) ?? "a"
        }
      }
      let (first, second) = (Set(texts[0]), Set(texts[1]))
      let lists = texts.map { list($0.joined(separator: ", ")) }
      #expect(lists[0].count == first.count)
      #expect(lists[0].commonWordCount(in: lists[1]) == first.intersection(second).count)
    }
  }

  @Test(arguments: Seeds.all)
  func `a list of nodes contains the nodes that were added`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let nodes = (0..<40).map { _ in Int32.random(in: 0..<50, using: &random) }
    var list = NodeSet(Array(nodes.prefix(20)))
    for node in nodes.dropFirst(20) { list.insert(node) }
    for node in 0..<Int32(50) { #expect(list.contains(node) == nodes.contains(node), "\(node)") }
    #expect(list == NodeSet(nodes))
    #expect(NodeSet().isEmpty && !list.isEmpty)
  }
}
