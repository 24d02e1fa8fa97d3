import DOM
import Document

// Keeps together what belongs together: labels and values, questions and answers, the paragraphs of
// a section.

extension PageBlocks {
  /// Adds blocks that belong to kept ones and removes headings without content. `isBoilerplate`
  /// marks the blocks that looked like content but were removed as boilerplate.
  func withWholeSections(
    _ isKept: [Bool], _ candidates: ContentCandidates, _ isOutsideNavigation: [Bool],
    isBoilerplate: [Bool], in tree: DOMTree
  ) -> [Bool] {
    var result = isKept
    let ends = sectionEnds
    if candidates.article != nil {
      keepTextSections(&result)
      keepFollowingSections(&result, candidates, ends, in: tree)
    } else {
      keepLinkRows(&result, isOutsideNavigation)
    }
    if candidates.kind != .forum {
      keepCodeAndDefinitions(&result, isOutsideNavigation)
      keepHeadings(&result, ends, isOutsideNavigation)
      keepItemLabels(&result, isOutsideNavigation)
    }
    keepWholeCode(&result, isOutsideNavigation)
    keepDetails(&result, isOutsideNavigation)
    if candidates.kind != .forum {
      let isAllowed = zip(isOutsideNavigation, isBoilerplate).map { $0 && !$1 }
      keepTextParts(&result, candidates, isAllowed, in: tree)
    }
    keepButtons(&result, isOutsideNavigation, in: tree)
    if candidates.kind == .article { dropTeasers(&result, candidates.probabilities, in: tree) }
    if candidates.article != nil {
      dropEmptyHeadings(&result, ends, in: tree)
    }
    if candidates.article != nil { keepIngredients(&result) }
    if candidates.kind.mayBeOneText { keepAdmonitions(&result, in: tree) }
    dropHeadingControls(&result)
    dropPlaceholders(&result)
    dropLanguageLabels(&result, in: tree)
    return result
  }

  /// For each heading, the end of its section: the next heading of the same or a higher level.
  private var sectionEnds: [Int] {
    var next = [Int](repeating: blocks.count, count: 8)
    var ends = [Int](repeating: 0, count: blocks.count)
    for index in blocks.indices.reversed() where blocks[index].headingLevel > 0 {
      let level = Int(blocks[index].headingLevel)
      ends[index] = next[1...level].min() ?? blocks.count
      next[level] = index
    }
    return ends
  }

  /// Keeps the sections that follow the article within the same `article` element.
  private func keepFollowingSections(
    _ isKept: inout [Bool], _ candidates: ContentCandidates, _ sectionEnds: [Int], in tree: DOMTree
  ) {
    guard let article = candidates.articleBlocks, !article.range.isEmpty else { return }
    let lastBlock = article.range.upperBound - 1
    let container = ancestor(.article, of: blocks[lastBlock])
    guard container > 0, containers[container].unitIndex == nil else { return }
    let range = containers[container].blockRange
    guard article.wordCount(in: range) * 4 >= article.wordCount * 3 else { return }
    var index = lastBlock + 1
    while index < Int(range.upperBound) {
      defer { index += 1 }
      guard blocks[index].headingLevel > 1 else { continue }
      let end = min(sectionEnds[index], Int(range.upperBound))
      var (proseWordCount, wordCount, linkWordCount, weightedProbability) = (0, 0, 0, Float(0))
      var mayBelongToText = blocks[index].phrases.isEmpty && !linksToOtherPage(index, in: tree)
      for position in index..<end {
        let block = blocks[position]
        wordCount += Int(block.text.wordCount)
        linkWordCount += Int(block.text.linkWordCount)
        if block.text.isProse { proseWordCount += Int(block.text.wordCount) }
        weightedProbability += candidates.probabilities[position] * Float(block.text.wordCount)
        if isInSecondaryElement(block) || isNear(.authorWord, block, maxDistance: 3) {
          mayBelongToText = false
        }
      }
      if mayBelongToText, proseWordCount >= 60, proseWordCount * 4 >= wordCount * 3,
        linkWordCount * 10 <= wordCount,
        weightedProbability >= 0.08 * Float(wordCount)
      {
        for position in index..<end where candidates.probabilities[position] >= 0.05 {
          isKept[position] = true
        }
        index = end - 1
      }
    }
  }

