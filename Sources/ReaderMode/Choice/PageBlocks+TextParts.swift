import DOM
import Document
import Metadata

// Kinds of blocks that belong to a text although they do not read like prose: lists of definitions,
// lists and tables below a heading, lines of code, verses, captions and labels; and the lead above
// a text.

extension PageBlocks {
  /// Keeps parts of a text next to its kept blocks. `isAllowed` marks the blocks that are outside
  /// navigation and not boilerplate.
  func keepTextParts(
    _ isKept: inout [Bool], _ candidates: ContentCandidates, _ isAllowed: [Bool],
    in tree: DOMTree
  ) {
    guard let first = isKept.firstIndex(of: true), let last = isKept.lastIndex(of: true) else {
      return
    }
    // Whether each block may belong to the text; the other blocks are not added to it.
    let mayBelong = blocks.indices.map { index in
      isAllowed[index] && !isInSecondaryElement(blocks[index])
        && !blocks[index].isPromotional && !candidates.isInsideComments(index)
        && containers[Int(blocks[index].containerIndex)].name != .button
    }
    keepDefinitionLists(&isKept, mayBelong)
    keepHeadedLists(&isKept, mayBelong, in: tree)
    keepRowsOfElements(&isKept, mayBelong)
    keepCodeLines(&isKept, mayBelong, in: tree)
    keepSpeakers(&isKept, mayBelong, in: tree)
    keepAnswers(&isKept, mayBelong, in: tree)
    defer { keepDividers(&isKept, mayBelong) }
    guard candidates.article != nil else { return }
    let text = first...last
    keepLines(&isKept, mayBelong, candidates.probabilities, in: tree)
    keepCaptions(&isKept, mayBelong, candidates.probabilities, within: text, in: tree)
    keepLabels(&isKept, mayBelong, within: text, in: tree)
    keepEmbeddedPosts(&isKept, mayBelong, in: tree)
    keepAbstract(&isKept, in: tree)
    let captionBlocks = leadCaption(isKept, candidates, isAllowed, in: tree)
    keepLead(&isKept, candidates, isAllowed, in: tree)
    for index in captionBlocks { isKept[Int(index)] = true }
    keepRecipes(&isKept, mayBelong, in: tree)
    keepIntroducedLists(&isKept, mayBelong, in: tree)
    keepDefinitions(&isKept, mayBelong)
    keepArticleParts(&isKept, mayBelong, candidates.probabilities)
  }

  /// Whether the container of a block, or one of the two containers around it, is named for an
  /// author, a date, tags, sharing, a table of contents, breadcrumbs, a menu or the numbers of
  /// further pages.
  private func isNearMetadata(_ block: Block) -> Bool {
    Self.metadataTopics.contains { isNear($0, block, maxDistance: 2) }
  }

  private static let metadataTopics: [BlockTopic] = [
    .authorWord, .dateWord, .tagWord, .shareWord, .tocWord, .breadcrumbWord, .menuWord,
    .paginationWord,
  ]

  private func isKeptPartly(_ range: Range<Int32>, _ isKept: [Bool]) -> Bool {
    range.contains { isKept[Int($0)] }
  }

  // MARK: Lists and tables

  /// Keeps lists of definitions that directly follow a kept block of the same element: a paragraph,
  /// or any block if the block after the list or a part of the list is kept, too.
  private func keepDefinitionLists(_ isKept: inout [Bool], _ mayBelong: [Bool]) {
    for container in containers.dropFirst()
    where container.name == .dl && !container.blockRange.isEmpty {
      let range = Int(container.blockRange.lowerBound)..<Int(container.blockRange.upperBound)
      let before = range.lowerBound - 1
      guard before >= 0, isKept[before], range.count <= Self.maxListBlocks,
        range.contains(where: { !isKept[$0] }),
        containers[Int(container.parentIndex)].blockRange.contains(Int32(before)),
        blocks[before].text.isProse || range.upperBound < blocks.count && isKept[range.upperBound]
          || isKeptPartly(container.blockRange, isKept),
        case let sums = sum(container.blockRange), sums.wordCount <= Self.maxListWordCount,
        sums.linkWordCount * 2 <= sums.wordCount,
        range.allSatisfy({ mayBelong[$0] && !isNearMetadata(blocks[$0]) })
      else { continue }
      for index in range { isKept[index] = true }
    }
  }

