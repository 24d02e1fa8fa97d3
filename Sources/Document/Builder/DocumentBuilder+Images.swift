import DOM

// What an image shows: its alternative text; without one, what there is to say about it and only
// where nothing else is. Decorations, images that only say again what stands beside them, and
// those that the page has twice (once for browsers without scripts) show nothing.

extension DocumentBuilder {
  /// The image that came last.
  struct LastImage {
    var source: String
    var alternative: String?
    /// The length of the text behind it.
    var textEnd: Int
    /// It is there for browsers without scripts.
    var isForNoScripts: Bool
    /// Its index among the images.
    var index: Int
  }

  mutating func addImage(_ node: Int32) {
    if let character = tree.character(ofImage: node) { return addLiteral(character) }
    if !pendingSpace { ownSpace = document.text.count }
    pendingSpace = !keepsWhiteSpace && (pendingSpace || leafRun >= 0)
    let image = image(node)
    let isDecorative = image.alternative?.isEmpty == true || isPresentation(node)
    let hasText = !isDecorative && image.alternative != nil
    let isAlone = isWholeCell(node)
    let isDatum = isAlone && !image.isSmall && isInDataTable(node)
    let isSign = image.alternative == nil && isAlone && (hasName(image) || isDatum)
    guard hasText || isSign || !image.source.isEmpty && !image.isSmall else { return }
    guard !repeatsLastImage(image, node), hasText || !isSpacer(image) else { return }
    if hasText, let text = image.alternative {
      guard isDatum || !isRepeated(text, beside: node) else {
        if isInFigure { addPending(image, node) } else { addRepeated(image, node) }
        return
      }
      let index = Int32(document.images.count)
      document.images.append(image)
      addWord(text, image: index)
      noteLast(image, node)
    } else if isInFigure || link >= 0 || isSign || !isDecorative && isWorthSeeing(image) {
      addPending(image, node)
    } else if !isDecorative, image.width == 0, image.height == 0,
      document.unshownImages.count < Self.mostUnshown
    {
      document.unshownImages.append(image)
    }
  }

  /// Adds the pictures of a drawing, by which books show their covers.
  /// - Parameters:
  ///   - nodes: the pictures.
  ///   - name: what the drawing is called, or empty: what a picture says that says nothing itself.
  /// - Returns: whether there is one to show.
  mutating func addPictures(_ nodes: [Int32], drawnWith name: String) -> Bool {
    var isShown = false
    for node in nodes {
      guard let range = tree.attribute(.href, of: node),
        let source = imageSource(range) ?? embeddedSource(range, hasText: !name.isEmpty)
      else { continue }
      var image = image(node)
      image.source = source
      if image.alternative == nil, !name.isEmpty { image.alternative = name }
      isShown = true
      guard !repeatsLastImage(image, node) else { continue }
      guard let text = image.alternative, !text.isEmpty else {
        addPending(image, node)
        continue
      }
      addWord(text, image: Int32(document.images.count))
      document.images.append(image)
      noteLast(image, node)
    }
    return isShown
  }

  /// A page may have very many.
  private static let mostUnshown = 1000

  private mutating func addPending(_ image: Document.Image, _ node: Int32) {
    pendingImages.append((Int32(document.images.count), link))
    document.images.append(image)
    noteLast(image, node)
  }

  /// Adds an image whose words stand beside it: below the last leaf, if nothing came since, else below the next one.
  /// Within a line it is a sign.
  private mutating func addRepeated(_ image: Document.Image, _ node: Int32) {
    guard leafRun < 0, !image.source.isEmpty, !image.isSmall else { return }
    let index = Int32(document.images.count)
    document.images.append(image)
    noteLast(image, node)
    let words = Array((image.alternative ?? "").utf8)
    guard isRepeatedBefore(words), let last = document.blocks.last, !last.runs.isEmpty else {
      return imagesAbove.append((index, standsAlone: false))
    }
    document.imagesBelow.append(
      Document.ImageBelow(
        block: Int32(document.blocks.count) - 1, image: index, standsAlone: true))
  }

