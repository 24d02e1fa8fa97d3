import Document
import DOM

extension DOMTree {
  /// Detaches the text of blocks that are not kept, and elements that contain nothing else.
  ///
  /// Images between kept text stay in place. Cells of a partly kept row stay too, so that the other
  /// cells do not move to other columns.
  /// - Parameters:
  ///   - isKept: Whether each block is kept.
  ///   - page: The blocks.
  ///   - article: The result of `Readability` for the same tree, which determines which elements
  ///     without text (mostly images) are kept. Nil if there is none.
  ///   - kind: The kind of the page. In forums, images at the start of a post are portraits of
  ///     authors, which are removed.
  ///   - alsoKept: For each block, whether its text is kept without the images around it. Nil for
  ///     none.
  mutating func keepBlocks(
    _ isKept: [Bool], of page: PageBlocks, withArticle article: DOMTree? = nil,
    kind: PageKind = .article,
    alsoKept: [Bool]? = nil
  ) {
    let isInArticle = article?.isReachable
    if let article {
      // The article turns buttons that make up a heading into text.
      for node in nodes.indices where nodes[node].name == .button {
        nodes[node].name = article.nodes[node].name
      }
    }
    var memberships = [Membership](repeating: .none, count: nodes.count)
    memberships[0] = .kept
    for (index, block) in page.blocks.enumerated() {
      for text in block.textRange {
        let node = page.textNodes[Int(text)]
        guard isKept[index] else {
          memberships[Int(node)] = .dropped
          var next = nodes[Int(node)].parent
          while let ancestor = next, memberships[Int(ancestor)] == .none {
            memberships[Int(ancestor)] = .containsDropped
            next = nodes[Int(ancestor)].parent
          }
          continue
        }
        markAsKept(node, &memberships)
      }
    }
    let images = ImageSelection(memberships, isInArticle, nodes, keepsOuterImages: kind != .forum)
    keepImages(&memberships, images)
    for (index, block) in page.blocks.enumerated() where alsoKept?[index] == true {
      for text in block.textRange { markAsKept(page.textNodes[Int(text)], &memberships) }
    }
    var openParents: [Int32] = [0]
    while let parent = openParents.popLast() { prune(parent, memberships, images, &openParents) }
  }

  private func markAsKept(_ node: Int32, _ memberships: inout [Membership]) {
    var next: Int32? = node
    while let ancestor = next, memberships[Int(ancestor)] != .kept {
      memberships[Int(ancestor)] = .kept
      next = nodes[Int(ancestor)].parent
    }
  }

  /// Whether a node is part of the selected content.
  private enum Membership {
    case none, kept, dropped
    /// Contains dropped text and no kept text.
    case containsDropped
  }

  /// Decides which elements without kept text stay because of their images.
  private struct ImageSelection {
    /// For each node, whether it is part of the article; nil without an article.
    let isInArticle: [Bool]?
    /// For each node, whether it contains an image of the article; empty without an article.
    private(set) var containsArticleImage: [Bool] = []
    /// The range of nodes from the first kept text to the last, or to the end of the main element
    /// if its images may be the content.
    let keptRange: Range<Int>
    /// The last kept text.
    let lastText: Int
    /// Whether images before or after all kept text of an element may stay.
    let keepsOuterImages: Bool

    init(
      _ memberships: [Membership], _ isInArticle: [Bool]?, _ nodes: [DOMTree.Node],
      keepsOuterImages: Bool
    ) {
      (self.isInArticle, self.keepsOuterImages) = (isInArticle, keepsOuterImages)
      let texts = memberships.indices.filter {
        memberships[$0] == .kept && nodes[$0].name == .characters
      }
      let end = isInArticle == nil ? Self.endOfImages(after: texts, nodes) : nil
      lastText = texts.last ?? 0
      keptRange = (texts.first ?? 0)..<max(lastText, end ?? 0)
      guard let isInArticle else { return }
      containsArticleImage = Array(repeating: false, count: nodes.count)
      for node in nodes.indices where nodes[node].name == .img && isInArticle[node] {
        var next: Int32? = Int32(node)
        while let ancestor = next, !containsArticleImage[Int(ancestor)] {
          containsArticleImage[Int(ancestor)] = true
          next = nodes[Int(ancestor)].parent
        }
      }
    }

