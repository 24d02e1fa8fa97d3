import Foundation
import Testing

@testable import HTTPCaching

@Suite("Dates of HTTP (RFC 9110 §5.6.7)")
struct HTTPDateTests {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let example = Date(timeIntervalSince1970: 784_111_777)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994", "sun, 06 nov 1994 08:49:37 gmt",
    " Sun, 06 Nov 1994 08:49:37 GMT ",
  ])
  func `all three date formats are parsed to the same date`(_ text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == Self.example)
  }

  @Test(arguments: [
    "", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT, Sun", "\u{0}", "Sunday, 06-Nov-1994 08:49:37 GMT", "日曜日",
    "Thu, 18 Aug 2050 02:01:18 AEST", "Thu 18 Aug 2050 02:01:18 GMT",
  ])
  func `any other text is not parsed as a date`(_ text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == nil)
  }

  @Test func `a two-digit year is at most 50 years in the future`() {
    #expect(
      HTTPDate.parse("Friday, 01-Jan-73 00:00:00 GMT", now: Self.now)
        == HTTPDate.parse("Sun, 01 Jan 2073 00:00:00 GMT", now: Self.now))
    #expect(
      HTTPDate.parse("Friday, 01-Jan-74 00:00:00 GMT", now: Self.now)
        == HTTPDate.parse("Sun, 01 Jan 1974 00:00:00 GMT", now: Self.now))
  }

  @Test func `formatting and parsing gives the same second, for years 1 to 9999`() {
    for seconds in stride(from: -62_135_596_800.0, to: 253_402_300_799, by: 86_400 * 1000.77) {
      let date = Date(timeIntervalSince1970: seconds.rounded(.down))
      let text = HTTPDate.format(date)
      #expect(HTTPDate.parse(text, now: Self.now) == date, "\(text)")
    }
    #expect(HTTPDate.format(Self.example) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.format(.distantFuture).hasSuffix("GMT"))
    #expect(HTTPDate.format(Date(timeIntervalSince1970: .infinity)).hasSuffix("GMT"))
  }
}

@Suite("URLs")
struct WebURLTests {
  static let base = "http://host.example:8080/a/b/c?q=1#top"

  @Test(
    arguments: [
      ("", "http://host.example:8080/a/b/c?q=1"), ("#x", "http://host.example:8080/a/b/c?q=1#x"),
      ("?y", "http://host.example:8080/a/b/c?y"), ("d", "http://host.example:8080/a/b/d"),
      ("./d", "http://host.example:8080/a/b/d"), ("../d", "http://host.example:8080/a/d"),
      ("../../../d", "http://host.example:8080/d"), ("/d", "http://host.example:8080/d"),
      (".", "http://host.example:8080/a/b/"), ("..", "http://host.example:8080/a/"),
      ("d/.", "http://host.example:8080/a/b/d/"), ("%2e%2E/d", "http://host.example:8080/a/d"),
      ("d//e", "http://host.example:8080/a/b/d//e"), ("//other/x", "http://other/x"),
      ("//other", "http://other/"), ("https://o/x", "https://o/x"), ("HTTP://O:80/x", "http://o/x"),
      ("http:d", "http://host.example:8080/a/b/d"), ("\\d\\e", "http://host.example:8080/d/e"),
      ("http:/d", "http://host.example:8080/d"), ("HTTP:\\d", "http://host.example:8080/d"),
      ("http:?q", "http://host.example:8080/a/b/c?q"), ("http:\\/o/x", "http://o/x"),
      ("http:///o/x", "http://o/x"), ("https:/o/x", "https://o/x"),
      (" d e ", "http://host.example:8080/a/b/d%20e"),
      ("d\n\te", "http://host.example:8080/a/b/de"),
      ("é?é#é", "http://host.example:8080/a/b/%C3%A9?%C3%A9#%C3%A9"),
      ("%e9 <>\"`{}", "http://host.example:8080/a/b/%e9%20%3C%3E%22%60%7B%7D"),
      ("a:b", "a:b"), ("mailto:x@y.z", "mailto:x@y.z"),
      ("javascript:void(0)", "javascript:void(0)"),
      ("about:manual#keys", "about:manual#keys"), ("1:b", "http://host.example:8080/a/b/1:b"),
      ("https:///x/y", "https://x/y"), ("http://[2001:DB8::0:1]:80/", "http://[2001:db8::1]/"),
      ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
      ("http://BÜCHER。example", "http://xn--bcher-kva.example/"),
      ("http://user:pass@h/", "http://user:pass@h/"), ("gemini://h/x", "gemini://h/x"),
      ("http://h:0000000000080/", "http://h/"), ("http://h:0000000000081/", "http://h:81/"),
      ("http://127.1:80/", "http://127.0.0.1/"), ("http://0X7f.0.0.1/", "http://127.0.0.1/"),
      ("http://2130706433/", "http://127.0.0.1/"), ("http://017700000001/", "http://127.0.0.1/"),
      ("http://127.0.0.1./", "http://127.0.0.1/"), ("http://１２７。1/", "http://127.0.0.1/"),
      ("http://0x/", "http://0.0.0.0/"), ("http://1.2.65535/", "http://1.2.255.255/"),
      // Other hosts, and other schemes.
      ("http://1.2.3.4.example/", "http://1.2.3.4.example/"), ("http://0xg/", "http://0xg/"),
      ("http://a.0b/", "http://a.0b/"), ("http://example.test./", "http://example.test./"),
      ("gemini://127.1/", "gemini://127.1/"),
      ("http://ex\u{AD}am\u{200B}ple.test/", "http://example.test/"),
      ("http://bü\u{FEFF}cher.example/", "http://xn--bcher-kva.example/"),
    ] as [(String, String)])
  func `references resolve as in a browser`(_ reference: String, _ expected: String) {
    #expect(WebURL.resolve(reference, against: Self.base) == expected)
  }

