package import Document
package import DOM
import Metadata

// Two ensembles of small decision trees over the features of each block (`BlockFeatures`) decide
// which blocks of a page are content: one for pages that may be an article and one for all others.
// `scripts/content-model` generates their tables from pages with known content.

/// Selects the main content of a page of any kind: posts of a thread, items of a listing, the
/// description of a product, the text of an article.
///
/// The steps are the same for all kinds: split the page into blocks, estimate the probability that
/// each is content (`ContentCandidates`), and choose among them (`ContentChoice`).
package enum ContentModel {
  /// The main content of a page.
  package struct Selection: Sendable {
    package var source: ContentSource
    /// The page that the content is selected from.
    let wholePage: DOMTree
    /// The blocks of the source page with their probabilities; without probabilities if all blocks
    /// are content.
    let candidates: ContentCandidates
    let isKept: [Bool]
    /// The writer and the date of the first post of a thread; nil if there are none.
    private(set) var openingByline: PostByline?
    /// The notices below an article that state who posted it and when.
    private(set) var postNotices: [PostNotice] = []

    package var kind: PageKind { candidates.kind }

    var page: PageBlocks { candidates.page }

    /// The extracted article if the page may be one text; otherwise nil.
    var article: Readability? { candidates.article }

    func isFooter(_ article: Readability) -> Bool {
      if case .structuredData = source { return false }
      return ArticleBlocks(in: article.tree, of: page, in: wholePage).isMostlyFooter(of: page)
    }

    var keptWordCount: Int { page.wordCount(kept: isKept) }

    /// Whether the content is so short that alternatives should be tried.
    var isShort: Bool {
      switch source {
      case .structuredData(.description): return keptWordCount < 50
      case .structuredData: return false
      default: return keptWordCount < 10
      }
    }

    /// Whether most of the kept text is in `noscript` elements.
    var isMostlyNoScript: Bool {
      guard page.containers.contains(where: { $0.name == .noscript }) else { return false }
      let isNoScript = page.blocks.indices.map {
        isKept[$0] && page.ancestor(.noscript, of: page.blocks[$0]) > 0
      }
      return page.wordCount(kept: isNoScript) * 2 > keptWordCount
    }

    /// The comments below the content; nil if there are none, or the content is not a text of its
    /// own.
    var comments: PageComments? {
      guard let comments = candidates.comments, comments.count > 0,
        source == .visiblePage || source == .hiddenText
      else { return nil }
      return comments
    }

    /// The page with everything but the content detached; computed on each access.
    package var tree: DOMTree { tree(withComments: false) }

    /// Returns the page with everything but the content detached, and with its comments if wanted.
    package func tree(withComments: Bool) -> DOMTree {
      if case .structuredData = source { return wholePage }
      var kept = wholePage
      kept.keepBlocks(
        isKept, of: page, withArticle: source == .wholePage ? nil : article?.tree, kind: kind,
        alsoKept: withComments ? comments?.isCommentPart : nil)
      return kept
    }
  }

  /// Selects the main content of a page. By default, the rules for hidden elements and the title
  /// are those of the page. If `explains`, the article records a trace.
  package static func select(
    _ tree: DOMTree, url: String, hiding: HidingRules? = nil, title: String? = nil,
    trees: @escaping ContentTrees.Provider = ContentTrees.builtIn, explains: Bool = false
  ) -> Selection {
    let hiding = hiding ?? HidingRules(of: tree)
    let page = PageBlocks(tree, url: url, hidingRules: hiding)
    let wordCount = page.sum(page.allBlockIndices).wordCount
    if wordCount < minWordCountWithoutScripts,
      let embedded = embeddedSelection(
        in: tree, page, shownWordCount: max(0, wordCount - page.scriptRequestWordCount(in: tree)))
    {
      return embedded
    }
    let title = title ?? MetadataFinder(of: tree, searchesText: false).metadata.title
    var selection = chosenSelection(
      ContentCandidates(page, of: tree, title: title, trees: trees, explains: explains), of: tree)
    if let wholeText = selection.wholeText { return wholeText }
    if let post = page.shortPost(title: title, in: tree), selection.isMostlyOutside(post) {
      selection = Selection(
        source: .visiblePage, wholePage: tree, candidates: selection.candidates, isKept: post)
    }
    // The hidden text that a script would reveal may be the main content.
    if !hiding.revealedElements.isEmpty, selection.source == .visiblePage {
      selection.source = .hiddenText
    }
    let outsideWordCount = page.wordCountOutsideNavigation(upTo: minWordCountWithoutScripts)
    if outsideWordCount < minWordCountWithoutScripts,
      let embedded = embeddedSelection(in: tree, page, shownWordCount: outsideWordCount),
      embedded.keptWordCount > selection.keptWordCount
    {
      return embedded
    }
    return selection
  }

  /// Returns the text in structured data or script state if the page shows less text than that; nil
  /// otherwise.
  private static func embeddedSelection(
    in tree: DOMTree, _ page: PageBlocks, shownWordCount: Int
  ) -> Selection? {
    guard
      let embedded = EmbeddedText(
        in: tree, shownWordCount: shownWordCount,
        allowsDescription: page.sum(page.allBlockIndices).wordCount < minWordCountWithoutScripts)
    else { return nil }
    var shown = PageBlocks(embedded.tree)
    shown.signals = page.signals
    let candidates = ContentCandidates(allContentOf: shown, kind: PageKind(of: shown))
    return Selection(
      source: .structuredData(embedded.source), wholePage: embedded.tree, candidates: candidates,
      isKept: Array(repeating: true, count: shown.blocks.count))
  }

  /// Chooses among the blocks of a page.
  private static func chosenSelection(_ candidates: ContentCandidates, of tree: DOMTree)
    -> Selection
  {
    let choice = ContentChoice(candidates, in: tree)
    let hasText = candidates.page.sum(candidates.page.allBlockIndices).wordCount > 0
    let selection = Selection(
      source: choice.hasContent ? .visiblePage : hasText ? .wholePage : .emptyPage, wholePage: tree,
      candidates: candidates, isKept: choice.isKept, openingByline: choice.openingByline,
      postNotices: choice.postNotices)
    guard hasText,
      let whole = candidates.page.wholePageBlocks(
        unlike: choice.isKept, of: candidates)
    else { return selection }
    return Selection(source: .wholePage, wholePage: tree, candidates: candidates, isKept: whole)
  }

  /// The number of words below which a page is assumed to need scripts.
  static let minWordCountWithoutScripts = 50
}

