import TestSupport
import Testing

@testable import Terminal

@Suite struct TerminfoEntryTests {
  /// A handwritten description: two names, flags, numbers and strings in the format of term(5).
  private static func description(numberSize: Int) -> [UInt8] {
    let names = Array("test|a test".utf8) + [0]
    let flags: [UInt8] = [0, 1, 0]
    var bytes: [UInt8] = numberSize == 4 ? [0x1E, 0x02] : [0x1A, 0x01]
    for count in [names.count, flags.count, 2, 3, 6] { bytes += [UInt8(count), 0] }
    bytes += names + flags
    if bytes.count % 2 == 1 { bytes.append(0) }
    for number: UInt8 in [80, 0xFF] {
      bytes +=
        numberSize == 4
        ? [number, number == 0xFF ? 0xFF : 0] + (number == 0xFF ? [0xFF, 0xFF] : [0, 0])
        : [number, number == 0xFF ? 0xFF : 0]
    }
    bytes += [0, 0, 0xFF, 0xFF, 2, 0]
    return bytes + Array("a\u{0}bcd\u{0}".utf8)
  }

  @Test(arguments: [2, 4])
  func `a description is parsed and written`(numberSize: Int) throws {
    let entry = try #require(TerminfoEntry(Self.description(numberSize: numberSize)))
    #expect(try #require(TerminfoEntry(entry.bytes)) == entry)
    #expect(entry == TerminfoEntry(Self.description(numberSize: 6 - numberSize)))
  }

  @Test func `direct colours are added only once`() throws {
    var entry = try #require(TerminfoEntry(Self.description(numberSize: 2)))
    entry.useDirectColors()
    let once = entry
    entry.useDirectColors()
    #expect(entry == once)
    #expect(TerminfoEntry(entry.bytes) == entry)
    #expect(entry.environmentValue.hasPrefix("hex:1e02"))
    #expect(String(decoding: entry.bytes, as: UTF8.self).contains("38;2;%p1%{65536}%/%d"))
  }

  @Test func `truncated or random bytes are not a description`() {
    let whole = Self.description(numberSize: 2)
    for length in 0..<whole.count { #expect(TerminfoEntry(Array(whole[..<length])) == nil) }
    var random = SplitMix64(seed: 3)
    for _ in 0..<3000 {
      var bytes = whole
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      if var entry = TerminfoEntry(bytes) {
        entry.useDirectColors()
        #expect(TerminfoEntry(entry.bytes) == entry)
      }
    }
  }
}
