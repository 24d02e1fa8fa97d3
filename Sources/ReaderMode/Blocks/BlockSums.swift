import DOM

/// Sums over blocks.
struct BlockSums {
  var wordCount = 0
  var linkWordCount = 0
  var linkCount = 0
  /// The number of words in blocks that read as prose.
  var proseWordCount = 0
  var sentenceCount = 0
  var priceCount = 0
  var headingCount = 0
  var blockCount = 0

  mutating func add(_ block: PageBlocks.Block) {
    wordCount += Int(block.text.wordCount)
    linkWordCount += Int(block.text.linkWordCount)
    linkCount += Int(block.text.linkCount)
    proseWordCount += block.text.isProse ? Int(block.text.wordCount) : 0
    sentenceCount += Int(block.text.sentenceEndCount)
    priceCount += block.text.hasPrice ? 1 : 0
    headingCount += block.headingLevel > 0 ? 1 : 0
    blockCount += 1
  }

  static func - (left: BlockSums, right: BlockSums) -> BlockSums {
    BlockSums(
      wordCount: left.wordCount - right.wordCount,
      linkWordCount: left.linkWordCount - right.linkWordCount,
      linkCount: left.linkCount - right.linkCount,
      proseWordCount: left.proseWordCount - right.proseWordCount,
      sentenceCount: left.sentenceCount - right.sentenceCount,
      priceCount: left.priceCount - right.priceCount,
      headingCount: left.headingCount - right.headingCount,
      blockCount: left.blockCount - right.blockCount)
  }
}
