import DOM

/// The elements that fold wherever they are on a page: share lists, repeated menus and comments.
struct FoldedElements {
  /// For the first element of each run of siblings, the last one and the kind of the fold.
  private var runs: [Int32: (last: Int32, kind: Document.BlockFold.Kind)] = [:]
  /// The last element of the run that is being read, or -1.
  private(set) var lastOfCurrentRun: Int32 = -1
  private var currentKind = Document.BlockFold.Kind.share
  /// The index of the first block of the run that is being read, and the number of open containers
  /// at its start.
  private var currentStart: (block: Int32, containers: Int) = (0, 0)

  init() {}

  /// Finds the elements of a page.
  init(of tree: DOMTree, hiding: HidingRules) {
    for run in ShareLists(of: tree).runs { runs[run.first] = (run.last, .share) }
    for node in RepeatedMenus(of: tree, hiding: hiding).nodes { runs[node] = (node, .repeatedMenu) }
  }

  /// Adds an element that folds; -1 stands for none.
  mutating func add(_ node: Int32, _ kind: Document.BlockFold.Kind) {
    if node >= 0 { runs[node] = (node, kind) }
  }

  /// The first elements of the runs that consist of several siblings.
  var startsOfSiblingRuns: [Int32] { runs.filter { $0.key != $0.value.last }.map(\.key) }

  /// Returns whether a run begins with an element, outside other runs.
  func beginsRun(_ node: Int32) -> Bool {
    !runs.isEmpty && lastOfCurrentRun < 0 && runs[node] != nil
  }

  /// Begins a run.
  mutating func beginRun(_ node: Int32, atBlock block: Int32, containerCount: Int) {
    guard let run = runs[node] else { return }
    (lastOfCurrentRun, currentKind, currentStart) = (run.last, run.kind, (block, containerCount))
  }

  /// Ends a run.
  /// - Parameters:
  ///   - blocks: The blocks so far.
  ///   - containerCount: The number of open containers.
  /// - Returns: The fold, without headings at its start, which stay visible; nil when the run has
  ///   no blocks of its own.
  mutating func endRun(in blocks: [Document.Block], containerCount: Int) -> Document.BlockFold? {
    lastOfCurrentRun = -1
    var first = Int(currentStart.block)
    while !currentKind.isComments, first < blocks.count,
      case .heading = blocks[first].kind
    { first += 1 }
    guard first < blocks.count, containerCount == currentStart.containers else {
      return nil
    }
    return Document.BlockFold(Int32(first)..<Int32(blocks.count), currentKind)
  }
}

extension DocumentBuilder {
  /// Begins a run of elements that fold, if blocks can fold at this position.
  mutating func beginFoldedRun(_ node: Int32) {
    guard revealedElement.node < 0, inherited.leafKind == .paragraph, !paragraphs.isInElement,
      !inherited.isInvisible
    else {
      return
    }
    switch containers.innermostKind {
    case .item, .quote, .definition, .cell, nil: break
    default: return
    }
    closeLeaf()
    containers.endImplicitList()
    foldedElements.beginRun(
      node, atBlock: containers.nextIndex, containerCount: containers.count)
  }

  /// Ends a run of elements that fold.
  mutating func endFoldedRun() {
    closeLeaf()
    containers.endImplicitList()
    paragraphs.addEmptyLine()
    let part = foldedElements.endRun(in: containers.blocks, containerCount: containers.count)
    if let part { document.blockFolds.append(part) }
  }
}
