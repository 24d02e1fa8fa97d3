import Foundation

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
  }

  mutating func addImage(_ node: Int32) {
    pendingSpace = !keepsWhiteSpace && (pendingSpace || leafRun >= 0)
    let image = image(node)
    let isDecorative = image.alternative?.isEmpty == true || isPresentation(node)
    let hasText = !isDecorative && image.alternative != nil
    let isSign = image.alternative == nil && isWholeCell(node) && hasName(image)
    guard hasText || isSign || !image.source.isEmpty && !image.isSmall else { return }
    guard !repeatsLastImage(image) else { return }
    if hasText, let text = image.alternative {
      guard !isRepeated(text, beside: node) else {
        if isInFigure { addPending(image) }
        return
      }
      let index = Int32(document.images.count)
      document.images.append(image)
      addWord(text, image: index)
      lastImage = LastImage(
        source: image.source, alternative: text, textEnd: document.text.count)
    } else if isInFigure || link >= 0 || isSign || !isDecorative && isWorthSeeing(image) {
      addPending(image)
    }
  }

  private mutating func addPending(_ image: Document.Image) {
    pendingImages.append((Int32(document.images.count), link))
    document.images.append(image)
    lastImage = LastImage(
      source: image.source, alternative: image.alternative, textEnd: document.text.count)
  }

  private func image(_ node: Int32) -> Document.Image {
    var alternative = text(.alt, of: node)
    let source = imageSource(node)
    if let text = alternative, saysNothing(text, source) { alternative = nil }
    return Document.Image(
      source: source,
      alternative: alternative ?? firstText([.ariaLabel, .title], of: node),
      width: Int32(clamping: max(0, min(100_000, tree.number(.width, of: node) ?? 0))),
      height: Int32(clamping: max(0, min(100_000, tree.number(.height, of: node) ?? 0))))
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

  private func hasName(_ image: Document.Image) -> Bool {
    guard let name = fileName(of: image.source) else { return false }
    return hasWords(name)
  }

  /// Whether an image without a description is something to look at: it is large, or the name of
  /// its file says something.
  private func isWorthSeeing(_ image: Document.Image) -> Bool {
    if image.width >= 200, image.height >= 150 { return true }
    guard let name = fileName(of: image.source) else { return false }
    // Drawings that nobody described are ornaments.
    return hasWords(name) && !name.lowercased().hasSuffix(".svg")
  }

  // MARK: Repetitions

  /// Whether the image before is the same and no text came between: a picture that scripts load
  /// later, followed by the same for browsers without scripts, or one for each size of screen.
  private func repeatsLastImage(_ image: Document.Image) -> Bool {
    guard let last = lastImage, last.textEnd == document.text.count else { return false }
    if let text = image.alternative, !text.isEmpty {
      return text == last.alternative && !isSign(text)
    }
    return !image.source.isEmpty && image.source == last.source
  }

  /// A single character, such as the stars of a rating: two of them count as two.
  private func isSign(_ text: String) -> Bool { text.unicodeScalars.count < 2 }

  /// Whether the page says a text right before or after a node, within the same link.
  private func isRepeated(_ text: String, beside node: Int32) -> Bool {
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

  /// The address of an image; images that scripts load later keep it elsewhere.
  private func imageSource(_ node: Int32) -> String {
    for name in [AttributeName.dataSource, .dataOriginal, .src] {
      if let range = tree.attribute(name, of: node), !range.isEmpty,
        !tree.bytes[range].starts(with: "data:".utf8)
      {
        return cleanedTarget(range)
      }
    }
    if let range = tree.attribute(.srcset, of: node) {
      let end = tree.bytes[range].firstIndex { $0.isWhiteSpace } ?? range.upperBound
      let candidate = range.lowerBound..<end
      if !tree.bytes[candidate].starts(with: "data:".utf8) { return cleanedTarget(candidate) }
    }
    return ""
  }

  /// The name of a drawing, the last part of the path of an image, or "image".
  func fileName(of image: Document.Image) -> String {
    if image.source.isEmpty, let name = image.alternative { return name }
    guard let name = fileName(of: image.source), hasWords(name) else { return "image" }
    return name
  }

  /// The last part of the path of a reference.
  func fileName(of reference: String) -> String? {
    let path = Array(reference.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    guard let name = path.split(separator: UInt8(ascii: "/")).last else { return nil }
    let decoded = String(decoding: name, as: UTF8.self).removingPercentEncoding
    let text = cleaned(decoded.map { Array($0.utf8)[...] } ?? name)
    return text.isEmpty ? nil : String(text.prefix(80))
  }

  /// A description that only names the file, or a number that a machine gave it.
  private func saysNothing(_ text: String, _ source: String) -> Bool {
    guard !text.utf8.contains(0x20) else { return false }
    // Zero-width spaces, with which pages fill what would be empty.
    guard text.unicodeScalars.contains(where: { !(0x200B...0x200D).contains($0.value) }) else {
      return !text.isEmpty
    }
    if isFileName(text) { return !hasWords(text) || source.hasSuffix(text) }
    return hasFingerprint(Array(text.utf8)[...])
  }

  /// A description that is nothing but the name of a file.
  private func isFileName(_ text: String) -> Bool {
    guard !text.utf8.contains(0x20), let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    return Self.imageSuffixes.contains(text[dot...].dropFirst().lowercased())
  }

  private static let imageSuffixes: Set<String> = [
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "ico",
  ]

  /// Whether the name of a file has a word that a person gave it. `IMG_6590.jpg` has none, nor
  /// has `5de4107c489820ded1ef801edc9d.png`.
  func hasWords(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let stem = bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]
    if stem.contains(where: { $0 >= 0x80 }) { return true }
    if hasFingerprint(stem) { return false }
    var hasWord = false
    for part in stem.split(whereSeparator: { !$0.isLetter && !$0.isDigit })
    where part.count >= 3 && part.allSatisfy(\.isLetter) {
      let word = String(decoding: part.map(\.lowercased), as: UTF8.self)
      if Self.ornaments.contains(word) { return false }
      let isPronounceable = part.count > 3 && word.contains { "aeiouy".contains($0) }
      if isPronounceable, !Self.genericNames.contains(word) { hasWord = true }
    }
    return hasWord
  }

  /// Sixteen hexadecimal digits, or the groups of a UUID.
  private func hasFingerprint(_ name: ArraySlice<UInt8>) -> Bool {
    var groups: [Int] = []
    for group in name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      var digits = 0
      for byte in group {
        digits = byte.digit(hexadecimal: true) == nil ? 0 : digits + 1
        if digits >= 16 { return true }
      }
      groups.append(digits)
      if groups.suffix(4).elementsEqual([8, 4, 4, 4]) { return true }
    }
    return false
  }

  /// Words in names of files that only adorn a page.
  private static let ornaments: Set<String> = [
    "arrow", "background", "badge", "blank", "bullet", "divider", "ico", "icon", "icons", "pixel",
    "placeholder", "spacer", "sprite", "transparent",
  ]

  /// Words in names of files that say nothing about what they show.
  private static let genericNames: Set<String> = [
    "banner", "copy", "default", "desktop", "empty", "final", "full", "header", "hero", "image",
    "images", "large", "main", "medium", "mobile", "photo", "picture", "scaled", "small", "square",
    "thumb", "thumbnail", "untitled", "wide",
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
      addWord(fileName(of: document.images[Int(image)]), image: image)
      closeLeaf()
    }
    lastImage?.textEnd = document.text.count
    leafKind = outerKind
    link = outerLink
    style = outerStyle
  }
}

extension Document.Image {
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
