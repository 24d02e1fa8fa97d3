import Testing

@testable import OfflineCache

/// The equality of texts and of kinds of content in captive-portal detection.
@Suite struct TextFingerprintTests {
  struct Pair: CustomTestStringConvertible {
    let testDescription: String
    let first: String
    let second: String
    let areEqual: Bool
  }

  static let pairs = [
    Pair(
      testDescription: "numbers", first: "it is 10:04 on this network",
      second: "it is 23:59 on this network", areEqual: true),
    Pair(
      testDescription: "session ids", first: "your session is a8f03bc7 now",
      second: "your session is 77c0ffee1 now", areEqual: true),
    Pair(
      testDescription: "addresses of devices", first: "device 00:1b:44:11:3a:b7 has no access",
      second: "device 00:1b:45:19:3a:c7 has no access", areEqual: true),
    Pair(
      testDescription: "the URL that was asked for",
      first: "you asked for http://a.example/page today",
      second: "you asked for http://b.example/page today", areEqual: true),
    Pair(
      testDescription: "the URL in a query",
      first: "go to http%3a%2f%2fa.example%2fpage today please",
      second: "go to http%3a%2f%2fb.example%2fpage today please", areEqual: true),
    Pair(
      testDescription: "the order of the words", first: "ferries leave before pilots",
      second: "pilots leave before ferries", areEqual: false),
    Pair(
      testDescription: "another word", first: "we are open on monday",
      second: "we are open on sunday",
      areEqual: false),
  ]

  @Test(arguments: pairs)
  func `texts are compared without numbers, ids and the requested URL`(_ pair: Pair) {
    func value(_ text: String, _ host: String) -> Int? {
      TextFingerprint.value(
        of: Array(text.utf8), without: Sample.url("http://\(host).example/page"))
    }
    let (first, second) = (value(pair.first, "a"), value(pair.second, "b"))
    #expect(first != nil && second != nil)
    #expect((first == second) == pair.areEqual)
  }

  @Test func `a text of hardly any words has no fingerprint`() {
    let url = Sample.url("http://a.example/")
    #expect(TextFingerprint.value(of: Array("12 34 5.6 ok".utf8), without: url) == nil)
    #expect(TextFingerprint.value(of: [], without: url) == nil)
  }

  @Test(
    arguments: [
      ("/a.html", ContentKind.page), ("/a/b.pdf", .pdf), ("/x.PNG", .image), ("/feed.xml", .xml),
    ] as [(String, ContentKind)])
  func `a file extension in a path indicates a kind of content`(_ path: String, _ kind: ContentKind)
  {
    #expect(ContentKind(path: path) == kind)
  }

  @Test(arguments: ["/", "/page", "/v1.2", "/wiki/File:Harbour.jpg", ""])
  func `other paths do not indicate a kind`(_ path: String) {
    #expect(ContentKind(path: path) == nil)
  }

  @Test func `the content takes precedence over the media type`() {
    let text = Sample.response(200, [("Content-Type", "text/plain")])
    #expect(ContentKind(text, Array("\n <!DOCTYPE html><p>".utf8)) == .page)
    #expect(ContentKind(text, Array("%PDF-1.7".utf8)) == .pdf)
    let xml = ResponseHead(
      status: 200, reason: "", fields: FieldLines([.init("Content-Type", "application/xml")]))
    let prolog = "\u{FEFF}<?xml version='1.0'?>\n<!-- a > b -->\n"
    #expect(ContentKind(xml, Array((prolog + "<!DOCTYPE html PUBLIC ''>").utf8)) == .page)
    #expect(ContentKind(xml, Array((prolog + "<html xmlns=''>").utf8)) == .page)
    #expect(ContentKind(xml, Array((prolog + "<rss>").utf8)) == .xml)
    #expect(ContentKind(xml, Array("<?xml version='1.0'".utf8)) == .xml)
    #expect(ContentKind(text, Array("words".utf8)) == .text)
    #expect(ContentKind.text.agrees(with: .json) && !ContentKind.text.agrees(with: .page))
  }
}
