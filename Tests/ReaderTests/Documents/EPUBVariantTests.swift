import Containers
import Exchange
import TestSupport
import Testing

/// Books whose package differs from the standard, or uses its rare parts.
@Suite struct EPUBVariantTests {
  private static let package = "OEBPS/content.opf"

  private func read(_ book: TestBook) throws -> EPUBPackage {
    try EPUBPackage(try ZIPArchive(ByteAccess(book.bytes)))
  }

  @Test(arguments: ["text/xml", "application/xml", "text/plain"])
  func `an NCX is found by its name`(_ type: String) throws {
    var book = TestBook(version: 2)
    book.replace("application/x-dtbncx+xml", type, in: Self.package)
    book.replace(" toc=\"ncx\"", "", in: Self.package)
    #expect(try read(book).contents.map(\.title) == ["One & first", "A section", "Two"])
  }

  @Test func `a navigation document that is not declared is found by its name and its type`() throws
  {
    var book = TestBook()
    book.replace(" properties=\"nav\"", "", in: Self.package)
    #expect(try read(book).contents.map(\.title) == ["One & first", "A section", "Heading", "Two"])
    book.replace("epub:type=\"toc\"", "", in: "OEBPS/nav.xhtml")
    #expect(try read(book).contents.isEmpty)
  }

  /// A book without a table of contents, with the given pages.
  private static func bare(_ pages: [String]) -> TestBook {
    var book = TestBook()
    book.files.removeAll { $0.path == "OEBPS/nav.xhtml" }
    for (path, page) in zip(["OEBPS/text/one.xhtml", "OEBPS/text/two.xhtml"], pages) {
      for index in book.files.indices where book.files[index].path == path {
        book.files[index].text = page
      }
    }
    return book
  }

  @Test(
    arguments: [
      (["<h1>One</h1>", "<h2><img src='x'/></h2><h3>T<br/>wo</h3>"], ["One", "T wo"]),
      (["<title>First</title><p>x", "<title>The Book</title><p>x"], ["First", ""]),
      (["<title>t</title><h1>One</h1>", "<title>t</title>"], ["One", ""]),
      (["<h1>The Book</h1>", "<h1>The Book</h1>"], ["", ""]),
      (
        ["<h1><img src='x' alt='The  ford'/></h1>", "<h2 title='Tip'><img src='x' alt=''/></h2>"],
        ["The ford", "Tip"]
      ),
      (["<title>A</title><h1>Chapter</h1>", "<title>B</title><h1>Chapter</h1>"], ["A", "B"]),
    ] as [([String], [String])])
  func `without contents, headings and titles name the parts`(
    _ pages: [String], _ names: [String]
  ) throws {
    let package = try read(Self.bare(pages))
    #expect(package.contents.isEmpty && package.parts.map(\.title) == names)
  }

  @Test func `only a limited number of parts is read for their names`() throws {
    var book = Self.bare([])
    let numbers = 1...1100
    let items = numbers.map { "<item id=\"n\($0)\" href=\"\($0).html\" media-type=\"text/html\"/>" }
    book.replace("</manifest>", items.joined() + "</manifest>", in: Self.package)
    let references = numbers.map { "<itemref idref=\"n\($0)\"/>" }
    book.replace("<itemref idref=\"one\"/>", references.joined(), in: Self.package)
    for number in numbers { book.files.append(("OEBPS/\(number).html", "<h1>Part \(number)</h1>")) }
    let titles = try read(book).parts.map(\.title)
    #expect(titles[0] == "Part 1" && titles[999] == "Part 1000" && titles[1000].isEmpty)
  }

  @Test(arguments: [(0, "Heading"), (290, "Heading"), (297, ""), (400, "")] as [(Int, String)])
  func `a heading that is too far from the beginning does not name a part`(
    _ count: Int, _ name: String
  ) throws {
    let start = String(repeating: "<br/>", count: count)
    let book = Self.bare([
      start + "<h1>Hea<b>ding</b></h1>" + String(repeating: "<hr/>", count: 400)
    ])
    #expect(try read(book).parts.first?.title == name)
  }

  @Test func `with contents, headings do not name the parts`() throws {
    var book = TestBook()
    book.replace("<a href=\"text/two.xhtml\">Two</a>", "", in: "OEBPS/nav.xhtml")
    book.replace("<p id='z'>", "<h1>Heading</h1><p id='z'>", in: "OEBPS/text/two.xhtml")
    #expect(try read(book).parts.map(\.title) == ["One & first", ""])
  }

  @Test func `an entry without a text is named after its part`() throws {
    var book = TestBook(version: 2)
    book.replace("<text>Two</text>", "<text/>", in: "OEBPS/toc.ncx")
    book.replace("<text>A  section</text>", "<text/>", in: "OEBPS/toc.ncx")
    #expect(try read(book).contents.map(\.title) == ["One & first", "Part 2"])
    book.replace("text/two.xhtml\"", "text/none.xhtml\"", in: "OEBPS/toc.ncx")
    #expect(try read(book).contents.map(\.title) == ["One & first"])
  }

