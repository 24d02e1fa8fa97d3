import DOM
import Document
import ReaderMode
import Testing

/// Elements that obstruct a text: dialogs, icons, spacers, and player settings.
@Suite struct PageDialogTests {
  private static let text = (0..<6).map { number in
    """
    <p>The harbour was surveyed in spring number \(number), when the ice had gone and the first boats came
    back, and two parties measured its depths with lead and line, as the rules of the river have it.</p>
    """
  }.joined()

  private func document(_ body: String, view: PageViewMode) -> Document {
    let html = "<!DOCTYPE html><title>Depths</title><body>\(body)</body>"
    return Document(bytes: Array(html.utf8), mediaType: "text/html", view: view)
  }

  private func plainText(_ document: Document) -> String {
    String(decoding: document.plainText, as: UTF8.self)
  }

  @Test(arguments: ["role=dialog", "role='alertdialog x' class=signup", "aria-modal=true"])
  func `dialogs are skipped in reader view, and the notice mentions them`(attributes: String) {
    let dialog = "<div \(attributes)><h2>Privacy</h2><p>We store cookies on your device.</p></div>"
    let body = "<article><h1>Depths</h1>\(Self.text)\(dialog)\(Self.text)</article>"
    let reader = document(dialog + body, view: .reader(ReaderOptions()))
    #expect(!plainText(reader).contains("cookies"))
    #expect(plainText(reader).contains("spring number 5"))
    #expect(reader.readerFacts?.omittedDialogCount == 2)
    #expect(reader.readerFacts?.notice?.contains("2 dialogs were skipped") == true)
    #expect(plainText(document(body, view: .page)).contains("cookies"))
  }

  @Test(arguments: [
    "<img src=a.png>", "<div><p><img src=a.png width=300></p></div>",
    "<figure><img src=a.png><figcaption>Read on with a subscription</figcaption></figure>",
  ])
  func `images of a dialog within the text are left out with it`(image: String) {
    for dialog in ["<div role=dialog>\(image)Subscribe</div>", "<dialog open>x\(image)</dialog>"] {
      let body = "<article><h1>Depths</h1>\(Self.text)\(dialog)\(Self.text)</article>"
      let reader = document(body, view: .reader(ReaderOptions()))
      #expect(reader.images.isEmpty && plainText(reader).contains("spring number 5"))
    }
  }

  @Test func `a dialog that contains the text of the page is kept`() {
    let body = "<p>Menu</p><div role=dialog><h1>Depths</h1>\(Self.text)</div>"
    let reader = document(body, view: .reader(ReaderOptions()))
    #expect(plainText(reader).contains("spring number 5"))
    #expect(reader.readerFacts?.omittedDialogCount == 0)
    #expect(reader.readerFacts?.notice == nil)
  }

  @Test func `icon names, spacers and player settings are not shown`() {
    let page = document(
      """
      <p>Turn <i class='material-icons x'>share</i>here</p><img src=/spacer.gif width=400 height=300>
      <img src=/i/transparent_1x1.png width=400 height=300><img src=/blank-page.png width=400 height=300>
      <iframe src='https://video.example/embed/abc?autoplay=0&amp;x=1'></iframe>
      """, view: .page)
    #expect(!plainText(page).contains("share"))
    #expect(page.images.map(\.source) == ["/blank-page.png"])
    #expect(plainText(page).contains("https://video.example/embed/abc\n"))
    #expect(page.links.map(\.target) == ["https://video.example/embed/abc?autoplay=0&x=1"])
  }

  @Test(arguments: [
    "<iframe src=about:blank data-src=part.html></iframe>", "<iframe data-src=part.html></iframe>",
    "<iframe src='' data-src=part.html></iframe>",
    "<object data=part.html>Your browser cannot show it.</object>", "<embed src=part.html>",
    "<object type='text/html; charset=utf-8' data=part.html></object>",
  ])
  func `a page within a page is a frame, whichever element contains it`(_ markup: String) {
    let page = document("<p>Text</p>" + markup, view: .page)
    #expect(page.links.map(\.target) == ["part.html"])
    #expect(page.links.map(\.kind) == [.frame])
    #expect(plainText(page).contains("part.html"))
  }

  @Test func `an embedded file that is not a page is a media link`() {
    let page = document(
      "<embed src=a.swf><object data=b.pdf type=application/pdf></object>", view: .page)
    #expect(page.links.map(\.kind) == [.media, .media])
  }
}
