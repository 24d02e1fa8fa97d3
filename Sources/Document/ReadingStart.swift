import DOM

/// Finds where the main content of a page begins: at the heading that resembles the title; or else
/// where the page declares its main content or has its only first-level heading; or else at a line
/// above text that resembles the title; or else at the first of two texts close to each other, or
/// the heading above it.
struct ReadingStart {
  private let document: Document
  private let title: WordList
  /// The heading most similar to the title; nil for none.
  private var bestHeading: TitleMatch?
  /// The short paragraph most similar to the title, if neither a heading nor the page declares
  /// where the main content begins; nil for none.
  private var bestLine: TitleMatch?
  /// The first heading of level 1; nil for none.
  private var firstTopHeading: Position?
  private var topHeadingCount = 0
  private var search = TextSearch.searching(below: nil)

  /// A block, and the top-level block that contains it, which may be the block itself.
  private struct Position {
    var block: Int
    var topLevelBlock: Int
  }

  /// A block that resembles the title.
  private struct TitleMatch {
    var position: Position
    /// The score of the similarity.
    var score: Int
    /// Whether text followed the block, so that a later block with the same score is not a better
    /// choice.
    var hasTextBelow = false
  }

  /// The search for the first of two texts close to each other. The legal transitions are:
  ///
  /// - `searching` (below the last heading, if any): to `candidate` with a text.
  /// - `candidate`: to `found` with another text, to `searching` if none follows within
  ///   `maxDistance` blocks.
  /// - `found`: final.
  private enum TextSearch {
    case searching(below: Position?)
    case candidate(FirstText)
    case found(FirstText)

    /// The first text; nil if there is none.
    var firstText: FirstText? {
      switch self {
      case .searching: nil
      case .candidate(let text), .found(let text): text
      }
    }

    var isFinished: Bool { if case .found = self { true } else { false } }

    mutating func receive(heading: Position) {
      if case .searching = self { self = .searching(below: heading) }
    }

    /// Receives a paragraph, which may be a text or a label.
    mutating func receive(paragraph: Position, isText: Bool) {
      switch self {
      case .searching(let heading) where isText:
        self = .candidate(FirstText(position: paragraph, heading: heading))
      case .candidate(let text) where isText: self = .found(text)
      case .candidate(let text) where paragraph.block - text.position.block > maxDistance:
        self = .searching(below: text.heading)
      case .searching, .candidate, .found: break
      }
    }
  }

  /// A text and the heading above it; nil if there is none.
  private struct FirstText {
    var position: Position
    var heading: Position?
  }

  /// Maximum number of blocks between two texts, and between a heading and its text.
  private static let maxDistance = 12
  /// Minimum number of blocks of a page in whose last tenth a heading is ignored, unless the text
  /// begins there.
  private static let minBlocksToIgnoreEnd = 40

  /// Reads the headings of a document and, if it does not declare where its main content begins,
  /// its first texts.
  init(of document: Document) {
    self.document = document
    title = WordList(of: Array(document.title.utf8)[...])
    var position = Position(block: 0, topLevelBlock: 0)
    for (index, block) in document.blocks.enumerated() {
      position.block = index
      if index >= Int(document.blocks[position.topLevelBlock].end) {
        position.topLevelBlock = index
      }
      switch block.kind {
      case .heading(let level): record(heading: block, level, position)
      case .paragraph: record(paragraph: block, position)
      default: break
      }
    }
  }

  /// The block at which the main content begins.
  struct Start {
    /// The index of the top-level block; 0 if the page gives no hint.
    var block: Int
    /// Whether the page declares the start by its title, its only first-level heading or an element
    /// for its main content.
    var isDeclared: Bool
  }

  /// The block at which the main content begins.
  var start: Start {
    let declared = declaredBlock
    return Start(block: declared ?? firstTextBlock, isDeclared: declared != nil)
  }

  private var declaredBlock: Int? {
    let count = document.blocks.count
    if let bestHeading,
      count < Self.minBlocksToIgnoreEnd || bestHeading.position.block * 10 < count * 9
        || beginsText(bestHeading)
    {
      return bestHeading.position.topLevelBlock
    }
    let mainContentBlock = document.mainContentBlock
    if let firstTopHeading, topHeadingCount == 1, firstTopHeading.topLevelBlock >= mainContentBlock,
      firstTopHeading.block * 2 < count
    {
      return firstTopHeading.topLevelBlock
    }
    if mainContentBlock > 0 { return mainContentBlock }
    return bestLine.flatMap { $0.hasTextBelow ? $0.position.topLevelBlock : nil }
  }

