// What folds before the text of a page: navigation before the main content, lists of contents, and the lines
// between a heading and its text that say who wrote it and where to share it. The rules keep what a page is for
// in sight: a paragraph of some length, code, and a heading that does not stand above a list of links never
// fold, wherever they are; what is around them does.

/// Chooses the parts of a page that are folded when it opens.
struct PageFolds {
  private let document: Document
  private let asides: Asides
  /// Facts about the blocks up to the first text.
  private let words: LeafWords
  /// The index of the block at which the main content begins.
  private(set) var main: Int32
  /// The parts that fold, in their order, none within another.
  private(set) var parts: [Document.Part] = []

  /// The lines below a heading that stay: who wrote the text, and when.
  private static let keptLines = 5
  /// What takes no more lines between heading and text stays.
  private static let fewLines = 5
  private static let fewNamedLines = 3
  /// Short lines that nothing names as beside the text fold only up to this number: more of them, or of
  /// their words outside links, may be what the page is for.
  private static let maxLines = 120
  private static let maxPlainWords = 160
  /// This many lines with a link to another page, one after the other, are an index.
  private static let indexLines = 4
  /// The least number of lines that fold within a block of which other lines stay.
  private static let minNested = 6
  /// The least number of links within the page of a list of contents.
  private static let minContents = 4

  /// Chooses the parts of a document.
  /// - Parameters:
  ///   - document: A page whose blocks are complete.
  ///   - beginning: Where reading begins.
  ///   - asides: The parts of the page that name themselves as beside its text.
  ///   - foldsPreamble: Whether lines between a heading and its text may fold.
  init(
    of document: Document, beginning: ReadingPlace.Beginning, asides: Asides, foldsPreamble: Bool
  ) {
    self.document = document
    main = Int32(beginning.block)
    let start = document.source(ofBlockAt: Int(main))
    self.asides = asides.outside(start)
    let text = document.firstText(from: Int(main), outside: self.asides)
    words = LeafWords(of: document, before: text ?? Int(main), asides: self.asides)
    if !beginning.isStated { main = min(main, beginningOfContent) }
    if main > 0 { foldSiblings(0..<main, as: .navigation) }
    if foldsPreamble, let text, document.fillsScreen {
      foldSiblings(main..<Int32(text), as: .preamble)
    }
  }

  /// The first block that cannot be navigation, on a page that does not say where its content begins: a
  /// heading outside of menus is the page's own, and the list below it is, too.
  private var beginningOfContent: Int32 {
    var index: Int32 = 0
    while index < main {
      let block = document.blocks[Int(index)]
      let own = index..<block.end
      if words.keeps(own) || isMatter(own) || own.contains(where: isHeadingOfPage) {
        return index
      }
      index = block.end
    }
    return main
  }

  /// Whether a block is a heading as those of pages are, outside of menus.
  private func isHeadingOfPage(_ block: Int32) -> Bool {
    guard case .heading(1...2) = document.blocks[Int(block)].kind else { return false }
    return words.isOwnHeading(block, in: document)
  }

  // MARK: Runs of blocks

  /// Folds what can be folded of blocks beside each other, and of the blocks in those that cannot.
  private mutating func foldSiblings(_ range: Range<Int32>, as kind: Document.Part.Kind) {
    var ranges = [(range, isAtTop: true)]
    while let (range, isAtTop) = ranges.popLast() {
      var run = Run(start: range.lowerBound, isAtTop: isAtTop)
      var index = range.lowerBound
      while index < range.upperBound {
        let block = document.blocks[Int(index)]
        if block.end <= range.upperBound, isFoldable(index, as: kind) {
          index = block.end
          run.end = index
          continue
        }
        fold(run, as: kind)
        if block.kind.holdsFolds {
          // What is left of the siblings comes after what is in this one.
          if block.end < range.upperBound { ranges.append((block.end..<range.upperBound, isAtTop)) }
          ranges.append((index + 1..<min(block.end, range.upperBound), false))
          run = Run(start: block.end, isAtTop: isAtTop)
          break
        }
        index = block.end
        run = Run(start: index, isAtTop: isAtTop)
      }
      fold(run, as: kind)
    }
  }

  /// Blocks beside each other that can be folded.
  private struct Run {
    var start: Int32
    var end: Int32
    /// Whether they are in no other block.
    var isAtTop: Bool

