import ReaderMode
import Document
import Layout
import Pages
import TestSupport
import Testing

@testable import TerminalUI

/// Folds: values in JSON, which fold if they are long and not at the top level, `details` elements,
/// and parts of pages.
@Suite struct FoldingTests {
  /// An object with a short list, a long one, and deeply nested values.
  private static let json =
    "{\"name\":\"x\",\"short\":[1,2],\"small\":{\"a\":1,\"b\":2},\"data\":["
    + (0..<30).map {
      "{\"id\":\($0),\"deep\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":\"needle\($0)\"}}"
    }
    .joined(separator: ",") + "],\"last\":true}"

  private static func page(_ text: String) -> Page {
    Page(
      requestedURL: "https://a.test/x.json", url: "https://a.test/x.json",
      document: Document(bytes: Array(text.utf8), mediaType: "application/json"),
      provenance: Provenance(source: .network), length: text.utf8.count)
  }

  private static func options(_ width: Int = 60) -> LayoutOptions {
    var options = LayoutOptions(width: width)
    options.foldsDetails = true
    return options
  }

  private func lines(_ view: PageView) -> [String] {
    view.layout.lines.map {
      String(decoding: view.layout.text[Int($0.start)..<Int($0.end)], as: UTF8.self)
    }
  }

  @Test func `a value longer than a screen is folded initially, and can be opened and closed`() {
    var view = PageView(page: Self.page(Self.json), options: Self.options())
    #expect(
      lines(view) == [
        "{", "  name: \"x\",", "  short: [1, 2],", "  small: {", "    a: 1,", "    b: 2", "  },",
        "▸ data: […],  30 elements", "  last: true", "}",
      ])
    let fold = view.layout.linkPlacements[0].target
    #expect(view.layout.linkPlacements.count == 1 && view.line(of: fold) == 7)
    view.toggleFold(fold, height: 20)
    let open = lines(view)
    #expect(open[7] == "▾ data: [" && open[8] == "  ▾ {" && open[9] == "      id: 0,")
    #expect(open[10] == "    ▾ deep: {" && open[15] == "        e: \"needle0\"")
    #expect(open.count == 10 + 30 * 10 + 1)
    // A value within the opened one folds separately.
    view.toggleFold(view.layout.linkPlacements[2].target, height: 20)
    #expect(lines(view)[10] == "    ▸ deep: {…}  5 members" && lines(view)[11] == "    },")
    view.toggleFold(fold, height: 20)
    #expect(lines(view).count == 10)
  }

  @Test func `a dump and all other output formats are unfolded`() {
    let document = Self.page(Self.json).document
    #expect(!document.textFolds.isEmpty)
    var unfolded = document
    unfolded.textFolds = []
    let plain = PageLayout(document, options: LayoutOptions(width: 60))
    #expect(plain == PageLayout(unfolded, options: LayoutOptions(width: 60)))
    #expect(document.plainText == unfolded.plainText)
  }

  @Test func `a match in a folded part opens that part only`() throws {
    var view = PageView(page: Self.page(Self.json), options: Self.options())
    view.unfold(matching: "needle17", height: 20)
    let all = lines(view)
    #expect(all.contains { $0.contains("needle17") })
    view.unfold(matching: "nowhere", height: 20)
    #expect(lines(view) == all)
    let line = try #require(all.firstIndex { $0.contains("needle17") })
    let source = view.layout.lines[line].sourceOffset
    var other = PageView(page: Self.page(Self.json), options: Self.options())
    other.unfold(source, height: 20)
    #expect(lines(other) == all)
  }

  @Test(
    arguments: [
      ("alpha", [0, 2], false), ("beta", [2], false), ("gamma", [], true), ("shown", [], false),
      ("second", [], false), ("delta", [], false), ("nowhere", [], false),
    ] as [(String, [Int], Bool)])
  func `every matching disclosure is opened, and navigation only without other matches`(
    query: String, opened: [Int], opensNavigation: Bool
  ) throws {
    let html = """
      <nav><ul><li><a href=/a>alpha gamma</a><li><a href=/b>more</a><li><a href=/c>menu</a></ul></nav>
      <main><h1>A title</h1><p>Some shown words, of which there are enough for a paragraph.</p>
      <details><summary>first</summary><p>alpha</p></details>
      <details open><summary>second</summary><p>alpha delta</p>
      <details><summary>third</summary><p>beta alpha</p></details></details></main>
      """
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array(html.utf8)), provenance: Provenance(source: .network),
      length: html.utf8.count)
    #expect(page.document.mainContentBlock > 0)
    let details = page.document.blocks.indices.filter {
      if case .details = page.document.blocks[$0].kind { true } else { false }
    }
    var options = Self.options()
    options.foldsNavigation = true
    var view = PageView(page: page, options: options)
    view.unfold(matching: query, height: 20)
    let navigation = try #require(page.document.blockFolds.indices.first)
    let opened =
      opened.map { Int32(details[$0]) }
      + (opensNavigation ? [page.document.foldNumber(ofBlockFold: navigation)] : [])
    #expect(page.document.blockFolds.map(\.kind) == [.navigation])
    #expect(view.options.toggledFolds == Set(opened))
  }

  @Test func `text that scripts would show is below a line that opens and closes it`() {
    let text = (1...40).map { "word\($0)" }.joined(separator: " ")
    let html = """
      <p>Please wait.</p><div style="display:none"><p>Story</p><p>\(text)</p></div>
      <div style="display:none"><p>again \(text)</p></div><p>The end.</p>
      """
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array(html.utf8)), provenance: Provenance(source: .network),
      length: html.utf8.count)
    #expect(page.document.blockFolds == [Document.BlockFold(1..<4, .revealed)])
    var view = PageView(page: page, options: Self.options(500))
    let open = [
      "Please wait.", "", "▾ text shown by a script", "", "Story", "", text, "",
      "again " + text, "", "The end.",
    ]
    #expect(lines(view) == open)
    let fold = view.layout.linkPlacements[0].target
    view.toggleFold(fold, height: 20)
    #expect(
      lines(view) == ["Please wait.", "", "▸ text shown by a script", "", "The end."])
    view.unfold(matching: "word17", height: 20)
    #expect(lines(view) == open)
    // A dump contains the content without the line that folds it.
    let dump = PageLayout(page.document, options: LayoutOptions(width: 500)).plainText()
    #expect(String(decoding: dump, as: UTF8.self).hasPrefix("Please wait.\n\nStory\n\nword1 "))
  }

  @Test
  func `content between a heading and its text is behind a line that opens and closes it`() {
    let text = (1...40).map { "word\($0)" }.joined(separator: " ")
    let shares = (1...25).map { "<p class=share><a href=\($0)>Share \($0)</a></p>" }.joined()
    let html =
      "<title>How to sail</title><h1>How to sail</h1><p>By Ann</p><p>May</p>\(shares)<p>\(text)</p>"
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array(html.utf8)), provenance: Provenance(source: .network),
      length: html.utf8.count)
    var view = PageView(page: page, options: Self.options(500))
    let heading = ["How to sail", "━━━━━━━━━━━", "", "By Ann", "", "May", ""]
    #expect(lines(view) == heading + ["▸ before the text (25 links)", "", text])
    view.toggleFold(view.layout.linkPlacements[0].target, height: 20)
    #expect(lines(view).count == heading.count + 2 + 25 * 2 + 1)
    view.toggleFold(view.layout.linkPlacements[0].target, height: 20)
    view.unfold(matching: "Share 4", height: 20)
    #expect(lines(view).contains("Share 4"))
    // A dump contains the folded content.
    let dump = PageLayout(page.document, options: LayoutOptions(width: 500)).plainText()
    #expect(String(decoding: dump, as: UTF8.self).contains("Share 25\n"))
  }

  private static let shares = String(repeating: "<p><a href=x>Share</a>", count: 8)
  private static let onions = String(repeating: "<li>6 onions", count: 12)
  private static let speeches = String(repeating: "<p><b>MAN</b> Line.", count: 20)

  @Test(arguments: [
    // A page that is not long.
    "<h1>Sea</h1><p>a<p>b<p>c\(shares)<p>\(text(30))",
    // Content that does not link elsewhere.
    "<h1>Soup</h1><p>Serves four.<h2>Needed</h2><ul>\(onions)</ul><h2>Method</h2><p>\(text(400))",
    "<h1>Scene</h1><p>Elsinore.\(speeches)<h2>Notes</h2><p>\(text(400))",
  ])
  func `the main content of a page is not folded`(_ html: String) {
    #expect(Document(bytes: Array(html.utf8), mediaType: "text/html").blockFolds.isEmpty)
  }

  private static func text(_ count: Int) -> String {
    (1...count).map { "word\($0)" }.joined(separator: " ")
  }

  @Test func `a note of the program is shown above a page`() {
    var options = Self.options(30)
    options.notice = "A note that is too long for one line"
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array("<p>Text".utf8)), provenance: Provenance(source: .network))
    #expect(
      lines(PageView(page: page, options: options))
        == ["A note that is too long for", "one line", "", "Text"])
    var empty = page
    empty.document = Document(bytes: Array("<p>".utf8), mediaType: "text/html")
    #expect(lines(PageView(page: empty, options: options)).count == 2)
  }

  @Test func `a short text is shown completely, and values of few lines do not fold`() {
    let document = Self.page("{\"a\":{\"b\":1},\"c\":{\"d\":1,\"e\":2,\"f\":3,\"g\":4,\"h\":5}}")
      .document
    #expect(document.textFolds.map(\.isInitiallyOpen) == [true])
    #expect(document.textFolds[0].summary == "5 members")
  }

  @Test(arguments: 1...4)
  func `any JSON with any folds has a valid layout at bounded cost`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func value(_ depth: Int) -> String {
      switch depth > 4 ? 3 : random.next() % 5 {
      case 0, 1:
        let members = (0..<Int(random.next() % 9)).map { "\"k\\n\($0)\t漢\":" + value(depth + 1) }
        return "{" + members.joined(separator: ",") + "}"
      case 2:
        return "["
          + (0..<Int(random.next() % 9)).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
      case 3: return "\"https://a.test/\(random.next() % 100) a\\nb\\tc\""
      default: return "\(random.next())"
      }
    }
    for _ in 0..<5 {
      let text = "[" + (0..<4).map { _ in value(0) }.joined(separator: ",") + "]"
      let page = Self.page(text)
      #expect(page.document.textFolds.count <= text.utf8.count / 4)
      let count = page.document.textFolds.count
      for _ in 0..<3 {
        var options = Self.options(20 + Int(random.next() % 80))
        for index in 0..<count where random.next() % 3 == 0 {
          options.toggledFolds.insert(Int32(page.document.blocks.count + index))
        }
        var view = PageView(page: page, options: options)
        view.layOutRest()
        for position in view.layout.linkPlacements {
          #expect(view.layout.lines.indices.contains(Int(position.lineIndex)))
        }
        for (line, next) in zip(view.layout.lines, view.layout.lines.dropFirst()) {
          #expect(line.end == next.start && line.sourceOffset <= next.sourceOffset)
        }
        let shown = Set(view.layout.linkPlacements.map(\.target))
        for target in shown where target.foldNumber != nil {
          view.toggleFold(target, height: 10)
          #expect(view.line(of: target) != nil)
          break
        }
        let folds = page.document.textFolds
        if let last = folds.last { view.unfold(last.content.lowerBound, height: 9) }
        options.toggledFolds = Set(
          folds.indices.filter { !folds[$0].isInitiallyOpen }.map {
            Int32(page.document.blocks.count + $0)
          })
        view.relayout(options, height: 9)
        view.layOutRest()
        #expect(view.layout.linkPlacements.filter { $0.target.linkIndex == nil }.count == count)
      }
    }
  }

  @Test func `a page opens at its text if much precedes it, and otherwise at its top`() {
    let text = (1...40).map { "word\($0)" }.joined(separator: " ")
    func view(_ before: String) -> PageView {
      let html =
        "<title>How to sail</title><ul><li><a href=/>Home</a></ul>\(before)<main><h1>How to sail</h1>"
        + String(repeating: "<p>\(text)</p>", count: 20) + "</main>"
      let page = Page(
        requestedURL: "https://a.test/", url: "https://a.test/",
        document: Document(bytes: Array(html.utf8)), provenance: Provenance(source: .network),
        length: html.utf8.count)
      var options = Self.options()
      options.foldsNavigation = true
      return PageView(page: page, options: options)
    }
    let short = view("")
    #expect(
      short.topLine == 0 && lines(short).prefix(3) == ["▸ navigation (1 link)", "", "How to sail"])
    let long = view("<p>\(text)</p><p>\(text)</p>")
    #expect(long.topLine > 0 && lines(long)[long.topLine] == "How to sail")
    // The preceding text is laid out above the main content.
    #expect(lines(long)[..<long.topLine].contains { $0.hasPrefix("word1 ") })
    var whole = Self.options()
    whole.foldsNavigation = false
    #expect(PageView(page: long.page, options: whole).topLine == 0)
  }
}
