import Document
import ReaderMode
import Testing

/// Numbers of pages and lines that a style puts into the margin.
@Suite struct MarginNumberTests {
  private func document(_ body: String, mediaType: String = "text/html") -> Document {
    let document = Document(bytes: Array(body.utf8), mediaType: mediaType)
    #expect(document.problems == [])
    return document
  }

  private func text(_ body: String, mediaType: String = "text/html") -> String {
    String(decoding: document(body, mediaType: mediaType).plainText.dropLast(), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("exam<span class=pagenum>[Pg 12]</span>ple of it", "example [Pg 12] of it"),
      ("exam<span class='x PageNum'><a id=p12>[12]</a></span>ple of it", "example [12] of it"),
      ("exam-<a class=pageno>12</a>ple of it", "exam-ple 12 of it"),
      ("exam<span role=doc-pagebreak>12</span>ple of it", "example 12 of it"),
      ("<i>exam<span class=pagenum>12</span>p</i>le of it", "example 12 of it"),
      ("exam<span class=pagenum>12</span>ple", "example 12"),
      ("exam<span class=pagenum>12</span>ple<br>of it", "example 12\nof it"),
      ("é<span class=pagenum>12</span>é a", "éé 12 a"),
      ("a<span class=pagenum>1</span>b<span class=pagenum>2</span>c d", "abc 1 2 d"),
    ] as [(String, String)])
  func `a page number within a word follows the word`(html: String, expected: String) {
    #expect(text("<p>\(html)</p>") == expected)
  }

  @Test func `page breaks of EPUB are page numbers`() {
    let html = "<p>exam<span epub:type='pagebreak' id='p12'>12</span>ple of it</p>"
    #expect(text(html, mediaType: "application/xhtml+xml") == "example 12 of it")
  }

  @Test(
    arguments: [
      ("the line is here<span class=linenum>5</span>", "the line is here 5"),
      ("Chapter I<span class=pagenum>7</span>", "Chapter I 7"),
      ("<span class=pagenum>[12]</span>The end", "[12] The end"),
      ("The <span class=pagenum>12</span> end", "The 12 end"),
      ("(<span class=pagenum>12</span>)", "(12)"), ("a<span class=pagenum>12</span>, b", "a 12, b"),
      ("漢字<span class=pagenum>12</span>漢字", "漢字 12 漢字"),
      ("exam<span class=pagenum><a href=#t>12</a></span>ple", "exam 12 ple"),
      ("exam<span class=pagenum>1<b hidden>2</b></span>ple of", "exam 1 ple of"),
      ("exam<span class=note>[1]</span>ple of it", "exam[1]ple of it"),
      ("exam<span class=pagenumbers>[1]</span>ple of it", "exam[1]ple of it"),
    ] as [(String, String)])
  func `spaces separate other page and line numbers from words`(html: String, expected: String) {
    #expect(text("<p>\(html)</p>") == expected)
  }

  @Test func `the anchors of a page number within a word stay in the word`() {
    let document = document(
      "<p>exam<span class=pagenum id=p12><a name=n12>[12]</a></span>ple of it</p>")
    #expect(document.anchors.map(\.name) == ["p12", "n12"])
    #expect(document.anchors.map(\.offset) == [4, 4])
  }

  @Test func `many page numbers in one word are all read`() {
    let html = String(repeating: "a<span class=pagenum>1</span>", count: 20_000)
    #expect(document("<p>\(html)b</p>").text.count > 40_000)
  }
}
