import ReaderMode
import Testing

@testable import Document

/// Values of `display` that are custom properties (CSS Variables).
@Suite struct DisplayVariableTests {
  private static func lines(_ style: String, _ body: String, root: String = "") -> [String] {
    let page = "<html \(root)><style>\(style) .x { display: var(--a) }</style><body>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
  }

  private static let text = "<p class=x>one</p><p>two</p>"

  @Test(
    arguments: [
      (":root { --a: none }", false), ("html{--a:none}", false), ("body { --a : none; }", false),
      (":root { --a: block }", true), ("", true), (":root { --b: none }", true),
      (":root { --a: none } body { --a: block }", true),
      (":root { --a: none; --a: flex }", true), (":root { --A: none }", true),
      (":root { --a: block } .x { --a: none }", false),
      (":root { --a: none } @media (min-width: 600px) { :root { --a: block } }", true),
      ("@media (min-width: 600px) { :root { --a: none } }", true),
      (".x { display: var( --c , none) !important }", false),
      (".x { display: var(--c, block) !important }", true),
      (":root { --a: none } .x { display: grid !important }", true),
      (":root { --b: none } .x { display: inline !important; display: var(--b) }", true),
      // Rules that may apply although they match nothing.
      (":root { --a: none } p:unknown(b) { --a: block }", true),
      (":root { --a: none } input:checked ~ .x { --a: block }", true),
      (":root { --a: none } .x.open { --a: block }", true),
      (":root { --a: none } .y:hover { --a: block }", false),
      ("p:not(:target) { --a: none }", true),
    ] as [(String, Bool)])
  func `a custom property hides elements`(_ style: String, _ isShown: Bool) {
    #expect(Self.lines(style, Self.text) == (isShown ? ["one", "two"] : ["two"]))
  }

  @Test func `a reference to one of very many custom properties shows elements`() {
    let rules = (1...100).map { ".y\($0) { display: var(--y\($0)) }" }.joined()
    let style = rules + ".x { display: var(--z, none) !important } :root { --z: block }"
    #expect(Self.lines(style, Self.text) == ["one", "two"])
  }

  @Test func `the attributes of the page choose the value`() {
    let style = ":root { --a: none } [data-theme=dark] { --a: block }"
    #expect(Self.lines(style, Self.text) == ["two"])
    #expect(Self.lines(style, Self.text, root: "data-theme=dark") == ["one", "two"])
    #expect(Self.lines("", Self.text, root: "style='--a: none'") == ["two"])
  }

  @Test func `the value is that of the innermost element that declares it`() {
    let style = ".c { --a: none } .c.new { --a: block }"
    let parts =
      "<div class=c><p class=x>one</p></div><div class='c new'><div><p class=x>two</p></div></div>"
      + "<p class=x>three</p>"
    #expect(Self.lines(style, parts) == ["two", "three"])
    let attributes =
      "<div style='--a: none'><p class=x>one</p><p class=x style='--a: block'>two</p></div>"
      + "<p class=x>three</p>"
    #expect(Self.lines("", attributes) == ["two", "three"])
  }

  @Test func `a custom property makes elements blocks`() {
    let spans = "<div><span class=x>one</span><span class=x>two</span></div>"
    #expect(Self.lines(":root { --a: block }", spans) == ["one", "two"])
    #expect(Self.lines(":root { --a: inline }", spans).count == 1)
  }
}
