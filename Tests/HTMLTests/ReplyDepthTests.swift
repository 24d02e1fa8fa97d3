import DOM
import ReaderMode
import Testing

@testable import Document

/// The depth of replies in discussions that show it by indentation.
@Suite struct ReplyDepthTests {
  /// The quote level around each of the given texts.
  private func levels(_ html: String, _ texts: [String]) -> [Int?] {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return texts.map { text in
      let leaf = document.blocks.indices.first { index in
        document.blocks[index].runs.contains { run in
          let range = document.runs[Int(run)]
          return String(decoding: document.text[Int(range.start)..<Int(range.end)], as: UTF8.self)
            .contains(text)
        }
      }
      return leaf.map { leaf in
        document.blocks.indices.count {
          document.blocks[$0].kind == .quote && $0 < leaf && leaf < document.blocks[$0].end
        }
      }
    }
  }

  private static let texts = ["first", "reply", "deep", "second"]

  private static func rows(_ cell: (Int) -> String) -> String {
    zip(texts, [0, 1, 2, 0]).map { text, level in
      "<tr>\(cell(level))<td><p><a href=/\(text)>name</a></p><p>\(text)</p></td></tr>"
    }.joined()
  }

  private static func items(_ tag: String, _ style: (Int) -> String) -> String {
    zip(texts, [0, 1, 2, 0]).map { text, level in
      "<\(tag) style='\(style(level))'><p><a href=/x>name</a></p><p>\(text)</p></\(tag)>"
    }.joined()
  }

  @Test(arguments: [
    "<table>" + rows { "<td><img src=s.gif width=\($0 * 40) height=1></td>" } + "</table>",
    "<table>" + rows { "<td width=\($0 * 25)></td>" } + "</table>",
    "<table><tbody>" + rows { "<td><div style='width: \($0)em'></div></td>" } + "</table>",
    "<div>" + items("div") { "margin-left: \($0 * 20)px" } + "</div>",
    "<div>" + items("article") { "color: red; padding-left: \(Double($0) * 1.5)em" } + "</div>",
    "<div>" + items("div") { "margin: 0 0 4px \($0 * 5)%" } + "</div>",
    "<div>" + items("div") { "padding-left: calc(\($0) * 1.5rem)" } + "</div>",
    """
    <a-comment depth=0><p>first</p><a-comment depth=1><p>reply</p><a-comment depth=2><p>deep</p>
    </a-comment></a-comment></a-comment><a-comment depth=0><p>second</p></a-comment>
    """,
    """
    <div class=comment>first<div class=comment>reply<div class=comment>deep</div></div></div>
    <div class=comment>second</div>
    """,
  ])
  func `a reply is one level deeper than its parent`(html: String) {
    #expect(levels(html, Self.texts) == [0, 1, 2, 0])
  }

  @Test(arguments: [
    // Rows that begin with an image.
    "<table>" + rows { "<td><img src=sun.png alt=Sun width=\($0 * 40) height=80></td>" }
      + "</table>",
    "<table>" + rows { "<td><img src=sun.png width=\($0 * 40)></td>" } + "</table>",
    "<table>" + rows { "<td><input size=3 style='width: \($0 * 4)em'></td>" } + "</table>",
    // Lines of a poem, an indented box, a step of two levels, and the same indentation everywhere.
    "<div><div>first</div><div style='margin-left:2em'>reply</div><div>deep</div></div>second",
    "<p>first</p><div style='margin-left: 20px'><p>reply</p></div><p>deep</p><p>second</p>",
    "<div>" + items("div") { "margin-left: \([0, 70, 10][$0])px" } + "</div>",
    "<div>" + items("div") { _ in "margin-left: 20px" } + "</div>",
    "<table>" + rows { _ in "<td width=40></td>" } + "</table>",
    // The parts of a page, and a menu.
    """
    <a-page data-level=0><a-grid data-level=1><p>first</p><p>reply</p></a-grid></a-page>
    <p>deep<p>second
    """,
    """
    <nav><a-item depth=0><a href=/1>first</a><a-item depth=1><p><a href=/2>reply</a></a-item>
    </a-item></nav><p>deep<p>second
    """,
  ])
  func `other indentation is not treated as a reply level`(html: String) {
    #expect(levels(html, Self.texts) == [0, 0, 0, 0])
  }

