import Foundation
import Testing
import WARC

@Suite struct WARCValueTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-21T04:11:50Z", 1_795_234_310_000),
      ("2026-11-21T04:11:50.5Z", 1_795_234_310_500),
      ("2026-11-21T04:11:50.123456789Z", 1_795_234_310_123),
      ("2000-02-29T23:59:59Z", 951_868_799_000), ("1969-12-31T23:59:59Z", -1000),
      ("2026-11-21", 1_795_219_200_000), ("2026-11", 1_793_491_200_000),
      ("2026", 1_767_225_600_000),
      ("2026-11-21T04:11Z", 1_795_234_260_000),
    ] as [(String, Int64)])
  func `dates of every precision are parsed`(_ text: String, _ milliseconds: Int64) {
    #expect(WARCDate.milliseconds(parsing: text) == milliseconds)
  }

  @Test(arguments: [
    "2026-11-21T05:11:50+01:00", "2026-11-21T05:11:50+0100", "2026-11-21T05:11:50+01",
    "2026-11-20T22:41:50-05:30", "2026-11-21 04:11:50Z", "2026-11-21 04:11:50",
    "2026-11-21T04:11:50", "2026-11-21 05:11:50 +0100", "2026-11-21T04:11:50z", "20261121041150",
    "20261121041150Z", "2026-11-21T04:11:50.0", "2026-11-21T05:11:50.0+01:00",
    "2026-11-21T04:11:50-00:00",
  ])
  func `dates with an offset, a space, only digits or no zone are parsed`(_ text: String) {
    #expect(WARCDate.milliseconds(parsing: text) == 1_795_234_310_000)
  }

  @Test(arguments: [
    "", "x", "20261121", "2026-13-01", "2026-11-21T04Z", "202611210411", "2026112104115",
    "202611210411500", "20261321041150", "20261121251150", "2026-11-21T04:11:50+1",
    "2026-11-21T04:11:50+24:00", "2026-11-21T04:11:50+01:60", "2026-11-21T04:11:50 GMT",
    "2026-11-21T04:11:50+01:00Z", "2026-11-21 ", "2026-11-21+01:00",
    "2026-11-21T04:11:50.Z", "2026-11-21T25:00:00Z", "2026-1-1",
    "99999-01-01", "2026-11-21Z",
  ])
  func `a text that is not a date is not parsed`(_ text: String) {
    #expect(WARCDate.parse(text) == nil)
  }

  @Test func `dates are unchanged after formatting and parsing`() throws {
    for day in stride(from: -80_000, through: 800_000, by: 1237) {
      let milliseconds = Int64(day) * 86_400_000 + Int64(day & 0xFFFF)
      let text = WARCDate.text(milliseconds: milliseconds)
      #expect(WARCDate.milliseconds(parsing: text) == milliseconds, "\(text)")
    }
  }

  @Test func `dates agree with the system calendar`() throws {
    let formatter = ISO8601DateFormatter()
    for day in stride(from: 0, through: 100_000, by: 977) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 12_345)
      #expect(WARCDate.text(date) == formatter.string(from: date))
    }
  }

  @Test(
    arguments: [
      ("sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", true),
      ("SHA-1:0e973b59f476007fd10f87f347c395606551 6fc0".replacing(" ", with: ""), true),
      ("sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====", true),
      ("sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ", true),
      ("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", true),
      ("md5:1B2M2Y8AsgTpgAmY7PhCfg==", false), ("sha1:short", false), ("sha9:AAAA", false),
      ("", false), (":", false), ("sha1", false), ("sha1:", false),
      ("sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC361", false),
    ] as [(String, Bool)])
  func `digests are parsed in Base32 and hexadecimal`(_ text: String, _ isDigest: Bool) {
    #expect((WARCDigest(text) != nil) == isDigest)
  }

  @Test func `the digest of empty data is the known value`() {
    #expect(
      DigestBuilder(.sha256).digest().description
        == "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====")
    for algorithm in WARCDigest.Algorithm.allCases {
      var builder = DigestBuilder(algorithm)
      builder.update([1, 2, 3])
      let digest = builder.digest()
      #expect(WARCDigest(digest.description) == digest)
      let hex = digest.bytes.map { String(format: "%02X", $0) }.joined()
      #expect(WARCDigest("\(algorithm.rawValue):\(hex)") == digest)
    }
  }

  @Test func `fields keep their order, repetitions and folded lines`() {
    let text = "A: 1\r\nb:2\r\n  more\r\nnonsense\r\nB : 3\nC: caf\u{e9}\r\n\r\nD: 4\r\n"
    let fields = WARCFields(parsing: Array(text.utf8))
    #expect(fields.lines.map(\.value) == ["1", "2 more", "3", "café"])
    #expect(fields["B"] == "2 more")
    #expect(fields.values(of: "B") == ["2 more", "3"])
    #expect(fields["D"] == nil)
    #expect(WARCFields(parsing: [0x41, 0x3A, 0xE9, 10])["A"] == "é")
  }

  @Test(arguments: [
    "A:\r\n 12\r\n", "A: 12\r\n \r\n", "A: \r\n\t\r\n 12\r\n", "A:\n 12\n \nB: 1\n",
  ])
  func `a folded value with an empty line has no surrounding white space`(_ text: String) {
    #expect(WARCFields(parsing: Array(text.utf8))["A"] == "12")
  }

  @Test func `a line break within a value does not start another field`() {
    let fields = WARCFields([WARCFields.Field("A", "1\r\nB: 2")])
    #expect(WARCFields(parsing: fields.bytes).lines.count == 1)
  }

  @Test(
    arguments: [
      ("5\r\nhello\r\n0\r\n\r\n", "hello", true),
      ("5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n", "hello", true),
      ("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello", true),
      ("5\r\nhello\n0\n\n", "hello", true), ("1984\nA novel\n", "1984\nA novel\n", true),
      ("1\n00:01 --> 00:02\n", "1\n00:01 --> 00:02\n", true), ("a; b\nc", "a; b\nc", true),
      ("5 \nhello", "5 \nhello", true), ("0\n1\n", "0\n1\n", true),
      ("hello", "hello", true), ("<html>", "<html>", true), ("5\r\nhel", "hel", false),
      ("A\r\n0123456789\r\n", "0123456789", false), ("", "", false),
      ("face is", "face is", true),
      ("0000000000000005\r\nhello\r\n0000000000000000\r\n\r\n", "hello", true),
      ("ffffffffffffffff\r\nhello", "ffffffffffffffff\r\nhello", true),
      ("00000000000000005\r\nhello", "00000000000000005\r\nhello", true),
    ] as [(String, String, Bool)])
  func `the chunked transfer coding is removed if present`(
    _ body: String, _ content: String, _ isFinished: Bool
  ) {
    let bytes = Array(body.utf8)
    for piece in [1, 3, 1000] {
      var decoder = ChunkedDecoder()
      var output: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: piece) {
        output += decoder.decode(Array(bytes[start..<min(bytes.count, start + piece)]))
      }
      #expect(String(decoding: output, as: UTF8.self) == content)
      #expect(decoder.isFinished == isFinished)
    }
  }
}
