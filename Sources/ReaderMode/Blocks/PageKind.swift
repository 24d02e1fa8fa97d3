import DOM
import Document

// The kind of a page is the one with the highest score: a weighted sum of metadata (URL, JSON-LD,
// generator) and of the layout of the blocks, with weights from a logistic regression. It names the
// page and separates articles from other pages; what is kept is decided for each block.

extension PageKind {
  /// Whether a page of this kind may consist of a single text.
  var mayBeOneText: Bool { self == .article || self == .documentation }

  /// Whether a page of this kind has many short texts and may also have a long one that is its main
  /// content.
  var mayContainLongText: Bool { self == .linkList || self == .productList }

  /// Classifies a page by its blocks and metadata.
  init(of page: PageBlocks) {
    let clues = Self.clues(of: page)
    var best: (kind: PageKind, score: Float) = (.article, -.infinity)
    for (kind, weights) in zip(Self.allCases, Self.weights) {
      let score = zip(clues, weights).reduce(0) { $0 + $1.0 * $1.1 }
      if score > best.score { best = (kind, score) }
    }
    self = page.isThread ? .forum : best.kind
  }

  /// Returns the clues of a page: numbers mostly between 0 and 1, of which the first is always 1.
  static func clues(of page: PageBlocks) -> [Float] {
    var clues: [Float] = [1]
    for bit in 0..<DeclaredKind.count {
      clues.append(Float(page.signals.declaredKinds.rawValue >> bit & 1))
    }
    for bit in 0..<PathWord.count {
      clues.append(Float(page.signals.pathWords.rawValue >> bit & 1))
    }
    clues.append(Float(min(5, page.signals.pathDepth)) / 5)
    let whole = page.sum(page.allBlockIndices)
    let wordCount = Float(max(1, whole.wordCount))
    let blocks = Float(max(1, whole.blockCount))
    clues.append(scaledCount(whole.wordCount))
    clues.append(Float(whole.linkWordCount) / wordCount)
    clues.append(Float(whole.proseWordCount) / wordCount)
    clues.append(scaledCount(whole.blockCount))
    clues.append(Float(whole.priceCount) / blocks)
    clues.append(Float(whole.headingCount) / blocks)
    clues.append(
      Float(page.sum(page.containers[Int(page.coreIndex)].blockRange).wordCount) / wordCount)
    return clues + unitClues(of: page, wordCount: wordCount, blockCount: blocks)
  }

  /// Returns word-weighted means over the repeated containers of the blocks, and the share of long
  /// blocks.
  private static func unitClues(of page: PageBlocks, wordCount: Float, blockCount: Float) -> [Float]
  {
    var (alike, length, share, own, long): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    for block in page.blocks {
      let count = Float(block.text.wordCount)
      let container = page.containers[Int(block.containerIndex)]
      own += count * scaledCount(page.sum(container.blockRange).wordCount)
      if count >= 30 { long += 1 }
      guard let unitIndex = container.unitIndex.value else { continue }
      let unit = page.containers[unitIndex]
      alike += count * scaledCount(Int(unit.similarCount))
      length += count * scaledCount(Int(unit.similarWordCount / unit.similarCount))
      share += count * Float(unit.similarWordCount) / wordCount
    }
    return [
      alike / wordCount, length / wordCount, share / wordCount, own / wordCount, long / blockCount,
    ]
  }

  private static func scaledCount(_ count: Int) -> Float {
    Float(BlockFeatures.logScale(count)) / 40
  }

  /// The names of the clues, in order.
  static let clueNames: [String] =
    ["bias"]
    + [
      "article", "product", "forum", "collection", "documentation", "service", "item list",
      "web page", "questions", "breadcrumb", "organization",
    ].map { "declared \($0)" }
    + [
      "known", "forum", "documentation", "product", "collection", "listing", "service", "article",
      "long slug",
    ].map { "address \($0)" }
    + [
      "address depth", "words", "links", "prose", "blocks", "prices", "headings", "core", "alike",
      "unit words", "unit share", "block words", "long blocks",
    ]
}
