import DOM

// SVG images: their text on a line, or the HTML in them.

extension DocumentBuilder {
  /// Enters an SVG image. Returns false if its children are to be skipped because its text was
  /// added on a line.
  mutating func enterSVG(_ node: Int32) -> Bool {
    leaf.setSpace(!inherited.keepsWhiteSpace)
    guard !tree.value(.ariaHidden, of: node, contains: "true") else { return false }
    if tree.isWholePage(node) {
      inherited.drawing = .page
    } else if tree.containsBlocks(svg: node) {
      inherited.drawing = .part
    } else {
      addSVG(node)
    }
    return inherited.drawing != nil
  }

  /// Adds the text in an SVG image. Its name is added only if nothing else describes it, because
  /// most SVG images beside text are icons.
  private mutating func addSVG(_ node: Int32) {
    let (name, texts, imageNodes) = svgContent(of: node)
    if !texts.isEmpty {
      addSVGText(texts)
    } else if inherited.linkIndex == nil, !name.isEmpty,
      tree.value(.role, of: node, contains: "img") || isSignInCell(node),
      !isRepeated(name, beside: node)
    {
      let image = images.add(Document.Image(source: "", alternativeText: name))
      addSeparatedText(name, image: image)
    } else if addImages(imageNodes, inSVGNamed: name) {
      return
    } else if !name.isEmpty,
      isInFigure || inherited.linkIndex != nil || tree.value(.role, of: node, contains: "img")
    {
      let image = Document.Image(source: "", alternativeText: name)
      images.addPending(image, link: inherited.linkIndex)
    }
  }

  /// Returns the name of an SVG image, the texts in it with their links, and the images in it.
  private func svgContent(
    of node: Int32
  ) -> (name: String, texts: [(text: String, link: Int32?)], imageNodes: [Int32]) {
    var name = tree.firstText([.ariaLabel], of: node) ?? ""
    var texts: [(text: String, link: Int32?)] = []
    var imageNodes: [Int32] = []
    var next = tree.nodeAfter(node, in: node)
    while let descendant = next {
      let elementName = tree.nodes[Int(descendant)].name
      switch elementName {
      case _ where elementName != .characters && isHiddenInSVG(descendant):
        next = tree.nodeAfterSubtree(descendant, in: node)
      case .image:
        imageNodes.append(descendant)
        next = tree.nodeAfterSubtree(descendant, in: node)
      case .desc, .title:
        if name.isEmpty { name = tree.cleanedText(below: descendant) }
        next = tree.nodeAfterSubtree(descendant, in: node)
      case .text, .foreignObject:
        let content =
          elementName == .text ? tree.svgText(descendant) : tree.cleanedText(below: descendant)
        texts.append((content, tree.linkNode(around: descendant, in: node)))
        next = tree.nodeAfterSubtree(descendant, in: node)
      // Content that is drawn elsewhere or not at all.
      case .defs, .symbol: next = tree.nodeAfterSubtree(descendant, in: node)
      default: next = tree.nodeAfter(descendant, in: node)
      }
    }
    return (name, texts, imageNodes)
  }

  /// Returns whether an SVG element is hidden by styles or by its own attributes, or is a child of
  /// a `switch` that shows another one (SVG 2 §5.8).
  private func isHiddenInSVG(_ node: Int32) -> Bool {
    if hiding.hides(node, of: tree) || tree.value(.svgDisplay, of: node, contains: "none")
      || tree.value(.svgVisibility, of: node, contains: "hidden")
    {
      return true
    }
    guard let parent = tree.nodes[Int(node)].parent else { return false }
    return tree.nodes[Int(parent)].name == .svgSwitch
      && shownChild(ofSwitch: parent) != node
  }

  /// Returns the child that a `switch` shows: the first one for any language, for the language of
  /// the page or for English, or else the first child; nil without one. At most 64 nodes are
  /// examined.
  private func shownChild(ofSwitch node: Int32) -> Int32? {
    let language = document.language.prefix(2).lowercased()
    var first: Int32?
    var next = tree.nodes[Int(node)].firstChild
    for _ in 0..<64 {
      guard let child = next else { break }
      if tree.nodes[Int(child)].name != .characters {
        if first == nil { first = child }
        guard let languages = tree.cleanedText(.systemLanguage, of: child) else { return child }
        let tags = languages.split(separator: ",").map { tag in
          tag.drop(while: \.isWhitespace).prefix(2).lowercased()
        }
        if tags.contains(where: { $0 == language || $0 == "en" }) { return child }
      }
      next = tree.nodes[Int(child)].nextSibling
    }
    return first
  }

