import DOM
import Metadata

/// The last passes of reader view: removes clutter from within the extracted article.
struct ArticleCleaner {
  private(set) var tree: DOMTree
  private let root: Int32
  private let usesNames: Bool
  private let cleansConditionally: Bool
  private let dataTables: DataTables
  private var measures: SubtreeMeasures
  private let hints: ElementHints
  /// The elements that the passes may examine, in document order.
  private var candidates: [Int32] = []
  /// The headings, in document order.
  private var headings: [Int32] = []
  /// For each node, whether it was removed, either itself or together with an ancestor.
  private var isRemoved: [Bool]

  /// The number of characters from which an element named for sharing is kept as text.
  private static let minKeptShareLength = 500

  /// Cleans the article below `root`; the tree is moved out of the argument.
  init(
    _ tree: inout DOMTree, _ lengths: TextLengths, _ hints: ElementHints, below root: Int32,
    usesNames: Bool, cleansConditionally: Bool
  ) {
    self.hints = hints
    self.root = root
    self.usesNames = usesNames
    self.cleansConditionally = cleansConditionally
    self.tree = DOMTree()
    swap(&self.tree, &tree)
    dataTables = DataTables(in: self.tree, below: root)
    measures = SubtreeMeasures(self.tree, lengths, below: root, dataTables: dataTables)
    isRemoved = Array(repeating: false, count: self.tree.nodes.count)
    collect()
    let sections = headingsWithContent(lengths)
    removeClutter([.form, .fieldset])
    removeAll([.object, .embed, .footer, .link, .aside])
    removeShareElements()
    renameHeadingButtons()
    removeAll([.iframe, .input, .textarea, .select, .button])
    removeHeadings()
    removeClutter([.table, .ul, .div])
    removeEmptiedHeadings(of: sections, lengths)
    renameHeadings()
  }

  /// Returns the tree and leaves an empty one in its place.
  mutating func moveOutTree() -> DOMTree {
    defer { tree = DOMTree() }
    return tree
  }

  /// The length of the article in characters.
  var length: Int32 { measures[root].length }

  // MARK: By element and name

  private mutating func removeAll(_ names: ElementSet) {
    for node in elements(names) where !isRemoved[Int(node)] && !isVideo(node) {
      remove(node)
    }
  }

  /// Turns buttons that make up a whole heading into text: they expand what follows the heading, as
  /// in an FAQ.
  private mutating func renameHeadingButtons() {
    for node in elements([.button]) {
      guard let parent = tree.nodes[Int(node)].parent,
        tree.nodes[Int(parent)].name.headingLevel > 0,
        measures[parent].length == measures[node].length
      else { continue }
      tree.nodes[Int(node)].name = .other
    }
  }

  /// Removes short elements for sharing, except direct children of the root, which scoring
  /// selected.
  private mutating func removeShareElements() {
    for node in candidates where hints[node].contains(.sharing) && !isRemoved[Int(node)] {
      guard tree.nodes[Int(node)].parent != root, measures[node].length < Self.minKeptShareLength
      else { continue }
      remove(node)
    }
  }

  private mutating func removeHeadings() {
    guard usesNames else { return }
    for node in elements([.h1, .h2]) where hints.weight(of: node) < 0 {
      remove(node)
    }
  }

  /// Removes headings whose content was removed by the passes before.
  private mutating func removeEmptiedHeadings(of originalHeadings: [Int32], _ lengths: TextLengths)
  {
    let left = Set(headingsWithContent(lengths))
    for heading in originalHeadings where !isRemoved[Int(heading)] && !left.contains(heading) {
      remove(heading)
    }
  }