extension PageBlocks {
  /// The range of all blocks.
  var allBlockIndices: Range<Int32> { 0..<Int32(blocks.count) }

  /// Returns the number of words in visible `noscript` elements that ask for JavaScript.
  fileprivate func scriptRequestWordCount(in tree: DOMTree) -> Int {
    var wordCount = 0
    for node in tree.nodes.indices
    where tree.nodes[node].name == .noscript && isKnownVisible[node] {
      let line = Array(tree.collapsedText(below: Int32(node)).utf8)
      guard line.contains("javascript", in: line.indices) else { continue }
      wordCount += line.split(separator: UInt8(ascii: " ")).count
    }
    return wordCount
  }

  /// Returns the number of words outside navigation, counted only up to about `sufficientCount`.
  fileprivate func wordCountOutsideNavigation(upTo sufficientCount: Int) -> Int {
    var wordCount = 0
    let isNavigation = isNavigation
    for block in blocks
    where wordCount < sufficientCount && !isNavigation[Int(block.containerIndex)] {
      wordCount += Int(block.text.wordCount)
    }
    return wordCount
  }

  /// Returns the blocks of the page without navigation if the kept blocks are short, and are less
  /// than a tenth of them or only the head of a list, or less than half of them because the footer
  /// was taken for the article; otherwise nil.
  fileprivate func wholePageBlocks(
    unlike isKept: [Bool], of candidates: ContentCandidates
  ) -> [Bool]? {
    let kept = wordCount(kept: isKept)
    guard kept < ContentModel.minWordCountWithoutScripts else { return nil }
    let outside = isOutsideNavigation
    let count = wordCount(kept: outside)
    let isKeptOutside = zip(isKept, outside).map { $0 && $1 }
    let showsFooter =
      wordCount(kept: isKeptOutside) * 2 < count
      && candidates.articleBlocks?.isMostlyFooter(of: self) == true
    return kept * 10 < count || showsFooter || isHeadOfList(isKept, outside, of: candidates.kind)
      ? outside : nil
  }

