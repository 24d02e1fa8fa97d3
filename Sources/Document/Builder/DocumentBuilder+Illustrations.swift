import DOM

// Images that are content by their size, their place or their file name, although their
// descriptions are missing, empty, or repeated by the text beside them.

extension DocumentBuilder {
  /// Returns whether an image without a description is likely to be content: it is large, or its
  /// file name is descriptive.
  func isLikelyMeaningful(_ image: Document.Image) -> Bool {
    if image.isLarge { return true }
    guard let name = FileName(reference: image.source) else { return false }
    // SVG images without a description are mostly decoration.
    return name.isDescriptive && !name.text.lowercased().hasSuffix(".svg")
  }

  /// Returns whether an image with a declared size, or a photograph, is in a paragraph without
  /// text, which makes it a part of the content, or is large and the only content of a button. An
  /// image with an empty description (`alt=""`) counts in a paragraph only in reader view, and only
  /// if it is large.
  func isIllustration(_ image: Document.Image, _ node: Int32) -> Bool {
    let hasSize = image.width > 0 || image.height > 0
    guard hasSize || image.mayBePhotograph else { return false }
    let isDecorative = image.alternativeText?.isEmpty == true || tree.isPresentation(node)
    if isDecorative {
      guard image.isLarge, !tree.isPresentation(node) else { return false }
    }
    // Reader view turns `div` elements into paragraphs.
    let original = hasSize ? tree : wholePage ?? tree
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    for _ in 0..<4 where ancestor > 0 {
      let domNode = tree.nodes[Int(ancestor)]
      if domNode.contents.contains(.text) { return false }
      let name = Int(ancestor) < original.nodes.count ? original.nodes[Int(ancestor)].name : .div
      // A button without text that shows a large image enlarges it.
      if image.isLarge, tree.isButton(ancestor) { return true }
      if name == .p || name == .center || wholePage != nil && hasSize && name == .div {
        return !isDecorative || wholePage != nil
      }
      if domNode.name.isBlock { return false }
      ancestor = domNode.parent ?? 0
    }
    return false
  }

  /// Returns whether a button in a figure contains a large image. Its text is a label beside the
  /// image.
  func enlargesFigure(_ button: Int32) -> Bool {
    guard isInFigure, tree.nodes[Int(button)].contents.contains(.image) else { return false }
    var next = tree.nodeAfter(button, in: button)
    for _ in 0..<Self.maxButtonNodes {
      guard let node = next else { break }
      if tree.nodes[Int(node)].name == .img,
        Document.Image.isLarge(
          width: tree.pixelLength(.width, of: node), height: tree.pixelLength(.height, of: node))
      {
        return true
      }
      next = tree.nodeAfter(node, in: button)
    }
    return false
  }

  /// Maximum number of nodes of a button that are searched for an image.
  private static let maxButtonNodes = 32

  /// Returns whether an image is content although the text beside it repeats its description: it is
  /// large or an attachment, and not in a link to a page, of which it would be the preview.
  func isContent(_ image: Document.Image, _ node: Int32) -> Bool {
    guard inherited.leafKind == .paragraph || inherited.leafKind == .term && !leaf.isOpen,
      !inherited.style.contains(.control),
      !image.source.isEmpty, !image.isSmall
    else { return false }
    if image.isLarge, linkedTarget?.isImageFile ?? true { return true }
    return !leaf.isOpen && isAttachment(node)
  }

  /// Returns whether the description of an image is only the name of its file, and the text after
  /// it names the file, too.
  func isAttachment(_ node: Int32) -> Bool {
    guard let name = tree.cleanedText(.alt, of: node), tree.isFileName(name) else { return false }
    return isRepeated(Array(name.utf8), after: node)
  }

  /// Adds an image as a block of its own, represented by its name.
  mutating func addBlock(_ image: Document.Image, _ node: Int32) {
    if leaf.isOpen { closeLeaf() }
    addPendingImage(image, node)
    addPendingImages()
  }

  /// Adds an image that is shown by its name. In a figure, it does not share a line with text,
  /// where it would be taken for an icon.
  mutating func addNamed(_ image: Document.Image, _ node: Int32) {
    if leaf.isOpen, inherited.leafKind == .paragraph, isInFigure,
      !inherited.style.contains(.control),
      isLikelyMeaningful(image)
    {
      closeLeaf()
    }
    addPendingImage(image, node)
  }

  /// Whether images of a figure wait for a block of their own when text of the figure begins.
  var hasPendingFigure: Bool {
    inherited.leafKind == .paragraph && isInFigure
      && images.pending.contains { isLikelyMeaningful(images.all[Int($0.image)]) }
  }
}

extension Document.Image {
  /// Whether the image has the declared size of a photograph.
  fileprivate var isLarge: Bool { Self.isLarge(width: width, height: height) }

  fileprivate static func isLarge(width: Int32, height: Int32) -> Bool {
    width >= 200 && height >= 150
  }

  /// Whether the image has no description and a format of photographs. Decorations are mostly GIF,
  /// PNG or SVG images.
  fileprivate var mayBePhotograph: Bool {
    guard alternativeText == nil, let name = FileName(reference: source),
      let dot = name.text.lastIndex(of: "."), !name.namesDecoration
    else { return false }
    let suffix = name.text[dot...].dropFirst().lowercased()
    return ["jpg", "jpeg", "webp", "avif", "heic"].contains(suffix)
  }
}

extension DOMTree {
  fileprivate func isButton(_ node: Int32) -> Bool {
    nodes[Int(node)].name == .button || value(.role, of: node, contains: "button")
  }

  /// Returns whether a range of the page is blank, with no-break spaces counted as white space.
  func isFiller(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0.isWhiteSpace || $0 == 0xC2 || $0 == 0xA0 }
  }
}
