// Two ways lead to the content of a page: its best text as a whole (`Readability`), and its blocks one by
// one (`ContentModel`). The text is better wherever a page is one text, for it has no holes; whether a page
// is one is told by the blocks.

extension ContentModel.Selection {
  /// Whether the page may be one text, whole, or have one that is more than what is around it.
  var mayBeArticle: Bool {
    guard source == .page || source == .hidden else { return false }
    return kind.mayBeOneText || kind.mayHoldLongText && page.longText != nil
  }

  /// Too few words in the selection to be worth more than what else can be found.
  var saysLittle: Bool {
    switch source {
    case .embedded(.description): return keptWords < 50
    case .embedded: return false
    default: break
    }
    return keptWords < 10
  }

  /// Whether an article is what a reader came for.
  /// - Parameter article: The article of the page.
  /// - Returns: Of a page that may be one text, whether the article is about what the blocks would be; of
  ///   another, whether it is the long text that the page has.
  mutating func agrees(with article: Readability) -> Bool {
    let found = FoundBlocks(in: article, of: page)
    guard kind.mayBeOneText else { return found.isMostly(page.longText, of: page) }
    var (kept, inArticle, shared) = (0, 0, 0)
    for (index, block) in page.blocks.enumerated() where isJudged(index) {
      let words = Int(block.text.words) * step
      if isKept[index] { kept += words }
      if found.isFound[index] { inArticle += words }
      if isKept[index] && found.isFound[index] { shared += words }
    }
    inArticle += found.otherWords
    let precision = Double(shared) / Double(max(1, inArticle))
    let recall = Double(shared) / Double(max(1, kept))
    if kind == .article ? precision * 3 >= 2 : precision >= 0.85 && recall >= 0.8 { return true }
    judgeAll()
    guard source == .page || source == .hidden else { return false }
    return expected(otherWords: found.otherWords) { found.isFound[$0] }
      >= Self.enough * expected { isKept[$0] }
  }

  /// By what the blocks are likely to be, an article is nearly as good as the best of them.
  private static let enough: Float = 0.9

  /// The F1 over words that is to be expected of some blocks, and of words that stand in none.
  private func expected(otherWords: Int = 0, _ isChosen: (Int) -> Bool) -> Float {
    var (chosen, content, total): (Float, Float, Float) = (Float(otherWords), 0, 0)
    for (index, probability) in probabilities.enumerated() where probability >= 0 {
      let words = Float(page.blocks[index].text.words)
      total += words * probability
      guard isChosen(index) else { continue }
      chosen += words
      content += words * probability
    }
    return 2 * content / max(1, chosen + total)
  }
}

/// What of a page stands in an article.
private struct FoundBlocks {
  /// Whether each block has a text of it.
  var isFound: [Bool]
  /// About how many words of it stand in no block.
  var otherWords: Int

  init(in article: Readability, of page: PageBlocks) {
    var isInArticle = article.tree.reachable
    isFound = page.blocks.map { block in
      var isFound = false
      for text in page.texts[Int(block.texts.lowerBound)..<Int(block.texts.upperBound)] {
        isFound = isFound || isInArticle[Int(text)]
        isInArticle[Int(text)] = false
      }
      return isFound
    }
    otherWords = article.tree.words(in: isInArticle)
  }

  /// Whether an article has a long text and not much else.
  func isMostly(_ text: PageBlocks.LongText?, of page: PageBlocks) -> Bool {
    guard let text else { return false }
    var (shared, all) = (0, otherWords)
    for (block, isFound) in zip(page.blocks, isFound) where isFound {
      all += Int(block.text.words)
      if block.text.isProse, page.textContainer(of: block) == text.container {
        shared += Int(block.text.words)
      }
    }
    return shared * 10 >= text.words * 9 && shared * 5 >= all * 3
  }
}

extension PageBlocks {
  /// Paragraphs side by side.
  struct LongText {
    /// What they stand in.
    var container: Int32
    /// How many words they have.
    var words: Int
  }

  /// A text of many paragraphs that is longer by far than any other on the page; nil when there is none.
  ///
  /// Pages with many short texts are listings, and one among them that is an article has been opened over
  /// them, or is what they are about.
  var longText: LongText? {
    var texts = [(words: Int, paragraphs: Int)](repeating: (0, 0), count: containers.count)
    for block in blocks where block.text.isProse {
      let container = Int(textContainer(of: block))
      texts[container].words += Int(block.text.words)
      texts[container].paragraphs += 1
    }
    guard let best = texts.indices.max(by: { texts[$0].words < texts[$1].words }),
      texts[best].paragraphs >= 8, texts[best].words >= 300
    else { return nil }
    let isFarLonger = texts.indices.allSatisfy {
      $0 == best || texts[$0].words * 2 <= texts[best].words
    }
    return isFarLonger ? LongText(container: Int32(best), words: texts[best].words) : nil
  }

  /// What the text of a block is a paragraph of.
  fileprivate func textContainer(of block: Block) -> Int32 {
    let container = containers[Int(block.container)]
    return container.name == .p ? container.parent : block.container
  }
}

extension DOMTree {
  /// For each node whether it is a part of the tree.
  var reachable: [Bool] {
    var reachable = [Bool](repeating: false, count: nodes.count)
    var node = next(0, in: 0)
    while node >= 0 {
      reachable[Int(node)] = true
      node = next(node, in: 0)
    }
    return reachable
  }

  /// About how many words stand in some texts, those that are marked, which hardly any are.
  fileprivate func words(in isMarked: [Bool]) -> Int {
    var size = 0
    for (index, node) in nodes.enumerated()
    where isMarked[index] && node.name == .characters && !isWhiteSpace(node) {
      size += Int(node.end - node.start)
    }
    return size / 6
  }
}
