import Document
import ReaderMode
import Testing

/// The links of image maps and of embedded players.
@Suite struct EmbeddedLinkTests {
  /// The links of the page that are shown, each as `label -> target`.
  private func links(_ html: String) -> [String] {
    let document = Document(bytes: Array("<p>a</p>\(html)".utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.runs.filter { $0.link >= 0 }.map { run in
      let label = String(
        decoding: document.text[Int(run.start)..<Int(run.end)], as: UTF8.self)
      return "\(label) -> \(document.links[Int(run.link)].target)"
    }
  }

  @Test(arguments: [
    ("<area href=three.html>", ["three.html -> three.html"]),
    ("<area href=/a/b/c.html alt=''>", ["c.html -> /a/b/c.html"]),
    ("<area href=/m?x=1>", ["/m?x=1 -> /m?x=1"]), ("<area href=/a title=A>", ["A -> /a"]),
    ("<area href=/a alt=A><area href=/a alt=''>", ["A -> /a"]),
    ("<area href='javascript:x()'>", []), ("<area nohref>", []), ("<area href=''>", []),
  ])
  func `parts of an image map without a label are named by their file`(
    areas: String, expected: [String]
  ) {
    #expect(links("<img src=m.png alt=Map usemap=#m><map name=m>\(areas)</map>") == expected)
  }
}
