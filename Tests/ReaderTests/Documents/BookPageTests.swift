@testable import Pages
@testable import LocalDocuments
import Containers
import Exchange
import Formats
import Foundation
import OfflineCache
import TestSupport
import Testing

/// The pages of books, as they are passed to the parser.
@Suite struct BookPageTests {
  private static let one = "OEBPS/text/one.xhtml"

  /// Opens a book.
  private func open(_ book: TestBook) throws -> DocumentFile {
    try DocumentFile(book: book.bytes, at: DocumentLocation(path: "/b.epub"))
  }

  private func text(_ file: DocumentFile, _ path: String) throws -> String {
    String(decoding: try file.item(at: path).bytes, as: UTF8.self)
  }

  /// A book whose first page is replaced.
  private func book(_ page: String, _ others: [(path: String, text: String)] = []) -> TestBook {
    var book = TestBook()
    for index in book.files.indices where book.files[index].path == Self.one {
      book.files[index].text = page
    }
    book.files += others
    return book
  }

  @Test(arguments: [
    "<html><head><title>t</title></head><body><div><img src='../p.png'/></div></body></html>",
    "<html><body><p><img alt=\"\" src=\"../p.png\"/></p>\n</body></html>",
  ])
  func `images are shown if a page has nothing else`(_ page: String) throws {
    let file = try open(book(page))
    let shown = try text(file, Self.one)
    #expect(shown.contains("src=\"\(file.url(of: "OEBPS/p.png"))\" alt=\"image\""))
  }

  @Test(arguments: [
    "<body><img src='../p.png'/>Text</body>", "<body><img src='../p.png' alt='A tree'/></body>",
    "<body><hr/><img src='../p.png'/></body>", "<body>Text</body>", "<body></body>",
    "<body><img src='data:image/png;base64,AA'/></body>",
  ])
  func `other pages are unchanged`(_ page: String) throws {
    #expect(try text(open(book(page)), Self.one) == page)
  }

  @Test(arguments: [
    ("<svg><text>WORDS</text></svg>", "image/svg+xml"), ("<svg><path d='M0'/></svg>", "text/html"),
  ])
  func `a part in SVG is a page if it contains text`(_ image: String, _ type: String) throws {
    var book = book("x", [("OEBPS/c.svg", image)])
    book.replace(
      "</manifest>",
      "<item id=\"svg\" href=\"c.svg\" media-type=\"image/svg+xml\"/></manifest>",
      in: "OEBPS/content.opf")
    book.replace("<itemref idref=\"one\"/>", "<itemref idref=\"svg\"/>", in: "OEBPS/content.opf")
    #expect(try open(book).item(at: "OEBPS/c.svg").type.essence == type)
  }

  @Test func `a link with a wrong directory leads to the only file with that name`() throws {
    let file = try open(book("x", [("a/notes.xhtml", "1"), ("b/notes.xhtml", "2")]))
    let item = try file.item(at: "OEBPS/text/text/two.xhtml")
    #expect(item.url == file.url(of: "OEBPS/text/two.xhtml") && item.parts?.index == 1)
    #expect(throws: ReaderError.self) { try file.item(at: "notes.xhtml") }
    #expect(throws: ReaderError.self) { try file.item(at: "OEBPS/text/none.xhtml") }
  }

  @Test(
    arguments: [
      ("file:///OEBPS/text/two.xhtml", "OEBPS/text/two.xhtml"),
      ("file:///oebps/p.png", "OEBPS/p.png"), ("file:///b.epub/OEBPS/p.png", nil),
      ("file:///etc/passwd", nil), ("http:///OEBPS/p.png", nil), ("OEBPS/p.png", nil),
    ] as [(String, String?)])
  func `a reference that begins with a slash refers to the root of the book`(
    _ url: String, _ path: String?
  ) throws {
    let file = try open(book("x", [("b.epub/OEBPS/p.png", "")]))
    #expect(file.inner(for: url) == path.map { file.url(of: $0) })
  }

