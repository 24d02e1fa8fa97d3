import DOM

extension DocumentBuilder {
  /// Enters an image, frame or media element. Returns false if its children are to be skipped.
  mutating func enterEmbedded(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .img:
      if !addFormula(ofImage: node) { addImage(node) }
      return false
    case .svg: return enterSVG(node)
    case .area:
      addImageMapArea(node)
      return false
    case .iframe where tree.nodes[Int(node)].firstChild != nil:
      closeLeaf()
      return true
    case .iframe, .frame:
      addFrame(node, tree.frameSource(node))
      return false
    case .youTube, .vimeo, .ampFrame:
      addPlayer(node, name)
      return true
    case .object: return enterObject(node, tree.attribute(.data, of: node))
    case .embed:
      addEmbed(node, tree.attribute(.src, of: node))
      return false
    case .audio, .video:
      guard let source = tree.mediaSource(node) else {
        leaf.addSpace()
        return true
      }
      addMedia(node, source)
      return false
    default:
      leaf.addSpace()
      return true
    }
  }

  /// Enters an `object` element. Returns false if its children are to be skipped.
  private mutating func enterObject(_ node: Int32, _ data: Range<Int>?) -> Bool {
    if let data, tree.containsPage(node, data), addFrame(node, data) { return false }
    leaf.addSpace()
    let contents = tree.nodes[Int(node)].contents
    if let data, contents.isDisjoint(with: [.image]), addImage(ofObject: node, data) {
      return true
    }
    if contents.isDisjoint(with: [.text, .image]) { addMedia(node, data) }
    return true
  }

  private mutating func addEmbed(_ node: Int32, _ source: Range<Int>?) {
    if let source, tree.containsPage(node, source) {
      addFrame(node, source)
    } else if let source, addImage(ofObject: node, source) {
      return
    } else {
      addMedia(node, source)
    }
  }

  /// Appends text that is separated from its neighbours, such as the alternative text of an image.
  mutating func addSeparatedText(
    _ text: String, image: Int32? = nil, style addedStyle: InlineStyle = []
  ) {
    guard !text.isEmpty else { return }
    let outerStyle = inherited.style
    inherited.style.formUnion(addedStyle)
    if image != nil { inherited.style.insert(.image) }
    leaf.beginSeparatedText(keepsWhiteSpace: inherited.keepsWhiteSpace)
    addSafeText(text)
    leaf.endSeparatedText(
      text.utf8.count, image: image, keepsWhiteSpace: inherited.keepsWhiteSpace)
    inherited.style = outerStyle
  }

  /// Adds the link of a part of an image map. A part without a label is named by its file or URL,
  /// unless it leads to the same page or a link just before it has the same target.
  private mutating func addImageMapArea(_ node: Int32) {
    guard let range = tree.attribute(.href, of: node),
      case let target = Self.cleanedTarget(tree.bytes[range]), !target.hasScriptScheme
    else { return }
    var label = tree.firstText([.alt, .title, .ariaLabel], of: node)
    if label == nil, target.first != "#",
      !document.links.suffix(Self.maxComparedLinks).contains(where: { $0.target == target })
    {
      if let address = target.emailOrPhone {
        label = address
      } else {
        let file = target.contains("?") ? nil : FileName(reference: target)?.text
        label = String((file ?? target).prefix(80))
      }
    }
    guard let label, !label.isEmpty else { return }
    inherited.linkIndex = OptionalIndex(addLink(target, title: "", kind: .anchor))
    addSeparatedText(label)
  }

  /// Maximum number of links before a part of an image map that are compared with it.
  fileprivate static let maxComparedLinks = 64

  // MARK: Frames and media

  /// Adds the link of a frame, unless the frame is too low to show anything.
  /// - Returns: Whether its URL can be loaded; otherwise the fallback content is to be shown.
  @discardableResult
  private mutating func addFrame(_ node: Int32, _ range: Range<Int>?) -> Bool {
    guard let range else { return false }
    let target = Self.cleanedTarget(tree.bytes[range])
    guard !target.isEmpty, !target.hasScriptScheme, !target.hasScheme("about"),
      !target.hasScheme("data")
    else { return false }
    if let height = tree.attributeInteger(.height, of: node), height < 4 { return true }
    let label = tree.firstText([.title, .ariaLabel], of: node) ?? tree.windowName(of: node)
    closeLeaf()
    inherited.linkIndex = OptionalIndex(addLink(target, title: "", kind: .frame))
    if tree.nodes[Int(node)].name == .frame { document.isFrameset = true }
    addSeparatedText(label ?? frameName(target))
    closeLeaf()
    return true
  }

  /// Adds the link of a player that a script loads, unless the element of the player contains a
  /// link. The content of the element, such as an image, is added afterwards.
  private mutating func addPlayer(_ node: Int32, _ name: ElementName) {
    let outerLinkIndex = inherited.linkIndex
    defer { inherited.linkIndex = outerLinkIndex }
    if name == .ampFrame {
      addFrame(node, tree.frameSource(node))
      return
    }
    guard let id = tree.string(.videoID, of: node), !id.isEmpty,
      id.utf8.count <= Self.maxVideoIDLength,
      id.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }),
      !tree.hasLink(below: node)
    else { return }
    let base = name == .vimeo ? "https://vimeo.com/" : "https://www.youtube.com/watch?v="
    closeLeaf()
    inherited.linkIndex = OptionalIndex(addLink(base + id, title: "", kind: .anchor))
    addSeparatedText(tree.firstText([.label, .title, .ariaLabel], of: node) ?? base + id)
    closeLeaf()
  }

  private static let maxVideoIDLength = 64

  /// Returns the name of a frame without a title: its URL without parameters, query and fragment,
  /// which are settings of a player; or a number for a part of the same MIME message (`cid:`),
  /// whose identifier is not descriptive.
  private func frameName(_ target: String) -> String {
    guard target.hasScheme("cid") else {
      return String(target.prefix { $0 != ";" && $0 != "?" && $0 != "#" })
    }
    return "frame \(document.links.count { $0.kind == .frame })"
  }

  private mutating func addMedia(_ node: Int32, _ range: Range<Int>?) {
    guard let range, !range.isEmpty else { return }
    let target = Self.cleanedTarget(tree.bytes[range])
    guard !target.hasScriptScheme, !target.hasScheme("data"), !target.hasScheme("about") else {
      return
    }
    let outerLinkIndex = inherited.linkIndex
    inherited.linkIndex = OptionalIndex(addLink(target, title: "", kind: .media))
    addSeparatedText(tree.mediaLabel(node, target))
    inherited.linkIndex = outerLinkIndex
  }
}

