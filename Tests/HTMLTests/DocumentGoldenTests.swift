import ReaderMode
import Document
import TestSupport
import Testing

struct DocumentGoldenTests {
  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `a page becomes the expected document`(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html")
    let difference = try golden.difference(from: document.dump())
    #expect(difference == nil, "\(difference ?? "")")
    #expect(document.problems == [])
  }

  @Test func `links in a part that a style sheet hides are links of the page`() {
    let html = """
      <style>.menu{display:none}</style><div class=menu><a href=/in-menu>In the menu</a>
      <p hidden><a href=/never>Never</a></p><p style="display:none"><a href=/nor>Nor this</a></p>
      <a href="javascript:x()">Script</a></div><p><a href=/shown>Shown</a></p>
      """
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.links.map(\.target) == ["/in-menu", "/shown"])
    #expect(document.plainText == Array("Shown\n".utf8))
  }
}
