import DOM
import Metadata

// Other content in the element of a text: the next article of an endless page, related
// articles with excerpts, and a gallery before the text.

extension PageBlocks {
  /// Removes the parts beside the text of an article.
  func withoutNeighbors(_ isKept: [Bool], title: String, in tree: DOMTree) -> [Bool] {
    var stays = isKept
    dropOtherArticles(&stays, title: title, in: tree)
    dropRelatedSections(&stays)
    dropGalleries(&stays)
    return stays
  }

  /// Removes articles with a heading of their own after the one that has the title of the page:
  /// `article` elements, and siblings of the element of the text with the same class such as
  /// `story`.
  private func dropOtherArticles(_ isKept: inout [Bool], title: String, in tree: DOMTree) {
    let articles = containers.indices.filter { containers[$0].name == .article }
    let named = containers.indices.filter { isOneOfArticles(containers[$0], in: tree) }
    guard articles.count > 1 || !named.isEmpty, case let key = PageTitle.comparisonKey(title),
      !key.isEmpty
    else { return }
    let titles = blocks.indices.filter {
      blocks[$0].headingLevel > 0 && isHeading($0, withKey: key, in: tree)
    }
    guard !titles.isEmpty else { return }
    func hasTitle(_ article: Int) -> Bool {
      titles.contains { containers[article].blockRange.contains(Int32($0)) }
    }
    func drop(_ articles: [Int], after own: Int) {
      guard sum(containers[own].blockRange).proseWordCount >= Self.minArticleWordCount else {
        return
      }
      let end = containers[own].blockRange.upperBound
      for article in articles where containers[article].blockRange.lowerBound >= end {
        let other = containers[article].blockRange
        guard let heading = other.first(where: { blocks[Int($0)].headingLevel > 0 }),
          isTitle(Int(heading), in: tree)
        else { continue }
        for index in other { isKept[Int(index)] = false }
      }
    }
    if articles.count > 1, let own = articles.last(where: hasTitle) { drop(articles, after: own) }
    if let own = named.last(where: hasTitle) {
      let siblings = named.filter {
        containers[$0].parentIndex == containers[own].parentIndex
          && containers[$0].signature == containers[own].signature
      }
      drop(siblings, after: own)
    }
  }

  /// Whether an element is named as an article and has siblings with the same name and class.
  private func isOneOfArticles(_ container: Container, in tree: DOMTree) -> Bool {
    container.similarCount > 1 && (container.name == .div || container.name == .section)
      && tree.value(.class, of: container.node, matches: Self.articleNames)
  }

  private static let articleNames = WordMatcher(" story , article , post , hentry , h-entry ")

  /// Whether the first heading of an article is the title of another article: a heading of level 1,
  /// or of level 2 that is a link to another page. Other headings of level 2 begin
  /// parts of the same text, such as the updates of a live report.
  private func isTitle(_ heading: Int, in tree: DOMTree) -> Bool {
    let block = blocks[heading]
    return block.headingLevel == 1
      || block.headingLevel == 2 && block.isLink && linksToOtherPage(heading, in: tree)
  }

  private static let minArticleWordCount = 60

  /// Removes sections of links with excerpts below a heading such as "Related articles". Keeps a
  /// section with at least a third of the kept words, and a plain list of links, because both may
  /// belong to the text; so may sentences with links, as below the heading "Related work".
  private func dropRelatedSections(_ isKept: inout [Bool]) {
    let kept = wordCount(kept: isKept)
    for (heading, block) in blocks.enumerated()
    where block.headingLevel > 0 && block.text.wordCount <= 6 && block.phrases.contains(.related) {
      let end = blocks[(heading + 1)...].firstIndex {
        $0.headingLevel > 0 && $0.headingLevel <= block.headingLevel
          && $0.text.linkWordCount < $0.text.wordCount
      }
      let range = heading..<(end ?? blocks.count)
      let own = range.filter { isKept[$0] }
      let size = own.reduce(0) { $0 + Int(blocks[$1].text.wordCount) }
      let links = own.filter { blocks[$0].isLink }
      let linked = links.reduce(0) { $0 + Int(blocks[$1].text.wordCount) }
      guard size * 3 < kept, links.count >= Self.minRelatedLinks, linked * 5 >= size,
        own.contains(where: { blocks[$0].text.isProse })
      else { continue }
      for index in own { isKept[index] = false }
    }
  }

  /// The minimum number of blocks in a section of related articles that are links as a whole.
  private static let minRelatedLinks = 2

  /// Removes a run of items with one image and one short text each before the text.
  private func dropGalleries(_ isKept: inout [Bool]) {
    let items = containers.indices.filter(isCaptionedImage)
    guard items.count >= Self.minGalleryItems else { return }
    var isCaption = [Bool](repeating: false, count: blocks.count)
    for item in items {
      for index in containers[item].blockRange { isCaption[Int(index)] = true }
    }
    guard
      let firstProseBlock = blocks.indices.first(where: {
        isKept[$0] && blocks[$0].text.isProse && !isCaption[$0]
          && containers[Int(blocks[$0].containerIndex)].unitIndex == nil
      })
    else { return }
    let galleries = Dictionary(
      grouping: items.filter { containers[$0].blockRange.upperBound <= firstProseBlock }
    ) {
      containers[$0].signature ^ UInt64(UInt32(bitPattern: containers[$0].parentIndex)) << 20
    }
    let keptWordCount = wordCount(kept: isKept)
    for items in galleries.values where items.count >= Self.minGalleryItems {
      let galleryWordCount = items.reduce(0) { $0 + wordCount(in: containers[$1].blockRange) }
      guard galleryWordCount * 2 < keptWordCount else { continue }
      for item in items {
        for index in containers[item].blockRange { isKept[Int(index)] = false }
      }
    }
  }

  /// Returns whether a container is one of several similar siblings with a picture and a short
  /// text. With a heading, it is an entry of the text.
  private func isCaptionedImage(_ index: Int) -> Bool {
    let container = containers[index]
    guard container.repeatedIndex.value == index, container.name != .p,
      container.unitIndex == nil || container.unitIndex.value == index,
      case let range = container.blockRange, 1...3 ~= range.count
    else { return false }
    return range.contains { blocks[Int($0)].precedingImageCount > 0 }
      && range.allSatisfy { blocks[Int($0)].headingLevel == 0 }
      && wordCount(in: range) <= Self.maxCaptionWordCount && sum(range).sentenceCount <= 1
  }

  private static let maxCaptionWordCount = 45
  private static let minGalleryItems = 8
}
