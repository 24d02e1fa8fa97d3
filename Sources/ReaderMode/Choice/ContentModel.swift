package import Document
package import DOM
import Metadata

// Which blocks of a page a reader came for is decided by two ensembles of small decision trees over
// the features of each block (`BlockFeatures`), one for pages that may be a text and one for all
// others; `scripts/content-model` makes their tables from pages with known content.

/// Keeps of a page what a reader came for, whatever kind of page it is: posts of a thread, items of
/// a listing, the description of a product, the text of an article.
///
/// The pipeline is the same for all: blocks of the page, for each the probability that it is content
/// (`ContentCandidates`), and the choice among them (`ContentChoice`).
package enum ContentModel {
  /// A page without what nobody came for.
  package struct Selection: Sendable {
    /// What the page is.
    package var kind: PageKind
    /// Where the text is from.
    package var source: ContentSource
    /// The blocks of the page that is selected from, and how likely each of them is content; no
    /// probabilities when all is.
    let candidates: ContentCandidates
    /// Which of them are kept.
    private(set) var isKept: [Bool]
    /// The page.
    let whole: DOMTree

    /// - Parameters:
    ///   - source: Where the text is from.
    ///   - whole: The page.
    ///   - candidates: Its blocks.
    ///   - isKept: Whether each of them is kept.
    init(source: ContentSource, whole: DOMTree, candidates: ContentCandidates, isKept: [Bool]) {
      (kind, self.source, self.whole) = (candidates.kind, source, whole)
      (self.candidates, self.isKept) = (candidates, isKept)
    }

    /// The blocks of the page.
    var page: PageBlocks { candidates.page }

    /// The best text of the page as a whole, of one that may be a text; else nil.
    var article: Readability? { candidates.article }

    /// How many words are kept.
    var keptWords: Int {
      zip(page.blocks, isKept).reduce(0) { $0 + ($1.1 ? Int($1.0.text.words) : 0) }
    }

    /// Too few words to be worth more than what else can be found.
    var saysLittle: Bool {
      switch source {
      case .embedded(.description): return keptWords < 50
      case .embedded: return false
      default: return keptWords < 10
      }
    }

    /// Whether most of what is kept is there for browsers without scripts.
    var readsNoScript: Bool {
      guard page.containers.contains(where: { $0.name == .noscript }) else { return false }
      var isInside = [Bool](repeating: false, count: page.containers.count)
      for (index, container) in page.containers.enumerated() {
        isInside[index] =
          container.name == .noscript || container.parent >= 0 && isInside[Int(container.parent)]
      }
      let words = zip(page.blocks, isKept).reduce(0) { sum, block in
        sum + (block.1 && isInside[Int(block.0.container)] ? Int(block.0.text.words) : 0)
      }
      return words * 2 > keptWords
    }

    /// The page with everything else detached; made each time.
    package var tree: DOMTree {
      if case .embedded = source { return whole }
      var kept = whole
      kept.keep(
        isKept, of: page, like: source == .wholePage ? nil : article?.tree, kind: kind)
      return kept
    }
  }

  /// Chooses what to keep.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address; empty when it is not known.
  /// - Returns: The kind of page, and the page with all that is not kept detached.
  package static func select(_ tree: DOMTree, url: String) -> Selection {
    select(tree, url: url, hiding: HidingRules(of: tree))
  }

  /// Chooses what to keep.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address; empty when it is not known.
  ///   - hiding: What of it is hidden.
  ///   - title: Its title; looked for when nil.
  ///   - trees: What blocks are judged by.
  ///   - explains: Whether the article tells how it came about.
  /// - Returns: The kind of page, and the page with all that is not kept detached.
  static func select(
    _ tree: DOMTree, url: String, hiding: HidingRules, title: String? = nil,
    trees: @escaping ContentTrees.Choice = ContentTrees.shared, explains: Bool = false
  ) -> Selection {
    let page = PageBlocks(tree, url: url, hiding: hiding)
    let words = page.sum(page.all).words
    if words < fewWords, let embedded = embedded(in: tree, page, shownWords: words) {
      return embedded
    }
    let title = title ?? MetadataSearch(of: tree, readsHead: false).metadata.title
    var shown = judged(
      ContentCandidates(page, of: tree, title: title, trees: trees, explains: explains), of: tree)
    // What a page hides may be its text, which a script would show.
    if !hiding.revealed.isEmpty, shown.source == .page { shown.source = .hidden }
    let outside = page.wordsOutsideNavigation(upTo: fewWords)
    if outside < fewWords, let embedded = embedded(in: tree, page, shownWords: outside),
      embedded.keptWords > shown.keptWords
    {
      return embedded
    }
    return shown
  }

  /// The text in the data for programs of a page that shows less than that, navigation aside.
  private static func embedded(
    in tree: DOMTree, _ page: PageBlocks, shownWords: Int
  ) -> Selection? {
    guard
      let embedded = EmbeddedText(
        in: tree, shownWords: shownWords,
        takesDescription: page.sum(page.all).words < fewWords)
    else { return nil }
    var shown = PageBlocks(embedded.tree)
    shown.page = page.page
    let candidates = ContentCandidates(all: shown, kind: PageKind(of: shown))
    return Selection(
      source: .embedded(embedded.source), whole: embedded.tree, candidates: candidates,
      isKept: Array(repeating: true, count: shown.blocks.count))
  }

  /// Chooses among the blocks of a page.
  private static func judged(_ candidates: ContentCandidates, of tree: DOMTree) -> Selection {
    let choice = ContentChoice(candidates, in: tree)
    let hasText = candidates.page.sum(candidates.page.all).words > 0
    let selection = Selection(
      source: choice.hasContent ? .page : hasText ? .wholePage : .nothing, whole: tree,
      candidates: candidates, isKept: choice.isKept)
    guard hasText, let whole = candidates.page.wholePage(unlike: choice.isKept)
    else { return selection }
    return Selection(source: .wholePage, whole: tree, candidates: candidates, isKept: whole)
  }

  /// With fewer words than these a page is taken for one that needs scripts.
  static let fewWords = 50
}

