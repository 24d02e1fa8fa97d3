import DOM
import Document
import Metadata

// On a page of a few dozen words, the features of blocks are weak evidence, and each block that is
// lost is a large part of the text. There the element around the kept text decides.

extension PageBlocks {
  /// The maximum number of words outside navigation of a short page.
  private static let maxShortPageWordCount = 250
  /// The maximum number of blocks of a short page; some blocks may have no words.
  private static let maxShortPageBlocks = 500

  /// Adds the rest of the text of a short page: the blocks of its main element that are not
  /// navigation, controls, advertisements, offers or comments. Returns nil if the page is not
  /// short.
  func withWholeShortText(
    _ isKept: [Bool], _ candidates: ContentCandidates, _ isOutsideNavigation: [Bool],
    in tree: DOMTree
  ) -> [Bool]? {
    // The posts of a thread have rules of their own.
    guard candidates.kind != .forum, isShort(candidates, isOutsideNavigation),
      let filter = ShortTextFilter(isKept, candidates, isOutsideNavigation, in: tree)
    else { return nil }
    var isText = isKept
    for index in filter.textIndices { isText[index] = true }
    guard isText != isKept else { return isKept }
    let filtered = withoutBoilerplate(isText, of: candidates.kind, in: tree)
    return zip(filtered, isKept).map { $0 || $1 }
  }

  private func isShort(_ candidates: ContentCandidates, _ isOutsideNavigation: [Bool]) -> Bool {
    guard blocks.count <= Self.maxShortPageBlocks else { return false }
    var count = 0
    for (index, block) in blocks.enumerated()
    where isOutsideNavigation[index] && !candidates.isInsideComments(index) {
      count += Int(block.text.wordCount)
      if count > Self.maxShortPageWordCount { return false }
    }
    return true
  }
}

/// Finds the blocks of a short page that belong to its text.
private struct ShortTextFilter {
  private let page: PageBlocks
  private let candidates: ContentCandidates
  private let isOutsideNavigation: [Bool]
  private let tree: DOMTree
  /// The container of the text.
  private let region: Int
  /// Whether the region is a main element, so that headers in it belong to the text.
  private let isMain: Bool
  private let isKept: [Bool]
  /// The number of kept words before each block and before the end.
  private let keptBefore: [Int]
  /// The first kept paragraph, or the first kept block if there is none; before it are the author,
  /// the date and the like.
  private let start: Int
  /// Whether the first heading of level 1 is the title of the page.
  private let hasTitleHeading: Bool

  /// Returns nil if nothing is kept.
  init?(
    _ isKept: [Bool], _ candidates: ContentCandidates, _ isOutsideNavigation: [Bool],
    in tree: DOMTree
  ) {
    let page = candidates.page
    let kept = page.blocks.indices.filter { isKept[$0] }
    guard let first = kept.first else { return nil }
    start = kept.first { page.blocks[$0].text.isProse } ?? first
    (self.page, self.candidates, self.tree) = (page, candidates, tree)
    (self.isKept, self.isOutsideNavigation) = (isKept, isOutsideNavigation)
    keptBefore = page.keptWordSums(isKept)
    (region, isMain) = page.textRegion(of: isKept, in: tree)
    let title = PageTitle.comparisonKey(candidates.title)
    hasTitleHeading =
      !title.isEmpty
      && page.firstTitleIndex.map { page.isHeading($0, withKey: title, in: tree) } ?? false
  }

  /// The blocks that belong to the text, in document order.
  var textIndices: [Int] {
    let range = page.containers[region].blockRange
    var found: [Int] = []
    // The end of the last section that is not part of the text.
    var end = 0
    for index in Int(range.lowerBound)..<Int(range.upperBound) {
      if page.blocks[index].headingLevel > 0 {
        end = max(end, endOfOtherContent(from: index, before: Int(range.upperBound)))
      }
      if index >= end, !isKept[index], isText(index) { found.append(index) }
    }
    return found
  }

  /// Returns the end of the blocks below a heading that promote something or link to other pages;
  /// 0 if there are none.
  private func endOfOtherContent(from index: Int, before end: Int) -> Int {
    let heading = page.blocks[index]
    let rest = (index + 1)..<end
    if heading.text.wordCount <= Self.maxControlWordCount, heading.isPromotional {
      return rest.first { 1...heading.headingLevel ~= page.blocks[$0].headingLevel } ?? end
    }
    let text = rest.first { index in
      let block = page.blocks[index]
      return block.text.linkWordCount < block.text.wordCount || block.headingLevel > 0
        || !page.linksToOtherPage(index, in: tree)
    }
    let endOfLinks = text ?? end
    return endOfLinks - index > Self.minOtherPages ? endOfLinks : 0
  }

