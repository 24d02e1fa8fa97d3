import Containers
import Exchange
import Foundation
import OfflineCache
import Profiles
import TestNetwork
import TestSupport
import Testing
import WARC

@testable import LocalDocuments
@testable import Saving

/// Files with pages that are compressed as a whole.
@Suite final class CompressedDocumentTests {
  private let files: TestProfile

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private static func message() -> [UInt8] {
    let text = """
      From: <Saved by Blink>
      Snapshot-Content-Location: https://a.test/page
      Subject: T
      MIME-Version: 1.0
      Content-Type: multipart/related; type="text/html"; boundary="b"

      --b
      Content-Type: text/html
      Content-Location: https://a.test/page

      <title>T</title><p>The ferry leaves at noon.
      --b--

      """
    return Array(text.utf8)
  }

  private static func pages() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = ZIPWriter(date: Date(timeIntervalSince1970: 1.7e9))
    let page = "<link rel=canonical href=https://a.test/page><p>The ferry leaves at noon."
    try writer.add(ZIPEntry(path: "page.html", bytes: Array(page.utf8))) { bytes += $0 }
    try writer.finish { bytes += $0 }
    return bytes
  }

  private func write(_ name: String, _ content: [UInt8]) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    var packed: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate(content) { packed += $0 }
    deflater.finish { packed += $0 }
    try Data(packed).write(to: url)
    return url.path
  }

  private func importFile(_ path: String) throws -> LibraryImport.Outcome {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    return try LibraryImport(into: profile).run(path)
  }

  @Test func `a compressed page with its resources is opened and imported`() throws {
    let path = try write("page.mhtml.gz", Self.message())
    let file = try #require(try DocumentFile.open(path))
    guard case .message = file.form else {
      Issue.record("another format")
      return
    }
    let outcome = try importFile(path)
    #expect(outcome.format == .mhtml && outcome.pageCount == 1)
    let profile = files.open(SiteNetwork())
    #expect(!profile.cache.savedPages(among: ["https://a.test/page"]).isEmpty)
    profile.close()
  }

  @Test func `a compressed archive is opened`() throws {
    let file = try #require(try DocumentFile.open(write("pages.zip.gz", Self.pages())))
    guard case .files(let archive) = file.form else {
      Issue.record("another format")
      return
    }
    #expect(archive.entries.map(\.path) == ["page.html"])
  }

  @Test func `a compressed book is imported under the URL of its content`() throws {
    let plain = files.directory.appendingPathComponent("a.epub")
    try Data(TestBook().bytes).write(to: plain)
    let outcome = try importFile(write("a.epub.gz", TestBook().bytes))
    #expect(outcome.format == .book && outcome.address.hasPrefix("book://"))
    let again = try importFile(plain.path)
    #expect(again.address == outcome.address && again.wasImportedBefore)
  }

  @Test(arguments: ["", "From: a@a.test\nSubject: S\nTo: b@a.test\n"])
  func `other compressed content is read as a single page`(_ fields: String) throws {
    let content =
      fields.isEmpty ? Array("The ferry leaves at noon.".utf8) : Array((fields + "\nwords").utf8)
    #expect(try DocumentFile.open(write("text.gz", content)) == nil)
  }
}
