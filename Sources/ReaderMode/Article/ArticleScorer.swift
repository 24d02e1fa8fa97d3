import DOM

/// Finds the element that holds the article (Readability scoring): each paragraph adds points to
/// its ancestors, fewer to more distant ones, and a high share of links lowers the score.
struct ArticleScorer {
  private let tree: DOMTree
  private let measures: TextMeasures
  /// Hints from the names of elements; nil if names are not considered.
  private let hints: ElementHints?
  /// The score of each node, or nil if it has not been scored.
  private(set) var scores: [Float?]
  private var candidates: [Int32] = []

  /// Scores the ancestors of elements with text.
  init(_ tree: DOMTree, _ measures: TextMeasures, scoredElements: [Int32], hints: ElementHints?) {
    self.tree = tree
    self.measures = measures
    self.hints = hints
    scores = Array(repeating: nil, count: tree.nodes.count)
    for node in scoredElements where measures[node].length >= 25 { addScore(of: node) }
    for candidate in candidates {
      scores[Int(candidate)]? *= 1 - measures[candidate].linkDensity
    }
  }

  /// Adds the points of a paragraph to its five nearest ancestors: all to the parent, half to the
  /// next one, and a sixth to a twelfth to the others.
  private mutating func addScore(of node: Int32) {
    let measure = measures[node]
    let worth = 2 + Float(measure.commaCount) + min(Float(measure.length / 100), 3)
    var next = tree.nodes[Int(node)].parent
    for level in 0..<5 {
      guard let ancestor = next else { break }
      if scores[Int(ancestor)] == nil {
        scores[Int(ancestor)] = initialScore(of: ancestor)
        candidates.append(ancestor)
      }
      let divider: Float = level == 0 ? 1 : level == 1 ? 2 : Float(level * 3)
      scores[Int(ancestor)]? += worth / divider
      next = tree.nodes[Int(ancestor)].parent
    }
  }

  /// Returns the score that an element starts with, from its element name and its attributes.
  private func initialScore(of node: Int32) -> Float {
    let name: Float =
      switch tree.nodes[Int(node)].name {
      case .div: 5
      case .pre, .td, .blockquote: 3
      case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
      case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
      default: 0
      }
    return name + Float(hints?.weight(of: node) ?? 0)
  }

  /// Returns the best candidate, or nil without one.
  mutating func selectBestCandidate() -> Int32? {
    let top = topCandidates()
    guard let first = top.first, first != 0 else { return nil }
    var best = commonAncestor(of: top) ?? first
    if scores[Int(best)] == nil { scores[Int(best)] = initialScore(of: best) }
    best = betterAncestor(from: best)
    // The parent of an only child may have siblings that belong to the article.
    while let parent = tree.nodes[Int(best)].parent, parent > 0, tree.hasOneElement(parent) {
      best = parent
    }
    if scores[Int(best)] == nil { scores[Int(best)] = initialScore(of: best) }
    return best
  }

  /// Returns a description of the candidates and of the choice, one line each.
  func traceLines(bestCandidate: Int32?) -> [String] {
    let top = topCandidates().map { node in
      let measure = measures[node]
      let score = ((scores[Int(node)] ?? 0) * 10).rounded() / 10
      let links = Int((measure.linkDensity * 100).rounded())
      return "candidate \(tree.selectorText(node)): score \(score), \(measure.length) characters, "
        + "\(links) % in links"
    }
    return top + [
      "chosen: " + (bestCandidate.map { tree.selectorText($0) } ?? "the whole page")
    ]
  }

  /// Returns at most five candidates, the best first; equal scores keep the order of scoring.
  private func topCandidates() -> [Int32] {
    var top: [Int32] = []
    for candidate in candidates {
      let score = scores[Int(candidate)] ?? 0
      let position = top.firstIndex { score > scores[Int($0)] ?? 0 } ?? top.count
      guard position < 5 else { continue }
      top.insert(candidate, at: position)
      if top.count > 5 { top.removeLast() }
    }
    return top
  }

