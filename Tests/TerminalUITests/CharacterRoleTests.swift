import ReaderMode
import DOM
import Document
import Layout
import Testing

@testable import Terminal
@testable import TerminalUI

/// Invisible and unsafe characters in pages, lines and cells.
@Suite struct CharacterRoleTests {
  /// Returns a text as shown in a page, in a line of a list, and in cells.
  private static func shown(_ text: String) -> [String] {
    let document = Document(bytes: Array("<!DOCTYPE html><meta charset=utf-8><p>\(text)".utf8))
    let page = PageLayout(document, options: LayoutOptions(width: 80)).plainText()
    var frame = Frame(size: Size(columns: 80, rows: 1))
    frame.put(text, row: 0, column: 0, style: CellStyle())
    return [
      String(String(decoding: page, as: UTF8.self).dropLast()), SafeText.line(text),
      frame.textRows[0],
    ]
  }

  @Test(
    arguments: [
      // Invisible characters.
      ("x\u{200B}y", "xy"), ("x\u{2060}y", "xy"), ("x\u{AD}y", "xy"), ("x\u{FEFF}y", "xy"),
      ("x\u{61C}y\u{200E}z\u{200F}", "xyz"), ("x\u{202E}y\u{202C}\u{2066}z\u{2069}", "xyz"),
      ("x\u{34F}y\u{34F}", "xy"), ("x\u{350}y", "x\u{350}y"),
      ("x\u{FFF9}y\u{FFFA}z\u{FFFB}", "xyz"), ("x\u{206A}y\u{2061}z\u{2065}", "xyz"),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴"), ("x\u{E0001}\u{E0041}y\u{E0FFF}", "xy"),
      // Variation selectors, where variants exist.
      ("❤\u{FE0F} 1\u{FE0F}\u{20E3}", "❤\u{FE0F} 1\u{FE0F}\u{20E3}"), ("葛\u{E0100}", "葛\u{E0100}"),
      ("❤\u{FE0F}\u{FE01}\u{FE02}\u{E0101}x", "❤\u{FE0F}x"), ("x\u{FE0F}\u{FE00}y\u{E01EF}", "xy"),
      ("x \u{FE0F}y", "x y"), ("x\u{200B}\u{FE0F}y", "xy"),
      // Joiners and combining marks; line separators, noncharacters and DEL.
      ("می\u{200C}خواهم 👩\u{200D}🚀", "می\u{200C}خواهم 👩\u{200D}🚀"),
      ("x\u{2028}y\u{2029}z", "x y z"),
      ("دَرْب", "دَرْب"), ("\u{FFFE}x\u{FFFF}", "x"), ("x\u{7F}y", "x\u{FFFD}y"),
    ] as [(String, String)])
  func `a page, a line and cells show the same text`(_ text: String, _ expected: String) {
    #expect(Self.shown(text) == [expected, expected, expected])
  }

  @Test func `no character that must not be shown is shown anywhere`() {
    var texts: [String] = []
    for value in Array(0x80...0x2FFF) + Array(0xFB00...0x1_0000) + Array(0xE_0000...0xE_1000) {
      guard let scalar = Unicode.Scalar(UInt32(value)), CharacterRole(scalar) != .visible else {
        continue
      }
      texts.append("a\(scalar)b")
    }
    #expect(texts.count > 4000)
    // All texts are in a single page, which is faster.
    let page = Self.shown(texts.joined(separator: " "))[0]
    for text in [page, SafeText.line(texts.joined(separator: " "))]
      + texts.map({ Self.shown($0)[2] })
    {
      #expect(text.unicodeScalars.allSatisfy { CharacterRole($0) == .visible || $0 == "\n" })
    }
  }

  @Test(
    arguments: [
      // Characters of words, in any part after the authority.
      ("https://a.test/%D0%BC%D0%BE%D1%80%D0%B5?q=%e6%b8%af#%C3%A9", "https://a.test/море?q=港#é"),
      ("/wiki/%D7%99%D7%9D", "/wiki/ים"), ("#%D9%85%DB%8C%E2%80%8C%D8%AE", "#می\u{200C}خ"),
      ("https://a.test/a%E2%80%93b", "https://a.test/a–b"), ("/%F0%9F%9A%A2", "/🚢"),
      ("/x?u=http://%E6%B8%AF/%E6%B8%AF", "/x?u=http://港/港"),
      // ASCII, incomplete encodings, and other encodings.
      ("/%20%2F%25%41%0A", "/%20%2F%25%41%0A"), ("/100%", "/100%"), ("/%C3%", "/%C3%"),
      ("/%C3%4", "/%C3%4"), ("/%E6%B8", "/%E6%B8"), ("/%E9t%E9", "/%E9t%E9"),
      ("/%C0%AF", "/%C0%AF"),
      ("/%ED%A0%80", "/%ED%A0%80"), ("/%G0%+1", "/%G0%+1"), ("/%E9%C3%A9", "/%E9é"),
      // Blank and invisible characters, and the authority.
      ("/%E2%80%AE%C2%A0%E3%80%80", "/%E2%80%AE%C2%A0%E3%80%80"), ("/%C2%85", "/%C2%85"),
      ("/%E2%80%8B%E3%85%A4%EF%BB%BF%EF%BF%BD", "/%E2%80%8B%E3%85%A4%EF%BB%BF%EF%BF%BD"),
      ("https://%C3%A9.test/%C3%A9", "https://%C3%A9.test/é"), ("https://%C3%A9", "https://%C3%A9"),
    ] as [(String, String)])
  func `a displayed URL has readable characters`(_ url: String, _ expected: String) {
    #expect(SafeText.withReadableCharacters(url) == expected)
  }
}
