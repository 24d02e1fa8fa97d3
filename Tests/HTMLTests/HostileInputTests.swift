import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

struct HostileInputTests {
  private static let depth = Effort.rounds(20_000, part: 4_000)

  @Test(
    arguments: [
      ("div", 50 * depth), ("b", depth), ("ul><li", depth), ("blockquote", depth),
      ("table><tr><td", depth), ("x-y", depth), ("p", depth), ("a href=x", depth),
    ] as [(String, Int)])
  func `deeply nested elements are read to the innermost word`(_ tags: String, _ count: Int) {
    let document = read(String(repeating: "<\(tags)>", count: count) + "innermost")
    #expect(document.content.hasSuffix("innermost"))
    #expect(document.problems == [])
  }

  @Test func `text around deeply nested closed elements is kept`() {
    let depth = 50_000
    let page =
      "<p>first" + String(repeating: "<div>", count: depth) + "middle"
      + String(repeating: "</div>", count: depth) + "<p>last"
    let document = read(page)
    #expect(document.content == "first\nmiddle\nlast")
    #expect(document.problems == [])
  }

  @Test func `unmatched end tags cost nothing, however deep the page is`() {
    let page =
      "<a href=x>" + String(repeating: "<div>", count: 20_000)
      + String(repeating: "</a></span></p>", count: 50_000) + "end"
    #expect(read(page).content.hasSuffix("end"))
  }

  @Test
  func `an element with 20,000 attributes is read, and the first of duplicate attributes applies`()
  {
    let attributes = (0..<20_000).map { "a\($0)=\($0)" }.joined(separator: " ")
    let document = read("<p><a href=/x \(attributes) href=/y>text</a>")
    #expect(document.links.map(\.target) == ["/x"])
    #expect(document.content == "text")
  }

  @Test func `the first of very many class names apply`() {
    let names = (0..<10_000).map { "c\($0)" }.joined(separator: " ")
    let page = "<style>.c9 { display: none }</style><p class='\(names)'>hidden<p>shown"
    #expect(read(page).content == "shown")
  }

  @Test func `malformed or huge style sheets apply correctly at bounded cost`() {
    for css in [
      "{", "}", "@", "a{", "a{display", "a{display:none", "/*", "\"", "'\\", "[", "a[", "a[b",
      "a[id=",
      "a[id='", ".", "#", ",,{display:none}", "@media", "@media{", "@media screen{a{", "a{b{c{",
      "é{}",
      ".{display:none}", "a[=]{display:none}", "}}}p{display:none",
    ] {
      #expect(read("<style>\(css)</style><i>shown</i>").content == "shown", "\(css)")
    }
    let rules = String(repeating: ".a{display:block}", count: 30_000) + ".a{display:none}"
    let classes = (0..<10_000).map { "c\($0)" }.joined(separator: " ")
    let page =
      "<style>\(rules)</style><p class='\(classes)'>shown"
      + String(repeating: "<p class=a>x", count: 30_000)
    #expect(read(page).content.hasPrefix("shown"))
    let last = String(repeating: ".a{display:block}", count: 1000) + ".a{display:none}"
    #expect(read("<style>\(last)</style><p>shown<p class=a>x").content == "shown")
    let unclosed = String(repeating: "x-y{[z]{", count: Effort.rounds(50_000, part: 10_000))
    #expect(read("<style>\(unclosed)</style><p>shown").content == "shown")
  }