    /// Returns the end of the main element around a short text, such as the title of a drawing,
    /// whose images may be the content; nil if there is no such element, or if the text is longer.
    private static func endOfImages(after texts: [Int], _ nodes: [DOMTree.Node]) -> Int? {
      guard let last = texts.last,
        texts.reduce(0, { $0 + Int(nodes[$1].end - nodes[$1].start) }) <= maxTitleBytes
      else { return nil }
      var main = nodes[last].parent ?? 0
      while main > 0, nodes[Int(main)].name != .main, nodes[Int(main)].name != .article {
        main = nodes[Int(main)].parent ?? 0
      }
      guard main > 0 else { return nil }
      while main > 0 {
        if let next = nodes[Int(main)].nextSibling { return Int(next) }
        main = nodes[Int(main)].parent ?? 0
      }
      return nodes.count
    }

    private static let maxTitleBytes = 300

    /// Returns whether an element without text is part of the article. The article may contain its
    /// children without the element itself: a `div` around a single paragraph is replaced by the
    /// paragraph.
    func isPartOfArticle(_ node: Int32) -> Bool {
      isInArticle?[Int(node)] == true
        || !containsArticleImage.isEmpty && containsArticleImage[Int(node)]
    }
  }

  /// Keeps images between kept nodes: marks as kept the elements that contain such an image but
  /// only dropped text, if they are figures, or parts of the article with no more text than a
  /// caption.
  private func keepImages(_ memberships: inout [Membership], _ images: ImageSelection) {
    // A figure of an article may precede its text.
    let firstKeptNode =
      images.isInArticle == nil ? nil : memberships.dropFirst().firstIndex(of: .kept)
    // The last figure that contains an image. It is examined once, however many it contains.
    var lastFigure: (node: Int32, isKept: Bool)?
    for node in min(
      firstKeptNode ?? .max, images.keptRange.lowerBound)..<images.keptRange.upperBound
    where nodes[node].name == .img && memberships[node] == .none
      && images.isInArticle?[node] != false
    {
      var next: Int32? = Int32(node)
      while let ancestor = next, ancestor > 0, memberships[Int(ancestor)] == .none {
        next = nodes[Int(ancestor)].parent
      }
      // The image may be in a detached element, such as a dialog.
      guard var innermost = next else { continue }
      let (outermost, figure) = outermostUnkept(around: innermost, memberships)
      // Below the last text, a figure with a link as its caption is the teaser of another page.
      if let figure, figure != lastFigure?.node {
        lastFigure = (figure, node < images.lastText || hasOnlyCaption(figure, memberships))
      }
      let isInFigure = figure != nil && lastFigure?.isKept == true
      guard memberships[Int(outermost)] == .containsDropped,
        isInFigure
          || images.isInArticle != nil && images.keptRange.contains(node)
            && hasOnlyCaption(outermost, memberships)
      else { continue }
      next = outermost
      while let ancestor = next, memberships[Int(ancestor)] != .kept {
        next = nodes[Int(ancestor)].parent
      }
      guard let keptAncestor = next else { continue }
      while innermost != keptAncestor {
        memberships[Int(innermost)] = .kept
        innermost = nodes[Int(innermost)].parent ?? keptAncestor
      }
    }
  }

  /// Returns the outermost ancestor of a node that contains no kept text, or the node itself if all
  /// of them contain kept text; and the outermost figure up to that element, or nil.
  private func outermostUnkept(
    around node: Int32, _ memberships: [Membership]
  ) -> (element: Int32, figure: Int32?) {
    var outermost = node
    var figure: Int32?
    while memberships[Int(outermost)] == .containsDropped {
      if nodes[Int(outermost)].name == .figure { figure = outermost }
      guard let ancestor = nodes[Int(outermost)].parent, memberships[Int(ancestor)] != .kept else {
        break
      }
      outermost = ancestor
    }
    return (outermost, figure)
  }

  /// Returns whether the dropped text in an element is not longer than a caption and does not
  /// consist mostly of links.
  private func hasOnlyCaption(_ element: Int32, _ memberships: [Membership]) -> Bool {
    var (size, linked) = (0, 0)
    for node in descendants(of: element) where memberships[Int(node)] == .dropped {
      let own = Int(nodes[Int(node)].end - nodes[Int(node)].start)
      size += own
      if hasNearAncestor(.a, node) { linked += own }
      guard size <= Self.maxCaptionBytes else { return false }
    }
    return linked * 4 < size * 3
  }

  private static let maxCaptionBytes = 500