  /// Puts the images that waited for a leaf below it.
  mutating func placeImages(below block: Int32) {
    document.imagesBelow += imagesAbove.map {
      Document.ImageBelow(block: block, image: $0.image, standsAlone: $0.standsAlone)
    }
    imagesAbove.removeAll(keepingCapacity: true)
  }

  private mutating func noteLast(_ image: Document.Image, _ node: Int32) {
    lastImage = LastImage(
      source: image.source, alternative: image.alternative, textEnd: document.text.count,
      isForNoScripts: isForNoScripts(node), index: document.images.count - 1)
  }

  private func image(_ node: Int32) -> Document.Image {
    var alternative = text(.alt, of: node)
    let source = imageSource(node)
    if let text = alternative, saysNothing(text, source) { alternative = nil }
    var image = Document.Image(
      source: source,
      alternative: alternative ?? firstText([.ariaLabel, .title], of: node),
      width: pixels(.width, of: node), height: pixels(.height, of: node))
    image.candidates = candidates(of: node)
    image.styled = tree.styledSize(of: node).flatMap { image.shape(styledBy: $0) }
    return image
  }

  /// The number in an attribute; 0 where there is none, or it is a part of what is around.
  private func pixels(_ name: AttributeName, of node: Int32) -> Int32 {
    guard let range = tree.attribute(name, of: node), !tree.bytes[range].contains(UInt8(ascii: "%"))
    else { return 0 }
    return Int32(clamping: max(0, min(100_000, tree.number(name, of: node) ?? 0)))
  }

  private func isPresentation(_ node: Int32) -> Bool {
    tree.value(.role, of: node, contains: "presentation")
      || tree.value(.role, of: node, contains: "none")
  }

  /// The innermost container is a figure.
  var isInFigure: Bool {
    guard let top = containers.last else { return false }
    return document.blocks[Int(top.block)].kind == .figure
  }

  /// Whether an element is all that a cell of a table of data holds: a tick, a cross.
  private func isWholeCell(_ node: Int32) -> Bool {
    guard let top = containers.last, case .cell = document.blocks[Int(top.block)].kind else {
      return false
    }
    var above = node
    for _ in 0..<4 {
      above = tree.nodes[Int(above)].parent
      guard above >= 0 else { return false }
      let cell = tree.nodes[Int(above)]
      if cell.name == .td || cell.name == .th { return !cell.contents.contains(.text) }
    }
    return false
  }

  /// Whether the table around a node has a header cell in its first row: then its cells say something each.
  private func isInDataTable(_ node: Int32) -> Bool {
    var table = node
    while table >= 0, tree.nodes[Int(table)].name != .table {
      table = tree.nodes[Int(table)].parent
    }
    guard table >= 0 else { return false }
    var next = tree.next(table, in: table)
    for _ in 0..<16 where next >= 0 {
      if tree.nodes[Int(next)].name == .th { return true }
      if tree.nodes[Int(next)].name == .td { return false }
      next = tree.next(next, in: table)
    }
    return false
  }

  /// Returns whether the file name is that of a spacer image.
  private func isSpacer(_ image: Document.Image) -> Bool {
    FileName(reference: image.source)?.isOfSpacer == true
  }

  private func hasName(_ image: Document.Image) -> Bool {
    guard let name = FileName(reference: image.source) else { return false }
    return name.hasWords
  }

  /// Whether an image without a description is something to look at: it is large, or the name of
  /// its file says something.
  private func isWorthSeeing(_ image: Document.Image) -> Bool {
    if image.width >= 200, image.height >= 150 { return true }
    guard let name = FileName(reference: image.source) else { return false }
    // Drawings that nobody described are ornaments.
    return name.hasWords && !name.text.lowercased().hasSuffix(".svg")
  }

  // MARK: Repetitions

