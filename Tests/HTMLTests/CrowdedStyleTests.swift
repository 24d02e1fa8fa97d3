import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Style sheets with more rules for one name than are matched.
@Suite struct CrowdedStyleTests {
  private static func text(_ style: String, _ body: String) -> String {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
      .joined(separator: "|")
  }

  @Test(arguments: [
    "margin-left: 4px", "padding-left: 4px", "position: absolute", "position: relative", "order: 1",
    "flex-direction: column", "direction: rtl", "text-indent: 1em",
  ])
  func `rules about placement alone do not displace rules that hide elements`(_ style: String) {
    let others = (0..<130).map { ".x\($0) span { \(style) }" }.joined()
    let body = "<p class=a>one <span>hidden</span> two"
    #expect(Self.text(".a span { display: none } \(others)", body) == "one two")
    let same = String(repeating: ".a span { \(style) }", count: 130)
    #expect(Self.text(".a span { display: none } \(same)", body) == "one two")
    #expect(Self.text(others, body) == "one hidden two")
  }

  @Test func `the order of elements is that of the page if a rule for it was left out`() {
    let body = "<div class='f g'><div>a</div><div class=b>b</div><div>c</div></div>"
    let rules = ".f { display: flex } .f .b { order: -1 }"
    let others = (0..<70).map { ".x\($0) .b { margin-left: 4px }" }.joined()
    #expect(Self.text(rules, body) == "b|a|c")
    #expect(Self.text(rules + others, body) == "b|a|c")
    #expect(Self.text(rules + others + ".g .b { order: 0 }", body) == "a|b|c")
  }
}
