import DOM

// An image is represented by its alternative text, or else by a name if nothing else describes it.
// Decorative images, images that repeat the text beside them, and duplicates (one of which is in
// `noscript`) are left out.

extension DocumentBuilder {
  /// Adds an `img` element: as a character, a text, a name or a block; or omits it.
  mutating func addImage(_ node: Int32) {
    if let character = tree.character(ofImage: node) { return addSafeText(character) }
    leaf.insertSpaceBeforeImage(keepsWhiteSpace: inherited.keepsWhiteSpace)
    let image = image(node)
    let isDecorative = image.alternativeText?.isEmpty == true || tree.isPresentation(node)
    let hasText = !isDecorative && image.alternativeText != nil
    let isAloneInCell = isInImageOnlyCell(node)
    let isDataTableEntry = isAloneInCell && !image.isSmall && tree.isInDataTable(node)
    let isMeaningfulWithoutText =
      image.alternativeText == nil && isAloneInCell && (hasName(image) || isDataTableEntry)
    guard hasText || isMeaningfulWithoutText || !image.source.isEmpty && !image.isSmall else {
      return
    }
    guard !merges(image, node), hasText || !isSpacer(image) else { return }
    if hasText, let text = image.alternativeText {
      guard isDataTableEntry || !isRepeated(text, beside: node) else {
        if isInFigure {
          addNamed(image, node)
        } else if isContent(image, node) {
          addBlock(image, node)
        } else {
          addRepeatedImage(image, node)
        }
        return
      }
      addSeparatedText(text, image: images.add(image))
      recordLastImage(node)
    } else if isInFigure || inherited.linkIndex != nil || isMeaningfulWithoutText
      || !isDecorative && isLikelyMeaningful(image)
      || isIllustration(image, node)
    {
      addNamed(image, node)
    } else if image.alternativeText == nil, isAttachment(node), isContent(image, node) {
      addBlock(image, node)
    } else if !isDecorative, image.width == 0, image.height == 0 {
      images.addUnshown(image)
    }
  }

  /// Adds the raster images in an SVG image, which books use for their covers.
  /// - Parameters:
  ///   - nodes: The `image` elements.
  ///   - name: The name of the SVG image, or empty; the alternative text of images that have none.
  /// - Returns: Whether there is an image to show.
  mutating func addImages(_ nodes: [Int32], inSVGNamed name: String) -> Bool {
    var isShown = false
    for node in nodes {
      guard let range = tree.attribute(.href, of: node),
        let source = imageSource(range) ?? dataURL(range, hasText: !name.isEmpty)
      else { continue }
      var image = image(node)
      image.source = source
      if image.alternativeText == nil, !name.isEmpty { image.alternativeText = name }
      isShown = true
      addEmbedded(image, node)
    }
    return isShown
  }

  /// Adds the image of an `object` or `embed` element, unless it is small.
  /// - Parameters:
  ///   - node: The element.
  ///   - range: The range of its URL.
  /// - Returns: Whether the element has an image, according to its media type or else to the
  ///   extension of its URL.
  mutating func addImage(ofObject node: Int32, _ range: Range<Int>) -> Bool {
    let type = tree.cleanedText(.type, of: node)?.lowercased() ?? ""
    guard type.isEmpty || type.hasPrefix("image/"),
      let source = imageSource(range) ?? dataURL(range, hasText: true),
      !type.isEmpty || source.isImageFile
    else { return false }
    leaf.setSpace(!inherited.keepsWhiteSpace)
    var image = image(node)
    image.source = source
    if !image.isSmall { addEmbedded(image, node) }
    return true
  }

  /// Adds an image that is not in an `img` element, represented by its alternative text or name.
  private mutating func addEmbedded(_ image: Document.Image, _ node: Int32) {
    guard !merges(image, node) else { return }
    guard let text = image.alternativeText, !text.isEmpty else {
      return addPendingImage(image, node)
    }
    addSeparatedText(text, image: images.add(image))
    recordLastImage(node)
  }

  mutating func addPendingImage(_ image: Document.Image, _ node: Int32) {
    images.addPending(image, link: inherited.linkIndex)
    recordLastImage(node)
  }

