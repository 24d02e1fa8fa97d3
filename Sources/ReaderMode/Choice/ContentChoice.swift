import DOM

// Of all sets of blocks the one is kept whose expected F1 over words is highest: with `w` words in a
// block and probability `p`, that is 2 Σ w p / (Σ w + Σ over the page of w p), and the best set is
// always all blocks above some probability.

/// Which blocks of a page are kept.
struct ContentChoice {
  /// Whether each block is kept.
  private(set) var isKept: [Bool]
  /// Whether anything looked like content; else all is kept but navigation.
  private(set) var hasContent = true

  /// Chooses among the blocks of a page.
  /// - Parameters:
  ///   - candidates: The blocks, and how likely each of them is content.
  ///   - tree: The page.
  init(_ candidates: ContentCandidates, in tree: DOMTree) {
    let (page, kind) = (candidates.page, candidates.kind)
    let (threshold, expected) = Self.threshold(page, candidates.probabilities)
    guard expected >= Self.leastExpected else {
      // A long text is one, whatever its blocks look like.
      if let article = candidates.articleBlocks, article.words >= Self.longText {
        isKept = page.blocks.indices.map(article.has)
      } else {
        isKept = page.isOutsideNavigation
        hasContent = false
      }
      return
    }
    isKept = candidates.probabilities.map { Self.bucket($0) >= threshold }
    let isOutside = page.isOutsideNavigation
    if let article = candidates.articleBlocks {
      keep(article, in: page, candidates.probabilities, isOutside)
    } else {
      // The title stands above the text.
      if page.firstTitle >= 0 { isKept[Int(page.firstTitle)] = false }
      isKept = page.withItemParts(isKept, of: kind)
    }
    fillLongHoles(of: page)
    // Rules hold where they leave a text.
    let before = words(in: page, isKept)
    guard before >= ContentModel.fewWords else { return }
    var less = page.withoutBoilerplate(isKept, of: kind, in: tree)
    if let article = candidates.articleBlocks {
      // A heading may be there for who reads the page in another way than its author thought of, and a
      // paragraph of the text may say what another one says: rules are for what is in doubt.
      for (index, block) in page.blocks.enumerated()
      where isKept[index] && article.has(index)
        && (block.headingLevel > 1 || candidates.probabilities[index] >= Self.certain)
      {
        less[index] = true
      }
    }
    less = page.withoutSecondCaptions(less, in: tree)
    less = page.withoutCounters(less, in: tree)
    if words(in: page, less) >= min(ContentModel.fewWords, before / 4) { isKept = less }
    isKept = page.withWholeSections(isKept, candidates, isOutside, in: tree)
  }

  /// Keeps of an article what is not unlikely, so that it has no holes, and of what is no text what is not doubtful;
  /// beside it only what is likely and stands in no menu.
  private mutating func keep(
    _ article: ArticleBlocks, in page: PageBlocks, _ probabilities: [Float], _ isOutside: [Bool]
  ) {
    func isCaption(_ index: Int) -> Bool {
      page.distance(to: Int(BlockTopic.figure.rawValue), from: page.blocks[index]) != nil
    }
    for (index, probability) in probabilities.enumerated() {
      if article.has(index) {
        let isText =
          page.blocks[index].isSentence || isCaption(index)
          || article.words < ContentModel.fewWords && page.blocks[index].isLink && isOutside[index]
        if probability >= (isText ? Self.unlikely : Self.doubtful) {
          isKept[index] = true
        }
      } else if probability < Self.likely || !isOutside[index]
        || page.blocks[index].headingLevel == 1
      {
        // A highest heading beside it is the title, which stands above the text.
        isKept[index] = false
      }
    }
    for index in page.blocks.indices.dropFirst() where isKept[index - 1] && !isKept[index] {
      isKept[index] = page.saysWhose(index)
    }
    // What stands below a heading keeps it.
    var isKeptBelow = false
    for (index, block) in page.blocks.enumerated().reversed() {
      if block.headingLevel > 1, isKeptBelow, article.has(index) { isKept[index] = true }
      isKeptBelow = block.headingLevel == 0 && (isKeptBelow || isKept[index])
    }
  }

