import Foundation
import TestSupport
import Testing
import WARC

/// Validates written files with an independent program, `warcio check`, which `scripts/test --all`
/// installs. `scripts/test` uses only our own reader.
@Suite struct WarcioTests {
  @Test(arguments: WARCReaderTests.compressions)
  func `written files are valid for warcio and for our reader`(
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