  /// Adds an image whose alternative text is repeated beside it: below the last leaf if that
  /// repeats the text, else below the next one. An image within a line is an icon and is left out.
  private mutating func addRepeatedImage(_ image: Document.Image, _ node: Int32) {
    guard !leaf.isOpen, !image.source.isEmpty, !image.isSmall else { return }
    let index = images.add(image)
    recordLastImage(node)
    let words = Array((image.alternativeText ?? "").utf8)
    guard isRepeatedBefore(words), let last = containers.blocks.last, !last.runs.isEmpty else {
      return images.showBelowNextLeaf(index)
    }
    images.show(index, below: containers.nextIndex - 1)
  }

  private mutating func recordLastImage(_ node: Int32) {
    images.recordLast(node, of: tree, textEnd: leaf.textEnd)
  }

  private mutating func merges(_ image: Document.Image, _ node: Int32) -> Bool {
    images.mergeIntoLast(image, node, of: tree, textEnd: leaf.textEnd)
  }

  private func image(_ node: Int32) -> Document.Image {
    var alternative = tree.cleanedText(.alt, of: node)
    let source = imageSource(node)
    if let text = alternative,
      tree.isPlaceholder(text, source) || tree.isSpacerText(text, source, node)
    {
      alternative = nil
    }
    var image = Document.Image(
      source: source,
      alternativeText: alternative ?? tree.firstText([.ariaLabel, .title], of: node),
      width: tree.pixelLength(.width, of: node), height: tree.pixelLength(.height, of: node))
    image.candidates = imageCandidates(of: node)
    image.styledSize = tree.sizeDeclarations(of: node).flatMap { image.displaySize(styledBy: $0) }
    return image
  }

  /// Whether the innermost container is a figure.
  var isInFigure: Bool { containers.innermostKind == .figure }

  /// Returns whether an element is in a table cell without text, such as a check mark.
  func isInImageOnlyCell(_ node: Int32) -> Bool {
    guard case .cell = containers.innermostKind else { return false }
    var ancestor = node
    for _ in 0..<4 {
      guard let parent = tree.nodes[Int(ancestor)].parent else { return false }
      ancestor = parent
      let cell = tree.nodes[Int(ancestor)]
      if cell.name == .td || cell.name == .th { return !cell.contents.contains(.text) }
    }
    return false
  }

  /// Returns whether the file name is that of a spacer image.
  private func isSpacer(_ image: Document.Image) -> Bool {
    FileName(reference: image.source)?.isSpacerName == true
  }

  private func hasName(_ image: Document.Image) -> Bool {
    guard let name = FileName(reference: image.source) else { return false }
    return name.isDescriptive
  }

  // MARK: Repeated images and text

  /// Returns whether the page repeats a text beside a node: directly before or after it, in a link
  /// to the same target, or in the caption of its figure. A single character does not count.
  func isRepeated(_ text: String, beside node: Int32) -> Bool {
    guard !text.isSingleCharacter else { return false }
    let words = Array(text.utf8)
    return isRepeated(words, after: node) || isRepeatedBefore(words)
      || inherited.linkIndex != nil && isRepeated(words, inLinksLike: node)
      || isRepeated(words, inCaptionOf: node)
  }

  /// Returns whether the link around a node, or a nearby later link to the same target, has similar
  /// text, as in a list of articles with an image, a date and a heading each.
  private func isRepeated(_ words: [UInt8], inLinksLike node: Int32) -> Bool {
    guard let outerLink = tree.linkNode(around: node),
      let target = tree.attribute(.href, of: outerLink)
    else {
      return false
    }
    let wanted = tree.terms(words[...])
    if wanted.isSimilar(to: tree.terms(below: outerLink)) { return true }
    var next = tree.nodeAfterSubtree(node, in: 0)
    for _ in 0..<64 {
      guard let node = next else { break }
      let current = tree.nodes[Int(node)]
      if current.name == .a, current.contents.contains(.text),
        let otherTarget = tree.attribute(.href, of: node),
        tree.bytes[otherTarget] == tree.bytes[target]
      {
        return wanted.isSimilar(to: tree.terms(below: node))
      }
      next = tree.nodeAfter(node, in: 0)
    }
    return false
  }

