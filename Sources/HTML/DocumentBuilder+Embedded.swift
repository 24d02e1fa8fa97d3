import Foundation

extension DocumentBuilder {
  /// Images, frames, media. False when the children are not visited.
  mutating func enterEmbedded(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .img:
      addImage(node)
      return false
    case .svg:
      addDrawing(node)
      return false
    case .area:
      if let range = tree.attribute(.href, of: node),
        let label = firstText([.alt, .title, .ariaLabel], of: node)
      {
        link = addLink(cleanedTarget(range), title: "", kind: .anchor)
        addWord(label)
      }
      return false
    case .iframe, .frame:
      addFrame(node)
      return false
    case .object:
      pendingSpace = true
      if tree.nodes[Int(node)].contents.isDisjoint(with: [.text, .image]) {
        addMedia(node, tree.attribute(.data, of: node))
      }
      return true
    case .embed:
      addMedia(node, tree.attribute(.src, of: node))
      return false
    case .audio, .video:
      guard let source = mediaSource(node) else {
        pendingSpace = true
        return true
      }
      addMedia(node, source)
      return false
    default:
      pendingSpace = true
      return true
    }
  }

  /// Text that stands apart from its neighbours, such as the alternative text of an image.
  mutating func addWord(_ text: String, image: Int32 = -1, style added: InlineStyle = []) {
    guard !text.isEmpty else { return }
    let outer = style
    style.formUnion(added)
    if image >= 0 { style.insert(.image) }
    pendingSpace = !keepsWhiteSpace && leafRun >= 0
    addLiteral(text)
    if image >= 0 {
      // An image is a run of its own.
      let run = document.runs.count - 1
      let start = document.runs[run].end - UInt32(text.utf8.count)
      if document.runs[run].start == start {
        document.runs[run].image = image
      } else {
        document.runs[run].end = start
        document.runs.append(
          Document.Run(
            start: start, end: UInt32(document.text.count), style: style, link: link, image: image))
      }
    }
    style = outer
    pendingSpace = !keepsWhiteSpace
  }

  // MARK: Images

  private mutating func addImage(_ node: Int32) {
    let width = Int32(clamping: max(0, min(100_000, tree.number(.width, of: node) ?? 0)))
    let height = Int32(clamping: max(0, min(100_000, tree.number(.height, of: node) ?? 0)))
    let isTiny = width > 0 && width < 4 || height > 0 && height < 4
    var alternative = text(.alt, of: node)
    let isDecorative = alternative?.isEmpty == true || isPresentation(node)
    if alternative == nil {
      alternative = firstText([.ariaLabel, .title], of: node)
    }
    pendingSpace = !keepsWhiteSpace && (pendingSpace || leafRun >= 0)
    let source = imageSource(node)
    let hasText = alternative?.isEmpty == false && !isPresentation(node)
    guard hasText || !isTiny && !source.isEmpty else { return }
    if isDecorative, !(width >= 100 || isInFigure || link >= 0) { return }
    if hasText, let last = document.images.last, let shown = document.runs.last,
      Int(shown.image) == document.images.count - 1, last.alternative == alternative,
      shown.end == document.text.count
    {
      // A picture that scripts load later, followed by the same for readers without scripts.
      return
    }
    if !hasText, let last = pendingImages.last, document.images[Int(last.image)].source == source {
      return
    }
    let index = Int32(document.images.count)
    document.images.append(
      Document.Image(source: source, alternative: alternative, width: width, height: height))
    if hasText, let alternative {
      addWord(alternative, image: index)
    } else {
      pendingImages.append((index, link))
    }
  }

  private func isPresentation(_ node: Int32) -> Bool {
    tree.value(.role, of: node, contains: "presentation")
      || tree.value(.role, of: node, contains: "none")
  }

  private var isInFigure: Bool {
    guard let top = containers.last else { return false }
    return document.blocks[Int(top.block)].kind == .figure
  }

  /// The address of an image; images that scripts load later keep it elsewhere.
  private func imageSource(_ node: Int32) -> String {
    for name in [AttributeName.src, .dataSource, .dataOriginal] {
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
    guard let name = fileName(of: image.source), !isMeaningless(name) else { return "image" }
    return name
  }

  /// The last part of the path of a reference.
  private func fileName(of reference: String) -> String? {
    let path = Array(reference.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    guard let name = path.split(separator: UInt8(ascii: "/")).last else { return nil }
    let decoded = String(decoding: name, as: UTF8.self).removingPercentEncoding
    let text = cleaned(decoded.map { Array($0.utf8)[...] } ?? name)
    return text.isEmpty ? nil : String(text.prefix(80))
  }

  /// Names that machines give, such as 5de4107c489820ded1ef801edc9d.png.
  private func isMeaningless(_ name: String) -> Bool {
    var digits = 0
    var longest = 0
    for byte in name.utf8 {
      digits = byte.digit(hexadecimal: true) == nil ? 0 : digits + 1
      longest = max(longest, digits)
    }
    return longest >= 16
  }

  /// Images without text that stand alone become blocks of their own with their file names.
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
    leafKind = outerKind
    link = outerLink
    style = outerStyle
  }

  /// A drawing shows the text in it. Its name is shown only where there is nothing else to read:
  /// beside text, most drawings are icons.
  private mutating func addDrawing(_ node: Int32) {
    pendingSpace = !keepsWhiteSpace && (pendingSpace || leafRun >= 0)
    guard !tree.value(.ariaHidden, of: node, contains: "true") else { return }
    var name = firstText([.ariaLabel], of: node) ?? ""
    var words: [String] = []
    var next = tree.next(node, in: node)
    while next >= 0 {
      switch tree.nodes[Int(next)].name {
      case .desc, .title:
        if name.isEmpty { name = text(below: next) }
        next = tree.following(next, in: node)
      case .text:
        words.append(text(below: next))
        next = tree.following(next, in: node)
      default: next = tree.next(next, in: node)
      }
    }
    if !words.isEmpty {
      addWord(words.joined(separator: " "), style: .image)
    } else if !name.isEmpty, isInFigure || link >= 0 || tree.value(.role, of: node, contains: "img")
    {
      let index = Int32(document.images.count)
      document.images.append(Document.Image(source: "", alternative: name))
      pendingImages.append((index, link))
    }
  }

  // MARK: Frames and media

  private mutating func addFrame(_ node: Int32) {
    guard let range = tree.attribute(.src, of: node) else { return }
    let target = cleanedTarget(range)
    let lowered = target.prefix(12).lowercased()
    guard !target.isEmpty, !lowered.hasPrefix("about:"), !lowered.hasPrefix("javascript:"),
      !lowered.hasPrefix("data:")
    else { return }
    if let height = tree.number(.height, of: node), height < 4, tree.has(.height, node) { return }
    let label = firstText([.title, .ariaLabel, .name], of: node)
    closeLeaf()
    link = addLink(target, title: "", kind: .frame)
    addWord(label ?? target)
    closeLeaf()
  }

  private mutating func addMedia(_ node: Int32, _ range: Range<Int>?) {
    guard let range, !range.isEmpty else { return }
    let target = cleanedTarget(range)
    guard !target.lowercased().hasPrefix("data:"), !target.lowercased().hasPrefix("javascript:")
    else { return }
    let outer = link
    link = addLink(target, title: "", kind: .media)
    addWord(firstText([.title, .ariaLabel], of: node) ?? fileName(of: target) ?? target)
    link = outer
  }

  /// The file that an audio or video element plays first.
  private func mediaSource(_ node: Int32) -> Range<Int>? {
    if let range = tree.attribute(.src, of: node) { return range }
    var child = tree.nodes[Int(node)].firstChild
    while child >= 0 {
      if tree.nodes[Int(child)].name == .source, let range = tree.attribute(.src, of: child) {
        return range
      }
      child = tree.nodes[Int(child)].nextSibling
    }
    return nil
  }
}
