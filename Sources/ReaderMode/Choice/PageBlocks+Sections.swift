import DOM
import Document

// Keeps together what belongs together: labels and values, questions and answers, the paragraphs of
// a section.

extension PageBlocks {
  /// Adds blocks that belong to kept ones and removes headings without content.
  /// - Parameters:
  ///   - isKept: Whether each block is kept.
  ///   - candidates: The blocks with their probabilities.
  ///   - isOutside: Whether each block is outside navigation.
  ///   - tree: The page.
  /// - Returns: Whether each block is kept.
  func withWholeSections(
    _ isKept: [Bool], _ candidates: ContentCandidates, _ isOutside: [Bool], in tree: DOMTree
  ) -> [Bool] {
    var stays = isKept
    let ends = sectionEnds
    if candidates.article != nil {
      keepParagraphs(&stays, candidates, isOutside)
      keepEnd(&stays, candidates, ends, in: tree)
    } else {
      keepRows(&stays, isOutside)
    }
    if candidates.kind != .forum {
      keepCodeAndDefinitions(&stays, isOutside)
      keepHeadings(&stays, ends, isOutside)
      keepNames(&stays, isOutside)
    }
    keepWholeCode(&stays, isOutside)
    keepDetails(&stays, isOutside)
    keepButtons(&stays, isOutside, in: tree)
    if candidates.kind == .article { dropTeasers(&stays, candidates.probabilities, in: tree) }
    if candidates.article != nil {
      dropHeadings(&stays, ends)
    }
    if candidates.article != nil { keepIngredients(&stays) }
    if candidates.kind.mayBeOneText { keepNotes(&stays, in: tree) }
    dropPlaceholders(&stays)
    return stays
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

  /// Keeps paragraphs in elements with several kept paragraphs.
  private func keepParagraphs(
    _ stays: inout [Bool], _ candidates: ContentCandidates, _ isOutside: [Bool]
  ) {
    var ofElement: [Int32: Int] = [:]
    for (index, block) in blocks.enumerated() where stays[index] && isParagraph(block) {
      ofElement[textContainer(of: block), default: 0] += 1
    }
    guard let first = stays.firstIndex(of: true), let last = stays.lastIndex(of: true) else {
      return
    }
    for (index, block) in blocks.enumerated()
    where !stays[index] && index > first && index < last && isOutside[index] && isParagraph(block) {
      if ofElement[textContainer(of: block), default: 0] >= 3,
        candidates.probabilities[index] >= Self.minOfParagraph, block.copies == 1,
        !isInAside(block)
      {
        stays[index] = true
      }
    }
  }

  private func isParagraph(_ block: Block) -> Bool {
    block.headingLevel == 0 && block.text.links == 0
      && block.text.wordCount >= Self.minParagraphWordCount
      && block.text.sentences > 0 && block.phrases.isEmpty
  }

  /// Keeps the sections that follow the article within the same `article` element.
  private func keepEnd(
    _ stays: inout [Bool], _ candidates: ContentCandidates, _ ends: [Int], in tree: DOMTree
  ) {
    guard let article = candidates.articleBlocks, !article.range.isEmpty else { return }
    let last = article.range.upperBound - 1
    var around = Int(blocks[last].container)
    while around > 0, containers[around].name != .article {
      around = Int(containers[around].parent)
    }
    guard around > 0, containers[around].unit < 0 else { return }
    let range = containers[around].blocks
    guard article.wordCount(in: range) * 4 >= article.wordCount * 3 else { return }
    var index = last + 1
    while index < Int(range.upperBound) {
      defer { index += 1 }
      guard blocks[index].headingLevel > 1 else { continue }
      let end = min(ends[index], Int(range.upperBound))
      var (prose, wordCount, links, likely) = (0, 0, 0, Float(0))
      var isFine = blocks[index].phrases.isEmpty && !leadsElsewhere(index, in: tree)
      for position in index..<end {
        let block = blocks[position]
        wordCount += Int(block.text.wordCount)
        links += Int(block.text.linkWordCount)
        if block.text.isProse { prose += Int(block.text.wordCount) }
        likely += candidates.probabilities[position] * Float(block.text.wordCount)
        if isInAside(block) || isNear(.authorWord, block) { isFine = false }
      }
      if isFine, prose >= 60, prose * 4 >= wordCount * 3, links * 10 <= wordCount,
        likely >= 0.08 * Float(wordCount)
      {
        for position in index..<end where candidates.probabilities[position] >= 0.05 {
          stays[position] = true
        }
        index = end - 1
      }
    }
  }

  /// Keeps all links of a long row of similar elements if most of them are kept.
  private func keepRows(_ stays: inout [Bool], _ isOutside: [Bool]) {
    func isAlike(_ one: Int, _ other: Int) -> Bool {
      let (first, second) = (blocks[one], blocks[other])
      let (own, next) = (containers[Int(first.container)], containers[Int(second.container)])
      return own.parent == next.parent && own.name == next.name && own.blocks.count == 1
        && next.blocks.count == 1 && first.headingLevel == second.headingLevel
        && second.text.linkWordCount == second.text.wordCount
    }
    var start = 0
    for index in 1...max(1, blocks.count) {
      if index < blocks.count, isAlike(index - 1, index) { continue }
      let row = start..<min(index, blocks.count)
      start = index
      guard row.count >= Self.minRow else { continue }
      let kept = row.reduce(0) { $0 + (stays[$1] ? 1 : 0) }
      guard kept < row.count, kept * 4 >= row.count * 3 else { continue }
      for position in row where isOutside[position] { stays[position] = true }
    }
  }

  private static let minRow = 10

  private func isNear(_ topic: BlockTopic, _ block: Block) -> Bool {
    distance(to: Int(topic.rawValue), from: block).map { $0 < 4 } ?? false
  }

  /// Keeps headings of sections that are mostly kept.
  private func keepHeadings(_ stays: inout [Bool], _ ends: [Int], _ isOutside: [Bool]) {
    var before = [(kept: 0, all: 0)]
    for (index, block) in blocks.enumerated() {
      let wordCount = block.headingLevel > 0 ? 0 : Int(block.text.wordCount)
      let last = before[index]
      before.append((last.kept + (stays[index] ? wordCount : 0), last.all + wordCount))
    }
    // Headings above the text are the title.
    guard let first = stays.firstIndex(of: true) else { return }
    for (index, block) in blocks.enumerated()
    where block.headingLevel > 1 && !stays[index] && isOutside[index] && index > first {
      let (from, to) = (before[index + 1], before[ends[index]])
      let (kept, all) = (to.kept - from.kept, to.all - from.all)
      if kept > 0, kept * 2 >= all, !isInAside(block), block.phrases.isEmpty { stays[index] = true }
    }
  }

  /// Keeps the first block of short items whose rest is kept: the label of a value, or the question
  /// above an answer.
  private func keepNames(_ stays: inout [Bool], _ isOutside: [Bool]) {
    for container in containers.dropFirst() where container.similar >= 3 {
      let range = container.blocks
      guard range.count > 1, range.count < 12 else { continue }
      let first = Int(range.lowerBound)
      guard !stays[first], isOutside[first], blocks[first].text.wordCount <= 25,
        blocks[first].phrases.isEmpty, !isInAside(blocks[first]), blocks[first].text.links == 0
      else { continue }
      let isLabel = blocks[first].text.last == UInt8(ascii: ":") || blocks[first].copies <= 2
      let isPair = range.count == 2 && blocks[first].text.wordCount <= 6 && isLabel
      let isQuestion = blocks[first].text.last == UInt8(ascii: "?")
      guard isPair || isQuestion else { continue }
      let rest = (first + 1)..<Int(range.upperBound)
      let all = rest.reduce(0) { $0 + Int(blocks[$1].text.wordCount) }
      let kept = rest.reduce(0) { $0 + (stays[$1] ? Int(blocks[$1].text.wordCount) : 0) }
      if kept * 4 >= all * 3, kept > 0 { stays[first] = true }
    }
  }

  /// Keeps whole `pre` elements that are partly kept, and those that follow a kept paragraph of the
  /// same element.
  private func keepWholeCode(_ stays: inout [Bool], _ isOutside: [Bool]) {
    for container in containers.dropFirst()
    where container.name == .pre && !container.blocks.isEmpty {
      let (first, range) = (Int(container.blocks.lowerBound), container.blocks)
      let isLed =
        first > 0 && stays[first - 1] && blocks[first - 1].text.isProse
        && textContainer(of: blocks[first - 1]) == container.parent
      guard isLed && !isInAside(blocks[first]) || range.contains(where: { stays[Int($0)] }) else {
        continue
      }
      for index in range where isOutside[Int(index)] { stays[Int(index)] = true }
    }
  }

  /// Keeps `details` elements next to kept ones, such as questions with their answers.
  private func keepDetails(_ stays: inout [Bool], _ isOutside: [Bool]) {
    var rows: [Int32: (kept: Int, items: [Range<Int32>])] = [:]
    for container in containers.dropFirst()
    where container.name == .details && !container.blocks.isEmpty {
      let range = container.blocks
      let kept = range.reduce(0) {
        $0 + (stays[Int($1)] ? Int(blocks[Int($1)].text.wordCount) : 0)
      }
      rows[container.parent, default: (0, [])].items.append(range)
      if kept * 2 >= wordCount(in: range), kept > 0 { rows[container.parent]?.kept += 1 }
    }
    for row in rows.values where row.kept > 0 && row.kept * 3 >= row.items.count {
      for index in row.items.joined() where isOutside[Int(index)] && !isInAside(blocks[Int(index)])
      {
        stays[Int(index)] = true
      }
    }
  }

  /// Keeps every `aside` between the first and the last kept block in which at least half of the
  /// list items contain numbers, such as the ingredients of a recipe.
  private func keepIngredients(_ stays: inout [Bool]) {
    guard let first = stays.firstIndex(of: true), let last = stays.lastIndex(of: true) else {
      return
    }
    for container in containers.dropFirst()
    where container.name == .aside && !container.blocks.isEmpty {
      let range = Int(container.blocks.lowerBound)..<Int(container.blocks.upperBound)
      let items = range.filter { containers[Int(blocks[$0].container)].name == .li }
      let amounts = items.count { blocks[$0].text.numbers > 0 }
      let links = sum(container.blocks).linkWordCount
      guard range.upperBound > first, range.lowerBound <= last, items.count >= 3,
        amounts * 2 >= items.count, links * 10 <= wordCount(in: container.blocks)
      else { continue }
      for index in range { stays[index] = true }
    }
  }

  /// Keeps every `aside` that is named as a note or a warning and is next to kept blocks, unless it
  /// has a phrase of promotion.
  private func keepNotes(_ stays: inout [Bool], in tree: DOMTree) {
    let asides = containers.indices.dropFirst().filter {
      containers[$0].name == .aside && !containers[$0].blocks.isEmpty
    }
    guard !asides.isEmpty else { return }
    let texts = Set(blocks.indices.filter { stays[$0] }.map { textContainer(of: blocks[$0]) })
    for aside in asides
    where texts.contains(containers[aside].parent) && tree.isNote(containers[aside].node) {
      let range = containers[aside].blocks
      // Its other classes must not name an advertisement, a form, or the like; "callout" is also a
      // name of promotion.
      let topics = BlockTopic.topics(of: containers[aside].node, in: tree)
      let allowed = [BlockTopic.aside, .promoWord].reduce(0 as UInt64) {
        $0 | 1 << UInt64($1.rawValue)
      }
      guard topics & Self.aside & ~allowed == 0,
        sum(range).linkWordCount * 4 <= wordCount(in: range),
        range.allSatisfy({ blocks[Int($0)].phrases.isDisjoint(with: Self.promotion) })
      else { continue }
      for index in range { stays[Int(index)] = true }
    }
  }

  /// Keeps the label of a button that expands an element which is mostly kept.
  private func keepButtons(_ stays: inout [Bool], _ isOutside: [Bool], in tree: DOMTree) {
    var buttons: [ArraySlice<UInt8>: Int] = [:]
    for (index, block) in blocks.enumerated()
    where !stays[index] && isOutside[index] && block.text.wordCount <= 25 && !isInAside(block) {
      if let name = opened(by: index, in: tree) { buttons[name] = index }
    }
    guard !buttons.isEmpty else { return }
    for container in containers.dropFirst() {
      guard let id = tree.attribute(.id, of: container.node), let index = buttons[tree.bytes[id]],
        !container.blocks.contains(Int32(index))
      else { continue }
      let all = wordCount(in: container.blocks)
      let kept = container.blocks.reduce(0) {
        $0 + (stays[Int($1)] ? Int(blocks[Int($1)].text.wordCount) : 0)
      }
      if kept > 0, kept * 2 >= all { stays[index] = true }
    }
  }

  /// Returns the name of the element that a block expands.
  private func opened(by index: Int, in tree: DOMTree) -> ArraySlice<UInt8>? {
    guard let text = blocks[index].texts.first else { return nil }
    var node = tree.nodes[Int(texts[Int(text)])].parent
    for _ in 0..<5 where node > 0 {
      if let name = tree.attribute(.opened, of: node), tree.nodes[Int(node)].name != .iframe {
        return tree.bytes[name]
      }
      node = tree.nodes[Int(node)].parent
    }
    return nil
  }

  /// Removes cards that link to other pages after the last paragraph, if the text before them is
  /// longer.
  private func dropTeasers(
    _ stays: inout [Bool], _ probabilities: [Float], in tree: DOMTree
  ) {
    // For each kind of item, the items with a heading, and those whose heading links to another
    // page.
    var cards: [UInt64: (headed: Set<Int32>, linked: Set<Int32>)] = [:]
    for (index, block) in blocks.enumerated() where stays[index] && block.headingLevel > 0 {
      let unit = containers[Int(block.container)].unit
      guard unit >= 0, block.text.wordCount > 0 else { continue }
      let role = containers[Int(unit)].role
      cards[role, default: ([], [])].headed.insert(unit)
      if block.text.linkWordCount == block.text.wordCount, leadsElsewhere(index, in: tree) {
        cards[role, default: ([], [])].linked.insert(unit)
      }
    }
    let teasers = cards.filter { $1.linked.count >= 3 && $1.linked.count == $1.headed.count }
    func isTeaser(_ block: Block) -> Bool {
      let unit = containers[Int(block.container)].unit
      return unit >= 0 && teasers[containers[Int(unit)].role] != nil
    }
    guard !teasers.isEmpty,
      let last = blocks.indices.last(where: {
        stays[$0] && blocks[$0].text.isProse && !isTeaser(blocks[$0])
      })
    else { return }
    let after = blocks.indices[(last + 1)...].filter { stays[$0] && isTeaser(blocks[$0]) }
    let wordCount = after.reduce(0) { $0 + Int(blocks[$1].text.wordCount) }
    let before = blocks.indices[...last].reduce(0) {
      $0 + (stays[$1] ? Int(blocks[$1].text.wordCount) : 0)
    }
    guard before > wordCount else { return }
    let likely = after.reduce(Float(0)) {
      $0 + probabilities[$1] * Float(blocks[$1].text.wordCount)
    }
    // Cards as likely as the text are part of it, unless they are outside its `article` element.
    if likely >= 0.7 * Float(wordCount) {
      var around = Int(blocks[last].container)
      while around > 0, containers[around].name != .article {
        around = Int(containers[around].parent)
      }
      guard around > 0, let first = after.first,
        Int(containers[around].blocks.upperBound) <= first
      else { return }
    }
    for index in after { stays[index] = false }
  }

  /// Whether the link of a block leads to another page.
  private func leadsElsewhere(_ index: Int, in tree: DOMTree) -> Bool {
    guard let text = blocks[index].texts.first else { return false }
    var node = texts[Int(text)]
    while node > 0, tree.nodes[Int(node)].name != .a { node = tree.nodes[Int(node)].parent }
    guard node > 0, let target = tree.attribute(.href, of: node) else { return false }
    return !target.isEmpty && tree.bytes[target.lowerBound] != UInt8(ascii: "#")
  }

  /// Removes headings of sections without kept content.
  private func dropHeadings(_ stays: inout [Bool], _ ends: [Int]) {
    for (index, block) in blocks.enumerated()
    where stays[index] && block.headingLevel > 0 && index != Int(firstTitle) {
      guard block.text.linkWordCount == 0, block.text.wordCount < 12, index + 1 < blocks.count
      else { continue }
      let below = (index + 1)..<ends[index]
      if below.contains(where: { stays[$0] && blocks[$0].headingLevel == 0 }) { continue }
      let left = below.reduce(0) {
        $0 + (blocks[$1].headingLevel > 0 ? 0 : Int(blocks[$1].text.wordCount))
      }
      let images = below.reduce(0) { $0 + Int(blocks[$1].imagesBefore) }
      if left > 0, images == 0 { stays[index] = false }
    }
  }

  /// Removes placeholders of slide shows.
  private func dropPlaceholders(_ stays: inout [Bool]) {
    for (index, block) in blocks.enumerated() where stays[index] {
      if block.text.wordCount == 4, Self.placeholders.contains(block.text.openings.3) {
        stays[index] = isNear(.quote, block) || isNear(.codeWord, block)
      }
    }
  }

  private static let placeholders: Set<UInt64> = {
    var hashes: Set<UInt64> = []
    BlockText.forEachHash(of: "this slideshow requires javascript") {
      hashes.insert($0)
    }
    return hashes
  }()

  private static let promotion: BlockPhrase = [
    .subscribe, .cookies, .follow, .signIn, .share, .related,
  ]

  private static let minParagraphWordCount = 12
  /// The minimum probability of a paragraph that is kept because of its neighbours.
  private static let minOfParagraph: Float = 0.1

  /// Returns whether a block is in an element that is marked as secondary to the text, such as
  /// navigation or promotion.
  func isInAside(_ block: Block) -> Bool {
    let topics = topicDepths[Int(containers[Int(block.container)].topicDepthsIndex)].topics
    return topics & Self.aside != 0
  }

  private static let aside = [
    BlockTopic.nav, .aside, .relatedWord, .adWord, .newsletterWord, .cookieWord, .commentWord,
    .popupWord, .loginWord, .form, .promoWord,
  ].reduce(0 as UInt64) { $0 | 1 << UInt64($1.rawValue) }
}
