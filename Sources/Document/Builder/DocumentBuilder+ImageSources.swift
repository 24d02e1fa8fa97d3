import DOM

// Pages that load images lazily have the real URL in another attribute, in a `source` element of
// the `picture`, or in the same image in a `noscript` element; `src` is missing or shows a
// placeholder until then.

extension DocumentBuilder {
  /// Returns the URL reference of an image, or an empty string if the element has none. The
  /// reference of a placeholder, which is recognized by its file name, is returned only if there is
  /// no other one for the image.
  func imageSource(_ node: Int32) -> String {
    let embedded = dataURL(of: node)
    // A placeholder that scripts replace is short.
    if let embedded, embedded.utf8.count > ImageCollection.maxPreviewLength { return embedded }
    var placeholder = ""
    let element = tree.nodes[Int(node)]
    for name in [AttributeName.dataSource, .dataOriginal, .dataSourceSet, .src, .srcset] {
      for index in Int(element.start)..<Int(element.end) where tree.attributes[index].name == name {
        let attribute = tree.attributes[index]
        let range = Int(attribute.start)..<Int(attribute.end)
        let isSet = name == .srcset || name == .dataSourceSet
        guard let source = isSet ? defaultWidthSource(inSet: range, of: node) : imageSource(range)
        else { continue }
        guard source.hasPlaceholderName || name == .dataOriginal && !source.isImageFile else {
          return source
        }
        if placeholder.isEmpty || name == .dataOriginal { placeholder = source }
      }
    }
    return pictureSource(of: node) ?? embedded ?? placeholder
  }

  /// Returns the reference in the `source` elements of the `picture` around an image; nil if there
  /// is none. WebP and AVIF, which fewer programs support, are used only if there is no other
  /// format.
  private func pictureSource(of node: Int32) -> String? {
    var found: String?
    for (source, range) in tree.pictureSourceSets(around: node) {
      guard let reference = defaultWidthSource(inSet: range, of: source),
        !reference.hasPlaceholderName
      else { continue }
      let isNew =
        tree.value(.type, of: source, contains: "webp")
        || tree.value(.type, of: source, contains: "avif")
      if !isNew { return reference }
      found = found ?? reference
    }
    return found
  }

  /// Returns the candidates of an image, without placeholders: those of its `srcset`, those of its
  /// `picture`, and its `src`; at most 32. Empty if there is no `srcset`.
  func imageCandidates(of node: Int32) -> [Document.Image.Candidate] {
    var found: [Document.Image.Candidate] = []
    for name in [AttributeName.srcset, .dataSourceSet] {
      guard let range = tree.attribute(name, of: node) else { continue }
      found += imageCandidates(inSet: range, of: node)
    }
    for (_, range) in tree.pictureSourceSets(around: node) {
      found += imageCandidates(inSet: range, of: node)
    }
    guard !found.isEmpty else { return [] }
    if let range = tree.attribute(.src, of: node), let source = imageSource(range) {
      found.append(Document.Image.Candidate(source: source, width: 0))
    }
    return Array(found.filter { !$0.source.hasPlaceholderName }.prefix(Self.maxCandidates))
  }

  private static let maxCandidates = 32

  private func imageCandidates(
    inSet range: Range<Int>, of node: Int32
  ) -> [Document.Image.Candidate] {
    let shownWidth = tree.attributeInteger(.width, of: node) ?? 0
    return SourceSet(tree.bytes[range]).prefix(Self.maxCandidates).compactMap { candidate in
      guard let source = imageSource(candidate.url.indices) else { return nil }
      let width = candidate.width ?? candidate.density.map { Int(Double(shownWidth) * $0) } ?? 0
      return Document.Image.Candidate(
        source: source, width: Int32(clamping: max(0, min(100_000, width))))
    }
  }

  /// Returns the reference in a `srcset` that fits `Document.Image.defaultWidth`, or the first one
  /// if no widths are known; nil if there is none.
  private func defaultWidthSource(inSet range: Range<Int>, of node: Int32) -> String? {
    let candidates = imageCandidates(inSet: range, of: node)
    guard let first = candidates.first else { return nil }
    var image = Document.Image(source: first.source, alternativeText: nil)
    image.candidates = candidates
    return image.references(forWidth: Document.Image.defaultWidth).first
  }

  /// Returns the reference in a range of the page; nil if it is empty, a `data:` URL or a script,
  /// or if it has only a fragment and thus refers to the page itself.
  func imageSource(_ range: Range<Int>) -> String? {
    guard !range.isEmpty, !tree.isDataURL(range) else { return nil }
    let source = Self.cleanedTarget(tree.bytes[range])
    return source.hasScriptScheme || source.hasPrefix("#") ? nil : source
  }