extension PageBlocks {
  /// All blocks.
  var all: Range<Int32> { 0..<Int32(blocks.count) }

  /// Words outside of menus, headers and footers of the page; counted until there are so many.
  fileprivate func wordsOutsideNavigation(upTo enough: Int) -> Int {
    var words = 0
    let isNavigation = isNavigation
    for block in blocks where words < enough && !isNavigation[Int(block.container)] {
      words += Int(block.text.words)
    }
    return words
  }

  /// The blocks of the whole page without its navigation, when those that are kept are a scrap of them.
  fileprivate func wholePage(unlike isKept: [Bool]) -> [Bool]? {
    func words(_ isKept: [Bool]) -> Int {
      zip(blocks, isKept).reduce(0) { $0 + ($1.1 ? Int($1.0.text.words) : 0) }
    }
    let kept = words(isKept)
    guard kept < ContentModel.fewWords else { return nil }
    let outside = isOutsideNavigation
    return kept * 10 < words(outside) ? outside : nil
  }

  /// For each block whether it stands outside of menus, headers and footers of the page, unless all
  /// stand in them.
  var isOutsideNavigation: [Bool] {
    let isNavigation = isNavigation
    let outside = blocks.map { !isNavigation[Int($0.container)] }
    return outside.contains(true) ? outside : Array(repeating: true, count: blocks.count)
  }

  /// For each container whether it leads through the site or stands around what the page is for. What has
  /// most of the page does not by its name, and what has most of its prose not at all.
  private var isNavigation: [Bool] {
    let whole = sum(all)
    var result = [Bool](repeating: false, count: containers.count)
    for (index, container) in containers.enumerated() {
      if container.parent >= 0, result[Int(container.parent)] {
        result[index] = true
        continue
      }
      let row = surroundings[Int(container.surroundings)]
      guard row.topics & Self.navigation != 0 else { continue }
      let own = sum(container.blocks)
      let isLarge = own.words * 2 > whole.words
      if isLarge, own.proseWords >= ContentModel.fewWords, own.proseWords * 2 > whole.proseWords {
        continue
      }
      let topics = isLarge ? Self.navigationElements : Self.navigationTopics
      result[index] = topics.contains {
        row.depths[Int($0.rawValue)] == container.depth
      }
    }
    return result
  }

  private static let navigationElements = [BlockTopic.nav, .header, .footer, .aside]
  private static let navigationTopics =
    navigationElements + [.menuWord, .footerWord, .cookieWord]
  private static let navigation = navigationTopics.reduce(0 as UInt64) {
    $0 | 1 << UInt64($1.rawValue)
  }
}