extension String {
  /// The email address of a `mailto:` URL or the number of a `tel:` URL; nil for other URLs, and if
  /// there is none.
  var emailOrPhone: String? {
    guard hasScheme("mailto") || hasScheme("tel") else { return nil }
    let address = drop { $0 != ":" }.dropFirst().prefix { $0 != "?" }.prefix(80)
    return address.isEmpty ? nil : String(address)
  }
}

extension DOMTree {
  /// Returns the name of the window of a frame, which is a label in a frameset, and in a page if it
  /// consists of words; nil for identifiers such as `google_ads_iframe_1`.
  fileprivate func windowName(of node: Int32) -> String? {
    guard let name = firstText([.name], of: node) else { return nil }
    if nodes[Int(node)].name == .frame { return name }
    let isText = name.allSatisfy { $0.isLetter || $0 == " " || $0 == "-" }
    let isMixed = zip(name, name.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
    return isText && !isMixed && !name.lowercased().contains("iframe") ? name : nil
  }

  fileprivate func hasLink(below root: Int32) -> Bool {
    var next = nodeAfter(root, in: root)
    for _ in 0..<DocumentBuilder.maxComparedLinks {
      guard let node = next else { break }
      if nodes[Int(node)].name == .a, hasAttribute(.href, node) { return true }
      next = nodeAfter(node, in: root)
    }
    return false
  }

  /// Returns the range of the URL of a frame: its `src`, or its `data-src` if a script loads the
  /// frame later; nil if the frame has neither.
  fileprivate func frameSource(_ node: Int32) -> Range<Int>? {
    let source = attribute(.src, of: node)
    let isBlank =
      source.map {
        bytes[$0].allSatisfy(\.isWhiteSpace)
          || DocumentBuilder.cleanedTarget(bytes[$0]).hasScheme("about")
      } ?? true
    return isBlank ? attribute(.dataSource, of: node) ?? source : source
  }

  /// Returns whether an `object` or `embed` element contains a page: by its media type, or else by
  /// the extension of its URL.
  fileprivate func containsPage(_ node: Int32, _ range: Range<Int>) -> Bool {
    if let type = cleanedText(.type, of: node), !type.isEmpty {
      return ["text/html", "application/xhtml+xml"].contains(
        type.prefix { $0 != ";" }.lowercased())
    }
    let path = bytes[range].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let name = String(decoding: path, as: UTF8.self).lowercased()
    return [".html", ".htm", ".xhtml"].contains { name.hasSuffix($0) }
  }

  /// Returns the label of a media element: its title, or else its file name, or else its URL. If
  /// the file name of an `audio` or `video` is not descriptive, its label is "audio" or "video".
  fileprivate func mediaLabel(_ node: Int32, _ target: String) -> String {
    if let label = firstText([.title, .ariaLabel], of: node) { return label }
    guard let name = FileName(reference: target) else { return target }
    switch nodes[Int(node)].name {
    case .audio where !name.isDescriptive: return "audio"
    case .video where !name.isDescriptive: return "video"
    default: return String(name.text.prefix(80))
    }
  }

  /// Returns the range of the first source URL of an audio or video element; nil if it has none.
  fileprivate func mediaSource(_ node: Int32) -> Range<Int>? {
    if let range = attribute(.src, of: node) { return range }
    var next = nodes[Int(node)].firstChild
    while let child = next {
      if nodes[Int(child)].name == .source, let range = attribute(.src, of: child) {
        return range
      }
      next = nodes[Int(child)].nextSibling
    }
    return nil
  }
}
