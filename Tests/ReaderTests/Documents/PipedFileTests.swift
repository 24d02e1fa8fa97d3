import Foundation
import LocalDocuments
import Pages
import TestNetwork
import TestSupport
import Testing

/// Files with pages that are read from a pipe, which has no name and cannot be read twice.
@Suite struct PipedFileTests {
  @Test(arguments: [[UInt8](), Array("\u{FEFF}\n".utf8)])
  func `the parts of a book from a pipe are found`(_ prefix: [UInt8]) throws {
    let documents = DocumentFiles()
    let book = try documents.file(reading: prefix + TestBook().bytes, from: "/dev/stdin")
    let url: DocumentAddress = "file:///dev/stdin/OEBPS/text/one.xhtml"
    #expect(try book?.item(at: "").parts?.url(1) == url)
    let part = try documents.file(of: url)
    #expect(part?.inner == "OEBPS/text/one.xhtml")
    let bytes = try part?.file.item(at: "OEBPS/text/one.xhtml").bytes ?? []
    #expect(String(decoding: bytes, as: UTF8.self).contains("Words of one."))
    #expect(try documents.file(of: "file:///dev/stdin")?.inner == "")
    #expect(try documents.file(of: "file:///dev/stdin2")?.inner == nil)
  }

  @Test func `a regular file that replaces a pipe is read`() throws {
    let files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    let file = files.directory.appendingPathComponent("a.zip")
    let documents = DocumentFiles()
    for name in ["one.html", "two.html"] {
      var zip = ZIPBytes()
      zip.add(name, "<p>Text")
      let isPiped = name == "one.html"
      if isPiped {
        #expect(try documents.file(reading: zip.bytes, from: file.path) != nil)
      } else {
        try Data(zip.bytes).write(to: file)
      }
      let found = try #require(try documents.file(of: DocumentAddress(file.absoluteString)))
      #expect(throws: Never.self) { try found.file.item(at: name) }
    }
  }

  @Test(arguments: ["", "PK", "<p>PK\u{3}\u{4}", "<?xml version='1.0'?><plist></plist>"])
  func `other content from a pipe is no file with pages`(_ text: String) throws {
    #expect(try DocumentFiles().file(reading: Array(text.utf8), from: "/dev/stdin")?.url == nil)
  }

  @Test func `an office document from a pipe is no file with pages`() throws {
    var zip = ZIPBytes()
    zip.add("[Content_Types].xml", "<Types/>")
    #expect(try DocumentFiles().file(reading: zip.bytes, from: "/dev/stdin")?.url == nil)
  }
}