  @Test(
    arguments: [
      ([0, 1, 2, 4, 1, 0], [0, 1, 2, 3, 1, 0]), ([0, 1, 3, 1, 0], [0, 1, 2, 1, 0]),
      ([0, 1, 2, 3, 40], [0, 1, 2, 3, 4]), ([0, 3, 0, 3], [0, 1, 0, 1]),
      ([0, 2, 5, 1], [0, 0, 0, 0]),
    ] as [([Int], [Int])])
  func `a comment below a deleted one is one level deeper`(steps: [Int], expected: [Int]) {
    let texts = steps.indices.map { "comment \($0)" }
    for indent in [
      { (step: Int) in "<td><img src=s.gif width=\(step * 40) height=1></td>" },
      { (step: Int) in "<td width=\(step * 25)></td>" },
    ] {
      let rows = zip(steps, texts).map { step, text in
        "<tr>\(indent(step))<td><p><a href=/x>name</a></p><p>\(text)</p></td></tr>"
      }
      #expect(levels("<table>\(rows.joined())</table>", texts) == expected)
    }
  }

  @Test(arguments: [
    "<div class=comment><p>first</p></div><div class=comment style='margin-left: 20px'><p>reply</p></div>",
    "<table><tr><td width=0></td><td><p>first</p></td><tr><td width=40></td><td><p>reply</p></td></table>",
    "<div id=comments><div><a href=/a>a</a>first</div><div style='padding-left: 2em'><a href=/b>b</a>reply</div></div>",
    "<div class=post><p>first</p></div><div class=replies><div class=post><p>reply</p></div></div>",
    "<div class=comment><p>first</p><div class=children><div class=comment><p>reply</p></div></div></div>",
    "<div class=c><p>first</p><div class=c style='margin-left: 1em'><p>reply</p></div></div>",
    "<div class=post><p>first</p><div class='post reply'><p>reply</p></div></div>",
    "<div class='box comment'><p>first</p><div class='box comment last'><p>reply</p></div></div>",
    "<div class=comment-a1><p>first</p><div class=comment-a1><p>reply</p></div></div>",
    "<ul><li><div class=comment>first<div class=children><div class=comment>reply</div></div></div></ul>",
  ])
  func `a single reply to a single comment is one level deeper`(html: String) {
    #expect(levels(html, ["first", "reply"]) == [0, 1])
  }

  @Test(arguments: [
    "<div><a href=/>first</a></div><div style='margin-left: 200px'><a href=/x>reply</a></div>",
    "<div class=comment>first<ul class=children><li><div class=comment>reply</div></ul></div>",
    "<div class=menu>first</div><div class=children>reply</div>",
    "<div class=box><div class=comment>first<div class='box comment-body'>reply</div></div></div>",
    "<div class='box comment'><p>first</p><div class='box comment-body'>reply</div></div>",
    "<div class='ui'><div class=comment>first<div class='ui comment-text'>reply</div></div></div>",
  ])
  func `two boxes without signs of a discussion are not treated as replies`(html: String) {
    #expect(levels(html, ["first", "reply"]) == [0, 0])
  }

  private static func marked(_ tag: String, _ attributes: (Int) -> String) -> String {
    zip(texts, [0, 1, 2, 0]).map { text, level in
      "<\(tag) \(attributes(level))><p><a href=/x>name</a></p><p>\(text)</p></\(tag)>"
    }.joined()
  }

