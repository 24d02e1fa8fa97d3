import Document

// The kind of a page is the one with the highest score: a sum over what the page says of itself
// (address, JSON-LD, generator) and over the shape of its blocks, with the weights of a logistic
// regression. It only names the page and tells articles from all others; what is kept is decided
// block by block.

extension PageKind {
  /// Kinds of pages that may be one text, whole.
  var mayBeOneText: Bool { self == .article || self == .documentation }

  /// Kinds of pages of many short texts, among which one may be what a reader came for.
  var mayHoldLongText: Bool { self == .listing || self == .collection }

  /// Judges a page by its blocks and what it says of itself.
  init(of page: PageBlocks) {
    let clues = Self.clues(of: page)
    var best: (kind: PageKind, score: Float) = (.article, -.infinity)
    for (kind, weights) in zip(Self.allCases, Self.weights) {
      let score = zip(clues, weights).reduce(0) { $0 + $1.0 * $1.1 }
      if score > best.score { best = (kind, score) }
    }
    self = page.isThread ? .forum : best.kind
  }

  /// What is known of a page: numbers mostly between 0 and 1, the first always 1.
  static func clues(of page: PageBlocks) -> [Float] {
    var clues: [Float] = [1]
    for bit in 0..<Declared.count { clues.append(Float(page.page.declared.rawValue >> bit & 1)) }
    for bit in 0..<PathWord.count { clues.append(Float(page.page.path.rawValue >> bit & 1)) }
    clues.append(Float(min(5, page.page.pathDepth)) / 5)
    let whole = page.sum(page.all)
    let words = Float(max(1, whole.words))
    let blocks = Float(max(1, whole.blocks))
    clues.append(scaled(whole.words))
    clues.append(Float(whole.linkWords) / words)
    clues.append(Float(whole.proseWords) / words)
    clues.append(scaled(whole.blocks))
    clues.append(Float(whole.prices) / blocks)
    clues.append(Float(whole.headings) / blocks)
    clues.append(Float(page.sum(page.containers[Int(page.core)].blocks).words) / words)
    return clues + unitClues(of: page, words: words, blocks: blocks)
  }

  /// Means over all words, or blocks, of the groups of repeated containers they stand in.
  private static func unitClues(of page: PageBlocks, words: Float, blocks: Float) -> [Float] {
    var (alike, length, share, own, long): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    for block in page.blocks {
      let count = Float(block.text.words)
      let container = page.containers[Int(block.container)]
      own += count * scaled(page.sum(container.blocks).words)
      if count >= 30 { long += 1 }
      guard container.unit >= 0 else { continue }
      let unit = page.containers[Int(container.unit)]
      alike += count * scaled(Int(unit.similar))
      length += count * scaled(Int(unit.similarWords / unit.similar))
      share += count * Float(unit.similarWords) / words
    }
    return [alike / words, length / words, share / words, own / words, long / blocks]
  }

  private static func scaled(_ count: Int) -> Float { Float(BlockFeatures.scale(count)) / 40 }

  /// What the clues are, in their order.
  static let signalNames: [String] =
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
