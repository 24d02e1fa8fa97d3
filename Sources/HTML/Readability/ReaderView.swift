/// How a page is read.
package enum ReadingView: Sendable, Equatable {
  /// All that a browser shows.
  case page
  /// The main content and nothing else.
  case reader(ReaderOptions)
}

/// What reader mode shows and leaves out.
package struct ReaderOptions: Sendable, Equatable {
  /// Images and videos are part of the content.
  package var keepsMedia: Bool
  /// Author, date, site and the time it takes to read stand below the title.
  package var showsMetadata: Bool
  /// The next part of an article in several parts is offered below it.
  package var offersNextPage: Bool
  /// What the decisions were is written down, in `ReaderFacts.trace`.
  package var explains: Bool
  /// What the content is on this site; the page decides where nothing fits.
  package var keeps: [Selector] = []
  /// What is never part of the content on this site.
  package var drops: [Selector] = []

  package init(
    keepsMedia: Bool = true, showsMetadata: Bool = true, offersNextPage: Bool = true,
    explains: Bool = false
  ) {
    self.keepsMedia = keepsMedia
    self.offersNextPage = offersNextPage
    self.showsMetadata = showsMetadata
    self.explains = explains
  }
}

/// What reader mode found out about a page.
package struct ReaderFacts: Sendable, Equatable {
  /// What the page says about itself.
  package var metadata: PageMetadata
  /// Words of the content.
  package var words: Int
  /// How the content was chosen, a line for each decision; empty unless it was asked for.
  package var trace: [String] = []

  /// How long the content takes to read, in minutes, at least 1.
  package var minutes: Int { max(1, (words + Self.pace / 2) / Self.pace) }

  /// Words that are read in a minute.
  private static let pace = 230

  /// Author, date, site and how long it takes to read, as one line.
  var line: String {
    let length = words == 0 ? "" : "\(minutes) min (\(words) words)"
    let site = metadata.site == metadata.byline ? "" : metadata.site
    return [metadata.byline, String(metadata.date.prefix { $0 != "T" }), site, length]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

/// Reader mode: the main content of a page below its title.
enum ReaderView {
  /// Extracts the main content of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address, or empty.
  ///   - options: What is shown.
  /// - Returns: Title, metadata if they are wanted, and content, with `Document.reader` set.
  static func document(of tree: DOMTree, url: String, options: ReaderOptions) -> Document {
    var metadata = PageMetadata(of: tree)
    var tree = tree
    tree.remove(options.drops)
    let article =
      tree.content(options.keeps, keepsMedia: options.keepsMedia)
      ?? Readability.article(
        of: tree, title: metadata.title, keepsMedia: options.keepsMedia,
        explains: options.explains)
    if metadata.byline.isEmpty { metadata.byline = article?.byline ?? "" }
    var content = article?.tree ?? tree
    let facts = ReaderFacts(
      metadata: metadata, words: Document(tree: content).wordCount, trace: article?.trace ?? [])
    if options.showsMetadata, !facts.line.isEmpty { content.prepend(.p, facts.line) }
    if !metadata.title.isEmpty { content.prepend(.h1, metadata.title) }
    if options.offersNextPage, let next = NextPage.reference(in: tree, url: url) {
      content.appendLink(to: next, "Next page")
    }
    var document = Document(tree: content, url: url)
    document.title = metadata.title
    // Nothing stands before the content.
    document.mainContent = 0
    document.reader = facts
    return document
  }
}

extension DOMTree {
  /// Takes out what a site's preferences say.
  fileprivate mutating func remove(_ selectors: [Selector]) {
    for node in outermost(selectors) { detach(node) }
  }

  /// The content as a site's preferences say, or nil when nothing fits.
  fileprivate func content(_ selectors: [Selector], keepsMedia: Bool) -> Readability? {
    let parts = outermost(selectors)
    guard !parts.isEmpty else { return nil }
    var content = self
    content.removeHidden()
    let root = content.keep(parts.filter { content.nodes[Int($0)].parent >= 0 })
    let trace = parts.map { "kept by the settings: \(describe($0))" }
    return Readability(
      tree: content, byline: nil, length: TextMeasures(content, below: root)[root].length,
      trace: trace)
  }

  /// The elements that one of some selectors means, without those inside others.
  private func outermost(_ selectors: [Selector]) -> [Int32] {
    guard !selectors.isEmpty else { return [] }
    var found: [Int32] = []
    var node = next(0, in: 0)
    while node >= 0 {
      if nodes[Int(node)].name != .characters,
        case let names = Selector.Names(of: node, in: self),
        selectors.contains(where: { $0.matches(node, named: names, in: self) })
      {
        found.append(node)
        node = following(node, in: 0)
      } else {
        node = next(node, in: 0)
      }
    }
    return found
  }
}

extension Document {
  /// How many words there are; of scripts without spaces every two characters are one.
  var wordCount: Int {
    var words = 0
    var ideographs = 0
    var isInWord = false
    for byte in text {
      // Letters of Chinese, Japanese and Korean begin with E3 to ED.
      if byte >= 0xE3 && byte <= 0xED {
        ideographs += 1
        isInWord = false
      } else if byte <= 0x20 {
        isInWord = false
      } else if byte & 0xC0 != 0x80, !isInWord {
        words += 1
        isInWord = true
      }
    }
    return words + ideographs / 2
  }
}
