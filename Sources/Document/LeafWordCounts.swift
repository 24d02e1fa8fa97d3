import DOM

/// Word counts of the leaf blocks at the start of a document, in links and outside them, as prefix
/// sums, so that the sum over a range of blocks takes constant time.
struct LeafWordCounts {
  /// Counts of words and links in some leaves.
  struct Sum {
    /// Words in links, and words outside links.
    var linkWordCount: Int32 = 0, plainWordCount: Int32 = 0
    /// Words in links to parts of the same page, and the number of these links.
    var inPageLinkWordCount: Int32 = 0, inPageLinkCount: Int32 = 0
    /// The number of leaves with words; the number of secondary leaves, which the page marks as
    /// secondary (`SecondaryRanges`) or whose links all lead to the author, to tags or to share
    /// pages; and the number of the remaining leaves, except headings, that link to another page.
    var leafCount: Int32 = 0, secondaryLeafCount: Int32 = 0, externalLinkLeafCount: Int32 = 0
    /// The number of form controls in a single leaf. Sums over several leaves do not include it.
    var fieldCount: Int32 = 0
    /// Leaves that never fold.
    var unfoldableLeafCount: Int32 = 0
  }

  /// The sums over all blocks before each one.
  private var sumsBefore: [Sum]
  /// For each leaf with links to other pages, the length of the run of such leaves that it belongs
  /// to; 0 for other blocks.
  private var rowLengths: [Int32]

  /// Maximum number of words outside links in a line that may fold.
  static let maxPlainWordCount = 20

  /// Counts the words in the blocks before an index.
  init(of document: Document, sumsBefore end: Int, secondaryRanges: SecondaryRanges) {
    sumsBefore = [Sum()]
    sumsBefore.reserveCapacity(end + 1)
    rowLengths = Array(repeating: 0, count: end)
    var openHeadings: [(level: UInt8, block: Int)] = []
    var keptHeadings: [Int] = []
    var leaves = [Sum](repeating: Sum(), count: end)
    let keepsRefresh = document.isLeftByRefresh
    for index in 0..<end {
      let block = document.blocks[index]
      guard !block.runs.isEmpty else { continue }
      guard
        var leafSum = Self.leafSum(
          of: block, in: document, secondaryRanges, keepsRefresh: keepsRefresh)
      else { continue }
      if case .heading(let level) = block.kind {
        while let last = openHeadings.last, last.level >= level {
          keptHeadings.append(last.block)
          openHeadings.removeLast()
        }
        openHeadings.append((level, index))
        leafSum.externalLinkLeafCount = 0
      } else {
        if leafSum.linkWordCount < leafSum.plainWordCount + leafSum.fieldCount {
          keptHeadings += openHeadings.map(\.block)
        }
        openHeadings = []
      }
      leaves[index] = leafSum
    }
    for block in keptHeadings + openHeadings.map(\.block) {
      leaves[block].unfoldableLeafCount = 1
    }
    for leaf in leaves { sumsBefore.append(sumsBefore[sumsBefore.count - 1] + leaf) }
    findRows(leaves)
  }

  /// Returns the counts of a leaf; nil if it has neither words nor form controls.
  private static func leafSum(
    of block: Document.Block, in document: Document, _ secondaryRanges: SecondaryRanges,
    keepsRefresh: Bool
  ) -> Sum? {
    var sum = Sum(of: block, in: document)
    guard sum.linkWordCount + sum.plainWordCount + sum.fieldCount > 0 else { return nil }
    sum.leafCount = 1
    let start = document.runs[Int(block.runs.lowerBound)].start
    if secondaryRanges.contains(start) { sum.secondaryLeafCount = 1 }
    if sum.secondaryLeafCount == 0, sum.linkWordCount > sum.inPageLinkWordCount {
      sum.externalLinkLeafCount = 1
    }
    if sum.plainWordCount > maxPlainWordCount { sum.unfoldableLeafCount = 1 }
    if case .preformatted = block.kind { sum.unfoldableLeafCount = 1 }
    if keepsRefresh, document.isRefreshLink(block) { sum.unfoldableLeafCount = 1 }
    if sum.secondaryLeafCount == 0, sum.linkWordCount == 0,
      document.isSentence(block, wordCount: sum.plainWordCount)
    {
      sum.unfoldableLeafCount = 1
    }
    return sum
  }

  /// Sets `rowLengths`. Blocks without words do not end a run of leaves with links.
  private mutating func findRows(_ leaves: [Sum]) {
    var (start, count): (Int, Int32) = (0, 0)
    func end(_ index: Int, _ row: inout [Int32]) {
      for position in start..<index where leaves[position].externalLinkLeafCount > 0 {
        row[position] = count
      }
    }
    for (index, leaf) in leaves.enumerated() where leaf.leafCount > 0 {
      if leaf.externalLinkLeafCount > 0 {
        if count == 0 { start = index }
        count += 1
      } else {
        if count > 0 { end(index, &rowLengths) }
        count = 0
      }
    }
    if count > 0 { end(leaves.count, &rowLengths) }
  }

