/// The best candidate for the start of the main content.
struct MainContent {
  /// The kinds of evidence, weakest first.
  enum Rank: Int {
    case none, heading, article, main
  }

  private var rank = Rank.none
  private var start: Int32 = 0
  private var earlier: (rank: Rank, start: Int32) = (.none, 0)

  /// Records a candidate; the first of the highest rank is used.
  mutating func begin(_ new: Rank, at block: Int32) {
    guard new.rawValue > rank.rawValue else { return }
    earlier = (rank, start)
    rank = new
    start = block
  }

  /// Records the end of an element; if it has no text, it is not the main content.
  mutating func end(textStart: Int, _ document: Document) {
    if document.text.count == textStart, rank.rawValue > Rank.heading.rawValue {
      (rank, start) = earlier
    }
  }

  /// Returns the index of the block at which the main content starts; 0 if unknown.
  func block(of document: Document) -> Int {
    guard start > 0, Int(start) < document.blocks.count else { return 0 }
    return Int(rank.rawValue > Rank.heading.rawValue ? heading(in: document) ?? start : start)
  }

  /// Returns the heading of the content if it precedes the element that contains the rest: a
  /// heading directly before it, or a first-level one with little text between (dates, a button) if
  /// the content begins with text and its first heading has a lower level.
  private func heading(in document: Document) -> Int32? {
    var last: (block: Int32, level: UInt8, textEnd: UInt32)?
    var index: Int32 = 0
    while index < start {
      let block = document.blocks[Int(index)]
      if let level = block.kind.headingLevel, let run = block.runs.last {
        last = (index, level, document.runs[Int(run)].end)
      }
      index = block.end
    }
    guard let last else { return nil }
    if last.block + 1 == start { return last.block }
    let leaves = document.blocks[Int(start)...].lazy.filter { !$0.runs.isEmpty }
    guard last.level == 1, let first = leaves.first, let run = first.runs.first,
      document.runs[Int(run)].start - last.textEnd <= Self.besideHeading,
      leaves.first(where: { $0.kind.headingLevel != nil })?.kind.headingLevel != 1
    else { return nil }
    return first.kind.headingLevel == nil ? last.block : nil
  }

  /// Maximum number of bytes between a heading and its content.
  private static let besideHeading: UInt32 = 200
}

extension Document.Block.Kind {
  /// The level of a heading, nil for other blocks.
  fileprivate var headingLevel: UInt8? {
    if case .heading(let level) = self { level } else { nil }
  }
}
