@testable import Library
import ReaderMode
import Document
import Testing

@Suite struct PageDifferenceTests {
  private func document(_ html: String) -> Document { Document(bytes: Array(html.utf8)) }

  private func text(_ old: String, _ new: String, width: Int = 72) -> String {
    var text = ""
    PageDifference(from: document(old), to: document(new))
      .writeText(width: width, isColored: false) { text += $0 }
    return text
  }

  private func markdown(_ old: String, _ new: String) -> String {
    var text = ""
    PageDifference(from: document(old), to: document(new)).writeMarkdown { text += $0 }
    return text
  }

  @Test(
    arguments: [
      ("<p>The quick fox runs", "<p>The slow fox runs", "~ The [-quick-]{+slow+} fox runs\n"),
      ("<p>one two three", "<p>one three", "~ one [-two-] three\n"),
      ("<p>one three", "<p>one two three", "~ one {+two+} three\n"),
      ("<p>The end.", "<p>The end!", "~ The end[-.-]{+!+}\n"),
      ("<p>same<p>gone", "<p>same", "  … 1 paragraph unchanged\n\n- [-gone-]\n"),
      ("<h2>Old title here", "<h2>New title here", "~ ## [-Old-]{+New+} title here\n"),
      (
        "<ul><li>first one<li>second", "<ul><li>first two<li>second",
        "~ • first [-one-]{+two+}\n\n  … 1 paragraph unchanged\n"
      ),
      (
        "<pre>a = 1\nb = 2</pre>", "<pre>a = 1\nb = 3</pre>",
        "  … 1 paragraph unchanged\n\n~ b = [-2-]{+3+}\n"
      ),
      (
        "<table><tr><th>A<th>B<tr><td>1<td>2</table>",
        "<table><tr><th>A<th>B<tr><td>1<td>3</table>",
        "  … 1 paragraph unchanged\n\n~ 1 | [-2-]{+3+}\n"
      ),
      ("<p>漢字仮名交じり文", "<p>漢字片名交じり文", "~ 漢字[-仮-]{+片+}名交じり文\n"),
      ("<p>x", "<p>x", "  … 1 paragraph unchanged\n"), ("", "", ""),
    ] as [(String, String, String)])
  func `changed words are marked`(_ old: String, _ new: String, _ expected: String) {
    #expect(text(old, new) == expected)
  }

  @Test func `similar paragraphs are compared, and others are shown separately`() {
    let old = "<p>Alpha beta gamma delta epsilon<p>Something that goes away altogether"
    let new = "<p>Wholly different words stand in front<p>Alpha beta gamma delta zeta"
    #expect(
      text(old, new) == """
        + {+Wholly different words stand in front+}

        ~ Alpha beta gamma delta [-epsilon-]{+zeta+}

        - [-Something that goes away altogether-]

        """)
  }

  @Test func `long lines are wrapped, and a mark may continue on the next line`() {
    let old = "<p>start end"
    let new = "<p>start one two three four five six seven end"
    #expect(
      text(old, new, width: 20) == """
        ~ start {+one two
          three four five
          six seven+} end

        """)
  }

  @Test func `colours are shown in addition to marks`() {
    var text = ""
    PageDifference(from: document("<p>a x b"), to: document("<p>a y b"))
      .writeText(width: 72, isColored: true) { text += $0 }
    #expect(text == "~ a \u{1B}[31m[-x-]\u{1B}[0m\u{1B}[32m{+y+}\u{1B}[0m b\n")
  }

  @Test(
    arguments: [
      ("<p>The quick fox", "<p>The slow fox", "The ~~quick~~**slow** fox\n"),
      ("<p>The end.", "<p>The end!", "The end<del>.</del><ins>!</ins>\n"),
      ("<p>a *b* c", "<p>a *d* c", "a \\*~~b~~**d**\\* c\n"),
      ("<p>same<p>gone", "<p>same", "*… 1 paragraph unchanged*\n\n~~gone~~\n"),
      ("", "<ul><li>new", "- **new**\n"),
    ] as [(String, String, String)])
  func `in Markdown deleted text is struck out and new text is bold`(
    _ old: String, _ new: String, _ expected: String
  ) {
    #expect(markdown(old, new) == expected)
  }

  @Test func `a page with a single long paragraph or many short ones is compared quickly`() {
    let tokens = (0..<200_000).map { "word\($0 % 5000)" }
    let changed = tokens.enumerated().map { $0 % 100 == 7 ? "other" : $1 }
    let difference = PageDifference(
      from: document("<p>" + tokens.joined(separator: " ")),
      to: document("<p>" + changed.joined(separator: " ")))
    #expect(difference.count == 1)
    let many = PageDifference(
      from: document((0..<20_000).map { "<p>x\($0 % 7) y" }.joined()),
      to: document((0..<20_000).map { "<p>x\($0 % 5) z" }.joined()))
    #expect(many.count > 0)
  }
}
