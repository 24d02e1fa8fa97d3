import DOM

/// Hints about a page from its head, its URL and its structured data.
struct PageSignals {
  /// The words in the path of the URL.
  var pathWords: PathWord = []
  /// The number of path segments.
  var pathDepth = 0
  /// The kinds of page that JSON-LD, `og:type` and the generator suggest.
  var declaredKinds: DeclaredKind = []

  init() {}

  /// Collects the hints of a page. If `url` is empty or not a web URL, the page's own declaration
  /// (`canonical`, `og:url`) is used.
  init(_ tree: DOMTree, url: String) {
    var address = url.isWebURL ? Array(url.utf8)[...] : []
    for node in tree.nodes.indices {
      let element = tree.nodes[node]
      switch element.name {
      case .meta: readMeta(Int32(node), tree, &address)
      case .link:
        if address.isEmpty, tree.value(.rel, of: Int32(node), contains: "canonical"),
          let target = tree.attribute(.href, of: Int32(node))
        {
          address = tree.bytes[target]
        }
      default: continue
      }
    }
    readPath(address)
    for data in tree.structuredData where data.kind == .linkedData {
      readTypes(tree.bytes, data.range)
    }
  }

  private mutating func readMeta(
    _ node: Int32, _ tree: DOMTree, _ pageURL: inout ArraySlice<UInt8>
  ) {
    guard let content = tree.attribute(.content, of: node) else { return }
    if tree.value(.property, of: node, contains: "og:type") {
      declaredKinds.formUnion(DeclaredKind.kind(ofType: tree.bytes[content]))
    } else if tree.value(.property, of: node, contains: "og:url"), pageURL.isEmpty {
      pageURL = tree.bytes[content]
    } else if tree.value(.property, of: node, contains: "product:price")
      || tree.value(.property, of: node, contains: "og:price")
    {
      declaredKinds.insert(.product)
    } else if tree.value(.property, of: node, contains: "article:published_time") {
      declaredKinds.insert(.article)
    } else if tree.value(.name, of: node, contains: "generator") {
      declaredKinds.formUnion(DeclaredKind.kindOfGenerator(tree.bytes[content]))
    }
  }

  /// Finds each `"@type": "…"` in JSON, at any depth.
  private mutating func readTypes(_ bytes: [UInt8], _ range: Range<Int>) {
    let end = min(range.upperBound, range.lowerBound + Self.maxDataLength)
    bytes.withUnsafeBufferPointer { all in
      let json = UnsafeBufferPointer(rebasing: all[range.lowerBound..<end])
      var index = 0
      while true {
        index = json.firstIndex(of: UInt8(ascii: "@"), from: index)
        guard index < json.count else { return }
        index += 1
        guard json.hasPrefix("type\"", at: index) else { continue }
        index += 5
        while index < json.count,
          json[index].isWhiteSpace || json[index] == UInt8(ascii: ":")
            || json[index] == UInt8(ascii: "[")
        { index += 1 }
        guard index < json.count, json[index] == UInt8(ascii: "\"") else { continue }
        let last = json.firstIndex(of: UInt8(ascii: "\""), from: index + 1)
        declaredKinds.formUnion(DeclaredKind.kind(ofType: ArraySlice(json[index + 1..<last])))
        index = last
      }
    }
  }

  private static let maxDataLength = 200_000

  private mutating func readPath(_ url: ArraySlice<UInt8>) {
    guard !url.isEmpty else { return }
    var parts = url.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)[...]
    if let scheme = parts.first, scheme.last == UInt8(ascii: ":") {
      parts = parts.dropFirst()
      if let host = parts.first { pathWords.formUnion(PathWord.hints(of: host, isHost: true)) }
      parts = parts.dropFirst()
    }
    pathDepth = parts.count
    pathWords.insert(.hasURL)
    for part in parts { pathWords.formUnion(PathWord.hints(of: part, isHost: false)) }
  }
}
