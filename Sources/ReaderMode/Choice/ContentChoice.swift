import Document
import DOM
import Metadata

// Keeps the set of blocks with the highest expected F1 score over words: with `w` words and
// probability `p` per block, that is 2 Σ w p / (Σ w + Σ over the page of w p). The best set always
// consists of all blocks above some probability.

/// The choice of which blocks of a page are kept.
struct ContentChoice {
  private(set) var isKept: [Bool]
  /// Whether anything looked like content; otherwise everything except navigation is kept.
  private(set) var hasContent = true
  /// The writer and the date of the first post of a thread; nil if there are none.
  private(set) var openingByline: PostByline?
  /// The notices below an article that state who posted it and when.
  private(set) var postNotices: [PostNotice] = []

  /// Chooses among the blocks of a page.
  init(_ candidates: ContentCandidates, in tree: DOMTree) {
    let (page, kind) = (candidates.page, candidates.kind)
    let (threshold, expectedF1) = candidates.bestThreshold
    guard expectedF1 >= Self.minExpectedF1 else {
      // A long article is content whatever its blocks look like.
      if let article = candidates.articleBlocks, article.wordCount >= Self.minLongTextWordCount {
        isKept = page.blocks.indices.map(article.containsMost)
      } else {
        let isOutside = page.isOutsideNavigation
        isKept = page.withWholeShortText(isOutside, candidates, isOutside, in: tree) ?? isOutside
        hasContent = false
      }
      return
    }
    isKept = candidates.probabilities.map { ContentCandidates.bucket($0) >= threshold }
    let isOutside = page.isOutsideNavigation
    if let article = candidates.articleBlocks {
      keep(article, in: page, candidates.probabilities, isOutside)
    } else {
      // The title is shown above the text anyway.
      if let title = page.firstTitleIndex { isKept[title] = false }
      isKept = page.withItemParts(isKept, of: kind)
    }
    fillLongGaps(of: page)
    let isKeptInShortText = page.withWholeShortText(isKept, candidates, isOutside, in: tree)
    if let isKeptInShortText { isKept = isKeptInShortText }
    let isLong = page.wordCount(kept: isKept) >= ContentModel.minWordCountWithoutScripts
    if isKeptInShortText != nil || isLong {
      keepWholeSections(candidates, isOutside, dropsBoilerplate: isLong, in: tree)
    }
    if candidates.article != nil {
      isKept = page.withoutInterruptions(isKept, candidates, in: tree)
      if kind == .article { postNotices = page.postNotices(below: isKept, in: tree) }
    }
    completeThread(candidates, in: tree)
    completeQuotations(of: candidates.page)
  }

  /// Keeps the text of a short quotation above its attribution, if that is kept. It may begin like
  /// the label of a button, such as "Tweet" or "Follow", but is not only a link, such as "View this
  /// post".
  private mutating func completeQuotations(of page: PageBlocks) {
    for index in page.blocks.indices.dropFirst().reversed()
    where isKept[index] && !isKept[index - 1] && !page.blocks[index - 1].isLink {
      let quotation = page.quotation(attributedBy: index)
      isKept[index - 1] = 1...Self.maxBlocksOfPost ~= quotation?.count ?? 0
    }
  }

  /// The maximum number of blocks in an embedded post. Old pages indent whole articles by
  /// `blockquote`.
  private static let maxBlocksOfPost = 8

  private mutating func keepWholeSections(
    _ candidates: ContentCandidates, _ isOutside: [Bool], dropsBoilerplate: Bool, in tree: DOMTree
  ) {
    let page = candidates.page
    let isProbable = isKept
    if dropsBoilerplate { dropBoilerplate(candidates, in: tree) }
    let isBoilerplate = zip(isProbable, isKept).map { $0 && !$1 }
    isKept = page.withWholeSections(
      isKept, candidates, isOutside, isBoilerplate: isBoilerplate, in: tree)
    if candidates.article != nil {
      let reduced = page.withoutNeighbors(isKept, title: candidates.title, in: tree)
      if page.wordCount(kept: reduced) >= ContentModel.minWordCountWithoutScripts {
        isKept = reduced
      }
    }
  }

