import Document
import DOM

// Removes what the name of an ancestor identifies as boilerplate: it may read like content, but is
// the same on all pages of the site.

extension BoilerplateName {
  /// Returns the names that count on a kind of page. In articles and documentation, a form, filter
  /// or message may be the subject of the page.
  static func names(on kind: PageKind) -> BoilerplateName {
    switch kind {
    case .article, .documentation: [.screenReaderOnly, .consent, .breadcrumbs]
    case .forum: [.screenReaderOnly, .consent, .breadcrumbs, .signature, .authorDetails, .controls]
    case .service: offerNames
    case .product: offerNames.union(.filter)
    case .productList, .linkList: offerNames.union([.filter, .sidebar, .controls])
    }
  }

  private static let offerNames: BoilerplateName = [
    .screenReaderOnly, .consent, .newsletter, .popover, .errorMessage, .form, .footer,
    .announcement, .breadcrumbs,
  ]

  /// Returns the boilerplate names in the class and the id of an element, and the name implied by
  /// the element or its role.
  package static func names(of node: Int32, in tree: DOMTree) -> BoilerplateName {
    let element = tree.nodes[Int(node)]
    var names: BoilerplateName =
      switch element.name {
      case .form: .form
      case .footer: .footer
      case .aside: .sidebar
      default: []
      }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let valueRange =
        Int(attribute.start)..<min(Int(attribute.end), Int(attribute.start) + maxBytes)
      if attribute.name == .role, tree.bytes[valueRange].elementsEqual("complementary".utf8) {
        names.insert(.sidebar)
      }
      // A quick test of the whole value: few elements have any of the names.
      guard attribute.name == .class || attribute.name == .id,
        tree.bytes.withUnsafeBufferPointer({ matcher.match($0, in: valueRange) }) != 0
      else { continue }
      names.formUnion(self.names(inWordsOf: valueRange, in: tree))
    }
    return names.withoutVisibleText
  }

  /// The names, except the names of text for screen readers if this text is visible at some width.
  private var withoutVisibleText: BoilerplateName {
    contains(.visibleAtSomeWidth) ? subtracting([.screenReaderOnly, .visibleAtSomeWidth]) : self
  }

  /// Returns the names in the words of an attribute value, except words that name a subject.
  private static func names(inWordsOf value: Range<Int>, in tree: DOMTree) -> BoilerplateName {
    var names: BoilerplateName = []
    for word in tree.bytes[value].split(whereSeparator: \.isWhiteSpace)
    where !Vocabulary.subjectClassPrefixes.contains(where: { word.starts(with: $0.utf8) }) {
      tree.bytes.withUnsafeBufferPointer {
        names.formUnion(BoilerplateName(rawValue: matcher.match($0, in: word.indices)))
      }
    }
    return names
  }

  /// Returns the boilerplate names in the class of an element; its id may name the subject of a
  /// section.
  static func classNames(of node: Int32, in tree: DOMTree) -> BoilerplateName {
    guard let value = tree.attribute(.class, of: node) else { return [] }
    let prefix = value.lowerBound..<min(value.upperBound, value.lowerBound + maxBytes)
    return names(inWordsOf: prefix, in: tree)
  }

  /// Returns the names that count for inline elements, which are not blocks.
  static func inlineNames(on kind: PageKind) -> BoilerplateName {
    switch kind {
    case .productList, .linkList, .forum: [.screenReaderOnly, .controls]
    case .article, .documentation, .product, .service: [.screenReaderOnly, .inlineControl]
    }
  }

  /// Returns the boilerplate names anywhere in the class and id of an element, or in the fragment
  /// that a link within the page refers to.
  package static func names(of node: Int32, in tree: DOMTree, _ memo: inout AttributeValueCache)
    -> BoilerplateName
  {
    let element = tree.nodes[Int(node)]
    var names: BoilerplateName = []
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .class, .id: break
      case .href where !value.isEmpty && tree.bytes[value.lowerBound] == UInt8(ascii: "#"): break
      case .style where tree.isClippedToOnePixel(node):
        names.insert(.screenReaderOnly)
        continue
      default: continue
      }
      tree.bytes.withUnsafeBufferPointer {
        let found = memo.result(of: value, in: $0) { UInt64(matcher.match($0, in: $0.indices)) }
        names.formUnion(BoilerplateName(rawValue: UInt32(truncatingIfNeeded: found)))
      }
    }
    return names.withoutVisibleText
  }

  private static let maxBytes = 400

  private static let matcher = WordMatcher(Vocabulary.boilerplateNames.map { ($0.rawValue, $1) })
}

