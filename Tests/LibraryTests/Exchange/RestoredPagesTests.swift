@testable import Saving
import Foundation
import OfflineCache
import Pages
import Profiles
import TestNetwork
import TestSupport
import Testing
import WARC

/// Imports of files whose pages were removed.
@Suite struct RestoredPagesTests {
  let files: TestProfile
  let profile: Profile

  init() throws {
    files = try TestProfile()
    profile = files.open(SiteNetwork())
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func importing(_ bytes: [UInt8], as name: String) throws -> LibraryImport.Outcome {
    let file = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return try LibraryImport(into: profile, now: Date(timeIntervalSince1970: 1.8e9)).run(file.path)
  }

  private func isSaved(_ url: String) -> Bool { !profile.cache.savedPages(among: [url]).isEmpty }

  private static func record(_ url: String, _ year: String, id: UUID = UUID()) -> [UInt8] {
    let block =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>T</title><p>\(url) \(year)"
    return Array(
      """
      WARC/1.0\r
      WARC-Type: response\r
      WARC-Record-ID: <urn:uuid:\(id.uuidString)>\r
      WARC-Date: \(year)-01-01T10:00:00Z\r
      WARC-Target-URI: \(url)\r
      Content-Type: application/http; msgtype=response\r
      Content-Length: \(block.utf8.count)\r
      \r
      \(block)\r
      \r

      """.utf8)
  }

  @Test(arguments: [false, true], [nil, UUID()])
  func `importing a file again restores the pages that were removed`(
    _ isPacked: Bool, _ sharedID: UUID?
  ) throws {
    let urls = ["http://a.example/1", "http://a.example/2"]
    let records = urls.flatMap { url in
      ["2020", "2021"].flatMap { Self.record(url, $0, id: sharedID ?? UUID()) }
    }
    var bytes = records
    if isPacked {
      bytes = []
      let deflater = Deflater()
      deflater.deflate(records) { bytes += $0 }
      deflater.finish { bytes += $0 }
    }
    _ = try importing(bytes, as: "a.warc")
    for number in 0..<2 {
      _ = try PageRemoval(from: profile).remove([urls[0]])
      #expect(!isSaved(urls[0]) && isSaved(urls[1]), "removal \(number)")
      let again = try importing(bytes, as: "a.warc")
      #expect(!again.wasImportedBefore && !again.hasNothingNew)
      #expect(isSaved(urls[0]))
      let dates = try profile.cache.versions(of: urls[0]).map(\.response.contentDate)
      #expect(Set(dates).count == 2 && dates.count == 2)
      #expect(try profile.cache.versions(of: urls[1]).count == 2)
    }
    #expect(try importing(bytes, as: "a.warc").wasImportedBefore)
  }

  private static func revisit(_ url: String, of original: String, id: String) -> [UInt8] {
    Array(
      """
      WARC/1.1\r
      WARC-Type: revisit\r
      WARC-Record-ID: <urn:uuid:\(UUID().uuidString)>\r
      WARC-Date: 2021-01-01T10:00:00Z\r
      WARC-Target-URI: \(url)\r
      WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r
      WARC-Refers-To: <urn:uuid:\(id)>\r
      WARC-Refers-To-Target-URI: \(original)\r
      WARC-Refers-To-Date: 2020-01-01T10:00:00Z\r
      Content-Length: 0\r
      \r
      \r
      \r

      """.utf8)
  }

  @Test(arguments: [[1], [0, 1], [0]])
  func `importing a file again restores a page that has only a revisit`(_ removed: [Int]) throws {
    let urls = ["http://a.example/1", "http://a.example/2"]
    let original = Self.record(urls[0], "2020")
    let text = String(decoding: original, as: UTF8.self)
    let id = try #require(text.split(separator: "urn:uuid:")[1].split(separator: ">").first)
    let bytes = original + Self.revisit(urls[1], of: urls[0], id: String(id))
    _ = try importing(bytes, as: "a.warc")
    #expect(urls.allSatisfy(isSaved))
    for _ in 0..<2 {
      _ = try PageRemoval(from: profile).remove(removed.map { urls[$0] })
      #expect(!removed.contains { isSaved(urls[$0]) })
      _ = try importing(bytes, as: "a.warc")
      #expect(urls.allSatisfy(isSaved), "\(removed)")
    }
  }

  @Test func `importing a saved page again restores it after its removal`() throws {
    let page = """
      <!DOCTYPE html>
      <!-- saved from url=(0018)http://b.example/1 -->
      <title>Title</title><p>Words
      """
    for _ in 0..<3 {
      #expect(try !importing(Array(page.utf8), as: "page.html").wasImportedBefore)
      #expect(isSaved("http://b.example/1"))
      _ = try PageRemoval(from: profile).remove(["http://b.example/1"])
      #expect(!isSaved("http://b.example/1"))
    }
  }
}
