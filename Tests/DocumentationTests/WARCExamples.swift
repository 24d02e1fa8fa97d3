import Foundation
import Testing
// snippet: warc-import
import WARC
// end

// snippet: warc-write
/// Appends a text to a `.warc.gz` file as a record in its own gzip member.
func append(_ text: String, as uri: String, to file: FileHandle) throws {
  let record = WARCRecord(.resource, date: Date(), targetURI: uri, contentType: "text/plain")
  try WARCWriter().write(record, block: Array(text.utf8)) { bytes in
    try file.write(contentsOf: Data(bytes))
  }
}
// end

// snippet: warc-read
/// Returns the URIs and contents of the resources in a WARC file, and reports damage.
func resources(in path: String) throws -> [(uri: String, content: [UInt8])] {
  var resources: [(uri: String, content: [UInt8])] = []
  let reader = try WARCReader(path: path)
  while let entry = try reader.next() {
    switch entry {
    case .record(let record, _) where record.kind == .resource:
      resources.append((record.targetURI ?? "", try reader.readBlock()))
    case .record: break
    case .damage(let damage): print("bytes \(damage.range): \(damage.reason)")
    }
  }
  return resources
}
// end

// snippet: warc-verify
/// Returns the damage in a WARC file: invalid data, a truncated end, and digests that do not match.
func damage(in path: String) throws -> [WARCDamage] {
  var found: [WARCDamage] = []
  let reader = try WARCReader(path: path)
  while let entry = try reader.next() {
    if case .damage(let damage) = entry { found.append(damage) }
  }
  return found
}
// end

/// The examples in the documentation of `WARC`, which use only public declarations.
@Suite("Examples of WARC")
struct WARCExamples {
  @Test func `written records are read back, and a truncated end is detected`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).warc.gz")
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    try append("one", as: "urn:example:1", to: handle)
    try append("two", as: "urn:example:2", to: handle)
    let found = try resources(in: file.path)
    #expect(found.map(\.uri) == ["urn:example:1", "urn:example:2"])
    #expect(found.map(\.content) == [Array("one".utf8), Array("two".utf8)])
    #expect(try damage(in: file.path).isEmpty)
    try handle.truncate(atOffset: try handle.offset() - 1)
    #expect(try damage(in: file.path).map(\.isTruncated) == [true])
  }
}
