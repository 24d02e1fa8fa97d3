import DOM

/// What a page says of itself in its head, its address and its data for programs.
struct PageSignals {
  /// Words of the address's path, by `PathWord`.
  var path: PathWord = []
  /// Parts of the path.
  var pathDepth = 0
  /// What JSON-LD, `og:type` and the generator say the page is, by `Declared`.
  var declared: Declared = []

  /// Without clues.
  init() {}

  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address; empty or the one of a file when it is not known. Then what the page
  ///     says counts (`canonical`, `og:url`).
  init(_ tree: DOMTree, url: String) {
    var address = url.hasPrefix("http") ? Array(url.utf8)[...] : []
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
    _ node: Int32, _ tree: DOMTree, _ address: inout ArraySlice<UInt8>
  ) {
    guard let content = tree.attribute(.content, of: node) else { return }
    if tree.value(.property, of: node, contains: "og:type") {
      declared.formUnion(Declared.named(tree.bytes[content]))
    } else if tree.value(.property, of: node, contains: "og:url"), address.isEmpty {
      address = tree.bytes[content]
    } else if tree.value(.property, of: node, contains: "product:price")
      || tree.value(.property, of: node, contains: "og:price")
    {
      declared.insert(.product)
    } else if tree.value(.property, of: node, contains: "article:published_time") {
      declared.insert(.article)
    } else if tree.value(.name, of: node, contains: "generator") {
      declared.formUnion(Declared.generator(tree.bytes[content]))
    }
  }

  /// Finds `"@type": "…"` in JSON, wherever it stands.
  private mutating func readTypes(_ bytes: [UInt8], _ range: Range<Int>) {
    let end = min(range.upperBound, range.lowerBound + Self.dataLimit)
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
        declared.formUnion(Declared.named(ArraySlice(json[index + 1..<last])))
        index = last
      }
    }
  }

  private static let dataLimit = 200_000

  private mutating func readPath(_ address: ArraySlice<UInt8>) {
    guard !address.isEmpty else { return }
    var parts = address.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)[...]
    if let scheme = parts.first, scheme.last == UInt8(ascii: ":") {
      parts = parts.dropFirst()
      if let host = parts.first { path.formUnion(PathWord.words(of: host, isHost: true)) }
      parts = parts.dropFirst()
    }
    pathDepth = parts.count
    path.insert(.known)
    for part in parts { path.formUnion(PathWord.words(of: part, isHost: false)) }
  }
}

/// What words of an address tell of a page.
struct PathWord: OptionSet {
  let rawValue: UInt16

  static let known = PathWord(rawValue: 1 << 0)
  static let forum = PathWord(rawValue: 1 << 1)
  static let documentation = PathWord(rawValue: 1 << 2)
  static let product = PathWord(rawValue: 1 << 3)
  static let collection = PathWord(rawValue: 1 << 4)
  static let listing = PathWord(rawValue: 1 << 5)
  static let service = PathWord(rawValue: 1 << 6)
  static let article = PathWord(rawValue: 1 << 7)
  static let longSlug = PathWord(rawValue: 1 << 8)

  static let count = 9

  /// What a part of a path, or the host, says.
  static func words(of part: ArraySlice<UInt8>, isHost: Bool) -> PathWord {
    let name = part.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let words = name.split { !$0.isLetter }
    var found: PathWord = !isHost && words.count >= 5 ? .longSlug : []
    for word in words {
      let topic = word.withUnsafeBufferPointer { table.find($0) }
      if let topic { found.formUnion(topic) }
    }
    return found
  }

  private static let table = NameTable<PathWord>(lists: Vocabulary.pathWords)
}

/// What a page is declared to be.
struct Declared: OptionSet {
  let rawValue: UInt16

  static let article = Declared(rawValue: 1 << 0)
  static let product = Declared(rawValue: 1 << 1)
  static let forum = Declared(rawValue: 1 << 2)
  static let collection = Declared(rawValue: 1 << 3)
  static let documentation = Declared(rawValue: 1 << 4)
  static let service = Declared(rawValue: 1 << 5)
  static let itemList = Declared(rawValue: 1 << 6)
  static let webPage = Declared(rawValue: 1 << 7)
  static let questions = Declared(rawValue: 1 << 8)
  static let breadcrumb = Declared(rawValue: 1 << 9)
  static let organization = Declared(rawValue: 1 << 10)

  static let count = 11

  /// What a type of schema.org or OpenGraph means.
  static func named(_ type: ArraySlice<UInt8>) -> Declared {
    let name = type.suffix(while: { $0 != UInt8(ascii: "/") })
    return Vocabulary.types[String(decoding: name, as: UTF8.self).lowercased()] ?? []
  }

  /// What is known of a program that makes pages.
  static func generator(_ name: ArraySlice<UInt8>) -> Declared {
    let name = Array(name.prefix(60))
    for (word, kind) in Vocabulary.generators where name.contains(word, in: name.indices) {
      return kind
    }
    return []
  }
}

extension ArraySlice<UInt8> {
  /// The end of a slice that has only bytes of a sort.
  fileprivate func suffix(while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, isIncluded(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