  /// Detaches the children of a kept element that are not kept, and adds those with kept text to
  /// `openParents`.
  private mutating func prune(
    _ parent: Int32, _ memberships: [Membership], _ images: ImageSelection,
    _ openParents: inout [Int32]
  ) {
    let holdsCells = nodes[Int(parent)].name.allowsOnlyTableParts
    var followsKept = false
    var waiting: [Int32] = []
    var next = nodes[Int(parent)].firstChild
    while let child = next {
      next = nodes[Int(child)].nextSibling
      let name = nodes[Int(child)].name
      if memberships[Int(child)] == .kept {
        if !followsKept { detachEdgeImages(waiting, besides: images) }
        waiting.removeAll()
        followsKept = true
        // A formula is kept with its source.
        if name != .characters, name != .math { openParents.append(child) }
      } else if holdsCells, name.isAllowedInTable {
        if showsImage(child, images) { openParents.append(child) } else { removeTablePart(child) }
      } else if name == .characters {
        if memberships[Int(child)] == .dropped { detach(child) }
      } else if isTaskBox(child) || isNamedIcon(child) || name == .input && isNoteToggle(child) {
        // The text does not repeat the state of a task, or the meaning of an icon in its line. A
        // margin note is recognized by the check box before it.
      } else if images.isInArticle != nil, showsNoText(child, memberships), !name.hasNoOwnContent {
        // A figure with a kept caption keeps its image.
        if !images.isPartOfArticle(child), !(nodes[Int(parent)].name == .figure && isImage(child)),
          !showsOnlyLineBreaks(child)
        {
          detach(child, memberships)
        }
      } else if isImage(child) {
        waiting.append(child)
      } else if !name.hasNoOwnContent, !showsOnlyLineBreaks(child) {
        detach(child, memberships)
      }
    }
    detachEdgeImages(waiting, besides: images)
  }

  /// Removes a table part, or only the content of a cell, so that the columns stay aligned.
  private mutating func removeTablePart(_ node: Int32) {
    let name = nodes[Int(node)].name
    if name == .td || name == .th { detachChildren(node) } else if name != .col { detach(node) }
  }

  /// Returns whether a part of a table without kept text shows an image.
  private func showsImage(_ part: Int32, _ images: ImageSelection) -> Bool {
    guard nodes[Int(part)].contents.contains(.image) else { return false }
    guard images.isInArticle == nil else { return images.containsArticleImage[Int(part)] }
    return images.keepsOuterImages && isImage(part) && isLargeImage(part, allowsLink: false)
  }

  /// Detaches images at the start or end of an element, except large ones between kept text of the
  /// page.
  private mutating func detachEdgeImages(_ elements: [Int32], besides images: ImageSelection) {
    for element in elements
    where !images.keptRange.contains(Int(element)) || !images.keepsOuterImages
      || !isLargeImage(element)
    {
      detach(element)
    }
  }

  /// Returns whether an element shows an image that is neither marked as decoration nor as small as
  /// an icon or portrait, and has no controls and, unless `allowsLink` is true, no links.
  private func isLargeImage(_ element: Int32, allowsLink: Bool = true) -> Bool {
    var (next, hasImage): (Int32?, Bool) = (element, false)
    while let node = next {
      switch nodes[Int(node)].name {
      case .img:
        let sizes = [attributeInteger(.width, of: node), attributeInteger(.height, of: node)]
          .compactMap(\.self)
        let isDecoration = attribute(.alt, of: node)?.isEmpty == true
        if isDecoration || sizes.contains(where: { $0 <= Self.maxIconPixels }) { return false }
        hasImage = true
      case .input, .button, .select: return false
      case .a where !allowsLink: return false
      default: break
      }
      next = nodeAfter(node, in: element)
    }
    return hasImage
  }

  private static let maxIconPixels = 64

  /// Returns whether an inline element shows nothing but line breaks.
  private func showsOnlyLineBreaks(_ element: Int32) -> Bool {
    guard !nodes[Int(element)].name.isBlock, nodes[Int(element)].contents.isEmpty else {
      return false
    }
    var (next, hasBreak) = (nodeAfter(element, in: element), false)
    for _ in 0..<16 {
      guard let node = next else { break }
      switch nodes[Int(node)].name {
      case .br: hasBreak = true
      case .characters where isBlank(node): break
      case let name where name.isBlock || name.isReplaced || name == .input: return false
      default: break
      }
      next = nodeAfter(node, in: element)
    }
    return hasBreak && next == nil
  }

