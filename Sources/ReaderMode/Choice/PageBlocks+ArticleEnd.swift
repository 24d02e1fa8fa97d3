import DOM
import Metadata

// The content after the end of an article: labels with links to other articles, invitations to
// follow the site, tags, a notice of copyright, and a box about the author.

extension PageBlocks {
  /// Removes the last kept lines, as long as they are labels such as "Related posts:"
  /// with the links below them, invitations such as "Follow us on ...", tags, links such as "Next
  /// article", or a notice of copyright. The label above the last links may be left out already.
  func dropLinesAfterEnd(_ isKept: inout [Bool], maxWordCount: Int, in tree: DOMTree) {
    var (removed, links): ([Int], [Int]) = ([], [])
    var wordCount = 0
    for index in blocks.indices.reversed() where isKept[index] {
      let block = blocks[index]
      wordCount += Int(block.text.wordCount)
      guard wordCount <= maxWordCount, index != firstTitleIndex else { break }
      let isAboveOmittedLink =
        index + 1 < blocks.count && !isKept[index + 1] && blocks[index + 1].isLink
      let hasLinks = !links.isEmpty || isAboveOmittedLink
      if isReferenceLabel(index, hasLinks: hasLinks, in: tree) {
        removed += links + [index]
        links = []
      } else if links.isEmpty, isClosingLink(index, in: tree) {
        removed.append(index)
      } else if block.isLink, links.count < Self.maxReferences, linksToOtherPage(index, in: tree) {
        links.append(index)
      } else if links.isEmpty,
        isClosingInvitation(index, in: tree) || isClosingNotice(index, in: tree)
      {
        removed.append(index)
      } else {
        break
      }
    }
    if let label = links.last.map({ $0 - 1 }), label >= 0, !isKept[label],
      isReferenceLabel(label, hasLinks: true, in: tree)
    {
      removed += links
    }
    for index in removed { isKept[index] = false }
  }

  /// Whether a block is a label of tags or of links to other articles and nothing else, and not a
  /// heading that is usual above the author's own links. A label of tags has a colon, or links
  /// below it, which may not be kept. With links below it, the label may also be that of a list
  /// such as "Most read".
  private func isReferenceLabel(_ index: Int, hasLinks: Bool, in tree: DOMTree) -> Bool {
    let block = blocks[index]
    guard block.headingLevel != 1, block.text.linkCount == 0,
      1...Self.maxLabelWordCount ~= Int(block.text.wordCount)
    else { return false }
    let line = text(of: index, in: tree)
    let key = PageTitle.comparisonKey(line)
    func begins(withAnyOf labels: [String]) -> Bool {
      labels.contains { key.hasPrefix($0 + " ") }
    }
    let isListLabel =
      Vocabulary.articleListLabels.contains(key)
      || begins(withAnyOf: Vocabulary.articleListLabelPrefixes)
    if hasLinks, isListLabel { return true }
    if block.headingLevel > 0, Vocabulary.referenceHeadings.contains(key) { return false }
    if Vocabulary.crossReferences.contains(key) { return true }
    let hasColon = line.last == ":" || line.last == "："
    if block.headingLevel == 0, hasColon || hasLinks, Vocabulary.tagLabels.contains(key) {
      return !isInTable(index)
    }
    return hasColon && begins(withAnyOf: Vocabulary.crossReferences)
  }

  /// Whether a block is a cell of a table or the name of a value, which stays with the value.
  private func isInTable(_ index: Int) -> Bool {
    let containerIndex = blocks[index].containerIndex
    return [containerIndex, containers[Int(containerIndex)].parentIndex].contains {
      $0 > 0 && [.td, .th, .dt].contains(containers[Int($0)].name)
    }
  }

  /// Whether a block is a link to a tag (`rel=tag`), or to the previous or the next article, or
  /// similar. In lists, only links to tags count, because titles of works may begin alike.
  private func isClosingLink(_ index: Int, in tree: DOMTree) -> Bool {
    if isLinkAfterArrow(index, in: tree) { return true }
    guard blocks[index].isLink, let text = blocks[index].textRange.first else { return false }
    let link = tree.link(around: textNodes[Int(text)])
    if link > 0, tree.value(.rel, of: link, contains: "tag") { return true }
    let key = PageTitle.comparisonKey(self.text(of: index, in: tree)) + " "
    return blocks[index].text.wordCount <= Self.maxLabelWordCount && !isInListOrQuotation(index)
      && Vocabulary.closingLinks.contains { key.hasPrefix($0 + " ") }
  }