  /// Returns whether a text follows a node directly. At most 64 nodes are examined.
  func isRepeated(_ words: [UInt8], after node: Int32) -> Bool {
    var position = 0
    var next = tree.nodeAfterSubtree(node, in: 0)
    for _ in 0..<64 {
      guard let descendant = next else { break }
      let current = tree.nodes[Int(descendant)]
      if current.name == .img { return false }
      if current.name == .characters {
        guard position > 0 || inherited.linkIndex == nil || tree.haveSameTarget(descendant, node)
        else {
          return false
        }
        let range = Int(current.start)..<Int(current.end)
        switch tree.bytes.compareText(in: range, with: words, from: position) {
        case .different: return false
        case .equal: return true
        case .prefix(let end): position = end
        }
      }
      let isSkipped = current.name == .svg || current.name == .noscript
      next =
        isSkipped ? tree.nodeAfterSubtree(descendant, in: 0) : tree.nodeAfter(descendant, in: 0)
    }
    return false
  }

  /// The maximum number of bytes after and between words that are repeated.
  private static let maxSeparatorLength = 1024

  /// Returns whether the text written so far ends with a text.
  private func isRepeatedBefore(_ words: [UInt8]) -> Bool {
    guard let run = leaf.runs.last,
      linkedTarget == nil || target(of: run.link) == linkedTarget
    else { return false }
    let text = leaf.text
    let start = max(0, text.count - words.count - Self.maxSeparatorLength)
    var index = text.count
    var position = words.count
    while position > 0 {
      position -= 1
      guard words[position].isPartOfWord else { continue }
      repeat {
        index -= 1
        guard index >= start else { return false }
      } while !text[index].isPartOfWord
      guard text[index].lowercased == words[position].lowercased else { return false }
    }
    guard index < text.count else { return false }
    // Texts of consecutive blocks are not separated by a space.
    return index == 0 || !text[index - 1].isPartOfWord
      || leaf.runs.suffix(16).contains { $0.start == index }
  }

  /// The target of the link that contains the current node; nil outside links.
  var linkedTarget: String? { target(of: inherited.linkIndex) }

  /// Returns the target of a link, or nil without a link.
  private func target(of link: OptionalIndex) -> String? {
    link.value.map { document.links[$0].target }
  }

  /// Returns whether a link with text directly before or after a link has the same target.
  func hasSameTargetLink(beside node: Int32) -> Bool {
    guard let target = tree.attribute(.href, of: node) else { return false }
    let reference = tree.bytes[target]
    if let run = leaf.runs.last, let target = self.target(of: run.link),
      target.utf8.elementsEqual(reference)
    {
      return true
    }
    var next = tree.nodeAfterSubtree(node, in: 0)
    for _ in 0..<64 {
      guard let node = next else { break }
      let current = tree.nodes[Int(node)]
      if current.name == .a, let otherTarget = tree.attribute(.href, of: node) {
        return tree.bytes[otherTarget] == reference && current.contents.contains(.text)
      }
      next = tree.nodeAfter(node, in: 0)
    }
    return false
  }

  // MARK: Descriptions and names

  static let imageExtensions: Set<String> = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "ico",
  ]

  /// Adds pending images outside a line as blocks, represented by their names.
  mutating func addPendingImages() {
    let pending = images.takePending()
    let outerState = inherited
    inherited.leafKind = .paragraph
    inherited.style = []
    for (image, target) in pending {
      inherited.linkIndex = target
      addSeparatedText(images.all[Int(image)].displayName, image: image)
      closeLeaf()
    }
    images.moveLast(to: leaf.textEnd)
    inherited = outerState
  }
}

