@testable import Library
import TestSupport
import Testing

@Suite struct SequenceMatchTests {
  private func numbers(_ text: String) -> [Int32] { text.unicodeScalars.map { Int32($0.value) } }

  /// Returns the common elements as text.
  private func common(_ old: String, _ new: String) -> String {
    let match = SequenceMatch(numbers(old), numbers(new))
    return String(match.pairs.map { Array(old)[$0.old] })
  }

  @Test(
    arguments: [
      ("", "", ""), ("abc", "abc", "abc"), ("abc", "", ""), ("", "abc", ""), ("abc", "axc", "ac"),
      ("abcabba", "cbabac", "baba"), ("xaby", "ab", "ab"), ("ab", "ba", "b"),
      ("aaaa", "aa", "aa"), ("abab", "baba", "bab"), ("one two", "one six two", "one two"),
    ] as [(String, String, String)])
  func `a longest common subsequence is found`(_ old: String, _ new: String, _ same: String) {
    #expect(common(old, new).count == same.count, "\(common(old, new))")
  }

  private func isSound(_ old: [Int32], _ new: [Int32]) -> Bool {
    let pairs = SequenceMatch(old, new).pairs
    return zip(pairs, pairs.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new }
      && pairs.allSatisfy { old[$0.old] == new[$0.new] }
  }

  @Test func `matched pairs are equal and ascending, whatever the sequences are`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let kinds = Int32.random(in: 1...6, using: &random)
      func sequence() -> [Int32] {
        (0..<Int.random(in: 0...30, using: &random)).map { _ in
          Int32.random(in: 0..<kinds, using: &random)
        }
      }
      let (old, new) = (sequence(), sequence())
      #expect(isSound(old, new), "\(old) \(new)")
    }
  }

  @Test func `long sequences with little in common are compared quickly`() {
    var random = SplitMix64(seed: 8)
    let old = (0..<300_000).map { _ in Int32.random(in: 0..<3, using: &random) }
    let new = (0..<300_000).map { _ in Int32.random(in: 0..<3, using: &random) }
    #expect(isSound(old, new))
    let ascending = (0..<300_000).map { Int32($0) }
    #expect(isSound(ascending, ascending.reversed()))
    let pairs = ascending.flatMap { [$0, $0] }
    #expect(isSound(pairs, Array(pairs.dropFirst(300_001)) + pairs))
  }
}