  // scripts/hostile runs these at full size with the release build.
  @Test(
    arguments: [
      ("word ", "<p>"), ("x", "<p>"), ("x y ", "<pre>"), ("&", "<p>"), ("<", "<p>"),
      ("&amp;&nGt;", ""),
      ("a=1 ", "<p "), ("<", "<p "), ("/", "<p "), ("<!-- -->", ""), ("-", "<!-- --><p>"),
      ("<math><mfrac><mrow>", ""), ("<mi>x</mi><script></script>y", "<math><msup>"),
      ("<details>x<summary>y</summary>", ""), ("<ruby><rt>a</rt><rp>(</rp>", ""), ("<q>", ""),
      ("<select><option>a</select>", ""), ("<option selected>a", "<select>"), ("<li>a", ""),
      ("<svg><defs><text>a", ""), ("<svg><foreignObject>", ""), ("<template></template>", ""),
      ("<b><i><p></b>", ""), ("<a href=x><table>", ""), ("<figure><figcaption>", ""),
      ("<form><table><form>", ""), ("<h1>", ""), ("<hr>", ""), ("<wbr>", "x"), ("<br>", "x"),
      ("<base href=x>", ""), ("<title>x</title>", ""), ("<meta charset=x>", ""),
      ("<style>.a{display:none}</style>", ""), ("<frame>", "<frameset>"), ("<iframe></iframe>", ""),
      ("<![CDATA[x]]>", "<svg>"), ("<?x ?>", ""), ("\u{301}", "a"), ("\u{200D}", "a"),
      ("&shy;", "a"),
      ("\u{202E}", ""), ("\u{0}", ""), ("\u{1B}$B", "\u{E9}"), ("\u{5E9} a ", "<p>"),
      ("<object><param>", ""), ("<button><form>", ""), ("<ol reversed><li>", ""),
      ("\\(<br>", "<script src=mathjax.js></script>"),
    ] as [(String, String)])
  func `text after any repeated markup is read`(_ text: String, _ start: String) {
    for count in [1, 3, Effort.rounds(5000, part: 2000)] {
      let end = start.hasSuffix("<p ") ? ">the end" : "</svg></pre></select><p>the end"
      let document = read(start + String(repeating: text, count: count) + end)
      #expect(document.content.contains("the end"), "\(count)")
      #expect(document.problems == [], "\(count)")
    }
  }

  @Test(arguments: ["<hr>", "<table><tr><td>b</table>", "<ul><li>b</ul>"])
  func `a block in a noscript element after spaces at the end of a listing is read`(
    _ block: String
  ) {
    let document = read("<pre>a   <noscript>\(block)</noscript></pre><p>end")
    #expect(document.content.hasSuffix("end"))
    #expect(document.problems == [])
  }

  @Test func `a line of 10 MB is read`() {
    #expect(read("<p>" + String(repeating: "x", count: 10_000_000)).text.count == 10_000_000)
  }

  @Test func `a data: URL of 5 MB is not shown as text`() {
    let data = String(repeating: "QUJD", count: 1_250_000)
    let document = read("<p>a<img src=\"data:image/png;base64,\(data)\" alt=pic>b")
    #expect(document.content == "a pic b")
  }

  @Test func `tens of thousands of links are read`() {
    let document = read(String(repeating: "<a href=/x>link</a> ", count: 30_000))
    #expect(document.links.count == 30_000)
    #expect(document.problems == [])
  }

  @Test(arguments: [500, 2000])
  func `deeply nested tables are read`(_ depth: Int) {
    let page =
      String(repeating: "<table><tr><td>a<td>b<tr><td>c<td>", count: depth) + "innermost"
      + String(repeating: "</table>", count: depth)
    let document = read(page)
    #expect(document.content.contains("innermost"))
    #expect(document.problems == [])
  }

  @Test func `text misplaced before table rows keeps its order at bounded cost`() {
    let document = read(String(repeating: "<table>x<tr>y", count: 5000) + "<td>end")
    #expect(document.content.hasSuffix("end"))
    #expect(document.problems == [])
  }

  @Test func `a thousand combining marks are kept with their base letter`() {
    let text = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(read("<p>\(text)").content == text)
  }

  @Test(arguments: ["text/html", "text/plain"])
  func `NUL bytes are treated as white space`(_ mediaType: String) {
    let document = Document(bytes: [0x61, 0, 0, 0x62], mediaType: mediaType)
    #expect(document.problems == [])
    #expect(document.content.first == "a")
    #expect(document.content.last == "b")
  }

