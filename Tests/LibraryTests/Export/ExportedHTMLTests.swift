import Document
import Exchange
import Feeds
import Formats
import Foundation
import OfflineCache
import ReaderMode
import Testing

/// Pages exported as HTML.
@Suite struct ExportedHTMLTests {
  private static func document(_ html: String) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html", url: "https://a.test/1")
  }

  private static func html(_ document: Document, hasIDs: Bool = true, _ origin: PageSource? = nil)
    -> String
  {
    var targets = ExportTargets(linkURL: { _ in nil }, imageURL: { _ in "x.png" })
    if hasIDs { targets.idTargets = FragmentIDs(document).targets }
    return String(decoding: document.semanticHTML(targets, origin: origin), as: UTF8.self)
  }

  @Test(arguments: [
    "<p id=a>x <b>y <a name=b></a>z</b> w", "<p>one <a name=a></a>two<p id=b>three",
    "<pre>1\n<a name=a></a>2\n<span id=b>3</span></pre>", "<ul><li id=a>x<li><p id=b>y</ul>",
    "<table><tr><td id=a>1<td>2<tr id=b><td>3</table>",
    "<p>x<p id=a><img src=i.png alt=A><p id=b>y",
    "<p>a <bdi id=a>b <i id=b>c</i></bdi> d",
    "<details id=a><summary>s</summary><p id=b>t</details>",
    "<p id=a>x<p id=b>",
  ])
  func `IDs are written where the anchors of the page are`(_ html: String) {
    let document = Self.document(html)
    let output = Self.html(document)
    let again = Self.document(output)
    #expect(again.anchors.map(\.name) == ["a", "b"], "\(output)")
    func text(_ document: Document, before anchor: Document.Anchor?) -> [UInt8] {
      document.text[..<Int(anchor?.offset ?? 0)].filter { $0 > 0x20 }
    }
    for (old, new) in zip(document.anchors, again.anchors) {
      #expect(text(document, before: old) == text(again, before: new), "\(old.name): \(output)")
    }
    // Without link targets, nothing changes.
    #expect(!Self.html(document, hasIDs: false).contains(" id="))
  }

  @Test func `fragments lead to IDs, with percent-encoding, prefixes and text directives`() {
    let page = "<p id=a>x<p id='b c'>y<p id=user-content-d>z<p id=a>twice<p id='%41'>v"
    let ids = FragmentIDs(Self.document(page))
    #expect(ids.targets.map(\.id) == ["a", "b_20c", "user-content-d", "_2541"])
    for (fragment, id) in [
      ("a", "a"), ("a:~:text=x", "a"), ("b%20c", "b_20c"), ("d", "user-content-d"),
      ("%41", "_2541"), ("%41:~:text=x", "_2541"), ("none", nil), ("", nil), (":~:text=x", nil),
    ] as [(String, String?)] {
      #expect(ids.id(of: fragment) == id, "\(fragment)")
    }
  }

  @Test func `required names get an ID once, at their anchor or at the beginning`() {
    var ids = FragmentIDs(Self.document("<p id=a>x<p id=user-content-d>z"))
    ids.addIDs(["a", "d", "none", "none", ""])
    #expect(ids.targets.map(\.id) == ["none", "a", "d", "user-content-d"])
    #expect(ids.targets.map(\.offset)[2] == ids.targets.map(\.offset)[3])
    #expect(ids.id(of: "none") == "none" && ids.id(of: "d") == "d")
  }

  @Test(.timeLimit(.minutes(1))) func `very many required names take linear time`() {
    let count = 50_000
    let anchors = (0..<count).map { "<a name=a\($0)></a>" }.joined()
    var ids = FragmentIDs(Self.document("<p>\(anchors)x"))
    let known = ids.targets.count
    ids.addIDs((0..<count).map { "n\($0)" })
    #expect(ids.targets.count == known + count && ids.id(of: "n\(count - 1)") != nil)
  }

  @Test(
    arguments: [
      ("https://b.test/x", "2020-11-21T10:15:00Z", 1_605_953_700),
      ("https://b.test/x?a=-->&b=--!>", "2020-11-21T10:15:00Z", 1_605_953_700),
      ("https://b.test/x", nil, nil),
    ] as [(String, String?, Double?)])
  func `the origin is named so that import finds it`(
    _ url: String, _ date: String?, _ seconds: Double?
  ) throws {
    let document = Self.document("<title>T</title><p>words")
    let output = Self.html(document, PageSource(url: url, date: date))
    let page = try #require(SavedPage(Array(output.utf8)), "\(output)")
    #expect(
      page.url == WebURL(url.replacing(">", with: "%3E"))
        && page.date == seconds.map(Date.init(timeIntervalSince1970:)))
    let again = Self.document(output)
    #expect(again.title == "T" && again.text == document.text)
    #expect(again.canonicalURL == url)
    #expect(SavedPage(Array(Self.html(document).utf8)) == nil)
  }
}
