import DOM

// Features of the surroundings of a block: the headings above it, similar blocks, repetitions
// elsewhere, and the article of the page.

extension BlockFeatures {
  // MARK: Headings

  /// The headings above a block, except the nearest.
  struct OuterHeadings {
    var phrases: BlockPhrase = []
    /// The level of the highest heading.
    var level: UInt8 = 0
    /// The block of the highest heading, or nil.
    var topHeading: OptionalIndex = nil

    /// Returns, for each block, the headings above it except the nearest.
    static func outlines(of page: PageBlocks) -> [OuterHeadings] {
      var open: [(level: UInt8, block: Int)] = []
      var current = OuterHeadings()
      return page.blocks.enumerated().map { index, block in
        guard block.headingLevel > 0 else { return current }
        let before = open
        open.removeAll { $0.level >= block.headingLevel }
        defer {
          open.append((block.headingLevel, index))
          current = OuterHeadings(open.dropLast(), in: page)
        }
        return OuterHeadings(before.prefix(open.count), in: page)
      }
    }

    private init(_ headings: ArraySlice<(level: UInt8, block: Int)>, in page: PageBlocks) {
      for heading in headings where heading.level > 1 {
        phrases.formUnion(page.blocks[heading.block].phrases)
      }
      if let highest = headings.first {
        (level, topHeading) = (highest.level, OptionalIndex(highest.block))
      }
    }

    init() {}
  }

  func addOutline(_ index: Int, _ row: inout FeatureRow) {
    let outline = outlines[index]
    row.append(outline.level)
    row.append(outline.topHeading.value.map { Self.logScaleByte(index - $0) } ?? 0)
    Self.addPhrases(outline.phrases, &row)
  }

  // MARK: Repetitions

  func addRepetitions(
    _ index: Int, _ container: Int, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow
  ) {
    let own = repetitions.counts(Int32(index)..<Int32(index + 1))
    row.append(Self.shareByte(Int(own.sharedTitleWordCount), of: Int(own.wordCount)))
    row.append(Self.shareByte(Int(own.sharedTitleWordCount), of: repetitions.titleWordCount))
    row.append(Self.shareByte(Int(own.sharedDescriptionGroupCount), of: Int(own.groupCount)))
    row.append(Self.shareByte(Int(own.sharedDataGroupCount), of: Int(own.groupCount)))
    row.append(Self.shareByte(Int(own.otherBlockGroupCount), of: Int(own.groupCount)))
    let containerCounts = repetitions.counts(page.containers[container].blockRange)
    row.append(
      Self.shareByte(Int(containerCounts.sharedDataGroupCount), of: Int(containerCounts.groupCount))
    )
    row.append(
      Self.shareByte(Int(containerCounts.otherBlockGroupCount), of: Int(containerCounts.groupCount))
    )
    let section = repetitions.counts(
      page.containers[Int(page.containers[container].sectionIndex)].blockRange)
    row.append(Self.shareByte(Int(section.sharedDataGroupCount), of: Int(section.groupCount)))
    for constant in repetitionConstants { row.append(constant) }
  }

  /// Returns the features of the repetitions on a page, which are the same for all its blocks.
  static func constants(of repetitions: BlockRepetitions, in page: PageBlocks) -> [UInt8] {
    [
      logScaleByte(repetitions.descriptionGroupCount), logScaleByte(repetitions.dataGroupCount),
      shareByte(
        Int(repetitions.counts(page.allBlockIndices).sharedDataGroupCount),
        of: repetitions.dataGroupCount),
    ]
  }

  // MARK: Appearance

  /// The sums of all containers with the same signature, wherever they are.
  struct SimilarContainers {
    var wordCount = 0, proseWordCount = 0, blockCount = 0, articleWordCount = 0