  /// Keeps all links of a long row of similar elements if most of them are kept.
  private func keepLinkRows(_ isKept: inout [Bool], _ isOutsideNavigation: [Bool]) {
    func isAlike(_ one: Int, _ other: Int) -> Bool {
      let (first, second) = (blocks[one], blocks[other])
      let (own, next) = (
        containers[Int(first.containerIndex)], containers[Int(second.containerIndex)]
      )
      return own.parentIndex == next.parentIndex && own.name == next.name
        && own.blockRange.count == 1
        && next.blockRange.count == 1 && first.headingLevel == second.headingLevel
        && second.text.linkWordCount == second.text.wordCount
    }
    var start = 0
    for index in 1...max(1, blocks.count) {
      if index < blocks.count, isAlike(index - 1, index) { continue }
      let row = start..<min(index, blocks.count)
      start = index
      guard row.count >= Self.minLinkRowLength else { continue }
      let kept = row.count { isKept[$0] }
      guard kept < row.count, kept * 4 >= row.count * 3 else { continue }
      for position in row where isOutsideNavigation[position] { isKept[position] = true }
    }
  }

  private static let minLinkRowLength = 10

  /// Keeps headings of sections that are mostly kept.
  private func keepHeadings(
    _ isKept: inout [Bool], _ sectionEnds: [Int], _ isOutsideNavigation: [Bool]
  ) {
    var before = [(kept: 0, all: 0)]
    for (index, block) in blocks.enumerated() {
      let wordCount = block.headingLevel > 0 ? 0 : Int(block.text.wordCount)
      let last = before[index]
      before.append((last.kept + (isKept[index] ? wordCount : 0), last.all + wordCount))
    }
    // Headings above the text are the title.
    guard let first = isKept.firstIndex(of: true) else { return }
    for (index, block) in blocks.enumerated()
    where block.headingLevel > 1 && !isKept[index] && index > first {
      let (from, to) = (before[index + 1], before[sectionEnds[index]])
      let (kept, all) = (to.kept - from.kept, to.all - from.all)
      guard kept > 0, kept * 2 >= all else { continue }
      let isPlain =
        isOutsideNavigation[index] && !isInSecondaryElement(block) && block.phrases.isEmpty
      if isPlain || isHeadingOfSentences(index, isKept) { isKept[index] = true }
    }
  }

  /// Whether a heading is directly above a kept sentence without links in the same element. Such a
  /// section is text even if its name, which may derive from the heading, is that of something
  /// else, such as `related-work`.
  private func isHeadingOfSentences(_ index: Int, _ isKept: [Bool]) -> Bool {
    guard index + 1 < blocks.count, isKept[index + 1] else { return false }
    let (heading, next) = (blocks[index], blocks[index + 1])
    let own = containers[Int(heading.containerIndex)]
    let around = own.name.headingLevel > 0 ? own.parentIndex : heading.containerIndex
    return next.headingLevel == 0 && next.text.sentenceEndCount > 0 && next.text.linkCount == 0
      && heading.text.linkCount == 0 && next.copyCount == 1
      && containers[Int(around)].blockRange.contains(Int32(index + 1))
      && isInSecondaryElement(heading) == isInSecondaryElement(next)
  }

  /// Keeps the first block of short items whose rest is kept: the label of a value, or the question
  /// above an answer.
  private func keepItemLabels(_ isKept: inout [Bool], _ isOutsideNavigation: [Bool]) {
    for container in containers.dropFirst() where container.similarCount >= 3 {
      let range = container.blockRange
      guard range.count > 1, range.count < 12 else { continue }
      let first = Int(range.lowerBound)
      guard !isKept[first], isOutsideNavigation[first], blocks[first].text.wordCount <= 25,
        blocks[first].phrases.isEmpty, !isInSecondaryElement(blocks[first]),
        blocks[first].text.linkCount == 0
      else { continue }
      let isLabel = blocks[first].text.lastByte == UInt8(ascii: ":") || blocks[first].copyCount <= 2
      let isPair = range.count == 2 && blocks[first].text.wordCount <= 6 && isLabel
      let isQuestion = blocks[first].text.lastByte == UInt8(ascii: "?")
      guard isPair || isQuestion else { continue }
      let rest = range.dropFirst()
      let kept = wordCount(kept: isKept, in: rest)
      if kept * 4 >= wordCount(in: rest) * 3, kept > 0 { isKept[first] = true }
    }
  }

