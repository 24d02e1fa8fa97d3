import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Pages that a damaged index hides from lookups by URL.
@Suite struct DamagedIndexTests {
  @Test(arguments: [LoadMode.cacheOnly, .networkFirst])
  func `a page is found whichever occurrence of its URL is damaged`(_ mode: LoadMode) throws {
    let url = "https://example.org/a-page-to-find"
    let transport = ScriptedTransport { request in
      request.url == url
        ? .events([.failed(TransportFailure(.noNetwork))])
        : .events([.response(ResponseHead(status: 200)), .data([0x78]), .finished])
    }
    let saved = try TemporaryArchive()
    let archive = saved.open()
    try archive.save("found", at: 0, key: url)
    for number in 0..<40 { try archive.save("x", at: 0, key: "https://example.org/\(number)") }
    archive.close()
    let bytes = [UInt8](try Data(contentsOf: saved.location.index))
    let positions = bytes.indices.filter { bytes[$0...].starts(with: url.utf8) }
    #expect(positions.count >= 2)
    for position in positions {
      var damaged = bytes
      damaged[position + url.utf8.count - 1] ^= 2
      try Data(damaged).write(to: saved.location.index)
      let cache = HTTPCache(
        CacheConfiguration(location: saved.location, device: "m"), transport: transport)
      var options = LoadOptions()
      options.mode = mode
      let record = LoadRecord()
      cache.load(WebRequest(url: url), options: options, receive: record.receive)
      #expect(record.waitForEnd().text == "found", "at \(position)")
      #expect(
        cache.archive.takeNotices().contains {
          if case .indexRebuilt = $0 { true } else { false }
        })
      cache.close()
    }
  }
}
