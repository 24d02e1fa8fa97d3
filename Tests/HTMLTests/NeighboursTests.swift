import Document
import ReaderMode
import Testing

/// Other content in the element of the text of an article.
@Suite struct NeighboursTests {
  private static func paragraphs(_ subject: String, _ count: Int = 8) -> String {
    String(
      repeating: """
        <p>The \(subject) was old when the village was young, and nobody knew who had built it, but
        everybody had a story about it, and most of the stories were true.</p>
        """, count: count)
  }

  private static func text(_ body: String) -> String {
    let html = "<title>The old mill</title><body>\(body)</body>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(showsMetadata: false)))
    return String(decoding: document.plainText, as: UTF8.self)
  }

  @Test func `the next article on the same page is left out`() {
    let text = Self.text(
      """
      <main><article><h1>The old mill</h1>\(Self.paragraphs("mill"))</article>
      <article><h1>The new bridge</h1>\(Self.paragraphs("bridge"))</article></main>
      """)
    #expect(text.contains("The mill was old") && !text.contains("The bridge was old"))
  }

  @Test(
    arguments: [
      ("story", "<h1>The new bridge</h1>", false), ("post wide", "<h1>The new bridge</h1>", false),
      ("post", "<h2><a href=/bridge>The new bridge</a></h2>", false),
      ("post", "<h2>The new bridge</h2>", true), ("section", "<h1>The new bridge</h1>", true),
    ] as [(name: String, heading: String, isShown: Bool)])
  func `the next story in an element with the class of the first one is left out`(
    _ row: (name: String, heading: String, isShown: Bool)
  ) {
    let text = Self.text(
      """
      <main><div class='\(row.name)'><h1>The old mill</h1>\(Self.paragraphs("mill"))</div>
      <div class='\(row.name)'>\(row.heading)\(Self.paragraphs("bridge"))</div></main>
      """)
    #expect(text.contains("The mill was old"))
    #expect(text.contains("The bridge was old") == row.isShown)
  }

  @Test func `the parts of a text that are articles with headings stay`() {
    let text = Self.text(
      """
      <main><article class=part><h1>The old mill</h1>\(Self.paragraphs("mill"))</article>
      <article class=part><h2>Ten o'clock</h2>\(Self.paragraphs("flood", 2))</article>
      <article class=part><h2>Noon</h2>\(Self.paragraphs("storm", 2))</article></main>
      """)
    #expect(text.contains("The flood was old") && text.contains("The storm was old"))
  }

  @Test(arguments: [("", true), (" <a href=/more>Read more</a>", false)])
  func `the short updates of a live report stay`(_ row: (link: String, isShown: Bool)) {
    let updates = [
      "The level has fallen by half a metre within an hour, the office said in a statement.",
      "The coast road is open again for cars, but not for lorries, which must wait.",
      "The company cancelled all ferries until noon because the pier is under water.",
      "All schools in the town are closed, and the children may stay in the town hall.",
    ].enumerated().map {
      "<article class=update><h2>Update \($0)</h2><p>\($1)\(row.link)</p></article>"
    }
    let text = Self.text(
      """
      <main><article class=intro><h1>The old mill</h1>\(Self.paragraphs("mill"))</article>
      \(updates.joined())</main>
      """)
    #expect(text.contains("The mill was old"))
    #expect(text.contains("Update 3") == row.isShown)
    #expect(text.contains("coast road") == row.isShown && text.contains("ferries") == row.isShown)
  }

  @Test(arguments: ["Popular culture", "Related work", "Recommended routes"])
  func `a section of sentences with links stays`(heading: String) {
    let sentences = ["wheel", "sluice", "roof"].map {
      """
      <p>A <a href=/\($0)>song about the \($0)</a> is known by every child of the valley, and it is
      sung when the <a href=/b>first bread</a> of the year has been baked.</p>
      """
    }
    let text = Self.text(
      """
      <article><h1>The old mill</h1>\(Self.paragraphs("mill"))<h2>\(heading)</h2>
      \(sentences.joined())<h2>The end</h2>\(Self.paragraphs("oven", 2))</article>
      """)
    #expect(text.contains("song about the sluice") && text.contains("The oven was old"))
  }

  @Test func `entries with a heading and an image before the text stay`() {
    let entries = (1...9).map {
      """
      <div class=entry><img src=\($0).jpg><h2>Mill number \($0)</h2><p>It was built by the brother of
      miller \($0), who came from the hills.</p></div>
      """
    }
    let text = Self.text(
      """
      <article><h1>The old mill</h1><div class=entries>\(entries.joined())</div>
      \(Self.paragraphs("mill", 12))</article>
      """)
    #expect(text.contains("The mill was old") && text.contains("brother of miller 7"))
  }

