import DOM

/// The purpose of a block, as suggested by its first words or its whole text.
struct BlockPhrase: OptionSet, Hashable {
  let rawValue: UInt16

  static let buy = BlockPhrase(rawValue: 1 << 0)
  static let follow = BlockPhrase(rawValue: 1 << 1)
  static let related = BlockPhrase(rawValue: 1 << 2)
  static let signIn = BlockPhrase(rawValue: 1 << 3)
  static let share = BlockPhrase(rawValue: 1 << 4)
  static let cookies = BlockPhrase(rawValue: 1 << 5)
  static let subscribe = BlockPhrase(rawValue: 1 << 6)
  static let comments = BlockPhrase(rawValue: 1 << 7)
  static let order = BlockPhrase(rawValue: 1 << 8)
  static let stock = BlockPhrase(rawValue: 1 << 9)
  static let reviews = BlockPhrase(rawValue: 1 << 10)
  static let date = BlockPhrase(rawValue: 1 << 11)
  static let legal = BlockPhrase(rawValue: 1 << 12)
  static let product = BlockPhrase(rawValue: 1 << 13)
  static let member = BlockPhrase(rawValue: 1 << 14)
  static let script = BlockPhrase(rawValue: 1 << 15)

  static let count = 16

  /// Returns the phrases that a text begins with.
  static func phrases(of text: BlockTextCounts) -> BlockPhrase {
    guard text.wordCount > 0, text.wordCount <= 40 else { return text.hasCopyright ? .legal : [] }
    var found: BlockPhrase = text.hasCopyright ? .legal : []
    for (hash, wordCount) in [
      (text.openingHashes.0, 1), (text.openingHashes.1, 2), (text.openingHashes.2, 3),
      (text.openingHashes.3, 4),
    ] where hash != 0 {
      let phrase = phraseTable[hash]
      guard !phrase.isEmpty else { continue }
      // A single word counts only in texts of at most three words.
      if wordCount > 1 || text.wordCount <= 3 { found.formUnion(phrase) }
    }
    return found
  }

  /// The phrases by the hash of their words.
  private static let phraseTable = PhraseTable(Vocabulary.phrases)
}

/// A hash table from hashes of phrases to their purposes.
private struct PhraseTable {
  private struct Slot {
    var hash: UInt64 = 0
    var phrase: BlockPhrase = []
  }

  private var slots = [Slot](repeating: Slot(), count: size)

  /// The number of slots, a power of two; about a quarter of them are used.
  private static let size = 4096

  init(_ vocabulary: [(BlockPhrase, StaticString)]) {
    for (phrase, texts) in vocabulary {
      BlockTextCounts.forEachHash(of: texts) { hash in
        let slot = slotIndex(of: hash)
        slots[slot] = Slot(hash: hash, phrase: slots[slot].phrase.union(phrase))
      }
    }
  }

  subscript(hash: UInt64) -> BlockPhrase { slots[slotIndex(of: hash)].phrase }

  /// Returns the slot of a hash, or the free slot for it. Hashes are well mixed, so their low bits
  /// serve as the index.
  private func slotIndex(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (Self.size - 1)
    while slots[slot].hash != hash, slots[slot].hash != 0 { slot = (slot + 1) & (Self.size - 1) }
    return slot
  }
}
