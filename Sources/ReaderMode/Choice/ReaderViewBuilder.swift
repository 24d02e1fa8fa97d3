import Document
import DOM
import Metadata

/// Reader view: the main content of a page below its title.
enum ReaderViewBuilder {
  /// Returns the title, the metadata if wanted, and the main content of a page, with
  /// `Document.readerFacts` set.
  static func document(of tree: DOMTree, url: String, options: ReaderOptions) -> Document {
    guard tree.hasElements(atMost: options.maxElements) else {
      return pageWithSizeNotice(tree, url: url)
    }
    var tree = tree.withSeparateHeadingParts
    let finder = MetadataFinder(
      of: tree, url: url, searchesText: options.showsMetadata || options.gathersFacts)
    tree.remove(options.removalSelectors)
    let dialogCount = options.contentSelectors.isEmpty ? tree.removeDialogs() : 0
    let hiding = HidingRules(of: tree)
    var extracted =
      tree.content(options.contentSelectors, hiding, explains: options.explains)
      ?? content(of: tree, hiding, title: finder.metadata.title, url: url, options)
    var content = DOMTree()
    swap(&content, &extracted.tree)
    let isOfPage = if case .structuredData = extracted.source { false } else { true }
    let isFolded = extracted.source.isWholePage && options.foldsNavigation
    content.detachComments(extracted.comments.elements)
    let metadata = Self.metadata(from: finder, extracted, content)
    let targets =
      isOfPage && !isFolded ? LinkTargetRestorer(into: &content, of: tree, hiding: hiding) : nil
    if !isFolded { content.removeShareLists() }
    if isOfPage { content.remove(withNames: BoilerplateName.inlineNames(on: extracted.kind)) }
    if !isFolded, extracted.kind.mayBeOneText { content.removeLastHeadings() }
    if !options.keepsMedia, !content.consistsOfImages { content.removeMedia() }
    let nextPageURL = NextPageFinder.reference(in: tree, url: url)
    if let nextPageURL, !isFolded { content.removeLinks(to: nextPageURL) }
    var facts = ReaderFacts(
      metadata: metadata, wordCount: options.gathersFacts ? content.wordCount : 0,
      kind: extracted.kind, contentSource: extracted.source, nextPageURL: nextPageURL,
      trace: extracted.trace)
    facts.omittedDialogCount = dialogCount
    if !isFolded {
      let showsLine = options.showsMetadata && extracted.kind.mayBeOneText
      content.removeRepeatedOpeningLines(
        showsLine ? KnownByline(metadata, readingMinutes: facts.readingMinutes) : nil,
        title: extracted.kind.mayBeOneText ? metadata.title : nil)
      content.removeFirstHeading(repeating: metadata.title)
      if isOfPage,
        let heading = PageHeading(of: tree, hiding: hiding, content: content, facts)?.text
      {
        content.prepend(.h1, heading)
      }
      let summary = options.showsMetadata ? facts.summaryLine : ""
      if !summary.isEmpty { content.prepend(.p, summary) }
      if options.showsTitle, !metadata.title.isEmpty { content.prepend(.h1, metadata.title) }
    }
    if options.offersNextPage, let nextPageURL { content.appendLink(to: nextPageURL, "Next page") }
    let comments = content.appendComments(extracted.comments.elements)
    content.prependAnchors(targets?.leadingTargets ?? [])
    var document = DocumentBuilder.build(
      content, url: url, hiding: extracted.hidingRules, wholePage: isOfPage ? tree : nil,
      // Nothing precedes the content unless the whole page is shown.
      isMainContentOnly: !isFolded, comments: comments.map { ($0, extracted.comments.count) })
    document.title = metadata.title
    if !isFolded { document.blockFolds.removeAll { !$0.kind.isComments } }
    document.readerFacts = facts
    return document
  }

  /// Returns the whole page without reader view, with a note that gives the reason.
  private static func pageWithSizeNotice(_ tree: DOMTree, url: String) -> Document {
    var document = Document(tree: tree, url: url)
    var metadata = PageMetadata()
    metadata.title = document.title
    document.readerFacts = ReaderFacts(
      metadata: metadata, wordCount: 0, kind: .documentation, contentSource: .tooLargePage,
      nextPageURL: nil, trace: [])
    return document
  }