  /// Keeps lists and tables directly below a kept heading, unless part of them is kept or their
  /// links lead to other pages: a heading does not stay without its content.
  private func keepHeadedLists(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    for index in blocks.indices.dropLast()
    where isKept[index] && blocks[index].headingLevel > 0 && !isKept[index + 1]
      && blocks[index + 1].headingLevel == 0 && !blocks[index].isPromotional
    {
      guard let range = listRange(after: index), range.count <= Self.maxListBlocks,
        !isKeptPartly(range, isKept),
        case let sums = sum(range), 1...Self.maxListWordCount ~= sums.wordCount,
        range.allSatisfy({ mayBelong[Int($0)] && !isNearListMetadata(blocks[Int($0)]) }),
        sums.linkWordCount * 2 <= sums.wordCount
          || range.allSatisfy({
            blocks[Int($0)].text.linkCount == 0 || !linksToOtherPage(Int($0), in: tree)
          })
      else { continue }
      for position in range { isKept[Int(position)] = true }
    }
  }

  /// Whether a block of a list, or a container near it, is named as the tags of the page, or as
  /// controls or links for moving around the site. Dates and authors do not count, because they may
  /// be the subject of the list, as in a list of events.
  func isNearListMetadata(_ block: Block) -> Bool {
    Self.metadataTopics.contains { topic in
      topic != .dateWord && topic != .authorWord
        && isNear(topic, block, maxDistance: 2)
    }
  }

  /// Returns the blocks of the outermost list or table that begins directly after a block; nil if
  /// there is none.
  func listRange(after index: Int) -> Range<Int32>? {
    outermostContainer(after: index, [.ul, .ol, .dl, .table])?.blockRange
  }

  /// Returns the outermost container with any of the names that begins directly after a block; nil
  /// if there is none.
  private func outermostContainer(after index: Int, _ names: ElementSet) -> Container? {
    var found: Container?
    var position = Int(blocks[index + 1].containerIndex)
    while position > 0, !containers[position].blockRange.contains(Int32(index)) {
      if names.contains(containers[position].name) { found = containers[position] }
      position = Int(containers[position].parentIndex)
    }
    return found
  }

  /// The maximum number of words of a list or table that is kept as a whole.
  private static let maxListWordCount = 120
  /// The maximum number of blocks of a list or table that is kept as a whole.
  private static let maxListBlocks = 120

  /// Keeps all cells of a table of plain elements: children of one element whose names repeat in
  /// rows of two to six, of which at least one column is mostly kept.
  private func keepRowsOfElements(_ isKept: inout [Bool], _ mayBelong: [Bool]) {
    var cells: [Int32: [Int]] = [:]
    for (index, container) in containers.enumerated().dropFirst()
    where container.name == .div && container.similarCount >= 3
      && 1...2 ~= container.blockRange.count
    {
      cells[container.parentIndex, default: []].append(index)
    }
    for row in cells.values where row.count >= 6 {
      guard let columns = columnCount(of: row) else { continue }
      let heads = isHeaderRun(row, columns) ? columns : 0
      let kept = (0..<columns).contains { column in
        let cells = stride(from: heads + column, to: row.count, by: columns).map { row[$0] }
        return cells.count { isKeptPartly(containers[$0].blockRange, isKept) } * 2 > cells.count
      }
      let range = row.flatMap { cell in containers[cell].blockRange.map { Int($0) } }
      guard kept, range.allSatisfy({ mayBelong[$0] && blocks[$0].precedingImageCount == 0 }) else {
        continue
      }
      for index in range { isKept[index] = true }
    }
  }