  /// Returns the headings that are followed by text, an image or a heading of a lower level before
  /// the next heading, in reverse document order.
  private func headingsWithContent(_ lengths: TextLengths) -> [Int32] {
    // For each node visited, the node at which the search from it ends, or -1 if it finds none, so
    // that no node is visited twice.
    var ends = [Int32?](repeating: nil, count: headings.isEmpty ? 0 : tree.nodes.count)
    return headings.reversed().filter { heading in
      guard !isRemoved[Int(heading)] else { return false }
      var passed: [Int32] = []
      var next = tree.nodeAfterSubtree(heading, in: root)
      while let node = next, ends[Int(node)] == nil, !isContent(node, lengths) {
        passed.append(node)
        next = tree.nodeAfter(node, in: root)
      }
      let end = next.map { ends[Int($0)] ?? $0 } ?? -1
      for node in passed { ends[Int(node)] = end }
      guard end >= 0 else { return false }
      let (level, own) = (tree.nodes[Int(end)].name.headingLevel, tree.nodes[Int(heading)].name)
      return level == 0 || level > own.headingLevel
    }
  }

  /// Whether a node is text, an image or a heading.
  private func isContent(_ node: Int32, _ lengths: TextLengths) -> Bool {
    let name = tree.nodes[Int(node)].name
    return name == .img || name.headingLevel > 0
      || name == .characters && lengths[node].characterCount > 0
  }

  /// Demotes every `h1` to `h2`: only the title is a heading of the first level.
  private mutating func renameHeadings() {
    for node in elements([.h1]) { tree.nodes[Int(node)].name = .h2 }
  }

  /// Collects the elements that the passes may remove, and the headings.
  private mutating func collect() {
    let names: ElementSet = [
      .form, .fieldset, .object, .embed, .footer, .link, .aside, .iframe, .input, .textarea,
      .select, .button, .h1, .h2, .table, .ul, .div,
    ]
    for node in tree.descendants(of: root) {
      let name = tree.nodes[Int(node)].name
      if name != .characters, names.contains(name) || hints[node].contains(.sharing) {
        candidates.append(node)
      }
      if name.headingLevel > 0 { headings.append(node) }
    }
  }

  /// Returns the remaining elements with any of the given names, in document order.
  private func elements(_ names: ElementSet) -> [Int32] {
    candidates.filter { names.contains(tree.nodes[Int($0)].name) && !isRemoved[Int($0)] }
  }

  /// Removes a node. An inline node is replaced by a space, so that the words around it stay apart.
  private mutating func remove(_ node: Int32) {
    measures.remove(node, tree)
    if !tree.nodes[Int(node)].name.isBlock { tree.insert(tree.makeSpace(), before: node) }
    tree.detach(node)
    var next: Int32? = node
    while let gone = next {
      // Nodes created after `isRemoved` have no entry.
      if Int(gone) < isRemoved.count { isRemoved[Int(gone)] = true }
      next = tree.nodeAfter(gone, in: node)
    }
  }

  // MARK: By content

  /// Removes elements with the given names that look like clutter, in reverse document order.
  private mutating func removeClutter(_ names: [ElementName]) {
    guard cleansConditionally else { return }
    for name in names {
      for node in elements([name]).reversed() where isClutter(node, name) {
        remove(node)
      }
    }
  }

  private func isClutter(_ node: Int32, _ name: ElementName) -> Bool {
    if dataTables.contains(node) || isInDataTable(node) || tree.hasNearAncestor(.code, node) {
      return false
    }
    let measure = measures[node]
    if measure[.tables] > 0 { return false }
    let weight = usesNames ? hints.weight(of: node) : 0
    if weight < 0 { return true }
    guard measure[.commas] < 10 else { return false }
    if measure[.embeds] > 0, tree.descendants(of: node).contains(where: { isVideo($0) }) {
      return false
    }
    if 1...30 ~= measure.length, tree.isAdvertisement(below: node) { return true }
    let isList =
      name == .ul
      || measure.length > 0 && Float(measure[.listLength]) / Float(measure.length) > 0.9
    guard looksLikeClutter(node, measure, weight: weight, isList: isList) else { return false }
    return !(isList && isListOfImages(node, measure))
  }