  @Test func `related articles with excerpts are left out`() {
    let items = (1...4).map {
      "<h3><a href=/\($0)>Story number \($0) of the valley</a></h3><p>The fair came back, it says.</p>"
    }
    let text = Self.text(
      """
      <article><h1>The old mill</h1>\(Self.paragraphs("mill"))<h2>Related articles</h2>
      \(items.joined())</article>
      """)
    #expect(text.contains("The mill was old") && !text.contains("Story number 2"))
  }

  @Test func `the sections after a list of related links stay`() {
    let text = Self.text(
      """
      <article><h1>The old mill</h1>\(Self.paragraphs("mill"))<h2>See also</h2>
      <ul><li><a href=/a>Mills of the valley</a></li><li><a href=/b>Water wheels</a></li></ul>
      <h2>Sources [<a href=/edit>edit</a>]</h2>\(Self.paragraphs("archive"))</article>
      """)
    #expect(text.contains("The archive was old"))
  }

  @Test func `a gallery before the text is left out`() {
    let slides = (1...30).map {
      "<li class=slide><img src=\($0).jpg><p>The mill in picture \($0), seen from the river.</p></li>"
    }
    let text = Self.text(
      """
      <article><h1>The old mill</h1><ul class=slides>\(slides.joined())</ul>
      \(Self.paragraphs("mill", 12))</article>
      """)
    #expect(text.contains("The mill was old") && !text.contains("in picture 7"))
  }

  @Test func `the ingredients of a recipe stay although they are in an aside`() {
    let text = Self.text(
      """
      <article><h1>The old mill</h1>\(Self.paragraphs("cake", 3))<aside><h2>Ingredients</h2>
      <ul><li>200 g flour</li><li>3 eggs</li><li>1 pinch of salt</li></ul></aside>
      \(Self.paragraphs("oven", 3))</article>
      """)
    #expect(text.contains("Ingredients") && text.contains("3 eggs"))
  }

  private static func wallParagraphs(_ subject: String) -> String {
    (1...3).map { number in
      """
      <p>The \(subject) was old when the village was young, and number \(number) of its walls had been mended
      by the men of the valley each spring.</p>
      """
    }.joined()
  }

  private static let warning = "<p>Do not open the valve before the wheel has stopped.</p>"

  @Test(arguments: [
    "class='admonition note'", "class='x-aside x-aside--caution'", "class=info-box", "role=note",
    "class=Callout", "class='callout callout-danger'", "role=doc-tip",
    "class='admonition info'", "class='aside aside--tip'", "class=tip role=note",
    "class=correction", "class=key-points", "class=editors-note", "class=article-summary",
  ])
  func `a note or warning in an aside within the text stays`(attribute: String) {
    let note = "<aside \(attribute)>\(Self.warning)</aside>"
    for body in [
      "<article><h1>The old mill</h1>\(Self.wallParagraphs("mill"))\(note)\(Self.wallParagraphs("oven"))</article>",
      "<article><h1>The old mill</h1>\(Self.wallParagraphs("mill"))\(Self.wallParagraphs("oven"))\(note)</article>",
    ] {
      let text = Self.text(body)
      #expect(text.contains("valve") && text.contains("The oven was old"))
    }
  }

  @Test(arguments: [
    "<aside>\(warning)</aside>", "<aside class=author-info>\(warning)</aside>",
    "<aside class='note newsletter'>\(warning)</aside>",
    "<aside class=sidebar>\(warning)</aside>", "<aside class=banknote>\(warning)</aside>",
    "<aside class=author-summary>\(warning)</aside>",
    "<aside class=note><p><a href=/valve>Do not open the valve before that.</a></p></aside>",
    "<aside class=callout><p>Sign up to our newsletter about the valve.</p></aside>",
    "<aside class='alert alert-info'><p>We use cookies to count valve turns.</p></aside>",
    "<aside class=tip><p>Do you know more about the valve? Write to the editors.</p></aside>",
    "<aside class=info><p>Jane Doe writes about the valve in Oslo.</p></aside>",
    "</article><aside class=note>\(warning)</aside><article>",
  ])
  func `other asides within the text are left out`(aside: String) {
    let text = Self.text(
      """
      <article><h1>The old mill</h1>\(Self.wallParagraphs("mill"))\(Self.wallParagraphs("oven"))\(aside)</article>
      """)
    #expect(!text.contains("valve") && text.contains("The oven was old"))
  }
}
