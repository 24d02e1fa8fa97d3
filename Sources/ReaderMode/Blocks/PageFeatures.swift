import Document

/// The features of a page, one byte each: the clues to the kind of the page, then the mean of each
/// block feature, weighted by the number of words in the blocks. The decision trees of
/// `ContentModel.kindTable` estimate from the features whether the page is an article.
struct PageFeatures {
  /// For each feature of blocks, the sum over all words.
  private var sums = [Int](repeating: 0, count: PageFeatures.blockFeatureCount)
  private var wordCount = 0

  /// The number of features.
  static let count = PageKind.clueNames.count + blockFeatureCount

  /// The number of features of a block that do not depend on the article; the others follow them.
  private static let blockFeatureCount = BlockFeatures.names.firstIndex(of: "look in article") ?? 0

  /// Adds at most 64 blocks with their features.
  mutating func add(_ columns: [FeatureColumn], of blocks: Range<Int>, _ page: PageBlocks) {
    let counts = page.blocks[blocks].map { UInt32($0.text.wordCount) }
    for count in counts { wordCount += Int(count) }
    columns.withUnsafeBytes { bytes in
      for feature in sums.indices where feature != Self.kindIndex {
        let first = feature * FeatureColumn.count
        var sum: UInt32 = 0
        for index in counts.indices { sum &+= UInt32(bytes[first + index]) &* counts[index] }
        sums[feature] += Int(sum)
      }
    }
  }

  /// The kind that `PageKind` assigns is left out, so that the trees do not repeat it.
  private static let kindIndex = BlockFeatures.names.firstIndex(of: "page kind")

  /// Returns the features after all blocks were added.
  func bytes(of page: PageBlocks) -> [UInt8] {
    PageKind.clues(of: page).map { UInt8(max(0, min(255, $0 * 200))) }
      + sums.map { UInt8(min(255, $0 * 4 / max(1, wordCount))) }
  }
}
