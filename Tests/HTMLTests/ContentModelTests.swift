import Foundation
import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

struct ContentModelTests {
  @Test(arguments: GoldenCase.all(in: "Fixtures/Contents"))
  func `the relevant content of each kind of page is selected`(_ golden: GoldenCase) throws {
    let selection = ContentModel.select(DOMParser.parse(try golden.bytes()), url: "")
    let text = String(decoding: Document(tree: selection.tree).plainText, as: UTF8.self)
    let report = "\(selection.kind.rawValue) \(selection.source)\n\n\(text)"
    let difference = try golden.difference(from: report)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures/Contents") + GoldenCase.all(in: "Fixtures"))
  func `selected content is a non-empty subsequence of the page`(_ golden: GoldenCase)
    throws
  {
    let tree = DOMParser.parse(try golden.bytes())
    let selection = ContentModel.select(tree, url: "")
    if case .structuredData = selection.source { return }
    let all = texts(of: tree)
    let keptTexts = texts(of: selection.tree)
    var remainingTexts = all[...]
    for text in keptTexts {
      let position = remainingTexts.firstIndex(of: text)
      #expect(position != nil)
      remainingTexts = remainingTexts.suffix(from: (position ?? remainingTexts.startIndex) + 1)
    }
    if PageBlocks(tree).sum(PageBlocks(tree).allBlockIndices).wordCount >= 50 {
      #expect(!Document(tree: selection.tree).plainText.isEmpty)
    }
  }

  @Test(
    arguments: [
      // The log-odds of the page, of blocks with an article, and the result.
      ("5000", "3000", true), ("-5000", "3000", false), ("5000", "-1000", false),
      ("5000", "20", false),
    ] as [(StaticString, StaticString, Bool)])
  func `a page that resembles an article is one if that has a higher expected F1`(
    _ page: StaticString, _ withArticle: StaticString, isArticle: Bool
  ) {
    let paragraph = "<p>A long text of words, with commas, about a lamp, that goes on for a reader."
    let tree = DOMParser.parse(
      Array(
        """
        <meta property=og:type content=product><title>Lamp</title><nav><a href=/>Menu</a></nav>
        <ul><li>A lamp <span>$ 5</span><li>A chair <span>$ 6</span></ul>
        <div>\(String(repeating: paragraph, count: 3))</div>
        """.utf8))
    let kind = PageKind(of: PageBlocks(tree))
    #expect(!kind.mayBeOneText)
    let selection = ContentModel.select(tree, url: "", hiding: HidingRules(of: tree)) {
      switch $0 {
      case .blocksWithArticle: ContentTrees(withArticle)
      case .blocksWithoutArticle: ContentTrees("0")
      case .pages: ContentTrees(page)
      }
    }
    #expect((selection.article != nil) == isArticle)
    #expect(selection.kind == (isArticle ? .article : kind))
  }

  @Test func `the features of a page are its clues and the means of the features of its blocks`() {
    let tree = DOMParser.parse(Array("<p>one two three<p><a href=x>four</a>".utf8))
    let page = PageBlocks(tree)
    let kind = PageKind(of: page)
    var features = BlockFeatures(page, BlockRepetitions(page, of: tree, title: ""), kind, nil)
    var pageFeatures = PageFeatures()
    pageFeatures.add(features.columns(of: 0..<2), of: 0..<2, page)
    let bytes = pageFeatures.bytes(of: page)
    #expect(bytes.count == PageFeatures.count)
    let means = bytes.dropFirst(PageKind.clueNames.count)
    #expect(BlockFeatures.names.prefix(2) == ["words", "links share"])
    // Words: (3 * 3 + 1 * 1) / 4, in quarters. Links: (3 * 0 + 1 * 32) / 4.
    #expect(means.prefix(2) == [10, 32])
  }

  @Test(arguments: ["", "<p> </p>", "<img>"])
  func `nothing is selected from a page without text`(_ page: String) {
    let selection = ContentModel.select(DOMParser.parse(Array(page.utf8)), url: "")
    #expect(Document(tree: selection.tree).plainText.isEmpty)
  }

  private static let size = Effort.rounds(50_000, part: 10_000)

  @Test(arguments: [
    String(repeating: "<div class='post card related'>", count: 2 * size) + "innermost",
    String(repeating: "<a href=x class=nav>link</a> ", count: size),
    String(repeating: "<li><a href=x>one</a>", count: size),
    String(repeating: "<table><tr><td>x", count: size / 25),
    "<div class='\(String(repeating: "nav-menu ", count: size))'>x</div>",
    "<p>" + String(repeating: "word ", count: 4 * size),
    "<script type='application/ld+json'>" + String(repeating: "{\"@type\":\"", count: size),
    "<script type='application/json'>" + String(repeating: "\"\\", count: 2 * size),
  ])
  func `hostile pages are read to the end`(_ page: String) {
    let selection = ContentModel.select(
      DOMParser.parse(Array(page.utf8)), url: "https://a/\(page.prefix(9))")
    let text = Document(tree: selection.tree).plainText
    #expect(page.hasPrefix("<script") == text.isEmpty)
  }

  @Test(arguments: Effort.some(0..<40, part: 10).map { UInt64($0) })
  func `random input gets a kind and text like any page`(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let parts = [
      "<", ">", "<div class=", "post", "</", "<p>", "words and more words. ", "<table><td>", "\"",
      "&amp;",
      "<script type=application/ld+json>", "{\"@type\":\"", "</script>", "<h2>", "<button>", "é",
      "<li>",
    ]
    var page = ""
    for _ in 0..<400 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      page += parts[Int(state >> 33) % parts.count]
    }
    let tree = DOMParser.parse(Array(page.utf8))
    let selection = ContentModel.select(tree, url: page)
    #expect(Document(tree: selection.tree).problems == [])
    let explanations = ContentModel.explain(ContentModel.select(tree, url: ""))
    #expect(explanations.count == PageBlocks(tree).blocks.count)
  }

