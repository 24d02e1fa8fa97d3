import Document
import Formats
import ReaderMode
import Testing

@testable import Pages

/// Pages whose text would only be shown by scripts.
struct HiddenTextTests {
  private static let text = (1...120).map { "Word \($0) of a long story." }.joined(separator: " ")

  private static func page(_ html: String, view: PageViewMode = .page) throws -> Page {
    let content = try PageContent(
      Array(html.utf8), type: MediaType("text/html; charset=utf-8"), limit: 1 << 20)
    var page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/", document: Document(),
      provenance: Provenance(source: .network), view: view, content: content)
    page.document = content.document(url: page.url.text, view: view)
    page.findHiddenText()
    return page
  }

  @Test func `text in embedded data is found, but only if the page is read completely`()
    throws
  {
    let html =
      "<title>Story</title><script type=application/ld+json>"
      + "{\"@type\":\"NewsArticle\",\"headline\":\"Story\",\"articleBody\":\"\(Self.text)\"}"
      + "</script><div id=root></div><form>Log in <input></form>"
    #expect(try Self.page(html).hidesText)
    #expect(try !Self.page(html, view: .reader(ReaderOptions())).hidesText)
  }

  private static let description =
    "<meta name=description content='We mended the gate today, and then it rained.'>"

  @Test(arguments: [
    "\(description)<script>1</script><div id=app></div>", "\(description)<div id=app></div>",
    "\(description)<script>1</script><noscript>Please turn on JavaScript to read.</noscript>",
  ])
  func `the description of a page without text is hidden text`(_ html: String) throws {
    #expect(try Self.page(html).hidesText)
  }

  @Test(arguments: [
    "\(description)<h1>Gate</h1><p>Tickets at the gate.",
    "\(description)<script>1</script><p>Tickets are sold at the gate.",
    "<title>Short</title><h1>Short</h1><p>A few words, and that is all of them.", "",
    "<title>Long</title><main><h1>Long</h1><p>\(text)</main>", "<form>Log in <input></form>",
  ])
  func `a page that shows its text has no hidden text`(_ html: String) throws {
    #expect(try !Self.page(html).hidesText)
  }
}