  /// Keeps whole `pre` elements that are partly kept, and those that follow a kept paragraph of the
  /// same element.
  private func keepWholeCode(_ isKept: inout [Bool], _ isOutsideNavigation: [Bool]) {
    for container in containers.dropFirst()
    where container.name == .pre && !container.blockRange.isEmpty {
      let (first, range) = (Int(container.blockRange.lowerBound), container.blockRange)
      let isLed =
        first > 0 && isKept[first - 1] && blocks[first - 1].text.isProse
        && textContainerIndex(of: blocks[first - 1]) == container.parentIndex
      guard
        isLed && !isInSecondaryElement(blocks[first]) || range.contains(where: { isKept[Int($0)] })
      else { continue }
      for index in range where isOutsideNavigation[Int(index)] { isKept[Int(index)] = true }
    }
  }

  /// Keeps `details` elements next to kept ones, such as questions with their answers.
  private func keepDetails(_ isKept: inout [Bool], _ isOutsideNavigation: [Bool]) {
    var rows: [Int32: (kept: Int, items: [Range<Int32>])] = [:]
    for container in containers.dropFirst()
    where container.name == .details && !container.blockRange.isEmpty {
      let range = container.blockRange
      let kept = wordCount(kept: isKept, in: range)
      rows[container.parentIndex, default: (0, [])].items.append(range)
      if kept * 2 >= wordCount(in: range), kept > 0 { rows[container.parentIndex]?.kept += 1 }
    }
    for row in rows.values where row.kept > 0 && row.kept * 3 >= row.items.count {
      for index in row.items.joined()
      where isOutsideNavigation[Int(index)] && !isInSecondaryElement(blocks[Int(index)]) {
        isKept[Int(index)] = true
      }
    }
  }

  /// Keeps every `aside` between the first and the last kept block in which at least half of the
  /// list items contain numbers, such as the ingredients of a recipe.
  private func keepIngredients(_ isKept: inout [Bool]) {
    guard let first = isKept.firstIndex(of: true), let last = isKept.lastIndex(of: true) else {
      return
    }
    for container in containers.dropFirst()
    where container.name == .aside && !container.blockRange.isEmpty {
      let range = Int(container.blockRange.lowerBound)..<Int(container.blockRange.upperBound)
      let items = range.filter { containers[Int(blocks[$0].containerIndex)].name == .li }
      let amounts = items.count { blocks[$0].text.numberCount > 0 }
      let links = sum(container.blockRange).linkWordCount
      guard range.upperBound > first, range.lowerBound <= last, items.count >= 3,
        amounts * 2 >= items.count, links * 10 <= wordCount(in: container.blockRange)
      else { continue }
      for index in range { isKept[index] = true }
    }
  }

  /// Keeps every `aside` that is named as a note, a warning, a correction or a summary and is next
  /// to kept blocks, unless it has a phrase of promotion.
  private func keepAdmonitions(_ isKept: inout [Bool], in tree: DOMTree) {
    let asides = containers.indices.dropFirst().filter {
      containers[$0].name == .aside && !containers[$0].blockRange.isEmpty
    }
    guard !asides.isEmpty else { return }
    let texts = Set(blocks.indices.filter { isKept[$0] }.map { textContainerIndex(of: blocks[$0]) })
    for aside in asides
    where texts.contains(containers[aside].parentIndex) && tree.isAdmonition(containers[aside].node)
    {
      let range = containers[aside].blockRange
      // The other classes of the `aside` must not name an advertisement, a form, or the like;
      // "callout" is allowed, although it is also a name of promotion.
      let topics = BlockTopic.topics(of: containers[aside].node, in: tree)
      let allowed = BlockTopic.aside.bit | BlockTopic.promoWord.bit
      guard topics & Self.secondaryTopics & ~allowed == 0,
        sum(range).linkWordCount * 4 <= wordCount(in: range),
        !range.contains(where: { blocks[Int($0)].isPromotional })
      else { continue }
      for index in range { isKept[Int(index)] = true }
    }
  }

