import Document
import ReaderMode
import Testing

/// Pages with too many elements for reader view.
@Suite struct LargePageTests {
  private static let note = "this page is too large for reader view; this is the whole page"

  private static func document(paragraphs: Int, maxElements: Int?) -> Document {
    var options = ReaderOptions()
    if let maxElements { options.maxElements = maxElements }
    let page =
      "<title>A page</title><nav><a href=/a>A link</a></nav>"
      + String(repeating: "<p>a", count: paragraphs)
    return Document(bytes: Array(page.utf8), mediaType: "text/html", view: .reader(options))
  }

  @Test func `a page with too many elements is shown whole, with a note`() throws {
    let document = Self.document(paragraphs: 100, maxElements: 50)
    let facts = try #require(document.readerFacts)
    #expect(facts.contentSource == .tooLargePage && facts.contentSource.isWholePage)
    #expect(facts.notice == Self.note)
    #expect(facts.metadata.title == "A page")
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.contains("A link"))
    #expect(text.split(separator: "\n").count { $0 == "a" } == 100)
  }

  @Test func `only elements count towards the limit, text does not`() throws {
    for (count, isTooLarge) in [(90, false), (110, true)] {
      let document = Self.document(paragraphs: count, maxElements: 101)
      #expect((document.readerFacts?.contentSource == .tooLargePage) == isTooLarge)
    }
  }

  @Test func `a megabyte of the smallest elements is too large`() {
    #expect(Self.document(paragraphs: 250_000, maxElements: nil).readerFacts?.notice == Self.note)
  }
}
