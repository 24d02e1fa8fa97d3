@testable import LocalDocuments
import Saving
import Document
import Exchange
import Formats
import OfflineCache
import ReaderMode
import TestSupport
import Testing
import WARC

@testable import Pages

@Suite struct PageContentTests {
  private func read(
    _ bytes: [UInt8], as type: String? = "text/html", limit: Int64 = 1 << 20
  ) -> Result<PageContent, PageContent.Problem> {
    Result { () throws(PageContent.Problem) in
      try PageContent(bytes, type: MediaType(type), limit: limit)
    }
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate(bytes) { packed += $0 }
    deflater.finish { packed += $0 }
    return packed
  }

  private let page = Array("<!DOCTYPE html><p>Hello".utf8)

  @Test(arguments: ["text/html", "application/gzip", "application/x-gzip", nil])
  func `content that was compressed twice is decompressed, whatever its type`(_ type: String?)
    throws
  {
    let content = try read(Self.gzip(page), as: type).get()
    #expect(content.bytes == page && content.mediaType == "text/html")
    #expect(try read(Self.gzip(Self.gzip(page)), as: type).get().bytes == page)
  }

  @Test(arguments: ["text/html", "application/zstd", nil])
  func `content that was compressed with Zstandard is decompressed`(_ type: String?) throws {
    // A frame with a checksum.
    let packed: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0xB9, 0x00, 0x00] + page + [0xF8, 0x6D, 0x14, 0xE6]
    let content = try read(packed, as: type).get()
    #expect(content.bytes == page && content.mediaType == "text/html" && !content.isTruncated)
    #expect(try read(packed + packed, as: type).get().bytes == page + page)
    #expect(try read(Self.gzip(packed), as: type).get().bytes == page)
    #expect(try read(Array(packed.dropLast(2)), as: type).get().isTruncated)
    #expect(read(packed, as: type, limit: 10) == .failure(.tooLarge))
    #expect(
      read(Array(packed.prefix(6)), as: type)
        == .failure(.notText(mediaType: "application/zstd")))
  }

  @Test(
    arguments: [
      ("<script>window.location='/new'</script>", "/new"),
      ("<SCRIPT>location.href = \"https://b.test/?a=1&b\";</SCRIPT>", "https://b.test/?a=1&b"),
      ("<p>Redirecting…<script>top.location.replace( 'new' )</script>", "new"),
      ("<script>x(); location.assign(\"https:\\/\\/b.test\\/\")</script>", "https://b.test/"),
      ("<script><!--\n/* go */ window.location = '/b';\n//--></script>", "/b"),
      ("<script>if (x) { y('}') } location = '/b'</script>", "/b"),
      ("<script>setTimeout(function () { location.href = '/b' }, 9)</script>", "/b"),
      ("<script>setTimeout(\"location.href='/b'\", 9)</script>", "/b"),
      ("<script>try { location = '/b' } catch (e) {}</script>", "/b"),
      ("<script>if (location == '/a') location = '/b'</script>", nil),
      ("<script>if(!window.Promise){window.location.href='/old.html'}</script>", nil),
      ("<script>if(location.protocol==='http:') location.href='https://b.test/'</script>", nil),
      ("<script>x ? y() : location = '/b'</script>", nil),
      ("<script>if (x) y(); else location = '/b'</script>", nil),
      ("<script>onerror=function(){location.replace('/b')}</script>", nil),
      ("<script>setTimeout(function () { if (x) { location = '/b' } }, 9)</script>", nil),
      ("<script>x = \"location = '/b'\"; // location = '/b'\n/* location = '/b' */</script>", nil),
      ("<script>location = '/b'</script><div id=app></div><script src=/app.js></script>", nil),
      ("<script async src='/app.js'></script><script>location = '/b'</script>", nil),
      ("<script data-src=x>location = '/b'</script>", "/b"),
      ("<script>location.href.indexOf('/a')</script>", nil),
      ("<script>location.hash = '#a'; location = '#b'</script>", nil),
      ("<script>location = '/a' + id; myLocation = location2 = '/c'</script>", nil),
      ("<script>location = 'java\\u0073cript:x'; location = \"javascript:x\"</script>", nil),
      ("<script>location = '/a</script>", nil), ("<p id=x location='/a'>", nil),
      ("<script>location = '/a'</script><p><a href=/b>b</a>", "/b"),
    ] as [(String, String?)])
  func `a page without text whose script redirects has a link to the target`(
    _ page: String, _ target: String?
  ) throws {
    let content = try read(Array("<!DOCTYPE html><title>x</title>\(page)".utf8)).get()
    let document = content.document(url: "https://a.test/", view: .page)
    #expect(document.links.map(\.target) == [target].compactMap(\.self))
    let source = try read(content.bytes).get().document(url: "https://a.test/", view: .source)
    #expect(!String(decoding: source.text, as: UTF8.self).contains("<p><a href=\"/new"))
  }

  @Test func `a page with text has no link to where a script may redirect`() throws {
    let text = String(repeating: "Words of the page. ", count: 20)
    let page = "<!DOCTYPE html><p>\(text)<script>location = '/a'</script>"
    #expect(try read(Array(page.utf8)).get().document(url: "https://a.test/").links.isEmpty)
  }

  @Test(arguments: ["0; url=/new", "5;URL='/new'"])
  func `a Refresh field is shown as a link, but is not part of the source`(_ field: String) throws {
    for bytes in [page, [0xEF, 0xBB, 0xBF] + Array("<p>Grüße".utf8)] {
      var content = try read(bytes).get()
      content.refresh = field
      #expect(content.document(url: "https://example.org/").links.map(\.target) == ["/new"])
      #expect(content.document(url: "https://example.org/", view: .source).links.isEmpty)
    }
  }

  @Test(
    arguments: [
      (["</2>; rel=next"], "https://a.test/2"),
      (["</>; rel=prev, <?page=2>; title=\"a, b\"; rel=\"last NEXT\""], "https://a.test/p?page=2"),
      (["</style>; rel=preload", "<https://b.test/2>; rel=\"next\""], "https://b.test/2"),
      (["</web/2>; rel=\"next memento\"", "</2>; rel=next; anchor=\"/1\"", "</2>"], nil),
    ] as [([String], String?)])
  func `a Link field names the next document`(_ fields: [String], _ next: String?) throws {
    let url = try #require(WebURL("https://a.test/p"))
    #expect(LinkValue.nextURL(in: fields, of: url) == next)
    for (link, shown) in [("", next ?? ""), ("<link rel=next href=/own>", "/own")] {
      var content = try read(Array("<!DOCTYPE html><p>Text\(link)".utf8)).get()
      content.nextURL = LinkValue.nextURL(in: fields, of: url)
      #expect(content.document(url: url.description).nextURL == shown)
    }
  }

  @Test(arguments: ["text/html", "text/xml", "application/rss+xml", "text/plain", nil])
  func `a feed is shown as a page of its items, whatever its media type`(_ type: String?) throws {
    let feed = Array("<?xml version='1.0'?><rss><channel><title>T</title></channel></rss>".utf8)
    let content = try read(feed, as: type).get()
    #expect(content.document(url: "https://example.org/feed").title == "T")
  }

  @Test
  func `a truncated gzip stream is read as far as possible, and a broken one shows its type`()
    throws
  {
    let long = Array(String(repeating: "<p>one two three ", count: 5000).utf8)
    let packed = Self.gzip(long)
    let content = try read(Array(packed.prefix(packed.count / 2)), limit: 1 << 20).get()
    #expect(content.bytes.starts(with: long.prefix(50)) && content.bytes.count < long.count)
    #expect(content.isTruncated && content.notices.count == 1)
    let whole = try read(packed).get()
    #expect(!whole.isTruncated && whole.notices == [] && whole.bytes == long)
    let withoutChecksum = try read(Array(packed.dropLast(8))).get()
    #expect(!withoutChecksum.isTruncated && withoutChecksum.bytes == long)
    var damaged = packed
    damaged[packed.count - 8] ^= 1
    #expect(try read(damaged).get().isTruncated)
    #expect(
      read([0x1F, 0x8B, 8, 0xFF, 1, 2, 3]) == .failure(.notText(mediaType: "application/gzip")))
  }

  @Test(
    arguments: [
      ("<p>Text <a href='/x", true), ("<p>Text</p><", true), ("<p>Text <!-- note", true),
      ("<p>Text<script>let x = 1", true), ("<style>p { color: red", true),
      ("<html><body><div><p>One</p><p>Two words of", true),
      ("<html><body><p>One</p><p>Two words of", true),
      ("<html><head></head><body><p>Two words of", true), ("<body><ul><li>One</li><li>Tw", true),
      ("<body><div>One</div><div>Two", true),
      // The end tags of paragraphs and of the page may be omitted.
      ("<p>Text", false), ("<html><body><p>Text", false), ("<html><body><p>One<p>Two", false),
      ("<html><body><div><p>One</p></div>", false), ("<html><body><div>One</div>\nTwo\n", false),
      ("<html><body><div><p>Text</body></html>", false),
      ("<html><head></head><body><p>Text\n", false),
      ("<html><body><script>x = '<div>' < '<p'</script><p>Text", false),
      ("<html><body><!-- <div> --><p>Text", false), ("<div>Text", false), ("a < b", false),
      ("<!--><p>Text", false), ("<!-- a > b -- > c --><p>Text", false), ("<!-- a -><p>Text", true),
      ("<html><body><div><p>One</p><p>Two</BODY></HTML><!-- end --", false),
    ] as [(String, Bool)])
  func `a page is cut off if it ends within a tag or before end tags`(
    _ html: String, _ isCutOff: Bool
  ) throws {
    #expect(try read(Array(html.utf8)).get().isCutOff == isCutOff)
  }

  private static let mail = """
    From: Ann <a@e.test>
    To: b@e.test
    Subject: Tides
    MIME-Version: 1.0
    Content-Type: text/plain; format=flowed; delsp=yes

    High \nwater

    """

  @Test(
    arguments: [
      ("message/rfc822", mail, "Highwater"), (nil, mail, "Highwater"),
      ("application/mbox", "From a Mon\n" + mail + "\nFrom b Tue\n" + mail, "Highwater"),
      ("message/rfc822", "no mail at all", "no mail at all"),
      (nil, "From a Mon\nnothing", "nothing"),
      (
        "multipart/related; boundary=b",
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n"
          + "Content-Location: https://a.test/x/\n\n<p>Page <a href=y>l</a>\n--b--\n", "Page l"
      ),
    ] as [(String?, String, String)])
  func `mail and saved pages from the network are shown as such`(
    _ type: String?, _ text: String, _ expected: String
  ) throws {
    let content = try PageContent(
      document: Array(text.utf8), type: MediaType(type), limit: 1 << 20, title: "T")
    let document = content.document(url: "https://example.org/m")
    let shown = String(decoding: document.plainText, as: UTF8.self)
    #expect(shown.contains(expected), "\(shown)")
    #expect(shown.contains("From: Ann") == text.contains(Self.mail))
    if type == "multipart/related; boundary=b" { #expect(document.baseURL == "https://a.test/x/") }
  }

  @Test(
    arguments: [
      ("message/rfc822", mail), ("application/mbox", "From a Mon\n" + mail),
      ("text/plain", "From a Mon\n" + mail), ("application/gzip", "From a Mon\n" + mail),
    ] as [(String, String)])
  func `compressed mail is shown as mail`(_ type: String, _ text: String) throws {
    let content = try PageContent(
      document: Self.gzip(Array(text.utf8)), type: MediaType(type), limit: 1 << 20, title: "T")
    let shown = String(decoding: content.document(url: "").plainText, as: UTF8.self)
    #expect(shown.contains("Highwater") && !shown.contains("Subject:"), "\(shown)")
  }

  @Test(arguments: ["text/plain", "text/html"])
  func `a text file that resembles mail keeps its type`(_ type: String) throws {
    let content = try PageContent(
      document: Array(Self.mail.utf8), type: MediaType(type), limit: 1 << 20, title: "T")
    #expect(content.bytes == Array(Self.mail.utf8))
  }

  @Test func `flowed lines are joined, and the source is another view`() throws {
    let type = MediaType("text/plain; format=flowed")
    let content = try PageContent(Array("a \nb".utf8), type: type, limit: 1 << 20)
    #expect(content.document(url: "").plainText == Array("a b\n".utf8))
    #expect(content.document(url: "", view: .source).plainText == Array("a \nb\n".utf8))
    #expect(content.hasOtherSource(url: ""))
  }

  @Test func `a gzip stream that exceeds the limit is refused`() {
    let bomb = Self.gzip([UInt8](repeating: 0x20, count: 10_000_000))
    #expect(bomb.count < 20_000)
    #expect(read(bomb, limit: 1 << 20) == .failure(.tooLarge))
    #expect(read(Self.gzip(bomb), limit: 1 << 20) == .failure(.tooLarge))
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 1, 2], "image/png"),
      (Array("%PDF-1.7\n%text".utf8), "application/pdf"),
      (Array("PK\u{3}\u{4}\u{14}\u{0}".utf8), "application/zip"),
      ((0...255).map { UInt8($0) }, "application/octet-stream"),
    ] as [([UInt8], String)])
  func `binary content is detected by its beginning, also with a text type`(
    _ bytes: [UInt8], _ type: String
  ) {
    for label in ["text/html", "text/plain", nil] {
      #expect(read(bytes, as: label) == .failure(.notText(mediaType: type)), "\(label ?? "none")")
    }
    #expect(read(bytes, as: "image/jpeg") == .failure(.notText(mediaType: "image/jpeg")))
    #expect(read(Self.gzip(bytes), as: nil) == .failure(.notText(mediaType: type)))
  }

  @Test(
    arguments: [
      Array("a line\u{8} with an overstruck letter and a form feed\u{C}\n".utf8),
      Array("\u{1B}[1mbold\u{1B}[0m".utf8), [0xFF, 0xFE, 0x41, 0, 0x42, 0],
      Array("plain text".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ] as [[UInt8]])
  func `stray control characters and UTF-16 do not make a text binary`(_ bytes: [UInt8]) throws {
    #expect(try read(bytes, as: nil).get().mediaType == "text/plain")
    #expect(try read(bytes, as: "text/plain").get().bytes == bytes)
  }

  @Test func `the charset of the type is used for the content`() throws {
    let content = try read([0xCF, 0xF0], as: "text/plain; charset=windows-1251").get()
    #expect(content.document(url: "").title.isEmpty)
    #expect(content.document(url: "").encodingName == "windows-1251")
  }
}