  /// Returns the metadata of a page, completed from its content.
  private static func metadata(
    from finder: MetadataFinder, _ extracted: ExtractedContent, _ content: DOMTree
  ) -> PageMetadata {
    let isComplete = !finder.metadata.byline.isEmpty && !finder.metadata.date.isEmpty
    return finder.completed(
      byline: extracted.byline, opening: extracted.openingByline,
      lastLine: isComplete || extracted.kind != .article ? "" : content.lastLine,
      notices: extracted.postNotices)
  }
}

extension DOMTree {
  /// The last line of the text; empty if it is too long for a byline, or in a list, a table, a
  /// quotation or a figure.
  fileprivate var lastLine: String {
    var (last, next) = (Int32(0), nodeAfter(0, in: 0))
    while let node = next {
      let name = nodes[Int(node)].name
      if name == .characters, !isBlank(node) { last = node }
      next = name.neverShowsText ? nodeAfterSubtree(node, in: 0) : nodeAfter(node, in: 0)
    }
    var outermostInline = last
    while last > 0, !nodes[Int(last)].name.isBlock {
      outermostInline = last
      last = nodes[Int(last)].parent ?? 0
    }
    let others: [ElementName] = [.li, .td, .th, .blockquote, .figcaption]
    guard outermostInline > 0, !isAuthorOfPart(last),
      !others.contains(where: { nodes[Int(last)].name == $0 || hasAncestor($0, last) })
    else { return "" }
    let line =
      nodes[Int(last)].contents.contains(.block)
      ? inlineText(endingWith: outermostInline) : collapsedText(below: last)
    return line.utf8.count <= Self.maxLastLineBytes ? line : ""
  }

  /// Returns the text of a node and its siblings after the last block or line break before it.
  private func inlineText(endingWith last: Int32) -> String {
    var (parts, next): ([String], Int32?) = ([], last)
    while let node = next, !nodes[Int(node)].name.isBlock, nodes[Int(node)].name != .br {
      let own = nodes[Int(node)]
      parts.append(
        own.name == .characters
          ? String(decoding: bytes[Int(own.start)..<Int(own.end)], as: UTF8.self)
          : collapsedText(below: node))
      next = own.previousSibling
    }
    return parts.reversed().joined().oneLine
  }

  private static let maxLastLineBytes = 160

  /// Whether a page has at most `count` elements.
  fileprivate func hasElements(atMost count: Int) -> Bool {
    nodes.count <= count || nodes.count { $0.name != .characters } <= count
  }
}

/// The content of a page and what is known about it.
private struct ExtractedContent {
  var tree: DOMTree
  /// The rules for hidden elements in `tree`.
  var hidingRules = HidingRules()
  var kind: PageKind
  var source: ContentSource
  /// The elements with comments in `tree`, and the number of comments.
  var comments: (elements: [Int32], count: Int) = ([], 0)
  var byline: String?
  /// The writer and the date of the first post of a thread; nil if there are none.
  var openingByline: PostByline?
  var postNotices: [PostNotice] = []
  var trace: [String] = []
}

