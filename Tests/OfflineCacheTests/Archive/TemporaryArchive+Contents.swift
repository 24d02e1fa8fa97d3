import Foundation
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

extension TemporaryArchive {
  /// Returns the files that contain any of the given texts, also compressed, as `text in file`.
  func places(of texts: [String]) throws -> [String] { try Self.places(of: texts, in: directory) }

  /// Returns the same for another directory.
  static func places(of texts: [String], in directory: URL) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: directory.path))
    var found: [String] = []
    for case let name as String in names {
      let url = directory.appendingPathComponent(name)
      guard let data = try? Data(contentsOf: url) else { continue }
      let contents = [data, Data(inflated([UInt8](data)))]
      for text in texts where contents.contains(where: { $0.range(of: Data(text.utf8)) != nil }) {
        found.append("\(text) in \(name)")
      }
      #expect(!texts.contains(where: name.contains))
    }
    return found
  }

  /// Decompresses all readable data of gzip members, wherever they begin.
  private static func inflated(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for start in bytes.indices.dropLast(2)
    where bytes[start] == 0x1F && bytes[start + 1] == 0x8B && bytes[start + 2] == 8 {
      let inflater = Inflater(format: .gzip)
      let remainingBytes = Array(bytes[start...].prefix(1 << 20))
      try? inflater.inflate(remainingBytes) { result.append(contentsOf: $0) }
    }
    return result
  }

  /// Checks that warcio and our own reader find every segment valid.
  func expectValidSegments() throws {
    for name in try segments() {
      let path = segment(name).path
      #expect(try Warcio.complaint(about: path) == nil)
      let reader = try WARCReader(path: path)
      while let entry = try reader.next() {
        if case .damage(let damage) = entry { Issue.record("\(name): \(damage)") }
      }
    }
  }
}

/// Records as written by other programs.
enum ArchiveForeignRecords {
  /// Returns the SHA-1 digest of a text in the usual notation.
  static func sha1(_ text: String) -> String {
    var builder = DigestBuilder(.sha1)
    builder.update(Array(text.utf8))
    return builder.digest().description
  }

  static func record(
    _ kind: WARCRecord.Kind, _ id: UUID, _ uri: String, second: Int, digest: String
  ) -> WARCRecord {
    let date = Date(timeIntervalSince1970: 1_600_000_020 + Double(second))
    var record = WARCRecord(
      kind, id: id, date: date, targetURI: uri, contentType: "application/http;msgtype=response")
    record.fields.append("WARC-Payload-Digest", digest)
    return record
  }

  static func bytes(_ record: WARCRecord, _ block: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try WARCWriter().write(record, block: Array(block.utf8)) { bytes.append(contentsOf: $0) }
    return bytes
  }
}
