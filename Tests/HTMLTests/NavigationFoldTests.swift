import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Navigation that is folded before the main content of a page.
@Suite struct NavigationFoldTests {
  private static let menu = "<ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul>"
  private static let text = "<p>\((1...40).map { "word\($0)" }.joined(separator: " "))</p>"
  private static let main = "<main><h1>How to sail</h1>\(text)\(text)</main>"

  /// The text of each folded part of a page.
  private static func folds(_ body: String) -> [String] {
    let page = "<title>How to sail</title>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blockFolds.map { part in
      part.blocks.map { document.text(of: document.blocks[Int($0)]) }.filter { !$0.isEmpty }
        .joined(separator: "|")
    }
  }

  @Test func `menus before the main content fold together with the headings of their lists`() {
    #expect(Self.folds(Self.menu + Self.main) == ["One|Two"])
    let headed = "<h2>Ports</h2><h3>North</h3>\(Self.menu)<p>Call us</p>"
    #expect(Self.folds(headed + Self.main) == ["Ports|North|One|Two|Call us"])
  }

  @Test func `text without links folds only in a menu`() {
    #expect(Self.folds("<p>Call us</p><p>any time</p>" + Self.main).isEmpty)
    #expect(Self.folds("<nav><p>Call us</p><p>any time</p></nav>" + Self.main).count == 1)
  }

  @Test(arguments: [
    text, "<h2>Welcome aboard</h2><p>Call us</p>", "<pre>haul away</pre>", "<h1>The Harbour</h1>",
    "<p>This boat is for sale to anyone who can sail it.</p>",
    "<table><tr><th>Name<th>Use\((1...15).map { "<tr><td>word\($0)<td>word" }.joined())</table>",
  ])
  func `text, code and headings without a list stay visible between folds`(matter: String) {
    let folds = Self.folds(Self.menu + matter + Self.menu + Self.main)
    #expect(folds.first == "One|Two" && folds.last?.hasSuffix("One|Two") == true)
    #expect(
      folds.count == 2 && !folds.joined().contains("word") && !folds.joined().contains("haul"))
    #expect(!folds.joined().contains("aboard") && !folds.joined().contains("Harbour"))
  }

  @Test(arguments: [
    "<p>Ferry cancelled. Take the bus.</p>",
    "<blockquote><p>Mind the tide, and be kind.</p></blockquote>",
    "<table><tr><th>Ferry<th>Time"
      + (1...8).map { "<tr><td><a href=/f>F\($0)</a><td>11:3\($0)" }.joined()
      + "</table>",
    "<ul>" + (1...8).map { "<li><a href=/\($0)>Item</a>, sold out, back in \($0) days" }.joined()
      + "</ul>",
  ])
  func `sentences, timetables and lists with text stay visible above a menu`(matter: String) {
    #expect(Self.folds(matter + Self.menu + Self.main) == ["One|Two"])
    #expect(Self.folds("<nav>\(matter)\(Self.menu)</nav>" + Self.main).count == 1)
  }

  @Test func `text within a menu stays visible, and the other items fold only if there are many`() {
    let items = { (count: Int) in
      (1...count).map { "<li><a href=/\($0)>Item \($0)</a>" }.joined()
    }
    let menu = { "<ul>\(items($0))<li>\(Self.text)\(items(2))</ul>" }
    #expect(Self.folds(menu(3) + Self.main).isEmpty)
    let folded = Self.folds(menu(9) + Self.main)
    #expect(folded.count == 1 && folded[0].hasPrefix("Item 1|") && folded[0].hasSuffix("Item 9"))
  }

  @Test func `without an explicit main element the first heading outside menus ends the fold`() {
    let texts = String(repeating: Self.text, count: 12)
    let reference =
      "<title>ABORT</title>\(Self.menu)<div><h2>ABORT</h2><p>ABORT — abort the transaction</p></div>"
      + "<h2>Synopsis</h2><pre>ABORT [ WORK ]</pre><h2>Description</h2>" + texts
    let page = Document(bytes: Array(reference.utf8), mediaType: "text/html")
    #expect(page.text(of: page.blocks[page.mainContentBlock]) == "ABORT")
    #expect(page.blockFolds.map(\.blocks) == [0..<Int32(page.mainContentBlock)])
    let berths = (1...14).map { "<li>Berth: <a href=/\($0)>pier \($0)</a>" }.joined()
    let index =
      "<title>x</title>\(Self.menu)<h2>Berths</h2><ul>\(berths)</ul>"
      + String(repeating: Self.text, count: 50)
    let list = Document(bytes: Array(index.utf8), mediaType: "text/html")
    #expect(
      list.text(of: list.blocks[list.mainContentBlock]) == "Berths" && list.blockFolds.count == 1)
  }

  @Test func `the link of a page that has moved stays visible`() {
    let refresh = { (delay: Int) in "<meta http-equiv=refresh content='\(delay); url=/new'>" }
    let moved = "<h1>We have moved</h1><p>You are sent to the new harbour in a moment.</p>"
    #expect(Self.folds(refresh(5) + moved).isEmpty)
    #expect(Self.folds(refresh(5) + Self.menu + moved) == ["One|Two"])
    // A page that is read, and one that reloads itself.
    #expect(Self.folds(refresh(5) + Self.menu + Self.main) == ["/new|One|Two"])
    #expect(Self.folds(refresh(300) + moved) == ["/new"])
  }

  @Test(
    arguments: [
      (menu, "2 links"), ("<p><a href=/>Home</a> page</p>", "1 link, 1 word"),
      ("<nav>Find <input name=q></nav>", "1 word, 1 field"), ("<nav>a b</nav>", "2 words: “a b”"),
      (
        "<nav><h2>Main menu</h2><a href=/>Home</a><p>Open 9 to 5</p></nav>",
        "1 link, 6 words: “Open 9 to 5”"
      ),
    ] as [(String, String)])
  func `the summary line of a fold counts its contents`(body: String, summary: String) {
    let document = Document(bytes: Array((body + Self.main).utf8), mediaType: "text/html")
    #expect(document.blockFolds.map { document.summary(ofBlocks: $0.blocks) } == [summary])
  }
}