  /// Whether a line consists of an arrow to the left and links, such as "← The mill | The ferry →".
  private func isLinkAfterArrow(_ index: Int, in tree: DOMTree) -> Bool {
    guard mayInterrupt(index), linksToOtherPage(index, in: tree),
      text(of: index, in: tree).first == "←"
    else { return false }
    return blocks[index].textRange.allSatisfy { position in
      let node = textNodes[Int(position)]
      let range = Int(tree.nodes[Int(node)].start)..<Int(tree.nodes[Int(node)].end)
      return tree.link(around: node) > 0
        || !String(decoding: tree.bytes[range], as: UTF8.self).contains {
          $0.isLetter || $0.isNumber
        }
    }
  }

  private func isClosingInvitation(_ index: Int, in tree: DOMTree) -> Bool {
    guard mayInterrupt(index) else { return false }
    let key = PageTitle.comparisonKey(text(of: index, in: tree)) + " "
    func isAmong(_ invitations: [String]) -> Bool {
      invitations.contains { key.hasPrefix($0 + " ") }
    }
    return isAmong(Vocabulary.closingInvitations)
      || blocks[index].text.linkCount > 0 && isAmong(Vocabulary.linkedInvitations)
  }

  /// Whether a line is a notice of copyright, or of a post, or a label such as "Filed under" with
  /// links to other pages, and nothing else. A licence stays.
  private func isClosingNotice(_ index: Int, in tree: DOMTree) -> Bool {
    let notice = postNotice(index, in: tree)
    if let notice, isAlone(notice, at: index, in: tree) { return true }
    guard mayInterrupt(index) else { return false }
    let counts = blocks[index].text
    let line = text(of: index, in: tree)
    let key = PageTitle.comparisonKey(line) + " "
    let reservation = Vocabulary.rightsReservations.lazy.compactMap { key.firstRange(of: $0) }.first
    if counts.hasCopyright || reservation != nil {
      let isShort = counts.wordCount <= Self.maxNoticeWordCount
      guard reservation != nil || isShort && line.contains(where: \.isNumber),
        !Vocabulary.licenseTerms.contains(where: { key.contains($0) })
      else { return false }
      return line.hasPrefix("©") || key.hasPrefix("copyright ")
        || reservation?.lowerBound == key.startIndex
    }
    let nameWordCount = notice?.name?.split(separator: " ").count ?? 0
    return linksToOtherPage(index, in: tree)
      && isTagLine(
        line, otherWordCount: Int(counts.wordCount - counts.linkWordCount) - nameWordCount)
  }

  /// Returns the notices shortly after the last kept block that state who posted the text and when.
  /// Those below the linked title of another text belong to that text.
  func postNotices(below isKept: [Bool], in tree: DOMTree) -> [PostNotice] {
    guard let end = isKept.lastIndex(of: true) else { return [] }
    return blocks.indices[(end + 1)...].prefix(Self.maxBlocksWithNotices)
      .prefix { blocks[$0].headingLevel == 0 || blocks[$0].text.linkCount == 0 }
      .compactMap { postNotice($0, in: tree) }
  }

  private static let maxBlocksWithNotices = 6

