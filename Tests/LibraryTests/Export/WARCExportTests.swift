@testable import Profiles
import Configuration
import Exchange
import Foundation
import OfflineCache
import TestNetwork
import Testing
import WARC

@testable import Pages

/// Saved records exported for other programs.
@Suite struct WARCExportTests {
  private let files: TestProfile
  private static let url = "http://a.test/page"

  init() throws {
    files = try TestProfile()
  }

  /// Adds a file with one record to the archive.
  private func put(
    _ name: String, _ kind: WARCRecord.Kind, _ type: String, _ block: String,
    source: String? = nil
  ) throws {
    let directory = files.open(SiteNetwork()).locations.archive.path
    var record = WARCRecord(
      kind, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: Self.url,
      contentType: type)
    if let source { record.fields.append("WARC-Source-URI", source) }
    var bytes: [UInt8] = []
    try WARCWriter(compression: name.hasSuffix(".gz") ? .gzip(level: 6) : .none)
      .write(record, block: Array(block.utf8)) { bytes += $0 }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
  }

  /// Returns the exported records of the page and their blocks.
  private func exported(copies: Bool) throws -> [(record: WARCRecord, block: String)] {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let archive = profile.cache.archive
    try archive.catchUp()
    let stored = try #require(try archive.captures(of: Self.url).first)
    var bytes: [UInt8] = []
    var export = WARCExport(isCompressed: true, copiesRecords: copies)
    #expect(try export.add(stored, of: archive) { bytes += $0 } == Int64(bytes.count))
    var found: [(record: WARCRecord, block: String)] = []
    let reader = WARCReader(bytes: bytes)
    while let entry = try reader.next() {
      guard case .record(let record, _) = entry else { continue }
      var block: [UInt8] = []
      while let chunk = try reader.nextChunk() { block += chunk }
      found.append((record, String(decoding: block, as: UTF8.self)))
    }
    return found
  }

  @Test(arguments: ["import-1.warc.gz", "import-1.warc"], [true, false])
  func `a resource record is exported without an HTTP header`(_ name: String, _ copies: Bool) throws
  {
    try put(name, .resource, "text/html; charset=utf-8", "<p>Saved by a browser")
    let found = try exported(copies: copies)
    #expect(found.map(\.record.kind) == [.resource])
    #expect(found.map(\.block) == ["<p>Saved by a browser"])
    #expect(found[0].record.fields["Content-Type"] == "text/html; charset=utf-8")
  }

  @Test(arguments: [true, false])
  func `the source archive of a copy is kept in exported files`(_ copies: Bool) throws {
    let source = "https://archive.test/web/2020id_/http://a.test/page"
    try put(
      "import-1.warc.gz", .response, "application/http;msgtype=response",
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Text", source: source)
    let record = try #require(try exported(copies: copies).first).record
    #expect(record.kind == .response && record.fields["WARC-Source-URI"] == source)
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    var response = Provenance(source: .saved(.offlineMode), importedFile: "import-1.warc.gz")
    #expect(response.importDescription == "from import-1.warc.gz" && !response.isFromRemote)
    let stored = try #require(try profile.cache.archive.captures(of: Self.url).first)
    response.archiveHost = stored.sourceURI.flatMap { WebURL($0)?.host }
    #expect(
      response.importDescription == "from the archive of archive.test" && response.isFromRemote)
  }
}
