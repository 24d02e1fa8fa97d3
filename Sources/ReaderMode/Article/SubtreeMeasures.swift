import DOM

/// The measures of all elements below a root, updated as nodes are removed.
struct SubtreeMeasures {
  /// The measures of the root and of all elements below it, in document order.
  private var measures: [SubtreeMeasure]
  /// For each node, the index of its measure.
  private var indices: [Int32]
  private let root: Int32

  /// Measures the subtree of `root` in linear time.
  init(
    _ tree: DOMTree, _ lengths: TextLengths, below root: Int32, dataTables: DataTables
  ) {
    self.root = root
    var positions = [Int32](repeating: 0, count: tree.nodes.count)
    var measures = [SubtreeMeasure()]
    // At most half of the nodes are usually elements; unused capacity costs no memory pages.
    measures.reserveCapacity(tree.nodes.count / 2)
    tree.visit(below: root) { node in
      positions[Int(node)] = Int32(measures.count)
      measures.append(SubtreeMeasure())
    } leave: { node, own in
      let parent = Int(positions[Int(own.parent ?? 0)])
      guard own.name != .characters else {
        let length = lengths[node]
        measures[parent][.length] &+= length.characterCount
        measures[parent][.commas] &+= length.commaCount
        return
      }
      let position = Int(positions[Int(node)])
      if own.name == .table, dataTables.contains(node) { measures[position][.tables] &+= 1 }
      let share = Self.contribution(measures[position], of: node, own.name, tree)
      measures[parent].counts &+= share.counts
    }
    (self.indices, self.measures) = (positions, measures)
  }

  /// The measure of the content below an element.
  subscript(node: Int32) -> SubtreeMeasure { measures[Int(indices[Int(node)])] }

  /// Subtracts an element from the measures of all its ancestors. Call it before detaching the
  /// element.
  mutating func remove(_ node: Int32, _ tree: DOMTree) {
    var share = Self.contribution(self[node], of: node, tree.nodes[Int(node)].name, tree)
    var next = tree.nodes[Int(node)].parent
    while let ancestor = next {
      let position = Int(indices[Int(ancestor)])
      measures[position].counts &-= share.counts
      measures[position][.removedLength] &+= share[.removedLength] &+ share.length
      guard ancestor != root else { return }
      Self.addOwnContribution(&share, by: tree.nodes[Int(ancestor)].name, ancestor, tree)
      next = tree.nodes[Int(ancestor)].parent
    }
  }

  /// Returns what an element adds to the measure of its parent.
  private static func contribution(
    _ measure: SubtreeMeasure, of node: Int32, _ name: ElementName, _ tree: DOMTree
  ) -> SubtreeMeasure {
    var share = measure
    addOwnContribution(&share, by: name, node, tree)
    switch name {
    case .p: share[.paragraphs] &+= 1
    case .img: share[.images] &+= 1
    case .figcaption where measure.length > 0: share[.captions] &+= 1
    case .li: share[.items] &+= 1
    case .input: share[.inputs] &+= 1
    case .object, .embed, .iframe: share[.embeds] &+= 1
    default: break
    }
    return share
  }

  /// Adds an element's own contribution to its measure: its text is then also text of a heading, a
  /// list or a link.
  private static func addOwnContribution(
    _ measure: inout SubtreeMeasure, by name: ElementName, _ node: Int32, _ tree: DOMTree
  ) {
    let length = measure.length
    switch name {
    case .h1, .h2, .h3, .h4, .h5, .h6: measure[.headingLength] &+= length
    case .ul, .ol: measure[.listLength] &+= length
    case .a: measure[.linkTenths] &+= length &* tree.linkWeight(of: node)
    default: break
    }
    if name.usuallyContainsText { measure[.textLength] &+= length }
  }
}

extension ElementName {
  fileprivate var usuallyContainsText: Bool {
    preventsParagraph || self == .span || self == .li || self == .td
  }
}
