import Document
import DOM

// What looks like content and is left out all the same: a text that the page says once more, for
// another width of the window or as the end of a carousel, and what is offered beside the thing that
// a page is about, which a heading announces.

extension PageBlocks {
  /// The blocks that stay of those that look like content.
  /// - Parameters:
  ///   - isKept: Whether each block looks like content.
  ///   - kind: What the page is.
  ///   - tree: The page.
  /// - Returns: Whether each block stays.
  func withoutBoilerplate(_ isKept: [Bool], of kind: PageKind, in tree: DOMTree) -> [Bool] {
    // Of a reference every entry may say the same.
    let once = kind == .documentation ? isKept : withoutRepetitions(isKept, in: tree)
    let own = kind == .forum ? withoutActions(once) : withoutSections(once, headed: kind.besides)
    return withoutParts(own, named: BoilerplateName.names(on: kind), in: tree)
  }

  // MARK: Repetitions

  /// Leaves out what was kept before, word for word; items of a list only as a whole, and
  /// not what somebody quotes.
  private func withoutRepetitions(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    guard zip(blocks, isKept).contains(where: { $1 && $0.copies > 1 }) else { return isKept }
    let isSaid = isSaidBefore(isKept, in: tree)
    // For each unit its words that were kept, negative when one of them is new.
    var wordsSaid = [Int](repeating: 0, count: containers.count)
    for (index, block) in blocks.enumerated() where isKept[index] {
      guard case let unit = Int(containers[Int(block.container)].unit), unit >= 0 else { continue }
      wordsSaid[unit] += isSaid[index] ? Int(block.text.words) : -Self.manyWords
    }
    var stays = isKept
    for (index, block) in blocks.enumerated() where isSaid[index] {
      let unit = Int(containers[Int(block.container)].unit)
      stays[index] =
        unit < 0
        ? block.text.words < Self.leastRepetition : wordsSaid[unit] < Self.leastRepeatedUnit
    }
    return stays
  }

  /// For each block whether a block before it that is kept has the same text.
  private func isSaidBefore(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var said: Set<String> = []
    return blocks.indices.map { index in
      guard isKept[index], blocks[index].copies > 1,
        distance(to: Int(BlockTopic.quote.rawValue), from: blocks[index]) == nil
      else { return false }
      return !said.insert(text(of: index, in: tree)).inserted
    }
  }

  /// How many words a repetition has at least, and one that is an item of a list.
  private static let leastRepetition = 8
  private static let leastRepeatedUnit = 12
  /// More words than a page has.
  private static let manyWords = 1 << 40

  /// Leaves out what the block before says word for word, when one of them is said of a picture: galleries
  /// have a caption for each width of the window.
  /// - Parameters:
  ///   - isKept: Whether each block is kept.
  ///   - tree: The page.
  /// - Returns: Whether each block stays.
  func withoutSecondCaptions(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var stays = isKept
    for index in blocks.indices.dropFirst()
    where isKept[index] && isKept[index - 1] && isCopy(index) && isCopy(index - 1) {
      let isCaption = [index - 1, index].contains {
        distance(to: Int(BlockTopic.figure.rawValue), from: blocks[$0]) != nil
      }
      if isCaption, text(of: index - 1, in: tree) == text(of: index, in: tree) {
        stays[index] = false
      }
    }
    return stays
  }

  /// Leaves out which picture of how many one is, in any language: blocks of a few words beside what is said of a
  /// picture, with two numbers, of which the second is the same in several and the first counts.
  /// - Parameters:
  ///   - isKept: Whether each block is kept.
  ///   - tree: The page.
  /// - Returns: Whether each block stays.
  func withoutCounters(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var places: [String: [(index: Int, number: Int)]] = [:]
    for index in blocks.indices where isKept[index] && blocks[index].headingLevel == 0 {
      guard blocks[index].text.words <= Self.mostCounterWords, isBesidePicture(index) else {
        continue
      }
      let text = text(of: index, in: tree).utf8
      let numbers = text.split { !$0.isDigit }.compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      let words = String(decoding: text.filter { !$0.isDigit }, as: UTF8.self)
      guard numbers.count == 2, numbers[1] > 1, (1...numbers[1]).contains(numbers[0]),
        words.utf8.contains(where: { $0.isLetter || $0 >= 0x80 })
      else { continue }
      places["\(words) \(numbers[1])", default: []].append((index, numbers[0]))
    }
    var stays = isKept
    for counters in places.values where counters.count > 1 {
      guard zip(counters, counters.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
        continue
      }
      for (index, _) in counters { stays[index] = false }
    }
    return stays
  }

  private static let mostCounterWords = 5

  /// Whether a block or one next to it is said of a picture.
  private func isBesidePicture(_ index: Int) -> Bool {
    (max(0, index - 1)...min(blocks.count - 1, index + 1)).contains {
      distance(to: Int(BlockTopic.figure.rawValue), from: blocks[$0]) != nil
    }
  }

  /// Whether a block is long enough for a caption, no heading, and stands on the page once more.
  private func isCopy(_ index: Int) -> Bool {
    let block = blocks[index]
    return block.copies > 1 && block.headingLevel == 0
      && block.text.words >= Self.leastCaptionWords
  }

  private static let leastCaptionWords = 3

  // MARK: Actions

  /// Leaves out what can be done with each post: links and buttons of a word or two that come again and
  /// again and say "reply", "quote" or the like.
  private func withoutActions(_ isKept: [Bool]) -> [Bool] {
    zip(blocks, isKept).map { block, isKept in
      isKept
        && !(block.copies >= Self.fewPosts && block.text.words <= Self.mostActionWords
          && block.headingLevel == 0 && !block.phrases.isDisjoint(with: [.comments, .share])
          && (block.text.linkWords == block.text.words
            || containers[Int(block.container)].name == .button))
    }
  }

  private static let mostActionWords = 2

  // MARK: Sections

  /// Leaves out what stands below headings that say some phrases, up to the next one as high.
  private func withoutSections(_ isKept: [Bool], headed phrases: BlockPhrase) -> [Bool] {
    guard !phrases.isEmpty else { return isKept }
    var stays = isKept
    var level: UInt8 = 0
    for (index, block) in blocks.enumerated() {
      if block.headingLevel > 0 {
        if block.headingLevel <= level { level = 0 }
        if level == 0, block.text.words <= Self.mostHeadingWords,
          !block.phrases.isDisjoint(with: phrases)
        {
          level = block.headingLevel
        }
      }
      if level > 0 { stays[index] = false }
    }
    return stays
  }

  private static let mostHeadingWords = 8
}

extension PageKind {
  /// What headings say over that which a reader did not come for: other things that are offered,
  /// and of a product how it is delivered.
  fileprivate var besides: BlockPhrase {
    switch self {
    case .product: [.related, .stock]
    case .listing, .service: .related
    case .article, .documentation, .forum, .collection: []
    }
  }
}
