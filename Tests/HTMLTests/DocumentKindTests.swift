import ReaderMode
import Document
import Testing

/// Pages that are not plain HTML: XHTML with an internal DTD subset, and SVG drawings.
struct DocumentKindTests {
  private static func text(_ page: String, _ mediaType: String?) -> String {
    String(
      decoding: Document(bytes: Array(page.utf8), mediaType: mediaType).plainText, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("<!DOCTYPE html [<!ENTITY c 'Company'>]>", "<p>&c;, &d; &amp; &lt;", "Company, &d; & <"),
      ("<!DOCTYPE html [\n<!-- ]> ' -->\n<!ENTITY c \"a ]> 'b'\">\n]>", "<p>&c;", "a ]> 'b'"),
      ("<!DOCTYPE html [<!ENTITY a 'x'><!ENTITY b '&a;y'>]>", "<p>&b;&b;", "xyxy"),
      (
        "<!DOCTYPE html [<!ENTITY lt '&#38;#60;'><!ENTITY m '<b>bold</b>'>]>", "<p>&lt;&m;", "<bold"
      ),
      ("<!DOCTYPE html [<!ENTITY e SYSTEM 'x'><!ENTITY % p 'q'>]>", "<p>a&e;b", "a&e;b"),
      ("<!DOCTYPE html [<!ENTITY c 'Company'", "", ""),
    ] as [(String, String, String)])
  func `entities that an XHTML page declares are replaced by their text`(
    _ type: String, _ body: String, _ expected: String
  ) {
    let page = "<?xml version='1.0'?>\(type)<html><body>\(body)</body></html>"
    guard !expected.isEmpty else {
      // Without an end, the rest belongs to the document type declaration.
      #expect(Document(bytes: Array(page.utf8)).plainText.count < page.utf8.count)
      return
    }
    #expect(Self.text(page, "application/xhtml+xml") == expected + "\n")
    #expect(Self.text(page, nil) == expected + "\n")
  }

  @Test func `exponential entity expansion is bounded`() {
    var entities = "<!ENTITY a0 'lol lol lol '>"
    for level in 1...30 {
      entities += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
    }
    let page = "<?xml version='1.0'?><!DOCTYPE html [\(entities)]><html><p>&a30;&a5; end</html>"
    let text = Self.text(page, nil)
    #expect(text.utf8.count < 3_000_000)
    #expect(text.hasSuffix("end\n"))
  }

  @Test(
    arguments: [
      (
        "<svg><title>Map</title><desc>Of lakes</desc><g><text>One</text><text>Two</text></g></svg>",
        "Map\nOf lakes\nOne\nTwo\n"
      ),
      (
        "<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'x' 'y'><svg xmlns='z'><text>A <tspan>B</tspan></text></svg>",
        "A B\n"
      ),
      ("<!DOCTYPE svg><svg><defs><text>no</text></defs><text>yes</text></svg>", "yes\n"),
      ("<svg aria-label='A map'><style>a {}</style><path d='M0'/></svg>", "A map\n"),
      ("<svg>no<g>no</g><a href='/x'><text>yes</text></a></svg>", "yes\n"),
      ("<svg><q>no</q><rt>no</rt><button>no</button><text>yes</text></svg>", "yes\n"),
      (
        "<svg><text>One</text><foreignObject><p>Two</p><ul><li>Three</li></ul></foreignObject></svg>",
        "One\nTwo\nThree\n"
      ),
    ] as [(String, String)])
  func `an SVG drawing is shown as its text`(_ page: String, _ expected: String) {
    #expect(Self.text(page, "image/svg+xml") == expected)
    #expect(Self.text(page, nil) == expected)
  }

  @Test(
    arguments: [
      "svg", "math", "div", "b", "a", "table", "table><tr><td", "ul><li", "dl><dd", "button",
      "object", "ruby", "details", "span", "custom-element", "q", "svg><g", "font",
      "figure", "label", "p><object", "svg><foreignObject",
    ])
  func `text at any nesting depth is shown`(_ element: String) {
    let inner = element.hasPrefix("svg") ? "<text>READABLE</text>" : "READABLE"
    for depth in [3, 300, 511, 512, 513, 1000] {
      let page = String(repeating: "<\(element)>", count: depth) + inner
      #expect(Self.text(page, "text/html").contains("READABLE"), "\(depth)")
      let end = String(
        element.split(separator: ">").reversed().map { "</\($0.drop { $0 == "<" })>" }.joined())
      let closed = page + String(repeating: end, count: depth) + "<p>AFTER"
      #expect(Self.text(closed, "text/html").contains("READABLE"), "\(depth)")
      #expect(Self.text(closed, "text/html").contains("AFTER"), "\(depth)")
    }
  }
}
