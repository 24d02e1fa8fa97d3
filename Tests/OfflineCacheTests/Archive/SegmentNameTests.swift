import Foundation
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite struct SegmentNameTests {
  private static let now = Date(timeIntervalSince1970: 1_795_234_310)

  @Test(arguments: [
    "laptop", "laptop-7kq2m9xd", "my-old-laptop-7kq2m9xd", "a-20261122", "a-20261122-000001", "-",
    "a--b", "x.y_z",
  ])
  func `a device name may contain any number of hyphens`(_ device: String) throws {
    let first = SegmentName(after: nil, device: device, now: Self.now)
    let parsedName = try #require(SegmentName(first.text))
    #expect(parsedName == first)
    #expect(parsedName.device == device)
    let next = SegmentName(after: parsedName, device: device, now: Self.now)
    #expect(next.number == 2 && parsedName < next)
  }

  @Test func `segments of a device are not those of one with the same name prefix`() throws {
    let archive = try TemporaryArchive()
    for device in ["laptop", "laptop-7kq2m9xd", "laptop-20261122"] {
      let saving = archive.open(device: device)
      try saving.save(device, at: 0, key: "https://e.org/\(device)")
      #expect(try archive.segments().filter(saving.store.isOwn).count == 1)
      saving.close()
    }
    #expect(try archive.segments().count == 3)
  }

  @Test func `an invalid segment name is rejected`() {
    var random = SplitMix64(seed: 19)
    for text in [
      "", "-", "--.warc.gz", "a-2026112-000001.warc.gz", "a-20261122-0.warc.gz", "a.warc.gz",
      "a-20261122--1.warc.gz", "a-20261122-000001.warc", "20261122-000001.warc.gz",
    ] {
      #expect(SegmentName(text) == nil, "\(text)")
    }
    for _ in 0..<500 {
      let bytes = (0..<12).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
      if let name = SegmentName(String(decoding: bytes, as: UTF8.self) + ".warc.gz") {
        #expect(name.number > 0)
      }
    }
  }
}
