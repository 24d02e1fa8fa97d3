import Foundation
import Testing

@testable import Terminal

@Suite struct ClipboardSequenceTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `an OSC 52 sequence contains the text in base64`() {
    #expect(text(ClipboardSequence.bytes(for: "héllo")) == "\u{1B}]52;c;aMOpbGxv\u{07}")
    #expect(text(ClipboardSequence.bytes(for: "")) == "\u{1B}]52;c;\u{07}")
  }

  @Test func `control characters except line feed and tab are removed`() throws {
    let hostile = "a\u{1B}[201~b\u{07}\r\u{9B}\u{202E}\u{2066}c\u{0}\nd\te\u{7F}"
    let bytes = ClipboardSequence.bytes(for: hostile).dropFirst(7).dropLast()
    let data = try #require(Data(base64Encoded: Data(bytes)))
    #expect(text(Array(data)) == "a[201~bc\nd\te")
  }

  @Test func `a text longer than terminals accept is not sent`() {
    let longest = String(repeating: "x", count: ClipboardSequence.maxTextLength)
    let bytes = ClipboardSequence.bytes(for: longest)
    #expect(bytes.count <= 100_000 && bytes.count > 99_900)
    #expect(ClipboardSequence.bytes(for: longest + "x").isEmpty)
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color"], nil), (["TERM": "tmux-256color"], .tmux),
      (["TERM": "screen-256color", "TMUX": "/tmp/tmux,1,0"], .tmux),
      (["TERM": "screen", "STY": "123.pts"], .screen), (["TERM": "screen-256color"], .either),
      (["TMUX": ""], nil), ([:], nil),
    ] as [([String: String], ClipboardSequence.Multiplexer?)])
  func `the multiplexer is detected from the environment`(
    environment: [String: String], expected: ClipboardSequence.Multiplexer?
  ) {
    #expect(ClipboardSequence.Multiplexer(environment) == expected)
  }

  @Test func `screen gets chunks of acceptable size that make up the whole sequence`() {
    let plain = text(ClipboardSequence.bytes(for: String(repeating: "words ", count: 500)))
    let wrapped = text(
      ClipboardSequence.bytes(for: String(repeating: "words ", count: 500), through: .screen))
    let pieces = wrapped.components(separatedBy: "\u{1B}\\").dropLast()
    #expect(pieces.count > 10)
    #expect(pieces.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count < 256 })
    #expect(pieces.map { $0.dropFirst(2) }.joined() == plain)
  }

  @Test func `if tmux or screen is possible, the sequences for both are sent`() {
    let both = text(ClipboardSequence.bytes(for: "héllo", through: .either))
    #expect(both.hasPrefix(text(ClipboardSequence.bytes(for: "héllo"))))
    #expect(both.hasSuffix(text(ClipboardSequence.bytes(for: "héllo", through: .screen))))
  }
}
