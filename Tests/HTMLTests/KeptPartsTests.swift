import DOM
import Document
import ReaderMode
import Testing

/// Parts that the reader view keeps between and above the paragraphs of a text.
@Suite struct KeptPartsTests {
  private static let text = (0..<6).map { number in
    """
    <p>The harbour was surveyed in spring number \(number), when the ice had gone and the first boats came
    back, and two parties measured its depths with lead and line, as the rules of the river have it.</p>
    """
  }

  private func read(_ body: String, title: String = "Depths of the harbour") -> Document {
    let html = "<!DOCTYPE html><title>\(title)</title><body>\(body)</body>"
    return Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "https://harbour.example/a",
      view: .reader(ReaderOptions(showsMetadata: false)))
  }

  private func plainText(_ document: Document) -> String {
    String(decoding: document.plainText, as: UTF8.self)
  }

  @Test func `the text of reader view names the images that are entries of a table`() {
    let row =
      "<td>Lead and line<td><a href=x><img src=y.png alt=Yes></a>"
      + "<td><img src=n.png alt=Spring><img src=n.png alt=Autumn>"
    let table = "<table><tr><th>Method<th>Harbour<th>Sea</tr><tr>\(row)</table>"
    let article = "<article>\(Self.text.joined())\(table)\(Self.text.joined())</article>"
    let text = readerText(ofBody: article, title: "Depths of the harbour")
    #expect(text.contains("Yes") && text.contains("Spring Autumn"))
  }

  @Test(arguments: [
    "<div><img src=/chart.png></div>",
    "<div><div><a href=/chart.png><img src=/chart.png></a></div></div>",
    "<div><p><img src=/chart.png></p></div>",
    "<div class=photo><picture><source srcset=/c.webp><img src=/chart.png></picture></div>",
    "<div><img src=/chart.png><div>Photo</div></div>",
    "<table><tr><td><img src=/chart.png></td></tr><tr><td>Chart of the harbour</td></tr></table>",
  ])
  func `an image in an element of its own is kept between paragraphs`(_ image: String) {
    let text = Self.text
    let document = read(
      "<article><h1>Depths of the harbour</h1>" + text[..<3].joined() + image
        + text[3...].joined() + "</article>")
    #expect(document.images.map(\.source) == ["/chart.png"])
    #expect(plainText(document).contains("spring number 5"))
  }

  @Test func `the image of an item is kept at the beginning of the item`() {
    let items = (0..<8).map { number in
      """
      <li class=feature><a href=/\(number)><img src=/\(number).png></a><h2>Station \(number)</h2>
      <p>Station number \(number) measures the depth of the water each quarter of an hour, day and night.</p>
      """
    }
    let document = read("<ul>" + items.joined() + "</ul>", title: "Stations")
    #expect(document.images.count >= 7)
  }

  @Test func `code and definitions above the text are kept with their headings`() {
    let synopsis =
      """
      <div class=refentry><div class=name><h2>DREDGE</h2><p>DREDGE — remove silt from a harbour</p></div>
      <div class=synopsis><h2>Synopsis</h2><pre>DREDGE [ ALL ] harbour [ TO depth ]</pre></div>
      <div class=section><h2>Description</h2>
      """
    let document = read(synopsis + Self.text.joined() + "</div></div>", title: "DREDGE")
    let text = plainText(document)
    #expect(text.contains("DREDGE [ ALL ] harbour [ TO depth ]"))
    #expect(text.contains("Synopsis"))
    #expect(text.contains("remove silt from a harbour"))
    #expect(text.contains("spring number 5"))
  }

  @Test(
    arguments: [
      ("pro<span hidden>x</span>cess", "process"),
      ("un<span style='display:none'>y</span>broken", "unbroken"),
      ("wo<script>1</script>rd", "word"), ("wo<link rel=x>rd", "word"),
      ("toge<span class=sr-only></span>ther", "together"),
      (
        "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>",
        "漢(kan)字(ji)"
      ),
      ("one<em><br></em>two", "one\ntwo"),
      ("w<span class=sr-only>letter</span>ord", "word"),
      ("<b>w</b><span class=sr-only>letter</span><i>ord</i>", "word"),
      ("<b>w<span class=sr-only>letter</span></b><i>ord</i>", "word"),
      ("read<span class=sr-only>, it says,</span> More", "read More"),
      ("Ida<span class=sr-only>, </span><b>Ole</b>", "Ida Ole"),
      ("<b>boats</b><span class=sr-only>, </span><b>news</b>", "boats news"),
      ("<b>boats</b><span class=sr-only> and </span><b>news</b>", "boats news"),
    ] as [(String, String)])
  func `an element without visible content within a word adds no space`(
    _ markup: String, _ word: String
  ) {
    let document = read(
      "<article><h1>Depths of the harbour</h1>"
        + "<p>So \(markup) was kept in the old books, which say it twice.</p>" + Self.text.joined()
        + "</article>")
    #expect(plainText(document).contains("So \(word) was"))
  }

  @Test(arguments: [
    "<div class=separator>* * *</div>", "<p class=scene-break>~</p>", "<center>***</center>",
    "<p class=break>⁂</p>",
  ])
  func `the ornament between two scenes is kept`(_ ornament: String) {
    let document = read(
      "<div class=chapter>" + Self.text[0] + ornament + "<p>Then she went.</p>" + Self.text[1]
        + "</div>", title: "Chapter 3")
    let lines = plainText(document).split(separator: "\n")
    let ornaments = lines.filter { !$0.contains(where: \.isLetter) }
    #expect(ornaments.count == 1, "\(lines)")
  }

  @Test(arguments: ["main", "article"])
  func `the images of a page without text are kept`(_ element: String) {
    let body =
      "<nav><a href=11>Back</a><a href=13>Next</a></nav><\(element)><h1>Drawing 12</h1>"
      + "<p><img src=/12.png alt='A boat'></p><figure><img src=/13.png></figure></\(element)>"
      + "<footer>About this page of drawings</footer>"
    let document = Document(
      bytes: Array("<!DOCTYPE html><title>Drawing 12</title><body>\(body)".utf8),
      mediaType: "text/html",
      view: .reader(ReaderOptions(showsMetadata: false, foldsNavigation: false)))
    #expect(document.images.map(\.source) == ["/12.png", "/13.png"])
    #expect(readerText(ofBody: body, title: "Drawing 12").contains("A boat"))
  }

  @Test func `a list of links with previews is no gallery`() {
    let items = (0..<12).map { number in
      "<li><img src=/\(number).png><h2><a href=/\(number)>Harbour \(number) has a new pier of"
        + " stone and wood</a></h2></li>"
    }
    let body = "<main><ul>" + items.joined() + "</ul></main>"
    let document = Document(
      bytes: Array("<!DOCTYPE html><title>News</title><body>\(body)".utf8),
      mediaType: "text/html",
      view: .reader(
        ReaderOptions(keepsMedia: false, showsMetadata: false, foldsNavigation: false)))
    #expect(document.images.isEmpty)
  }

  @Test func `the figures of teasers below a short text are left out`() {
    let teasers = (1...2).map { number in
      "<figure><a href=/\(number)><img src=/\(number).jpg></a>"
        + "<figcaption><a href=/\(number)>Pier \(number) is closed</a></figcaption></figure>"
    }
    let document = read(
      "<main><h1>Ferry late</h1><p>The ferry to the island was late on Monday because of the ice,"
        + " and nobody knows when it will go again.</p><section class=related><h2>More news</h2>"
        + teasers.joined() + "</section></main>", title: "Ferry late")
    #expect(document.images.isEmpty)
  }
}