  /// Returns whether an element is the checkbox of a task list: disabled, or in a list with a class
  /// for tasks. Other checkboxes are controls.
  private func isTaskBox(_ node: Int32) -> Bool {
    guard nodes[Int(node)].name == .input, value(.type, of: node, contains: "checkbox") else {
      return false
    }
    var item = nodes[Int(node)].parent ?? 0
    for _ in 0..<3 where item > 0 && nodes[Int(item)].name != .li {
      item = nodes[Int(item)].parent ?? 0
    }
    guard item > 0, nodes[Int(item)].name == .li else { return false }
    let list = nodes[Int(item)].parent ?? 0
    return hasAttribute(.disabled, node) || value(.class, of: item, contains: "task-list")
      || list > 0 && value(.class, of: list, contains: "task-list")
  }

  /// Returns whether an element without text is an image with a name in a line of text, such as a
  /// symbol of the weather.
  func isNamedIcon(_ node: Int32) -> Bool {
    let element = nodes[Int(node)]
    guard !element.name.isBlock, element.name != .img, element.name != .characters,
      value(.role, of: node, contains: "img"),
      element.name == .svg || !element.contents.contains(.text),
      !hasNearAncestor(.a, node), !hasNearAncestor(.button, node), hasName(node)
    else { return false }
    return hasText(beside: node, \.previousSibling) || hasText(beside: node, \.nextSibling)
  }

  /// Returns whether text in the same line is among the nearest siblings in one direction.
  private func hasText(beside node: Int32, _ direction: KeyPath<Node, Int32?>) -> Bool {
    var next = nodes[Int(node)][keyPath: direction]
    for _ in 0..<8 {
      guard let sibling = next else { break }
      let own = nodes[Int(sibling)]
      if own.name == .characters
        ? !isBlank(sibling) : own.contents.contains(.text) && !own.name.neverShowsText
      {
        return !own.name.isBlock
      }
      next = own[keyPath: direction]
    }
    return false
  }

  /// Returns whether an image without a file has a name: a label, or the title of an SVG image,
  /// which the parser names `desc`.
  private func hasName(_ node: Int32) -> Bool {
    if let label = attribute(.ariaLabel, of: node), !label.isEmpty { return true }
    guard nodes[Int(node)].name == .svg else { return false }
    return children(of: node).contains {
      nodes[Int($0)].name == .desc && !collapsedText(below: $0).isEmpty
    }
  }

  /// Returns whether an element shows no text: it has none, or it is an image whose text
  /// alternative is hidden, such as a formula.
  private func showsNoText(_ node: Int32, _ memberships: [Membership]) -> Bool {
    let contents = nodes[Int(node)].contents
    return !contents.contains(.text) || contents.contains(.image) && memberships[Int(node)] == .none
  }

  /// Detaches an element. The text before and after it is separated by a space, unless the element
  /// is within a word and shows nothing.
  private mutating func detach(_ node: Int32, _ memberships: [Membership]) {
    let element = nodes[Int(node)]
    let isSeen =
      memberships[Int(node)] != .none || element.contents.contains(.image)
      || element.name.isReplaced
      || element.name == .input && !value(.type, of: node, contains: "hidden")
    if !element.name.isBlock, isSeen { insert(makeSpace(), before: node) }
    detach(node)
  }

  /// Returns whether an element shows images or other media and no text.
  private func isImage(_ node: Int32) -> Bool {
    let element = nodes[Int(node)]
    switch element.name {
    case .img, .picture, .hr, .video, .audio: return true
    default:
      return element.contents.contains(.image) && !element.contents.contains(.text)
    }
  }

  private mutating func detachChildren(_ node: Int32) {
    while let child = nodes[Int(node)].firstChild { detach(child) }
  }
}

extension ElementName {
  /// Whether the element has no visible content of its own or belongs to another element, as
  /// `summary` and `rp` do.
  fileprivate var hasNoOwnContent: Bool {
    switch self {
    // A `summary` opens its `details`. The parentheses around ruby annotations (`rp`) belong to
    // them.
    case .br, .wbr, .title, .meta, .base, .link, .col, .colgroup, .summary, .rp: true
    default: false
    }
  }

  /// Whether the element is a replaced element, whose children are not shown.
  fileprivate var isReplaced: Bool {
    switch self {
    case .img, .svg, .video, .audio, .iframe, .embed, .object, .canvas, .select, .textarea: true
    default: false
    }
  }
}
