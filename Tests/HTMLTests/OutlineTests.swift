import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Outlines and lists of feeds in OPML.
@Suite struct OutlineTests {
  private static func document(_ text: String, type: String = "text/plain") -> Document {
    Document(bytes: Array(text.utf8), mediaType: type, url: "https://a.test/list.opml")
  }

  @Test(arguments: ["text/plain", "text/x-opml", "application/xml"])
  func `an outline is a nested list with links`(_ type: String) {
    let document = Self.document(
      """
      <?xml version="1.0"?><!-- A list --><opml version="2.0"><head><title>My feeds</title></head>
      <body><outline text="News"><outline type="rss" text="Tides &amp;amp; more"
      xmlUrl="https://b.test/feed" htmlUrl="https://b.test/"/><outline title="Boats"
      xmlUrl="https://c.test/feed"></outline></outline>
      <outline text="Buy &lt; 3 ropes" _complete="true" _note="Not&#10;too long: https://d.test/"/>
      <outline text="See &lt;a href=&quot;/x&quot;&gt;this&lt;/a&gt;"/></body></opml>
      """, type: type)
    #expect(document.problems == [] && document.title == "My feeds")
    #expect(
      document.links.map(\.target) == [
        "https://b.test/", "https://b.test/feed", "https://c.test/feed", "https://d.test/", "/x",
      ])
    let text = String(decoding: document.plainText, as: UTF8.self)
    for part in [
      "News\n", "Tides & more (feed)\n", "Boats\n", "☑ Buy < 3 ropes\n",
      "too long: https://d.test/\n", "See this\n",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(!text.contains("outline"))
  }

  @Test func `entries of a group without a text are not below the entry above it`() {
    let document = Self.document(
      """
      <opml><body><outline text="A"><outline text="A1"/></outline>
      <outline text=" "><outline text="B1"/><outline text="B2"/></outline></body></opml>
      """)
    var other = Self.document(
      """
      <opml><body><outline text="A"><outline text="A1"/></outline>
      <outline text="B1"/><outline text="B2"/></body></opml>
      """)
    #expect(document.dump() == other.dump())
    other = Self.document("<opml><body><outline><outline/></outline></body></opml>")
    #expect(String(decoding: other.plainText, as: UTF8.self).contains("<outline"))
  }

  @Test func `entries without end tags are shown up to any depth`() {
    let entries = (0..<100).map { "<outline text='entry \($0)'>" }.joined()
    let document = Self.document("<opml><body>\(entries)")
    #expect(document.problems == [])
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect((0..<100).allSatisfy { text.contains("entry \($0)\n") })
  }

  @Test(arguments: [
    "<opml><body></body></opml>", "<list><!-- <opml --><outline text='a'/></list>",
  ])
  func `other XML is shown as such`(_ text: String) {
    let shown = String(decoding: Self.document(text).plainText, as: UTF8.self)
    #expect(shown.contains("<body") || shown.contains("<outline"))
  }
}
