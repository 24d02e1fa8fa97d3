/// What stands between the heading of a text and the text and would fill a screen: who wrote it and who looked
/// through it, where to share it, what it contains.
struct Preamble {
  /// The top-level blocks, without the first lines below the heading and the headings and pictures above the
  /// text.
  let blocks: Range<Int32>

  /// So many lines below the heading stay.
  private static let keptLines = 5
  /// What takes no more lines stays.
  private static let fewLines = 6
  /// What has more lines, or more words outside of links, may be what the page is for.
  private static let mostLines = 120
  private static let mostWords = 160
  /// About how many bytes stand on a line.
  private static let lineLength = 72

  /// Looks behind the heading at which a page begins; nil when the text is near.
  init?(of document: Document) {
    let start = document.mainContent
    guard start < document.blocks.count, case .heading = document.blocks[start].kind else {
      return nil
    }
    guard document.fillsScreen else { return nil }
    var (lines, words) = (0, 0)
    /// The first block that folds away, and the lines before it.
    var first: (block: Int, lines: Int)?
    /// The first of the headings and pictures above what comes next, and the lines before it.
    var last: (block: Int, lines: Int)?
    var index = start + 1
    while index < document.blocks.count, lines <= Self.mostLines, words <= Self.mostWords {
      let own = index..<Int(document.blocks[index].end)
      if document.blocks[own].contains(where: document.isText) {
        guard let first, case let end = last ?? (index, lines),
          end.lines - first.lines > Self.fewLines,
          document.isMostlyLinks(Int32(first.block)..<Int32(end.block))
        else { return nil }
        blocks = Int32(first.block)..<Int32(end.block)
        return
      }
      guard document.blocks[own].allSatisfy({ !$0.kind.isMatter }) else { return nil }
      let isAbove = document.blocks[index].kind.standsAboveText
      if !isAbove { last = nil } else if last == nil { last = (index, lines) }
      let before = lines
      for block in document.blocks[own] { Self.add(block, of: document, &lines, &words) }
      if first == nil, lines > Self.keptLines { first = (index, before) }
      index = own.upperBound
    }
    return nil
  }

  /// Adds about how many lines a block takes, with the one below it, and its words outside of links.
  private static func add(
    _ block: Document.Block, of document: Document, _ lines: inout Int, _ words: inout Int
  ) {
    guard !block.runs.isEmpty else { return }
    var bytes = 0
    for run in document.runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)] {
      let text = document.text[Int(run.start)..<Int(run.end)]
      bytes += text.count
      if run.link < 0, run.image < 0 { words += text.count { $0 == 0x20 } + 1 }
    }
    lines += 1 + bytes / lineLength + (block.isClose ? 0 : 1)
  }
}

extension Document {
  /// Whether a page has more than a screen of some size.
  fileprivate var fillsScreen: Bool {
    blocks.count > Self.screenBlocks || text.count > Self.screenBytes
  }

  private static let screenBlocks = 24
  private static let screenBytes = 1500

  /// Whether half of the words of some blocks are those of links: what only leads elsewhere, or further down. Lists
  /// and lines of what a page is about, ingredients or what is said on a stage, have none.
  fileprivate func isMostlyLinks(_ range: Range<Int32>) -> Bool {
    var (links, others) = (0, 0)
    for block in blocks[Int(range.lowerBound)..<Int(range.upperBound)] {
      for run in runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)] where run.image < 0 {
        let words = text[Int(run.start)..<Int(run.end)].count { $0 == 0x20 } + 1
        if run.link >= 0 { links += words } else { others += words }
      }
    }
    return links >= others && links > 0
  }
}

extension Document.Block.Kind {
  /// Never stands between a heading and its text without being what it is about.
  fileprivate var isMatter: Bool {
    switch self {
    case .table, .preformatted: true
    default: false
    }
  }

  /// Belongs to the text that it stands above.
  fileprivate var standsAboveText: Bool {
    switch self {
    case .heading, .image, .figure, .rule: true
    default: false
    }
  }
}