  /// Removes boilerplate if at least `minWordCountWithoutScripts` words, or at least a quarter of
  /// the words kept so far, remain.
  private mutating func dropBoilerplate(_ candidates: ContentCandidates, in tree: DOMTree) {
    let page = candidates.page
    let before = page.wordCount(kept: isKept)
    var reduced = page.withoutBoilerplate(isKept, of: candidates.kind, in: tree)
    if let article = candidates.articleBlocks {
      // Probable blocks and headings of an article stay: it may have its own heading of such a
      // name, and a paragraph may legitimately repeat another one.
      for (index, block) in page.blocks.enumerated()
      where isKept[index] && article.containsMost(index)
        && (block.headingLevel > 1
          || candidates.probabilities[index] >= Self.minProtectedProbability)
      {
        reduced[index] = true
      }
    }
    reduced = page.withoutSecondCaptions(reduced, in: tree)
    reduced = page.withoutCounters(reduced, in: tree)
    if page.wordCount(kept: reduced) >= min(ContentModel.minWordCountWithoutScripts, before / 4) {
      isKept = reduced
    }
  }

  /// Keeps the posts of a thread that are similar to kept ones, and their writers and dates.
  private mutating func completeThread(_ candidates: ContentCandidates, in tree: DOMTree) {
    let (page, kind) = (candidates.page, candidates.kind)
    guard kind != .product, kind != .service,
      let thread = PageThread(
        of: page, excluding: candidates.comments?.isInsideComments, in: tree),
      let completed = thread.completing(isKept, of: kind, in: tree)
    else { return }
    isKept = completed
    openingByline = thread.openingByline(isKept, in: tree)
  }

  /// Keeps likely blocks of an article. Sentences, captions and, in very short articles, links have
  /// a lower threshold than other blocks of the article, so that the text has no gaps; blocks
  /// outside the article need a higher one and must not be in navigation.
  private mutating func keep(
    _ article: ArticleBlocks, in page: PageBlocks, _ probabilities: [Float], _ isOutside: [Bool]
  ) {
    func isCaption(_ index: Int) -> Bool {
      page.distance(to: .figure, from: page.blocks[index]) != nil
    }
    for (index, probability) in probabilities.enumerated() {
      if article.containsMost(index) {
        let isText =
          page.blocks[index].isUniqueSentence || isCaption(index)
          || article.wordCount < ContentModel.minWordCountWithoutScripts
            && page.blocks[index].isLink
            && isOutside[index]
        if probability >= (isText ? Self.minTextProbability : Self.minArticleProbability) {
          isKept[index] = true
        }
      } else if probability < Self.minOutsideProbability || !isOutside[index]
        || page.blocks[index].headingLevel == 1
      {
        // A heading of level 1 outside the article is the title, which is shown above the text
        // anyway.
        isKept[index] = false
      }
    }
    for index in page.blocks.indices.dropFirst() where isKept[index - 1] && !isKept[index] {
      isKept[index] = page.quotation(attributedBy: index) != nil
    }
    // Keeps headings whose section has kept content.
    var isKeptBelow = false
    for (index, block) in page.blocks.enumerated().reversed() {
      if block.headingLevel > 1, isKeptBelow, article.containsMost(index) { isKept[index] = true }
      isKeptBelow = block.headingLevel == 0 && (isKeptBelow || isKept[index])
    }
  }

