import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

@Suite struct ReadableTextTests {
  @Test(
    arguments: [
      ("", true), ("<title>T</title><p> <br>", true), ("<p>One", false),
      ("<img alt='A picture'>", true),
      ("<p>| · -", true), ("<script></script><p>Loading the page ...", true),
      ("<script></script><p>one two three four five", false), ("<script></script><p>你好世界人", false),
      (
        "<script></script><noscript>You need to enable JavaScript to run this app.</noscript>", true
      ),
      ("<script></script><div>You need to enable JavaScript to run this app.</div>", true),
      ("<div>You need to enable JavaScript to run this app.</div>", false),
      ("<script></script><p>You need a coffee to read this text of ten.", false),
      (
        "<script></script><p>JavaScript is a language in which programs of pages are written,"
          + " and this sentence about it is long enough to be read", false
      ),
      ("<script></script><p>a b<noscript>c d e f</noscript><p>g h i", false),
      ("<p><noscript>words</noscript>", false),
    ] as [(String, Bool)])
  func `a page without text is distinguished from a page with text`(
    page: String, isWithoutText: Bool
  ) {
    #expect(
      Document(bytes: Array(page.utf8), mediaType: "text/html").isWithoutText == isWithoutText)
  }
}