extension DOMTree {
  /// Returns the text that an inline image represents: an emoji, an emoticon such as `:-)` or
  /// `:smile:`, or a drop cap at the start of a word.
  /// - Parameter node: An `img` element.
  /// - Returns: The text; nil if the image represents something else.
  package func character(ofImage node: Int32) -> String? {
    guard let range = attribute(.alt, of: node), !range.isEmpty, range.count <= 64 else {
      return nil
    }
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return nil }
    let isEmoji = text.count == 1 && scalar.properties.isEmoji && scalar.value > 0x203B
    if isEmoji || isEmoticon(text, of: node) {
      return isInlineWithSibling(node, \.previousSibling)
        || isInlineWithSibling(node, \.nextSibling) ? SafeText.line(text) : nil
    }
    guard text.count == 1, scalar.properties.isAlphabetic, let next = textNode(directlyAfter: node),
      case let following = bytes[Int(nodes[Int(next)].start)..<Int(nodes[Int(next)].end)],
      let first = following.first, first.isLetter || first >= 0xC3
    else { return nil }
    return SafeText.line(text)
  }

  /// Returns whether the alternative text of an image is an emoticon: it begins with a sign, and
  /// the image has a customary class.
  private func isEmoticon(_ text: String, of image: Int32) -> Bool {
    guard text.count > 1, let first = text.first, first.isPunctuation || first.isSymbol,
      !text.contains(where: \.isWhitespace)
    else { return false }
    return value(.class, of: image, contains: "smil") || value(.class, of: image, contains: "emoji")
      || value(.class, of: image, contains: "emoticon")
  }

  /// Returns the text node directly after a node, or after the `span` elements that contain nothing
  /// else and make a drop cap float; nil if anything else follows.
  private func textNode(directlyAfter node: Int32) -> Int32? {
    var innerNode = node
    for _ in 0..<3 {
      if let next = nodes[Int(innerNode)].nextSibling {
        return nodes[Int(next)].name == .characters ? next : nil
      }
      guard let parent = nodes[Int(innerNode)].parent, nodes[Int(parent)].name == .span,
        nodes[Int(parent)].firstChild == innerNode
      else { return nil }
      innerNode = parent
    }
    return nil
  }

  /// Returns whether the next sibling on a side, apart from white space, contains text, or is
  /// another image, within the same line.
  private func isInlineWithSibling(
    _ node: Int32, _ side: KeyPath<DOMTree.Node, Int32?>
  ) -> Bool {
    var next = nodes[Int(node)][keyPath: side]
    while let other = next, nodes[Int(other)].name == .characters, isBlank(other) {
      next = nodes[Int(other)][keyPath: side]
    }
    guard let sibling = next.map({ nodes[Int($0)] }) else { return false }
    return sibling.name == .characters
      || !sibling.name.isBlock && (sibling.contents.contains(.text) || sibling.name == .img)
  }
}

extension Document.Image {
  /// Returns the size that a `style` attribute sets; nil if it sets none. The aspect ratio of the
  /// attributes `width` and `height` determines a dimension that the style does not set.
  fileprivate func displaySize(styledBy style: SizeDeclarations) -> DisplaySize? {
    guard style != SizeDeclarations() else { return nil }
    var size = DisplaySize(width: width, height: height)
    // If one dimension is styled, the other one follows the aspect ratio (`height: auto`).
    if style.width != nil || style.height != nil {
      if width > 0, height > 0 {
        size = DisplaySize(width: 0, height: 0)
        size.heightRatio = Double(height) / Double(width)
      }
      if let width = style.width { size.width = Int32(width.rounded(.up)) }
      if let height = style.height { size.height = Int32(height.rounded(.up)) }
    }
    if let ratio = style.aspectRatio { size.heightRatio = 1 / ratio }
    return size
  }

  /// Whether the image is an icon or a tracking pixel.
  var isSmall: Bool {
    width > 0 && width < 32 || height > 0 && height < 32
  }
}

/// The result of comparing a text with words.
private enum TextComparison {
  case different, equal
  /// All of the text matches; the remaining words, from this offset, must follow.
  case prefix(Int)
}

extension [UInt8] {
  /// Compares a range with words from an offset on, ignoring case and separators.
  fileprivate func compareText(
    in range: Range<Int>, with words: [UInt8], from start: Int
  ) -> TextComparison {
    var position = start
    for index in range where self[index].isPartOfWord {
      while position < words.count, !words[position].isPartOfWord { position += 1 }
      guard position < words.count else { break }
      guard self[index].lowercased == words[position].lowercased else { return .different }
      position += 1
      let isEnd = !words[position...].contains(where: \.isPartOfWord)
      if isEnd {
        let next = index + 1
        return next < range.upperBound && self[next].isPartOfWord ? .different : .equal
      }
    }
    return .prefix(position)
  }
}

extension DOMTree {
  /// Returns the first words below a node in lower case.
  fileprivate func terms(below root: Int32) -> Set<[UInt8]> {
    var text: [UInt8] = []
    var next = nodeAfter(root, in: root)
    for _ in 0..<64 {
      guard let node = next, text.count < 512 else { break }
      let current = nodes[Int(node)]
      if current.name == .characters {
        text += bytes[Int(current.start)..<Int(current.end)].prefix(512)
      } else {
        text.append(0x20)
      }
      next = nodeAfter(node, in: root)
    }
    return terms(text[...])
  }

