import DOM
import Document
import Metadata

// Content that a site places between the paragraphs of an article: labels of advertisements, links
// to other articles, labels of its interface, and invitations to subscribe. The same words in
// lists, tables, quotations and headings belong to the text.

extension PageBlocks {
  /// Removes the interruptions of an article, unless they are more than a quarter of the kept
  /// words. In documentation only labels of the interface are removed.
  func withoutInterruptions(_ isKept: [Bool], _ candidates: ContentCandidates, in tree: DOMTree)
    -> [Bool]
  {
    let kind = candidates.kind
    let isKept = withoutMessageLinks(isKept, in: tree)
    var stays = isKept
    let firstSentence = blocks.indices.first { isKept[$0] && blocks[$0].text.isProse } ?? -1
    for index in blocks.indices where isKept[index] && mayInterrupt(index) {
      if isInterruption(index, of: kind, in: tree)
        || index <= firstSentence && isBreadcrumb(index, in: tree)
      {
        stays[index] = false
      }
    }
    let kept = wordCount(kept: isKept)
    if wordCount(kept: stays) * 4 < kept * 3 { stays = isKept }
    guard kind == .article else { return stays }
    var less = stays
    dropInvitations(&less, keptWordCount: kept, candidates.probabilities, in: tree)
    dropAdvertisements(&less, maxWordCount: kept / 4, candidates.probabilities, in: tree)
    dropLinesAfterEnd(&less, maxWordCount: kept / 4, in: tree)
    dropAuthorBoxes(&less, maxWordCount: kept / 4, in: tree)
    return wordCount(kept: less) * 2 < kept ? stays : less
  }

  /// Whether a block is short and not part of a list, table, quotation or figure.
  func mayInterrupt(_ index: Int) -> Bool {
    let block = blocks[index]
    return block.headingLevel == 0 && 1...Self.maxWordCount ~= Int(block.text.wordCount)
      && !isInListOrQuotation(index)
  }

  /// Whether a block is part of a list, table, quotation or figure.
  func isInListOrQuotation(_ index: Int) -> Bool {
    var container = blocks[index].containerIndex
    for _ in 0..<Self.maxExaminedAncestors where container > 0 {
      switch containers[Int(container)].name {
      case .li, .table, .td, .th, .dl, .dt, .dd, .pre, .blockquote, .figcaption: return true
      default: container = containers[Int(container)].parentIndex
      }
    }
    return false
  }

  private func isInterruption(_ index: Int, of kind: PageKind, in tree: DOMTree) -> Bool {
    let counts = blocks[index].text
    let line = text(of: index, in: tree)
    if kind == .article, counts.linkWordCount > 0, isCrossReference(line, index, in: tree) {
      return true
    }
    guard counts.wordCount <= Self.maxLabelWordCount else { return false }
    let keys = line.split(whereSeparator: { "|•·".contains($0) }).map {
      PageTitle.comparisonKey($0)
    }.filter { !$0.isEmpty }
    guard let key = keys.first else { return false }
    if keys.allSatisfy({ Vocabulary.interfaceLines.contains($0) }) { return true }
    guard kind == .article, keys.count == 1 else { return false }
    return Vocabulary.advertisementLines.contains(key)
      || Vocabulary.continuationLines.contains(where: { key.hasPrefix($0) })
      || counts.linkWordCount == counts.wordCount && Vocabulary.linkedLines.contains(key)
  }

  // MARK: Links to other articles

