import Document
import Formats
import TestSupport
import Testing

@Suite struct SVGSanitizerTests {
  private static func clean(_ text: String) -> String? {
    SVGSanitizer.sanitized(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let start =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">"

  @Test(
    arguments: [
      ("<rect width='1' fill='red'/>", "<rect width=\"1\" fill=\"red\"></rect>"),
      ("<script>x()</script><g/>", "<g></g>"), ("<SCRIPT>x()</SCRIPT>", ""),
      ("<g onclick='x()' ONLOAD='y'/>", "<g></g>"),
      ("<foreignObject><p>x</p><g/></foreignObject>", ""),
      ("<use href='#a'/>", "<use xlink:href=\"#a\"></use>"),
      ("<use xlink:href='#a' href='#b'/>", "<use xlink:href=\"#a\"></use>"),
      ("<use href='https://t.test/#a'/>", "<use></use>"),
      ("<use href='data:image/svg+xml,x#a'/>", "<use></use>"),
      ("<image href='https://t.test/a.png'/>", ""), ("<image href='file:///etc/passwd'/>", ""),
      ("<image href='data:image/svg+xml,x'/>", ""),
      (
        "<image href='data:image/png;base64,AA'/>",
        "<image xlink:href=\"data:image/png;base64,AA\"></image>"
      ),
      ("<feImage href='https://t.test/a'/>", ""),
      ("<a href='javascript:x()'><text>t</text></a>", "<text>t</text>"),
      ("<animate attributeName='href' to='javascript:x()'/><set to='x'/>", ""),
      ("<rect fill='url(#g)'/>", "<rect fill=\"url(#g)\"></rect>"),
      ("<rect fill='url( \"#g\" )'/>", "<rect fill=\"url( &quot;#g&quot; )\"></rect>"),
      ("<rect fill='url(https://t.test/#g)'/>", "<rect fill=\"none\"></rect>"),
      ("<rect fill='URL(&#x22;//t.test'/>", "<rect fill=\"none\"></rect>"),
      ("<rect style='fill:u\\72l(//t.test)'/>", "<rect></rect>"),
      ("<rect style='fill:image-set(\"//t.test\" 1x)'/>", "<rect></rect>"),
      ("<style>@import '//t.test';</style>", "<style></style>"),
      (
        "<style><![CDATA[g { fill: url(//t.test) } a > b {}]]></style>",
        "<style>g { fill: none } a &gt; b {}</style>"
      ),
      ("<style>u<g/>rl(x)</style>", "<style>none</style>"),
      (
        "<g xml:base='//t.test' xml:space='preserve' inkscape:x='1'/>",
        "<g xml:space=\"preserve\"></g>"
      ),
      ("<sodipodi:namedview><g/></sodipodi:namedview><metadata>m</metadata>", ""),
      ("<svg:g><svg:path d='M0 0'/></svg:g>", "<g><path d=\"M0 0\"></path></g>"),
      (
        "<text>a &lt;b&gt; &amp; <![CDATA[<script>]]>&#1;</text>",
        "<text>a &lt;b&gt; &amp; &lt;script&gt;\u{FFFD}</text>"
      ),
      ("<g id='a' id='b'/>", "<g id=\"a\"></g>"),
      (
        "<linearGradient gradientUnits='x'/>",
        "<linearGradient gradientUnits=\"x\"></linearGradient>"
      ),
      ("<g><path>", "<g><path></path></g>"), ("</svg><script/>", ""),
    ] as [(String, String)])
  func `drawing elements are kept, and elements that run scripts or load resources are removed`(
    _ inner: String, _ expected: String
  )
    throws
  {
    let clean = try #require(Self.clean("<svg>\(inner)</svg>"))
    #expect(clean == "\(Self.start)\(expected)</svg>")
  }

  @Test(arguments: [
    "<?xml-stylesheet href='//t.test/x.css'?><svg/>",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg/>", "<!-- x --><svg/>",
    "<svg/><script>x()</script>", "\u{FEFF}<svg/>", "<svg xmlns='&ns_svg;' xmlns:x='y'/>",
  ])
  func `content before and after the svg element is removed`(_ text: String) {
    #expect(Self.clean(text) == "\(Self.start)</svg>")
  }

  @Test(arguments: ["", "svg", "<html><svg/></html>", "<", "\u{0}", "<sVg/>", "<x:svg/>"])
  func `input without an svg root gives nil`(_ text: String) {
    #expect(Self.clean(text) == nil)
  }

  @Test func `deep nesting is truncated`() throws {
    let text = "<svg>" + String(repeating: "<g>", count: 100_000)
    #expect(try #require(Self.clean(text)).utf8.count < 3000)
    #expect(Self.clean("<svg>" + String(repeating: "<g/>", count: 300_000)) == nil)
  }

  @Test func `the output is well-formed and refers to nothing external, whatever the input is`() {
    var random = SplitMix64(seed: 18)
    let pieces = [
      "<svg>", "<svg ", "<g ", "<style>", "</style>", "<script>", "</g>", "<image ", "href='",
      "xlink:href=\"https://t.test/", "fill='url(", "onload=x ", "style=\"", "\\75", "'", "\"", ">",
      "/>", "<![CDATA[", "]]>", "<!--", "-->", "&", "&lt;", "<!DOCTYPE [", "]", "é", "\u{0}",
      "t.test)", "@import", "<a ", "<svg:use ", "=",
    ]
    var count = 0
    for _ in 0..<3000 {
      let text =
        "<svg"
        + (0..<Int.random(in: 0...25, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      guard let clean = Self.clean(text) else { continue }
      count += 1
      // Cleaning is idempotent.
      #expect(Self.clean(clean) == clean, "\(text)")
      #expect(Self.isWellFormed(clean), "\(text)\n\(clean)")
      #expect(clean.matches(of: #/\son[a-z]+="/#).isEmpty, "\(text)")
      for link in clean.matches(of: /href="([^"]*)"/) {
        #expect(link.output.1.hasPrefix("#") || link.output.1.hasPrefix("data:image/"), "\(text)")
      }
      #expect(clean.matches(of: #/="[^"]*url\((?!(?:\s|&quot;|')*\#)/#).isEmpty, "\(text)")
    }
    #expect(count > 500)
  }

  private static func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    for tag in text.matches(of: /<(\/?)([a-zA-Z]+)((?: [a-zA-Z:-]+="[^"<>]*")*)>/) {
      if tag.output.1.isEmpty {
        open.append(tag.output.2)
      } else if open.popLast() != tag.output.2 {
        return false
      }
    }
    return open.isEmpty
      && text.count(where: { $0 == "<" })
        == text.matches(of: /<\/?[a-zA-Z]+(?: [a-zA-Z:-]+="[^"<>]*")*>/).count
  }

  @Test func `use elements may be nested only to a small total`() throws {
    func image(levels: Int) -> String {
      let groups = (1...levels).map { level in
        let uses = String(repeating: "<use href='#l\(level - 1)'/>", count: 4)
        return "<g id='l\(level)'>\(uses)</g>"
      }
      return "<svg><g id='l0'><path/></g>\(groups.joined())<use href='#l\(levels)'/></svg>"
    }
    let shallowImage = try #require(Self.clean(image(levels: 5)))
    #expect(shallowImage.split(separator: "<use").count - 1 == 21)
    let deepImage = try #require(Self.clean(image(levels: 20)))
    #expect(deepImage.split(separator: "<use").count - 1 == 1)
    #expect(deepImage.contains("<g id=\"l20\"></g>"))
  }
}
