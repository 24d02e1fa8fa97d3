import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Books in the format FictionBook.
@Suite struct FictionBookTests {
  private static func document(_ text: String) -> Document {
    Document(bytes: Array(text.utf8), mediaType: "text/plain", url: "https://a.test/b.fb2")
  }

  @Test func `a book has its title, author, text and notes`() {
    let document = Self.document(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="x">
      <description><title-info><genre>prose</genre><author><first-name>Ann</first-name>
      <last-name>Lee</last-name><email>a@b.test</email></author><book-title>The Harbour</book-title>
      <annotation><p>About boats.</p></annotation><coverpage><image l:href="#c"/></coverpage>
      <lang>en</lang><translator><first-name>Bo</first-name><last-name>Ray</last-name></translator>
      </title-info><document-info><id>ABCD</id></document-info></description>
      <body><title><p>The old</p><p>harbour</p></title><section><title><p>One</p></title>
      <p>It was <emphasis>late</emphasis> &amp; dark<a l:href="#n1" type="note">[1]</a>.</p>
      <poem><stanza><v>Line one</v><v>Line two</v></stanza></poem><empty-line/>
      <section><title><p>Deep</p></title><p>End.</p></section></section></body>
      <body name="notes"><section id="n1"><title><p>1</p></title><p>A note.</p></section></body>
      <binary id="c" content-type="image/png">iVBO</binary></FictionBook>
      """)
    #expect(document.problems == [])
    #expect(document.title == "The Harbour")
    #expect(document.links.map(\.target) == ["#n1"])
    #expect(document.anchors.contains { $0.name == "n1" })
    #expect(document.images.count == 1)
    let text = String(decoding: document.plainText, as: UTF8.self)
    for part in [
      "Ann Lee\n", "Bo Ray (translator)\n", "About boats.\n", "The old harbour\n",
      "It was late & dark[1].\n",
      "Line one\nLine two\n", "A note.\n",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    for part in ["prose", "a@b.test", "ABCD", "iVBO", "<", "en\n"] {
      #expect(!text.contains(part), "\(text)")
    }
    let levels = document.blocks.compactMap {
      if case .heading(let level) = $0.kind { Int(level) } else { nil as Int? }
    }
    #expect(levels == [1, 2, 2, 3, 2])
  }

  @Test func `the number of a note is raised, unlike that of another link`() {
    let document = Self.document(
      """
      <FictionBook><body><section><p>Late<a href="#n1" type="note">1</a>, see part
      <a href="#n1">2</a>.</p></section></body></FictionBook>
      """)
    let raised = document.runs.filter { $0.style.contains(.superscript) }.map {
      String(decoding: document.text[Int($0.start)..<Int($0.end)], as: UTF8.self)
    }
    #expect(raised == ["1"])
  }

  /// The end of the content of an image, which is long enough for one that is not blank.
  private static let imageEnd = String(repeating: "A", count: 28)

  @Test func `images that recur are shown again, and missing ones are named`() {
    let document = Self.document(
      """
      <FictionBook><body><section><p>A</p><image href="#c"/><p>B</p><image href="#c"/>
      <p>C<image href="#d" alt="a boat"/></p></section></body>
      <binary id="c" content-type="image/png">iVBO\(Self.imageEnd)</binary></FictionBook>
      """)
    let url = "data:image/png;base64,iVBO" + Self.imageEnd
    #expect(document.images.map(\.source) == [url, url])
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.contains("C[a boat]"), "\(text)")
  }

  @Test func `images without end tags have their own content`() {
    let references = (0..<3).map { "<image href=\"#i\($0)\"/>" }.joined()
    let contents = (0..<3).map { "AA\($0)A" + Self.imageEnd }
    let images = contents.enumerated().map { "<binary id=\"i\($0)\">\($1)" }.joined()
    let document = Self.document("<FictionBook><body>\(references)</body>\(images)")
    #expect(document.images.map(\.source) == contents.map { "data:image/jpeg;base64,\($0)" })
  }

  @Test func `cells of a table keep their spans`() {
    let document = Self.document(
      "<FictionBook><body><table><tr><th colspan=\"2\">ab</th></tr><tr><td>c</td><td>d</td></tr>"
        + "</table></body></FictionBook>")
    let columns = document.blocks.compactMap {
      if case .cell(_, let columns, _, _) = $0.kind { Int(columns) } else { nil as Int? }
    }
    #expect(columns == [2, 1, 1])
  }

  @Test(arguments: [
    "<Book><p>a</p></Book>", "<?xml version=\"1.0\"?><!-- <FictionBook> --><Book><p>a</p></Book>",
  ])
  func `other XML is shown as such`(_ source: String) {
    let text = String(decoding: Self.document(source).plainText, as: UTF8.self)
    #expect(text.contains("<p>a</p>"))
  }
}
