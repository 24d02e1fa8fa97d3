import DOM

/// The elements that fold wherever they are on a page, and their folds: share lists, repeated
/// menus, comments, and hidden elements that are shown anyway.
struct FoldedElements {
  /// For the first element of each run of siblings, the last one and the kind of the fold.
  private var runs: [Int32: (last: Int32, kind: Document.BlockFold.Kind)] = [:]
  /// The last element of the run that is being read, or nil.
  private(set) var lastOfCurrentRun: Int32?
  private var currentKind = Document.BlockFold.Kind.share
  /// The index of the first block of the run that is being read, and the number of open containers
  /// at its start.
  private var currentStart: (block: Int32, containers: Int) = (0, 0)
  /// The hidden element that is shown anyway and is being read, or nil.
  private(set) var revealedElement: Int32?
  /// The index of the block with which that element begins.
  private var revealedStart: Int32 = 0
  /// The folds so far.
  private(set) var folds: [Document.BlockFold] = []

  init() {}

  /// Finds the elements of a page.
  init(of tree: DOMTree, hiding: HidingRules) {
    for run in ShareLists(of: tree).runs { runs[run.first] = (run.last, .share) }
    for node in RepeatedMenus(of: tree, hiding: hiding).nodes { runs[node] = (node, .repeatedMenu) }
  }

  /// Adds an element that folds.
  mutating func add(_ node: Int32, _ kind: Document.BlockFold.Kind) {
    runs[node] = (node, kind)
  }

  /// The first elements of the runs that consist of several siblings.
  var startsOfSiblingRuns: [Int32] { runs.filter { $0.key != $0.value.last }.map(\.key) }

  /// Returns whether a run begins with an element, outside other runs.
  func beginsRun(_ node: Int32) -> Bool {
    !runs.isEmpty && lastOfCurrentRun == nil && runs[node] != nil
  }

  /// Begins the run of siblings that starts with an element.
  mutating func beginRun(_ node: Int32, atBlock block: Int32, containerCount: Int) {
    guard let run = runs[node] else { return }
    (lastOfCurrentRun, currentKind, currentStart) = (run.last, run.kind, (block, containerCount))
  }

  /// Ends the current run, and folds its blocks if it has any. Headings at its start stay visible.
  /// - Parameters:
  ///   - blocks: The blocks so far.
  ///   - containerCount: The number of open containers.
  mutating func endRun(in blocks: [Document.Block], containerCount: Int) {
    lastOfCurrentRun = nil
    var first = Int(currentStart.block)
    while !currentKind.isComments, first < blocks.count,
      case .heading = blocks[first].kind
    { first += 1 }
    guard first < blocks.count, containerCount == currentStart.containers else { return }
    folds.append(Document.BlockFold(Int32(first)..<Int32(blocks.count), currentKind))
  }

  /// Begins a hidden element whose content is shown nevertheless.
  mutating func beginRevealedElement(_ node: Int32, atBlock block: Int32) {
    (revealedElement, revealedStart) = (node, block)
  }

  /// Ends a hidden element that is shown anyway, and folds its blocks; adjacent ones form one part.
  /// - Parameters:
  ///   - end: The index of the block after it.
  ///   - isTopLevel: Whether no container is open.
  mutating func endRevealedElement(atBlock end: Int32, isTopLevel: Bool) {
    revealedElement = nil
    guard isTopLevel, end > revealedStart else { return }
    if let last = folds.last, last.kind == .revealed, last.blocks.upperBound == revealedStart {
      folds[folds.count - 1].blocks = last.blocks.lowerBound..<end
    } else {
      folds.append(Document.BlockFold(revealedStart..<end, .revealed))
    }
  }
}

extension DocumentBuilder {
  /// Begins a run of elements that fold, if blocks can fold at this position.
  mutating func beginFoldedRun(_ node: Int32) {
    guard foldedElements.revealedElement == nil, inherited.leafKind == .paragraph,
      !paragraphs.isInElement,
      !inherited.isInvisible
    else {
      return
    }
    switch containers.innermostKind {
    case .item, .quote, .definition, .cell, nil: break
    default: return
    }
    closeLeaf()
    containers.endReopenableBlocks()
    foldedElements.beginRun(
      node, atBlock: containers.nextIndex, containerCount: containers.count)
  }

  /// Ends a run of elements that fold.
  mutating func endFoldedRun() {
    closeLeaf()
    containers.endReopenableBlocks()
    paragraphs.addEmptyLine()
    foldedElements.endRun(in: containers.blocks, containerCount: containers.count)
  }

  /// Enters a hidden element that is shown anyway, which begins with a new block if possible.
  mutating func beginRevealedElement(_ node: Int32) {
    guard foldedElements.revealedElement == nil, containers.isEmpty,
      inherited.leafKind == .paragraph
    else { return }
    closeLeaf()
    containers.endReopenableBlocks()
    foldedElements.beginRevealedElement(node, atBlock: containers.nextIndex)
  }

  /// Leaves a hidden element that is shown anyway.
  mutating func endRevealedElement() {
    containers.endReopenableBlocks()
    closeLeaf()
    foldedElements.endRevealedElement(
      atBlock: containers.nextIndex, isTopLevel: containers.isEmpty)
  }
}