  /// Returns whether an image is the only content of a cell of a data table, such as a check mark.
  private func isSignInCell(_ node: Int32) -> Bool {
    guard case .data = tables.innermost else { return false }
    var part = node
    for _ in 0..<Self.maxSignDepth {
      for side in [\DOMTree.Node.previousSibling, \.nextSibling] {
        var next = tree.nodes[Int(part)][keyPath: side]
        while let sibling = next {
          guard tree.nodes[Int(sibling)].name == .characters, tree.isBlank(sibling) else {
            return false
          }
          next = tree.nodes[Int(sibling)][keyPath: side]
        }
      }
      guard let parent = tree.nodes[Int(part)].parent else { return false }
      part = parent
      if tree.nodes[Int(part)].name == .td || tree.nodes[Int(part)].name == .th { return true }
    }
    return false
  }

  private static let maxSignDepth = 4

  /// Adds the text of an SVG image with its links.
  private mutating func addSVGText(_ words: [(text: String, link: Int32?)]) {
    var rest = words[...]
    while let first = rest.first {
      let part = rest.prefix { $0.link == first.link }
      let outerLinkIndex = inherited.linkIndex
      if let anchor = first.link, let range = tree.attribute(.href, of: anchor),
        case let target = Self.cleanedTarget(tree.bytes[range]), !target.hasScriptScheme
      {
        inherited.linkIndex = OptionalIndex(addLink(target, title: "", kind: .anchor))
      }
      addSeparatedText(part.map(\.text).joined(separator: " "), style: .image)
      inherited.linkIndex = outerLinkIndex
      rest = rest[part.endIndex...]
    }
  }

  // MARK: Blocks in images

  /// Enters an element of an SVG image that `enterSVG` entered. Returns false if its children are
  /// to be skipped.
  mutating func enterDrawing(_ node: Int32, _ name: ElementName) -> Bool {
    guard !isHiddenInSVG(node) else { return false }
    switch name {
    case .foreignObject:
      inherited.drawing = nil
      breakBlock()
      return true
    case .a:
      guard inherited.isInvisible else { return enterInline(node, name) }
      recordUnshownLink(node)
      return true
    case .text, .title, .desc:
      if !inherited.isInvisible { addDrawnText(node, name) }
      return false
    // Content that is drawn elsewhere or not at all.
    case .defs, .symbol, .style, .script, .template: return false
    default: return true
    }
  }

  /// Adds a text, title or description. In an image that is a whole page, it is a block.
  private mutating func addDrawnText(_ node: Int32, _ name: ElementName) {
    let content = name == .text ? tree.svgText(node) : tree.cleanedText(below: node)
    guard inherited.drawing == .page else {
      if name == .text { addSVGText([(content, nil)]) }
      return
    }
    let svg = tree.nodes[Int(node)].parent ?? 0
    let isTitle = name != .text && !head.hasTitle && tree.nodes[Int(svg)].parent == 0
    if isTitle { head.setTitle(content) }
    closeLeaf()
    inherited.leafKind = isTitle ? .heading(1) : .paragraph
    addSeparatedText(content)
    closeLeaf()
  }

  /// Leaves an element that `enterDrawing` entered.
  mutating func leaveDrawing(_ frame: ElementState, _ name: ElementName) {
    switch name {
    case .foreignObject:
      if containers.count > frame.openContainerCount { closeLeaf() } else { breakBlock() }
      containers.close(downTo: frame.openContainerCount)
    case .a where !inherited.isInvisible: leaveInline(frame, name)
    default: break
    }
  }

