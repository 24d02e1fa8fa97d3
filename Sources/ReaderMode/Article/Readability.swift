import DOM
import Document

/// Reader mode: the article of a page and nothing else.
///
/// The method is that of the reader views of browsers (Arc90's Readability, 2009, as Firefox has
/// it): paragraphs give points to the elements around them, the best of these is the article with those
/// of its neighbours that read alike, and what looks like no text is taken out of it. When little
/// is left, it is tried again with fewer rules.
struct Readability {
  /// The article, or the whole page when there is none.
  var tree: DOMTree
  /// The author as the page shows it, or nil.
  var byline: String?
  /// Characters of the article.
  var length: Int32
  /// What was tried and found, a line each.
  var trace: [String] = []

  /// How many characters an article has at least, unless there is none as long.
  private static let enough: Int32 = 500

  /// Which rules an attempt has.
  private struct Rules {
    var removesUnlikely = true, weighsNames = true, cleansConditionally = true

    /// What is left out, for a trace.
    var name: String {
      if !cleansConditionally { return "no cleaning" }
      if !weighsNames { return "names not weighed" }
      return removesUnlikely ? "all rules" : "unlikely names kept"
    }

    static let attempts = [
      Rules(), Rules(removesUnlikely: false), Rules(removesUnlikely: false, weighsNames: false),
      Rules(removesUnlikely: false, weighsNames: false, cleansConditionally: false),
    ]
  }

  /// Finds the article of a page.
  /// - Parameters:
  ///   - page: Makes the page without what it hides, once more when the first attempt fails.
  ///   - title: The title of the page.
  ///   - explains: Whether the result tells how it came about.
  /// - Returns: What is left of the page; nil when it has no text.
  static func article(
    of page: () -> DOMTree, title: String, explains: Bool = false
  ) -> Readability? {
    var best: Readability?
    var trace: [String] = []
    var tree = page()
    let lengths = TextLengths(of: tree)
    let hints = ElementHints(of: tree)
    var spare: DOMTree?
    for (number, rules) in Rules.attempts.enumerated() {
      if number > 0 {
        tree = spare ?? page()
        spare = tree
      }
      var attempt = attempt(&tree, lengths, hints, title, rules, explains: explains)
      trace += attempt.trace
      attempt.trace = trace
      if attempt.length >= enough { return attempt }
      if attempt.length > best?.length ?? 0 { best = attempt }
    }
    best?.trace = trace
    return best
  }

  /// Tries some rules; the tree is empty then.
  private static func attempt(
    _ tree: inout DOMTree, _ lengths: TextLengths, _ hints: ElementHints, _ title: String,
    _ rules: Rules, explains: Bool
  ) -> Readability {
    var prepared = ArticlePreparation(
      &tree, lengths, hints, title: title, removesUnlikely: rules.removesUnlikely)
    // A tree that nobody else holds is changed in place.
    tree = prepared.takeTree()
    let (parts, trace) = choose(
      from: tree, lengths, prepared.scored, hints: rules.weighsNames ? hints : nil,
      explains: explains)
    let root = tree.keep(parts)
    var cleaning = ArticleCleaning(
      &tree, lengths, hints, below: root, weighsNames: rules.weighsNames,
      cleansConditionally: rules.cleansConditionally)
    let length = cleaning.length
    let lines = explains ? trace + ["\(length) characters are left"] : []
    return Readability(
      tree: cleaning.takeTree(), byline: prepared.byline, length: length,
      trace: lines.map { "\(rules.name): \($0)" })
  }

  /// Chooses the parts of a page that are the article.
  private static func choose(
    from tree: DOMTree, _ lengths: TextLengths, _ scored: [Int32], hints: ElementHints?,
    explains: Bool
  ) -> (parts: [Int32], trace: [String]) {
    var scoring = ArticleScoring(
      tree, TextMeasures(tree, lengths), scored: scored, hints: hints)
    let best = scoring.best()
    let parts = best < 0 ? Array(tree.children(of: 0)) : scoring.article(around: best)
    return (parts, explains ? scoring.trace(best: best) : [])
  }
}

extension DOMTree {
  /// Leaves only some nodes, one behind the other, in a new element.
  /// - Returns: That element.
  mutating func keep(_ parts: [Int32]) -> Int32 {
    let article = makeElement(.div)
    let locales = locales(around: parts)
    let isSame = locales.allSatisfy { hasSame($0, locales[0]) }
    if isSame, let locale = locales.first { set(locale, on: article) }
    for (part, locale) in zip(parts, locales) {
      detach(part)
      var parent = article
      if !isSame, !locale.isEmpty {
        parent = makeElement(.div)
        set(locale, on: parent)
        nodes[Int(parent)].contents = nodes[Int(part)].contents.union(.block)
        append(parent, to: article)
      }
      append(part, to: parent)
      switch nodes[Int(part)].name {
      // What was chosen is not looked at again as what it was.
      case .form, .fieldset, .aside, .footer: nodes[Int(part)].name = .div
      case .table where !isDataTable(part): nodes[Int(part)].name = .div
      default: break
      }
      if nodes[Int(part)].name == .characters { nodes[Int(article)].contents.insert(.text) }
      nodes[Int(article)].contents.formUnion(nodes[Int(part)].contents)
    }
    nodes[Int(article)].contents.insert(.block)
    let base = nodes.firstIndex { $0.name == .base && $0.end > $0.start }
    while case let child = nodes[0].firstChild, child >= 0 { detach(child) }
    if let base {
      // What relative links refer to holds in the article too.
      detach(Int32(base))
      append(Int32(base), to: 0)
    }
    append(article, to: 0)
    return article
  }

  /// For each of some nodes the attributes that say which language and direction hold around it.
  private func locales(around parts: [Int32]) -> [[Attribute]] {
    var last: (parent: Int32, locale: [Attribute]) = (-1, [])
    return parts.map { part in
      let parent = nodes[Int(part)].parent
      if parent != last.parent { last = (parent, locale(of: parent)) }
      return last.locale
    }
  }

  private func locale(of node: Int32) -> [Attribute] {
    var found: [Attribute] = []
    var above = node
    while above >= 0, found.count < 2 {
      let own = Int(nodes[Int(above)].start)..<Int(nodes[Int(above)].end)
      for attribute in attributes[own] where !found.contains(where: { $0.name == attribute.name }) {
        switch attribute.name {
        case .lang: found.append(attribute)
        case .dir where Document.Direction.said(value(of: attribute)) != nil:
          found.append(attribute)
        default: break
        }
      }
      above = nodes[Int(above)].parent
    }
    return found.sorted { $0.name.rawValue < $1.name.rawValue }
  }

  private func hasSame(_ one: [Attribute], _ other: [Attribute]) -> Bool {
    one.elementsEqual(other) { $0.name == $1.name && value(of: $0) == value(of: $1) }
  }

  private func value(of attribute: Attribute) -> ArraySlice<UInt8> {
    bytes[Int(attribute.start)..<Int(attribute.end)]
  }

  private mutating func set(_ locale: [Attribute], on element: Int32) {
    nodes[Int(element)].start = UInt32(attributes.count)
    attributes += locale
    nodes[Int(element)].end = UInt32(attributes.count)
  }
}