  /// Returns the nearest ancestor that contains at least three candidates with nearly the best
  /// score; the article is then spread over these candidates. Nil if there is no such ancestor.
  private func commonAncestor(of bestCandidates: [Int32]) -> Int32? {
    let best = scores[Int(bestCandidates[0])] ?? 0
    let rivals = bestCandidates.dropFirst().filter { (scores[Int($0)] ?? 0) / best >= 0.75 }
    guard rivals.count >= 3 else { return nil }
    let ancestorSets = rivals.map { Set(tree.ancestors(of: $0)) }
    var ancestor = tree.nodes[Int(bestCandidates[0])].parent ?? 0
    while ancestor > 0 {
      if ancestorSets.count(where: { $0.contains(ancestor) }) >= 3 { return ancestor }
      ancestor = tree.nodes[Int(ancestor)].parent ?? 0
    }
    return nil
  }

  /// Returns the nearest ancestor with a higher score than the scored ancestor below it, or `start`
  /// if there is none or a score below a third of that of `start` comes first.
  private func betterAncestor(from start: Int32) -> Int32 {
    var last = scores[Int(start)] ?? 0
    let threshold = last / 3
    var ancestor = tree.nodes[Int(start)].parent ?? 0
    while ancestor > 0 {
      if let score = scores[Int(ancestor)] {
        if score < threshold { break }
        if score > last { return ancestor }
        last = score
      }
      ancestor = tree.nodes[Int(ancestor)].parent ?? 0
    }
    return start
  }

  /// Returns the best candidate and the siblings that belong to the same article, in document
  /// order.
  func articleNodes(around bestCandidate: Int32) -> [Int32] {
    let score = scores[Int(bestCandidate)] ?? 0
    let threshold = max(10, score * 0.2)
    let bestClass = tree.attribute(.class, of: bestCandidate).map { tree.bytes[$0] }
    return tree.children(of: tree.nodes[Int(bestCandidate)].parent ?? 0).filter { node in
      if node == bestCandidate { return true }
      if tree.nodes[Int(node)].name == .characters { return false }
      var bonus: Float = 0
      if let bestClass, !bestClass.isEmpty,
        tree.attribute(.class, of: node).map({ tree.bytes[$0] }) == bestClass
      {
        bonus = score * 0.2
      }
      if let own = scores[Int(node)], own + bonus >= threshold { return true }
      return (tree.nodes[Int(node)].name == .p || bonus > 0) && readsAsArticleText(node)
    }
  }

  /// Whether a sibling of the article reads as part of it: long with few links, or a sentence
  /// without links.
  private func readsAsArticleText(_ node: Int32) -> Bool {
    let measure = measures[node]
    if measure.length > 80 { return measure.linkDensity < 0.25 }
    guard measure.length > 0, measure.linkLength == 0 else { return false }
    let text = tree.collapsedText(below: node)
    return text.hasSuffix(".") || text.contains(". ")
  }
}

extension DOMTree {
  /// Returns an element as a CSS selector on one line, such as `div#content.post`.
  func selectorText(_ node: Int32) -> String {
    let name = nodes[Int(node)].name
    let id = string(.id, of: node).map { "#\($0)" } ?? ""
    let classes = string(.class, of: node)?.split(whereSeparator: \.isWhitespace) ?? []
    return ((name == .other ? "(other)" : name.rawValue) + id + classes.map { ".\($0)" }.joined())
      .oneLine
  }

  /// Returns all ancestors of a node, the nearest first.
  func ancestors(of node: Int32) -> [Int32] {
    var result: [Int32] = []
    var next = nodes[Int(node)].parent
    while let ancestor = next {
      result.append(ancestor)
      next = nodes[Int(ancestor)].parent
    }
    return result
  }

  func hasOneElement(_ node: Int32) -> Bool {
    var count = 0
    for child in children(of: node) where nodes[Int(child)].name != .characters {
      count += 1
      if count > 1 { return false }
    }
    return count == 1
  }
}