  @Test(
    arguments: [
      ("Nav<br/>Two", "Nav Two"),
      ("<div>Chapter 2</div><div>The End</div>!", "Chapter 2 The End !"),
      ("<div><p>A</p>B</div>C", "A B C"), ("<span>C</span>hap<b>ter</b>", "Chapter"),
    ] as [(String, String)])
  func `blocks and line breaks separate the words of an entry`(_ markup: String, _ title: String)
    throws
  {
    var book = TestBook()
    book.replace(">Two</a>", ">\(markup)</a>", in: "OEBPS/nav.xhtml")
    #expect(try read(book).contents.last?.title == title)
  }

  @Test(
    arguments: [
      ("<itemref idref=\"one\"/>", "<itemref idref=\" one \"/>", false),
      ("<itemref idref=\"one\"/>", "<itemref idref=\"ONE\" linear=\"no\"/>", true),
      ("<itemref idref=\"one\"/>", "<itemref idref=\"text/one.xhtml\"/>", false),
      ("href=\"text/one.xhtml\"", "href=\" text/one.xhtml\"", false),
      ("href=\"text/one.xhtml\"", "href=\"one.xhtml\"", false),
    ] as [(String, String, Bool)])
  func `an id or a path of the package that is almost right is corrected`(
    _ right: String, _ written: String, _ isAside: Bool
  ) throws {
    var book = TestBook()
    book.replace(right, written, in: Self.package)
    let parts = try read(book).parts
    #expect(parts.map(\.path) == ["OEBPS/text/one.xhtml", "OEBPS/text/two.xhtml"])
    #expect(parts[0].problem == nil && parts[0].isLinear == !isAside)
  }

