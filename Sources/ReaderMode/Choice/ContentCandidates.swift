import Document
import DOM

/// The blocks of a page with their probabilities of being content.
struct ContentCandidates: Sendable {
  let page: PageBlocks
  let kind: PageKind
  private(set) var title = ""
  /// The extracted article; nil if none was found, or if the page is of a kind that cannot have one
  /// main text.
  private(set) var article: Readability?
  /// The blocks in the article; nil without an article.
  private(set) var articleBlocks: ArticleBlocks?
  /// The comments of readers below the text; nil if there are none.
  let comments: PageComments?
  /// For each block, the probability that it is content, equalized over blocks with the same role;
  /// empty if all blocks are content.
  private(set) var probabilities: [Float] = []

  /// The minimum probability of being an article with which a page of another kind is also treated
  /// as one.
  private static let minArticleProbability: Float = 0.5
  /// The amount by which the expected F1 must be higher if the page is treated as an article. With
  /// a smaller difference, both alternatives keep nearly the same text.
  private static let minImprovement: Float = 0.03

  /// Classifies the blocks of a page. If the kind of the page is not one text but the page
  /// resembles an article, it is also treated as an article, and it is one if the expected F1 is
  /// clearly higher.
  package init(
    _ page: PageBlocks, of tree: DOMTree, title: String, trees: ContentTrees.Provider,
    explains: Bool = false
  ) {
    self.init(page, PageKind(of: page), title: title, of: tree)
    var features = extractFeatures(of: tree, title: title, explains: explains)
    guard mayResembleArticle else {
      estimateProbabilities(trees) { features.columns(of: $0) }
      return
    }
    var pageFeatures = PageFeatures()
    estimateProbabilities(trees) {
      let columns = features.columns(of: $0)
      pageFeatures.add(columns, of: $0, page)
      return columns
    }
    let pageColumns = pageFeatures.bytes(of: page).map {
      FeatureColumn(lanes: SIMD64(repeating: $0))
    }
    let articleProbabilities = trees(.pages).probabilities(1) { _ in pageColumns }
    guard articleProbabilities[0] >= Self.minArticleProbability else { return }
    var articleCandidates = ContentCandidates(page, .article, title: title, of: tree)
    var articleFeatures = articleCandidates.extractFeatures(
      of: tree, title: title, explains: explains)
    guard articleCandidates.article != nil, !articleCandidates.isListOfTexts else { return }
    articleCandidates.estimateProbabilities(trees) { articleFeatures.columns(of: $0) }
    if articleCandidates.bestThreshold.expectedF1 > bestThreshold.expectedF1 + Self.minImprovement {
      self = articleCandidates
    }
  }

  /// Treats a page as one of the given kind, without probabilities and article.
  init(_ page: PageBlocks, _ kind: PageKind, title: String, of tree: DOMTree) {
    (self.page, self.kind, self.title) = (page, kind, title)
    comments = PageComments(of: page, kind, in: tree)
  }

  /// Whether the page may be an article although its kind is another one: no article was extracted,
  /// and the page is not a thread.
  var mayResembleArticle: Bool {
    article == nil && !kind.mayBeOneText && (kind != .forum || !page.isThread)
  }

  /// Whether the article has several headings that lead to other texts.
  private var isListOfTexts: Bool {
    let count = page.blocks.indices.count { index in
      let block = page.blocks[index]
      return block.headingLevel > 0 && block.isLink && articleBlocks?.containsMost(index) == true
    }
    return count >= Self.minLinkedHeadings
  }

  /// The minimum number of headings with links in a list of texts.
  private static let minLinkedHeadings = 3

  /// Sets `probabilities`.
  private mutating func estimateProbabilities(
    _ trees: ContentTrees.Provider, _ columns: (Range<Int>) -> [FeatureColumn]
  ) {
    let table = trees(article == nil ? .blocksWithoutArticle : .blocksWithArticle)
    probabilities = page.averagedInGroups(
      table.probabilities(page.blocks.count, features: columns))
    guard let comments else { return }
    for index in page.blocks.indices where comments.isInsideComments[index] {
      probabilities[index] = 0
    }
  }

