/// The best candidate for the start of the main content.
struct MainContentCandidate {
  /// The kinds of evidence, weakest first.
  enum Evidence: Int {
    case none, heading, article, main
  }

  /// The evidence for the best candidate so far, and its first block.
  private var evidence = Evidence.none
  private var startBlock: Int32 = 0
  /// The best candidate before the current one, used if the current one turns out to have no text.
  private var previousCandidate: (rank: Evidence, start: Int32) = (.none, 0)

  /// Records a candidate; the first of the highest rank is used.
  mutating func recordCandidate(_ newEvidence: Evidence, at block: Int32) {
    guard newEvidence.rawValue > evidence.rawValue else { return }
    previousCandidate = (evidence, startBlock)
    evidence = newEvidence
    startBlock = block
  }

  /// Returns to the previous candidate, because an element that ends has no text.
  mutating func rejectCandidate() {
    if evidence.rawValue > Evidence.heading.rawValue {
      (evidence, startBlock) = previousCandidate
    }
  }

  /// Returns the index of the block at which the main content starts; 0 if unknown.
  func block(of document: Document) -> Int {
    guard startBlock > 0, Int(startBlock) < document.blocks.count else { return 0 }
    return Int(
      evidence.rawValue > Evidence.heading.rawValue
        ? precedingHeading(in: document) ?? startBlock : startBlock)
  }

  /// Returns the heading of the content if it precedes the element that contains the rest: a
  /// heading directly before it, or a first-level one with little text between (dates, a button) if
  /// the content begins with text and its first heading has a lower level. Nil if there is none.
  private func precedingHeading(in document: Document) -> Int32? {
    var last: (block: Int32, level: UInt8, textEnd: UInt32)?
    var index: Int32 = 0
    while index < startBlock {
      let block = document.blocks[Int(index)]
      if let level = block.kind.headingLevel, let run = block.runs.last {
        last = (index, level, document.runs[Int(run)].end)
      }
      index = block.end
    }
    guard let last else { return nil }
    if last.block + 1 == startBlock { return last.block }
    let leaves = document.blocks[Int(startBlock)...].lazy.filter { !$0.runs.isEmpty }
    guard last.level == 1, let first = leaves.first, let run = first.runs.first,
      document.runs[Int(run)].start - last.textEnd <= Self.maxDistanceToHeading,
      leaves.first(where: { $0.kind.headingLevel != nil })?.kind.headingLevel != 1
    else { return nil }
    return first.kind.headingLevel == nil ? last.block : nil
  }

  /// Maximum number of bytes between a heading and its content.
  private static let maxDistanceToHeading: UInt32 = 200
}

extension Document.Block.Kind {
  /// The level of a heading, nil for other blocks.
  fileprivate var headingLevel: UInt8? {
    if case .heading(let level) = self { level } else { nil }
  }
}