  /// Removes labels such as "Next message:" with links and hardly anything else, which are around
  /// the text in archives of mailing lists, unless nothing else is kept.
  private func withoutMessageLinks(_ isKept: [Bool], in tree: DOMTree) -> [Bool] {
    var stays = isKept
    for index in blocks.indices where isKept[index] && blocks[index].text.linkCount > 0 {
      let counts = blocks[index].text
      guard counts.wordCount <= Self.maxWordCount,
        case let line = text(of: index, in: tree), let colon = line.firstIndex(of: ":"),
        Vocabulary.messageLinkLabels.contains(PageTitle.comparisonKey(line[..<colon])),
        // Brackets around a link count as words.
        Int(counts.linkWordCount) * 3
          >= Int(counts.wordCount) - Self.wordCount(of: String(line[...colon]))
      else { continue }
      stays[index] = false
    }
    return stays.contains(true) ? stays : isKept
  }

  /// Whether a line is a label such as "Read more:" with a link to another page and nothing else.
  private func isCrossReference(_ line: String, _ index: Int, in tree: DOMTree) -> Bool {
    let counts = blocks[index].text
    let unlinkedWordCount = Int(counts.wordCount - counts.linkWordCount)
    guard unlinkedWordCount <= Self.maxLabelWordCount else { return false }
    let text = line.drop { !$0.isLetter }
    let lower = text.prefix(Self.maxLabelLength).lowercased()
    guard
      let label = Vocabulary.crossReferences.first(where: { lower.hasPrefix($0) })
        ?? Vocabulary.capitalCrossReferences.first(where: { text.hasPrefix($0.uppercased()) })
    else { return false }
    // "Loe kasutusjuhendit" does not begin with the label "Loe ka".
    guard text.dropFirst(label.count).first?.isLowercase != true,
      let next = lower.dropFirst(label.count).first(where: { !$0.isWhitespace })
    else { return false }
    let isMarked = Vocabulary.crossReferenceMarkers.contains(next)
    let labelWordCount = Self.wordCount(of: label)
    // Words are counted with characters around the label, such as `»` and brackets.
    let start = line.prefix(line.count - text.count) + label + (isMarked ? String(next) : "")
    let isLabelUnlinked =
      unlinkedWordCount == Self.wordCount(of: String(start)) && (isMarked || labelWordCount > 1)
    return (isLabelUnlinked || unlinkedWordCount == 0 && isMarked)
      && linksToOtherPage(index, in: tree)
  }

  /// Whether a line consists of links from the home page down to this page with arrows between
  /// them, and perhaps of a label and the title of this page.
  private func isBreadcrumb(_ index: Int, in tree: DOMTree) -> Bool {
    let counts = blocks[index].text
    guard counts.linkCount > 1, case let line = text(of: index, in: tree),
      line.contains(where: { "»›>→/".contains($0) }), leadsFromHomePage(index, in: tree)
    else { return false }
    let otherWordCount = Int(counts.wordCount - counts.linkWordCount)
    if otherWordCount <= Self.maxBreadcrumbLabelWordCount { return true }
    guard let firstTitleIndex else { return false }
    let titleWordCount = Int(blocks[firstTitleIndex].text.wordCount)
    let title = PageTitle.comparisonKey(text(of: firstTitleIndex, in: tree))
    return otherWordCount <= titleWordCount + Self.maxBreadcrumbLabelWordCount
      && !title.isEmpty && PageTitle.comparisonKey(line).hasSuffix(title)
  }

  /// Whether the first link of a block leads to a home page, and no other link to another site.
  private func leadsFromHomePage(_ index: Int, in tree: DOMTree) -> Bool {
    let targets = links(in: index, of: tree).compactMap { tree.string(.href, of: $0)?.oneLine }
    guard let home = targets.first else { return false }
    if ["/", "./", "index.html", "/index.html", "/index.php"].contains(home) { return true }
    guard let host = home.firstRange(of: "://")?.upperBound else { return false }
    let rest = home[host...]
    let isHome = rest.firstIndex(of: "/").map { rest.index(after: $0) == rest.endIndex } ?? true
    let site = home.last == "/" ? home : home + "/"
    return isHome && targets.allSatisfy { $0 == home || $0.hasPrefix(site) || !$0.contains("://") }
  }

