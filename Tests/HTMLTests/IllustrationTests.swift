import DOM
import ReaderMode
import Testing

@testable import Document

/// Images whose alternative text is empty or is repeated by the text beside them.
@Suite struct IllustrationTests {
  private func text(_ html: String) -> String {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.dump()
  }

  /// The number of image runs of a page.
  private func images(_ html: String) -> Int {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.runs.count { $0.image != nil }
  }

  @Test(arguments: [
    // Attachments, which are described by the names of their files.
    "<dl><dt><img src='/get?id=3' alt='gate.jpg'></dt><dd>gate.jpg (12 KiB)</dd></dl>",
    "<dl><dt><img src='/get?id=3' alt='DSC_0042.JPG'></dt><dd>DSC_0042.JPG (12 KiB)</dd></dl>",
    "<div><a href='/get?id=4'><img src='/get?id=3' alt='gate.jpg'> gate.jpg</a></div>",
    // Large images.
    "<div><img src=/a width=640 height=480 alt='The gate'></div><div>The gate at noon</div>",
    "<div><img src=/a width=640 height=480 alt='The gate'><br>The gate at noon</div>",
    "<p>Before <img src=/a width=640 height=480 alt='The gate'> The gate at noon</p>",
    "<p>A <a href=/gate.webp><img src=/a width=640 height=480 alt=gate><span>gate</span></a></p>",
  ])
  func `an image whose text is repeated is shown by its name`(html: String) {
    #expect(images(html) == 1)
  }

  @Test(arguments: [
    "<p><img src=/ida alt='Ida Holm'> Ida Holm</p>",
    "<p><img src=/ida width=48 height=48 alt='Ida Holm'> Ida Holm</p>",
    // The preview of a page.
    "<a href=/gate><img src=/a width=640 height=480 alt='The gate'><h2>The gate</h2></a>",
    // The name of a file within a line is a file icon.
    "<p>See <img src=/icon alt='gate.jpg'> gate.jpg</p>",
    "<h2><img src=/a width=640 height=480 alt='The gate'> The gate</h2>",
  ])
  func `an icon, a portrait or a preview whose text is repeated is left out`(html: String) {
    #expect(images(html) == 0)
  }

  @Test(arguments: [
    "<div role=button><img src=/a.jpg alt='' width=700 height=467></div>",
    "<button><img src=/a.jpg alt='' width=700 height=467></button>",
    "<button><span><img src=/a.jpg alt='' width=700 height=467></span></button>",
    "<figure><p role=button><b>Large</b> <img src=/a.jpg alt='' width=700 height=467></p></figure>",
    "<figure><div><img src=/a.jpg alt='' width=700 height=467> <b>Enlarge</b></div></figure>",
    "<figure><button>Enlarge <img src=/a.jpg alt='' width=700 height=467></button></figure>",
  ])
  func `a button that enlarges an image shows it`(html: String) {
    #expect(images(html) == 1)
    #expect(!text(html).contains("["))
  }

  @Test(arguments: [
    "<button><img src=/a.jpg alt='' width=40 height=40></button>",
    "<button>Search <img src=/a.jpg alt='' width=700 height=467></button>",
    "<div><img src=/a.jpg alt='' width=700 height=467></div>",
    "<figure><button><img src=/i.png alt='' width=40 height=40> Enlarge</button></figure>",
  ])
  func `an icon in a button and a decoration are left out`(html: String) {
    #expect(images(html) == 0)
  }

  @Test(
    arguments: [
      ("<p><img src=/DSC_0042.JPG></p>", 1), ("<center><img src=/a.jpeg></center>", 1),
      ("<p><picture><source srcset=/a.avif><img src=/a.webp></picture></p>", 1),
      ("<p><img data-src=/1.jpg>", 1), ("<p><span><img src=/1.jpg></span> <br></p>", 1),
      ("<p><img src=/a.gif></p>", 0), ("<p><img src=/divider.jpg></p>", 0),
      ("<p>Before <img src=/a.jpg> after</p>", 0), ("<p><img src=/a.jpg alt=''></p>", 0),
      ("<div><img src=/a.jpg></div>", 0),
    ] as [(String, Int)])
  func `a photograph without description or size is shown if it is all of a paragraph`(
    _ html: String, _ count: Int
  ) {
    #expect(images(html) == count)
  }

  @Test func `a no-break space beside an image does not hide it`() {
    let link = "<img alt=Dam src=/d.jpg width=300 height=200><span>&nbsp;</span>"
    let html = "<figure><a href=/f>\(link)</a><figcaption>Dam in winter</figcaption></figure>"
    #expect(images(html) == 1)
    #expect(text("<figure><a href=/f><img src=/i.png>&nbsp;12 km</a></figure>").contains("12 km"))
  }

  @Test(
    arguments: [
      ("src=/s.gif width=1 height=1 alt=spacer", 0), ("src=/spacer.gif alt='Spacer image'", 0),
      ("src=/count?id=2 alt='tracking pixel' style='width:1px;height:1px'", 0),
      // A product, a line, and a text for browsers without images.
      ("src=/phone.jpg width=300 height=300 alt=Pixel", 1),
      ("src=/s.gif width=400 height=1 alt='* * *'", 1),
      ("src=/s.gif width=1 height=1 alt='Skip to the text'", 1),
    ] as [(String, Int)])
  func `a spacer whose text only says so is left out`(_ attributes: String, _ count: Int) {
    #expect(images("<p>Before <img \(attributes)> after</p>") == count)
  }
}
