import Document
import ReaderMode
import Testing

/// The sources of a page's images: files of several sizes, or data in the page itself.
@Suite struct ImageReferenceTests {
  private static func images(_ html: String) -> [Document.Image] {
    Document(
      bytes: Array(html.utf8), mediaType: "text/html", charset: nil, url: "https://a.test/"
    ).images
  }

  private static let png =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAHgAAABQEAIAAAANafqdAAAKGElEQVR42u3d"

  @Test(
    arguments: [
      (100, "320.png"), (320, "320.png"), (321, "640.png"), (700, "1280.png"), (5000, "1280.png"),
    ] as [(Int, String)])
  func `the smallest candidate that is wide enough comes first`(
    _ pixels: Int, _ expected: String
  ) throws {
    let image = try #require(
      Self.images(
        "<p>x<p><img src=s.png srcset='640.png 640w, 320.png 320w,1280.png 1280w' alt=A>"
      ).first)
    let references = image.references(forWidth: pixels)
    #expect(references.first == expected)
    // Files that were saved earlier are also found.
    #expect(Set(references) == ["s.png", "320.png", "640.png", "1280.png"])
    #expect(image.source == "s.png")
  }

  @Test func `an image with no src has a candidate of a common width as its source`() {
    let html = "<p>x<p><img srcset='a.png 100w, b.png 900w, c.png 3000w' alt=A>"
    #expect(Self.images(html).map(\.source) == ["b.png"])
    // A comma belongs to a URL unless it ends it.
    let commas = "<p>x<p><img srcset='w_1,h_2/a.png 1x, b.png, c.png 3x' alt=A width=10>"
    #expect(Self.images(commas).first?.references(forWidth: 25).first == "c.png")
    #expect(
      Self.images(commas).first?.candidates.map(\.source) == ["w_1,h_2/a.png", "b.png", "c.png"])
  }

  @Test func `the sources of a picture element are candidates`() throws {
    let html = """
      <p>x<p><picture><source srcset="a.avif" type="image/avif"><source srcset="b.webp 2x">
      <img src="c.jpg" alt="A"></picture>
      """
    let image = try #require(Self.images(html).first)
    #expect(image.source == "c.jpg")
    #expect(image.references(forWidth: 500) == ["c.jpg", "a.avif", "b.webp"])
  }

  @Test func `the number of references is bounded`() throws {
    let set = (1...5000).map { "\($0).png \($0)w" }.joined(separator: ", ")
    let image = try #require(Self.images("<p>x<p><img src=s.png srcset='\(set)' alt=A>").first)
    #expect(image.candidates.count <= 32 && image.references(forWidth: 9).count <= 6)
  }

  @Test(arguments: [
    "<img src='\(png)' alt=A>", "<img src='\(png)'  alt=A width=300>", "<img src=' \(png)' alt=A>",
    "<img src='\(png.replacing("data:", with: "DATA:"))' alt=A>",
    "<img src='\(png.replacing("AAAANSU", with: "AAAAN\nSU"))' alt=A>",
  ])
  func `an image may be a data: URL in the page`(_ html: String) throws {
    let image = try #require(Self.images("<p>x<p>" + html).first)
    #expect(image.source.lowercased() == Self.png.lowercased())
    #expect(image.displayName == "image")
  }

  @Test(arguments: [
    "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E", "data:,", "data:image/png,",
    "data:text/html,<p>x", "data:image/gif;base64,",
  ])
  func `an empty placeholder is not an image`(_ url: String) {
    let alone = Self.images("<p>x<p><img src=\"\(url)\" width=300 height=200>")
    let sources = alone.map(\.source).filter { !$0.isEmpty }
    #expect(sources == [])
    let lazy = "<p>x<p><img src=\"\(url)\" data-src=real.png alt=A>"
    #expect(Self.images(lazy).map(\.source) == ["real.png"])
  }

  @Test func `a reference with only a fragment is not the source of an image`() {
    #expect(Self.images("<p>x<p><img src=' #a' alt=A>").map(\.source) == [""])
    #expect(Self.images("<p>x<p><img src='#' srcset='a.png 1x' alt=A>").map(\.source) == ["a.png"])
  }

  @Test(arguments: [
    ("a_{width}x.jpg", "small.jpg"), ("a_%width%.jpg?v=1", "small.jpg"),
    ("a_%ad_%.jpg", "a_%ad_%.jpg"), ("{8F2-1}.jpg", "{8F2-1}.jpg"), ("100%.jpg", "100%.jpg"),
  ])
  func `a URL with a variable is not requested if there is another one`(
    _ lazy: String, _ expected: String
  ) {
    let html = "<p>x<p><img src=small.jpg data-src='\(lazy)' alt=A>"
    #expect(Self.images(html).map(\.source) == [expected])
  }

  @Test func `a small preview is replaced by the lazily loaded file, and a large image is not`() {
    func source(_ length: Int) -> String? {
      let data = Self.png + String(repeating: "A", count: length)
      return Self.images("<p>x<p><img src='\(data)' data-src=real.png alt=A>").first?.source
    }
    #expect(source(1000) == "real.png")
    #expect(source(8000)?.hasPrefix("data:") == true)
  }

  @Test func `a copy in noscript of an image in a link is left out`() {
    let link = "<a href=big.jpg><img src=data:, data-src=real.jpg alt=''></a>"
    for copy in ["<img src=real.jpg alt=''>", "<a href=big.jpg><img src=real.jpg></a>"] {
      let images = Self.images("<p>x<figure>\(link)<noscript>\(copy)</noscript></figure>")
      #expect(images.map(\.source) == ["real.jpg"])
    }
  }

  @Test func `an image is shown again after a link with a drawing`() {
    let image = "<img src=a.jpg alt=New>"
    let link = "<a href=b><svg><title>Map</title></svg></a>"
    let images = Self.images("<p>Go \(image)\(link)\(image) so")
    #expect(images.map(\.alternativeText) == ["New", "Map", "New"])
  }

  @Test func `an image in noscript replaces a preview`() {
    for tag in ["<img src='\(Self.png)' alt=A>", "<img src='data:image/gif;base64,R0lG' alt=A>"] {
      let html = "<p>x<p>\(tag)<noscript><img src=real.jpg alt=A></noscript>"
      #expect(Self.images(html).map(\.source) == ["real.jpg"])
    }
  }

  @Test func `a lazily loaded image replaces a smaller version of it`() {
    func sources(_ first: String, between: String = "", _ after: String) -> [String] {
      let lazy = "<img data-src='max/800/1a.png'>"
      return Self.images(
        "<p>x<figure><div><img src='\(first)'>\(between)\(lazy)\(after)</div>"
          + "<figcaption>A harbour</figcaption></figure>"
      ).map(\.source)
    }
    let copy = "<noscript><img src='max/800/1a.png'></noscript>"
    #expect(sources("max/30/1a.png?q=20", between: "<canvas></canvas>", copy) == ["max/800/1a.png"])
    #expect(sources("max/30/2a.png", copy) == ["max/30/2a.png", "max/800/1a.png"])
    #expect(sources("other/1a.png", "") == ["other/1a.png", "max/800/1a.png"])
  }

  @Test(arguments: [("data-w=1080", 1), ("data-w=16", 0), ("", 0)] as [(String, Int)])
  func `a lazily loaded image may name the width of its file`(
    _ attributes: String, _ count: Int
  ) {
    let html = "<p>x</p><p><img data-src='https://b.test/640?fmt=png' \(attributes)></p><p>y"
    #expect(Self.images(html).count == count)
  }

  @Test func `a data: URL with a drawing is an image if it has an alternative text`() {
    let svg = "data:image/svg+xml,%3Csvg%3E%3Cpath d='M0'/%3E%3C/svg%3E"
    #expect(
      Self.images("<p>x<p><img src=\"\(svg)\" alt=Chart>").first?.source.hasPrefix("data:") == true)
  }
}
