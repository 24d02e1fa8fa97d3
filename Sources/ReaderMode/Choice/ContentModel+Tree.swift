import DOM

extension DOMTree {
  /// Detaches all text of the blocks that are not kept, and what holds nothing else.
  ///
  /// Pictures stay where they stand between what is kept; cells stay in a row that is kept, so that
  /// columns do not move.
  /// - Parameters:
  ///   - isKept: Whether each block is kept.
  ///   - page: The blocks.
  ///   - article: What was made of the same tree by `Readability`: what shows no text of its own,
  ///     pictures above all, is kept where it is, and only there. Nil when there is no such tree.
  mutating func keep(_ isKept: [Bool], of page: PageBlocks, like article: DOMTree? = nil) {
    let isInArticle = article?.reachable
    if let article {
      // Buttons that are headings are text there.
      for node in nodes.indices where nodes[node].name == .button {
        nodes[node].name = article.nodes[node].name
      }
    }
    var marks = [Mark](repeating: .none, count: nodes.count)
    marks[0] = .kept
    for (index, block) in page.blocks.enumerated() {
      for text in block.texts {
        let node = page.texts[Int(text)]
        var above = node
        guard isKept[index] else {
          marks[Int(node)] = .dropped
          above = nodes[Int(node)].parent
          while above >= 0, marks[Int(above)] == .none {
            marks[Int(above)] = .holdsDropped
            above = nodes[Int(above)].parent
          }
          continue
        }
        while above >= 0, marks[Int(above)] != .kept {
          marks[Int(above)] = .kept
          above = nodes[Int(above)].parent
        }
      }
    }
    if let isInArticle { markFigures(&marks, isInArticle) }
    var open: [Int32] = [0]
    while let parent = open.popLast() { prune(parent, marks, isInArticle, &open) }
  }

  private enum Mark {
    case none, kept, dropped
    /// Around text that is dropped, and none that is kept.
    case holdsDropped
  }

  /// Marks the figures of the article between what is kept, which stay without what is said of them.
  private func markFigures(_ marks: inout [Mark], _ isInArticle: [Bool]) {
    guard let first = marks.dropFirst().firstIndex(of: .kept),
      let last = marks.lastIndex(of: .kept)
    else { return }
    for node in first..<last
    where nodes[node].name == .figure && isInArticle[node] && nodes[node].contents.contains(.image)
    {
      var above = Int32(node)
      while above >= 0, marks[Int(above)] != .kept {
        marks[Int(above)] = .kept
        above = nodes[Int(above)].parent
      }
    }
  }

  /// Detaches children of an element that holds kept text; those that do too go into `open`.
  private mutating func prune(
    _ parent: Int32, _ marks: [Mark], _ isInArticle: [Bool]?, _ open: inout [Int32]
  ) {
    let holdsCells = nodes[Int(parent)].name.holdsTableParts
    var isBehindKept = false
    var pictures: [Int32] = []
    var child = nodes[Int(parent)].firstChild
    while child >= 0 {
      let next = nodes[Int(child)].nextSibling
      let name = nodes[Int(child)].name
      if marks[Int(child)] == .kept {
        if !isBehindKept { pictures.forEach { detach($0) } }
        pictures.removeAll()
        isBehindKept = true
        // A formula is kept with the source that it is shown by.
        if name != .characters, name != .math { open.append(child) }
      } else if holdsCells, name.isTablePart {
        if name == .td || name == .th { empty(child) } else if name != .col { detach(child) }
      } else if name == .characters {
        if marks[Int(child)] == .dropped { detach(child) }
      } else if let isInArticle, showsNoText(child, marks), !name.isNeutral {
        if !isInArticle[Int(child)] { takeOut(child) }
      } else if isPicture(child) {
        pictures.append(child)
      } else if !name.isNeutral {
        takeOut(child)
      }
      child = next
    }
    pictures.forEach { detach($0) }
  }

  /// An element without text, or one with an image and text that is hidden: a formula.
  private func showsNoText(_ node: Int32, _ marks: [Mark]) -> Bool {
    let contents = nodes[Int(node)].contents
    return !contents.contains(.text) || contents.contains(.image) && marks[Int(node)] == .none
  }

  /// Detaches an element; the words around it stay apart.
  private mutating func takeOut(_ node: Int32) {
    if !nodes[Int(node)].name.isBlock { insert(makeSpace(), before: node) }
    detach(node)
  }

  /// An element that shows pictures and no text.
  private func isPicture(_ node: Int32) -> Bool {
    let element = nodes[Int(node)]
    switch element.name {
    case .img, .picture, .hr, .video, .audio: return true
    default:
      return element.contents.contains(.image) && !element.contents.contains(.text)
    }
  }

  /// Detaches all children of a node.
  private mutating func empty(_ node: Int32) {
    while case let child = nodes[Int(node)].firstChild, child >= 0 { detach(child) }
  }
}

extension ElementName {
  /// Elements that show nothing of their own, or belong to what is around them.
  fileprivate var isNeutral: Bool {
    switch self {
    // What folds is opened by its name.
    case .br, .wbr, .title, .meta, .base, .link, .col, .colgroup, .summary: true
    default: false
    }
  }
}
