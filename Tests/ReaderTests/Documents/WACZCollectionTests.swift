@testable import Pages
@testable import Profiles
@testable import Saving
import Exchange
import Foundation
import Library
import OfflineCache
import TestNetwork
import TestSupport
import Testing
import WACZ

/// WACZ files that list other WACZ files.
@Suite final class WACZCollectionTests {
  private let files: TestProfile

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  private func importing(_ path: String) throws -> (LibraryImport.Outcome, saved: [String]) {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let outcome = try LibraryImport(into: profile).run(path)
    let urls = ["a", "b", "c"].map { "http://\($0).test/page" }
    return (outcome, profile.cache.savedPages(among: urls).sorted())
  }

  /// A WACZ file with a page of a host.
  private static func part(_ host: String) -> [UInt8] {
    var zip = ZIPBytes()
    zip.add("datapackage.json", "{}")
    zip.add("archive/data.warc", record(host))
    return zip.bytes
  }

  /// A WARC file with a page of a host.
  private static func record(_ host: String) -> String {
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Text of \(host)"
    return "WARC/1.1\r\nWARC-Type: response\r\n"
      + "WARC-Record-ID: <urn:uuid:7b9c2f0e-0c3c-4a6e-8f0e-0c3c4a6e8f0\(host)>\r\n"
      + "WARC-Date: 2024-11-03T00:00:00Z\r\nWARC-Target-URI: http://\(host).test/page\r\n"
      + "Content-Type: application/http;msgtype=response\r\n"
      + "Content-Length: \(block.utf8.count)\r\n\r\n\(block)\r\n\r\n"
  }

  private static func collection(_ parts: [String]) -> ZIPBytes {
    let resources = parts.map { "{\"name\": \"x\", \"\($0)\"}" }.joined(separator: ", ")
    var zip = ZIPBytes()
    zip.add(
      "datapackage.json",
      "{\"profile\": \"multi-wacz-package\", \"resources\": [\(resources)]}")
    return zip
  }

  @Test func `the parts of a collection are imported from the file and its directory`() throws {
    var zip = Self.collection([
      "path\": \"parts/a.wacz", "url\": \"https://x.test/b%20b.wacz?token=1", "path\": \"c.wacz",
      "path\": \"d.wacz",
    ])
    zip.add("parts/a.wacz", Self.part("a"))
    _ = try write("b b.wacz", Self.part("b"))
    let (outcome, saved) = try importing(write("all.wacz", zip.bytes))
    #expect(outcome.format == .wacz && outcome.pageCount == 2 && !outcome.wasImportedBefore)
    #expect(saved == ["http://a.test/page", "http://b.test/page"])
    #expect(outcome.refusalReasons.isEmpty && outcome.missingParts.count == 1)
    let text = try #require(outcome.missingParts.first)
    #expect(text.hasPrefix("lists 2 WACZ files") && text.contains("such as c.wacz"))
    #expect(try importing(write("all.wacz", zip.bytes)).0.wasImportedBefore)
  }

