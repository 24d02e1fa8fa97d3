import ReaderMode
import TestSupport
import Testing

@testable import Document

struct ObfuscatedEmailTests {
  @Test(
    arguments: [
      ("captain@ships.example", "captain@ships.example"),
      ("a.b+c@x-y.co.uk?subject=A%20boat", "a.b+c@x-y.co.uk"),
      ("no address", nil), ("a@b", nil), ("a@b..c", nil), ("@b.org", nil), ("a@.org", nil),
      ("", nil),
      ("a@b.1", nil), ("a@b.org\u{1B}", nil), ("a b@c.org", nil), ("a@b.org?x=<y>", nil),
      ("a@b.org-", nil), ("a@b@c.org", nil),
      ("ä@b.org", nil), (String(repeating: "a", count: 65) + "@b.org", nil),
    ] as [(String, String?)])
  func `a plausible email address is shown`(_ text: String, _ expected: String?) {
    for key: UInt8 in [0, 1, 0x42, 0xFF] {
      let address = ObfuscatedEmail(Self.digits(text.utf8, key: key)[...])
      #expect(address?.emailAddress == expected)
      #expect(address?.mailtoURL == expected.map { _ in "mailto:" + text })
    }
  }

  @Test func `invalid, too few or too many digits do not give an address`() {
    for digits in ["", "4", "42", "zz", "4g00", "42 2", String(repeating: "42", count: 3000)] {
      #expect(ObfuscatedEmail(Array(digits.utf8)[...]) == nil)
    }
  }

  @Test func `a decoded address contains no unsafe characters, whatever the digits are`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let key = UInt8.random(in: 0...255, using: &random)
      var digits = Self.digits("captain@ships.example?subject=Sails".utf8, key: key)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let position = Int.random(in: 0..<digits.count, using: &random)
        digits[position] = .random(in: 0...127, using: &random)
      }
      guard let address = ObfuscatedEmail(digits[...]) else { continue }
      #expect(address.mailtoURL.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(address.emailAddress.utf8.count { $0 == UInt8(ascii: "@") } == 1)
      #expect(address.mailtoURL.hasPrefix("mailto:" + address.emailAddress))
    }
  }

  @Test func `nested elements that resemble line numbers are scanned once`() {
    let depth = 400
    let numbers = (depth..<20_000).map { "\($0)\n" }.joined()
    let page =
      (0..<depth).map { "<div class=lineno>\($0)" }.joined() + numbers + "x"
      + String(repeating: "</div><pre></pre>", count: depth)
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.hasSuffix("19999 x"))
  }

  /// The hexadecimal digits of an address as in the page.
  private static func digits(_ text: some Sequence<UInt8>, key: UInt8) -> [UInt8] {
    let bytes = [key] + text.map { $0 ^ key }
    return bytes.flatMap { byte in
      [byte >> 4, byte & 15].map { Array("0123456789abcdef".utf8)[Int($0)] }
    }
  }
}
