import Document
import Formats
import ReaderMode
import Testing

@testable import Pages

/// Responses that have nothing to show.
struct EmptyPageTests {
  private static func page(_ html: String, status: Int) throws -> Page {
    let content = try PageContent(
      Array(html.utf8), type: MediaType("text/html; charset=utf-8"), limit: 1 << 20)
    let url = "https://a.test/"
    return Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: content.document(url: url, view: .page),
      provenance: Provenance(source: .network), status: status, content: content)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect without a target is an error unless it has text`(_ status: Int) throws {
    let empty = try Self.page("<title>Moved</title>", status: status)
    #expect(empty.isError && empty.emptinessText == nil)
    #expect(empty.errorStatus == "\(status), a redirect without a target")
    let page = try Self.page("<p>Your order has been received.", status: status)
    #expect(!page.isError && page.errorStatus == nil && page.emptinessText == nil)
  }

  private static let cases: [(html: String, status: Int, message: String?)] = [
    ("", 200, "the page is empty"), ("<title>Only a title</title>", 202, "the page is empty"),
    ("", 204, "the server sent no page (204 No Content)"), ("", 404, nil), ("<p>Text", 200, nil),
    ("<img src=/a.png alt='A map'>", 200, nil), ("<script src=/a.js></script>", 200, nil),
  ]

  @Test(arguments: cases)
  func `a page without anything to show has a message`(
    _ html: String, _ status: Int, _ message: String?
  ) throws {
    #expect(try Self.page(html, status: status).emptinessText == message)
  }
}
