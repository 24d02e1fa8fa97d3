import Foundation
import LocalDocuments
import Pages
import TestNetwork
import TestSupport
import Testing

/// Books and archives in an archive.
@Suite struct ContainedFileTests {
  private let files: TestProfile
  private let url: DocumentAddress

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    var inner = ZIPBytes()
    inner.add("a/in.txt", "Inside")
    var outer = ZIPBytes()
    outer.add("books/one.epub", TestBook().bytes)
    outer.add("in.zip", inner.bytes)
    outer.add("bad.zip", "PK\u{3}\u{4}xx")
    var sheet = ZIPBytes()
    sheet.add("[Content_Types].xml", "<Types/>")
    outer.add("sheet.xlsx", sheet.bytes)
    outer.add("a.txt", "Text")
    let path = files.directory.appendingPathComponent("all.zip")
    try Data(outer.bytes).write(to: path)
    url = DocumentAddress(path: path.path)
  }

  /// Returns the address of an item of the archive.
  private func item(_ path: String) -> DocumentAddress { DocumentAddress(url.text + path) }

  @Test func `a book in an archive is opened with its parts`() throws {
    let documents = DocumentFiles()
    let book = try documents.file(of: item("/books/one.epub"))
    #expect(book?.inner == "" && book?.file.url == item("/books/one.epub"))
    let part = item("/books/one.epub/OEBPS/text/one.xhtml")
    #expect(try book?.file.item(at: "").parts?.url(1) == part)
    let found = try documents.file(of: part)
    let bytes = try found?.file.item(at: found?.inner ?? "").bytes ?? []
    #expect(String(decoding: bytes, as: UTF8.self).contains("Words of one."))
    // Another file of the archive is not part of the book.
    let text = try documents.file(of: item("/a.txt"))
    #expect(text?.inner == "a.txt" && text?.file.url == url)
  }

  @Test func `a book in an archive has the same key as outside of it`() throws {
    let documents = DocumentFiles()
    func key(_ path: String) -> String? {
      documents.contentKey(of: item(path), maxLength: 1 << 20)
    }
    let path = files.directory.appendingPathComponent("one.epub").path
    try Data(TestBook().bytes).write(to: URL(fileURLWithPath: path))
    let book = documents.contentKey(of: DocumentAddress(path: path), maxLength: 1 << 20)
    let archive = key("/a.txt")
    #expect(book != nil && archive != nil && book != archive)
    #expect(key("/books/one.epub") == book && key("/books/one.epub/OEBPS/text/one.xhtml") == book)
    #expect(key("/in.zip/a/in.txt") != archive && key("/a.txt") == archive && key("") == archive)
  }

  @Test func `an archive in an archive is listed, and is an item if it is saved`() throws {
    let documents = DocumentFiles()
    let found = try documents.file(of: item("/in.zip/a/in.txt"))
    #expect(found?.inner == "a/in.txt" && found?.file.url == item("/in.zip"))
    #expect(try found?.file.item(at: "a/in.txt").bytes == Array("Inside".utf8))
    let archive = try documents.file(of: item("/in.zip"), asItem: true)
    #expect(archive?.inner == "in.zip" && archive?.file.url == url)
  }

  @Test(arguments: ["/sheet.xlsx", "/books/", "/none.zip", "/a.txt/b"])
  func `other paths are paths in the archive`(_ path: String) throws {
    let found = try DocumentFiles().file(of: item(path))
    #expect(found?.inner == String(path.dropFirst()) && found?.file.url == url)
  }

  @Test func `a damaged archive in an archive is an error that names it`() throws {
    #expect(throws: ReaderError.self) { _ = try DocumentFiles().file(of: item("/bad.zip")) }
  }
}