  /// Whether the image before is the same and no text came between: a picture that scripts load
  /// later, followed by the same for browsers without scripts or behind it, or one for each size of
  /// screen. Of two the address is kept that there is.
  private mutating func repeatsLastImage(_ image: Document.Image, _ node: Int32) -> Bool {
    guard let last = lastImage, last.textEnd == document.text.count else { return false }
    let isTwin =
      isForNoScripts(node) != last.isForNoScripts
      && (Self.isPreview(image.source) || Self.isPreview(last.source)
        || image.source == last.source)
    if !isTwin {
      if let text = image.alternative, !text.isEmpty {
        guard text == last.alternative, !isSign(text) else { return false }
      } else if image.source.isEmpty || image.source != last.source {
        return false
      }
    }
    if Self.isPreview(last.source), !Self.isPreview(image.source) {
      document.images[last.index].source = image.source
      lastImage?.source = image.source
    }
    return true
  }

  /// Returns whether a source is missing, or so short that scripts or a `noscript` element replace it.
  private static func isPreview(_ source: String) -> Bool {
    source.isEmpty || source.hasScheme("data") && source.utf8.count <= longestPreview
  }

  /// A single character, such as the stars of a rating: two of them count as two.
  private func isSign(_ text: String) -> Bool { text.unicodeScalars.count < 2 }

  /// Whether the page says a text right before or after a node, within the same link.
  func isRepeated(_ text: String, beside node: Int32) -> Bool {
    guard !isSign(text) else { return false }
    let words = Array(text.utf8)
    return isRepeated(words, after: node) || isRepeatedBefore(words)
      || link >= 0 && isRepeated(words, inLinksLike: node)
  }

  /// Whether the link around a node, or one to the same target that follows soon, says the same in
  /// much the same words, as in a list of articles with a picture, a date and a heading each.
  private func isRepeated(_ words: [UInt8], inLinksLike node: Int32) -> Bool {
    guard let outer = linkNode(around: node), let target = tree.attribute(.href, of: outer) else {
      return false
    }
    let wanted = tree.words(words[...])
    if wanted.isSimilar(to: tree.words(below: outer)) { return true }
    var next = tree.following(node, in: 0)
    for _ in 0..<64 where next >= 0 {
      let current = tree.nodes[Int(next)]
      if current.name == .a, current.contents.contains(.text),
        let other = tree.attribute(.href, of: next), tree.bytes[other] == tree.bytes[target]
      {
        return wanted.isSimilar(to: tree.words(below: next))
      }
      next = tree.next(next, in: 0)
    }
    return false
  }

  private func isRepeated(_ words: [UInt8], after node: Int32) -> Bool {
    var position = 0
    var next = tree.following(node, in: 0)
    for _ in 0..<64 where next >= 0 {
      let current = tree.nodes[Int(next)]
      if current.name == .img { return false }
      if current.name == .characters {
        guard position > 0 || link < 0 || leadsAlike(next, node) else { return false }
        let range = Int(current.start)..<Int(current.end)
        switch tree.bytes.matchWords(in: range, with: words, from: position) {
        case .differs: return false
        case .complete: return true
        case .partial(let end): position = end
        }
      }
      let isSkipped = current.name == .svg || current.name == .noscript
      next = isSkipped ? tree.following(next, in: 0) : tree.next(next, in: 0)
    }
    return false
  }

  private func isRepeatedBefore(_ words: [UInt8]) -> Bool {
    guard let run = document.runs.last,
      link < 0 || run.link >= 0 && document.links[Int(run.link)].target == linkedTarget
    else { return false }
    let text = document.text
    var index = text.count
    var position = words.count
    while position > 0 {
      position -= 1
      guard words[position].isPartOfWord else { continue }
      repeat {
        index -= 1
        guard index >= 0 else { return false }
      } while !text[index].isPartOfWord
      guard text[index].lowercased == words[position].lowercased else { return false }
    }
    guard index < text.count else { return false }
    // The text of one block follows that of another without a space.
    return index == 0 || !text[index - 1].isPartOfWord
      || document.runs.suffix(16).contains { $0.start == index }
  }