  /// Keeps the label of a button that expands an element which is mostly kept, and a short element
  /// that a kept button expands.
  private func keepButtons(_ isKept: inout [Bool], _ isOutsideNavigation: [Bool], in tree: DOMTree)
  {
    var buttons: [ArraySlice<UInt8>: Int] = [:]
    var panels: [(button: Int, panel: Range<Int32>)] = []
    for (index, block) in blocks.enumerated()
    where isOutsideNavigation[index] && block.text.wordCount <= 25 && !isInSecondaryElement(block) {
      if let name = expandedElementName(by: index, in: tree) {
        buttons[name] = index
      } else if let panel = panel(below: index, in: tree) {
        panels.append((index, panel))
      }
    }
    if !buttons.isEmpty {
      for container in containers.dropFirst() {
        guard let id = tree.attribute(.id, of: container.node), let index = buttons[tree.bytes[id]],
          !container.blockRange.contains(Int32(index))
        else { continue }
        panels.append((index, container.blockRange))
      }
    }
    for (index, panel) in panels {
      let kept = wordCount(kept: isKept, in: panel)
      if !isKept[index] {
        if kept > 0, kept * 2 >= wordCount(in: panel) { isKept[index] = true }
      } else if kept == 0, isShortAnswer(panel, isOutsideNavigation) {
        for position in panel { isKept[Int(position)] = true }
      }
    }
  }

  /// Returns the element directly below a block that is a button which expands it: the button is a
  /// question or has the state of a panel, or the element is hidden. Nil if the block is not such a
  /// button, or if the element is the content of the page below the button of a menu.
  private func panel(below index: Int, in tree: DOMTree) -> Range<Int32>? {
    guard index + 1 < blocks.count, let text = blocks[index].textRange.first else { return nil }
    var button = tree.nodes[Int(textNodes[Int(text)])].parent ?? 0
    for _ in 0..<5 where button > 0 && !tree.isButton(button) {
      button = tree.nodes[Int(button)].parent ?? 0
    }
    guard button > 0, tree.isButton(button) else { return nil }
    // The outermost element with nothing but the button, such as a heading.
    var own = Int(blocks[index].containerIndex)
    while own > 0, containers[Int(containers[own].parentIndex)].blockRange.count == 1 {
      own = Int(containers[own].parentIndex)
    }
    var below = Int(blocks[index + 1].containerIndex)
    while below > 0, containers[below].parentIndex != containers[own].parentIndex {
      below = Int(containers[below].parentIndex)
    }
    guard own > 0, below > 0, containers[own].blockRange.count == 1,
      containers[below].blockRange.lowerBound == Int32(index + 1),
      blocks[index].text.lastByte == UInt8(ascii: "?") || tree.hasAttribute(.ariaExpanded, button)
        || hidingRules.revealedElements.contains(containers[below].node),
      containers[below].name != .main, containers[below].name != .article,
      !containers[below].blockRange.contains(where: { blocks[Int($0)].headingLevel == 1 })
    else { return nil }
    return containers[below].blockRange
  }

  /// Whether the panel of a button is a short text that does not consist mostly of links.
  private func isShortAnswer(_ range: Range<Int32>, _ isOutsideNavigation: [Bool]) -> Bool {
    let sums = sum(range)
    return 1...Self.maxAnswerWordCount ~= sums.wordCount && sums.linkWordCount * 2 <= sums.wordCount
      && range.allSatisfy {
        isOutsideNavigation[Int($0)] && !isInSecondaryElement(blocks[Int($0)])
          && !blocks[Int($0)].isPromotional
      }
  }

  private static let maxAnswerWordCount = 60

  /// Returns the name of the element that a block expands; nil if it expands none.
  private func expandedElementName(by index: Int, in tree: DOMTree) -> ArraySlice<UInt8>? {
    guard let text = blocks[index].textRange.first else { return nil }
    var node = tree.nodes[Int(textNodes[Int(text)])].parent ?? 0
    for _ in 0..<5 where node > 0 {
      if let name = tree.attribute(.ariaControls, of: node), tree.nodes[Int(node)].name != .iframe {
        return tree.bytes[name]
      }
      node = tree.nodes[Int(node)].parent ?? 0
    }
    return nil
  }