  /// Whether a block is in the comments below the text.
  func isInsideComments(_ index: Int) -> Bool { comments?.isInsideComments[index] == true }

  /// Treats all blocks of a page as content.
  init(allContentOf page: PageBlocks, kind: PageKind) {
    (self.page, self.kind, comments) = (page, kind, nil)
  }

  /// Extracts the article, if any, and returns the features of the blocks.
  mutating func extractFeatures(
    of tree: DOMTree, title: String, explains: Bool = false
  ) -> BlockFeatures {
    let repetitions = BlockRepetitions(page, of: tree, title: title)
    guard kind.mayBeOneText || kind.mayContainLongText && page.longText != nil,
      let found = Readability.article(
        of: VisiblePageCopier(
          tree, page.hidingRules, isKnownVisible: page.isKnownVisible,
          without: comments?.elements ?? []
        ).makeCopy, title: title,
        explains: explains),
      case let blocks = ArticleBlocks(in: found.tree, of: page, in: tree),
      kind.mayBeOneText || page.longText.map({ blocks.consistsMostly($0, of: page) }) == true
    else { return BlockFeatures(page, repetitions, kind, nil) }
    (article, articleBlocks) = (found, blocks)
    return BlockFeatures(page, repetitions, kind, blocks)
  }
}

extension PageBlocks {
  /// Averages probabilities, weighted by words, over blocks with the same role in repeated units
  /// (such as the price of each item), then over the cells of each table and the plain items of
  /// each list. The probability of a cell counts together with the mean of its table.
  fileprivate func averagedInGroups(_ probabilities: [Float]) -> [Float] {
    let roles = blocks.map { block in
      let role = containers[Int(block.containerIndex)].roleHash
      return role == 0 ? 0 : role &+ UInt64(block.headingLevel)
    }
    let groups = Grouping(roles)
    let ofRoles = zip(groups.groupNumbers, roles).map { group, role -> OptionalIndex in
      role == 0 ? nil : OptionalIndex(group)
    }
    var table = [OptionalIndex](repeating: nil, count: containers.count)
    for index in containers.indices.dropFirst() {
      table[index] =
        containers[index].name == .table
        ? OptionalIndex(index) : table[Int(containers[index].parentIndex)]
    }
    let wholes = blocks.map { block -> OptionalIndex in
      let own = Int(block.containerIndex)
      guard containers[own].name == .li, containers[own].unitIndex == nil,
        containers[own].parentIndex > 0,
        block.phrases.isEmpty
      else { return table[own] }
      return OptionalIndex(containers[own].parentIndex)
    }
    let inRoles = means(of: probabilities, by: ofRoles, groups.count)
    let inWholes = means(of: inRoles, by: wholes, containers.count)
    return blocks.indices.map { index in
      guard let whole = wholes[index].value, containers[whole].name == .table else {
        return inWholes[index]
      }
      return inWholes[index] + Self.ownShareOfCell * (inRoles[index] - inWholes[index])
    }
  }

  /// The share of the probability of a cell that does not come from the mean of its table.
  private static let ownShareOfCell: Float = 0.3

  /// Returns the word-weighted mean of each block's group; blocks without a group keep their value.
  private func means(
    of probabilities: [Float], by groups: [OptionalIndex], _ count: Int
  ) -> [Float] {
    var sums = [(words: Float, content: Float)](repeating: (0, 0), count: count)
    for (index, group) in groups.enumerated() {
      guard let group = group.value else { continue }
      let wordCount = Float(blocks[index].text.wordCount) + 0.01
      sums[group].words += wordCount
      sums[group].content += wordCount * probabilities[index]
    }
    return probabilities.enumerated().map { index, own in
      guard let group = groups[index].value else { return own }
      return sums[group].content / sums[group].words
    }
  }
}