  private var linkedTarget: String { document.links[Int(link)].target }

  /// Whether the same target is linked with words right before or after a link.
  func isLinked(beside node: Int32) -> Bool {
    guard let target = tree.attribute(.href, of: node) else { return false }
    let reference = tree.bytes[target]
    if let run = document.runs.last, run.link >= 0,
      document.links[Int(run.link)].target.utf8.elementsEqual(reference)
    {
      return true
    }
    var next = tree.following(node, in: 0)
    for _ in 0..<64 where next >= 0 {
      let current = tree.nodes[Int(next)]
      if current.name == .a, let other = tree.attribute(.href, of: next) {
        return tree.bytes[other] == reference && current.contents.contains(.text)
      }
      next = tree.next(next, in: 0)
    }
    return false
  }

  /// Whether two nodes stand in links to the same target.
  private func leadsAlike(_ one: Int32, _ other: Int32) -> Bool {
    guard let target = linkTarget(around: one), let second = linkTarget(around: other) else {
      return false
    }
    return tree.bytes[target] == tree.bytes[second]
  }

  private func linkTarget(around node: Int32) -> Range<Int>? {
    linkNode(around: node).flatMap { tree.attribute(.href, of: $0) }
  }

  private func linkNode(around node: Int32) -> Int32? {
    var node = node
    for _ in 0..<32 where node >= 0 {
      if tree.nodes[Int(node)].name == .a { return node }
      node = tree.nodes[Int(node)].parent
    }
    return nil
  }

  // MARK: Names

  /// A description that only names the file, or a number that a machine gave it.
  private func saysNothing(_ text: String, _ source: String) -> Bool {
    guard !text.utf8.contains(0x20) else { return false }
    // Zero-width spaces, with which pages fill what would be empty.
    guard text.unicodeScalars.contains(where: { !(0x200B...0x200D).contains($0.value) }) else {
      return !text.isEmpty
    }
    if isFileName(text) { return !FileName(text: text).hasWords || source.hasSuffix(text) }
    return FileName(text: text).hasFingerprint
  }

  /// A description that is nothing but the name of a file.
  private func isFileName(_ text: String) -> Bool {
    guard !text.utf8.contains(0x20), let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    return Self.imageSuffixes.contains(text[dot...].dropFirst().lowercased())
  }

  static let imageSuffixes: Set<String> = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "ico",
  ]

  /// Images without text that stand alone become blocks of their own with their names.
  mutating func addPendingImages() {
    let images = pendingImages
    pendingImages.removeAll(keepingCapacity: true)
    let outerKind = leafKind
    let outerLink = link
    let outerStyle = style
    leafKind = .paragraph
    style = []
    for (image, target) in images {
      link = target
      addWord(document.images[Int(image)].name, image: image)
      closeLeaf()
    }
    lastImage?.textEnd = document.text.count
    leafKind = outerKind
    link = outerLink
    style = outerStyle
  }
}

extension DOMTree {
  /// The character that an image in a line of text stands for: an emoji, or a letter with which a word begins.
  /// - Parameter node: an `img`.
  /// - Returns: the character; nil for an image that stands for more.
  package func character(ofImage node: Int32) -> String? {
    guard let range = attribute(.alt, of: node), !range.isEmpty, range.count <= 64 else {
      return nil
    }
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard text.count == 1, let scalar = text.unicodeScalars.first else { return nil }
    if scalar.properties.isEmoji, scalar.value > 0x203B {
      return isInLine(node, nodes[Int(node)].previousSibling)
        || isInLine(node, nodes[Int(node)].nextSibling) ? SafeText.line(text) : nil
    }
    let next = nodes[Int(node)].nextSibling
    guard scalar.properties.isAlphabetic, next >= 0, nodes[Int(next)].name == .characters,
      case let following = bytes[Int(nodes[Int(next)].start)..<Int(nodes[Int(next)].end)],
      let first = following.first, first.isLetter || first >= 0xC3
    else { return nil }
    return SafeText.line(text)
  }