    /// Groups the containers by signature. Returns the number of the group of each container, and
    /// the sums of each group.
    static func groupBySignature(
      in page: PageBlocks, _ article: ArticleBlocks?
    ) -> (groups: [Int32], sums: [SimilarContainers]) {
      let groups = Grouping(page.containers.map(\.signature))
      var sums = [SimilarContainers](repeating: SimilarContainers(), count: groups.count)
      for (index, block) in page.blocks.enumerated() {
        let group = Int(groups.groupNumbers[Int(block.containerIndex)])
        let expectedWordCount = Int(block.text.wordCount)
        sums[group].wordCount += expectedWordCount
        sums[group].blockCount += 1
        if block.text.isProse { sums[group].proseWordCount += expectedWordCount }
        if let article, article.shares[index] > 16 {
          sums[group].articleWordCount += expectedWordCount
        }
      }
      return (groups.groupNumbers, sums)
    }
  }

  /// Adds the features of images, emphasis and similar containers.
  func addImagesAndEmphasis(_ index: Int, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow) {
    row.append(
      Self.shareByte(
        Int(page.blocks[index].emphasizedWordCount), of: Int(page.blocks[index].text.wordCount)))
    row.append(Self.logScaleByte(Int(page.blocks[index].precedingImageCount)))
    let next = index + 1
    row.append(
      page.blocks.indices.contains(next)
        ? Self.logScaleByte(Int(page.blocks[next].precedingImageCount)) : 0)
    let alike = similarContainerSums[Int(similarityGroups[Int(page.blocks[index].containerIndex)])]
    row.append(Self.logScaleByte(alike.blockCount))
    row.append(Self.shareByte(alike.wordCount, of: pageSums.wordCount))
    row.append(Self.shareByte(alike.proseWordCount, of: alike.wordCount))
    row.append(Self.shareByte(alike.articleWordCount, of: alike.wordCount))
  }

  // MARK: Article

  /// Adds the position of a block relative to the article.
  func addArticle(
    _ index: Int, _ container: Int, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow
  ) {
    guard let article, let first = article.range.first, let last = article.range.last else {
      for _ in 0..<12 { row.append(255) }
      return
    }
    row.append(article.shares[index])
    row.append(index < first ? 0 : index > last ? 2 : 1)
    row.append(Self.logScaleByte(first - index))
    row.append(Self.logScaleByte(index - last))
    row.append(Self.shareByte(article.wordCountBefore[index], of: article.wordCount))
    var (before, after): (UInt8, UInt8) = (0, 0)
    for distance in 1...2 {
      if article.containsMost(index - distance) { before += UInt8(distance) }
      if article.containsMost(index + distance) { after += UInt8(distance) }
    }
    row.append(before)
    row.append(after)
    for constant in articleConstants { row.append(constant) }
    let own = page.containers[container].blockRange
    row.append(Self.shareByte(article.wordCount(in: own), of: self.page.wordCount(in: own)))
    let outer = page.containers[max(0, Int(page.containers[container].parentIndex))].blockRange
    row.append(Self.shareByte(article.wordCount(in: outer), of: self.page.wordCount(in: outer)))
  }

  /// Returns the features of an article that are the same for all blocks of its page.
  static func constants(of article: ArticleBlocks, _ whole: BlockSums) -> [UInt8] {
    [
      shareByte(article.wordCount, of: whole.wordCount), logScaleByte(article.wordCount),
      logScaleByte(article.otherWordCount),
    ]
  }

  // MARK: Names

  /// The names of the features that the functions in this file add, in order.
  static let surroundingNames: [String] = {
    var names: [String] = []
    names += ["outline level", "outline distance"]
    names += ["related", "comments", "reviews", "product", "subscribe", "legal", "order"]
      .map { "outline says \($0)" }
    names += [
      "words of title", "share of title", "in description", "in data", "said elsewhere",
      "own container in data", "own container said elsewhere", "section in data",
      "description groups", "data groups",
      "data on page",
    ]
    names += [
      "emphasis", "pictures before", "pictures after", "look blocks", "look share", "look prose",
      "look in article",
    ]
    names += [
      "share in article", "side of article", "before article", "behind article", "place in article",
      "article before", "article after", "article share", "article words",
      "article words elsewhere", "own container in article", "outer in article",
    ]
    return names
  }()
}
