import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Pages for which the server streams parts after their placeholders.
@Suite struct StreamedPartsTests {
  /// The lines of text of a page.
  private static func lines(_ page: String) -> [String] {
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems.isEmpty)
    return document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
  }

  private static func part(_ id: String, _ content: String) -> String {
    "<div hidden id=\"\(id)\">\(content)</div>"
  }

  @Test(
    arguments: [
      // The script call names the placeholder, whatever the numbers are.
      (
        "<p>a</p><!--$?--><template id=B:0></template><p>wait</p><!--/$--><p>z</p>"
          + part("S:1", "<p>late") + "<script>$RC(\"B:0\",\"S:1\")</script>", ["a", "late", "z"]
      ),
      // With other quotes, white space, style sheets and a prefix.
      (
        "<p>a</p><!--$?--><template id=app-B:a></template>wait<!--/$--><p>z</p>"
          + part("app-S:3", "<p>late</p>")
          + "<script>x=1;$RR( 'app-B:a' , 'app-S:3',[['/a.css','x']])</script>",
        ["a", "late", "z"]
      ),
      // Without the script call, a part matches the placeholder with the same number. Without the
      // comments, the fallback content is kept.
      (
        "<p>a</p><template id=B:0></template><p>wait</p>" + part("S:0", "<p>late</p>"),
        ["a", "late", "wait"]
      ),
      // Nested in both directions, and a call that precedes its part.
      (
        "<!--$?--><template id=B:0></template><!--$?--><template id=B:9></template>w<!--/$-->"
          + "<!--$-->x<!--/$-->w<!--/$-->"
          + part("S:2", "<p>c<template id=P:1></template></p><p>e</p>") + part("S:1", "d")
          + part(
            "S:0", "<p>a</p><p>b</p><!--$?--><template id=B:1></template>wait<!--/$--><p>f</p>")
          + "<script>$RS(\"S:1\",\"P:1\");$RC(\"B:1\",\"S:2\")</script>"
          + "<script>$RC(\"B:0\",\"S:0\")</script>",
        ["a", "b", "cd", "e", "f"]
      ),
      // Table rows are sent in a table of their own.
      (
        "<table><tr><td>a<template id=P:0></template></table>"
          + "<table hidden><tbody id=S:0><tr><td>b</table>",
        ["a", "b"]
      ),
      // An empty part, or one of a truncated page, leaves the fallback content.
      (
        "<!--$?--><template id=B:0></template><p>wait</p><!--/$-->" + part("S:0", ""), ["wait"]
      ),
      ("<!--$?--><template id=B:0></template><p>wait</p><!--/$--><script>$RC(\"B:0\",", ["wait"]),
      // The first of two parts with the same name is used, and a part is inserted only once.
      (
        "<p>a<template id=B:0></template><p>b<template id=B:0></template><template id=B:1></template>"
          + part("S:0", "<p>late") + part("S:0", "<p>other")
          + "<script>$RC(\"B:0\",\"S:0\");$RC(\"B:1\",\"S:0\")</script>", ["a", "late", "b"]
      ),
    ] as [(String, [String])])
  func `streamed parts are inserted at their placeholders`(page: String, lines: [String]) {
    #expect(Self.lines(page) == lines)
  }

  @Test(arguments: [
    // A part within itself, directly and through another part.
    part("S:0", "<p>lost<template id=B:0></template></p>") + "<p>a",
    part("S:0", "<p>lost<template id=B:1></template>")
      + part("S:1", "<p>lost<template id=B:0></template>") + "<p>a",
    // A part that leads to such a cycle.
    part("S:0", "x<template id=B:0></template><template id=B:1></template>") + part("S:1", "y")
      + "<p>a",
    // Unrelated ids.
    part("S:0", "x") + "<template id=B:00000000000></template><template id=:0></template><p>a",
    part("S:x", "x") + "<template id=B:x></template><p>a",
    part("S:0", "x") + "<div id=B:0></div><p>a", "<template id=S:0></template><p>a",
  ])
  func `a part without a placeholder outside itself stays hidden`(page: String) {
    #expect(Self.lines(page) == ["a"])
  }

  @Test func `a part nested in the part that contains its placeholder is inserted`() {
    let page =
      "<template id=B:0></template>"
      + Self.part("S:0", "<p>a</p><template id=B:1></template>" + Self.part("S:1", "<p>b</p>"))
    #expect(Self.lines(page) == ["a", "b"])
  }

  @Test func `a part is not inserted into itself if the part between has no placeholder`() {
    let page =
      "<p>a</p><div><!--$?--><template id=B:0></template><template id=P:1></template><!--/$--></div>"
      + Self.part("S:0", "<p>b</p>")
      + Self.part("S:2", "<p>c</p>" + Self.part("S:1", "<template id=B:2></template><p>d</p>"))
    let tree = DOMParser.parse(Array(page.utf8))
    for node in tree.nodes.indices {
      var next = tree.nodes[node].parent
      for _ in tree.nodes.indices {
        guard let ancestor = next else { break }
        next = tree.nodes[Int(ancestor)].parent
      }
      #expect(next == nil)
    }
    #expect(Self.lines(page) == ["a", "b"])
  }

  @Test func `the depth of the tree is limited as for other pages`() {
    let count = 40
    var page = "<template id=B:0></template>"
    for index in 0..<count {
      let inner = String(repeating: "<div>", count: 100)
      let outer = String(repeating: "</div>", count: 100)
      page += Self.part(
        "S:\(String(index, radix: 16))",
        inner + "<p>\(index)</p><template id=B:\(String(index + 1, radix: 16))></template>" + outer)
    }
    let tree = DOMParser.parse(Array(page.utf8))
    var deepest = 0
    var next: Int32? = 0
    while let node = next {
      var (depth, above) = (0, tree.nodes[Int(node)].parent)
      while let node = above { (depth, above) = (depth + 1, tree.nodes[Int(node)].parent) }
      deepest = max(deepest, depth)
      next = tree.nodeAfter(node, in: 0)
    }
    #expect(deepest <= TreeBuilder.maxDepth + 1)
    #expect(Self.lines(page) == ["0", "1", "2", "3", "4"])
  }

  @Test func `the cost of many parts is proportional to their number of nodes`() {
    // Each in the previous one, as its direct child, with boundaries that never end.
    let count = 3000
    var page = "<div><!--$?--><template id=B:0></template>"
    for index in 0..<count {
      page += Self.part(
        "S:\(String(index, radix: 16))",
        "<i>x</i> <!--$?--><template id=B:\(String(index + 1, radix: 16))></template>")
    }
    let tree = DOMParser.parse(Array(page.utf8))
    #expect(tree.nodes.count < 10 * count)
    let text = Self.lines(page).joined().count { $0 == "x" }
    #expect(text == count)
  }

  @Test func `reader mode includes streamed parts`() {
    let words = (1...30).map { "This is sentence \($0) of a story that came late." }
    let page =
      "<h1>Story</h1><!--$?--><template id=B:0></template><p>Loading<!--/$-->"
      + Self.part("S:0", "<article>" + words.map { "<p>\($0) \($0)</p>" }.joined() + "</article>")
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let text = String(decoding: document.text, as: UTF8.self)
    #expect(document.readerFacts?.contentSource == .visiblePage)
    #expect(words.allSatisfy(text.contains))
    #expect(!text.contains("Loading"))
  }

  @Test func `malformed script calls are ignored`() {
    let calls = [
      "$RC(", "$RC(\"", "$RC(\"B:0\"", "$RC(\"B:0\",", "$RC(\"B:0\",\"S:0", "$", "$R", "$RC",
    ]
    for call in calls {
      let page =
        "<p>a<template id=B:0></template><script>\(call)</script>" + Self.part("S:1", "<p>lost")
      #expect(Self.lines(page) == ["a"], "\(call)")
    }
  }
}