  /// Whether a node beside another one has text, or is another image beside text.
  private func isInLine(_ node: Int32, _ other: Int32) -> Bool {
    guard other >= 0 else { return false }
    let sibling = nodes[Int(other)]
    guard sibling.name == .characters else {
      return !sibling.name.isBlock && (sibling.contents.contains(.text) || sibling.name == .img)
    }
    return bytes[Int(sibling.start)..<Int(sibling.end)].contains { !$0.isWhiteSpace }
  }
}

extension Document.Image {
  /// The shape by what a `style` attribute says, and by the attributes as far as it does not; nil when it says
  /// nothing.
  fileprivate func shape(styledBy style: SizeDeclarations) -> Shape? {
    guard style != SizeDeclarations() else { return nil }
    var shape = Shape(width: width, height: height)
    // Of one side that is styled the other one follows, as `height: auto` is what pages say beside it.
    if style.width != nil || style.height != nil {
      if width > 0, height > 0 {
        shape = Shape(width: 0, height: 0)
        shape.ratio = Double(height) / Double(width)
      }
      if let width = style.width { shape.width = Int32(width.rounded(.up)) }
      if let height = style.height { shape.height = Int32(height.rounded(.up)) }
    }
    if let ratio = style.ratio { shape.ratio = 1 / ratio }
    return shape
  }

  /// An icon, or a picture that only counts visits.
  fileprivate var isSmall: Bool {
    width > 0 && width < 32 || height > 0 && height < 32
  }
}

/// How far a text agrees with words that are looked for.
private enum WordMatch {
  case differs, complete
  /// All of the text agrees; the rest of the words has to follow.
  case partial(Int)
}

extension [UInt8] {
  /// Compares a range with words from a position on, in any case and whatever stands between.
  fileprivate func matchWords(
    in range: Range<Int>, with words: [UInt8], from start: Int
  ) -> WordMatch {
    var position = start
    for index in range where self[index].isPartOfWord {
      while position < words.count, !words[position].isPartOfWord { position += 1 }
      guard position < words.count else { break }
      guard self[index].lowercased == words[position].lowercased else { return .differs }
      position += 1
      let isEnd = !words[position...].contains(where: \.isPartOfWord)
      if isEnd {
        let next = index + 1
        return next < range.upperBound && self[next].isPartOfWord ? .differs : .complete
      }
    }
    return .partial(position)
  }
}

extension DOMTree {
  /// The words at the beginning of what is below a node, in lower case.
  fileprivate func words(below root: Int32) -> Set<[UInt8]> {
    var text: [UInt8] = []
    var next = next(root, in: root)
    for _ in 0..<64 where next >= 0 && text.count < 512 {
      let current = nodes[Int(next)]
      if current.name == .characters {
        text += bytes[Int(current.start)..<Int(current.end)].prefix(512)
      } else {
        text.append(0x20)
      }
      next = self.next(next, in: root)
    }
    return words(text[...])
  }

  fileprivate func words(_ text: ArraySlice<UInt8>) -> Set<[UInt8]> {
    Set(text.split { !$0.isPartOfWord }.map { $0.map(\.lowercased) })
  }
}

extension Set<[UInt8]> {
  /// Whether all words are among those of another text, or most words of both are the same
  /// (Dice's coefficient).
  fileprivate func isSimilar(to other: Self) -> Bool {
    guard !isEmpty, !other.isEmpty else { return false }
    let shared = intersection(other).count
    return shared == count || 4 * shared >= count + other.count
  }
}

extension UInt8 {
  /// A letter, a digit, or part of a character beyond ASCII.
  fileprivate var isPartOfWord: Bool { isLetter || isDigit || self >= 0x80 }
}