  /// Removes cards that link to other pages after the last paragraph, if the text before them is
  /// longer.
  private func dropTeasers(
    _ isKept: inout [Bool], _ probabilities: [Float], in tree: DOMTree
  ) {
    let teasers = rolesOfTeasers(isKept, in: tree)
    func isTeaser(_ block: Block) -> Bool {
      let unit = containers[Int(block.containerIndex)].unitIndex.value
      return unit.map { teasers.contains(containers[$0].roleHash) } ?? false
    }
    guard !teasers.isEmpty,
      let last = blocks.indices.last(where: {
        isKept[$0] && blocks[$0].text.isProse && !isTeaser(blocks[$0])
      })
    else { return }
    let followingTeasers = blocks.indices[(last + 1)...].filter {
      isKept[$0] && isTeaser(blocks[$0])
    }
    let teaserWordCount = followingTeasers.reduce(0) { $0 + Int(blocks[$1].text.wordCount) }
    guard wordCount(kept: isKept, in: 0..<Int32(last + 1)) > teaserWordCount else { return }
    let weightedProbability = followingTeasers.reduce(Float(0)) {
      $0 + probabilities[$1] * Float(blocks[$1].text.wordCount)
    }
    // Cards as likely as the text are part of it, unless they are outside its `article` element.
    if weightedProbability >= 0.7 * Float(teaserWordCount) {
      let container = ancestor(.article, of: blocks[last])
      guard container > 0, let first = followingTeasers.first,
        Int(containers[container].blockRange.upperBound) <= first
      else { return }
    }
    for index in followingTeasers { isKept[index] = false }
  }

  /// Returns the role hashes of items whose headings all link to other pages.
  private func rolesOfTeasers(_ isKept: [Bool], in tree: DOMTree) -> Set<UInt64> {
    // For each kind of item, the items with a heading, and those whose heading links to another
    // page.
    var cards: [UInt64: (headed: Set<Int>, linked: Set<Int>)] = [:]
    for (index, block) in blocks.enumerated() where isKept[index] && block.headingLevel > 0 {
      guard let unit = containers[Int(block.containerIndex)].unitIndex.value,
        block.text.wordCount > 0
      else { continue }
      let role = containers[unit].roleHash
      cards[role, default: ([], [])].headed.insert(unit)
      if block.text.linkWordCount == block.text.wordCount, linksToOtherPage(index, in: tree) {
        cards[role, default: ([], [])].linked.insert(unit)
      }
    }
    return Set(
      cards.filter { $1.linked.count >= 3 && $1.linked.count == $1.headed.count }.keys)
  }

  /// Whether the link of a block leads to another page.
  func linksToOtherPage(_ index: Int, in tree: DOMTree) -> Bool {
    guard let target = linkTarget(of: index, in: tree) else { return false }
    return !target.isEmpty && tree.bytes[target.lowerBound] != UInt8(ascii: "#")
  }

  /// Whether the first link around or in a block leads to a part of the page.
  func linksWithinPage(_ index: Int, in tree: DOMTree) -> Bool {
    guard let target = linkTarget(of: index, in: tree) else { return false }
    return target.count > 1 && tree.bytes[target.lowerBound] == UInt8(ascii: "#")
  }

  /// Returns the range of the URL of the first link around or in a block; nil if there is no link,
  /// or only the target of one.
  func linkTarget(of index: Int, in tree: DOMTree) -> Range<Int>? {
    for position in blocks[index].textRange.prefix(Self.maxTextsBeforeLink) {
      let link = tree.link(around: textNodes[Int(position)])
      if link > 0 { return tree.attribute(.href, of: link) }
    }
    return nil
  }

  /// The number of texts of a block that may precede its link, such as an opening bracket.
  private static let maxTextsBeforeLink = 4

  /// Removes headings of sections without kept content.
  private func dropEmptyHeadings(
    _ isKept: inout [Bool], _ sectionEnds: [Int], in tree: DOMTree
  ) {
    for (index, block) in blocks.enumerated()
    where isKept[index] && block.headingLevel > 0 && index != firstTitleIndex {
      guard block.text.linkWordCount == 0, block.text.wordCount < 12, index + 1 < blocks.count
      else { continue }
      let section = (index + 1)..<sectionEnds[index]
      let below = links(of: section, inBoxOf: index, in: tree) ?? section
      if below.contains(where: { isKept[$0] && blocks[$0].headingLevel == 0 }) { continue }
      let left = below.reduce(0) {
        $0 + (blocks[$1].headingLevel > 0 ? 0 : Int(blocks[$1].text.wordCount))
      }
      let images = below.reduce(0) { $0 + Int(blocks[$1].precedingImageCount) }
      if left > 0, images == 0 { isKept[index] = false }
    }
  }

