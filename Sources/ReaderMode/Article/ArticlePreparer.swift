import DOM
import Metadata

/// The first passes of reader view: removes what cannot be part of an article, and wraps loose text
/// into paragraphs so that it can be scored.
struct ArticlePreparer {
  private(set) var tree: DOMTree
  /// Elements whose text adds to the scores of their ancestors, in document order.
  private(set) var scoredElements: [Int32] = []
  /// The author, as the page shows it; nil if none was found.
  private(set) var byline: String?
  private let title: ComparableText
  /// Whether a name that suggests clutter is enough to remove an element.
  private let removesUnlikelyElements: Bool
  private var hasFoundTitleHeading = false
  private let measures: TextMeasures
  private let hints: ElementHints

  /// Prepares a page without hidden elements, which is moved out of the argument. `title` is the
  /// title of the page, which the first heading of an article often repeats.
  init(
    _ tree: inout DOMTree, _ lengths: TextLengths, _ hints: ElementHints, title: String,
    removesUnlikelyElements: Bool
  ) {
    self.tree = DOMTree()
    swap(&self.tree, &tree)
    self.hints = hints
    self.tree.replaceBreaks()
    measures = TextMeasures(self.tree, lengths)
    self.title = ComparableText(title)
    self.removesUnlikelyElements = removesUnlikelyElements
    preparePage()
  }

  private mutating func preparePage() {
    var next = tree.nodeAfter(0, in: 0)
    while let node = next {
      let name = tree.nodes[Int(node)].name
      guard name != .characters else {
        next = tree.nodeAfter(node, in: 0)
        continue
      }
      if consumeIfRemovable(node, name) {
        next = tree.nodeAfterSubtree(node, in: 0)
        tree.detach(node)
        continue
      }
      if name.isScored { scoredElements.append(node) }
      // Evaluated first: `tree` is read before the arguments of its methods.
      let last = name == .div ? wrapInParagraphs(node) : node
      next = tree.nodeAfter(last, in: 0)
    }
  }

  /// Returns the tree and leaves an empty one in its place.
  mutating func moveOutTree() -> DOMTree {
    defer { tree = DOMTree() }
    return tree
  }

  // MARK: Removal

  private mutating func consumeIfRemovable(_ node: Int32, _ name: ElementName) -> Bool {
    let hints = hints[node]
    if consumeByline(node, hints) || consumeTitleHeading(node, name) { return true }
    if removesUnlikelyElements {
      // Headings often have the class "header".
      if hints.contains(.unlikelyContent), !hints.contains(.candidate), name != .a,
        name.headingLevel == 0,
        !tree.hasNearAncestor(.table, node), !tree.hasNearAncestor(.code, node)
      {
        return true
      }
      if hints.contains(.nonContentRole) { return true }
    }
    switch name {
    case .div, .section, .header, .h1, .h2, .h3, .h4, .h5, .h6: return isEmpty(node)
    default: return false
    }
  }

  /// Whether an element has no text and no child elements other than line breaks and rules.
  private func isEmpty(_ node: Int32) -> Bool {
    guard measures[node].length == 0 else { return false }
    return tree.children(of: node).allSatisfy {
      switch tree.nodes[Int($0)].name {
      case .characters, .br, .hr: true
      default: false
      }
    }
  }

  private mutating func consumeByline(_ node: Int32, _ hints: NameHints) -> Bool {
    guard byline == nil, hints.contains(.byline), !hints.contains(.notByline),
      1..<100 ~= measures[node].length, !tree.isAuthorOfPart(node), !followsLinkedHeading(node),
      !tree.isInSentenceOfText(node)
    else { return false }
    byline = tree.collapsedText(below: node)
    removeTextAroundAuthor(besides: node)
    return true
  }

  /// Whether a heading directly before an element or its paragraph leads to another text, as in a
  /// list of texts.
  private func followsLinkedHeading(_ node: Int32) -> Bool {
    var before = tree.siblingBefore(node)
    if before == nil {
      guard let parent = tree.nodes[Int(node)].parent, parent > 0,
        tree.nodes[Int(parent)].name == .p
      else { return false }
      before = tree.siblingBefore(parent)
    }
    guard let before, tree.nodes[Int(before)].name.headingLevel > 1,
      tree.children(of: before).contains(where: { tree.nodes[Int($0)].name == .a })
    else { return false }
    return title.similarity(to: ComparableText(tree.collapsedText(below: before))) <= 0.75
  }