  @Test func `an explanation lists the features for and against each block`() throws {
    let page = try #require(GoldenCase.all(in: "Fixtures/Contents").first { $0.name == "listing" })
    let selection = ContentModel.select(DOMParser.parse(try page.bytes()), url: "")
    let blocks = ContentModel.explain(selection)
    let keptBlock = try #require(blocks.first { $0.text.hasPrefix("The builders had planned") })
    let omittedBlock = try #require(blocks.first { $0.text.hasPrefix("Privacy policy") })
    #expect(keptBlock.isKept && keptBlock.probability > 0.5)
    #expect(!omittedBlock.isKept && omittedBlock.probability < 0.2)
    #expect(
      omittedBlock.featureWeights.contains {
        $0.weight < 0 && BlockFeatures.names.contains($0.feature)
      })
  }

  @Test func `table cells keep their columns when other cells of the row are removed`() {
    var tree = DOMParser.parse(Array("<table><tr><td>a<td>b<td>c</table><p>d".utf8))
    let page = PageBlocks(tree)
    #expect(page.blocks.count == 4)
    tree.keepBlocks([true, false, true, false], of: page)
    #expect(names(in: tree, ["td"]).count == 3)
    #expect(texts(of: tree) == ["a", "c"])
  }

  @Test func `images between kept blocks are kept, and others are removed`() {
    let html =
      "<img src=0><p>a<p><img src=1><p>b<figure><img src=2></figure><p>c<div>d<img src=3></div>"
    var tree = DOMParser.parse(Array(html.utf8))
    tree.keepBlocks([true, true, true, false], of: PageBlocks(tree))
    #expect(names(in: tree, ["img", "#text"]) == ["#text", "img", "#text", "img", "#text"])
  }

  private func names(in tree: DOMTree, _ wanted: Set<String>) -> [String] {
    var names: [String] = []
    var next = tree.nodeAfter(0, in: 0)
    while let node = next {
      names.append(tree.nodes[Int(node)].name.rawValue)
      next = tree.nodeAfter(node, in: 0)
    }
    return names.filter(wanted.contains)
  }

  private func texts(of tree: DOMTree) -> [String] {
    var texts: [String] = []
    var next = tree.nodeAfter(0, in: 0)
    while let node = next {
      let current = tree.nodes[Int(node)]
      if current.name == .characters, current.parent.map({ tree.nodes[Int($0)].name }) != .title {
        let text = String(
          decoding: tree.bytes[Int(current.start)..<Int(current.end)], as: UTF8.self)
        if !text.allSatisfy(\.isWhitespace) { texts.append(text) }
      }
      next = tree.nodeAfter(node, in: 0)
    }
    return texts
  }
}