  /// Returns the part of the section of a heading that is in an element with the heading, if it
  /// consists mostly of links to several other pages; otherwise nil. Shorter links than titles lead
  /// to authors and categories, and a single one may be an action, such as editing the section.
  private func links(of section: Range<Int>, inBoxOf index: Int, in tree: DOMTree) -> Range<Int>? {
    var box = Int(blocks[index].containerIndex)
    while box > 0, containers[box].blockRange == Int32(index)..<Int32(index + 1) {
      box = Int(containers[box].parentIndex)
    }
    guard box > 0, containers[box].name != .header,
      Int(containers[box].blockRange.lowerBound) == index
    else { return nil }
    let rest = section.clamped(to: 0..<Int(containers[box].blockRange.upperBound))
    let sums = sum(Int32(rest.lowerBound)..<Int32(rest.upperBound))
    guard sums.linkWordCount * 2 > sums.wordCount else { return nil }
    let titles = rest.lazy.filter {
      blocks[$0].text.linkWordCount > Self.maxNameWordCount && linksToOtherPage($0, in: tree)
    }
    return titles.dropFirst().isEmpty ? nil : rest
  }

  /// The maximum number of words of a link with a name, a date or an action.
  private static let maxNameWordCount = 3

  /// Removes buttons beside the text of a heading, such as one that copies a link.
  private func dropHeadingControls(_ isKept: inout [Bool]) {
    for (index, block) in blocks.enumerated()
    where isKept[index] && block.headingLevel > 0
      && containers[Int(block.containerIndex)].name == .button
    {
      let heading = containers[Int(containers[Int(block.containerIndex)].parentIndex)]
      guard heading.name.headingLevel > 0, block.text.lastByte != UInt8(ascii: "?"),
        block.text.wordCount <= Self.maxControlWordCount,
        wordCount(in: heading.blockRange) > Int(block.text.wordCount)
      else { continue }
      isKept[index] = false
    }
  }

  private static let maxControlWordCount = 4

  /// Removes placeholders of slide shows.
  private func dropPlaceholders(_ isKept: inout [Bool]) {
    for (index, block) in blocks.enumerated() where isKept[index] {
      if block.text.wordCount == 4, Self.placeholderHashes.contains(block.text.openingHashes.3) {
        isKept[index] =
          isNear(.quote, block, maxDistance: 3) || isNear(.codeWord, block, maxDistance: 3)
      }
    }
  }

  private static let placeholderHashes: Set<UInt64> = {
    var hashes: Set<UInt64> = []
    BlockTextCounts.forEachHash(of: "this slideshow requires javascript") {
      hashes.insert($0)
    }
    return hashes
  }()

  /// Removes the names of programming languages directly above code in that language, which is
  /// named beside the code except in cells. A paragraph, an item or a cell is part of the text.
  private func dropLanguageLabels(_ isKept: inout [Bool], in tree: DOMTree) {
    for code in containers.dropFirst() where code.name == .pre && !code.blockRange.isEmpty {
      let index = Int(code.blockRange.lowerBound) - 1
      guard index >= 0, isKept[index], isKept[index + 1],
        1...2 ~= blocks[index].text.wordCount, blocks[index].headingLevel == 0,
        case let label = containers[Int(blocks[index].containerIndex)],
        [.div, .header, .figcaption, .figure, .button].contains(label.name),
        ancestor(.td, of: blocks[index + 1]) == 0,
        tree.isLanguage(text(of: index, in: tree).oneLine, ofCode: code.node)
      else { continue }
      isKept[index] = false
    }
  }

  /// Returns whether a block is in an element that is marked as secondary to the text, such as
  /// navigation or promotion.
  func isInSecondaryElement(_ block: Block) -> Bool {
    topicBits(around: block) & Self.secondaryTopics != 0
  }

  /// Whether a block is in the footer of the page or of a part of it, or in navigation.
  func isInFooter(_ block: Block) -> Bool {
    topicBits(around: block) & Self.footerTopics != 0
  }

  private static let footerTopics = BlockTopic.bits([.footer, .footerWord, .nav])
  private static let secondaryTopics = BlockTopic.bits([
    .nav, .aside, .relatedWord, .adWord, .newsletterWord, .cookieWord, .commentWord, .popupWord,
    .loginWord, .form, .promoWord,
  ])
}

extension DOMTree {
  fileprivate func isButton(_ node: Int32) -> Bool {
    nodes[Int(node)].name == .button || value(.role, of: node, contains: "button")
  }
}
