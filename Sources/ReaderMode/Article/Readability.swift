import DOM
import Document

/// Reader view: extracts the article of a page.
///
/// The method is Readability (Arc90, 2009), as in Firefox: paragraphs score their ancestors, the
/// best-scored element and the siblings that read alike form the article, and clutter is removed
/// from it. If too little is left, extraction is repeated with fewer rules.
struct Readability {
  /// The article, or the whole page if no article was found.
  var tree: DOMTree
  /// The author as the page shows it; nil if none was found.
  var byline: String?
  /// The length of the article in characters.
  var length: Int32
  /// A log of the attempts, one line each.
  var trace: [String] = []

  /// The number of characters at which an article is accepted without another attempt.
  private static let minSufficientLength: Int32 = 500

  /// The rules of an attempt.
  private struct Rules {
    var removesUnlikelyElements = true, usesNames = true, cleansConditionally = true

    /// A description of the rules that the attempt leaves out, for the trace.
    var omittedRuleNames: String {
      if !cleansConditionally { return "no cleaning" }
      if !usesNames { return "names of elements ignored" }
      return removesUnlikelyElements ? "all rules" : "elements with unlikely names kept"
    }

    static let attempts = [
      Rules(), Rules(removesUnlikelyElements: false),
      Rules(removesUnlikelyElements: false, usesNames: false),
      Rules(removesUnlikelyElements: false, usesNames: false, cleansConditionally: false),
    ]
  }

  /// Extracts the article of a page; returns nil if the page has no text. `makePage` creates a copy
  /// of the page without hidden elements and is called at most twice.
  static func article(
    of makePage: () -> DOMTree, title: String, explains: Bool = false
  ) -> Readability? {
    var best: Readability?
    var trace: [String] = []
    var tree = makePage()
    let lengths = TextLengths(of: tree)
    let hints = ElementHints(of: tree)
    var spare: DOMTree?
    for (number, rules) in Rules.attempts.enumerated() {
      if number > 0 {
        tree = spare ?? makePage()
        spare = tree
      }
      var attempt = extractArticle(&tree, lengths, hints, title, rules, explains: explains)
      trace += attempt.trace
      attempt.trace = trace
      if attempt.length >= minSufficientLength { return attempt }
      if attempt.length > best?.length ?? 0 { best = attempt }
    }
    best?.trace = trace
    return best
  }

  /// Extracts the article with the given rules, leaving `tree` empty.
  private static func extractArticle(
    _ tree: inout DOMTree, _ lengths: TextLengths, _ hints: ElementHints, _ title: String,
    _ rules: Rules, explains: Bool
  ) -> Readability {
    var prepared = ArticlePreparer(
      &tree, lengths, hints, title: title, removesUnlikelyElements: rules.removesUnlikelyElements)
    // Moved, so that the tree is uniquely referenced and changed in place.
    tree = prepared.moveOutTree()
    let (parts, trace) = articleNodes(
      from: tree, lengths, prepared.scoredElements, hints: rules.usesNames ? hints : nil,
      explains: explains)
    let root = tree.keepOnly(parts)
    var cleaning = ArticleCleaner(
      &tree, lengths, hints, below: root, usesNames: rules.usesNames,
      cleansConditionally: rules.cleansConditionally)
    let length = cleaning.length
    let lines = explains ? trace + ["\(length) characters are left"] : []
    return Readability(
      tree: cleaning.moveOutTree(), byline: prepared.byline, length: length,
      trace: lines.map { "\(rules.omittedRuleNames): \($0)" })
  }

  private static func articleNodes(
    from tree: DOMTree, _ lengths: TextLengths, _ scoredElements: [Int32], hints: ElementHints?,
    explains: Bool
  ) -> (parts: [Int32], trace: [String]) {
    var scoring = ArticleScorer(
      tree, TextMeasures(tree, lengths), scoredElements: scoredElements, hints: hints)
    let best = scoring.selectBestCandidate()
    let parts = best.map { scoring.articleNodes(around: $0) } ?? Array(tree.children(of: 0))
    return (parts, explains ? scoring.traceLines(bestCandidate: best) : [])
  }
}

extension DOMTree {
  /// Moves the given nodes into a new element, which becomes the only content of the tree.
  /// - Returns: The new element.
  mutating func keepOnly(_ parts: [Int32]) -> Int32 {
    let article = makeElement(.div)
    let locales = locales(around: parts)
    let isSame = locales.allSatisfy { areEqual($0, locales[0]) }
    if isSame, let locale = locales.first { setAttributes(locale, of: article) }
    for (part, locale) in zip(parts, locales) {
      detach(part)
      var parent = article
      if !isSame, !locale.isEmpty {
        parent = makeElement(.div)
        setAttributes(locale, of: parent)
        nodes[Int(parent)].contents = nodes[Int(part)].contents.union(.block)
        append(parent, to: article)
      }
      append(part, to: parent)
      switch nodes[Int(part)].name {
      // Renamed, so that the following passes do not remove what was selected.
      case .form, .fieldset, .aside, .footer: nodes[Int(part)].name = .div
      case .table where !isDataTable(part): nodes[Int(part)].name = .div
      default: break
      }
      if nodes[Int(part)].name == .characters { nodes[Int(article)].contents.insert(.text) }
      nodes[Int(article)].contents.formUnion(nodes[Int(part)].contents)
    }
    nodes[Int(article)].contents.insert(.block)
    let baseElement = nodes.firstIndex { $0.name == .base && $0.end > $0.start }
    while let child = nodes[0].firstChild { detach(child) }
    if let baseElement {
      // The base URL of relative links also applies to the article.
      detach(Int32(baseElement))
      append(Int32(baseElement), to: 0)
    }
    append(article, to: 0)
    return article
  }

  /// Returns, for each node, the `lang` and `dir` attributes that apply to its parent.
  private func locales(around parts: [Int32]) -> [[Attribute]] {
    var last: (parent: Int32?, locale: [Attribute])?
    return parts.map { part in
      let parent = nodes[Int(part)].parent
      if let last, last.parent == parent { return last.locale }
      let locale = locale(of: parent)
      last = (parent, locale)
      return locale
    }
  }

  private func locale(of node: Int32?) -> [Attribute] {
    var found: [Attribute] = []
    var next = node
    while let ancestor = next, found.count < 2 {
      let own = Int(nodes[Int(ancestor)].start)..<Int(nodes[Int(ancestor)].end)
      for attribute in attributes[own] where !found.contains(where: { $0.name == attribute.name }) {
        switch attribute.name {
        case .lang: found.append(attribute)
        case .dir where Document.Direction.parse(attribute: value(of: attribute)) != nil:
          found.append(attribute)
        default: break
        }
      }
      next = nodes[Int(ancestor)].parent
    }
    return found.sorted { $0.name.rawValue < $1.name.rawValue }
  }

  private func areEqual(_ one: [Attribute], _ other: [Attribute]) -> Bool {
    one.elementsEqual(other) { $0.name == $1.name && value(of: $0) == value(of: $1) }
  }

  private func value(of attribute: Attribute) -> ArraySlice<UInt8> {
    bytes[Int(attribute.start)..<Int(attribute.end)]
  }

  private mutating func setAttributes(_ locale: [Attribute], of element: Int32) {
    nodes[Int(element)].start = UInt32(attributes.count)
    attributes += locale
    nodes[Int(element)].end = UInt32(attributes.count)
  }
}
