// Which blocks of a page a reader came for is decided by an ensemble of small decision trees over
// the features of each block (`BlockFeatures`); `scripts/content-model` makes the table from pages
// with known content. A tree gives log-odds, their sum a probability. Of all sets of blocks the one
// is kept whose expected F1 over words is highest: with `w` words in a block and probability `p`,
// that is 2 Σ w p / (Σ w + Σ over the page of w p), and the best set is always all blocks above some
// probability.

/// Keeps of a page what a reader came for, whatever kind of page it is: posts of a thread, items of
/// a listing, the description of a product, the text of a page of documentation.
package struct ContentModel {
  /// A page without what nobody came for.
  package struct Selection: Sendable {
    /// What the page is.
    package var kind: PageKind
    /// Where the text is from.
    package var source: Source
    /// The blocks of the page that is selected from.
    let page: PageBlocks
    /// How likely each of them is content; below 0 when it was not looked at, and empty when all is.
    private(set) var probabilities: [Float]
    /// Which of them are kept; of those that were not looked at none.
    private(set) var isKept: [Bool]
    /// Of so many groups of sixteen blocks one was looked at.
    private(set) var step = 1
    /// The page.
    let whole: DOMTree

    /// - Parameters:
    ///   - kind: What the page is.
    ///   - source: Where the text is from.
    ///   - whole: The page.
    ///   - page: Its blocks.
    ///   - model: What is kept of them; all when nil.
    ///   - step: Of so many groups of sixteen blocks one was looked at.
    init(
      kind: PageKind, source: Source, whole: DOMTree, page: PageBlocks, model: ContentModel? = nil,
      step: Int = 1
    ) {
      (self.kind, self.source, self.step) = (kind, source, step)
      (self.whole, self.page) = (whole, page)
      probabilities = model?.probabilities ?? []
      isKept = model?.isKept ?? Array(repeating: true, count: page.blocks.count)
    }

    /// How many words are kept, about as many where only some blocks were looked at.
    var keptWords: Int {
      zip(page.blocks, isKept).reduce(0) { $0 + ($1.1 ? Int($1.0.text.words) : 0) } * step
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
      return words * step * 2 > keptWords
    }

    /// Whether a block was looked at.
    func isJudged(_ block: Int) -> Bool { block / ContentTrees.Column.count % step == 0 }

    /// Looks at all blocks, where only some were.
    mutating func judgeAll() {
      if step > 1 { take(ContentModel(page, kind: kind)) }
    }

    /// Decides what is kept of a page that is no text as a whole.
    mutating func decide() {
      judgeAll()
      guard source == .page || source == .hidden, keptWords >= ContentModel.fewWords else { return }
      var less = self
      if kind == .article {
        less.take(
          ContentModel(page, kind: kind, probabilities: probabilities.map(ContentModel.doubted)))
        if less.keptWords >= ContentModel.fewWords { self = less }
      }
      less.isKept = page.withoutLeftovers(isKept, of: kind, in: whole)
      if less.keptWords >= min(ContentModel.fewWords, keptWords / 4) { isKept = less.isKept }
    }

    private mutating func take(_ model: ContentModel) {
      (isKept, probabilities, step) = (model.isKept, model.probabilities, 1)
      if source != .hidden { source = model.hasContent ? .page : .wholePage }
    }

    /// The page with everything else detached; made each time.
    package var tree: DOMTree {
      if case .embedded = source { return whole }
      var kept = whole
      kept.keep(isKept, of: page)
      return kept
    }
  }

  /// Where the text of a selection is from.
  package enum Source: Sendable, Equatable {
    /// The page, chosen by the model.
    case page
    /// The page with what it hides until a script shows it, chosen by the model.
    case hidden
    /// What the page has for browsers without scripts (`noscript`), chosen by the model.
    case noScript
    /// The page without its navigation: nothing looked like content.
    case wholePage
    /// The page, which shows no text and has none for programs.
    case nothing
    /// What the page says to programs; see `EmbeddedText`.
    case embedded(EmbeddedText.Source)

    /// Whether nothing on the page was told from the rest of it.
    var isWholePage: Bool { self == .wholePage || self == .nothing }
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
  ///   - samples: Whether of a long page that may be one text only some blocks are looked at.
  /// - Returns: The kind of page, and the page with all that is not kept detached.
  static func select(
    _ tree: DOMTree, url: String, hiding: HidingRules, samples: Bool = false
  ) -> Selection {
    let page = PageBlocks(tree, url: url, hiding: hiding)
    let words = page.sum(page.all).words
    if words < fewWords, let embedded = embedded(in: tree, page, shownWords: words) {
      return embedded
    }
    var shown = judged(page, of: tree, samples: samples)
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
    return Selection(
      kind: PageKind(of: shown), source: .embedded(embedded.source), whole: embedded.tree,
      page: shown)
  }

  /// Judges the blocks of a page.
  private static func judged(_ page: PageBlocks, of tree: DOMTree, samples: Bool) -> Selection {
    let kind = PageKind(of: page)
    let step = samples && kind.mayBeOneText ? max(1, min(8, page.blocks.count / manyBlocks)) : 1
    let model = ContentModel(page, kind: kind, every: step)
    let hasText = page.sum(page.all).words > 0
    return Selection(
      kind: kind, source: model.hasContent ? .page : hasText ? .wholePage : .nothing, whole: tree,
      page: page, model: model, step: step)
  }

  /// So many blocks say what a page is like.
  private static let manyBlocks = 256

  /// With fewer words than these a page is taken for one that needs scripts.
  fileprivate static let fewWords = 50

  /// The probability of each block that it is content.
  private(set) var probabilities: [Float]
  /// Which blocks are kept.
  private(set) var isKept: [Bool]
  /// Whether anything looked like content.
  private(set) var hasContent = true

  /// Judges the blocks of a page of a kind.
  /// - Parameters:
  ///   - page: The page.
  ///   - kind: What it is.
  ///   - step: Of so many groups of sixteen blocks one is judged; no others are kept.
  init(_ page: PageBlocks, kind: PageKind, every step: Int = 1) {
    var features = BlockFeatures(page)
    let judged = ContentTrees.shared.probabilities(page.blocks.count, every: step) {
      features.columns(of: $0)
    }
    self.init(page, kind: kind, probabilities: page.agreeing(judged))
  }

  /// Chooses blocks by what is known of them.
  /// - Parameters:
  ///   - page: The page.
  ///   - kind: What it is.
  ///   - probabilities: The probability of each block that it is content; below 0 for one that is not kept.
  private init(_ page: PageBlocks, kind: PageKind, probabilities: [Float]) {
    self.probabilities = probabilities
    let (threshold, expected) = Self.threshold(page, probabilities)
    isKept = probabilities.map { $0 >= 0 && Self.bucket($0) >= threshold }
    if expected < Self.leastExpected {
      hasContent = false
      isKept = page.isOutsideNavigation
    } else {
      isKept = page.withCompanions(isKept, of: kind)
    }
  }

  /// A lower probability: odds of 3 : 5 where they were even. What stands around an article is like
  /// it more often than around other pages.
  private static func doubted(_ probability: Float) -> Float {
    probability < 0 ? probability : probability / (probability + (1 - probability) * 5 / 3)
  }

  /// An expected F1 below this means that nothing was found.
  private static let leastExpected: Float = 0.25

  /// Finds the threshold above which the expected F1 is highest.
  /// - Returns: The least bucket to keep, and the F1 that is expected.
  private static func threshold(
    _ page: PageBlocks, _ probabilities: [Float]
  ) -> (bucket: Int, expected: Float) {
    var words = [Float](repeating: 0, count: buckets)
    var content = [Float](repeating: 0, count: buckets)
    for (index, probability) in probabilities.enumerated() where probability >= 0 {
      let count = Float(page.blocks[index].text.words)
      words[bucket(probability)] += count
      content[bucket(probability)] += count * probability
    }
    let total = content.reduce(0, +)
    var (bestBucket, best): (Int, Float) = (buckets - 1, 0)
    var (keptWords, keptContent): (Float, Float) = (0, 0)
    for bucket in (0..<buckets).reversed() where words[bucket] > 0 {
      keptWords += words[bucket]
      keptContent += content[bucket]
      let expected = 2 * keptContent / (keptWords + total)
      if expected > best { (bestBucket, best) = (bucket, expected) }
    }
    return (bestBucket, best)
  }

  private static let buckets = 256

  private static func bucket(_ probability: Float) -> Int {
    min(buckets - 1, Int(probability * Float(buckets)))
  }
}

extension PageBlocks {
  /// All blocks.
  var all: Range<Int32> { 0..<Int32(blocks.count) }

  /// Probabilities in which blocks that play the same part in repeated units (the price of each
  /// item, the name of each author) have one mean by words, and so have all cells of a table and all
  /// plain items of a list.
  fileprivate func agreeing(_ probabilities: [Float]) -> [Float] {
    let roles = blocks.map { block in
      let role = containers[Int(block.container)].role
      return role == 0 ? 0 : role &+ UInt64(block.headingLevel)
    }
    let groups = Grouping(roles)
    let ofRoles = zip(groups.groups, roles).map { $1 == 0 ? -1 : $0 }
    var table = [Int32](repeating: -1, count: containers.count)
    for index in containers.indices.dropFirst() {
      table[index] =
        containers[index].name == .table ? Int32(index) : table[Int(containers[index].parent)]
    }
    let wholes = blocks.map { block in
      let own = Int(block.container)
      guard containers[own].name == .li, containers[own].unit < 0, containers[own].parent > 0,
        block.phrases.isEmpty
      else { return table[own] }
      return containers[own].parent
    }
    return means(
      of: means(of: probabilities, by: ofRoles, groups.count), by: wholes, containers.count)
  }

  /// The mean by words of each group; what is in none (-1) stays as it is, as does what was not
  /// judged.
  private func means(of probabilities: [Float], by groups: [Int32], _ count: Int) -> [Float] {
    var sums = [(words: Float, content: Float)](repeating: (0, 0), count: count)
    for (index, group) in groups.enumerated() where group >= 0 && probabilities[index] >= 0 {
      let words = Float(blocks[index].text.words) + 0.01
      sums[Int(group)].words += words
      sums[Int(group)].content += words * probabilities[index]
    }
    return probabilities.enumerated().map { index, own in
      let group = Int(groups[index])
      return group < 0 || own < 0 ? own : sums[group].content / sums[group].words
    }
  }

  /// Words outside of menus, headers and footers of the page; counted until there are so many.
  fileprivate func wordsOutsideNavigation(upTo enough: Int) -> Int {
    var words = 0
    for block in blocks where words < enough && standsOutsideNavigation(block) {
      words += Int(block.text.words)
    }
    return words
  }

  /// For each block whether it stands outside of menus, headers and footers of the page, unless all
  /// stand in them.
  fileprivate var isOutsideNavigation: [Bool] {
    let outside = blocks.map(standsOutsideNavigation)
    return outside.contains(true) ? outside : Array(repeating: true, count: blocks.count)
  }

  private func standsOutsideNavigation(_ block: Block) -> Bool {
    let row = surroundings[Int(containers[Int(block.container)].surroundings)]
    return Self.navigation.allSatisfy { row.depths[Int($0.rawValue)] == .max }
  }

  private static let navigation: [BlockTopic] = [
    .nav, .header, .footer, .aside, .menuWord, .footerWord, .cookieWord,
  ]
}