  @Test func `if no id of the spine is right, the pages of the manifest are read`() throws {
    var book = TestBook()
    book.replace("id=\"one\" ", "", in: Self.package)
    book.replace("id=\"two\" ", "", in: Self.package)
    #expect(
      try read(book).parts.map(\.path) == ["OEBPS/text/one.xhtml", "OEBPS/text/two.xhtml"])
  }

  @Test func `a wrong id or path that may be several ones is not guessed`() throws {
    var book = TestBook()
    book.replace("id=\"pic\"", "id=\"TWO\"", in: Self.package)
    book.replace("idref=\"two\"", "idref=\"Two\"", in: Self.package)
    book.replace("href=\"text/one.xhtml\"", "href=\"none/two.xhtml\"", in: Self.package)
    #expect(try read(book).parts.map(\.problem) == [.missing, .missing])

    // Both wrong paths would be replaced by the same one.
    var other = TestBook()
    other.replace("href=\"text/one.xhtml\"", "href=\"a/one.xhtml\"", in: Self.package)
    other.replace("href=\"text/two.xhtml\"", "href=\"b/one.xhtml\"", in: Self.package)
    #expect(try read(other).parts.map(\.problem) == [.missing, .missing])
  }

  @Test(arguments: ["two", "Two.xhtml"])
  func `a part that the manifest does not list is found by its id`(_ id: String) throws {
    var book = TestBook()
    book.replace(
      "<item id=\"two\" href=\"text/two.xhtml\" media-type=\"application/xhtml+xml\"/>", "",
      in: Self.package)
    book.replace("idref=\"two\"", "idref=\"\(id)\"", in: Self.package)
    let part = try read(book).parts[1]
    #expect(part.path == "OEBPS/text/two.xhtml" && part.problem == nil)
    #expect(part.mediaType == "application/xhtml+xml" && part.title == "Two")

    // Two files have the name.
    book.files.append(("OEBPS/more/two.xhtml", "<p>Another two</p>"))
    #expect(try read(book).parts[1].problem == .missing)
  }

  @Test func `a part that is used twice has its name twice`() throws {
    var book = Self.bare(["<h1>One</h1>", "<h1>Two</h1>"])
    book.replace("</spine>", "<itemref idref=\"one\"/></spine>", in: Self.package)
    #expect(try read(book).parts.map(\.title) == ["One", "Two", "One"])
  }

  @Test(
    arguments: [
      ("text/x-oeb1-document", "text/html"), ("application/x-dtbook+xml", "application/xhtml+xml"),
      ("application/xhtml+xml", "application/xhtml+xml"),
    ] as [(String, String)])
  func `pages of older formats are read as HTML`(_ declared: String, _ type: String) throws {
    var book = TestBook()
    book.replace(
      "href=\"text/one.xhtml\" media-type=\"application/xhtml+xml\"",
      "href=\"text/one.xhtml\" media-type=\"\(declared)\"", in: Self.package)
    #expect(try read(book).parts[0].mediaType == type)
  }

  @Test(
    arguments: [
      ("b", "", "OEBPS/text/two.xhtml", nil), ("b", "a", "OEBPS/text/two.xhtml", nil),
      ("none", "", "OEBPS/x.foo", .unsupportedType("application/x-foo")),
      ("a", "", "OEBPS/x.foo", .unsupportedType("application/x-foo")),
    ] as [(String, String, String, EPUBPackage.Problem?)])
  func `the fallback of a part that cannot be shown is used`(
    _ fallback: String, _ next: String, _ path: String, _ problem: EPUBPackage.Problem?
  ) throws {
    var book = TestBook()
    book.files.append(("OEBPS/x.foo", "x"))
    book.replace(
      "</manifest>",
      "<item id=\"a\" href=\"x.foo\" media-type=\"application/x-foo\" fallback=\"\(fallback)\"/>"
        + "<item id=\"b\" href=\"text/two.xhtml\" media-type=\"application/xhtml+xml\""
        + " fallback=\"\(next)\"/></manifest>", in: Self.package)
    book.replace("<itemref idref=\"two\"/>", "<itemref idref=\"a\"/>", in: Self.package)
    let part = try read(book).parts[1]
    #expect(part.path == path && part.problem == problem)
  }

  @Test func `a book with its parent directory is read, also with files of macOS`() throws {
    var book = TestBook()
    book.files = book.files.map { ("my book/" + $0.path, $0.text) }
    let aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    book.files.append(
      (
        "my book/META-INF/encryption.xml",
        "<encryption><EncryptionMethod Algorithm=\"\(aes)\"/>"
          + "<CipherReference URI=\"OEBPS/text/two.xhtml\"/></encryption>"
      ))
    book.files += [("__MACOSX/my book/._mimetype", "x"), (".DS_Store", "x")]
    #expect(EPUBPackage.isBook(try ZIPArchive(ByteAccess(book.bytes))))
    let package = try read(book)
    #expect(package.title == "The Book")
    #expect(package.parts.map(\.problem) == [nil, .drmProtected])
    #expect(package.parts[0].path == "my book/OEBPS/text/one.xhtml")
    book.files.append(("other/a.txt", "x"))
    #expect(!EPUBPackage.isBook(try ZIPArchive(ByteAccess(book.bytes))))
  }

  @Test(
    arguments: [
      (
        "<dc:title id=\"s\">A  subtitle</dc:title>"
          + "<meta refines=\"#s\" property=\"title-type\">subtitle</meta><dc:date>2020</dc:date>",
        "A subtitle", "2020"
      ),
      ("<dc:title id=\"s\">Another</dc:title><dc:date></dc:date>", "", ""),
      (
        "<dc:date opf:event=\"modification\">2024</dc:date>"
          + "<dc:date opf:event=\"original-publication\">1913-02-01</dc:date>", "", "1913-02-01"
      ),
    ] as [(String, String, String)])
  func `subtitle and date of publication are parsed`(
    _ metadata: String, _ subtitle: String, _ date: String
  ) throws {
    var book = TestBook()
    book.replace("</metadata>", metadata + "</metadata>", in: Self.package)
    let package = try read(book)
    #expect(package.title == "The Book" && package.subtitle == subtitle && package.date == date)
  }

  @Test(arguments: ["", "ns0:"])
  func `title, date and description are read whatever their prefix`(_ prefix: String) throws {
    var book = TestBook()
    book.replace("<dc:title>The  Book</dc:title>", "", in: Self.package)
    let metadata = [("title", "New"), ("date", "1913"), ("description", "About it")].map {
      "<\(prefix)\($0.0)>\($0.1)</\(prefix)\($0.0)>"
    }
    let modification = "<\(prefix)date ns1:event='modification'>2024</\(prefix)date>"
    book.replace(
      "</metadata>", modification + metadata.joined() + "</metadata>", in: Self.package)
    let package = try read(book)
    #expect(package.title == "New" && package.date == "1913")
    #expect(package.description == "About it")
  }

  @Test(
    arguments: [
      ("collection", "main", "Second", ""), ("subtitle", "main", "Second", "The Book"),
      ("main", "subtitle", "The Book", "Second"), ("short", "", "Second", ""),
      ("", "edition", "The Book", ""), ("subtitle", "short", "The Book", ""),
    ] as [(String, String, String, String)])
  func `the main title is the title, whatever the order of the titles`(
    _ first: String, _ second: String, _ title: String, _ subtitle: String
  ) throws {
    var book = TestBook()
    book.replace("<dc:title>", "<dc:title id=\"a\">", in: Self.package)
    let types = [("a", first), ("b", second)].filter { !$0.1.isEmpty }.map {
      "<meta refines=\"#\($0.0)\" property=\"title-type\">\($0.1)</meta>"
    }
    let metadata = "<dc:title id=\"b\">Second</dc:title>" + types.joined()
    book.replace("</metadata>", metadata + "</metadata>", in: Self.package)
    let package = try read(book)
    #expect(package.title == title && package.subtitle == subtitle)
  }

  @Test(
    arguments: [
      (
        "<dc:creator opf:role=\"trl\">Tom</dc:creator><dc:creator opf:role=\"aut\">Ann</dc:creator>"
          + "<dc:creator opf:role=\"bkp\">maker 1.0</dc:creator>", ["Ann", "Tom (translator)"]
      ),
      (
        "<dc:creator id=\"x\">Ida</dc:creator><dc:creator id=\"y\">Ann</dc:creator>"
          + "<meta refines=\"#x\" property=\"role\" scheme=\"marc:relators\">ill</meta>"
          + "<meta refines=\"#y\" property=\"role\">aut</meta>", ["Ann", "Ida (illustrator)"]
      ),
      (
        "<dc:creator opf:role=\"edt\">Eve</dc:creator><dc:creator opf:role=\"xyz\">Zoe</dc:creator>",
        ["Eve (editor)", "Zoe"]
      ),
      ("<dc:creator>Bea</dc:creator><dc:creator> </dc:creator>", ["Bea"]),
      ("<dc:creator>A &amp;amp; B</dc:creator><dc:creator>A &amp; B</dc:creator>", ["A & B"]),
      (
        "<dc:creator>Bea</dc:creator><dc:contributor opf:role=\"trl\">Tom</dc:contributor>"
          + "<dc:contributor opf:role=\"bkp\">maker</dc:contributor><dc:contributor>Pat</dc:contributor>",
        ["Bea", "Tom (translator)"]
      ),
    ] as [(String, [String])])
  func `authors come before other creators`(_ metadata: String, _ creators: [String]) throws {
    var book = TestBook()
    book.replace(
      "<dc:creator>Ann</dc:creator><dc:creator>Bea</dc:creator>", metadata, in: Self.package)
    #expect(try read(book).creators == creators)
  }

  @Test(
    arguments: [
      (
        "<meta property=\"belongs-to-collection\" id=\"s\">Rivers</meta>"
          + "<meta refines=\"#s\" property=\"group-position\">3</meta>"
          + "<meta refines=\"#s\" property=\"collection-type\">series</meta>", "Rivers 3"
      ),
      (
        "<meta property=\"belongs-to-collection\" id=\"t\">Works</meta>"
          + "<meta refines=\"#t\" property=\"collection-type\">set</meta>", ""
      ),
      ("<meta property=\"belongs-to-collection\">Rivers</meta>", "Rivers"),
      ("<meta name=\"calibre:series_index\" content=\"1.0\"/>", ""),
      (
        "<meta name=\"calibre:series\" content=\"Rivers\"/>"
          + "<meta name=\"calibre:series_index\" content=\"2.0\"/>", "Rivers 2"
      ),
      (
        "<meta name=\"calibre:series_index\" content=\"2.5\"/>"
          + "<meta content=\"Rivers\" name=\"calibre:series\"/>", "Rivers 2.5"
      ),
    ] as [(String, String)])
  func `the series of a book has its position`(_ metadata: String, _ series: String) throws {
    var book = TestBook()
    book.replace(
      "<dc:creator>Ann</dc:creator>", "<dc:creator>Ann</dc:creator>" + metadata, in: Self.package)
    #expect(try read(book).series == series)
  }

  @Test(
    arguments: [
      ("<img src=\"t.png\" alt=\"The  ford\"/>", "The ford"), ("<img src=\"t.png\"/>", "Tip"),
      ("Text <img src=\"t.png\" alt=\"star\"/>", "Text"), ("<i> </i>", "Tip"),
    ] as [(String, String)])
  func `an image or a tooltip names an entry without text`(_ label: String, _ title: String) throws
  {
    var book = TestBook()
    book.replace(
      "<a href=\"text/two.xhtml\">Two</a>", "<a href=\"text/two.xhtml\" title=\"Tip\">\(label)</a>",
      in: "OEBPS/nav.xhtml")
    #expect(try read(book).contents.last?.title == title)
  }

  @Test func `the title of an image in SVG names its part`() throws {
    var book = TestBook()
    book.files.append(("OEBPS/c.svg", "<svg><title>Cover  art</title><text>x</text></svg>"))
    book.replace(
      "</manifest>",
      "<item id=\"svg\" href=\"c.svg\" media-type=\"image/svg+xml\"/></manifest>", in: Self.package)
    book.replace("<itemref idref=\"one\"/>", "<itemref idref=\"svg\"/>", in: Self.package)
    #expect(try read(book).parts[0].title == "Cover art")
  }
}