  /// Returns the link around each text of a block that is in a link.
  private func links(in index: Int, of tree: DOMTree) -> [Int32] {
    blocks[index].textRange.map { tree.link(around: textNodes[Int($0)]) }.filter { $0 > 0 }
  }

  private static let maxBreadcrumbLabelWordCount = 3

  private static func wordCount(of label: String) -> Int {
    var counts = BlockTextCounts()
    Array(label.utf8).withUnsafeBufferPointer { counts.add($0, in: $0.indices, isLink: false) }
    counts.endWord()
    return Int(counts.wordCount)
  }

  // MARK: Advertisements

  /// Removes elements that begin with the label of an advertisement and have a link. An element
  /// with a long likely sentence is a part of the text that begins with a slot for an
  /// advertisement.
  private func dropAdvertisements(
    _ isKept: inout [Bool], maxWordCount: Int, _ probabilities: [Float], in tree: DOMTree
  ) {
    for container in containers.dropFirst() {
      let range = container.blockRange
      guard range.count > 1, Self.boxElements.contains(container.name),
        wordCount(in: range) <= min(Self.maxInvitationWordCount, maxWordCount),
        !containsFirstTitle(range), range.contains(where: { isKept[Int($0)] }),
        sum(range).linkCount > 0, case let label = blocks[Int(range.lowerBound)],
        label.headingLevel == 0, label.text.wordCount <= Self.maxLabelWordCount,
        Vocabulary.advertisementLines.contains(
          PageTitle.comparisonKey(text(of: Int(range.lowerBound), in: tree))),
        !range.contains(where: { index in
          let text = blocks[Int(index)].text
          return text.isProse && text.sentenceEndCount > 0
            && text.wordCount >= Self.minTextWordCount
            && probabilities[Int(index)] >= Self.minTextProbability
        })
      else { continue }
      for index in range { isKept[Int(index)] = false }
    }
  }

  /// The minimum number of words of a likely sentence that does not belong to an advertisement.
  private static let minTextWordCount = 20
  /// The elements that may be boxes beside the text.
  private static let boxElements: ElementSet = [.div, .section, .aside, .article, .other]

  // MARK: Invitations

  /// Removes boxes with an invitation to subscribe, to donate or to agree to something: elements
  /// with a class for such boxes and a control, and elements around the field for an e-mail
  /// address.
  private func dropInvitations(
    _ isKept: inout [Bool], keptWordCount: Int, _ probabilities: [Float], in tree: DOMTree
  ) {
    for container in containers.dropFirst() {
      let range = container.blockRange
      guard mayBeInvitation(container, keptWordCount: keptWordCount),
        range.contains(where: { isKept[Int($0)] }),
        !BoilerplateName.classNames(of: container.node, in: tree).isDisjoint(
          with: [.newsletter, .consent, .appeal]),
        asksForAction(container, in: tree)
      else { continue }
      for index in range { isKept[Int(index)] = false }
    }
    let fields = tree.emailFieldAncestors
    guard !fields.isEmpty else { return }
    let nodes = Set(fields.joined())
    var found: [Int32: Container] = [:]
    for container in containers.dropFirst() where nodes.contains(container.node) {
      found[container.node] = container
    }
    for ancestors in fields {
      var box: Range<Int32> = 0..<0
      for container in ancestors.compactMap({ found[$0] }) {
        let range = container.blockRange
        guard mayBeInvitation(container, keptWordCount: keptWordCount),
          !hasMoreText(range, than: box, probabilities)
        else { break }
        box = range
      }
      for index in box { isKept[Int(index)] = false }
    }
  }

  private func mayBeInvitation(_ container: Container, keptWordCount: Int) -> Bool {
    let range = container.blockRange
    let size = wordCount(in: range)
    guard container.name.headingLevel == 0, !containsFirstTitle(range),
      size <= min(Self.maxInvitationWordCount, keptWordCount / 2)
    else { return false }
    // The offer of a subscription may be long beside the few sentences that are free.
    return size <= keptWordCount / 4
      || range.contains { blocks[Int($0)].phrases.contains(.subscribe) }
  }