  /// Returns the notice in a block with links that begins like one; nil for other blocks.
  private func postNotice(_ index: Int, in tree: DOMTree) -> PostNotice? {
    let block = blocks[index]
    guard block.text.linkCount > 0, block.text.wordCount <= Self.maxPostNoticeWordCount else {
      return nil
    }
    return PostNotice(
      block.textRange.map { position in
        let textNode = textNodes[Int(position)]
        let node = tree.nodes[Int(textNode)]
        let text = String(decoding: tree.bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
        return (text, tree.link(around: textNode) > 0)
      })
  }

  /// Whether a block with a notice has nothing else.
  private func isAlone(_ notice: PostNotice, at index: Int, in tree: DOMTree) -> Bool {
    blocks[index].headingLevel == 0 && !isInListOrQuotation(index)
      && (notice.isUnambiguous || hasTagLink(index, in: tree))
  }

  private static let maxPostNoticeWordCount = 80

  /// Whether a block has a link to a tag or category of the text (`rel=tag`).
  private func hasTagLink(_ index: Int, in tree: DOMTree) -> Bool {
    blocks[index].textRange.contains {
      let link = tree.link(around: textNodes[Int($0)])
      return link > 0 && tree.value(.rel, of: link, contains: "tag")
    }
  }

  /// Whether a line begins with a label of tags and has few other words without a link. A label of
  /// one word, which may also begin a sentence or the name of a day, is followed by a colon or only
  /// by links. `otherWordCount` is the number of words that are neither linked nor part of the name
  /// of the author.
  private func isTagLine(_ line: String, otherWordCount: Int) -> Bool {
    guard otherWordCount <= Self.maxOtherTagWords else { return false }
    let key = PageTitle.comparisonKey(line)
    let labelBeforeColon = line.firstIndex { $0 == ":" || $0 == "：" }.map {
      PageTitle.comparisonKey(line[..<$0])
    }
    return Vocabulary.tagLabels.contains { label in
      key.hasPrefix(label + " ")
        && (labelBeforeColon == label || label.contains(" ") || otherWordCount == 1)
    }
  }

  private static let maxNoticeWordCount = 16
  /// The maximum number of words of a line with tags that are not linked: its label, and words such
  /// as "and".
  private static let maxOtherTagWords = 4

  /// Removes boxes about the author below most of the text, and the last paragraphs if a label such
  /// as "About the author" is above them. Several similar boxes are a part of the text.
  func dropAuthorBoxes(_ isKept: inout [Bool], maxWordCount: Int, in tree: DOMTree) {
    var boxes = containers.dropFirst().filter { container in
      container.similarCount < 3
        && wordCount(in: container.blockRange) <= min(maxWordCount, Self.maxAuthorBoxWordCount)
        && !containsFirstTitle(container.blockRange)
        && tree.value(.class, of: container.node, matches: Self.authorBoxNames)
        && container.blockRange.contains { isKept[Int($0)] }
    }.map(\.blockRange)
    if let section = authorSection(isKept, maxWordCount: maxWordCount, in: tree) {
      boxes.append(section)
    }
    guard !boxes.isEmpty else { return }
    let keptBefore = keptWordSums(isKept)
    for box in boxes where keptBefore[Int(box.lowerBound)] * 2 >= keptBefore[blocks.count] {
      for index in box { isKept[Int(index)] = false }
    }
  }

  /// Returns the range from a label such as "About the author" to the end of the kept text; nil if
  /// there is no such label, or if too many words or another heading follow it.
  private func authorSection(_ isKept: [Bool], maxWordCount: Int, in tree: DOMTree)
    -> Range<Int32>?
  {
    guard let last = isKept.lastIndex(of: true) else { return nil }
    var wordCount = 0
    for index in (0...last).reversed() where isKept[index] {
      wordCount += Int(blocks[index].text.wordCount)
      guard wordCount <= min(maxWordCount, Self.maxAuthorBoxWordCount),
        blocks[index].headingLevel != 1
      else { return nil }
      let label = text(of: index, in: tree).prefix { $0 != ":" && $0 != "：" }
      if Vocabulary.authorBoxLabels.contains(PageTitle.comparisonKey(label)) {
        guard !isInListOrQuotation(index) else { return nil }
        return Int32(index)..<Int32(last + 1)
      }
      guard blocks[index].headingLevel == 0 else { return nil }
    }
    return nil
  }

  private static let authorBoxNames = WordMatcher(
    """
    author-bio,author_bio,authorbio,author-box,author_box,authorbox,author-info,author_info,\
    authorinfo,author-card,author-profile,author-desc,about-author,about_author,aboutauthor,\
    about-the-author,about-the-writer,writer-bio,bio-box,post-author,saboxplugin,m-a-box,abh_box
    """)

  /// The maximum number of links below a label.
  private static let maxReferences = 12
  private static let maxLabelWordCount = 8
  private static let maxAuthorBoxWordCount = 120
}