  /// Whether the first cells of a table of elements are its header: one for each column, all with
  /// the same signature.
  private func isHeaderRun(_ row: [Int], _ columns: Int) -> Bool {
    row.prefix(columns).allSatisfy { containers[$0].signature == containers[row[0]].signature }
  }

  /// Returns the number of columns of a table of elements, after its header if there is one; nil if
  /// the cells do not form rows.
  private func columnCount(of row: [Int]) -> Int? {
    let signatures = row.map { containers[$0].signature }
    let headers = signatures.prefix { $0 == signatures[0] }.count
    let body = headers > 1 ? Array(signatures.dropFirst(headers)) : signatures
    let columns = Set(body).count
    guard 2...6 ~= columns, headers <= 1 || headers == columns, body.count >= 3 * columns,
      body.count % columns == 0,
      body.indices.allSatisfy({ body[$0] == body[$0 % columns] })
    else { return nil }
    return columns
  }

  // MARK: Lines

  /// Keeps short lines of code between kept blocks, such as the declaration above a description.
  private func keepCodeLines(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    for index in blocks.indices.dropFirst().dropLast()
    where !isKept[index] && isKept[index - 1] && isKept[index + 1] && mayBelong[index] {
      let block = blocks[index]
      guard block.headingLevel == 0, blocks[index + 1].headingLevel == 0,
        1...Self.maxCodeLineWordCount ~= Int(block.text.wordCount), isCode(block, in: tree)
      else { continue }
      isKept[index] = true
    }
  }

  private static let maxCodeLineWordCount = 20

  /// Keeps the names of speakers: short emphasized lines directly above kept quotations.
  private func keepSpeakers(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    for index in blocks.indices.dropLast()
    where !isKept[index] && isKept[index + 1] && mayBelong[index] {
      let block = blocks[index]
      guard block.headingLevel == 0, 1...Self.maxLabelWordCount ~= Int(block.text.wordCount),
        block.emphasizedWordCount == block.text.wordCount,
        linkTarget(of: index, in: tree) == nil,
        outermostContainer(after: index, [.blockquote]) != nil
      else { continue }
      isKept[index] = true
    }
  }

  /// Whether most of a block is in `code` elements.
  private func isCode(_ block: Block, in tree: DOMTree) -> Bool {
    var (size, code) = (0, 0)
    for text in block.textRange {
      let node = textNodes[Int(text)]
      let own = Int(tree.nodes[Int(node)].end - tree.nodes[Int(node)].start)
      size += own
      if tree.hasNearAncestor(.code, node) { code += own }
    }
    return code * 2 > size
  }

  /// Keeps the lines of verses: a block with line breaks between kept blocks, and short elements
  /// of which most are kept.
  private func keepLines(
    _ isKept: inout [Bool], _ mayBelong: [Bool], _ probabilities: [Float], in tree: DOMTree
  ) {
    func isLine(_ index: Int) -> Bool {
      let block = blocks[index]
      return mayBelong[index] && block.headingLevel == 0 && block.text.linkCount == 0
        && block.phrases.isEmpty && !isNearMetadata(block)
    }
    for index in blocks.indices.dropFirst().dropLast()
    where !isKept[index] && isKept[index - 1] && isKept[index + 1]
      && probabilities[index] >= Self.minLineProbability && blocks[index].copyCount == 1
    {
      if isLine(index), hasLineBreak(blocks[index], in: tree) { isKept[index] = true }
    }
    var lines: [UInt64: [Int]] = [:]
    for (index, block) in blocks.enumerated()
    where block.text.wordCount <= Self.maxLineWordCount && block.text.linkCount == 0 {
      let own = containers[Int(block.containerIndex)]
      guard own.name == .div, own.similarCount >= 3, own.unitIndex == nil, own.blockRange.count == 1
      else { continue }
      let key = own.signature ^ UInt64(UInt32(bitPattern: own.parentIndex)) << 20
      lines[key, default: []].append(index)
    }
    for group in lines.values where group.count >= 3 {
      guard group.count(where: { isKept[$0] }) * 2 >= group.count else { continue }
      for index in group where !isKept[index] && isLine(index) { isKept[index] = true }
    }
  }