  /// Whether an element named for invitations has a control or a link that is a line of its own.
  /// The part of a text that only subscribers may read has such a name, too, and links in its
  /// sentences.
  private func asksForAction(_ container: Container, in tree: DOMTree) -> Bool {
    if tree.hasControl(below: container.node) { return true }
    let links = sum(container.blockRange).linkCount
    return links > 0
      && container.blockRange.contains {
        let block = blocks[Int($0)]
        return block.isLink || block.isPromotional
      }
  }

  /// Whether an element around a field has more likely sentences than an invitation: more than one,
  /// or more than the element in it that already has a line beside the field.
  private func hasMoreText(
    _ range: Range<Int32>, than inner: Range<Int32>, _ probabilities: [Float]
  ) -> Bool {
    func likelySentenceCount(_ range: Range<Int32>) -> Int {
      range.count { index in
        let block = blocks[Int(index)]
        return block.headingLevel == 0 && block.text.sentenceEndCount > 0
          && !block.isPromotional && probabilities[Int(index)] >= Self.minTextProbability
      }
    }
    let hasLine = inner.contains { index in
      blocks[Int(index)].headingLevel > 0
        || blocks[Int(index)].text.wordCount >= Self.minLineWordCount
    }
    return likelySentenceCount(range) > (hasLine ? likelySentenceCount(inner) : 1)
  }

  /// The probability from which a sentence beside a field for an e-mail address, or below the label
  /// of an advertisement, belongs to the text.
  private static let minTextProbability: Float = 0.6
  /// The minimum number of words of a line that is not the label of a field or button.
  private static let minLineWordCount = 4
  /// The maximum number of words of an interruption other than an invitation.
  private static let maxWordCount = 40
  private static let maxLabelWordCount = 12
  /// The maximum number of characters of the beginning of a line that is compared with labels.
  private static let maxLabelLength = 60
  /// The maximum number of containers around a block that are examined for lists, tables,
  /// quotations and figures.
  private static let maxExaminedAncestors = 3
  private static let maxInvitationWordCount = 90
}

extension DOMTree {
  /// For each field for an e-mail address that is not part of a form for comments or for signing
  /// in, the elements around it, from the innermost.
  fileprivate var emailFieldAncestors: [[Int32]] {
    var found: [[Int32]] = []
    for node in nodes.indices where nodes[node].name == .input {
      guard found.count < Self.maxFields, value(.type, of: Int32(node), contains: "email")
      else { continue }
      var ancestors: [Int32] = []
      var ancestor = nodes[node].parent ?? 0
      for _ in 0..<Self.maxFieldDepth where ancestor > 0 {
        let inside = descendants(of: ancestor).prefix(Self.maxExaminedNodes)
        if inside.contains(where: { isTextOrPassword($0) }) { break }
        ancestors.append(ancestor)
        ancestor = nodes[Int(ancestor)].parent ?? 0
      }
      if !ancestors.isEmpty { found.append(ancestors) }
    }
    return found
  }

  /// The maximum number of ancestors that are examined for a field.
  private static let maxFieldDepth = 6
  /// The maximum number of fields whose ancestors are examined.
  private static let maxFields = 100
  private static let maxExaminedNodes = 200

  private func isTextOrPassword(_ node: Int32) -> Bool {
    nodes[Int(node)].name == .textarea
      || nodes[Int(node)].name == .input && value(.type, of: node, contains: "password")
  }

  /// Whether an element contains a control other than a link.
  fileprivate func hasControl(below root: Int32) -> Bool {
    let controls: ElementSet = [.button, .input, .select, .iframe]
    return descendants(of: root).prefix(Self.maxExaminedNodes).contains {
      controls.contains(nodes[Int($0)].name)
    }
  }
}
