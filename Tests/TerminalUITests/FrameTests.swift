import Layout
import Testing

@testable import Terminal

@Suite struct FrameTests {
  @Test(
    arguments: [
      ("", 10, [""]), ("one two three", 8, ["one two", "three"]), ("one two", 7, ["one two"]),
      ("a verylongword b", 6, ["a", "verylo", "ngword", "b"]), ("苏黎世 苏", 4, ["苏黎", "世", "苏"]),
      ("one  two", 4, ["one", "two"]), ("ab", 1, ["a", "b"]),
    ] as [(String, Int, [String])])
  func `text is wrapped after blanks`(text: String, columns: Int, rows: [String]) {
    #expect(DisplayWidth().wrapped(text, to: columns) == rows)
  }

  @Test(arguments: [
    "\u{1B}]0;owned\u{07}", "a\u{9B}31mb", "\u{202E}gnp.exe", "x\u{7F}y\u{0}z", "a\nb\rc\td",
    "\u{2066}a\u{2069}\u{2028}", "e\u{301}\u{1B}[2J", "\u{E0001}tag",
  ])
  func `no control character gets into a cell`(text: String) {
    var frame = Frame(size: Size(columns: 20, rows: 2))
    frame.put(text, row: 0, column: 0, style: CellStyle())
    for cell in frame.cells {
      #expect(
        cell.text.unicodeScalars.allSatisfy { Frame.isSafe($0) }, "\(cell.text.debugDescription)")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var puts: [(column: Int, text: String)]
    var expected: String
    var testDescription: String { expected }
  }

  @Test(arguments: [
    Row(puts: [(0, "漢字")], expected: "漢字"),
    Row(puts: [(0, "漢字"), (1, "x")], expected: " x字"),
    Row(puts: [(0, "漢字"), (2, "x")], expected: "漢x"),
    Row(puts: [(0, "漢字"), (1, "文")], expected: " 文"),
    Row(puts: [(5, "漢")], expected: ""),
    Row(puts: [(4, "漢")], expected: "    漢"),
    Row(puts: [(-1, "abc"), (9, "x")], expected: "bc"),
    Row(puts: [(0, "ab\u{301}c")], expected: "ab\u{301}c"),
  ])
  func `wide characters are never split`(row: Row) {
    var frame = Frame(size: Size(columns: 6, rows: 1))
    for put in row.puts { frame.put(put.text, row: 0, column: put.column, style: CellStyle()) }
    #expect(frame.textRows == [row.expected])
    expectWholeCells(frame)
  }

  @Test func `text outside the frame is not drawn`() {
    var frame = Frame(size: Size(columns: 0, rows: -3))
    #expect(frame.size == Size(columns: 1, rows: 1))
    frame.put("abc", row: 7, column: 0, style: CellStyle())
    frame.put("abc", row: -1, column: 0, style: CellStyle())
    frame.moveCursor(row: 99, column: -5)
    #expect(frame.textRows == [""])
    #expect(frame.cursor == Frame.Position(row: 0, column: 0))
  }
}

/// Expects each row to consist of complete clusters: the cells after the first one of a wide
/// cluster have the width 0, and the widths add up to the number of columns.
func expectWholeCells(_ frame: Frame, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(frame.cells.count == frame.size.columns * frame.size.rows, sourceLocation: sourceLocation)
  for row in 0..<frame.size.rows {
    var column = 0
    while column < frame.size.columns {
      let width = Int(frame[row, column].width)
      #expect(width > 0, "a rest without its character", sourceLocation: sourceLocation)
      for rest in 1..<max(1, width) where column + rest < frame.size.columns {
        #expect(frame[row, column + rest].width == 0, sourceLocation: sourceLocation)
      }
      column += max(1, width)
    }
    #expect(column == frame.size.columns, sourceLocation: sourceLocation)
  }
}