  private static let minLineProbability: Float = 0.3
  private static let maxLineWordCount = 15

  /// Whether a line break is between two texts of a block.
  private func hasLineBreak(_ block: Block, in tree: DOMTree) -> Bool {
    block.textRange.dropFirst().contains { text in
      var node = textNodes[Int(text)]
      for _ in 0..<4 {
        guard let previous = tree.nodes[Int(node)].previousSibling else { break }
        node = previous
        if tree.nodes[Int(node)].name == .br { return true }
      }
      return false
    }
  }

  // MARK: Captions and labels

  /// Keeps the captions of figures and of other elements with an image between paragraphs of the
  /// text. A figure for browsers without scripts may repeat another one.
  private func keepCaptions(
    _ isKept: inout [Bool], _ mayBelong: [Bool], _ probabilities: [Float],
    within text: ClosedRange<Int>, in tree: DOMTree
  ) {
    let captions = containers.indices.dropFirst().filter {
      !containers[$0].blockRange.isEmpty
        && (containers[$0].name == .figcaption || isNamedCaption(containers[$0], in: tree))
        && !tree.repeatsFigureBefore(containers[$0].node)
    }
    guard !captions.isEmpty else { return }
    let paragraphs = paragraphCounts(isKept)
    for caption in captions {
      var outermost = caption
      var ancestor = Int(containers[caption].parentIndex)
      for _ in 0..<Self.maxNestedFigures
      where ancestor > 0
        && ([.figure, .noscript].contains(containers[ancestor].name)
          || containers[caption].name != .figcaption
            && containers[ancestor].blockRange == containers[caption].blockRange)
      {
        outermost = ancestor
        ancestor = Int(containers[ancestor].parentIndex)
      }
      let range = containers[caption].blockRange
      guard outermost != caption || containers[caption].name != .figcaption,
        paragraphs[Int32(ancestor), default: 0] >= Self.minParagraphsOfText,
        wordCount(in: range) <= Self.maxCaptionWordCount,
        range.allSatisfy({
          text.contains(Int($0)) && mayBelong[Int($0)] && blocks[Int($0)].copyCount == 1
            && probabilities[Int($0)] >= Self.minCaptionProbability
        })
      else { continue }
      for index in range { isKept[Int(index)] = true }
    }
  }

  private func paragraphCounts(_ isKept: [Bool]) -> [Int32: Int] {
    var counts: [Int32: Int] = [:]
    for (index, block) in blocks.enumerated() where isKept[index] && block.text.isProse {
      counts[textContainerIndex(of: block), default: 0] += 1
    }
    return counts
  }

