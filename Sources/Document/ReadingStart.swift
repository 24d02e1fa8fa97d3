import DOM

/// Finds where the main content of a page begins: at the heading that resembles the title; or else
/// where the page declares its main content or has its only first-level heading; or else at the
/// first of two texts close to each other, or the heading above it.
struct ReadingStart {
  private let document: Document
  private let title: WordList
  /// The position of the heading most similar to the title, and the score of the similarity.
  private var named: (place: Position, score: Int)?
  /// Whether text followed that heading, so that a later heading with the same score is not a
  /// better choice.
  private var hasTextSince = false
  /// The first heading of level 1.
  private var first: Position?
  private var count = 0
  /// The first text, and the heading above it.
  private var text: Position?
  private var heading: Position?
  private var lastHeading: Position?
  private var isTextFound = false

  /// A block, and the top-level block that contains it, which may be the block itself.
  private struct Position {
    var block: Int
    var top: Int
  }

  /// Maximum number of blocks between two texts, and between a heading and its text.
  private static let maxDistance = 12
  /// Minimum number of blocks of a page in whose last tenth a heading is ignored.
  private static let minBlocks = 40

  /// Reads the headings of a document and, if it does not declare where its main content begins,
  /// its first texts.
  init(of document: Document) {
    self.document = document
    title = WordList(of: Array(document.title.utf8)[...])
    var position = Position(block: 0, top: 0)
    for (index, block) in document.blocks.enumerated() {
      position.block = index
      if index >= Int(document.blocks[position.top].end) { position.top = index }
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
  var beginning: Start {
    let declared = declaredBlock
    return Start(block: declared ?? firstTextBlock, isDeclared: declared != nil)
  }

  private var declaredBlock: Int? {
    let count = document.blocks.count
    if let position = named?.place, position.block * 10 < count * 9 || count < Self.minBlocks {
      return position.top
    }
    let main = document.mainContent
    if let first, self.count == 1, first.top >= main, first.block * 2 < count { return first.top }
    return main > 0 ? main : nil
  }

  private var firstTextBlock: Int {
    let count = document.blocks.count
    // Ignore a text in the second half, because less may fold than remains visible. Revealed text
    // has a fold line above it already.
    guard let text, text.block * 2 < count, document.parts.isEmpty else { return 0 }
    guard let heading, text.block - heading.block <= Self.maxDistance else { return text.top }
    return heading.top
  }

  private mutating func record(heading block: Document.Block, _ level: UInt8, _ position: Position)
  {
    if text == nil { lastHeading = position }
    if level == 1 {
      count += 1
      if count == 1 { first = position }
    }
    guard level <= 3, title.count > 1, let start = block.runs.first, let end = block.runs.last
    else { return }
    let range = Int(document.runs[Int(start)].start)..<Int(document.runs[Int(end)].end)
    let content = WordList(of: document.text[range].prefix(Self.maxHeadingLength))
    let common = content.count(in: title)
    // At least two thirds of the heading must be in the title, and two fifths of the title in the
    // heading.
    guard common >= 2, common * 3 >= content.count * 2, common * 5 >= title.count * 2 else {
      return
    }
    let score = common * 4 - (content.count - common) * 2 + (level == 1 ? 6 : level == 2 ? 2 : 0)
    if let best = named?.score, score < best || score == best && hasTextSince { return }
    named = (position, score)
    hasTextSince = false
  }

  private static let maxHeadingLength = 400

  private mutating func record(paragraph block: Document.Block, _ position: Position) {
    let isWanted = document.mainContent == 0 && !isTextFound
    guard isWanted || named != nil && !hasTextSince else { return }
    let isText = document.isText(block)
    hasTextSince = hasTextSince || isText && named != nil
    guard isWanted else { return }
    if isText {
      if text != nil {
        isTextFound = true
      } else {
        text = position
        heading = lastHeading
      }
    } else if let before = text, position.block - before.block > Self.maxDistance {
      text = nil
    }
  }
}

extension Document {
  /// Returns whether a paragraph is more than a label: it has enough words, most of them outside
  /// links.
  func isText(_ block: Block) -> Bool {
    var (plain, links) = (0, 0)
    var isInWord = false
    for index in block.runs {
      let run = runs[Int(index)]
      guard run.image < 0 else { continue }
      for byte in text[Int(run.start)..<Int(run.end)] {
        // In scripts without spaces each character counts as a word.
        if byte > 0x20, !isInWord || (0xE3...0xED).contains(byte) {
          if run.link >= 0 { links += 1 } else { plain += 1 }
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