extension ReaderViewBuilder {
  /// Returns the content of a page: a whole article, or the blocks of other pages that are content.
  private static func content(
    of tree: DOMTree, _ hiding: HidingRules, title: String, url: String, _ options: ReaderOptions
  ) -> ExtractedContent {
    var selection = ContentModel.select(
      tree, url: url, hiding: hiding, title: title, explains: options.explains)
    let kind = selection.kind
    var trace = options.explains ? ["kind of page: \(kind.rawValue)"] : []
    let article = article(of: tree, selection, title: title, explains: options.explains)
    if let article {
      trace += article.trace
      let isText =
        selection.isShort && selection.isInMainElement
        && article.tree.wordCount < ContentModel.minWordCountWithoutScripts
      if isText {
        if selection.source == .wholePage { selection.source = .visiblePage }
      } else if selection.isShort {
        return ExtractedContent(
          tree: article.tree, hidingRules: hiding.withoutStyleSheets, kind: kind,
          source: selection.source == .hiddenText ? .hiddenText : .visiblePage,
          byline: article.byline, trace: trace)
      }
    }
    if options.explains { trace += ContentModel.explain(selection).map(\.line) }
    let isFolded = selection.source.isWholePage && options.foldsNavigation
    let comments = options.keepsComments && !isFolded ? selection.comments : nil
    return ExtractedContent(
      tree: isFolded ? tree : selection.tree(withComments: comments != nil),
      hidingRules: selection.page.hidingRules, kind: selection.kind,
      source: selection.source == .visiblePage && selection.isMostlyNoScript
        ? .noScript : selection.source,
      comments: (comments?.elements ?? [], comments?.count ?? 0),
      byline: article?.byline, openingByline: selection.openingByline,
      postNotices: selection.postNotices,
      trace: options.explains ? trace : [])
  }

  private static func article(
    of tree: DOMTree, _ selection: ContentModel.Selection, title: String, explains: Bool
  ) -> Readability? {
    guard selection.isShort else { return selection.article }
    let article =
      selection.article
      ?? Readability.article(
        of: VisiblePageCopier(tree, selection.page.hidingRules).makeCopy, title: title,
        explains: explains)
    return article.flatMap { selection.isFooter($0) ? nil : $0 }
  }
}

extension ContentModel.Explanation {
  /// One line with the decision about a block, its probability, the reasons and the beginning of
  /// its text.
  fileprivate var line: String {
    let reasons = featureWeights.map { feature, weight in
      feature + (weight < 0 ? " " : " +") + "\((weight * 10).rounded() / 10)"
    }
    let percent = Int((probability * 100).rounded())
    return "\(isKept ? "kept" : "left out") (\(percent) %; \(reasons.joined(separator: ", "))): "
      + text.oneLine
  }
}

