package import Document
package import DOM

// Pages filled by scripts often contain their text anyway, for search engines or for the script
// itself: in JSON-LD under standard keys, in the script's state somewhere among other data. In the
// latter, the search for the main text descends from the root while one child has nearly all text
// of its parent.

/// The text of a page without visible text, from its structured data or script state.
package struct EmbeddedText {
  /// The text as a page of its own, with the title of the original.
  package let tree: DOMTree
  /// The kind of data that contained the text.
  package let source: ContentSource.StructuredDataKind

  /// The minimum number of bytes of text in linked data, and in script state.
  private static let minLinkedDataWeight = 200
  private static let minStateWeight = 400
  /// The minimum number of bytes of text in script state if the page shows no text.
  private static let minStateWeightWithoutText = 150

  /// Extracts embedded text, or as a last resort the description in the head if allowed; returns
  /// nil if the page shows at least as much.
  package init?(in page: DOMTree, shownWordCount: Int, allowsDescription: Bool = true) {
    let shownLength = shownWordCount * Self.minWordLength
    let linkedData = LinkedDataTexts(Self.linkedDataTexts(of: page))
    if let texts = linkedData.relevantTexts,
      DataTexts.weight(of: texts) >= max(Self.minLinkedDataWeight, shownLength)
    {
      self.init(linkedData.data, texts, like: page, .linkedData)
      return
    }
    let stateTexts = Self.stateTexts(of: page, includesPrograms: shownWordCount < Self.minWordCount)
    // The threshold is lower if the page shows no text.
    let minWeight =
      shownWordCount == 0 ? Self.minStateWeightWithoutText : max(Self.minStateWeight, shownLength)
    let texts = stateTexts.mainTexts
    if DataTexts.weight(of: texts) >= minWeight,
      texts.reduce(0, { $0 + $1.bytes.sentenceEndCount }) > 1
    {
      self.init(stateTexts, texts, like: page, .scriptState)
      return
    }
    if let summary = linkedData.summary,
      summary.weight >= max(Self.minLinkedDataWeight, shownLength)
    {
      self.init(linkedData.data, [summary], like: page, .linkedData)
      return
    }
    guard allowsDescription, let description = Self.description(of: page),
      description.count > shownLength
    else { return nil }
    var data = DataTexts(.state)
    data.add(description)
    self.init(data, data.texts, like: page, .description)
  }

  /// Extracts the longest body of an article in linked data; returns nil if there is none.
  init?(articleBodyOf page: DOMTree) {
    let data = Self.linkedDataTexts(of: page)
    guard
      let body = data.texts.filter({ $0.key == .body }).max(by: { $0.bytes.count < $1.bytes.count })
    else { return nil }
    self.init(data, [body], like: page, .articleBody)
  }

  /// The number of words from which a page shows more than a loading message.
  private static let minWordCount = 20

  /// The minimum number of bytes of a word, including markup.
  private static let minWordLength = 8

  private init(
    _ data: DataTexts, _ texts: [DataTexts.Text], like page: DOMTree,
    _ source: ContentSource.StructuredDataKind
  ) {
    var writer = DataTextPageBuilder(data)
    for text in texts { writer.add(text) }
    (tree, self.source) = (writer.finishTree(titledLike: page), source)
  }

  /// Returns the longest description in `meta` elements; nil if there is none.
  private static func description(of page: DOMTree) -> [UInt8]? {
    var longest: [UInt8] = []
    for node in page.nodes.indices where page.nodes[node].name == .meta {
      let node = Int32(node)
      guard
        page.value(.name, of: node, contains: "description")
          || page.value(.property, of: node, contains: "og:description"),
        let content = page.attribute(.content, of: node), content.count > longest.count
      else { continue }
      longest = Array(page.bytes[content])
    }
    return longest.isEmpty ? nil : longest
  }

  // MARK: Data

  private static func linkedDataTexts(of page: DOMTree) -> DataTexts {
    var data = DataTexts(.linkedData)
    data.scan(.linkedData, of: page)
    data.computeContainerWeights()
    return data
  }

  private static func stateTexts(of page: DOMTree, includesPrograms: Bool) -> DataTexts {
    var data = DataTexts(.state)
    data.scan(.state, of: page)
    page.bytes.withUnsafeBufferPointer { bytes in
      var programs = ScriptStateScanner(data)
      for script in page.structuredData where includesPrograms && script.kind == .program {
        programs.read(UnsafeBufferPointer(rebasing: bytes[script.range]))
      }
      data = programs.finish()
    }
    data.computeContainerWeights()
    return data
  }
}

/// The texts in linked data.
private struct LinkedDataTexts {
  let data: DataTexts
  /// The bodies of articles, or otherwise descriptions and other relevant texts; nil if there are
  /// none.
  var relevantTexts: [DataTexts.Text]?
  /// The longest description; nil if there is none, or if the data has bodies of articles.
  var summary: DataTexts.Text?

  init(_ data: DataTexts) {
    self.data = data
    let bodies = data.texts.filter { $0.key == .body }
    guard bodies.isEmpty else {
      relevantTexts = bodies
      return
    }
    let role = { (text: DataTexts.Text) in data.containers[Int(text.containerIndex)].role }
    let described = data.texts.filter { text in
      switch text.key {
      case .text, .item: role(text) != .siteWide
      case .summary: role(text) != .siteWide && role(text) != .article
      case .name: role(text) == .question
      default: false
      }
    }
    relevantTexts = described.isEmpty ? nil : described
    summary = data.texts.filter { $0.key == .summary && role($0) != .siteWide }
      .max { $0.weight < $1.weight }
  }
}

extension DataTexts {
  static func weight(of texts: [Text]) -> Int { texts.reduce(0) { $0 + $1.weight } }

  /// The texts of the container with most of the text, or the one text that has most of it. Of
  /// equal long texts, only the first is included.
  var mainTexts: [Text] {
    let (container, text) = mainPart
    if let text { return [texts[text]] }
    var isIn = [Bool](repeating: false, count: containers.count)
    for index in containers.indices {
      isIn[index] = index == container || index > 0 && isIn[Int(containers[index].parentIndex)]
    }
    var seen: Set<[UInt8]> = []
    return texts.filter {
      isIn[Int($0.containerIndex)]
        && ($0.bytes.count < Self.minRemovedDuplicateLength || seen.insert($0.bytes).inserted)
    }
  }

  /// The minimum length in bytes of duplicates that are removed.
  private static let minRemovedDuplicateLength = 40

  /// The innermost container with most of the text of its parent, starting at the outermost one,
  /// and the index of the text with most of the text of that container; the index is nil if there
  /// is no such text.
  private var mainPart: (container: Int, text: Int?) {
    var container = 0
    var heaviest = [Int](repeating: 0, count: containers.count)
    for index in containers.indices.dropFirst() {
      let parent = Int(containers[index].parentIndex)
      if heaviest[parent] == 0 || containers[index].weight > containers[heaviest[parent]].weight {
        heaviest[parent] = index
      }
    }
    while true {
      let own = containers[container]
      let next = heaviest[container]
      // An array is only narrowed to one of its elements if that has nearly all text.
      let isMost = { (weight: Int) in weight * 10 > own.weight * (own.isArray ? 9 : 6) }
      if next > 0, isMost(containers[next].weight) {
        container = next
        continue
      }
      let text = texts.firstIndex { $0.containerIndex == container && isMost($0.weight) }
      return (container, text)
    }
  }
}