extension PageBlocks {
  /// Removes blocks in elements with the given names.
  ///
  /// A name whose elements contain more than half of what is kept is ignored, such as a form around
  /// the whole page. For sidebars the limit is three quarters, because they may be longer than a
  /// short list beside them.
  func withoutElements(_ isKept: [Bool], named wantedNames: BoilerplateName, in tree: DOMTree)
    -> [Bool]
  {
    let keptWordSums = keptWordSums(isKept)
    var dateSums = [0]
    dateSums.reserveCapacity(blocks.count + 1)
    for (index, block) in blocks.enumerated() {
      dateSums.append(dateSums[index] + (isNear(.dateWord, block, maxDistance: 1) ? 1 : 0))
    }
    // For each container, its names and those of its ancestors; for each name, the words inside.
    var names = [BoilerplateName](repeating: [], count: containers.count)
    var wordCounts = [Int](repeating: 0, count: BoilerplateName.removableCount)
    for index in containers.indices.dropFirst() {
      let container = containers[index]
      let range = container.blockRange
      let wordCount = keptWordSums[Int(range.upperBound)] - keptWordSums[Int(range.lowerBound)]
      let inheritedNames = names[Int(container.parentIndex)]
      guard wordCount > 0 else { continue }
      var ownNames = trustedBoilerplateNames(of: container, in: tree).intersection(wantedNames)
        .subtracting(inheritedNames)
      if dateSums[Int(range.upperBound)] > dateSums[Int(range.lowerBound)] {
        // A dated element is not the signature below each post.
        ownNames.remove(.signature)
      }
      for bit in wordCounts.indices where ownNames.rawValue >> UInt32(bit) & 1 != 0 {
        wordCounts[bit] += wordCount
      }
      names[index] = inheritedNames.union(ownNames)
    }
    var boilerplateNames: BoilerplateName = []
    for (bit, wordCount) in wordCounts.enumerated() where wordCount > 0 {
      let name = BoilerplateName(rawValue: 1 << UInt32(bit))
      let maxWordCount =
        name == .sidebar ? keptWordSums[blocks.count] * 3 / 4 : keptWordSums[blocks.count] / 2
      if wordCount <= maxWordCount { boilerplateNames.insert(name) }
    }
    return blocks.enumerated().map { index, block in
      isKept[index] && names[Int(block.containerIndex)].isDisjoint(with: boilerplateNames)
        && !(wantedNames.contains(.screenReaderOnly) && isScreenReaderButtonLabel(block, in: tree))
    }
  }

  /// Returns the boilerplate names of a container that can be trusted: none if the container holds
  /// the page title, and a footer only in the second half of the page, outside the main part and
  /// outside items.
  private func trustedBoilerplateNames(of container: Container, in tree: DOMTree) -> BoilerplateName
  {
    var names = BoilerplateName.names(of: container.node, in: tree)
    guard !names.isEmpty, !containsFirstTitle(container.blockRange) else { return [] }
    if names.contains(.footer) {
      let topics = topicDepths[Int(container.topicDepthsIndex)].topicBits
      let isInMain = topics & (BlockTopic.main.bit | BlockTopic.article.bit) != 0
      let isInFirstHalf = Int(container.blockRange.lowerBound) * 2 < blocks.count
      if isInMain || container.unitIndex != nil || isInFirstHalf { names.remove(.footer) }
    }
    return names
  }

  /// Returns whether a block is the label of a button for screen readers; such a button shows only
  /// an icon. The button of a column may have such a text beside a visible one.
  private func isScreenReaderButtonLabel(_ block: Block, in tree: DOMTree) -> Bool {
    let container = containers[Int(block.containerIndex)]
    guard container.name == .button,
      block.text.wordCount <= Self.maxScreenReaderLabelWordCount,
      block.topicBits & BlockTopic.hiddenWord.bit != 0
    else { return false }
    return textNodes(of: block).allSatisfy { text in
      var node = tree.nodes[Int(text)].parent ?? 0
      while node > container.node {
        if BlockTopic.topics(of: node, in: tree) & BlockTopic.hiddenWord.bit != 0 { return true }
        node = tree.nodes[Int(node)].parent ?? 0
      }
      return tree.isBlank(text)
    }
  }

  /// The maximum number of words of a button label for screen readers; buttons with a visible
  /// question have more.
  private static let maxScreenReaderLabelWordCount = 3
}
