package import Foundation
package import OfflineCache
import WARC

/// Writes a WACZ file (Web Archive Collection Zipped 1.1.1): a ZIP archive with WARC records, their
/// index, a list of pages with titles and text, and a description with the digest of each file. It
/// is written sequentially, so the output may be a pipe.
package struct WACZExport {
  private static let version = "1.1.1"
  private static let recordFile = "data.warc.gz"

  /// An entry of the list of pages.
  package struct Page: Sendable, Equatable {
    package var url: String
    /// The time when the content of the page was fetched.
    package var date: Date
    /// The title, or empty.
    package var title: String
    package var text: String

    package init(url: String, date: Date, title: String, text: String) {
      (self.url, self.date, self.title, self.text) = (url, date, title, text)
    }
  }

  /// A file of the archive in the description.
  private struct Resource: Encodable {
    var name: String
    var path: String
    var hash: String
    var bytes: Int64

    private enum CodingKeys: String, CodingKey {
      case name = "name"
      case path = "path"
      case hash = "hash"
      case bytes = "bytes"
    }
  }

  /// The description: a data package (Frictionless Data).
  private struct Description: Encodable {
    var profile = "data-package"
    var wacz_version = WACZExport.version
    var title: String?
    var software: String
    var created: String
    var mainPageURL: String?
    var mainPageDate: String?
    var resources: [Resource]

    private enum CodingKeys: String, CodingKey {
      case profile = "profile"
      case wacz_version = "wacz_version"
      case title = "title"
      case software = "software"
      case created = "created"
      case mainPageURL = "mainPageURL"
      case mainPageDate = "mainPageDate"
      case resources = "resources"
    }
  }

  private struct DescriptionDigest: Encodable {
    var path: String
    var hash: String

    private enum CodingKeys: String, CodingKey {
      case path = "path"
      case hash = "hash"
    }
  }

  private struct ListedPage: Encodable {
    var id: String
    var url: String
    var ts: String
    var title: String?
    var text: String

    private enum CodingKeys: String, CodingKey {
      case id = "id"
      case url = "url"
      case ts = "ts"
      case title = "title"
      case text = "text"
    }
  }

  private let title: String
  private let software: String
  private let date: Date
  private var zip: ZIPWriter
  private var recordExport = WARCExport(isCompressed: true, copiesRecords: true)
  /// The CDXJ lines of the index.
  private var indexLines: LineSorter
  /// The lines of `pages.jsonl`.
  private let pageLines: Spool
  /// The lines of the index of the blocks into which the index is compressed.
  private let blockLines: Spool
  /// The files written so far.
  private var resources: [Resource] = []
  private var firstPage: Page?
  /// The digest of the file that is being written.
  private var digest = DigestBuilder(.sha256)
  /// The length of the file that is being written, in bytes.
  private var length: Int64 = 0

  /// The number of responses left out because they were fetched with cookies or credentials.
  package var privateCount: Int { recordExport.privateCount }

  /// Creates an export.
  /// - Parameters:
  ///   - title: The title of the collection, or empty.
  ///   - software: The name and version of the program.
  ///   - date: The current time.
  ///   - makeSpool: Creates temporary storage for the index and the list of pages.
  package init(title: String, software: String, date: Date, makeSpool: @escaping () -> Spool) {
    (self.title, self.software, self.date) = (title, software, date)
    zip = ZIPWriter(date: date, maxSize: .max)
    indexLines = LineSorter(maxBufferedBytes: 16 << 20, makeSpool: makeSpool)
    pageLines = makeSpool()
    blockLines = makeSpool()
  }

  /// Begins the archive with the file of records.
  /// - Parameter sink: Receives the bytes.
  /// - Throws: The error that `sink` throws.
  package mutating func begin(into sink: ([UInt8]) throws -> Void) throws {
    // The file is not compressed by ZIP, because each record is compressed individually for random
    // access.
    try open("archive/" + Self.recordFile, isStored: true, into: sink)
    let recordExport = recordExport
    try recordExport.begin(name: Self.recordFile, now: date) { try write($0, into: sink) }
  }

  /// Writes a version, unless it was written before or was fetched with cookies or credentials.
  /// - Parameters:
  ///   - stored: The version.
  ///   - archive: The archive with its content.
  ///   - sink: Receives the bytes.
  /// - Throws: Errors of `WARCExport.add`.
  package mutating func add(
    _ stored: StoredResponse, of archive: Archive, into sink: ([UInt8]) throws -> Void
  ) throws {
    let offset = length
    // The record export is moved out of this value rather than copied, because its output is
    // written through this value.
    var movedRecords = WARCExport(isCompressed: true)
    swap(&movedRecords, &recordExport)
    defer { swap(&movedRecords, &recordExport) }
    let size = try movedRecords.add(stored, of: archive) { try write($0, into: sink) }
    guard let size else { return }
    let capture = RecordedCapture(
      key: stored.key, date: stored.contentDate.milliseconds, status: stored.response.status,
      contentType: stored.response.fields["Content-Type"] ?? "", digest: stored.payloadDigest,
      segment: Self.recordFile, offset: offset, size: size)
    try indexLines.add(CDXJLine.capture(capture))
  }

  /// Adds a page to the list of pages.
  /// - Parameter page: The page; its records are added separately.
  /// - Throws: `ArchiveError` if the list cannot be written to temporary storage.
  package mutating func list(_ page: Page) throws {
    if firstPage == nil { firstPage = page }
    let time = Self.time(page.date)
    let id = DigestBuilder.bytes(of: Array("\(time) \(page.url)".utf8), .sha256).prefix(10)
    let listed = ListedPage(
      id: Hexadecimal.text(id), url: page.url, ts: time,
      title: page.title.isEmpty ? nil : page.title, text: page.text)
    pageLines.write([UInt8](try Self.encoder.encode(listed)) + [0x0A])
    if let failure = pageLines.failure { throw failure }
  }

  /// Writes the index, the list of pages and the description, which complete the archive.
  /// - Parameter sink: Receives the bytes.
  /// - Throws: `ArchiveError` if temporary storage cannot be read; the error that `sink` throws.
  package consuming func finish(into sink: ([UInt8]) throws -> Void) throws {
    try close(into: sink)
    try writeIndex(into: sink)
    try writePages(into: sink)
    let description = Description(
      title: title.isEmpty ? nil : title, software: software, created: Self.time(date),
      mainPageURL: firstPage?.url, mainPageDate: (firstPage?.date).map(Self.time),
      resources: resources)
    let bytes = [UInt8](try Self.encoder.encode(description))
    let digest = DescriptionDigest(path: "datapackage.json", hash: Self.hash(of: bytes))
    try zip.add(ZIPEntry(path: "datapackage.json", bytes: bytes), into: sink)
    let digestBytes = [UInt8](try Self.encoder.encode(digest))
    try zip.add(ZIPEntry(path: "datapackage-digest.json", bytes: digestBytes), into: sink)
    try zip.finish(into: sink)
  }

  /// Writes the index in compressed blocks, which a client can request individually, and the index
  /// of the blocks.
  private mutating func writeIndex(into sink: ([UInt8]) throws -> Void) throws {
    let name = "index.cdx.gz"
    var writer = ZipNumWriter(.objects(file: name))
    try open("indexes/" + name, isStored: true, into: sink)
    let sorter = indexLines
    indexLines = LineSorter { [blockLines] in blockLines }
    try sorter.finish { line in
      try writer.add(line, blocks: { try write($0, into: sink) }, index: { blockLines.write($0) })
    }
    try writer.finish(blocks: { try write($0, into: sink) }, index: { blockLines.write($0) })
    try close(into: sink)
    try open("indexes/index.idx", isStored: false, into: sink)
    try write(blockLines, into: sink)
    try close(into: sink)
  }

  private mutating func writePages(into sink: ([UInt8]) throws -> Void) throws {
    try open("pages/pages.jsonl", isStored: false, into: sink)
    let head =
      #"{"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true}"#
    try write(Array((head + "\n").utf8), into: sink)
    try write(pageLines, into: sink)
    try close(into: sink)
  }

  // MARK: Files

  private mutating func open(
    _ path: String, isStored: Bool, into sink: ([UInt8]) throws -> Void
  ) throws {
    digest = DigestBuilder(.sha256)
    length = 0
    let name = path.split(separator: "/").last.map(String.init) ?? path
    resources.append(Resource(name: name, path: path, hash: "", bytes: 0))
    // A low level, because compressing the text took a quarter of the time per page.
    try zip.begin(path, isStored: isStored, level: 1, into: sink)
  }

  private mutating func write(_ bytes: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    digest.update(bytes)
    length += Int64(bytes.count)
    try zip.write(bytes, into: sink)
  }

  private mutating func write(_ spool: Spool, into sink: ([UInt8]) throws -> Void) throws {
    var offset: Int64 = 0
    while let chunk = try spool.chunk(at: offset) {
      try write(chunk, into: sink)
      offset += Int64(chunk.count)
    }
  }

  private mutating func close(into sink: ([UInt8]) throws -> Void) throws {
    resources[resources.count - 1].hash = "sha256:" + Hexadecimal.text(digest.digest().bytes)
    resources[resources.count - 1].bytes = length
    try zip.end(into: sink)
  }

  private static func hash(of bytes: [UInt8]) -> String {
    "sha256:" + Hexadecimal.text(DigestBuilder.bytes(of: bytes, .sha256))
  }

  private static func time(_ date: Date) -> String {
    WARCDate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
