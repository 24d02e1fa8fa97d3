import DOM

/// The elements that fold wherever they are on a page: share lists, repeated menus and comments.
struct FoldedElements {
  /// For the first element of each run of siblings, the last one and the kind of the fold.
  private var runs: [Int32: (last: Int32, kind: Document.Part.Kind)] = [:]
  /// The last element of the run that is being read, or -1.
  private(set) var last: Int32 = -1
  private var kind = Document.Part.Kind.share
  /// The index of the first block of the run that is being read, and the number of open containers
  /// at its start.
  private var start: (block: Int32, containers: Int) = (0, 0)

  init() {}

  /// Finds the elements of a page.
  init(of tree: DOMTree, hiding: HidingRules) {
    for run in ShareLists(of: tree).runs { runs[run.first] = (run.last, .share) }
    for node in RepeatedMenus(of: tree, hiding: hiding).nodes { runs[node] = (node, .repeated) }
  }

  /// Adds an element that folds; -1 stands for none.
  mutating func add(_ node: Int32, _ kind: Document.Part.Kind) {
    if node >= 0 { runs[node] = (node, kind) }
  }

  /// The first elements of the runs that consist of several siblings.
  var startsOfSiblingRuns: [Int32] { runs.filter { $0.key != $0.value.last }.map(\.key) }

  /// Returns whether a run begins with an element, outside other runs.
  func begins(_ node: Int32) -> Bool { !runs.isEmpty && last < 0 && runs[node] != nil }

  /// Begins a run.
  mutating func begin(_ node: Int32, atBlock block: Int32, containers: Int) {
    guard let run = runs[node] else { return }
    (last, kind, start) = (run.last, run.kind, (block, containers))
  }

  /// Ends a run.
  /// - Parameters:
  ///   - document: The document so far.
  ///   - containers: The number of open containers.
  /// - Returns: The fold, without headings at its start, which stay visible; nil when the run has
  ///   no blocks of its own.
  mutating func end(in document: Document, containers: Int) -> Document.Part? {
    last = -1
    var first = Int(start.block)
    while !kind.isCommentPart, first < document.blocks.count,
      case .heading = document.blocks[first].kind
    { first += 1 }
    guard first < document.blocks.count, containers == start.containers else { return nil }
    return Document.Part(Int32(first)..<Int32(document.blocks.count), kind)
  }
}

extension DocumentBuilder {
  /// Begins a run of elements that fold, if blocks can fold at this position.
  mutating func beginFolded(_ node: Int32) {
    guard revealed.node < 0, leafKind == .paragraph, !isInParagraph, !isInvisible else { return }
    if let top = containers.last {
      switch document.blocks[Int(top.block)].kind {
      case .item, .quote, .definition, .cell: break
      default: return
      }
    }
    closeLeaf()
    reopenable = -1
    folding.begin(node, atBlock: Int32(document.blocks.count), containers: containers.count)
  }

  /// Ends a run of elements that fold.
  mutating func endFolded() {
    closeLeaf()
    reopenable = -1
    lastLine = nil
    let part = folding.end(in: document, containers: containers.count)
    if let part { document.parts.append(part) }
  }
}
