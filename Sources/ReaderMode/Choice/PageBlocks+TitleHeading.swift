import DOM
import Metadata

extension PageBlocks {
  /// Returns the index of the heading with the title of the page: the first heading of level 1, or
  /// otherwise the first one of level 2 that has it, because the name of the site may be the only
  /// heading of level 1; nil if there is none.
  func titleIndex(_ candidates: ContentCandidates, in tree: DOMTree) -> Int? {
    let key = PageTitle.comparisonKey(candidates.title)
    guard !key.isEmpty else { return nil }
    if let firstTitleIndex, isHeading(firstTitleIndex, ofTitle: key, in: tree) {
      return firstTitleIndex
    }
    return blocks.indices.first {
      blocks[$0].headingLevel == 2 && isHeading($0, ofTitle: key, in: tree)
    }
  }

  /// Whether a heading consists of the title of the page, apart from a topic before it and the
  /// number of a note after it.
  private func isHeading(_ index: Int, ofTitle key: String, in tree: DOMTree) -> Bool {
    if isHeading(index, withKey: key, in: tree) { return true }
    let heading = PageTitle.comparisonKey(text(of: index, in: tree))
    if heading.hasPrefix(key + " ") {
      return heading.dropFirst(key.count + 1).allSatisfy(\.isNumber)
    }
    return heading.hasSuffix(" " + key) && key.contains(" ")
      && heading.dropLast(key.count).split(separator: " ").count <= DOMTree.maxKickerWordCount
  }

  /// Whether a heading consists of the title with a comparison key, and of parts that do not belong
  /// to a title, such as text for screen readers.
  func isHeading(_ index: Int, withKey key: String, in tree: DOMTree) -> Bool {
    let own = PageTitle.comparisonKey(text(of: index, in: tree))
    guard own != key else { return true }
    guard own.utf8.count > key.utf8.count, let text = blocks[index].textRange.first,
      let heading = tree.heading(around: textNodes[Int(text)]),
      // A heading with several blocks would be read once for each of them.
      !tree.nodes[Int(heading)].contents.contains(.block)
    else { return false }
    return tree.isHeading(heading, withKey: key)
  }
}

extension DOMTree {
  /// Whether the text of a heading has a comparison key, without the parts that do not belong to a
  /// title.
  func isHeading(_ heading: Int32, withKey key: String) -> Bool {
    (headingTexts(below: heading) + [headingText(belowKickerOf: heading)].compactMap(\.self))
      .contains { PageTitle.comparisonKey($0) == key }
  }
}