  /// Keeps what is left out of a text in one piece of very many paragraphs, when it goes on behind them in the
  /// same element: nobody writes so much that is no text in the middle of one.
  private mutating func fillLongHoles(of page: PageBlocks) {
    func element(_ index: Int) -> Int32 {
      let own = page.blocks[index].container
      let container = page.containers[Int(own)]
      return container.blocks.count == 1 ? container.parent : own
    }
    var start = 0
    for index in page.blocks.indices.dropFirst() {
      if element(index) != element(index - 1) {
        start = index
      } else if isKept[index] {
        if index - start > Self.longHole, isKept[start] {
          for place in start..<index { isKept[place] = true }
        }
        start = index
      }
    }
  }

  /// More blocks than anything has that is put into a text.
  private static let longHole = 100

  /// The probability below which a sentence of the article goes, what is said of a picture, and of a text of a few
  /// words a link, which may be what somebody came for; that below which its other blocks go; and that from which a
  /// block beside it comes.
  private static let unlikely: Float = 0.3
  private static let doubtful: Float = 0.5
  private static let likely: Float = 0.55

  /// The probability from which rules take nothing out of an article.
  private static let certain: Float = 0.5

  private func words(in page: PageBlocks, _ isKept: [Bool]) -> Int {
    zip(page.blocks, isKept).reduce(0) { $0 + ($1.1 ? Int($1.0.text.words) : 0) }
  }

  /// So many words of an article make it one.
  private static let longText = 300

  /// An expected F1 below this means that nothing was found.
  private static let leastExpected: Float = 0.4

  /// Finds the threshold above which the expected F1 is highest.
  /// - Returns: The least bucket to keep, and the F1 that is expected.
  private static func threshold(
    _ page: PageBlocks, _ probabilities: [Float]
  ) -> (bucket: Int, expected: Float) {
    var words = [Float](repeating: 0, count: buckets)
    var content = [Float](repeating: 0, count: buckets)
    for (index, probability) in probabilities.enumerated() {
      let count = Float(page.blocks[index].text.words)
      words[bucket(probability)] += count
      content[bucket(probability)] += count * probability
    }
    let total = content.reduce(0, +)
    var (bestBucket, best): (Int, Float) = (buckets - 1, 0)
    var (keptWords, keptContent): (Float, Float) = (0, 0)
    for bucket in (0..<buckets).reversed() where words[bucket] > 0 {
      keptWords += words[bucket]
      keptContent += content[bucket]
      let expected = 2 * keptContent / (keptWords + total)
      if expected > best { (bestBucket, best) = (bucket, expected) }
    }
    return (bestBucket, best)
  }

  private static let buckets = 256

  private static func bucket(_ probability: Float) -> Int {
    min(buckets - 1, Int(probability * Float(buckets)))
  }
}

extension PageBlocks.Block {
  /// Whether it is a sentence that stands nowhere else on the page and does not begin as what leads elsewhere.
  fileprivate var isSentence: Bool {
    headingLevel == 0 && text.sentences > 0 && phrases.isEmpty && copies == 1
  }

  /// Whether all of it is a link.
  fileprivate var isLink: Bool { text.words > 0 && text.linkWords == text.words }
}

extension PageBlocks {
  /// Whether a block says in a few words of whom the quotation before it is, as in an embedded post.
  fileprivate func saysWhose(_ index: Int) -> Bool {
    let own = blocks[index].container
    let quotation =
      containers[Int(own)].name == .blockquote ? own : max(0, containers[Int(own)].parent)
    return containers[Int(quotation)].name == .blockquote && blocks[index].text.words <= 16
      && containers[Int(quotation)].blocks.contains(Int32(index - 1))
  }
}