  /// Returns the caption of the image between the title and the text; empty if there is no such
  /// image, or if there are several, which usually belong to other articles.
  private func leadCaption(
    _ isKept: [Bool], _ candidates: ContentCandidates, _ isAllowed: [Bool], in tree: DOMTree
  ) -> Range<Int32> {
    guard let title = titleIndex(candidates, in: tree) else { return 0..<0 }
    let captionContainers = containers.dropFirst().filter { container in
      let range = container.blockRange
      guard !range.isEmpty, title + 1...title + Self.maxLeadBlocks ~= Int(range.lowerBound) else {
        return false
      }
      let isImage = blocks[Int(range.lowerBound)].precedingImageCount > 0
      return container.name == .figcaption && isImage || isNamedCaption(container, in: tree)
    }
    guard !captionContainers.isEmpty else { return 0..<0 }
    let paragraphs = paragraphCounts(isKept)
    let start = blocks.indices.first {
      $0 > title && isKept[$0] && blocks[$0].text.isProse
        && paragraphs[textContainerIndex(of: blocks[$0]), default: 0] >= Self.minParagraphsOfText
    }
    guard let start, start <= title + 1 + Self.maxLeadBlocks else { return 0..<0 }
    var captions: [Range<Int32>] = []
    for range in captionContainers.map(\.blockRange)
    where range.upperBound <= start && range.lowerBound >= captions.last?.upperBound ?? 0 {
      captions.append(range)
    }
    let header = header(around: title)
    guard captions.count == 1, let caption = captions.first,
      Self.leadCaptionWordCounts ~= wordCount(in: caption),
      caption.allSatisfy({ position in
        let block = blocks[Int(position)]
        return (isAllowed[Int(position)] || header.contains(position)) && block.copyCount == 1
          && !isInSecondaryElement(block) && !block.isPromotional
          && candidates.probabilities[Int(position)] >= Self.minLeadCaptionProbability
          && !candidates.isInsideComments(Int(position))
      })
    else { return 0..<0 }
    return caption
  }

  private static let leadCaptionWordCounts = 5...60
  private static let minLeadCaptionProbability: Float = 0.05

  /// Whether a container is named as a caption and directly follows an image: a paragraph or other
  /// block that is not mostly links, unlike the title of a card.
  private func isNamedCaption(_ container: Container, in tree: DOMTree) -> Bool {
    guard container.name == .p || container.name == .div, container.blockRange.count <= 2,
      blocks[Int(container.blockRange.lowerBound)].precedingImageCount > 0,
      tree.value(.class, of: container.node, contains: "caption")
    else { return false }
    let sums = sum(container.blockRange)
    return sums.linkWordCount * 2 < sums.wordCount
  }

  private static let maxNestedFigures = 3
  private static let minParagraphsOfText = 2
  private static let maxCaptionWordCount = 60
  private static let minCaptionProbability: Float = 0.1

  /// Keeps the short first block of a small element of which all the rest is kept: the title of a
  /// note, the number of an entry, the name of a speaker, the link from a note back to the text.
  private func keepLabels(
    _ isKept: inout [Bool], _ mayBelong: [Bool], within text: ClosedRange<Int>, in tree: DOMTree
  ) {
    for container in containers.dropFirst() where 2...4 ~= container.blockRange.count {
      let first = Int(container.blockRange.lowerBound)
      let rest = (first + 1)..<Int(container.blockRange.upperBound)
      guard first > text.lowerBound, !isKept[first], mayBelong[first] else { continue }
      let isNoteLabel =
        blocks[first].isLink && blocks[first].text.wordCount <= Self.maxNoteLabelWordCount
        && linksWithinPage(first, in: tree)
      guard
        container.unitIndex == nil || isNoteLabel
          || blocks[first].text.numberCount == blocks[first].text.wordCount,
        container.name != .figure, container.name != .header,
        1...Self.maxLabelWordCount ~= Int(blocks[first].text.wordCount),
        blocks[first].text.linkCount == 0 || isNoteLabel, blocks[first].precedingImageCount == 0,
        !isNearMetadata(blocks[first]), rest.allSatisfy({ isKept[$0] }),
        isNoteLabel
          || sum(Int32(rest.lowerBound)..<Int32(rest.upperBound)).wordCount
            >= Self.minLabeledWordCount
      else { continue }
      isKept[first] = true
    }
  }

  private static let maxLabelWordCount = 6, maxNoteLabelWordCount = 2
  private static let minLabeledWordCount = 3

