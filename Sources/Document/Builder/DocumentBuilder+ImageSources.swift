import DOM

// Pages that load their images late have the real address in another attribute, in a `source` of
// the picture or in the same image for browsers without scripts; `src` is missing or shows a
// placeholder until then.

extension DocumentBuilder {
  /// The address of an image; empty when there is none but that of a placeholder.
  func imageSource(_ node: Int32) -> String {
    var placeholder = ""
    let element = tree.nodes[Int(node)]
    for name in [AttributeName.dataSource, .dataOriginal, .dataSourceSet, .src, .srcset] {
      for index in Int(element.start)..<Int(element.end) where tree.attributes[index].name == name {
        let attribute = tree.attributes[index]
        let range = Int(attribute.start)..<Int(attribute.end)
        guard let source = imageSource(range, isSet: name == .srcset || name == .dataSourceSet)
        else { continue }
        guard source.isPlaceholder || name == .dataOriginal && !source.isImage else {
          return source
        }
        if placeholder.isEmpty || name == .dataOriginal { placeholder = source }
      }
    }
    return pictureSource(of: node) ?? placeholder
  }

  /// The address in the `source` elements of the picture that an image stands in, or nil. JPEG and
  /// PNG come before what fewer programs show.
  private func pictureSource(of node: Int32) -> String? {
    let parent = tree.nodes[Int(node)].parent
    guard parent >= 0, tree.nodes[Int(parent)].name == .picture else { return nil }
    var found: String?
    var child = tree.nodes[Int(parent)].firstChild
    while child >= 0 {
      if tree.nodes[Int(child)].name == .source,
        let range = tree.attribute(.srcset, of: child) ?? tree.attribute(.dataSourceSet, of: child),
        let source = imageSource(range, isSet: true), !source.isPlaceholder
      {
        let isNew =
          tree.value(.type, of: child, contains: "webp")
          || tree.value(.type, of: child, contains: "avif")
        if !isNew { return source }
        found = found ?? source
      }
      child = tree.nodes[Int(child)].nextSibling
    }
    return found
  }

  /// The address in an attribute, of a set of them the first, which ends before its size; nil when
  /// that is nothing to load.
  func imageSource(_ range: Range<Int>, isSet: Bool) -> String? {
    var range = range
    if isSet {
      let start = tree.bytes[range].firstIndex { !$0.isWhiteSpace } ?? range.upperBound
      let end =
        tree.bytes[start..<range.upperBound].firstIndex { $0.isWhiteSpace } ?? range.upperBound
      let hasComma = end > start && tree.bytes[end - 1] == UInt8(ascii: ",")
      range = start..<(hasComma ? end - 1 : end)
    }
    guard !range.isEmpty, !tree.bytes[range].starts(with: "data:".utf8) else { return nil }
    let source = Self.cleanedTarget(tree.bytes[range])
    return source.runsScript ? nil : source
  }

  /// Whether a node stands in what is there for browsers without scripts, a few levels up.
  func isForNoScripts(_ node: Int32) -> Bool {
    var above = tree.nodes[Int(node)].parent
    for _ in 0..<4 where above >= 0 {
      if tree.nodes[Int(above)].name == .noscript { return true }
      above = tree.nodes[Int(above)].parent
    }
    return false
  }
}

extension String {
  /// The name of the file in an address.
  private var fileName: Substring.UTF8View {
    let path = utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) }
    return path[(start ?? path.startIndex)...]
  }

  /// Whether the name of the file is one that images have until the real one is loaded.
  fileprivate var isPlaceholder: Bool {
    let name = Array(fileName)
    return Self.placeholders.contains { name.contains($0, in: name.indices) }
  }

  /// Whether the name of the file says that it is an image.
  fileprivate var isImage: Bool {
    guard let dot = fileName.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let suffix = Substring(fileName[dot...].dropFirst()).lowercased()
    return DocumentBuilder.imageSuffixes.contains(suffix)
  }

  private static let placeholders: [StaticString] = [
    "placeholder", "spacer", "blank.", "pixel.", "transparent.", "1x1", "loading", "loader.",
    "spinner", "lazyload", "lazy.", "dummy.", "empty.", "grey.gif", "gray.gif", "clear.gif",
  ]
}
