import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The pseudo-class `:has()` and the style sheets of shadow trees.
@Suite struct RelativeSelectorTests {
  private static func text(_ style: String, _ body: String) -> String {
    let page = "<style>\(style)</style>\(body)<p>end</p>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
      .joined(separator: "|")
  }

  @Test(
    arguments: [
      (".a:has(.ad)", true), (".a:has(> .ad)", false), (".a:has(> p > .ad)", true),
      (".a:has(p .ad)", true), (".a:has(div .ad)", false), (".a:has(i, .ad)", true),
      (".a:has(i)", false), (".a:not(:has(i))", true), (".a:not(:has(.ad))", false),
      (".a:has(+ .next)", true), (".a:has(~ .last)", true), (".a:has(+ .last)", false),
      (".a:has(~ p .x)", true), (".x:has(.ad) p", false), ("div:has(.ad) p", true),
      (".a:has(:not(i))", true), (".a:is(:not(i))", true),
      // Selecting something would show the element.
      (".a:has(:not(:checked))", false), (".a:is(.x, :not(:checked))", false),
      (".a:has(p :not(:checked))", false), (".a:not(:has(:is(:checked)))", false),
      (".a:not(:is(:checked))", false),
      (":has(> .ad)", true), (".a:is(:has(.ad))", true), (".a:has(.ad:hover)", false),
      // The selector is not supported or invalid, so the element is shown.
      (".a:has(:first-child)", false), (".a:not(:has(script))", false), (".a:has()", false),
      (".a:has(:has(.ad))", false), (".a:not(:has(:nth-child(9)))", false), (".a:has(.ad", false),
      (".a:has(> > .ad)", false), (".a:has(body .ad)", false), (".a:not(:has(:checked))", false),
      (".a:has(.inert)", false), (".ad:has(+ .next)", false),
    ] as [(String, Bool)])
  func `a rule hides elements by what is in or after them`(selector: String, hides: Bool) {
    let text = Self.text(
      "\(selector) { display: none }",
      "<div class=a><p>one <b class=ad>two</b><template><i class=inert></i></template></p></div>"
        + "<section class=next>x</section><section class=last>y</section><p><u class=x>z</u></p>")
    #expect(text == (hides ? "x|y|z|end" : "one two|x|y|z|end"))
  }

  @Test(
    arguments: [
      (".f:has(:checked) .p", true), (".f:has(i, :checked) .p", true), (":checked ~ .p", true),
      (".f:has(.x) .p", false), (".g:has(:checked) .p", false),
    ] as [(String, Bool)])
  func `a rule for a selected control inside the element shows it`(selector: String, shows: Bool) {
    let text = Self.text(
      ".p { display: none } \(selector) { display: block }",
      "<div class=f><input type=checkbox><div class=p>panel</div></div>")
    #expect(text.contains("panel") == shows)
  }

  @Test func `the cost does not depend on the length and number of the arguments`() {
    let count = Effort.rounds(20_000, part: 4_000)
    let pages = String(repeating: "<p>a", count: count)
    let long = String(repeating: "x", count: 400_000)
    #expect(Self.text("p:has([title='\(long)']) { display: none }", pages).hasSuffix("a|end"))
    let names = (0..<48).map { ".x\($0)" }.joined(separator: ",")
    let rules = (0..<64).map { "p:has(\(names)):not(.y\($0)) { display: none }" }.joined()
    #expect(Self.text(rules, "<p>b <i class=x47>c</i>" + pages).hasPrefix("a|a"))
  }

  @Test func `the number of different arguments is limited`() {
    let rules = (1...200).map { count in
      ".a:has(\(Array(repeating: ".c", count: count).joined(separator: ","))) { display: none }"
    }
    #expect(Self.text(rules[0...9].joined(), "<div class=a><i class=c>x</i></div>") == "end")
    #expect(Self.text(rules[199], "<div class=a><i class=c>x</i></div>") == "x|end")
  }

  @Test func `a style sheet has a limited number of relative selectors`() {
    let rules = (0..<200).map { ".a:has(.c\($0)), .a:not(:has(.d\($0))) { display: none }" }
    #expect(Self.text(rules.joined(), "<div class=b><p class=c1>x</p></div>") == "x|end")
    let deep = String(repeating: "<div class=a><i></i>", count: 20_000)
    #expect(Self.text(".a:has(.b), .a:has(~ .b) { display: none }", deep + "text") == "text|end")
    let beside = String(repeating: "<i class=a></i>x<!-- -->y", count: 20_000)
    #expect(Self.text(".a:has(~ .b), .a:has(+ .b) { display: none }", beside).hasSuffix("|end"))
  }

  @Test(
    arguments: [
      ("<style>.tip{visibility:hidden}</style><p>Term<i class=tip>tip</i>", "Term|tip|end"),
      ("<style>.x{display:none}</style><p class=x>hidden</p><slot></slot>", "light|tip|end"),
      ("<style>.o{display:none}</style><p>In", "In|tip|end"),
      ("<p class=o>In", "In|tip|end"),
      (
        "<x-b><template shadowrootmode=open><style>.x{display:none}</style><p class=x>y<p>z"
          + "</template></x-b><p class=x>In", "z|In|tip|end"
      ),
      ("<style>.tip:not(:has(b)){display:none}</style><p class=tip>In", "In|tip|end"),
      (
        "<style>:host{display:none} ::slotted(p){display:none}</style><slot></slot>",
        "light|tip|end"
      ),
    ] as [(String, String)])
  func `a style sheet in a shadow tree applies to its elements only`(
    _ shadow: String, _ expected: String
  ) {
    let text = Self.text(
      ".o { display: none }",
      "<x-a><template shadowrootmode=open>\(shadow)</template><p class=x>light</p></x-a><p class=tip>tip"
    )
    #expect(text == expected)
  }

  @Test func `many shadow trees have bounded cost`() {
    let tree =
      "<template shadowrootmode=open><style>.x{display:none}</style><p class=x>x</p><slot></slot>"
    let many = String(repeating: "<x-a>\(tree)</template>y</x-a> ", count: 3_000)
    #expect(!Self.text("", many).contains("x"))
    let nested = String(repeating: "<x-a>\(tree)", count: 400)
    _ = Self.text("", nested)
  }
}