  // MARK: `data:` URLs

  /// Returns the `data:` URL of an image; nil if it has none, or if that is a blank placeholder or
  /// an icon.
  private func dataURL(of node: Int32) -> String? {
    tree.attribute(.src, of: node).flatMap {
      dataURL($0, hasText: !(tree.cleanedText(.alt, of: node) ?? "").isEmpty)
    }
  }

  /// Returns the `data:` URL in a range of the page.
  /// - Parameters:
  ///   - range: The range of the reference.
  ///   - hasText: Whether the image has alternative text. An SVG image without it is an icon and
  ///     does not count.
  /// - Returns: The URL; nil if it is not that of an image, or if the image is blank.
  func dataURL(_ range: Range<Int>, hasText: Bool) -> String? {
    guard tree.isDataURL(range) else { return nil }
    let bytes = tree.bytes[range].drop { $0 <= 0x20 }
    let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: ",") }.prefix(128), as: UTF8.self)
      .lowercased()
    guard head.hasPrefix("data:image/") else { return nil }
    if head.hasPrefix("data:image/svg") {
      return hasText && !bytes.isEmpty ? Self.cleanedTarget(bytes) : nil
    }
    let url = String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    return DataURLImage.isBlank(url) ? nil : url
  }
}

extension DOMTree {
  /// Returns whether one of the nearest ancestors of a node is a `noscript` element.
  func isInNoScript(_ node: Int32) -> Bool {
    var next = nodes[Int(node)].parent
    for _ in 0..<4 {
      guard let ancestor = next else { break }
      if nodes[Int(ancestor)].name == .noscript { return true }
      next = nodes[Int(ancestor)].parent
    }
    return false
  }
}

extension String {
  /// The file name in a URL.
  private var fileName: Substring.UTF8View {
    let path = utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) }
    return path[(start ?? path.startIndex)...]
  }

  /// Whether the file name is typical of placeholders.
  fileprivate var hasPlaceholderName: Bool {
    let name = Array(fileName)
    return Self.placeholderNames.contains { name.contains($0, in: name.indices) }
      || Self.containsVariable(name)
  }

  /// Returns whether a file name contains a variable that scripts replace, as in `a_{width}.jpg`
  /// and `a_%width%.jpg`.
  private static func containsVariable(_ name: [UInt8]) -> Bool {
    name.indices.contains { start in
      let isBrace = name[start] == UInt8(ascii: "{")
      guard isBrace || name[start] == UInt8(ascii: "%") else { return false }
      let variable = name[(start + 1)...].prefix {
        (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
      }
      guard !variable.isEmpty, variable.endIndex < name.count else { return false }
      // `%ad` is an encoded byte.
      let isEncoded = variable.prefix(2).allSatisfy { (0x61...0x66).contains($0 | 0x20) }
      return name[variable.endIndex] == UInt8(ascii: isBrace ? "}" : "%")
        && (isBrace || !isEncoded)
    }
  }

  /// Whether the file name has an extension of image files.
  var isImageFile: Bool {
    guard let dot = fileName.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let suffix = Substring(fileName[dot...].dropFirst()).lowercased()
    return DocumentBuilder.imageExtensions.contains(suffix)
  }

  private static let placeholderNames: [StaticString] = [
    "placeholder", "spacer", "blank.", "pixel.", "transparent.", "1x1", "loading", "loader.",
    "spinner", "lazyload", "lazy.", "dummy.", "empty.", "grey.gif", "gray.gif", "clear.gif",
  ]
}

extension DOMTree {
  /// Returns the `source` elements of the `picture` around an image that no other image separates
  /// from it, each with the range of its `srcset`.
  fileprivate func pictureSourceSets(around node: Int32) -> [(source: Int32, set: Range<Int>)] {
    guard let parent = nodes[Int(node)].parent, nodes[Int(parent)].name == .picture else {
      return []
    }
    var sets: [(Int32, Range<Int>)] = []
    var first = node
    while let previous = nodes[Int(first)].previousSibling, nodes[Int(previous)].name != .img {
      first = previous
    }
    var next: Int32? = first
    while let child = next, child == node || nodes[Int(child)].name != .img {
      if nodes[Int(child)].name == .source,
        let range = attribute(.srcset, of: child) ?? attribute(.dataSourceSet, of: child)
      {
        sets.append((child, range))
      }
      next = nodes[Int(child)].nextSibling
    }
    return sets
  }

  fileprivate func isDataURL(_ range: Range<Int>) -> Bool {
    bytes[range].drop { $0 <= 0x20 }.prefix(5).lazy.map(\.lowercased)
      .elementsEqual("data:".utf8)
  }
}