  /// Removes the text around the author's name, such as "By … on May 4", which is meaningless
  /// without the name.
  private mutating func removeTextAroundAuthor(besides authorNode: Int32) {
    let line = tree.nodes[Int(authorNode)].parent ?? 0
    guard line > 0, tree.nodes[Int(line)].name == .p || tree.nodes[Int(line)].name == .div,
      !tree.nodes[Int(authorNode)].name.isBlock
    else { return }
    var letters = 0
    for sibling in tree.children(of: line) where sibling != authorNode {
      switch tree.nodes[Int(sibling)].name {
      case .characters:
        let own = tree.nodes[Int(sibling)]
        letters += tree.bytes[Int(own.start)..<Int(own.end)].count { $0.isLetter || $0 >= 0x80 }
      case .time, .br: break
      default: return
      }
    }
    guard letters <= Self.maxRestLetters else { return }
    for sibling in Array(tree.children(of: line)) where sibling != authorNode {
      tree.detach(sibling)
    }
  }

  /// The maximum number of letters around an author's name that are removed with it.
  private static let maxRestLetters = 10

  /// Returns whether a heading is the first one that repeats the title of the page, and records
  /// that one was found.
  private mutating func consumeTitleHeading(_ node: Int32, _ name: ElementName) -> Bool {
    guard !hasFoundTitleHeading, name == .h1 || name == .h2 else { return false }
    let similarity = title.similarity(to: ComparableText(tree.collapsedText(below: node)))
    hasFoundTitleHeading = similarity > 0.75
    return hasFoundTitleHeading
  }

  // MARK: Paragraphs

  /// Wraps loose text in a `div` into paragraphs. A `div` that contains only a paragraph is
  /// replaced by that paragraph.
  /// - Returns: The node that replaces the `div`, or the `div` itself.
  private mutating func wrapInParagraphs(_ div: Int32) -> Int32 {
    var paragraph: Int32?
    var newParagraphs: [Int32] = []
    var next = tree.nodes[Int(div)].firstChild
    while let child = next {
      next = tree.nodes[Int(child)].nextSibling
      if tree.isPhrasing(child) {
        if let paragraph {
          move(child, into: paragraph)
        } else if !tree.isBlank(child) {
          let newParagraph = tree.makeElement(.p)
          paragraph = newParagraph
          newParagraphs.append(newParagraph)
          tree.insert(newParagraph, before: child)
          move(child, into: newParagraph)
        }
      } else if let last = paragraph {
        trimEnd(of: last)
        paragraph = nil
      }
    }
    if let paragraph { trimEnd(of: paragraph) }
    if !newParagraphs.isEmpty { tree.addContents(.block, from: div) }
    let divMeasure = measures[div]
    if let singleParagraph = onlyParagraph(in: div), divMeasure.linkDensity < 0.25 {
      tree.detach(singleParagraph)
      tree.insert(singleParagraph, before: div)
      tree.detach(div)
      scoredElements.append(singleParagraph)
      return singleParagraph
    }
    if newParagraphs.isEmpty, divMeasure.blockElementCount == 0 {
      tree.nodes[Int(div)].name = .p
      scoredElements.append(div)
    }
    return div
  }

  private mutating func move(_ node: Int32, into paragraph: Int32) {
    tree.detach(node)
    tree.append(node, to: paragraph)
    let own = tree.nodes[Int(node)]
    let isText = own.name == .characters
    tree.nodes[Int(paragraph)].contents.formUnion(isText ? .text : own.contents)
    if own.name == .img { tree.nodes[Int(paragraph)].contents.insert(.image) }
  }

  private mutating func trimEnd(of paragraph: Int32) {
    while let last = tree.nodes[Int(paragraph)].lastChild, tree.isBlank(last) {
      tree.detach(last)
    }
  }

  /// Returns the only child element of a `div` if it is a paragraph and no text is beside it; nil
  /// otherwise.
  private func onlyParagraph(in div: Int32) -> Int32? {
    var found: Int32?
    for child in tree.children(of: div) {
      switch tree.nodes[Int(child)].name {
      case .characters: guard tree.isBlank(child) else { return nil }
      case .p where found == nil: found = child
      default: return nil
      }
    }
    return found
  }
}

extension ElementName {
  fileprivate var isScored: Bool {
    switch self {
    case .section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre: true
    default: false
    }
  }
}