  /// Returns the sums over the counted part of a range of blocks.
  func sum(of range: Range<Int32>) -> Sum {
    let last = sumsBefore.count - 1
    return sumsBefore[min(Int(range.upperBound), last)]
      - sumsBefore[min(Int(range.lowerBound), last)]
  }

  /// Returns the number of leaves with words.
  func leafCount(in range: Range<Int32>) -> Int32 { sum(of: range).leafCount }

  /// Returns the number of secondary leaves.
  func secondaryLeafCount(in range: Range<Int32>) -> Int32 { sum(of: range).secondaryLeafCount }

  /// Returns the number of leaves that link to other pages, without headings and secondary leaves.
  func externalLinkLeafCount(in range: Range<Int32>) -> Int32 {
    sum(of: range).externalLinkLeafCount
  }

  /// Returns whether a leaf is in a run of at least `minLines` leaves that link to other pages.
  func isInLinkIndex(_ block: Int32, minLines: Int) -> Bool {
    Int(block) < rowLengths.count && rowLengths[Int(block)] >= Int32(minLines)
  }

  /// Returns whether a range of blocks contains anything that never folds.
  func hasUnfoldableLeaf(_ range: Range<Int32>) -> Bool { sum(of: range).unfoldableLeafCount > 0 }

  /// Returns whether a block is a heading that is neither in a menu nor a link.
  func isContentHeading(_ block: Int32, in document: Document) -> Bool {
    guard case .heading = document.blocks[Int(block)].kind else { return false }
    let blockSum = sum(of: block..<block + 1)
    return blockSum.secondaryLeafCount == 0 && blockSum.plainWordCount > 0
  }

  /// Returns the end of a range without trailing headings, since the lists that they introduce are
  /// outside the range.
  func endWithoutHeadings(of range: Range<Int32>, in document: Document) -> Int32 {
    var (end, index) = (range.lowerBound, range.lowerBound)
    while index < range.upperBound {
      let block = document.blocks[Int(index)]
      if case .heading = block.kind {} else { end = block.end }
      index = block.end
    }
    return end
  }
}

extension Document {
  /// Whether the page has little text and is left by a refresh, whose link is then the content of
  /// the page.
  fileprivate var isLeftByRefresh: Bool {
    guard let delay = refreshDelay, delay <= Self.maxDelay else { return false }
    return textAmount != .enough
  }

  /// Maximum delay of a refresh in seconds; with a longer delay, the page is one that reloads
  /// itself.
  private static let maxDelay = 60.0

  fileprivate func isRefreshLink(_ block: Block) -> Bool {
    guard let first = block.runs.first, let link = runs[Int(first)].link.value else {
      return false
    }
    return links[link].kind == .refresh
  }

  /// Returns whether a paragraph looks like a sentence: it has a few words and ends in sentence
  /// punctuation.
  fileprivate func isSentence(_ block: Block, wordCount: Int32) -> Bool {
    guard block.kind == .paragraph, wordCount >= 4, let last = block.runs.last,
      !runs[Int(last)].style.contains(.control)
    else { return false }
    let end = Int(runs[Int(last)].end)
    switch text[end - 1] {
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"): return true
    // Sentence punctuation in scripts without spaces.
    default:
      return end > 2 && ["。", "！", "？"].contains { text[end - 3..<end].elementsEqual($0.utf8) }
    }
  }
}

extension LeafWordCounts.Sum {
  /// Counts the words of a leaf.
  fileprivate init(of block: Document.Block, in document: Document) {
    var isInWord = false
    var lastLink: Int?
    /// The number of links that lead neither to the author nor to tags or share pages.
    var otherLinkCount = 0
    for index in block.runs {
      let run = document.runs[Int(index)]
      guard run.image == nil else { continue }
      guard !run.style.contains(.control) else {
        fieldCount += 1
        continue
      }
      let link = run.link.value
      let isInPage = link.map { document.links[$0].isInPage } ?? false
      if link != lastLink, isInPage { inPageLinkCount += 1 }
      if let link, link != lastLink {
        if !document.links[link].isSecondary { otherLinkCount += 1 }
      }
      lastLink = link
      var lastByte: UInt8 = 0
      for byte in document.text[Int(run.start)..<Int(run.end)] {
        // 0xC2 and the byte after it are U+0080 to U+00BF: no-break spaces and punctuation, apart
        // from three letters.
        let isWord = byte.isWordByte && byte != 0xC2 && lastByte != 0xC2
        lastByte = byte
        // In scripts without spaces each character counts as a word.
        if isWord, !isInWord || (0xE3...0xED).contains(byte) {
          if link == nil { plainWordCount += 1 } else { linkWordCount += 1 }
          if isInPage { inPageLinkWordCount += 1 }
        }
        isInWord = isWord
      }
    }
    if linkWordCount > 0, otherLinkCount == 0 { secondaryLeafCount = 1 }
  }

