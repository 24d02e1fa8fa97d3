extension ContentModel {
  /// Why a block of a page is kept or not.
  package struct Explanation: Sendable {
    /// The beginning of its text, on one line as the page has it: not clean for a terminal.
    package var text: String
    /// How likely it is content, 0 to 1, alike for the cells of a table.
    package var probability: Float
    package var isKept: Bool
    /// What counted most, the weightiest first, in log-odds.
    package var reasons: [(feature: String, weight: Float)]
  }

  /// Explains what `select` does with each block of a page, in document order.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address; empty when it is not known.
  /// - Returns: An explanation for each block.
  package static func explain(_ tree: DOMTree, url: String) -> [Explanation] {
    var selection = select(tree, url: url)
    selection.decide()
    return explain(selection)
  }

  /// Explains a selection that was decided on.
  static func explain(_ selection: Selection) -> [Explanation] {
    let page = selection.page
    var features = BlockFeatures(page)
    return page.blocks.indices.map { index in
      let shares = ContentTrees.shared.shares(features.row(index)).prefix(reasonCount)
      return Explanation(
        text: String(page.text(of: index, in: selection.whole).prefix(textLimit)),
        probability: selection.probabilities.isEmpty ? 1 : selection.probabilities[index],
        isKept: selection.isKept[index],
        reasons: shares.map { (BlockFeatures.names[$0.feature], $0.share) })
    }
  }

  private static let reasonCount = 5
  private static let textLimit = 60

  /// What the model learns from: the clues to the kind of a page, and for each block its text and
  /// its features.
  package static func examples(
    in tree: DOMTree
  ) -> (clues: [Float], blocks: [(text: String, features: [UInt8])]) {
    let page = PageBlocks(tree)
    var features = BlockFeatures(page)
    let blocks = page.blocks.indices.map { index in
      (page.text(of: index, in: tree), features.row(index))
    }
    return (PageKind.clues(of: page), blocks)
  }
}

extension PageBlocks {
  /// The text of a block, its white space collapsed.
  func text(of index: Int, in tree: DOMTree) -> String {
    var bytes: [UInt8] = []
    for text in blocks[index].texts {
      let node = tree.nodes[Int(texts[Int(text)])]
      bytes += tree.bytes[Int(node.start)..<Int(node.end)]
      bytes.append(0x20)
    }
    return bytes.split(whereSeparator: \.isWhiteSpace).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
  }
}
