/// A matcher that finds, in one pass, which phrases occur in a text. The first two bytes at each
/// position select the phrases to compare.
struct PhraseMatcher: Sendable {
  private struct Phrase {
    let bytes: [UInt8]
    let topics: PageTopics
  }

  /// The phrases, grouped by slot: a number computed from the first two bytes of a phrase.
  private let phrases: [Phrase]
  /// The index of the first phrase of each slot, followed by the number of phrases.
  private let starts: [UInt16]

  /// Creates a matcher.
  /// - Parameter lists: Topics and the lowercase phrases that indicate them, each of at least two
  ///   bytes.
  init(_ lists: [(PageTopics, [String])]) {
    let all = lists.flatMap { topics, phrases in
      phrases.map { Phrase(bytes: Array($0.utf8), topics: topics) }
    }
    func slot(_ phrase: Phrase) -> Int { Self.slot(phrase.bytes[0], phrase.bytes[1]) }
    var starts = [UInt16](repeating: 0, count: Self.slotCount + 1)
    for phrase in all { starts[slot(phrase) + 1] += 1 }
    for index in 1...Self.slotCount { starts[index] += starts[index - 1] }
    self.starts = starts
    phrases = all.sorted { slot($0) < slot($1) }
  }

  /// Returns the topics of all phrases in a text.
  func topics(of text: [UInt8]) -> PageTopics {
    var found: PageTopics = []
    text.withUnsafeBufferPointer { text in
      starts.withUnsafeBufferPointer { starts in
        for index in text.indices.dropLast() {
          let slot = Self.slot(text[index], text[index + 1])
          let (first, end) = (Int(starts[slot]), Int(starts[slot + 1]))
          if first < end { compare(phrases[first..<end], with: text, at: index, &found) }
        }
      }
    }
    return found
  }

  private func compare(
    _ phrases: ArraySlice<Phrase>, with text: UnsafeBufferPointer<UInt8>, at start: Int,
    _ found: inout PageTopics
  ) {
    for phrase in phrases where !found.isSuperset(of: phrase.topics) {
      if text[start...].starts(with: phrase.bytes) { found.formUnion(phrase.topics) }
    }
  }

  private static let slotCount = 4096

  private static func slot(_ first: UInt8, _ second: UInt8) -> Int {
    (Int(first) << 5 ^ Int(second)) & (slotCount - 1)
  }
}