  /// Keeps posts of social networks between kept blocks, which may be one link to the post.
  private func keepEmbeddedPosts(
    _ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree
  ) {
    for container in containers.dropFirst()
    where container.unitIndex == nil && 1...Self.maxPostBlocks ~= container.blockRange.count {
      let range = Int(container.blockRange.lowerBound)..<Int(container.blockRange.upperBound)
      guard tree.value(.class, of: container.node, hasWordAmong: Self.postNames),
        range.lowerBound > 0, isKept[range.lowerBound - 1],
        range.upperBound < blocks.count, isKept[range.upperBound],
        wordCount(in: container.blockRange) <= Self.maxPostWordCount
      else { continue }
      for index in range where mayBelong[index] { isKept[index] = true }
    }
  }

  private static let postNames: [StaticString] = [
    "tweet", "twitter-tweet", "toot", "bluesky-embed",
  ]
  private static let maxPostBlocks = 12
  private static let maxPostWordCount = 150

  // MARK: Abstracts and recipes

  /// Keeps the abstract above a text, which may be in the header of the page.
  private func keepAbstract(_ isKept: inout [Bool], in tree: DOMTree) {
    guard let start = blocks.indices.first(where: { isKept[$0] && blocks[$0].text.isProse }) else {
      return
    }
    for container in containers.dropFirst()
    where container.blockRange.lowerBound <= start && container.similarCount == 1
      && container.unitIndex == nil && !containsFirstTitle(container.blockRange)
    {
      guard tree.value(.class, of: container.node, contains: "abstract"),
        case let sums = sum(container.blockRange),
        Self.abstractWordCounts ~= sums.wordCount, sums.proseWordCount * 2 > sums.wordCount,
        sums.linkWordCount * 4 <= sums.wordCount,
        container.blockRange.allSatisfy({
          !isInSecondaryElement(blocks[Int($0)]) && !blocks[Int($0)].isPromotional
        })
      else { continue }
      for index in container.blockRange { isKept[Int(index)] = true }
      return
    }
  }

  private static let abstractWordCounts = 8...500

  /// Keeps the lead between the title and the text, which may be outside the element of the text:
  /// sentences, a subtitle directly below the title, what is named as a lead, or a list of facts.
  private func keepLead(
    _ isKept: inout [Bool], _ candidates: ContentCandidates, _ isAllowed: [Bool],
    in tree: DOMTree
  ) {
    guard let title = titleIndex(candidates, in: tree),
      let start = blocks.indices.first(where: { $0 > title && isKept[$0] }),
      1...Self.maxLeadBlocks ~= start - title - 1
    else { return }
    let header = header(around: title)
    for index in (title + 1)..<start {
      let block = blocks[index]
      let isInHeader = header.contains(Int32(index)) && !isNear(.footerWord, block, maxDistance: 3)
      guard isAllowed[index] || isInHeader, block.phrases.isEmpty, block.copyCount == 1,
        block.text.linkWordCount * 2 <= block.text.wordCount, !isInSecondaryElement(block),
        !isNearMetadata(block), candidates.probabilities[index] >= Self.minLeadProbability,
        !candidates.isInsideComments(index)
      else { continue }
      let isSubtitle =
        2...4 ~= block.headingLevel && index == title + 1
        && block.text.wordCount >= Self.minSubtitleWordCount
      let isSentence =
        block.headingLevel == 0 && block.text.isProse && block.text.sentenceEndCount > 0
      if isSentence || isSubtitle || isFact(index, below: title, above: start)
        || isNamedLead(index, between: title, start, in: tree)
      {
        isKept[index] = true
      }
    }
  }

  /// Whether a block without a date is named as a lead or a subtitle by its own element or one
  /// around it between the title and the text. Leads often lack a full stop.
  private func isNamedLead(_ index: Int, between title: Int, _ start: Int, in tree: DOMTree)
    -> Bool
  {
    guard blocks[index].text.wordCount >= Self.minNamedLeadWordCount else { return false }
    var container = Int(blocks[index].containerIndex)
    while container > 0, containers[container].blockRange.lowerBound > title,
      containers[container].blockRange.upperBound <= start
    {
      if let names = tree.attribute(.class, of: containers[container].node),
        case let found = tree.bytes.withUnsafeBufferPointer({
          Self.leadNames.match($0, in: names)
        }), found != 0
      {
        return found == 1 && containers[container].unitIndex == nil
          && !DatedText.containsDay(text(of: index, in: tree))
      }
      container = Int(containers[container].parentIndex)
    }
    return false
  }

