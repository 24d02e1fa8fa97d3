import Foundation
import TestSupport
import Testing
import WACZ

@Suite struct SURTTests {
  static let keys = [
    ("https://www.Example.org/", "org,example)/"),
    (
      "http://example.org:8080/A/./b/../c//d/?B=2&a=1&a&A=0",
      "org,example:8080)/a/c/d?a&a=0&a=1&b=2"
    ),
    (
      "https://example.org:443/a%2Fb%20c%2525/%C3%A9?x=%26&y=%23#frag",
      "org,example)/a/b%20c%25/%c3%a9?&x=&y=%23"
    ),
    ("http://www2.example.co.uk/path/", "uk,co,example)/path"),
    (
      "http://user:secret@example.org/x;jsessionid=0123456789ABCDEF0123456789abcdef",
      "org,example)/x;jsessionid=0123456789abcdef0123456789abcdef"
    ),
    ("http://example.org/x?jsessionid=0123456789ABCDEF0123456789abcdef&q=1", "org,example)/x?q=1"),
    ("http://example.org/x?q=1&PHPSESSID=0123456789ABCDEF0123456789abcdef", "org,example)/x?&q=1"),
    ("http://example.org/x?q=1&sid=0123456789ABCDEF0123456789abcdef&z=2", "org,example)/x?q=1&z=2"),
    (
      "http://example.org/x?ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&z=2", "org,example)/x?z=2"
    ),
    ("http://example.org/x?CFID=12&CFTOKEN=34&z=2", "org,example)/x?z=2"),
    (
      "http://example.org/(S(abcdefghijklmnopqrstuvwx))/page.aspx?a=1", "org,example)/page.aspx?a=1"
    ),
    ("http://example.org/x/(abcdefghijklmnopqrstuvwx)/y/page.aspx", "org,example)/x/y/page.aspx"),
    ("http://127.0.0.1:4000/a", "1,0,0,127:4000)/a"),
    ("http://[::1]:4000/a", "::1:4000)/a"),
    ("http://3232235777/", "1,1,168,192)/"),
    ("http://10.1/", "1,0,0,10)/"),
    ("http://010.0.0.1/x", "1,0,0,8)/x"),
    ("http://1.2.3.400/x", "400,3,2,1)/x"),
    ("http://a..b.example./x", "example,b,a)/x"),
    ("http://xn--bcher-kva.example/%E4?", "example,xn--bcher-kva)/%e4"),
    ("http://example.org", "org,example)/"),
    ("http://example.org?x", "org,example)/?x"),
    ("http://example.org/?", "org,example)/"),
    ("https://example.org/../../a", "org,example)/a"),
    ("urn:uuid:ABC/../x?Q", "urn:uuid:abc/../x?q"),
    ("about:blank", "about:blank"),
    ("example.org/x", "org,example)/x"),
    ("http://https://example.org/a", "org,example)/a"),
    ("http:///example.org/a", "org,example)/a"),
    ("http:example.org/a", "org,example)/a"),
    ("ftp://example.org:21/a/", "org,example:21)/a"),
    ("dns:www.example.org", "dns:www.example.org"),
    ("http://example.org:/a", "org,example)/a"),
    ("http://example.org/a%00b%0ac", "org,example)/a%00b%0ac"),
    ("http://example.org/a?b=c=d&b&b=&", "org,example)/a?&b&b=&b=c=d"),
    ("http://WWW.example.org/~x/%7Ey", "org,example)/~x/~y"),
    (
      "http://example.org/index.html?utm_source=x&Zeta=%5B1%5D",
      "org,example)/index.html?utm_source=x&zeta=[1]"
    ),
    ("http://www.com/", "com)/"),
    ("http://www/", "www)/"),
    ("http://example.org/a\\b", "org,example)/a\\b"),
    ("  http://example.org/x y  ", "org,example)/x%20y"),
    ("http://ex%41mple.org/", "org,example)/"),
    ("http://[::1/x", "::1)/x"),
  ]

  @Test(arguments: keys)
  func `a URL has the SURT key that other archives use`(_ url: String, _ key: String) {
    #expect(String(decoding: SURT.key(url), as: UTF8.self) == key)
  }

  @Test func `an invalid URL has a key without spaces`() {
    #expect(SURT.key("") == Array("-".utf8))
    #expect(SURT.key("http://a.test:99999/a b\u{1B}") == Array("http://a.test:99999/a%20b%1B".utf8))
    var random = SplitMix64(seed: 4)
    for _ in 0..<20_000 {
      let text = String(decoding: Self.garbage(&random), as: UTF8.self)
      #expect(SURT.key(text).allSatisfy { (0x21...0x7E).contains($0) })
    }
  }

  /// Compares the keys with those of the library that pywb uses, for URLs made of significant
  /// parts. Hosts with non-ASCII letters are excluded, as archive keys have none.
  @Test(.enabled(if: Effort.isWhole))
  func `keys equal those of pywb`() throws {
    var random = SplitMix64(seed: 7)
    var urls = Self.keys.map(\.0)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...9, using: &random)
      urls.append(
        "http://"
          + (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined())
    }
    let script = """
      import json, sys, surt
      def key(url):
        try:
          return surt.surt(url)
        except Exception:
          return None
      print(json.dumps([key(url) for url in json.load(sys.stdin)]))
      """
    let run = try Judges.python(script, input: try JSONEncoder().encode(urls))
    let expectedKeys = try JSONDecoder().decode([String?].self, from: run.output)
    #expect(expectedKeys.count == urls.count)
    for (url, key) in zip(urls, expectedKeys) {
      let ownKey = String(decoding: SURT.key(url), as: UTF8.self)
      guard let key, ownKey.firstMatch(of: /%[A-F]/) == nil else { continue }
      #expect(ownKey == key, "\(url)")
    }
  }

  private static let pieces = [
    "a", "B", "example.org", "www.", "www12.", "..", ".", "/", "//", "/./", "/../", "?", "&", "=",
    "#",
    "%41", "%2541", "%", "%2F", "%3F", "%26", "%E9", "é", ":80", ":8080", ":", "@", "user:x@", " ",
    "\\",
    "sid=0123456789abcdef0123456789ABCDEF", "jsessionid=0123456789abcdef0123456789ABCDEF",
    "phpsessid=0123456789abcdef0123456789ABCDEF", "cfid=1&cftoken=2", "cfid=&cftoken=2",
    "aspsessionidabcdefgh=abcdefghijklmnopqrstuvwx", "(abcdefghijklmnopqrstuvwx)/",
    "(s(abcdefghijklmnopqrstuvwx))/", "x.aspx", ".aspx", "b=2", "a=1", "a", "A=", "~", "+", ";",
    "$",
  ]

  private static func garbage(_ random: inout SplitMix64) -> [UInt8] {
    if Bool.random(using: &random) {
      return (0..<4).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
    }
    return (0..<Int.random(in: 0...40, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
  }
}