  @Test(arguments: [
    "http://", "http://a b/", "http://[::1/", "http://[zz]/", "http://h:99999/", "http://h:x/",
    "http://h:99999999999999999999/", "http://%00/", "http://a%2fb/", "http://a<b/",
    "//\u{0}", "http://[fe80::1%25eth0]/", "http://1.2.3.4.5/", "http://256.1.1.1/",
    "http://1.2.3.256/", "http://08.1.1.1/", "http://4294967296/", "http://a.1/", "http://1..2/",
    "http://99999999999999999999/", "http://\u{AD}/",
  ])
  func `an invalid URL gives nil`(_ reference: String) {
    #expect(WebURL.resolve(reference, against: Self.base) == nil, "\(reference)")
    #expect(WebURL(reference) == nil)
  }

  @Test(
    arguments: [
      ("x", "http://[::1]:81/a", "http://[::1]:81/x"), ("x", "http://h", "http://h/x"),
      ("x", "file:///tmp/a.html", "file:///tmp/x"), ("/x", "file:///tmp/a", "file:///x"),
      ("../../x", "file:///tmp/a", "file:///x"), ("#x", "about:manual", "about:manual#x"),
      ("https://h/", "no base", "https://h/"), ("//h/x", "file:///tmp/a", "file://h/x"),
      ("x?y", "http://h/a?b", "http://h/x?y"),
    ] as [(String, String, String)])
  func `references are resolved against bases of any scheme`(
    _ reference: String, _ base: String, _ expected: String
  ) {
    #expect(WebURL.resolve(reference, against: base) == expected)
  }

  @Test func `a relative reference cannot be resolved against a base without a hierarchy`() {
    #expect(WebURL.resolve("x", against: "about:manual") == nil)
    #expect(WebURL.resolve("x", against: "not a url") == nil)
  }

  @Test func `arbitrary bytes never crash, and parsing a serialized URL gives the same URL`() throws
  {
    let alphabet = Array("htp:/\\?#[]@%2eF. \u{E9}日\t1")
    let base = try #require(WebURL(Self.base))
    for seed in 0..<5000 {
      var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1
      var text = ""
      for _ in 0..<(seed % 17) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      guard let resolved = base.resolve(text)?.description else { continue }
      #expect(WebURL(resolved)?.description == resolved, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("HTTP://Host.Example:80", "http://host.example/"), ("https://h:443/a/../b", "https://h/b"),
      ("http://h:443/", "http://h:443/"), ("http://h/%7e%c3%a9", "http://h/~%C3%A9"),
      ("http://h/%41%2d%2E%5f%7E?%61=%30", "http://h/A-._~?a=0"),
      ("http://h/%2f%3A", "http://h/%2F%3A"),
      ("http://h/%2541", "http://h/%2541"), ("http://h/%%41%31", "http://h/%%411"),
      ("http://h/a?b=%aF#frag", "http://h/a?b=%AF"), ("http://h/A", "http://h/A"),
      ("http://u:p@h/", "http://h/"), ("http://h/a%", "http://h/a%"), ("http://h/?", "http://h/?"),
      ("http://h/%zz%a", "http://h/%zz%a"), ("http://h/a+b", "http://h/a+b"),
      ("http://BÜCHER.example", "http://xn--bcher-kva.example/"),
      ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
      ("http://[0:0::1]:80", "http://[::1]/"),
    ] as [(String, String)])
  func `a cache key is the normalized URL, and nothing else is folded`(
    _ url: String, _ key: String
  ) {
    #expect(CacheKey.make(url) == key)
  }

  @Test func `long URLs that differ in the last byte have different keys`() {
    let long = "http://h/" + String(repeating: "a", count: 2048)
    #expect(CacheKey.make(long + "b") != CacheKey.make(long + "c"))
  }

  @Test(
    arguments: [
      ("ü", "xn--tda"), ("bücher", "xn--bcher-kva"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
      ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
    ] as [(String, String)])
  func `Punycode follows RFC 3492 §7.1`(_ label: String, _ ascii: String) {
    #expect(Punycode.encode(label: label) == ascii)
  }
}

@Suite("Metrics of a transfer")
struct TransferMetricsTests {
  @Test func `the description is one line, without what is unknown`() {
    var metrics = TransferMetrics()
    #expect("\(metrics)" == "")
    metrics.headEnd = 0.08249
    #expect("\(metrics)" == "head after 0.082 s")
    (metrics.remoteAddress, metrics.remotePort) = ("2001:db8::1", 443)
    (metrics.protocolVersion, metrics.isConnectionReused) = ("HTTP/2", true)
    #expect("\(metrics)" == "HTTP/2 [2001:db8::1]:443, reused, head after 0.082 s")
  }

  @Test func `heads with the same content are equal whatever their metrics`() {
    var head = ResponseHead(status: 200)
    head.metrics = TransferMetrics()
    #expect(head == ResponseHead(status: 200))
  }
}
