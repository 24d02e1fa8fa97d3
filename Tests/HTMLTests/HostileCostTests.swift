import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Pages that cost minutes if two long parts of them are combined, instead of seconds.
@Suite(.timeLimit(.minutes(1)))
struct HostileCostTests {
  @Test func `long selectors cost little`() {
    let name = String(repeating: "a", count: 200_000)
    #expect(text("\(name):target { display: block }", "<p>end") == "end")
    let classes = String(repeating: ".a", count: 100_000)
    let names = (0..<20_000).map { ".b\($0)" }.joined(separator: ",")
    let page = String(repeating: "<p class=a>x", count: 10_000)
    for selector in [classes, "p:not(\(names))"] {
      #expect(text("\(selector) { display: none }", page).hasSuffix("x\nx"))
    }
  }

  @Test func `many pseudo-elements with long declarations cost little`() {
    let selectors = Array(repeating: "i::before", count: 20_000).joined(separator: ",")
    let content = String(repeating: "x", count: 200_000)
    #expect(text("\(selectors) { content: '\(content)' }", "<p>end") == "end")
  }

  @Test func `a long separator between many counters costs little`() {
    let separator = String(repeating: "x", count: 100_000)
    let page =
      String(repeating: "<div>", count: 400) + String(repeating: "<p>a</p>", count: 2_000)
    let styleSheet =
      "div { counter-reset: a } p::before { content: counters(a, '\(separator)') ' ' }"
    #expect(text(styleSheet, page).hasPrefix("0xxx"))
  }

  @Test func `many blocks nested in a rule with many selectors cost little`() {
    let selectors = Array(repeating: ".a", count: 60_000).joined(separator: ",")
    let blocks = String(repeating: "@media all { color: red }", count: 20_000)
    #expect(text("\(selectors) { \(blocks) }", "<p>end") == "end")
  }

  @Test func `many names of a property without values cost little`() {
    let names = String(repeating: "font-family ", count: 20_000)
    #expect(text("p { \(names) }", "<p>end") == "end")
    #expect(read("<p style='\(names)'>end") == "end")
  }

  @Test func `many incomplete entity declarations cost little`() {
    let declarations = String(repeating: "<!ENTITY", count: 40_000)
    let page = "<!DOCTYPE html [\(declarations)]><html><body><p>end</p></body></html>"
    let document = Document(bytes: Array(page.utf8), mediaType: "application/xhtml+xml")
    #expect(document.content == "end")
  }

  @Test func `elements that many rules match cost little`() {
    let rules = (0..<8192).map { ".c\($0 % 64):not(#a\($0)) { display: block }" }.joined()
    let classes = (0..<64).map { "c\($0)" }.joined(separator: " ")
    let page = String(repeating: "<p class='\(classes)'>x", count: 40) + "<p>end"
    #expect(text(rules, page).hasSuffix("x\nend"))
  }

  @Test func `selectors that are compared with many siblings cost little`() {
    let rules = (0..<128).map { "p:nth-child(n+\($0 + 500) of .a) { display: none }" }.joined()
    #expect(text(rules, String(repeating: "<p class=a>x", count: 500)).hasSuffix("x\nx"))
    let nested = String(repeating: ":nth-child(n of ", count: 12)
    let closing = String(repeating: ")", count: 12)
    let page = String(repeating: "<p>x", count: 500)
    #expect(text("\(nested)p\(closing) { display: none }", page).hasSuffix("x\nx"))
  }

  @Test func `a long style around many lines of code costs little`() {
    let style = "white-space:pre" + String(repeating: ";a:b", count: 50_000)
    let lines = String(repeating: "<div>x</div>", count: 5_000)
    #expect(read("<div style='\(style)'>\(lines)</div><p>end").hasSuffix("end"))
  }

  @Test func `notes in each other cost little`() {
    let notes = String(repeating: "<span class=ltx_note_outer>", count: 200)
    #expect(read("<p>\(notes)deep").contains("deep"))
  }

  @Test func `a long class around many elements costs little`() {
    let name = "comment_" + String(repeating: "a", count: 400_000)
    let comments = String(repeating: "<div class=comment>text</div>", count: 5_000)
    #expect(read("<div class='\(name)'>\(comments)</div><p>end").hasSuffix("text\nend"))
  }

  @Test func `many images in a picture element with many sources cost little`() {
    let sources = String(repeating: "<source srcset=x.png>", count: 5_000)
    let images = String(repeating: "<img src=y.png alt=abc>", count: 5_000)
    #expect(read("<picture>\(sources)\(images)</picture><p>end").hasSuffix("end"))
  }

  @Test func `a long line without words before many icons costs little`() {
    let line = String(repeating: "-", count: 400_000)
    let icons = String(repeating: "<i class=fa title='foo bar'></i><br>", count: 10_000)
    let page = "<p>\(line)</p><div class=caption><b class=caption hidden>foo bar</b>\(icons)</div>"
    #expect(read(page + "<p>end").hasSuffix("end"))
  }

  @Test func `choices in each other cost little`() {
    let options = String(repeating: "<option><b>", count: 250)
    let content = String(repeating: "x", count: 1_000_000)
    #expect(read("<select>\(options)\(content)</select><p>end").hasSuffix("end"))
  }

  @Test func `a long article in data of a page with many comments costs little`() {
    let repeatedWord = Substring("more")
    let shownWords = (0..<40).map { Substring("word\($0)") }
    let comments = (0..<20_000).map { Array(repeating: repeatedWord, count: 7) + ["comment\($0)"] }
    let body = shownWords + Array(repeating: repeatedWord, count: 50_000)
    #expect(ArticleBody.isContinued(shownWords, in: body, commentWords: comments))
  }

  private func text(_ styleSheet: String, _ page: String) -> String {
    read("<style>\(styleSheet)</style>\(page)")
  }

  private func read(_ page: String) -> String {
    Document(bytes: Array(page.utf8), mediaType: "text/html").content
  }
}
