import Document
import DOM

// Removes boilerplate that looks like content: text that the page repeats for another window width
// or as the end of a carousel, and offers under their own heading beside the subject of the page.

extension PageBlocks {
  /// Removes boilerplate from the blocks that look like content.
  func withoutBoilerplate(_ isKept: [Bool], of kind: PageKind, in tree: DOMTree) -> [Bool] {
    // The entries of a reference may legitimately repeat each other.
    let once = kind == .documentation ? isKept : withoutRepetitions(isKept, in: tree)
    let own =
      kind == .forum
      ? withoutActions(once) : withoutSections(once, headings: kind.secondaryHeadingPhrases)
    return withoutElements(own, named: BoilerplateName.names(on: kind), in: tree)
  }

  // MARK: Repetitions

  /// Removes blocks that repeat an earlier kept block word for word, except quotations. List items
  /// are only removed as a whole.
  private func withoutRepetitions(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    guard zip(blocks, isKept).contains(where: { $1 && $0.copyCount > 1 }) else { return isKept }
    let isRepetition = repeatsEarlierBlock(isKept, in: tree)
    // For each unit, the number of its kept words that are repeated; negative if any word is new.
    var repeatedWordCount = [Int](repeating: 0, count: containers.count)
    for (index, block) in blocks.enumerated() where isKept[index] {
      guard let unit = containers[Int(block.containerIndex)].unitIndex.value else { continue }
      repeatedWordCount[unit] +=
        isRepetition[index] ? Int(block.text.wordCount) : -Self.wordCountUpperBound
    }
    var stays = isKept
    for (index, block) in blocks.enumerated() where isRepetition[index] {
      stays[index] =
        if let unit = containers[Int(block.containerIndex)].unitIndex.value {
          repeatedWordCount[unit] < Self.minRepeatedUnitWordCount
        } else {
          block.text.wordCount < Self.minRepeatedBlockWordCount
        }
    }
    return stays
  }

  /// Returns, for each block, whether an earlier kept block has the same text.
  private func repeatsEarlierBlock(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var seen: Set<String> = []
    return blocks.indices.map { index in
      guard isKept[index], blocks[index].copyCount > 1,
        distance(to: .quote, from: blocks[index]) == nil
      else { return false }
      return !seen.insert(text(of: index, in: tree)).inserted
    }
  }

  private static let minRepeatedBlockWordCount = 8
  /// The minimum number of words of a repeated list item that is removed.
  private static let minRepeatedUnitWordCount = 12
  /// A number larger than the word count of any page.
  private static let wordCountUpperBound = 1 << 40

  /// Removes a block that repeats the block before it if one of the two is in a figure: galleries
  /// have a caption for each window width.
  func withoutSecondCaptions(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var stays = isKept
    for index in blocks.indices.dropFirst()
    where isKept[index] && isKept[index - 1] && mayBeRepeatedCaption(index)
      && mayBeRepeatedCaption(index - 1)
    {
      let isCaption = [index - 1, index].contains {
        distance(to: .figure, from: blocks[$0]) != nil
      }
      if isCaption, text(of: index - 1, in: tree) == text(of: index, in: tree) {
        stays[index] = false
      }
    }
    return stays
  }

  /// Removes slide counters such as "Image 2 of 5" in any language: short blocks beside a figure
  /// with two numbers, of which the second is the same in several blocks and the first increases.
  func withoutCounters(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var positions: [String: [(index: Int, number: Int)]] = [:]
    for index in blocks.indices where isKept[index] && blocks[index].headingLevel == 0 {
      guard blocks[index].text.wordCount <= Self.maxCounterWordCount, isBesideImage(index) else {
        continue
      }
      let text = text(of: index, in: tree).utf8
      let numbers = text.split { !$0.isDigit }.compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      let phrase = String(decoding: text.filter { !$0.isDigit }, as: UTF8.self)
      guard numbers.count == 2, numbers[1] > 1, (1...numbers[1]).contains(numbers[0]),
        phrase.utf8.contains(where: { $0.isLetter || $0 >= 0x80 })
      else { continue }
      positions["\(phrase) \(numbers[1])", default: []].append((index, numbers[0]))
    }
    var stays = isKept
    for counters in positions.values where counters.count > 1 {
      guard zip(counters, counters.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
        continue
      }
      for (index, _) in counters { stays[index] = false }
    }
    return stays
  }

  private static let maxCounterWordCount = 5

  /// Whether a block or one of its neighbours is in a figure.
  private func isBesideImage(_ index: Int) -> Bool {
    (max(0, index - 1)...min(blocks.count - 1, index + 1)).contains {
      distance(to: .figure, from: blocks[$0]) != nil
    }
  }

  /// Whether a block could be a repeated caption: long enough, not a heading, and more than once on
  /// the page.
  private func mayBeRepeatedCaption(_ index: Int) -> Bool {
    let block = blocks[index]
    return block.copyCount > 1 && block.headingLevel == 0
      && block.text.wordCount >= Self.minCaptionWordCount
  }

  private static let minCaptionWordCount = 3

  // MARK: Actions

  /// Removes the actions of forum posts: links and buttons of one or two words, such as "reply" or
  /// "quote", that occur in many posts.
  private func withoutActions(_ isKept: [Bool]) -> [Bool] {
    zip(blocks, isKept).map { block, isKept in
      isKept
        && !(block.copyCount >= Self.minPosts && block.text.wordCount <= Self.maxActionWordCount
          && block.headingLevel == 0 && !block.phrases.isDisjoint(with: [.comments, .share])
          && (block.text.linkWordCount == block.text.wordCount
            || containers[Int(block.containerIndex)].name == .button))
    }
  }

  private static let maxActionWordCount = 2

  // MARK: Sections

  /// Removes the sections below headings with the given phrases, up to the next heading of the same
  /// or a higher level.
  private func withoutSections(_ isKept: [Bool], headings phrases: BlockPhrase) -> [Bool] {
    guard !phrases.isEmpty else { return isKept }
    var stays = isKept
    var level: UInt8 = 0
    for (index, block) in blocks.enumerated() {
      if block.headingLevel > 0 {
        if block.headingLevel <= level { level = 0 }
        if level == 0, block.text.wordCount <= Self.maxHeadingWordCount,
          !block.phrases.isDisjoint(with: phrases)
        {
          level = block.headingLevel
        }
      }
      if level > 0 { stays[index] = false }
    }
    return stays
  }

  private static let maxHeadingWordCount = 8
}

extension PageKind {
  /// The phrases of headings above secondary content: other offers and, for products, delivery and
  /// availability.
  fileprivate var secondaryHeadingPhrases: BlockPhrase {
    switch self {
    case .product: [.related, .availability]
    case .linkList, .service: .related
    case .article, .documentation, .forum, .productList: []
    }
  }
}
