import Testing

@testable import Images

@Suite struct SixelStringTests {
  @Test(arguments: [
    "\u{1B}P0;1;0q\"1;1;4;6#0;2;0;0;0#0~~@@$-!4?\u{1B}\\", "\u{1B}Pq~\u{1B}\\",
  ])
  func `a sixel string is one`(_ text: String) {
    #expect(SixelString.isPlain(Array(text.utf8)[...]))
  }

  @Test(arguments: [
    "", "~", "\u{1B}Pq~", "\u{1B}P0;1~\u{1B}\\", "\u{1B}Pq\u{1B}[2J~\u{1B}\\",
    "\u{1B}Pq~\u{1B}\\\u{1B}Pq~\u{1B}\\", "\u{1B}Pq\u{07}\u{1B}\\", "\u{1B}Pq\u{9C}ls\u{1B}\\",
    "\u{1B}Pq~\u{18}\u{1B}\\", "\u{1B}P$q~\u{1B}\\", "\u{1B}]0;title\u{1B}\\",
    "\u{1B}Pq~\u{1B}\\x", "x\u{1B}Pq~\u{1B}\\",
  ])
  func `what a terminal would obey beside it is none`(_ text: String) {
    #expect(!SixelString.isPlain(Array(text.utf8)[...]))
  }
}