  @Test(
    arguments: Array(0..<0x20) + Array(0x7F..<0xA0) + Array(0x202A...0x202E)
      + Array(0x2066...0x2069) as [UInt32])
  func `control characters are removed in any encoding and as character references`(
    _ value: UInt32
  )
    throws
  {
    let scalar = try #require(Unicode.Scalar(value))
    for form in [String(scalar), "&#\(value);", "&#x\(String(value, radix: 16))"] {
      let page = """
        <title>a\(form)b</title><html lang="e\(form)n"><base href="http://x/\(form)">
        <p id="i\(form)d">a\(form)b <a href="/x\(form)y" title="a\(form)b">link</a></p>
        <pre class="language-a\(form)b">a\(form)b</pre><img alt="a\(form)b" src="c\(form)d.png">
        <input value="a\(form)b"><iframe src="x\(form)y"></iframe>
        <svg><text>a\(form)b</text></svg><textarea>a\(form)b</textarea>
        """
      let document = read(page)
      #expect(document.problems == [], "\(form.debugDescription)")
      #expect(document.content.contains("link"))
    }
    let plain = Document(bytes: Array("a\(scalar)b\tc".utf8), mediaType: "text/plain")
    #expect(plain.problems == [])
  }

  @Test(arguments: EncodingLabels.labelsByName.map(\.name))
  func `no encoding yields a control character`(inEncoding name: String) {
    var bytes: [UInt8] = []
    for byte in UInt8.min...UInt8.max { bytes += [byte, 0x20, 0, byte] }
    for unit in [0x1B, 0x9B, 0x202E, 0x2066, 0x85, 0x7F] as [UInt16] {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      bytes += [high, low, low, high]
    }
    for type in ["text/html", "text/plain", "application/xhtml+xml"] {
      for content in [bytes, Array("<p title='".utf8) + bytes] {
        let document = Document(bytes: content, mediaType: type, charset: name)
        #expect(document.problems == [], "\(type)")
      }
    }
  }

  @Test func `escape sequences hidden in an encoding are neutralized`() {
    // ESC in UTF-16, and a C1 control character in Latin-1 and in KOI8-R.
    let utf16: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x1B, 0, 0x5B, 0, 0x9B, 0]
    for (bytes, charset) in [
      (utf16, nil), ([0x61, 0x9B, 0x33], "iso-8859-1"), ([0x61, 0x9B, 0x1B], "iso-8859-5"),
      ([0x1B, 0x24, 0x42, 0x1B, 0x5B, 0x32, 0x4A], "iso-2022-jp"),
    ] as [([UInt8], String?)] {
      for type in ["text/html", "text/plain"] {
        #expect(Document(bytes: bytes, mediaType: type, charset: charset).problems == [])
      }
    }
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `every fixture, truncated anywhere, gives a valid document`(_ golden: GoldenCase) throws {
    let bytes = try golden.bytes()
    for step in Effort.some(0..<100, part: 20) {
      let cut = Array(bytes.prefix(bytes.count * step / 100))
      #expect(Document(bytes: cut, mediaType: "text/html").problems == [], "cut at \(cut.count)")
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `random markup gives a valid document`(_ seed: UInt64) {
    var generator = Noise(seed: seed)
    let pieces = [
      "<table>", "<tr>", "<td>", "</table>", "<li>", "<ul>", "</ul>", "<p>", "</p>", "<dd>", "<dl>",
      "<a href=x>", "</a>", "<b>", "</b>", "<pre>", "</pre>", "text", " ", "\n", "&amp", "&#27;",
      "<h1>", "</h1>", "<details>", "<summary>", "<select>", "<option>", "<img src=a>", "<svg>",
      "</svg>", "<title>", "</title>", "<textarea>", "<!--", "-->", "<", ">", "\"", "'", "=",
      "<br>",
      "<form>", "</form>", "<caption>", "<q>", "</q>", "<button>", "</button>", "<figure>", "<dt>",
      "<math><mfrac>", "<script>", "</script>", "\u{1B}", "\u{202E}", "é", "<th>", "<thead>",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<300 {
      if generator.next() % 8 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: generator.next()))
      } else {
        bytes += Array(pieces[Int(generator.next() % UInt64(pieces.count))].utf8)
      }
    }
    #expect(Document(bytes: bytes, mediaType: "text/html").problems == [])
    #expect(Document(bytes: bytes, mediaType: "text/plain").problems == [])
    #expect(Document(bytes: bytes, mediaType: "application/xhtml+xml").problems == [])
  }

  private func read(_ page: String) -> Document {
    Document(bytes: Array(page.utf8), mediaType: "text/html")
  }
}

/// A small reproducible random number generator (SplitMix64).
private struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