  @Test(arguments: [
    marked("div") { "class='comment depth-\($0)'" },
    "<h2>Comments</h2><div><a href=/new>Write</a></div>"
      + marked("div") { "class='comment-item comment-depth-\($0 + 1)'" },
    "<div id=comments>" + marked("article") { "class='post Level_\($0 + 1)'" } + "</div>",
    marked("div") { "class=comment data-depth=\($0) aria-level=\($0 + 1)" },
    marked("div") { "class=comment data-depth=\($0)" },
    marked("div") { "class=comment data-level=\($0)" },
    marked("div") { "class='comment comment-level--\($0 + 1)'" },
    marked("a-comment") { "class=comment depth=\($0)" },
    "<div class=thread>" + marked("div") { "role=treeitem aria-level=\($0 + 1)" } + "</div>",
    marked("div") { "class='reply indent\($0)' style='color:red'" },
    "<div class=comments>" + marked("div") { "class='post indent-\($0)'" } + "</div>",
  ])
  func `a class or attribute with the level of a comment counts`(html: String) {
    #expect(levels("<body>\(html)", Self.texts) == [0, 1, 2, 0])
  }

  @Test(arguments: [
    marked("div") { "class='card level-\($0)'" }, marked("section") { "aria-level=\($0 + 1)" },
    "<div id=comments>" + marked("div") { "role=heading aria-level=\($0 + 1)" } + "</div>",
    marked("div") { _ in "class='comment depth-2'" },
    marked("div") { "class='comment user-\($0)'" },
    marked("div") { "class='comment depth-\($0)00'" },
    marked("div") { "class='comment depth-\([7, 0, 5][$0])'" },
  ])
  func `other numbers in a class or attribute are not levels`(html: String) {
    #expect(levels("<body>\(html)", Self.texts) == [0, 0, 0, 0])
  }

  private static let margins = "<style>.d1{margin-left:20px}.d2{margin-left:2.5em}</style>"

  @Test(arguments: [
    marked("div") { "class=comment style='--depth: \($0)'" },
    "<div class=thread>" + marked("div") { "style='color: red; --reply-level:\($0)'" } + "</div>",
    margins + marked("div") { "class='comment d\($0)'" },
    margins + "<div id=comments>" + marked("article") { "class='post d\($0)'" } + "</div>",
    "<style>.comment{margin-left:20px}.d0{margin-left:0}.d2{margin-left:2.5em}</style>"
      + marked("div") { "class='comment d\($0)'" },
  ])
  func `a custom property or the margin of a style sheet gives the level`(html: String) {
    #expect(levels("<body>\(html)", Self.texts) == [0, 1, 2, 0])
  }

  @Test(arguments: [
    margins + marked("div") { "class='toc d\($0)'" },
    margins + "<div class=comment>"
      + marked("div") { "class='\(["author", "meta", "body"][$0]) d\($0)'" } + "</div>",
    margins + "<div class=comment>" + marked("p") { "class='line d\($0)'" } + "</div>",
    marked("div") { "class=card style='--depth: \($0)'" },
    marked("div") { "class=comment style='--depth: x\($0)'" },
    marked("div") { "class=comment style='--depth-color: \($0); depth: \($0)'" },
  ])
  func `margins of other elements and other properties are not levels`(html: String) {
    #expect(levels("<body>\(html)", Self.texts) == [0, 0, 0, 0])
  }

  @Test(arguments: ["data-depth=5 aria-level=3", "aria-level=3 data-depth=5"])
  func `only aria-level is the level of a heading`(attributes: String) {
    let html = "<div role=heading \(attributes)>Title</div><p>text"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let isHeading = document.blocks.contains { block in
      if case .heading(3) = block.kind { true } else { false }
    }
    #expect(isHeading)
  }

  @Test func `comments within comments are not indented twice by their classes`() {
    let html = """
      <div class='comment depth-1'><p>first</p><div class=children><div class='comment depth-2'><p>reply</p>
      <div class=children><div class='comment depth-3'><p>deep</p></div></div></div></div></div>
      <div class='comment depth-1'><p>second</p></div>
      """
    #expect(levels(html, Self.texts) == [0, 1, 2, 0])
  }

  @Test func `the depth of very deep replies is bounded`() {
    let rows = (0..<200).map { "<tr><td width=\($0 * 10)></td><td><p>text \($0)</p></td></tr>" }
    #expect(levels("<table>\(rows.joined())</table>", ["text 199"]) == [20])
    let nested = String(repeating: "<div class=reply>text", count: 500)
    #expect((levels(nested, ["text"])[0] ?? -1) >= 0)
  }
}
