import Document
import DOM

/// The blocks of a page and how likely each of them is content.
struct ContentCandidates: Sendable {
  /// The blocks.
  let page: PageBlocks
  /// What the page is.
  let kind: PageKind
  /// The best text of the page as a whole, of one that may be a text; else nil.
  private(set) var article: Readability?
  /// What of the blocks stands in it.
  private(set) var articleBlocks: ArticleBlocks?
  /// For each block the probability that it is content, alike for what plays the same part; none when
  /// all is.
  private(set) var probabilities: [Float] = []

  /// Judges the blocks of a page.
  /// - Parameters:
  ///   - page: The blocks.
  ///   - tree: The page.
  ///   - title: Its title.
  ///   - trees: What blocks are judged by.
  ///   - explains: Whether the article tells how it came about.
  package init(
    _ page: PageBlocks, of tree: DOMTree, title: String, trees: ContentTrees.Choice,
    explains: Bool = false
  ) {
    (self.page, kind) = (page, PageKind(of: page))
    var features = features(of: tree, title: title, explains: explains)
    let table = trees(article == nil ? .withoutArticle : .withArticle)
    let judged = table.probabilities(page.blocks.count) { features.columns(of: $0) }
    probabilities = page.agreeing(judged)
  }

  /// Takes all blocks of a page for content.
  init(all page: PageBlocks, kind: PageKind) { (self.page, self.kind) = (page, kind) }

  /// The features of the blocks, when it is known whether the page has an article.
  /// - Parameters:
  ///   - tree: The page.
  ///   - title: Its title.
  ///   - explains: Whether the article tells how it came about.
  /// - Returns: The features.
  mutating func features(
    of tree: DOMTree, title: String, explains: Bool = false
  ) -> BlockFeatures {
    let echoes = BlockRepetitions(page, of: tree, title: title)
    guard kind.mayBeOneText || kind.mayHoldLongText && page.longText != nil,
      let found = Readability.article(
        of: ShownPage(tree, page.hiding, isShown: page.isShown).make, title: title,
        explains: explains),
      case let blocks = ArticleBlocks(in: found.tree, of: page, in: tree),
      kind.mayBeOneText || page.longText.map({ blocks.isMostly($0, of: page) }) == true
    else { return BlockFeatures(page, echoes, kind, nil) }
    (article, articleBlocks) = (found, blocks)
    return BlockFeatures(page, echoes, kind, blocks)
  }
}

extension PageBlocks {
  /// Probabilities in which blocks that play the same part in repeated units (the price of each
  /// item, the name of each author) have one mean by words, and so have all cells of a table, all
  /// plain items of a list and what is said of one picture.
  fileprivate func agreeing(_ probabilities: [Float]) -> [Float] {
    let roles = blocks.map { block in
      let role = containers[Int(block.container)].role
      return role == 0 ? 0 : role &+ UInt64(block.headingLevel)
    }
    let groups = Grouping(roles)
    let ofRoles = zip(groups.groups, roles).map { $1 == 0 ? -1 : $0 }
    var table = [Int32](repeating: -1, count: containers.count)
    for index in containers.indices.dropFirst() {
      table[index] =
        containers[index].name == .table ? Int32(index) : table[Int(containers[index].parent)]
    }
    let wholes = blocks.map { block in
      let own = Int(block.container)
      guard containers[own].name == .li, containers[own].unit < 0, containers[own].parent > 0,
        block.phrases.isEmpty
      else { return table[own] }
      return containers[own].parent
    }
    return means(
      of: means(of: probabilities, by: ofRoles, groups.count), by: wholes, containers.count)
  }

  /// The mean by words of each group; what is in none (-1) stays as it is.
  private func means(of probabilities: [Float], by groups: [Int32], _ count: Int) -> [Float] {
    var sums = [(words: Float, content: Float)](repeating: (0, 0), count: count)
    for (index, group) in groups.enumerated() where group >= 0 {
      let words = Float(blocks[index].text.words) + 0.01
      sums[Int(group)].words += words
      sums[Int(group)].content += words * probabilities[index]
    }
    return probabilities.enumerated().map { index, own in
      let group = Int(groups[index])
      return group < 0 ? own : sums[group].content / sums[group].words
    }
  }
}
