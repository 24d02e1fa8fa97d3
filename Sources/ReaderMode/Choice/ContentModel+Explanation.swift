package import Document
package import DOM
import Metadata

extension ContentModel {
  /// The reasons why a block of a page is kept or removed.
  struct Explanation: Sendable {
    /// The beginning of the block's text on one line, not yet sanitized for a terminal.
    var text: String
    /// The probability that the block is content, 0 to 1, averaged over the cells of a table.
    var probability: Float
    var isKept: Bool
    /// The features with the largest weights in log-odds, in descending order.
    var featureWeights: [(feature: String, weight: Float)]
  }

  /// Explains what `select` did with each block of a page, in document order.
  static func explain(_ selection: Selection) -> [Explanation] {
    var candidates = selection.candidates
    let page = candidates.page
    let title = MetadataFinder(of: selection.wholePage, searchesText: false).metadata.title
    var features = candidates.extractFeatures(of: selection.wholePage, title: title)
    let table = ContentTrees.builtIn(
      candidates.article == nil ? .blocksWithoutArticle : .blocksWithArticle)
    return page.blocks.indices.map { index in
      let shares = table.contributions(features.row(index)).prefix(reasonCount)
      return Explanation(
        text: String(page.text(of: index, in: selection.wholePage).prefix(maxTextLength)),
        probability: candidates.probabilities.isEmpty ? 1 : candidates.probabilities[index],
        isKept: selection.isKept[index],
        featureWeights: shares.map { (BlockFeatures.names[$0.feature], $0.share) })
    }
  }

  private static let reasonCount = 5
  private static let maxTextLength = 60

  /// Training data for the model from one page.
  package struct Example: Sendable {
    /// The features from which the kind of the page is detected; see `PageKind.clues(of:)`.
    package var kindClues: [Float]
    /// The detected kind.
    package var kind: PageKind
    /// The features of the page from which the trees estimate whether it is an article.
    package var pageFeatures: [UInt8]
    /// Whether an article was extracted because of the kind of the page.
    package var hasArticle: Bool
    package var texts: [String]
    /// The features of all blocks, one row after the other.
    package var features: [UInt8]
    package var isBlockKept: [Bool]
  }

  /// Extracts training data from a page: its features, and the blocks that are kept.
  package static func example(
    in tree: DOMTree, trees: @escaping ContentTrees.Provider = ContentTrees.builtIn
  ) -> Example {
    let hiding = HidingRules(of: tree)
    let title = MetadataFinder(of: tree, searchesText: false).metadata.title
    let selection = select(tree, url: "", hiding: hiding, title: title, trees: trees)
    let (page, wholePage) = (selection.page, selection.wholePage)
    let kind = PageKind(of: page)
    var candidates = ContentCandidates(page, kind, title: title, of: wholePage)
    var features = candidates.extractFeatures(of: wholePage, title: title)
    var pageFeatures = PageFeatures()
    for block in page.blocks.indices {
      pageFeatures.add(features.columns(of: block..<block + 1), of: block..<block + 1, page)
    }
    return Example(
      kindClues: PageKind.clues(of: page), kind: kind, pageFeatures: pageFeatures.bytes(of: page),
      hasArticle: candidates.article != nil,
      texts: page.blocks.indices.map { page.text(of: $0, in: wholePage) },
      features: page.blocks.indices.flatMap { features.row($0) }, isBlockKept: selection.isKept)
  }
}

extension PageBlocks {
  /// Returns the text of a block with its white space collapsed.
  func text(of index: Int, in tree: DOMTree) -> String {
    var bytes: [UInt8] = []
    for text in blocks[index].textRange {
      let node = tree.nodes[Int(textNodes[Int(text)])]
      bytes += tree.bytes[Int(node.start)..<Int(node.end)]
      bytes.append(0x20)
    }
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count)
    for word in bytes.split(whereSeparator: \.isWhiteSpace) {
      if !line.isEmpty { line.append(0x20) }
      line += word
    }
    return String(decoding: line, as: UTF8.self)
  }
}
