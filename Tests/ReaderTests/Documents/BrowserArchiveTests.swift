@testable import Profiles
@testable import Saving
import Containers
import Exchange
import Foundation
import OfflineCache
import TestNetwork
import TestSupport
import Testing
import WARC

/// Files of Safari, Firefox and developer tools with pages and their resources, as imported by
/// `import`.
@Suite final class BrowserArchiveTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  private func importFile(_ path: String) throws -> LibraryImport.Outcome {
    let profile = files.open(network)
    defer { profile.close() }
    return try LibraryImport(into: profile).run(path)
  }

  private func saved(_ url: String) throws -> [StoredResponse] {
    let profile = files.open(network)
    defer { profile.close() }
    return try profile.cache.archive.captures(of: url)
  }

  /// Returns the error message if a file is rejected.
  private func refusal(of path: String) -> String? {
    do {
      _ = try importFile(path)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// A page in the format of Safari, or one of its resources.
  private struct SafariPage: Encodable {
    struct Resource: Encodable {
      var url: String?
      var type: String
      var content: Data?
      var charset = "UTF-8"

      private enum CodingKeys: String, CodingKey {
        case url = "WebResourceURL"
        case type = "WebResourceMIMEType"
        case content = "WebResourceData"
        case charset = "WebResourceTextEncodingName"
      }
    }

    var page: Resource
    var resources: [Resource] = []
    var frames: [SafariPage] = []

    private enum CodingKeys: String, CodingKey {
      case page = "WebMainResource"
      case resources = "WebSubresources"
      case frames = "WebSubframeArchives"
    }
  }

  @Test(arguments: [true, false])
  func `a page that Safari saved is imported with its resources and frames`(
    _ isBinary: Bool
  ) throws {
    func resource(_ url: String, _ type: String, _ text: String) -> SafariPage.Resource {
      SafariPage.Resource(url: url, type: type, content: Data(text.utf8))
    }
    let archive = SafariPage(
      page: resource("https://a.test/page", "text/html", "<title>Page</title><p>Text"),
      resources: [resource("https://a.test/p.png", "image/png", "PNG")],
      frames: [SafariPage(page: resource("https://a.test/frame", "text/html", "<p>Frame"))])
    let encoder = PropertyListEncoder()
    encoder.outputFormat = isBinary ? .binary : .xml
    let data = try encoder.encode(archive)
    let path = try write("p.webarchive", Array(data))
    #expect(try importFile(path).pageCount == 2)
    for url in ["https://a.test/page", "https://a.test/p.png", "https://a.test/frame"] {
      #expect(try saved(url).count == 1)
    }
    #expect(try importFile(path).wasImportedBefore)
  }

  @Test func `resources of Safari without a URL or content are reported`() throws {
    let html = Data("<title>Page</title><p>Text".utf8)
    let archive = SafariPage(
      page: SafariPage.Resource(url: "https://a.test/page", type: "text/html", content: html),
      resources: [
        SafariPage.Resource(url: nil, type: "image/png", content: Data("PNG".utf8)),
        SafariPage.Resource(url: "https://a.test/p.png", type: "image/png", content: nil),
      ])
    let path = try write("p.webarchive", Array(try PropertyListEncoder().encode(archive)))
    let outcome = try importFile(path)
    #expect(outcome.pageCount == 1 && outcome.skippedCount == 1)
    #expect(outcome.refusalReasons == ["lacks the content of https://a.test/p.png"])
  }

  @Test(arguments: [true, false])
  func `a truncated page of Safari has the parts before its end`(_ isBinary: Bool) throws {
    let text = Data("<p>Text</p>".utf8)
    let page = SafariPage(
      page: SafariPage.Resource(url: "https://a.test/", type: "text/html", content: text),
      resources: (1...200).map {
        SafariPage.Resource(url: "https://a.test/\($0)", type: "text/css", content: Data([$0]))
      })
    let encoder = PropertyListEncoder()
    encoder.outputFormat = isBinary ? .binary : .xml
    let start = Array(try encoder.encode(page).dropLast(20))
    let message = try #require(try SafariArchive.message(start, named: "p.webarchive"))
    #expect(message.isTruncated && message.omittedParts.isEmpty && message.parts.count == 201)
    let html = try #require(message.parts.first { $0.location == "https://a.test/" })
    #expect(message.content(of: html) == Array(text))
  }

  @Test(arguments: [true, false])
  func `the part within which a file of Safari ends is truncated`(_ isBinary: Bool) throws {
    let text = String(repeating: "<p>Text</p>", count: 400)
    let page = SafariPage(
      page: SafariPage.Resource(url: nil, type: "text/html", content: Data(text.utf8)))
    let encoder = PropertyListEncoder()
    encoder.outputFormat = isBinary ? .binary : .xml
    let bytes = Array(try encoder.encode(page))
    let start = Array(bytes[..<(bytes.count / 2)])
    let message = try #require(try SafariArchive.message(start, named: "p.webarchive"))
    let part = try #require(message.parts.first)
    #expect(part.isTruncated && message.parts.count == 1)
    let content = message.content(of: part)
    #expect(content.count > 1000 && Array(text.utf8).starts(with: content))
    let path = try write("p.webarchive", start)
    #expect(refusal(of: path)?.contains("is truncated") ?? false)
    #expect(refusal(of: try write("q.webarchive", Array(bytes[..<40]))) != nil)
  }

  /// Adds the description of a page in a MAFF file.
  private func addDescription(in name: String, of url: String, to zip: inout ZIPBytes) {
    zip.add(
      "\(name)/index.rdf",
      """
      <?xml version="1.0"?>
      <RDF:RDF xmlns:MAF="http://maf.mozdev.org/metadata/rdf#"
        xmlns:RDF="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <RDF:Description RDF:about="urn:root">
      <MAF:originalurl RDF:resource="\(url)"/>
      <MAF:archivetime RDF:resource="Sun, 03 Nov 2019 10:15:00 +0000"/>
      <MAF:indexfilename RDF:resource="index.html"/>
      </RDF:Description></RDF:RDF>
      """)
  }

  @Test func `pages and resources in a MAFF file that cannot be used are reported`() throws {
    var zip = ZIPBytes()
    let pages = [
      ("1", "https://a.test/"), ("2", "file:///home/page.html"), ("3", "https://c.test/"),
    ]
    for (name, url) in pages {
      addDescription(in: name, of: url, to: &zip)
      zip.add("\(name)/index.html", "<title>Page</title><p>Text \(name)")
      if name == "3" { zip.entries[zip.entries.count - 1].flags |= 1 }
      zip.add("\(name)/p.png", "PNG \(name)")
      if name == "1" { zip.entries[zip.entries.count - 1].flags |= 1 }
    }
    let outcome = try importFile(write("p.maff", zip.bytes))
    #expect(outcome.pageCount == 1)
    let paths = ["1/p.png", "2/index.html", "3/index.html"]
    try #require(outcome.refusalReasons.count == paths.count)
    for (index, path) in paths.enumerated() {
      #expect(outcome.refusalReasons[index].contains(path))
    }
  }

  @Test func `a MAFF file is imported as pages with their URLs and dates`() throws {
    var zip = ZIPBytes()
    for (name, url) in [("1_1", "https://a.test/dir/one?x=1"), ("2_2", "https://b.test/")] {
      addDescription(in: name, of: url, to: &zip)
      zip.add("\(name)/index.html", "<title>Page</title><p>Text<img src='index_files/a b.png'>")
      zip.add("\(name)/index_files/a b.png", "PNG \(name)")
    }
    let path = try write("p.maff", zip.bytes)
    #expect(try importFile(path).pageCount == 2)
    let page = try #require(try saved("https://a.test/dir/one?x=1").first)
    #expect(page.contentDate == Date(timeIntervalSince1970: 1_572_776_100))
    for url in ["https://b.test/", "https://a.test/dir/index_files/a%20b.png"] {
      #expect(try saved(url).count == 1)
    }
  }

  @Test(arguments: ["", "1_2/"])
  func `a ZIP file of SingleFile is imported as a page with its URL and date`(
    _ directory: String
  ) throws {
    var zip = ZIPBytes()
    zip.add(
      directory + "manifest.json",
      #"""
      {"originalUrl": "https://a.test/dir/one#top", "title": "Page", "indexFilename": "index.html",
       "archiveTime": "2019-11-03T10:15:00.123Z",
       "resources": {"images/0.png": "https://cdn.test/p.png"}}
      """#)
    zip.add(directory + "index.html", "<title>Page</title><p>Text<img src='images/0.png'>")
    zip.add(directory + "images/0.png", "PNG")
    zip.add(directory + "frames/0/index.html", "<p>Frame")
    zip.add(directory + "frames/0/manifest.json", #"{"originalUrl": "https://frame.test/"}"#)
    let outcome = try importFile(write("p.zip", zip.bytes))
    #expect(outcome.format == .mhtml && outcome.refusalReasons.isEmpty)
    let page = try #require(try saved("https://a.test/dir/one").first)
    #expect(page.contentDate == Date(timeIntervalSince1970: 1_572_776_100))
    #expect(try saved("https://a.test/dir/images/0.png").count == 1)
    #expect(try saved("https://frame.test/").isEmpty)
  }

  @Test func `an HTTP Archive is imported as the responses in it`() throws {
    let text = #"""
      {"log": {"version": "1.2", "entries": [
        {"startedDateTime": "2020-01-02T03:04:05Z",
          "request": {"method": "GET", "url": "https://a.test/old"},
          "response": {"status": 301, "headers": [{"name": "Location", "value": "/page"}]}},
        {"startedDateTime": "2020-01-02T03:04:05Z",
          "request": {"method": "GET", "url": "https://a.test/page"},
          "response": {"status": 200, "headers": [],
            "content": {"mimeType": "text/html", "text": "<p>Text"}}},
        {"request": {"method": "GET", "url": "https://a.test/p.png"},
          "response": {"status": 200, "headers": [], "content": {"size": 9}}}
      ]}}
      """#
    let path = try write("a.har", Array(text.utf8))
    let outcome = try importFile(path)
    #expect(!outcome.hasNothingNew && !outcome.wasImportedBefore)
    #expect(outcome.missingParts == ["lacks the content of https://a.test/p.png"])
    let page = try #require(try saved("https://a.test/page").first)
    #expect(page.isGood && page.contentDate == Date(timeIntervalSince1970: 1_577_934_245))
    #expect(try saved("https://a.test/old").first?.isRedirect ?? false)
    #expect(try importFile(path).wasImportedBefore)
    var packed: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(Array(text.utf8)) { packed += $0 }
    deflater.finish { packed += $0 }
    #expect(try importFile(write("b.har.gz", packed)).wasImportedBefore)
  }
}