  @Test func `style sheets are preceded by those that they import`() throws {
    let page =
      "<html><head><link rel='stylesheet' href='../css/a.css'/><style>@import '../css/d.css';"
      + "</style></head><body>x</body></html>"
    let file = try open(
      book(
        page,
        [
          (
            "OEBPS/css/a.css", "/* @import 'no.css'; */ @import url(b.css); @import 'c.css' print;A"
          ),
          ("OEBPS/css/b.css", "@import \"a.css\"; @import 'none.css'; B"),
          ("OEBPS/css/c.css", "C{"),
          ("OEBPS/css/d.css", "D"), ("OEBPS/css/no.css", "NO"),
        ]))
    let sheet = String(decoding: try file.item(at: Self.one).styleSheet, as: UTF8.self)
    let b = try #require(sheet.firstRange(of: "; B"))
    let c = try #require(sheet.firstRange(of: "C{\n}}"))
    let a = try #require(sheet.firstRange(of: "print;A"))
    #expect(b.lowerBound < c.lowerBound && c.lowerBound < a.lowerBound)
    #expect(sheet.contains("@media print {C{\n}}"))
    #expect(sheet.hasSuffix("D\n") && !sheet.contains("NO"))
  }

  @Test(
    arguments: [
      ("2020-01-01T00:00:00Z", "<p>2020-01-01</p>"), ("1913", "<p>1913</p>"), ("0101-01-01", nil),
      ("0000-00-00", nil), ("OCTOBER 2001", "<p>OCTOBER 2001</p>"), ("05/2001", "<p>05/2001</p>"),
      ("Tuesday, 5 May 2001", "<p>Tuesday, 5 May 2001</p>"),
    ] as [(String, String?)])
  func `the contents show subtitle and date`(_ date: String, _ shown: String?) throws {
    var book = TestBook()
    book.replace(
      "</metadata>",
      "<dc:title id=\"s\">Sub</dc:title><meta refines=\"#s\" property=\"title-type\">subtitle</meta>"
        + "<dc:date>\(date)</dc:date></metadata>", in: "OEBPS/content.opf")
    let contents = try text(open(book), "")
    #expect(contents.contains("</h1><p>Sub</p><p>Ann, Bea</p>"))
    if let shown { #expect(contents.contains(shown)) } else { #expect(!contents.contains(date)) }
  }

  @Test(
    arguments: [
      ("A &amp; B\nC\n\nD", "<blockquote><p>A &amp; B<br>C</p><p>D</p></blockquote>"),
      ("&lt;p&gt;A &lt;b&gt;B&lt;/b&gt;&lt;/p&gt;C", "<p>A <strong>B</strong></p>"),
      ("&amp;lt;p&amp;gt;A&amp;lt;/p&amp;gt;", "<blockquote><p>A</p>"),
      ("<![CDATA[<p>A</p>]]>", "<blockquote><p>A</p>"),
      (" ", nil),
    ] as [(String, String?)])
  func `the contents show the description`(_ description: String, _ shown: String?) throws {
    var book = TestBook()
    book.replace(
      "</metadata>", "<dc:description>\(description)</dc:description></metadata>",
      in: "OEBPS/content.opf")
    let contents = try text(open(book), "")
    guard let shown else { return #expect(!contents.contains("<blockquote>")) }
    #expect(contents.contains(shown))
  }

  @Test func `the table of contents is part of the list of parts`() throws {
    let list = try #require(try open(TestBook()).item(at: "").parts)
    let prefix = DocumentLocation(path: "/b.epub").url(of: "OEBPS/text/").text
    #expect(
      list.entries.map(\.url?.text) == [
        prefix + "one.xhtml", prefix + "one.xhtml#s", nil, prefix + "two.xhtml",
      ])
    #expect(list.entries.map(\.level) == [0, 1, 0, 1])
  }

  @Test func `a book whose first bytes are damaged is opened by its name`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var bytes = TestBook().bytes
    bytes[0] = 0
    for (name, isBook) in [("a.epub", true), ("a.bin", false)] {
      let path = directory.appendingPathComponent(name).path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let file = try DocumentFile.open(path)
      #expect((file != nil) == isBook)
    }
    let path = directory.appendingPathComponent("b.epub").path
    try Data("no archive".utf8).write(to: URL(fileURLWithPath: path))
    let file = try DocumentFile.open(path)
    #expect(file == nil)
  }