  private func looksLikeClutter(
    _ node: Int32, _ measure: SubtreeMeasure, weight: Int, isList: Bool
  ) -> Bool {
    let isInFigure = tree.hasNearAncestor(.figure, node)
    let density = measure.linkDensity
    if !isInFigure, measure[.images] > 1,
      Float(measure[.paragraphs] + measure[.captions]) / Float(measure[.images]) < 0.5
    {
      return true
    }
    if !isList, measure[.items] - 100 > measure[.paragraphs] { return true }
    if measure[.inputs] > measure[.paragraphs] / 3 { return true }
    if !isList, !isInFigure, measure.headingDensity < 0.9, measure.length < 25,
      measure[.images] == 0 || measure[.images] > 2, density > 0
    {
      return true
    }
    if !isList, weight < 25, density > 0.2 { return true }
    if weight >= 25, density > 0.5 { return true }
    if measure[.embeds] == 1 && measure.length < 75 || measure[.embeds] > 1 { return true }
    // An element may hold only a heading; if it had more that was removed, the heading announced
    // that.
    let isHeading = measure.headingDensity > 0.9 && measure[.removedLength] == 0
    return measure[.images] == 0 && measure[.textLength] == 0 && !isHeading
  }

  /// Whether a list has one image per item and items of at most one element; such lists are kept.
  private func isListOfImages(_ node: Int32, _ measure: SubtreeMeasure) -> Bool {
    for child in tree.children(of: node) where tree.nodes[Int(child)].name != .characters {
      let elements = tree.children(of: child).filter { tree.nodes[Int($0)].name != .characters }
      if elements.count > 1 { return false }
    }
    return measure[.images] == measure[.items]
  }

  private func isInDataTable(_ node: Int32) -> Bool {
    guard !dataTables.isEmpty else { return false }
    var next = tree.nodes[Int(node)].parent
    while let ancestor = next, ancestor != root {
      if dataTables.contains(ancestor) { return true }
      next = tree.nodes[Int(ancestor)].parent
    }
    return false
  }

  // MARK: Videos

  /// Whether an element embeds a video of a known host; such elements are kept.
  private func isVideo(_ node: Int32) -> Bool {
    let name = tree.nodes[Int(node)].name
    guard name == .iframe || name == .embed || name == .object,
      let target = tree.attribute(name == .object ? .data : .src, of: node)
    else { return false }
    return Vocabulary.videoURLSubstrings.contains { tree.bytes.contains($0, in: target) }
  }
}

extension DOMTree {
  func isDataTable(_ table: Int32) -> Bool {
    if value(.role, of: table, contains: "presentation") { return false }
    var rowCount = 0
    var columnCount = 0
    var columnsInRow = 0
    var hasNestedTable = false
    var next = nodeAfter(table, in: table)
    while let node = next {
      switch nodes[Int(node)].name {
      case .caption where nodes[Int(node)].firstChild != nil: return true
      case .col, .colgroup, .tfoot, .thead, .th: return true
      case .table:
        hasNestedTable = true
        next = nodeAfterSubtree(node, in: table)
        continue
      case .tr:
        rowCount += max(1, min(1000, attributeInteger(.rowspan, of: node) ?? 1))
        columnsInRow = 0
      case .td:
        columnsInRow += max(1, min(1000, attributeInteger(.colspan, of: node) ?? 1))
        columnCount = max(columnCount, columnsInRow)
      default: break
      }
      next = nodeAfter(node, in: table)
    }
    if hasNestedTable || columnCount == 1 || rowCount == 1 { return false }
    return rowCount >= 10 || columnCount > 4 || rowCount * columnCount > 10
  }

  /// Whether the text below a node is only an advertisement label or the placeholder of content
  /// that a script would load.
  fileprivate func isAdvertisement(below node: Int32) -> Bool {
    var text = collapsedText(below: node).lowercased()
    if Vocabulary.advertisementLabels.contains(text) { return true }
    while let last = text.last, last == "." || last == "…" { text.removeLast() }
    return Vocabulary.loadingPlaceholders.contains(text)
  }
}
