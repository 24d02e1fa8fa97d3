@testable import Saving
@testable import Exchange
import Testing

@Suite struct TarHeaderTests {
  @Test(arguments: [0, 1, 511, 512, 513, 1 << 33 - 1, 1 << 33, 1 << 50] as [Int64])
  func `a written header is read back`(_ size: Int64) throws {
    let header = TarHeader(name: "archive/a-1.warc.gz", size: size, modificationTime: 1_795_000_000)
    let bytes = header.bytes
    #expect(bytes.count == 512)
    #expect(TarHeader(bytes) == header)
    #expect((Int64(header.padding) + size) % 512 == 0)
  }

  @Test func `a damaged header is rejected`() {
    let bytes = TarHeader(name: "library/x.journal", size: 5, modificationTime: 0).bytes
    for index in stride(from: 0, to: 500, by: 7) {
      var damaged = bytes
      damaged[index] ^= 0x15
      #expect(TarHeader(damaged) == nil, "\(index)")
    }
    #expect(TarHeader([]) == nil)
    #expect(TarHeader([UInt8](repeating: 0, count: 512)) == nil)
    #expect(TarHeader([UInt8](repeating: 0xFF, count: 512)) == nil)
  }

  @Test(
    arguments: [
      ("archive/a-20261121-000001.warc.gz", "a-20261121-000001.warc.gz"),
      ("archive/x.warc", "x.warc"),
      ("archive/../x.warc.gz", nil), ("archive/sub/x.warc.gz", nil), ("/archive/x.warc.gz", nil),
      ("archive/.hidden.warc.gz", nil), ("archive/x.txt", nil), ("archive/x\u{1B}.warc", nil),
      ("library/x.warc.gz", nil), ("archive/.vary-key", nil), ("archive/", nil),
    ] as [(String, String?)])
  func `only valid archive file names are accepted`(_ path: String, _ name: String?) {
    #expect(LibraryImport.name(path, in: "archive/", [".warc.gz", ".warc"]) == name)
  }
}