  @Test(arguments: [
    ("Words of two", true, "Two: the book has no such file"),
    ("<dc:title>", false, "META-INF/"),
  ])
  func `of a truncated book, the whole parts are shown, or its files if it has no package`(
    _ cut: String, _ isBook: Bool, _ shown: String
  ) throws {
    var book = TestBook()
    let last = try #require(book.files.firstIndex { $0.path == "OEBPS/text/two.xhtml" })
    book.files.append(book.files.remove(at: last))
    let bytes = book.bytes
    let end = try #require(bytes.firstRange(of: Array(cut.utf8))?.lowerBound)
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("a.epub").path
    try Data(bytes[..<end]).write(to: URL(fileURLWithPath: path))
    let file = try #require(try DocumentFile.open(path))
    let item = try file.item(at: "")
    #expect((item.parts != nil) == isBook)
    #expect(
      item.notices == ["the file is truncated or damaged: the part that could be read is shown"])
    #expect(String(decoding: item.bytes, as: UTF8.self).contains(shown))
    #expect(throws: ReaderError.self) { try DocumentFile.open(path, recovering: false) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try #require(try DocumentFile.open(path)).item(at: "").notices.isEmpty)
  }

  @Test(
    arguments: [("\r\n\n", true), ("\u{FEFF}", true), ("x", false), ("", true)] as [(String, Bool)])
  func `white space before an archive does no harm`(_ prefix: String, _ isBook: Bool) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("a.epub").path
    try Data(Array(prefix.utf8) + TestBook().bytes).write(to: URL(fileURLWithPath: path))
    let file = try DocumentFile.open(path)
    #expect((file != nil) == isBook)
    if let file { #expect(try text(file, Self.one).contains("Words of one.")) }
  }

  @Test func `a part with a wrong checksum is shown with a notice`() throws {
    var zip = ZIPBytes()
    for (path, text) in TestBook().files { zip.add(path, text) }
    for index in zip.entries.indices { zip.entries[index].checksum ^= 1 }
    let file = try DocumentFile(book: zip.bytes, at: DocumentLocation(path: "/b.epub"))
    let item = try file.item(at: Self.one)
    #expect(String(decoding: item.bytes, as: UTF8.self).contains("Words of one."))
    #expect(item.problem == nil && item.notices.first?.hasPrefix("the checksum") == true)
    #expect(try open(TestBook()).item(at: Self.one).notices.isEmpty)
    // An image may be wrong without a sign of it.
    #expect(throws: ReaderError.self) { try file.item(at: "OEBPS/p.png") }
  }

  @Test(
    arguments: [
      (["site/index.html", "site/a.html", "__MACOSX/site/._index.html"], true),
      (["book.fb2"], true), (["d/book.txt", "__MACOSX/d/._book.txt"], true),
      (["book.fb2", "b.txt"], false), (["book.png"], false),
      (["page.html", "page_files/a.css", "page_files/b.html", "c.png"], true),
      (["page.html", "notes/a.md"], false), (["index.html", "a.md"], true),
    ] as [([String], Bool)])
  func `an archive opens at its start page, or at its only text`(
    _ names: [String], _ isPage: Bool
  ) throws {
    var zip = ZIPBytes()
    for name in names { zip.add(name, "text of \(name)") }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("a.zip").path
    try Data(zip.bytes).write(to: URL(fileURLWithPath: path))
    let file = try #require(try DocumentFile.open(path))
    #expect(try (text(file, "") == "text of \(names[0])") == isPage)
  }
}