  private func isText(_ index: Int) -> Bool {
    let block = page.blocks[index]
    let container = page.containers[Int(block.containerIndex)]
    let isCell = container.name == .td || container.name == .th
    guard index != page.firstTitleIndex, container.name != .button,
      !candidates.isInsideComments(index),
      block.text.wordCount > 0 || isCell,
      // Around the description of a product are its delivery, other products and the seller.
      candidates.kind != .product || isInTable(index) || isAboveTable(index),
      // Requests for JavaScript, and second versions of images.
      !tree.hasNearAncestor(.noscript, container.node), isInText(index),
      isCell || !isControl(block),
      !isMenuLink(index)
    else { return false }
    guard index < start else { return true }
    guard isMain || isBelowTitle(index) else { return false }
    return block.phrases.isEmpty && block.text.linkWordCount < block.text.wordCount
      && (block.headingLevel > 0 || block.text.wordCount >= Self.minOpeningWordCount)
      && !page.isNearBylineName(block)
  }

  private func isInTable(_ index: Int) -> Bool {
    [.table, .tr, .td, .th, .dl].contains { page.ancestor($0, of: page.blocks[index]) > 0 }
  }

  private func isAboveTable(_ index: Int) -> Bool {
    page.blocks[index].headingLevel > 0 && page.blocks.indices.contains(index + 1)
      && isInTable(index + 1)
  }

  /// Whether a block is a short phrase of an interface, such as "Subscribe now".
  private func isControl(_ block: PageBlocks.Block) -> Bool {
    guard block.text.wordCount <= Self.maxControlWordCount else { return false }
    return !block.phrases.isDisjoint(with: Self.controlPhrases)
      || block.headingLevel == 0 && block.text.wordCount <= Self.maxActionWordCount
        && !block.phrases.isDisjoint(with: [.comments, .listControls])
      || !isMain && block.text.hasCopyright
  }

  /// Whether a block consists of links that lead around the site or the page rather than to a part
  /// of the text.
  private func isMenuLink(_ index: Int) -> Bool {
    let block = page.blocks[index]
    guard block.text.linkWordCount == block.text.wordCount, block.text.linkCount > 0 else {
      return isTag(block) && block.text.linkWordCount * 2 >= block.text.wordCount
    }
    if isBesideHeading(index) { return true }
    // The name of a speaker may be the target of links.
    guard page.linkTarget(of: index, in: tree) != nil else { return false }
    // A link alone may lead to a file or a further page of the text.
    guard isMain, block.text.linkCount < Self.minMenuLength,
      page.linksToOtherPage(index, in: tree), !isTag(block)
    else { return true }
    var list = Int(block.containerIndex)
    while list != region, list > 0, !page.containers[list].name.mayBeMenu {
      list = Int(page.containers[list].parentIndex)
    }
    guard list != region, list > 0 else { return false }
    let sums = page.sum(page.containers[list].blockRange)
    let isLong = sums.blockCount >= Self.minMenuLength || page.containers[list].name == .table
    return isLong && sums.linkWordCount == sums.wordCount
  }

  /// Whether an element consists of a heading and this block: a link that edits the section.
  private func isBesideHeading(_ index: Int) -> Bool {
    guard index > 0, page.blocks[index - 1].headingLevel > 0 else { return false }
    var container = Int(page.blocks[index].containerIndex)
    while container > 0, !page.containers[container].blockRange.contains(Int32(index - 1)) {
      container = Int(page.containers[container].parentIndex)
    }
    return page.containers[container].blockRange.count == 2
  }

  /// Whether the container of a block, or one of the two containers around it, is named for tags.
  private func isTag(_ block: PageBlocks.Block) -> Bool {
    page.isNear(.tagWord, block, maxDistance: 2)
  }

  /// Whether a block may be text: no element between the block and the elements around most of the
  /// kept text is named as something other than text. If most of the kept text is not in an
  /// `article`, the block must also be probable enough, and be in the main element, outside
  /// navigation or below the title.
  private func isInText(_ index: Int) -> Bool {
    let block = page.blocks[index]
    let row = page.topicDepths[Int(page.containers[Int(block.containerIndex)].topicDepthsIndex)]
    let outer = page.containers[outerContainer(of: block)].depth
    func isInside(_ topic: BlockTopic) -> Bool {
      let depth = row.depths[Int(topic.rawValue)]
      return depth != .max && depth > outer
    }
    guard !Self.excludedTopics.contains(where: isInside),
      page.ancestor(.fieldset, of: block) <= region
    else { return false }
    guard page.containers[region].name != .article else { return true }
    guard !isInside(.sidebarWord),
      candidates.probabilities.isEmpty || candidates.probabilities[index] >= Self.minProbability
    else { return false }
    return isMain || isOutsideNavigation[index] || isBelowTitle(index)
  }

