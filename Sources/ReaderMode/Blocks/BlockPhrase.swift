import DOM

/// The purpose of a block, as suggested by its first words or its whole text.
struct BlockPhrase: OptionSet, Hashable {
  let rawValue: UInt16

  /// Controls of a shop, such as "Add to cart".
  static let buy = BlockPhrase(rawValue: 1 << 0)
  /// Labels of links that lead on, such as "Read more" and "Show all".
  static let follow = BlockPhrase(rawValue: 1 << 1)
  /// Headings above links to other pages, such as "You may also like", and labels of
  /// advertisements.
  static let related = BlockPhrase(rawValue: 1 << 2)
  static let signIn = BlockPhrase(rawValue: 1 << 3)
  static let share = BlockPhrase(rawValue: 1 << 4)
  static let cookies = BlockPhrase(rawValue: 1 << 5)
  static let subscribe = BlockPhrase(rawValue: 1 << 6)
  /// Controls and counts of comments, such as "Reply" and "No comments".
  static let comments = BlockPhrase(rawValue: 1 << 7)
  /// Controls that sort, filter or navigate, such as "Sort by" and "Main menu".
  static let listControls = BlockPhrase(rawValue: 1 << 8)
  /// Availability, delivery and price, such as "In stock" and "Free shipping".
  static let availability = BlockPhrase(rawValue: 1 << 9)
  static let reviews = BlockPhrase(rawValue: 1 << 10)
  /// Names of months, and words before a date, such as "Posted on".
  static let date = BlockPhrase(rawValue: 1 << 11)
  /// Texts of footers, such as "All rights reserved" and "Terms of use".
  static let legal = BlockPhrase(rawValue: 1 << 12)
  /// Headings in the description of a product, such as "Specifications".
  static let product = BlockPhrase(rawValue: 1 << 13)
  /// Facts about a member of a forum, such as "Joined" and "Moderator".
  static let member = BlockPhrase(rawValue: 1 << 14)
  /// Requests for JavaScript, and messages while a script loads content.
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
