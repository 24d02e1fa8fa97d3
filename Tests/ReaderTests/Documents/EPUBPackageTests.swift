import Containers
import Exchange
import TestSupport
import Testing

@Suite struct EPUBPackageTests {
  private func read(_ book: TestBook) throws -> EPUBPackage {
    try EPUBPackage(try ZIPArchive(ByteAccess(book.bytes)))
  }

  @Test(arguments: [2, 3])
  func `title, authors, cover, parts and contents are parsed`(_ version: Int) throws {
    let package = try read(TestBook(version: version))
    #expect(package.title == "The Book" && package.creators == ["Ann", "Bea"])
    #expect(package.language == "en" && package.cover == "OEBPS/p.png")
    #expect(package.parts.map(\.path) == ["OEBPS/text/one.xhtml", "OEBPS/text/two.xhtml"])
    #expect(package.parts.map(\.title) == ["One & first", "Two"])
    #expect(package.parts.allSatisfy { $0.problem == nil })
    let titles = package.contents.map { "\($0.level) \($0.title) \($0.fragment)" }
    #expect(
      titles == ["0 One & first ", "1 A section s"]
        + (version == 3 ? ["0 Heading ", "1 Two "] : ["0 Two "]))
  }

  @Test func `the guide names parts that are missing from the contents`() throws {
    var book = TestBook(version: 2)
    book.replace("toc=\"ncx\">", "toc=\"ncx\"><itemref idref=\"pic\"/>", in: "OEBPS/content.opf")
    book.replace(
      "</package>",
      "<guide><reference type=\"cover\" title=\" The cover\" href=\"p.png\"/>"
        + "<reference type=\"text\" title=\"Begin\" href=\"text/one.xhtml\"/></guide></package>",
      in: "OEBPS/content.opf")
    #expect(try read(book).parts.map(\.title) == ["The cover", "One & first", "Two"])
  }

  @Test func `missing parts and paths outside the book are listed with errors`() throws {
    var book = TestBook()
    book.replace("text/two.xhtml", "../../two.xhtml", in: "OEBPS/content.opf")
    book.replace(
      "<itemref idref=\"one\"/>", "<itemref idref=\"none\"/><itemref idref=\"one\"/>",
      in: "OEBPS/content.opf")
    book.files.removeAll { $0.path == "OEBPS/text/one.xhtml" }
    let package = try read(book)
    #expect(package.parts.map(\.problem) == [.missing, .missing, .outsideBook])
    #expect(package.parts.map(\.path) == ["none", "OEBPS/text/one.xhtml", "../../two.xhtml"])
  }

  @Test(
    arguments: [
      ("text\\one.xhtml", "OEBPS/text/one.xhtml"), (".\\text\\one.xhtml", "OEBPS/text/one.xhtml"),
      ("..\\OEBPS/text\\one.xhtml", "OEBPS/text/one.xhtml"),
      ("text%5Cone.xhtml", "OEBPS/text/one.xhtml"),
      ("Text/ONE.xhtml", "OEBPS/text/one.xhtml"), ("text/a b%.xhtml", "OEBPS/text/a b%.xhtml"),
      ("text/a%20b%25.xhtml", "OEBPS/text/a b%.xhtml"),
      ("text/c d.xhtml", "OEBPS/text/c%20d.xhtml"),
      ("text/c%20d.xhtml", "OEBPS/text/c%20d.xhtml"),
      ("text/c%2520d.xhtml", "OEBPS/text/c%20d.xhtml"),
      ("text/e\u{301}.xhtml", "OEBPS/text/\u{E9}.xhtml"),
      ("text/%C3%A9.xhtml", "OEBPS/text/\u{E9}.xhtml"),
    ] as [(String, String)])
  func `a part is found however its path is written`(_ reference: String, _ path: String) throws {
    var book = TestBook()
    book.replace("text/one.xhtml", reference, in: "OEBPS/content.opf")
    book.replace("text/one.xhtml", reference, in: "OEBPS/nav.xhtml")
    for index in book.files.indices where book.files[index].path == "OEBPS/text/one.xhtml" {
      book.files[index].path = path
    }
    let package = try read(book)
    #expect(package.parts.map(\.problem) == [nil, nil])
    #expect(package.parts.map(\.path) == [path, "OEBPS/text/two.xhtml"])
    #expect(package.parts[0].title == "One & first" && package.contents[1].path == path)
  }

  @Test func `an ambiguous path, or one outside the book, matches no part`() throws {
    var book = TestBook()
    book.files.append(("OEBPS/text/ONE.xhtml", "x"))
    book.replace("text/one.xhtml", "text/One.xhtml", in: "OEBPS/content.opf")
    book.replace("text/two.xhtml", "..\\..\\two.xhtml", in: "OEBPS/content.opf")
    #expect(try read(book).parts.map(\.problem) == [.missing, .outsideBook])
    let archive = try ZIPArchive(ByteAccess(TestBook().bytes))
    for path in ["../OEBPS/p.png", "..%2f..%2fp.png", "none", ""] {
      #expect(archive.path(matching: path) == path)
    }
    #expect(archive.path(matching: "oebps\\text\\..\\P.png") == "OEBPS/p.png")
  }

  private static func encryption(_ method: String, _ paths: [String]) -> String {
    "<encryption>"
      + paths.map {
        "<enc:EncryptedData><enc:EncryptionMethod Algorithm=\"\(method)\"/><enc:CipherData>"
          + "<enc:CipherReference URI=\"\($0)\"/></enc:CipherData></enc:EncryptedData>"
      }.joined() + "</encryption>"
  }

  @Test func `an encrypted book is reported, and encrypted fonts are ignored`() throws {
    let all = ["OEBPS/text/one.xhtml", "OEBPS/text/two.xhtml"]
    let aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    var book = TestBook()
    book.files.append(("META-INF/encryption.xml", Self.encryption(aes, all)))
    #expect(throws: ContainerError.drmProtected) { try read(book) }
    book.files[book.files.count - 1].text = Self.encryption(aes, [all[1]])
    #expect(try read(book).parts.map(\.problem) == [nil, .drmProtected])
    book.files[book.files.count - 1].text = Self.encryption(
      "http://www.idpf.org/2008/embedding", all)
    #expect(try read(book).parts.map(\.problem) == [nil, nil])
  }

  @Test func `a book without a container file, contents or order is still read`() throws {
    var book = TestBook()
    book.files.removeAll { $0.path == "META-INF/container.xml" || $0.path == "OEBPS/nav.xhtml" }
    let package = try read(book)
    #expect(package.contents.isEmpty && package.parts.count == 2)
    book.files.removeAll { $0.path == "OEBPS/content.opf" }
    #expect(throws: ContainerError.self) { try read(book) }
    var empty = TestBook()
    empty.replace("itemref", "itemless", in: "OEBPS/content.opf")
    let pages = try read(empty).parts
    #expect(pages.map(\.path) == ["OEBPS/text/one.xhtml", "OEBPS/text/two.xhtml"])
    #expect(pages.map(\.title) == ["One & first", "Two"])
    empty.replace("application/xhtml+xml", "image/png", in: "OEBPS/content.opf")
    empty.replace(".xhtml", ".png", in: "OEBPS/content.opf")
    #expect(throws: ContainerError.self) { try read(empty) }
  }

  @Test(arguments: 1...200) func `packages with altered bytes do not crash the parser`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var book = TestBook(version: seed.isMultiple(of: 2) ? 2 : 3)
    for index in book.files.indices where index > 0 {
      var bytes = Array(book.files[index].text.utf8)
      for _ in 0..<4 where !bytes.isEmpty {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      book.files[index].text = String(decoding: bytes, as: UTF8.self)
    }
    _ = try? read(book)
  }

  @Test func `deeply nested contents are bounded`() throws {
    var book = TestBook()
    let deep = String(repeating: "<ol><li><a href=\"text/one.xhtml\">x</a>", count: 50_000)
    book.files = book.files.map {
      $0.path == "OEBPS/nav.xhtml" ? ($0.path, "<nav epub:type=\"toc\">\(deep)") : $0
    }
    let package = try read(book)
    #expect(package.contents.count == 20_000 && package.contents.allSatisfy { $0.level <= 12 })
  }

  @Test(
    arguments: [
      (
        3, "OEBPS/nav.xhtml", "<nav epub:type=\"toc\">", "<div>",
        "<a href=\"text/two.xhtml\">Far</a>"
      ),
      (3, "OEBPS/nav.xhtml", "<nav epub:type=\"toc\">", "<span>", "Far"),
      (
        3, "OEBPS/nav.xhtml", "<nav epub:type=\"toc\">", "<li>",
        "<a href=\"text/two.xhtml\">Far</a>"
      ),
      (
        2, "OEBPS/toc.ncx", "<navMap>", "<navPoint>",
        "<navLabel>Far</navLabel><content src=\"text/two.xhtml\"/>"
      ),
    ] as [(Int, String, String, String, String)])
  func `deeply nested tables of contents do not crash the parser`(
    _ version: Int, _ path: String, _ start: String, _ tag: String, _ end: String
  ) throws {
    var book = TestBook(version: version)
    let table = start + String(repeating: tag, count: 100_000) + end
    book.files = book.files.map { $0.path == path ? (path, table) : $0 }
    let names = try read(book).contents.map(\.title)
    // Text nested too deeply is not a title.
    #expect(names == (tag == "<span>" ? [] : ["Far"]))
  }

  @Test func `only the beginning of each of many nested texts is read`()
    throws
  {
    var book = TestBook()
    let deep = String(repeating: "<b>", count: 200)
    book.replace("The  Book", "The\(deep) Book", in: "OEBPS/content.opf")
    #expect(try read(book).title == "The")
  }

  @Test func `unsupported parts are reported, and file extensions correct wrong media types`()
    throws
  {
    var book = TestBook()
    book.replace(
      "</manifest>",
      "<item id=\"css\" href=\"s.css\" media-type=\"text/css\"/><item id=\"bin\" href=\"b\"/></manifest>",
      in: "OEBPS/content.opf")
    book.replace(
      "</spine>",
      "<itemref idref=\"css\"/><itemref idref=\"bin\"/><itemref idref=\"pic\"/></spine>",
      in: "OEBPS/content.opf")
    book.replace(
      "href=\"text/one.xhtml\" media-type=\"application/xhtml+xml\"",
      "href=\"text/one.xhtml\" media-type=\"application/octet-stream\"", in: "OEBPS/content.opf")
    book.files += [("OEBPS/s.css", "p {}"), ("OEBPS/b", "\u{1}\u{2}")]
    #expect(
      try read(book).parts.map(\.problem) == [
        nil, nil, .unsupportedType("text/css"), .unsupportedType(""), nil,
      ])
  }

  @Test func `the text begins where the book says, or at the first part of its contents`() throws {
    var book = TestBook()
    book.replace(
      "<itemref idref=\"one\"/>", "<itemref idref=\"pic\"/><itemref idref=\"one\"/>",
      in: "OEBPS/content.opf")
    #expect(try read(book).bodyStart == 1)
    var guided = book
    guided.replace(
      "</package>", "<guide><reference type=\"text\" href=\"text/two.xhtml#x\"/></guide></package>",
      in: "OEBPS/content.opf")
    #expect(try read(guided).bodyStart == 2)
    book.replace(
      "<a href=\"x\">no</a>", "<a epub:type=\"bodymatter\" href=\"text/two.xhtml\">Text</a>",
      in: "OEBPS/nav.xhtml")
    #expect(try read(book).bodyStart == 2)
  }
}
