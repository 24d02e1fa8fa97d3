import Testing

@testable import Terminal

@Suite("What terminals answer") struct TerminalAnswersTests {
  private func read(_ text: String) -> TerminalAnswers { TerminalAnswers(Array(text.utf8)) }

  @Test func `what stands before the fence is known, what does not is not`() {
    let kitty = read("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}]11;rgb:00/00/00\u{1B}\\\u{1B}[?62;c")
    #expect(kitty.hasAnswered && kitty.knowsKittyGraphics && kitty.tellsBackground)
    #expect(!kitty.knowsSixel)
    let foot = read("\u{1B}[?62;4;22c")
    #expect(foot.hasAnswered && foot.knowsSixel && !foot.knowsKittyGraphics)
    #expect(!read("\u{1B}[?62;44c").knowsSixel)
    #expect(!read("\u{1B}_Gi=31;ENOSYS\u{1B}\\\u{1B}[?6c").knowsKittyGraphics)
  }

  @Test(arguments: ["", "\u{1B}[?", "\u{1B}[?62;4", "\u{1B}[?1;2y", "typed", "\u{1B}[?62;4"])
  func `what is no answer, or not whole, is none`(_ text: String) {
    #expect(!read(text).hasAnswered)
  }
}