  fileprivate func terms(_ text: ArraySlice<UInt8>) -> Set<[UInt8]> {
    Set(text.split { !$0.isPartOfWord }.map { $0.map(\.lowercased) })
  }
}

extension Set<[UInt8]> {
  /// Returns whether all words occur in another text, or at least half of the words of both are
  /// shared (Dice coefficient).
  fileprivate func isSimilar(to other: Self) -> Bool {
    guard !isEmpty, !other.isEmpty else { return false }
    let shared = intersection(other).count
    return shared == count || 4 * shared >= count + other.count
  }
}

extension UInt8 {
  /// Whether the byte belongs to a letter, a digit, or a character outside ASCII.
  fileprivate var isPartOfWord: Bool { isLetter || isDigit || self >= 0x80 }
}

extension DOMTree {
  /// Returns the number in an attribute; 0 if missing or a percentage.
  func pixelLength(_ name: AttributeName, of node: Int32) -> Int32 {
    guard let range = attribute(name, of: node), !bytes[range].contains(UInt8(ascii: "%"))
    else { return 0 }
    return Int32(clamping: max(0, min(100_000, attributeInteger(name, of: node) ?? 0)))
  }

  func isPresentation(_ node: Int32) -> Bool {
    value(.role, of: node, contains: "presentation")
      || value(.role, of: node, contains: "none")
  }

  /// Returns whether the table around a node begins with a header cell, so that each cell contains
  /// data.
  package func isInDataTable(_ node: Int32) -> Bool {
    var table = node
    while nodes[Int(table)].name != .table {
      guard let parent = nodes[Int(table)].parent else { return false }
      table = parent
    }
    var next = nodeAfter(table, in: table)
    for _ in 0..<16 {
      guard let node = next else { break }
      if nodes[Int(node)].name == .th { return true }
      if nodes[Int(node)].name == .td { return false }
      next = nodeAfter(node, in: table)
    }
    return false
  }

  /// Returns whether a description is only a name for spacers or tracking pixels, and the size or
  /// the file name of the image confirms it.
  fileprivate func isSpacerText(_ text: String, _ source: String, _ node: Int32) -> Bool {
    guard FileName(text: text).isSpacerName else { return false }
    if FileName(reference: source)?.isSpacerName == true { return true }
    let style = sizeDeclarations(of: node)
    return 1...2 ~= pixelLength(.width, of: node) || 1...2 ~= pixelLength(.height, of: node)
      || style?.width.map { $0 <= 2 } == true || style?.height.map { $0 <= 2 } == true
  }

  /// Returns whether two nodes are in links to the same target.
  fileprivate func haveSameTarget(_ one: Int32, _ other: Int32) -> Bool {
    guard let target = linkTarget(around: one), let second = linkTarget(around: other) else {
      return false
    }
    return bytes[target] == bytes[second]
  }

  fileprivate func linkTarget(around node: Int32) -> Range<Int>? {
    linkNode(around: node).flatMap { attribute(.href, of: $0) }
  }

  fileprivate func linkNode(around node: Int32) -> Int32? {
    var next: Int32? = node
    for _ in 0..<32 {
      guard let node = next else { break }
      if nodes[Int(node)].name == .a { return node }
      next = nodes[Int(node)].parent
    }
    return nil
  }

  /// Returns whether a description is only the name of the file or a generated identifier.
  fileprivate func isPlaceholder(_ text: String, _ source: String) -> Bool {
    guard !text.utf8.contains(0x20) else { return false }
    // Zero-width spaces, which some pages use instead of empty text.
    guard text.unicodeScalars.contains(where: { !(0x200B...0x200D).contains($0.value) }) else {
      return !text.isEmpty
    }
    if isFileName(text) { return !FileName(text: text).isDescriptive || source.hasSuffix(text) }
    return FileName(text: text).hasFingerprint
  }

  /// Returns whether a description is only a file name.
  func isFileName(_ text: String) -> Bool {
    guard !text.utf8.contains(0x20), let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    return DocumentBuilder.imageExtensions.contains(text[dot...].dropFirst().lowercased())
  }
}