  /// Returns the innermost container around a block that holds at least half of the kept words.
  private func outerContainer(of block: PageBlocks.Block) -> Int {
    var outer = Int(block.containerIndex)
    while outer != region, outer > 0 {
      let range = page.containers[outer].blockRange
      let kept = keptBefore[Int(range.upperBound)] - keptBefore[Int(range.lowerBound)]
      if kept > 0, kept * 2 >= keptBefore[keptBefore.count - 1] { return outer }
      outer = Int(page.containers[outer].parentIndex)
    }
    return outer
  }

  /// Whether a block is below the title in the same `header`: a subtitle or an abstract.
  private func isBelowTitle(_ index: Int) -> Bool {
    let block = page.blocks[index]
    guard hasTitleHeading, let title = page.firstTitleIndex, index > title, block.phrases.isEmpty,
      block.text.linkWordCount * 2 <= block.text.wordCount, !page.isNearBylineName(block)
    else { return false }
    let header = page.ancestor(.header, of: block)
    return header > 0 && page.containsFirstTitle(page.containers[header].blockRange)
  }

  private static let excludedTopics: [BlockTopic] = [
    .nav, .menuWord, .footer, .footerWord, .cookieWord, .breadcrumbWord, .tocWord, .relatedWord,
    .shareWord, .commentWord, .adWord, .promoWord, .popupWord, .newsletterWord, .loginWord,
    .searchWord, .form, .filterWord, .paginationWord, .cartWord, .aside,
  ]
  private static let controlPhrases = PageBlocks.Block.promotionalPhrases.union([.buy, .script])
  private static let maxControlWordCount = 12
  /// The maximum number of words of an action such as "Reply".
  private static let maxActionWordCount = 3
  /// The minimum number of links to other pages below a heading that are not part of the text.
  private static let minOtherPages = 2
  /// The minimum number of words of a block before the text that is not a heading.
  private static let minOpeningWordCount = 3
  /// The number of links from which a line or a list of links is a menu.
  private static let minMenuLength = 5
  /// The minimum probability that a block is content for which a block outside `article` elements
  /// is kept.
  private static let minProbability: Float = 0.03
}

extension ContentModel.Selection {
  /// Whether all kept blocks other than the title are in an `article` or `main` element and in
  /// nothing secondary: they are the text of the page, however short it is.
  var isInMainElement: Bool {
    let kept = page.blocks.indices.filter {
      isKept[$0] && page.blocks[$0].text.wordCount > 0 && $0 != page.firstTitleIndex
    }
    return kept.contains { page.blocks[$0].phrases.isEmpty }
      && kept.allSatisfy { index in
        let block = page.blocks[index]
        return !page.isInSecondaryElement(block)
          && (page.ancestor(.article, of: block) > 0 || page.ancestor(.main, of: block) > 0)
      }
  }
}

extension PageBlocks {
  /// Returns the element of the text: the article or main element around the kept blocks, or the
  /// whole page if there is none.
  fileprivate func textRegion(
    of isKept: [Bool], in tree: DOMTree
  ) -> (container: Int, isMain: Bool) {
    var innermost: Int?
    var index = Int(textContainerIndex(of: isKept))
    while index > 0 {
      defer { index = Int(containers[index].parentIndex) }
      let container = containers[index]
      let isMain =
        container.name == .article || container.name == .main
        || tree.value(.role, of: container.node, contains: "main")
      guard isMain else { continue }
      guard let candidate = innermost else {
        innermost = index
        continue
      }
      // A small article within the element of the title is only one of its parts.
      let range = container.blockRange
      if !containsFirstTitle(containers[candidate].blockRange), containsFirstTitle(range),
        wordCount(in: containers[candidate].blockRange) * 2 < wordCount(in: range)
      {
        return (index, true)
      }
    }
    guard let innermost else { return (Int(textContainerIndex(of: isKept)), false) }
    return (innermost, true)
  }
}

extension ElementName {
  /// Whether the element may be a menu, a list or table of links.
  fileprivate var mayBeMenu: Bool { self == .ul || self == .ol || self == .menu || self == .table }
}