  /// Whether only the head of a list is kept, as in an index of the messages of a mailing list: the
  /// page is a forum or a list of links, the kept blocks have no sentences, and the list items with
  /// links that were left out have at least half as many words as the kept blocks, and at least a
  /// third of the words outside navigation.
  private func isHeadOfList(_ isKept: [Bool], _ isOutside: [Bool], of kind: PageKind) -> Bool {
    guard kind == .forum || kind == .linkList else { return false }
    var (keptWordCount, outsideWordCount) = (0, 0)
    var (itemCount, itemWordCount) = (0, 0)
    for (index, block) in blocks.enumerated() {
      if isOutside[index] { outsideWordCount += Int(block.text.wordCount) }
      if isKept[index] {
        guard block.text.sentenceEndCount == 0 else { return false }
        keptWordCount += Int(block.text.wordCount)
      } else if isOutside[index], block.text.linkCount > 0, block.phrases.isEmpty,
        containers[Int(block.containerIndex)].name == .li, !isInSecondaryElement(block)
      {
        itemCount += 1
        itemWordCount += Int(block.text.wordCount)
      }
    }
    return itemCount >= Self.minListItems && itemWordCount * 2 >= keptWordCount
      && itemWordCount * 3 >= outsideWordCount
  }

  private static let minListItems = 3

  /// For each block, whether it is outside menus, page headers and footers; all true if every block
  /// is inside.
  var isOutsideNavigation: [Bool] {
    let isNavigation = isNavigation
    let outside = blocks.map { !isNavigation[Int($0.containerIndex)] }
    return outside.contains(true) ? outside : Array(repeating: true, count: blocks.count)
  }

  /// For each container, whether it is navigation or boilerplate. A container with most of the page
  /// counts only by its element, not by its class, and one with most of the prose never counts. A
  /// menu without links lists dishes.
  private var isNavigation: [Bool] {
    let whole = sum(allBlockIndices)
    var result = [Bool](repeating: false, count: containers.count)
    for (index, container) in containers.enumerated() {
      if container.parentIndex >= 0, result[Int(container.parentIndex)] {
        result[index] = true
        continue
      }
      guard
        topicDepths[Int(container.topicDepthsIndex)].topicBits & Self.navigationTopics != 0,
        !textSections.contains(index)
      else { continue }
      let own = sum(container.blockRange)
      let isLarge = own.wordCount * 2 > whole.wordCount
      if isLarge, own.proseWordCount >= ContentModel.minWordCountWithoutScripts,
        own.proseWordCount * 2 > whole.proseWordCount
      {
        continue
      }
      let isMenuOfDishes = own.linkWordCount == 0 && own.wordCount >= Self.minDishWordCount
      let topics =
        isLarge
        ? Self.navigationElements
        : isMenuOfDishes ? Self.boilerplateTopics : Self.navigationTopics
      result[index] = hasTopic(topics, container)
    }
    return result
  }

  private static let navigationElements = BlockTopic.bits([.nav, .header, .footer, .aside])
  private static let boilerplateTopics =
    navigationElements | BlockTopic.bits([.footerWord, .cookieWord])
  private static let navigationTopics = boilerplateTopics | BlockTopic.bits([.menuWord])
  /// The minimum number of words of a menu of dishes.
  private static let minDishWordCount = 4
}