  @Test func `a part that is no WACZ file is reported, and the others are imported`() throws {
    let zip = Self.collection(["path\": \"a.wacz", "path\": \"b.wacz", "path\": \"../c.wacz"])
    _ = try write("a.wacz", Array("no archive".utf8))
    _ = try write("b.wacz", Self.part("b"))
    _ = try write("c.wacz", Self.part("c"))
    let (outcome, saved) = try importing(write("all.wacz", zip.bytes))
    // Only the name counts, so that no file outside the directory is opened.
    #expect(saved == ["http://b.test/page", "http://c.test/page"])
    #expect(
      outcome.refusalReasons.count == 1
        && outcome.refusalReasons[0].hasPrefix("lists a.wacz, which "))
  }

  @Test func `a part that is listed several times is imported once, and the collection not again`()
    throws
  {
    var zip = Self.collection([
      "path\": \"parts/a.wacz", "url\": \"https://x.test/a.wacz?token=1", "path\": \"b.wacz",
      "url\": \"https://x.test/b.wacz#x", "path\": \"all.wacz",
    ])
    zip.add("parts/a.wacz", Self.part("a"))
    zip.add("own.warc", Self.record("c"))
    _ = try write("b.wacz", Self.part("b"))
    let (outcome, saved) = try importing(write("all.wacz", zip.bytes))
    #expect(outcome.pageCount == 3 && saved.count == 3)
    #expect(outcome.refusalReasons.isEmpty && outcome.missingParts.isEmpty)
  }

  @Test func `messages about parts contain neither passwords nor queries`() throws {
    let zip = Self.collection([
      "url\": \"https://u:pw@x.test/a.wacz?token=1", "url\": \"https://u:pw@x.test/b.wacz?token=1",
      "path\": \"c.wacz",
    ])
    _ = try write("a.wacz", Array("no archive".utf8))
    _ = try write("c.wacz", Self.part("c"))
    let outcome = try importing(write("all.wacz", zip.bytes)).0
    #expect(outcome.refusalReasons.first?.hasPrefix("lists https://x.test/a.wacz, which ") == true)
    #expect(outcome.missingParts.first?.contains("(https://x.test/b.wacz)") == true)
    for text in outcome.refusalReasons + outcome.missingParts {
      #expect(!text.contains("pw@") && !text.contains("token"), "\(text)")
    }
  }

  @Test func `parts beyond the maximum are not reported as missing`() throws {
    let zip = Self.collection(
      ["path\": \"b.wacz"] + (0..<1000).map { "url\": \"https://x.test/b.wacz?\($0)" })
    _ = try write("b.wacz", Self.part("b"))
    let outcome = try importing(write("all.wacz", zip.bytes)).0
    #expect(outcome.pageCount == 1 && outcome.missingParts.count == 1)
    #expect(outcome.missingParts.first?.hasPrefix("lists 1001 WACZ files") == true)
  }

  @Test func `the parts in a collection that it does not list are imported, too`() throws {
    var zip = Self.collection(["path\": \"a.wacz"])
    for host in ["a", "b"] { zip.add("parts/\(host).wacz", Self.part(host)) }
    zip.add("parts/c.wacz", "no archive")
    let (outcome, saved) = try importing(write("all.wacz", zip.bytes))
    #expect(outcome.pageCount == 2 && outcome.missingParts.isEmpty)
    #expect(saved == ["http://a.test/page", "http://b.test/page"])
    #expect(outcome.refusalReasons.count == 1)
    #expect(outcome.refusalReasons.first?.hasPrefix("has parts/c.wacz, which ") == true)
  }

  @Test(arguments: [["path\": \"a.wacz"], []])
  func `without any part, the import fails`(_ parts: [String]) throws {
    let path = try write("all.wacz", Self.collection(parts).bytes)
    #expect(throws: ReaderError.self) { try importing(path) }
  }

  @Test func `only the profile makes a collection`() {
    let resources = "\"resources\": [{\"path\": \"a.wacz\"}, {\"url\": \"b.wacz\"}, {}]"
    let multiple = WACZDescription(
      Array("{\"profile\": \"multi-wacz-package\", \(resources)}".utf8))
    #expect(multiple.isCollection && multiple.parts == ["a.wacz", "b.wacz"])
    for text in ["{\"profile\": \"data-package\", \(resources)}", "{\(resources)}", "x", ""] {
      let description = WACZDescription(Array(text.utf8))
      #expect(!description.isCollection && description.parts.isEmpty)
    }
  }

  // MARK: Collections of pages

  /// A WACZ file with pages of hosts, and lists of pages.
  private static func archive(
    _ hosts: [String], title: String, lists: [String: [String]]
  ) -> [UInt8] {
    var zip = ZIPBytes()
    zip.add("datapackage.json", "{\"title\": \"\(title)\"}")
    zip.add("archive/data.warc", hosts.map(record).joined())
    for (path, hosts) in lists.sorted(by: { $0.key < $1.key }) {
      let lines = hosts.map { "{\"url\": \"http://\($0).test/page\"}\n" }.joined()
      zip.add(path, "{\"format\": \"json-pages-1.0\"}\nnot JSON\n\(lines)")
    }
    return zip.bytes
  }

  private func collections() throws -> [PageCollection] {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    return try profile.library.collections()
  }

  @Test func `the listed pages are a collection in the order of the lists`() throws {
    // Pages that are not saved or were listed before are left out.
    let lists = ["pages/extra.jsonl": ["c", "b"], "pages/pages.jsonl": ["b", "x", "a"]]
    let path = try write(
      "trip.wacz", Self.archive(["a", "b", "c"], title: "A trip", lists: lists))
    #expect(try importing(path).0.collectionName == "A trip")
    let collection = try #require(try collections().first)
    #expect(collection.pages == ["b", "a", "c"].map { "http://\($0).test/page" })
    #expect(collection.name == "A trip" && !collection.record.isPinned)
    // The same file does not change it; after its removal, it is recorded again.
    #expect(try importing(path).0.collectionName == nil)
    let profile = files.open(SiteNetwork())
    var record = collection.record
    record.removed = 1
    try profile.library.record([collection.change(record)])
    profile.close()
    #expect(try importing(path).0.collectionName == "A trip")
    #expect(try collections().map(\.pages) == [collection.pages])
  }

  @Test func `a file without a title names its collection`() throws {
    let lists = ["pages/pages.jsonl": ["a", "b"]]
    let path = try write("my trip.wacz", Self.archive(["a", "b"], title: "", lists: lists))
    #expect(try importing(path).0.collectionName == "my trip")
  }

  @Test(arguments: [[], ["a"], ["a", "a", "x"]] as [[String]])
  func `fewer than two saved pages are no collection`(_ listed: [String]) throws {
    let lists = ["pages/pages.jsonl": listed]
    let path = try write("a.wacz", Self.archive(["a", "b"], title: "A", lists: lists))
    let outcome = try importing(path).0
    #expect(outcome.collectionName == nil && outcome.missingParts.isEmpty)
    #expect(try collections().isEmpty)
  }

  @Test func `a damaged list of pages is reported, and the pages are imported`() throws {
    var zip = ZIPBytes()
    zip.add("datapackage.json", "{}")
    zip.add("archive/data.warc", Self.record("a") + Self.record("b"))
    zip.add("pages/pages.jsonl", "{\"url\": \"http://a.test/page\"}\n")
    zip.entries[2].checksum ^= 1
    let (outcome, saved) = try importing(write("a.wacz", zip.bytes))
    #expect(saved.count == 2 && outcome.collectionName == nil)
    #expect(outcome.missingParts.count == 1)
  }
}
