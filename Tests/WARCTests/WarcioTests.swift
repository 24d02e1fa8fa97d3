import Foundation
import TestSupport
import Testing
import WARC

/// An independent program's opinion of what is written here: `warcio check`, which
/// `scripts/test --all` installs. `scripts/test` asks our own reader alone.
@Suite struct WarcioTests {
  @Test(arguments: WARCReaderTests.compressions)
  func `files are in order for warcio and for our reader`(
    _ compression: WARCWriter.Compression
  ) throws {
    let sample = SampleFile(compression, count: 12)
    let name = "warcio-\(UUID().uuidString).warc" + (compression == .none ? "" : ".gz")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try Data(sample.bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let reader = try WARCReader(path: file.path)
    var blocks: [[UInt8]] = []
    while case .record? = try reader.next() { blocks.append(try reader.readBlock()) }
    #expect(blocks == sample.blocks)
    #expect(try Warcio.complaint(about: file.path) == nil)
  }
}