  /// Fills long gaps between kept blocks of one element, because a long run of paragraphs within a
  /// text belongs to the text.
  private mutating func fillLongGaps(of page: PageBlocks) {
    func element(_ index: Int) -> Int32 {
      let own = page.blocks[index].containerIndex
      let container = page.containers[Int(own)]
      return container.blockRange.count == 1 ? container.parentIndex : own
    }
    var start = 0
    for index in page.blocks.indices.dropFirst() {
      if element(index) != element(index - 1) {
        start = index
      } else if isKept[index] {
        if index - start > Self.maxInsertionGap, isKept[start] {
          for position in start..<index { isKept[position] = true }
        }
        start = index
      }
    }
  }

  /// The number of blocks beyond which a gap cannot be an insertion such as an advertisement.
  private static let maxInsertionGap = 100

  /// The minimum probability of being content with which a sentence, a caption or a link of an
  /// article is kept.
  private static let minTextProbability: Float = 0.3
  /// The minimum probability of being content with which any other block of an article is kept.
  private static let minArticleProbability: Float = 0.5
  /// The minimum probability of being content with which a block outside the article is kept.
  private static let minOutsideProbability: Float = 0.55

  /// The probability from which no rule removes a block of an article.
  private static let minProtectedProbability: Float = 0.5

  /// The minimum number of words of an article that is kept regardless of probabilities.
  private static let minLongTextWordCount = 300

  /// The expected F1 below which the page is treated as without content.
  private static let minExpectedF1: Float = 0.4
}

extension ContentCandidates {
  /// The threshold with the highest expected F1: the lowest bucket of probabilities to keep, and
  /// the expected F1.
  var bestThreshold: (bucket: Int, expectedF1: Float) {
    var words = [Float](repeating: 0, count: Self.bucketCount)
    var content = [Float](repeating: 0, count: Self.bucketCount)
    for (block, probability) in zip(page.blocks, probabilities) {
      let count = Float(block.text.wordCount)
      words[Self.bucket(probability)] += count
      content[Self.bucket(probability)] += count * probability
    }
    let total = content.reduce(0, +)
    var (bestBucket, best): (Int, Float) = (Self.bucketCount - 1, 0)
    var (keptWordCount, keptContent): (Float, Float) = (0, 0)
    for bucket in (0..<Self.bucketCount).reversed() where words[bucket] > 0 {
      keptWordCount += words[bucket]
      keptContent += content[bucket]
      let expected = 2 * keptContent / (keptWordCount + total)
      if expected > best { (bestBucket, best) = (bucket, expected) }
    }
    return (bestBucket, best)
  }

  private static let bucketCount = 256

  /// Returns the bucket of a probability.
  static func bucket(_ probability: Float) -> Int {
    min(bucketCount - 1, Int(probability * Float(bucketCount)))
  }
}

extension PageBlocks.Block {
  /// Whether the block is a sentence that is unique on the page and does not begin with a
  /// boilerplate phrase.
  fileprivate var isUniqueSentence: Bool {
    headingLevel == 0 && text.sentenceEndCount > 0 && phrases.isEmpty && copyCount == 1
  }

  /// Whether a phrase of the block promotes or shares something.
  var isPromotional: Bool { !phrases.isDisjoint(with: Self.promotionalPhrases) }

  /// Phrases of blocks that promote or share something.
  static let promotionalPhrases: BlockPhrase = [
    .subscribe, .cookies, .follow, .signIn, .share, .related,
  ]

  /// Whether all words of the block are in links.
  var isLink: Bool { text.wordCount > 0 && text.linkWordCount == text.wordCount }
}

extension PageBlocks {
  /// Returns the blocks of a quotation, as in an embedded post, if a block is the short attribution
  /// after its text; nil for other blocks.
  fileprivate func quotation(attributedBy index: Int) -> Range<Int32>? {
    let own = blocks[index].containerIndex
    let quotation =
      containers[Int(own)].name == .blockquote ? own : max(0, containers[Int(own)].parentIndex)
    let range = containers[Int(quotation)].blockRange
    let isAttribution =
      containers[Int(quotation)].name == .blockquote && blocks[index].text.wordCount <= 16
      && range.contains(Int32(index - 1))
    return isAttribution ? range : nil
  }
}