    init(start: Int32, isAtTop: Bool) { (self.start, end, self.isAtTop) = (start, start, isAtTop) }
  }

  private func isFoldable(_ block: Int32, as kind: Document.Part.Kind) -> Bool {
    let own = block..<document.blocks[Int(block)].end
    guard !words.keeps(own) else { return false }
    if kind == .navigation { return !isFirstHeading(block) && !isMatter(own) }
    return isBesideText(own) || isContents(own)
      || words.sum(of: own).sentences == 0 && isLine(own)
  }

  /// Whether a block is a first-level heading that is no link: that of the page, or of its site.
  private func isFirstHeading(_ block: Int32) -> Bool {
    guard case .heading(1) = document.blocks[Int(block)].kind else { return false }
    return words.isOwnHeading(block, in: document)
  }

  /// Whether a block before the main content is a table or a list of more than a line of text.
  private func isMatter(_ range: Range<Int32>) -> Bool {
    switch document.blocks[Int(range.lowerBound)].kind {
    case .table, .list, .definitionList, .quote:
      let all = words.sum(of: range)
      return all.plain > LeafWords.maxPlainWords && all.plain > all.links * 2
    default: return false
    }
  }

  private mutating func fold(_ run: Run, as kind: Document.Part.Kind) {
    guard run.start < run.end else { return }
    var range = run.start..<run.end
    range = range.lowerBound..<words.endWithoutHeadings(of: range, in: document)
    if kind == .preamble {
      guard let rest = foldedLines(of: range) else { return }
      range = rest
    }
    let all = words.sum(of: range)
    // Words alone are no navigation, unless they are in a menu.
    guard all.links > 0 || all.leaves > 0 && all.asides == all.leaves,
      run.isAtTop || all.leaves >= Self.minNested
    else { return }
    parts.append(
      Document.Part(range, isNamedContents(range) ? .contents : all.links > 0 ? kind : .preamble))
  }

  // MARK: Between a heading and its text

  /// What of some lines below a heading folds, or nil when they are few or may be what the page is for.
  private func foldedLines(of range: Range<Int32>) -> Range<Int32>? {
    var lines = 0
    var start: Int32?
    /// The end of what is named as beside the text without anything else between.
    var namedEnd: Int32?
    var isNamed = false
    var index = range.lowerBound
    while index < range.upperBound {
      let own = index..<document.blocks[Int(index)].end
      lines += document.lines(of: own)
      let isBeside = isBesideText(own) || isContents(own)
      if start == nil, lines > Self.keptLines || isBeside { (start, isNamed) = (index, isBeside) }
      if start != nil, isNamed { isNamed = isBeside || words.leaves(in: own) == 0 }
      if isNamed, isBeside { namedEnd = own.upperBound }
      index = own.upperBound
    }
    guard let start, case let end = endAboveText(range), start < end else { return nil }
    if document.lines(of: start..<end) > Self.fewLines, isBesideMostly(start..<end) {
      return start..<end
    }
    guard let namedEnd, document.lines(of: start..<namedEnd) > Self.fewNamedLines
    else { return nil }
    return start..<namedEnd
  }

  /// Whether most of some lines is beside the text, or few words of them are outside links.
  private func isBesideMostly(_ range: Range<Int32>) -> Bool {
    let all = words.sum(of: range)
    if all.asides * 2 >= all.leaves || isContents(range) { return true }
    return all.links >= all.plain && document.lines(of: range) <= Self.maxLines
      && all.plain <= Self.maxPlainWords
  }

  /// Headings, images and rules right above the text belong to it.
  private func endAboveText(_ range: Range<Int32>) -> Int32 {
    var (end, index) = (range.lowerBound, range.lowerBound)
    while index < range.upperBound {
      let block = document.blocks[Int(index)]
      if !block.kind.isAboveText || isBesideText(index..<block.end) { end = block.end }
      index = block.end
    }
    return end
  }

  /// Whether the page names some blocks as beside its text, or all their links lead to the author or to
  /// sites to share it on.
  private func isBesideText(_ range: Range<Int32>) -> Bool {
    let leaves = words.leaves(in: range)
    return leaves > 0 && words.asides(in: range) == leaves
  }

  /// Whether nearly all of some blocks are links within the page.
  private func isContents(_ range: Range<Int32>) -> Bool {
    let all = words.sum(of: range)
    return all.inPageLinks >= Self.minContents && all.inPage * 10 >= (all.links + all.plain) * 7
  }