  /// Leaves an SVG image that `enterSVG` entered. A page without text is named by the label of its
  /// image.
  mutating func leaveSVG(_ frame: ElementState) {
    guard inherited.drawing == .page else { return }
    closeLeaf()
    guard containers.blocks.isEmpty, let name = tree.firstText([.ariaLabel], of: frame.node) else {
      return
    }
    addSeparatedText(name)
    closeLeaf()
  }
}

extension DOMTree {
  /// Returns the text of a `text` element of an SVG image. Adjacent elements in it, such as
  /// `tspan`, and those with a position after a text are lines or columns, unless they are single
  /// letters.
  fileprivate func svgText(_ node: Int32) -> String {
    var bytes: [UInt8] = []
    var (lengthBefore, followsElement) = (0, false)
    var next = nodes[Int(node)].firstChild
    while let child = next, bytes.count < Self.maxSVGTextLength {
      let domNode = nodes[Int(child)]
      let start = bytes.count
      if domNode.name == .characters {
        bytes += self.bytes[Int(domNode.start)..<Int(domNode.end)]
        (lengthBefore, followsElement) = (bytes.count - start, false)
      } else if domNode.name != .title, domNode.name != .desc {
        var nextPart = nodeAfter(child, in: child)
        while let part = nextPart {
          let domNode = nodes[Int(part)]
          if domNode.name == .characters {
            bytes += self.bytes[Int(domNode.start)..<Int(domNode.end)]
          }
          nextPart = nodeAfter(part, in: child)
        }
        let length = bytes[start...].count { $0 & 0xC0 != 0x80 }
        if lengthBefore > 1, length > 1, followsElement || hasAttribute(.svgX, child) {
          bytes.insert(0x20, at: start)
        }
        (lengthBefore, followsElement) = (length, true)
      }
      next = domNode.nextSibling
    }
    return DocumentBuilder.cleanedLine(bytes.prefix(Self.maxSVGTextLength))
  }

  fileprivate static let maxSVGTextLength = 4096

  /// Returns the `a` element around a node within an SVG image; nil if there is none.
  fileprivate func linkNode(around node: Int32, in svg: Int32) -> Int32? {
    var next: Int32? = node
    for _ in 0..<32 {
      guard let ancestor = next, ancestor != svg else { break }
      if nodes[Int(ancestor)].name == .a { return ancestor }
      next = nodes[Int(ancestor)].parent
    }
    return nil
  }

  /// Returns whether an element is the only content of the page.
  fileprivate func isWholePage(_ node: Int32) -> Bool {
    guard nodes[Int(node)].parent == 0 else { return false }
    var next = nodes[0].firstChild
    while let child = next {
      if child != node, nodes[Int(child)].name != .characters || !cleanedText(of: child).isEmpty {
        return false
      }
      next = nodes[Int(child)].nextSibling
    }
    return true
  }

  /// Returns whether the HTML in an SVG image (`foreignObject`) is more than labels on a line:
  /// whether it contains a link, a list, another image or several paragraphs, for example.
  fileprivate func containsBlocks(svg: Int32) -> Bool {
    guard nodes[Int(svg)].contents != [] else { return false }
    var next = nodeAfter(svg, in: svg)
    while let node = next {
      if nodes[Int(node)].name == .foreignObject {
        if isMoreThanLabel(node) { return true }
        next = nodeAfterSubtree(node, in: svg)
      } else {
        next = nodeAfter(node, in: svg)
      }
    }
    return false
  }

  fileprivate func isMoreThanLabel(_ foreignObject: Int32) -> Bool {
    var paragraphCount = 0
    var next = nodeAfter(foreignObject, in: foreignObject)
    for _ in 0..<Self.maxNodesOfLabel {
      guard let node = next else { break }
      switch nodes[Int(node)].name {
      case .ul, .ol, .dl, .table, .pre, .blockquote, .h1, .h2, .h3, .h4, .h5, .h6, .details, .img,
        .iframe, .input, .button, .select, .textarea:
        return true
      case .a where hasAttribute(.href, node): return true
      case .p: paragraphCount += 1
      default: break
      }
      next = nodeAfter(node, in: foreignObject)
    }
    return paragraphCount > 1 || next != nil
  }

  /// The maximum number of nodes of a label. Nested images are examined once for each level.
  fileprivate static let maxNodesOfLabel = 1024
}
