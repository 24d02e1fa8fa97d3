import Document
import ReaderMode
import Testing

/// Images in `object` and `embed` elements.
@Suite struct ObjectImageTests {
  private func document(_ html: String) -> Document {
    Document(bytes: Array("<p>a</p>\(html)<p>b</p>".utf8), mediaType: "text/html")
  }

  @Test(
    arguments: [
      ("<object data=chart.svg type=image/svg+xml></object>", "chart.svg"),
      ("<object data='/chart?id=1' type='Image/PNG' width=400 height=300></object>", "/chart?id=1"),
      ("<object data=chart.png></object>", "chart.png"), ("<embed src=chart.png>", "chart.png"),
      ("<p>x <object data=chart.png title=Chart>It cannot be shown.</object> y", "chart.png"),
      // The image in the fallback is shown instead.
      (
        "<object data=chart.svg type=image/svg+xml><img src=small.png alt=Chart></object>",
        "small.png"
      ),
    ] as [(String, String)])
  func `an image in an object is an image of the page`(_ html: String, _ source: String) {
    let document = document(html)
    #expect(document.problems == [])
    #expect(document.images.map(\.source) == [source])
    #expect(!document.links.contains { $0.kind == .media })
  }

  @Test(
    arguments: [
      ("<object data=b.pdf type=application/pdf></object>", "b.pdf"),
      ("<embed src=a.swf>", "a.swf"), ("<object data=clip type=video/mp4></object>", "clip"),
      ("<object data=part.png type=text/html></object>", "part.png"),
    ] as [(String, String)])
  func `objects that are not images are links`(_ html: String, _ target: String) {
    let document = document(html)
    #expect(document.images.isEmpty && document.links.map(\.target) == [target])
  }

  @Test(arguments: [
    "<object data='javascript:x()' type=image/png></object>",
    "<object data=dot.gif type=image/gif width=1 height=1></object>", "<object></object>",
  ])
  func `scripts and spacers in objects are left out`(_ html: String) {
    let document = document(html)
    #expect(document.images.isEmpty && document.links.isEmpty)
  }
}
