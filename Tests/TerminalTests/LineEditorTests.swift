import TestSupport
import Testing

@testable import Terminal

@Suite struct LineEditorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var keys: String
    var expected: String
    var testDescription: String { "\(text) + \(keys)" }
    init(_ text: String, _ keys: String, _ expected: String) {
      self.text = text
      self.keys = keys
      self.expected = expected
    }
  }

  /// The bar in the expected text marks the cursor.
  @Test(arguments: [
    Row("", "a b", "ab|"), Row("abc", "Backspace", "ab|"), Row("", "Backspace", "|"),
    Row("漢字", "Backspace", "漢|"), Row("ae\u{301}", "Backspace", "a|"),
    Row("x👩‍👩‍👧", "Backspace", "x|"), Row("🇨🇭🇩🇪", "Backspace", "🇨🇭|"), Row("👍🏽", "Backspace", "|"),
    Row("漢字", "Left x", "漢x|字"), Row("abc", "C-a x", "x|abc"), Row("abc", "Home Del", "|bc"),
    Row("abc", "C-a C-e x", "abcx|"), Row("abc def", "C-w", "abc |"),
    Row("abc def ", "C-w", "abc |"), Row("https://a.b/c/d", "C-w", "https://a.b/c/|"),
    Row("abc", "Left C-u", "|c"), Row("abc", "Left C-k", "ab|"), Row("abc", "C-a Left", "|abc"),
    Row("abc", "Right", "abc|"), Row("ab cd", "M-b x", "ab x|cd"),
    Row("ab cd", "C-a M-f x", "abx| cd"),
    Row("ab cd", "C-w C-w C-y x", "ab cdx|"), Row("ab cd", "C-w C-a C-y", "cd|ab "),
    Row("ab cd", "C-a M-d M-d C-y C-y", "ab cdab cd|"), Row("ab", "C-u x C-y", "xab|"),
    Row("ab", "C-y", "ab|"), Row("abc", "Left Left C-k C-u C-y", "abc|"),
    Row("abc", "C-b C-d", "ab|"), Row("e", "\u{301}", "e\u{301}|"),
    Row("abc def", "M-Backspace", "abc |"), Row("abc def", "C-a M-d", "| def"),
    Row("abc def", "C-a C-Del C-Del x", "x|"), Row("abc", "M-d", "abc|"),
    Row("abc", "Up F1 M-x C-x", "abc|"),
    Row("🇨x🇭", "Left Backspace", "🇨🇭|"),
  ])
  func `keys edit whole grapheme clusters`(row: Row) throws {
    var editor = LineEditor(row.text)
    for name in row.keys.split(separator: " ") {
      _ = editor.performEdit(try #require(Key(String(name))))
    }
    let before = editor.textBeforeCursor
    let shown = before + "|" + editor.text.dropFirst(before.count)
    #expect(shown == row.expected)
  }

  @Test func `text that was deleted before pasting is not inserted again`() throws {
    var editor = LineEditor("ab cd")
    _ = editor.performEdit(.control("w"))
    editor.insert("x")
    for name in ["C-w", "C-y"] { _ = editor.performEdit(try #require(Key(name))) }
    #expect(editor.text == "ab x")
  }

  @Test func `pasted text becomes one line without control characters`() {
    var editor = LineEditor()
    editor.insert("a\u{1B}[31m\nb\tc\u{202E}\u{9B}d\u{7F}")
    #expect(editor.text == "a[31m b cd")
  }

  @Test(
    arguments: [
      ("foo\rbar", "foo bar"), ("foo\r\nbar", "foo bar"), ("foo\nbar", "foo bar"),
      ("foo\r\rbar", "foo  bar"), ("foo\n\rbar", "foo  bar"), ("foo\tbar", "foo bar"),
    ] as [(String, String)])
  func `line ends in pasted text become one space each`(text: String, expected: String) {
    var editor = LineEditor()
    editor.insert(text)
    #expect(editor.text == expected)
  }

  @Test func `the cursor stays within the text whatever keys are pressed`() {
    var random = SplitMix64(seed: 11)
    let keys = [
      "a", "漢", "\u{301}", "\u{200D}", "🇨", "👩", "Backspace", "Del", "Left", "Right", "C-a", "C-e",
      "C-w", "C-k", "C-u", "M-b", "M-f",
    ].compactMap { Key($0) }
    var editor = LineEditor()
    for _ in 0..<20_000 {
      _ = editor.performEdit(keys[Int(random.next() % UInt64(keys.count))])
      #expect((0...editor.characters.count).contains(editor.cursor))
      #expect(editor.characters == Array(editor.text))
    }
  }
}
