package import Document
package import DOM

// Pages that are filled by scripts often carry their text all the same, for search engines or for
// the script itself: JSON-LD has it under names that everybody agreed on, the state of the script
// somewhere among much else. There the text is where most of it stands together: from the whole on,
// the search goes down as long as one part has nearly all text of what it is in.

/// The text of a page that shows none, out of its data for programs.
package struct EmbeddedText {
  /// The text as a page of its own, with the title of the original.
  package let tree: DOMTree
  /// Where it was found.
  package let source: ContentSource.Data

  private static let leastLinkedData = 200
  private static let leastState = 400
  private static let leastStateAlone = 150

  /// Looks for text in a page; nil when there is no more than it shows.
  /// - Parameters:
  ///   - page: The page.
  ///   - shownWords: How many words it shows.
  ///   - takesDescription: Whether its description in the head will do.
  package init?(in page: DOMTree, shownWords: Int, takesDescription: Bool = true) {
    let shown = shownWords * Self.wordLength
    let linked = LinkedTexts(Self.linkedData(of: page))
    if let texts = linked.texts, DataTexts.weight(of: texts) >= max(Self.leastLinkedData, shown) {
      self.init(linked.data, texts, like: page, .linkedData)
      return
    }
    let state = Self.state(of: page, readsPrograms: shownWords < Self.someWords)
    // Beside nothing at all little is much.
    let least = shownWords == 0 ? Self.leastStateAlone : max(Self.leastState, shown)
    let texts = state.together
    if DataTexts.weight(of: texts) >= least, texts.reduce(0, { $0 + $1.bytes.sentences }) > 1 {
      self.init(state, texts, like: page, .state)
      return
    }
    if let summary = linked.summary, summary.weight >= max(Self.leastLinkedData, shown) {
      self.init(linked.data, [summary], like: page, .linkedData)
      return
    }
    guard takesDescription, let description = Self.description(of: page), description.count > shown
    else { return nil }
    var data = DataTexts(.state)
    data.add(description)
    self.init(data, data.texts, like: page, .description)
  }

  /// With so many words a page shows more than that it is being loaded.
  private static let someWords = 20

  /// Bytes that a word has at least, with markup.
  private static let wordLength = 8

  private init(
    _ data: DataTexts, _ texts: [DataTexts.Text], like page: DOMTree, _ source: ContentSource.Data
  ) {
    var writer = DataTextPage(data)
    for text in texts { writer.add(text) }
    (tree, self.source) = (writer.tree(like: page), source)
  }

  /// The longest description among the elements `meta`.
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

  private static func linkedData(of page: DOMTree) -> DataTexts {
    var data = DataTexts(.linkedData)
    page.bytes.withUnsafeBufferPointer { bytes in
      for script in page.structuredData where script.kind == .linkedData {
        data.read(UnsafeBufferPointer(rebasing: bytes[script.range]))
      }
    }
    data.sumUp()
    return data
  }

  private static func state(of page: DOMTree, readsPrograms: Bool) -> DataTexts {
    var data = DataTexts(.state)
    page.bytes.withUnsafeBufferPointer { bytes in
      for script in page.structuredData where script.kind == .state {
        data.read(UnsafeBufferPointer(rebasing: bytes[script.range]))
      }
      var programs = ProgramState(data)
      for script in page.structuredData where readsPrograms && script.kind == .program {
        programs.read(UnsafeBufferPointer(rebasing: bytes[script.range]))
      }
      data = programs.finish()
    }
    data.sumUp()
    return data
  }
}

/// What of linked data is text.
private struct LinkedTexts {
  let data: DataTexts
  /// An article whole, or all that says something; nil when nothing does.
  var texts: [DataTexts.Text]?
  /// The longest description of an article.
  var summary: DataTexts.Text?

  init(_ data: DataTexts) {
    self.data = data
    let bodies = data.texts.filter { $0.key == .body }
    guard bodies.isEmpty else {
      texts = bodies
      return
    }
    let role = { (text: DataTexts.Text) in data.containers[Int(text.container)].role }
    let described = data.texts.filter { text in
      switch text.key {
      case .text, .item: role(text) != .chrome
      case .summary: role(text) != .chrome && role(text) != .article
      case .name: role(text) == .question
      default: false
      }
    }
    texts = described.isEmpty ? nil : described
    summary = data.texts.filter { $0.key == .summary && role($0) != .chrome }
      .max { $0.weight < $1.weight }
  }
}

extension DataTexts {
  /// Bytes of some texts.
  static func weight(of texts: [Text]) -> Int { texts.reduce(0) { $0 + $1.weight } }

  /// The texts that stand where most of all text stands together, each once.
  var together: [Text] {
    let (container, text) = core
    if let text { return [texts[text]] }
    var isIn = [Bool](repeating: false, count: containers.count)
    for index in containers.indices {
      isIn[index] = index == container || index > 0 && isIn[Int(containers[index].parent)]
    }
    var seen: Set<[UInt8]> = []
    return texts.filter {
      isIn[Int($0.container)]
        && ($0.bytes.count < Self.leastRepeated || seen.insert($0.bytes).inserted)
    }
  }

  /// Shorter texts may be there twice.
  private static let leastRepeated = 40

  /// The innermost container that holds most texts of what is around it, or the one text that does.
  private var core: (container: Int, text: Int?) {
    var container = 0
    var heaviest = [Int](repeating: 0, count: containers.count)
    for index in containers.indices.dropFirst() {
      let parent = Int(containers[index].parent)
      if heaviest[parent] == 0 || containers[index].weight > containers[heaviest[parent]].weight {
        heaviest[parent] = index
      }
    }
    while true {
      let own = containers[container]
      let next = heaviest[container]
      // Of a list nothing is left out but for one in which all stands.
      let isMost = { (weight: Int) in weight * 10 > own.weight * (own.isArray ? 9 : 6) }
      if next > 0, isMost(containers[next].weight) {
        container = next
        continue
      }
      let text = texts.firstIndex { $0.container == container && isMost($0.weight) }
      return (container, text)
    }
  }
}
