import Testing

@testable import Terminal

@Suite struct KeyboardLayoutTests {
  @Test(
    arguments: [
      ("й", "q"), ("Й", "Q"), ("о", "j"), ("х", "["), ("Ж", ":"), ("і", "s"), ("ё", "`"),
      ("C-с", "C-c"),
      ("M-и", "M-b"), ("ξ", "j"), ("Γ", "G"), ("ח", "j"), ("ת", ","), ("ت", "j"), ("ک", ";"),
      ("٣", "3"),
      ("۷", "7"),
    ] as [(String, String)])
  func `a letter of another script stands for its key on a US keyboard`(
    typed: String, expected: String
  ) {
    #expect(Key(typed)?.onUSKeyboard == Key(expected))
  }

  @Test(arguments: ["q", "?", "é", "ß", "Up", "漢", "½"])
  func `other keys stand for themselves`(name: String) throws {
    #expect(try #require(Key(name)).onUSKeyboard == nil)
  }
}