  /// Returns whether a heading is above text, and no other text is above the heading.
  private func beginsText(_ heading: TitleMatch) -> Bool {
    guard heading.hasTextBelow, document.mainContentBlock == 0 else { return false }
    return search.firstText.map { $0.position.block > heading.position.block } ?? true
  }

  private var firstTextBlock: Int {
    let count = document.blocks.count
    // Ignore a text in the second half, because less may fold than remains visible. Revealed text
    // has a fold line above it already.
    guard let text = search.firstText, text.position.block * 2 < count, document.blockFolds.isEmpty
    else { return 0 }
    guard let heading = text.heading, text.position.block - heading.block <= Self.maxDistance else {
      return text.position.topLevelBlock
    }
    return heading.topLevelBlock
  }

  private mutating func record(heading block: Document.Block, _ level: UInt8, _ position: Position)
  {
    search.receive(heading: position)
    if level == 1 {
      topHeadingCount += 1
      if topHeadingCount == 1 { firstTopHeading = position }
    }
    guard level <= 3, let similarity = similarity(toTitle: block) else { return }
    let score = similarity + (level == 1 ? 6 : level == 2 ? 2 : 0)
    Self.update(&bestHeading, with: TitleMatch(position: position, score: score))
  }

  /// Returns how similar a block is to the title; nil if it is not.
  private func similarity(toTitle block: Document.Block) -> Int? {
    guard title.count > 1, let start = block.runs.first, let end = block.runs.last else {
      return nil
    }
    let range = Int(document.runs[Int(start)].start)..<Int(document.runs[Int(end)].end)
    let content = WordList(of: document.text[range].prefix(Self.maxHeadingLength))
    let common = content.commonWordCount(in: title)
    // At least two thirds of the heading must be in the title, and two fifths of the title in the
    // heading.
    guard common >= 2, common * 3 >= content.count * 2, common * 5 >= title.count * 2 else {
      return nil
    }
    return common * 4 - (content.count - common) * 2
  }

  private static func update(_ best: inout TitleMatch?, with match: TitleMatch) {
    if let best, match.score < best.score || match.score == best.score && best.hasTextBelow {
      return
    }
    best = match
  }

  private static let maxHeadingLength = 400

  private mutating func record(paragraph block: Document.Block, _ position: Position) {
    let isWanted = document.mainContentBlock == 0 && !search.isFinished
    if isWanted || bestHeading?.hasTextBelow == false || bestLine?.hasTextBelow == false {
      let isText = document.isMainText(block)
      if isText {
        bestHeading?.hasTextBelow = true
        bestLine?.hasTextBelow = true
      }
      if isWanted { search.receive(paragraph: position, isText: isText) }
    }
    // A long title may look like text, but is not text below itself.
    record(line: block, position)
  }

  /// Records a paragraph that may be the title, which many pages do not mark as a heading. A line
  /// that begins with a link leads to other pages, and one in the second half of the page, after
  /// its text, may repeat the title above comments.
  private mutating func record(line block: Document.Block, _ position: Position) {
    guard document.mainContentBlock == 0, bestHeading == nil, title.count > 2,
      !search.isFinished || position.block * 2 < document.blocks.count,
      let start = block.runs.first, let end = block.runs.last,
      document.runs[Int(start)].link == nil,
      document.runs[Int(end)].end - document.runs[Int(start)].start
        <= 2 * document.title.utf8.count,
      let score = similarity(toTitle: block)
    else { return }
    Self.update(&bestLine, with: TitleMatch(position: position, score: score))
  }
}

extension Document {
  /// Returns whether a paragraph is more than a label: it has enough words, most of them outside
  /// links.
  package func isMainText(_ block: Block) -> Bool {
    var (plain, links) = (0, 0)
    var isInWord = false
    for index in block.runs {
      let run = runs[Int(index)]
      guard run.image == nil else { continue }
      for byte in text[Int(run.start)..<Int(run.end)] {
        // In scripts without spaces each character counts as a word.
        if byte > 0x20, !isInWord || (0xE3...0xED).contains(byte) {
          if run.link != nil { links += 1 } else { plain += 1 }
        }
        isInWord = byte > 0x20
      }
      if plain > Self.minUnlinkedWordCount * 4, links == 0 { return true }
    }
    return plain >= Self.minUnlinkedWordCount && links * 3 < plain
  }

  /// Minimum number of words outside links in a text.
  private static let minUnlinkedWordCount = 20
}