  /// Whether some blocks are links within the page, or say that they are contents.
  private func isNamedContents(_ range: Range<Int32>) -> Bool {
    if isContents(range) { return true }
    let own = document.blocks[Int(range.lowerBound)..<Int(range.upperBound)]
    guard let first = own.first(where: { !$0.runs.isEmpty }) else { return false }
    let text = document.text(of: first)
    return text.utf8.count < 40 && text.lowercased().hasSuffix("contents")
  }

  /// Whether a block is a line as they stand below a heading, or an image: no list and no index.
  private func isLine(_ range: Range<Int32>) -> Bool {
    switch document.blocks[Int(range.lowerBound)].kind {
    case .paragraph: !words.isIndex(range.lowerBound, lines: Self.indexLines)
    case .heading, .image, .figure, .rule: true
    case .list: isListOfLinks(range) && !isIndex(range)
    default: false
    }
  }

  private func isListOfLinks(_ range: Range<Int32>) -> Bool {
    let all = words.sum(of: range)
    return all.links > all.plain
  }

  private func isIndex(_ range: Range<Int32>) -> Bool {
    words.outLeaves(in: range) >= Self.indexLines
  }
}

extension Document.Block.Kind {
  /// Whether parts of what a block contains can fold: it is laid out block by block.
  fileprivate var holdsFolds: Bool {
    switch self {
    case .list, .item, .quote, .definitionList, .definition: true
    default: false
    }
  }

  /// Whether a block belongs to the text that it stands above.
  fileprivate var isAboveText: Bool {
    switch self {
    case .heading, .image, .figure, .rule: true
    default: false
    }
  }
}

extension Document {
  /// Whether a page has more than a screen of some size.
  fileprivate var fillsScreen: Bool {
    blocks.count > Self.screenBlocks || text.count > Self.screenBytes
  }

  private static let screenBlocks = 24
  private static let screenBytes = 1500
  /// About how many bytes stand on a line.
  private static let lineLength = 72

  /// About how many lines some blocks take, with the blank ones below them.
  fileprivate func lines(of range: Range<Int32>) -> Int {
    blocks[Int(range.lowerBound)..<Int(range.upperBound)].reduce(0) { lines, block in
      guard let first = block.runs.first, let last = block.runs.last else { return lines }
      let bytes = Int(runs[Int(last)].end - runs[Int(first)].start)
      return lines + 1 + bytes / Self.lineLength + (block.isClose ? 0 : 1)
    }
  }

  /// The offset of the first text in or after a block.
  fileprivate func source(ofBlockAt index: Int) -> UInt32 {
    for block in blocks[index...] {
      if let run = block.runs.first { return runs[Int(run)].start }
    }
    return UInt32(text.count)
  }

  /// The first text from a block on that is not beside the text of the page.
  fileprivate func firstText(from start: Int, outside asides: Asides) -> Int? {
    blocks[start...].indices.first { index in
      guard let run = blocks[index].runs.first, isText(blocks[index]) else { return false }
      return !asides.contains(runs[Int(run)].start)
    }
  }
}

extension Document {
  /// Folds what stands before the text. What is shown although it is hidden has a line of its own already.
  mutating func fold(asides: Asides) {
    let beginning = ReadingPlace(of: self).beginning
    mainContent = beginning.block
    divideRevealed()
    let folds = PageFolds(
      of: self, beginning: beginning, asides: asides, foldsPreamble: parts.isEmpty)
    mainContent = Int(folds.main)
    let revealed = parts.filter { part in
      !folds.parts.contains { $0.blocks.overlaps(part.blocks) }
    }
    parts = (folds.parts + revealed).sorted { $0.blocks.lowerBound < $1.blocks.lowerBound }
  }

  /// Cuts what is shown although it is hidden where the main content begins.
  private mutating func divideRevealed() {
    let main = Int32(mainContent)
    guard let index = parts.firstIndex(where: { $0.blocks.contains(main) }), main > 0 else {
      return
    }
    let part = parts[index].blocks
    let halves = [part.lowerBound..<main, main..<part.upperBound].filter { !$0.isEmpty }
    parts.replaceSubrange(index...index, with: halves.map { Part($0, .revealed) })
  }
}