  /// Bit 1 for names of leads, bit 2 for names of other elements, which may have a subtitle, too.
  private static let leadNames = WordMatcher([
    (
      1,
      """
       lead ,-lead ,_lead ,leadtext,lead-text,lead_text, lede ,-lede ,_lede ,standfirst,subtitle,\
      sub-title,sub_title,subheadline,sub-headline, subhead ,-subhead ,_subhead , dek ,-dek ,_dek ,\
       deck ,article-deck,post-deck, intro ,-intro ,_intro ,chapo ,chapeau,sapo ,ingress,bajada,\
      entradilla,copete,sumario, spot ,ondertitel
      """
    ), (2, "card,cta,newsletter,popup,promo,related,comment,footer,teaser"),
  ])

  /// Returns the blocks of the `header` element around a block; empty if there is none.
  private func header(around index: Int) -> Range<Int32> {
    let container = ancestor(.header, of: blocks[index])
    return container > 0 ? containers[container].blockRange : 0..<0
  }

  /// Whether a block is an item of a list of facts between the title and the text: a list without
  /// links, each item of which has at least `minFactWordCount` words.
  private func isFact(_ index: Int, below title: Int, above start: Int) -> Bool {
    let item = containers[Int(blocks[index].containerIndex)]
    guard item.name == .li, item.parentIndex > 0 else { return false }
    let list = containers[Int(item.parentIndex)].blockRange
    return list.count > 1 && list.lowerBound > title && list.upperBound <= start
      && sum(list).linkWordCount == 0
      && list.allSatisfy { blocks[Int($0)].text.wordCount >= Self.minFactWordCount }
  }

  private static let maxLeadBlocks = 12
  private static let minLeadProbability: Float = 0.15
  /// The minimum number of words of a heading that is a subtitle, and of a lead with such a name.
  private static let minSubtitleWordCount = 6, minNamedLeadWordCount = 3
  private static let minFactWordCount = 3

  /// Keeps the rest of a recipe whose ingredients and steps are kept: times, servings and notes.
  private func keepRecipes(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    var end: Int32 = 0
    for container in containers.dropFirst()
    where container.blockRange.lowerBound >= end
      && Self.recipeBlockCounts ~= container.blockRange.count
      && tree.value(.class, of: container.node, contains: "recipe")
    {
      let range = container.blockRange.map { Int($0) }
      let sums = sum(container.blockRange)
      let items = range.count { isKept[$0] && isInListItem(blocks[$0]) }
      let kept = wordCount(kept: isKept, in: container.blockRange)
      guard sums.wordCount <= Self.maxRecipeWordCount, items >= 2, kept * 3 >= sums.wordCount,
        sums.linkWordCount * 5 <= sums.wordCount
      else { continue }
      end = container.blockRange.upperBound
      for index in range where !isKept[index] && mayBelong[index] {
        let block = blocks[index]
        let isRating = isNear(.reviewWord, block, maxDistance: 2)
        isKept[index] =
          !isRating && block.text.linkWordCount < block.text.wordCount
          && (block.headingLevel == 0 || block.copyCount == 1)
      }
    }
  }

  /// Whether the container of a block or the one around it is a list item.
  private func isInListItem(_ block: Block) -> Bool {
    let own = containers[Int(block.containerIndex)]
    return own.name == .li || own.parentIndex > 0 && containers[Int(own.parentIndex)].name == .li
  }

  private static let recipeBlockCounts = 6...200
  private static let maxRecipeWordCount = 500
}