  static func + (left: Self, right: Self) -> Self { left.combined(with: right, &+) }
  static func - (left: Self, right: Self) -> Self { left.combined(with: right, &-) }

  private func combined(with other: Self, _ combine: (Int32, Int32) -> Int32) -> Self {
    var result = Self()
    result.linkWordCount = combine(linkWordCount, other.linkWordCount)
    result.plainWordCount = combine(plainWordCount, other.plainWordCount)
    result.inPageLinkWordCount = combine(inPageLinkWordCount, other.inPageLinkWordCount)
    result.inPageLinkCount = combine(inPageLinkCount, other.inPageLinkCount)
    result.leafCount = combine(leafCount, other.leafCount)
    result.secondaryLeafCount = combine(secondaryLeafCount, other.secondaryLeafCount)
    result.externalLinkLeafCount = combine(externalLinkLeafCount, other.externalLinkLeafCount)
    result.unfoldableLeafCount = combine(unfoldableLeafCount, other.unfoldableLeafCount)
    return result
  }
}

extension Document.Link {
  /// Whether a link leads to a part of the same page.
  fileprivate var isInPage: Bool { target.utf8.first == UInt8(ascii: "#") && target.utf8.count > 1 }

  /// Whether a link leads to the author, to pages with the same tag, or to a share page.
  fileprivate var isSecondary: Bool {
    var target = target
    return target.withUTF8 { Self.secondaryTargets.match($0, in: 0..<min($0.count, 400)) } != 0
  }

  private static let secondaryTargets = WordMatcher([
    (1, "/author,/contributor,/people/,/person/,/profile,/staff/,/journalist,/tag/,/tags/"),
    (1, "/topic/,/topics/,/category/,/categories/, mailto:,facebook.com/shar"),
    (1, "facebook.com/dialog,twitter.com/intent,twitter.com/share,x.com/intent,x.com/share"),
    (1, "linkedin.com/sh,pinterest.,reddit.com/submit,wa.me/,whatsapp,t.me/share,/share?"),
    (1, "sharer,bsky.app/intent,flipboard.com,#comment,#respond"),
  ])
}

extension UInt8 {
  /// Whether a UTF-8 byte belongs to a letter, a digit, or a character outside ASCII.
  fileprivate var isWordByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}

extension Document {
  /// Returns the indices of the links in a range of blocks; all links that are shown if the range
  /// is nil.
  package func linkIndices(inBlocks range: Range<Int32>?) -> Set<Int32> {
    let range = range ?? 0..<Int32(blocks.count)
    var links: Set<Int32> = []
    for block in blocks[Int(range.lowerBound)..<Int(range.upperBound)] {
      for index in block.runs {
        if let link = runs[Int(index)].link.value { links.insert(Int32(link)) }
      }
    }
    return links
  }

  /// Returns a summary of a range of blocks: the numbers of links, of words outside links and of
  /// form fields, for example `71 links, 2 fields`. The first line without links is quoted.
  package func summary(ofBlocks range: Range<Int32>) -> String {
    let links = linkIndices(inBlocks: range)
    var (wordCount, fields) = (0, 0)
    for block in blocks[Int(range.lowerBound)..<Int(range.upperBound)] where !block.runs.isEmpty {
      let sum = LeafWordCounts.Sum(of: block, in: self)
      wordCount += Int(sum.plainWordCount)
      for index in block.runs {
        let run = runs[Int(index)]
        if run.style.contains(.control) {
          // Buttons beside each other are one run.
          let runText = text[Int(run.start)..<Int(run.end)]
          fields += max(1, runText.count { $0 == UInt8(ascii: "[") })
        }
      }
    }
    let counts = [(links.count, "link"), (wordCount, "word"), (fields, "field")]
    let line = firstPlainLine(inBlocks: range)
    let countTexts = counts.filter { $0.0 > 0 }.map { count, noun in
      let text = CountFormatter.countText(count, noun)
      return line.flatMap { noun == "word" ? "\(text): “\($0)”" : nil } ?? text
    }
    return countTexts.isEmpty ? "0 links" : countTexts.joined(separator: ", ")
  }

  /// Returns the first line of at least two words in a range of blocks that has no links and is not
  /// a heading, shortened; nil for none.
  private func firstPlainLine(inBlocks range: Range<Int32>) -> String? {
    for block in blocks[Int(range.lowerBound)..<Int(range.upperBound)] {
      if case .heading = block.kind { continue }
      let isPlain = block.runs.allSatisfy { index in
        let run = runs[Int(index)]
        return run.link == nil && run.image == nil && !run.style.contains(.control)
      }
      guard isPlain, !block.runs.isEmpty else { continue }
      let words = text(of: block).split(whereSeparator: \.isWhitespace)
      guard words.count > 1 else { continue }
      let line = words.joined(separator: " ")
      return line.count <= Self.maxQuotedLength ? line : line.prefix(Self.maxQuotedLength - 1) + "…"
    }
    return nil
  }

  /// Maximum length of the line that a summary quotes, in characters.
  private static let maxQuotedLength = 40
}