extension DOMTree {
  /// Removes the first heading of the content if it repeats the title and is not the only text.
  fileprivate mutating func removeFirstHeading(repeating title: String) {
    var next = nodeAfter(0, in: 0)
    while let node = next {
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node): return
      case let name where name.headingLevel > 0:
        let own = headingTexts(below: node) + [headingText(belowKickerOf: node)].compactMap(\.self)
        if own.contains(where: {
          PageTitle.hasSameLetters($0, title)
            || name == .h1 && PageTitle.isEnd($0, of: title) && isOnlyElement(node)
        }),
          hasText(of: own[0].utf8.count + 1)
        {
          detach(node)
        }
        return
      case let name:
        next = name.neverShowsText ? nodeAfterSubtree(node, in: 0) : nodeAfter(node, in: 0)
      }
    }
  }

  /// Whether no other element of the content has the same name.
  private func isOnlyElement(_ node: Int32) -> Bool {
    descendants(of: 0).allSatisfy {
      $0 == node || nodes[Int($0)].name != nodes[Int(node)].name
    }
  }

  /// Removes short texts in elements with the given names, unless they are most of the text.
  fileprivate mutating func remove(withNames wantedNames: BoilerplateName) {
    var named: [Int32] = []
    var size = 0
    var memo = AttributeValueCache()
    for node in 0..<Int32(nodes.count) {
      let own = nodes[Int(node)]
      guard own.name != .characters, own.end > own.start, own.parent != nil,
        !BoilerplateName.names(of: node, in: self, &memo).isDisjoint(with: wantedNames),
        case let wordCount = collapsedText(below: node).utf8.count,
        (1...Self.maxNamedElementBytes).contains(wordCount),
        // The name of a heading may describe its subject rather than its purpose.
        own.name.headingLevel == 0, !isWholeHeading(node)
      else { continue }
      named.append(node)
      size += wordCount
    }
    guard !named.isEmpty, hasText(of: 2 * size) else { return }
    for node in named where nodes[Int(node)].parent != nil {
      if !nodes[Int(node)].name.isBlock, !isUnseenWithinWord(node) {
        insert(makeSpace(), before: node)
      }
      detach(node)
    }
  }

  /// Whether an element is only for screen readers, and between a letter and a small letter: the
  /// page shows them as one word, such as a word with an initial. A space or punctuation at an end
  /// of its text separates it from the text beside it, as between the links of a list.
  private func isUnseenWithinWord(_ node: Int32) -> Bool {
    guard BoilerplateName.names(of: node, in: self).contains(.screenReaderOnly),
      let before = text(beside: node, \.previousSibling, \.lastChild),
      let after = text(beside: node, \.nextSibling, \.firstChild),
      let child = nodes[Int(node)].firstChild,
      nodes[Int(child)].name == .characters, nodes[Int(child)].nextSibling == nil,
      case let own = String(
        decoding: bytes[Int(nodes[Int(child)].start)..<Int(nodes[Int(child)].end)], as: UTF8.self),
      let first = own.first, let last = own.last,
      first.isLetter || first.isNumber, last.isLetter || last.isNumber
    else { return false }
    return String(decoding: before.suffix(4), as: UTF8.self).last?.isLetter == true
      && String(decoding: after.prefix(4), as: UTF8.self).first?.isLowercase == true
  }

  /// Returns the text that is next to an inline element on one side, also outside the inline
  /// elements around it, or the nearest one in the sibling on that side; nil if there is none.
  private func text(
    beside node: Int32, _ sibling: KeyPath<Node, Int32?>, _ child: KeyPath<Node, Int32?>
  ) -> ArraySlice<UInt8>? {
    var (next, ancestor) = (nodes[Int(node)][keyPath: sibling], nodes[Int(node)].parent ?? 0)
    for _ in 0..<4 where next == nil && ancestor > 0 && !nodes[Int(ancestor)].name.isBlock {
      (next, ancestor) = (
        nodes[Int(ancestor)][keyPath: sibling], nodes[Int(ancestor)].parent ?? 0
      )
    }
    for _ in 0..<8 {
      guard let outer = next, nodes[Int(outer)].name != .characters else { break }
      next = nodes[Int(outer)].name.isBlock ? nil : nodes[Int(outer)][keyPath: child]
    }
    guard let next, nodes[Int(next)].name == .characters else { return nil }
    return bytes[Int(nodes[Int(next)].start)..<Int(nodes[Int(next)].end)]
  }

  /// Whether the tree has at least `minByteCount` bytes of text.
  private func hasText(of minByteCount: Int) -> Bool {
    var count = 0
    for node in descendants(of: 0) {
      guard count < minByteCount else { break }
      let own = nodes[Int(node)]
      if own.name == .characters, !isBlank(node) { count += Int(own.end - own.start) }
    }
    return count >= minByteCount
  }

  private static let maxNamedElementBytes = 100

  /// Whether an inline element makes up a whole heading.
  private func isWholeHeading(_ node: Int32) -> Bool {
    var above = nodes[Int(node)].parent
    while let inline = above, !nodes[Int(inline)].name.isBlock { above = nodes[Int(inline)].parent }
    guard let above else { return false }
    return nodes[Int(above)].name.headingLevel > 0
      && collapsedText(below: above) == collapsedText(below: node)
  }

  /// Inserts targets of links before all content.
  fileprivate mutating func prependAnchors(_ names: [Attribute]) {
    for name in names {
      guard let first = nodes[0].firstChild else { return }
      insert(makeAnchor(name), before: first)
    }
  }

  /// Whether the content is images, such as a drawing or photographs, with less than a sentence of
  /// text besides captions, and no more than a few headings and links.
  fileprivate var consistsOfImages: Bool {
    var (next, size, headingSize, hasImage) = (nodeAfter(0, in: 0), 0, 0, false)
    while let node = next {
      let name = nodes[Int(node)].name
      if name == .img, (attributeInteger(.width, of: node) ?? .max) > Self.maxIconWidth {
        hasImage = true
      } else if name == .characters, !isBlank(node) {
        size += Int(nodes[Int(node)].end - nodes[Int(node)].start)
        if size > Self.maxBytesBesideImages { return false }
      }
      let isHeading = name.headingLevel > 0 || name == .a && hasAttribute(.href, node)
      let isOther =
        (isHeading || name == .figcaption) && !nodes[Int(node)].contents.contains(.image)
      if isHeading, isOther {
        headingSize += collapsedText(below: node).utf8.count
        if headingSize > Self.maxHeadingBytesBesideImages { return false }
      }
      let skipsText = name.neverShowsText || isOther
      next = skipsText ? nodeAfterSubtree(node, in: 0) : nodeAfter(node, in: 0)
    }
    return hasImage
  }

  private static let maxBytesBesideImages = 60
  /// The maximum size of headings and links; a page with more is a list of links with previews.
  private static let maxHeadingBytesBesideImages = 300
  private static let maxIconWidth = 64

  /// Removes images and videos except formulas drawn as images. Each is replaced by a space, or by
  /// its name if it is the entry of a table.
  fileprivate mutating func removeMedia() {
    let nodeCount = Int32(nodes.count)
    // A cell may have several images.
    let entries = Dictionary(
      uniqueKeysWithValues: (0..<nodeCount).compactMap { node in
        entry(ofImage: node).map { (node, $0) }
      })
    for node in 0..<nodeCount {
      switch nodes[Int(node)].name {
      case .img, .svg, .iframe, .embed, .object, .video, .audio:
        guard nodes[Int(node)].parent != nil,
          !value(.class, of: node, contains: "math"), !value(.class, of: node, contains: "tex"),
          nodes[Int(node)].name != .img || character(ofImage: node) == nil && !isFormulaImage(node),
          !isNamedIcon(node)
        else { continue }
        if let name = entries[node] {
          insert(makeText(" " + name), before: node)
          addContents(.text, from: nodes[Int(node)].parent)
        } else {
          insert(makeSpace(), before: node)
        }
        detach(node)
      default: continue
      }
    }
  }

  /// Returns the short alternative text of an image in a cell without text of a data table, such as
  /// "Yes"; nil for other images.
  private func entry(ofImage image: Int32) -> String? {
    guard nodes[Int(image)].name == .img, let text = attribute(.alt, of: image),
      (1...Self.maxEntryBytes).contains(text.count)
    else { return nil }
    var next = nodes[Int(image)].parent
    for _ in 0..<3 {
      guard let part = next, nodes[Int(part)].name != .td else { break }
      next = nodes[Int(part)].parent
    }
    guard let cell = next, nodes[Int(cell)].name == .td, !nodes[Int(cell)].contents.contains(.text),
      isInDataTable(cell)
    else { return nil }
    return String(decoding: bytes[text], as: UTF8.self)
  }

  private static let maxEntryBytes = 24

  /// Removes elements by the site-specific selectors.
  fileprivate mutating func remove(_ selectors: [ComplexSelector]) {
    for node in outermostElements(selectors) { detach(node) }
  }

  /// Returns the content by the site-specific selectors, or nil if none matches.
  fileprivate func content(
    _ selectors: [ComplexSelector], _ hiding: HidingRules, explains: Bool
  ) -> ExtractedContent? {
    guard !selectors.isEmpty else { return nil }
    var content = VisiblePageCopier(self, hiding).makeCopy()
    let parts = content.outermostElements(selectors)
    guard !parts.isEmpty else { return nil }
    _ = content.keepOnly(parts)
    return ExtractedContent(
      tree: content, hidingRules: hiding.withoutStyleSheets, kind: .article, source: .visiblePage,
      trace: explains ? parts.map { "kept by the settings: \(selectorText($0))" } : [])
  }

  private func outermostElements(_ selectors: [ComplexSelector]) -> [Int32] {
    guard !selectors.isEmpty else { return [] }
    var found: [Int32] = []
    var next = nodeAfter(0, in: 0)
    while let node = next {
      if nodes[Int(node)].name != .characters,
        case let names = CompoundSelector.NameHashes(of: node, in: self),
        selectors.contains(where: { $0.matches(node, withNames: names, in: self) })
      {
        found.append(node)
        next = nodeAfterSubtree(node, in: 0)
      } else {
        next = nodeAfter(node, in: 0)
      }
    }
    return found
  }
}
