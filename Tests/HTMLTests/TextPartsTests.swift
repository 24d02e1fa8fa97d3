import Document
import Foundation
import ReaderMode
import Testing

/// Parts of long texts that do not read like prose: rows of code, verses, captions, labels.
@Suite struct TextPartsTests {
  private static let sentences = [
    "The flue was cold when I came in, and nobody had swept it since the autumn.",
    "My neighbour used wool and clay between two layers of planks.",
    "A curtain costs little, and it holds the warm air where people sit.",
    "The rule of the village was one kilowatt for ten square metres.",
    "Birch burns hot and fast, oak keeps the embers until the morning.",
    "Do not forget the floor: half of the loss goes through the boards.",
  ]

  private static func sentence(_ index: Int) -> String {
    "\(sentences[index % 6]) \(sentences[(index * 5 + 2) % 6])"
  }

  private static let paragraphs = (0..<10).map { "<p>\(sentence($0))</p>" }.joined()

  private static func paper(_ end: String) -> String {
    readerText(
      ofBody: """
        <header id=title-block-header><h1 class=title>On stoves</h1><p class=author>Ole Berg</p>
        <p class=date>2022-07-08</p><div class=abstract><div class=abstract-title>Abstract</div>
        <p>We lit ninety stoves and measured how long each took until the plate was warm.</p></div>
        </header>
        <nav id=TOC><ul><li><a href=#m>Method of it</a></li></ul></nav><h1 id=m>Method</h1>
        <p>All were cold, as usual.</p>\(paragraphs)\(end)
        """, title: "On stoves")
  }

  @Test func `the abstract of a paper is kept`() {
    let text = Self.paper("")
    #expect(text.contains("Abstract") && text.contains("ninety stoves"))
    #expect(!text.contains("Ole Berg"))
  }

  @Test func `a term stays with its definition`() {
    let text = readerText(
      ofBody: """
        <h1>On stoves</h1>\(Self.paragraphs)<dl id=identifiers><dt>Number:</dt><dd><a
        href=https://notes.test/12>12</a></dd><dt>Category:</dt><dd class=category>Standards
        Track</dd><dt>Published:</dt><dd class=published><time datetime=2026-05 class=published>May
        2026</time></dd><dt>Serial:</dt><dd>2070-1721</dd></dl>
        """, title: "On stoves")
    #expect(text.contains("Category:") == text.contains("Standards Track"))
    #expect(text.contains("Serial:") == text.contains("2070-1721"))
  }

  @Test func `a column that a button sorts keeps its name, without the text for screen readers`() {
    let paragraphs = (0..<3).map { "<p>\(Self.sentence($0))</p>" }.joined()
    let text = readerText(
      ofBody: """
        <h1>On stoves</h1>\(paragraphs)<table><thead><tr><th>Stove<th><button><span
        class=sr-only>Sort by</span> Minutes</button></thead><tbody><tr><td>Tall<td>four<tr><td>Low
        <td>nine</tbody></table>\(paragraphs)<p><button><span class=sr-only>Copy</span></button>
        """, title: "On stoves")
    #expect(text.contains("Minutes") && !text.contains("Sort by") && !text.contains("Copy"))
  }

  @Test(
    arguments: [
      ("<div>Bash</div><pre><code class=language-bash>light</code></pre>", false),
      ("<div>JavaScript</div><pre><code class=language-js>light</code></pre>", false),
      ("<p>Bash</p><pre><code class=language-bash>light</code></pre>", true),
      ("<div>Bash</div><pre><code class=language-js>light</code></pre>", true),
      ("<table><tr><th>A<th>B<tr><td>1<td><div>Bash</div><pre class=lang-bash>light</table>", true),
    ] as [(String, Bool)])
  func `the name of the language above code is left out`(_ code: String, _ isKept: Bool) {
    let text = readerText(
      ofBody:
        "<h1>On stoves</h1>\(Self.paragraphs)<div class=codeblock>\(code)</div>\(Self.paragraphs)",
      title: "On stoves")
    #expect(text.contains("light"))
    #expect((text.contains("Bash") || text.contains("JavaScript")) == isKept)
  }

  @Test func `code without visible text may end a page`() {
    let text = readerText(
      ofBody: "<h1>On stoves</h1>\(Self.paragraphs)<pre><span hidden>light</span></pre>",
      title: "On stoves")
    #expect(text.contains("Birch burns hot") && !text.contains("light"))
  }

  @Test(
    arguments: [
      (
        """
        <ul><li><a href=/y>Trees fall in the city</a></li>
        <li><a href=/z>Bridge is closed in the wind</a></li></ul>
        """, false
      ),
      ("<a href=/edit>Edit this part of the page</a>", true),
      ("<p><a href=/ole>Ole Berg</a></p><p><a href=/edit>Edit this part of the page</a></p>", true),
    ] as [(String, Bool)])
  func `the heading of a box whose links are left out is left out, too`(
    _ links: String, _ isKept: Bool
  ) {
    let box = "<div class=box><h2>More on chimneys</h2>\(links)</div>"
    let text = readerText(
      ofBody: "<article><h1>On stoves</h1>\(Self.paragraphs)\(box)\(Self.paragraphs)</article>",
      title: "On stoves")
    #expect(!text.contains("Trees fall") && !text.contains("Edit this"))
    #expect(text.contains("More on chimneys") == isKept)
  }

  @Test func `verses between kept blocks are kept`() {
    let text = Self.paper(
      """
      <ol><li>First example</li></ol><div class=line-block>Fog on the hill<br>and smoke below</div>
      <div class=columns><div><p>Left text.</p></div><div><p>Right text.</p></div></div>
      """)
    #expect(text.contains("Fog on the hill") && text.contains("smoke below"))
  }

  @Test func `the number of an entry is kept with it`() {
    let text = Self.paper(
      """
      <table><caption>Times</caption><tr><th>Stove<th>min</tr><tr><td>A<td>4</tr></table>
      <div id=refs class='references csl-bib-body' role=list><div id=ref-a class=csl-entry
      role=listitem><div class=csl-left-margin>[7] </div><div class=csl-right-inline>P. Halle,
      <em>Stoves</em>. Oslund, 1988.</div></div></div>
      """)
    #expect(text.contains("[7]") && text.contains("P. Halle"))
  }

  @Test func `captions between paragraphs are kept, but not those of other pages`() {
    let text = readerText(
      ofBody: """
        <div class=site><header><p><a href=/>Hut Diary</a></p></header><main><h1>The roof is done</h1>
        <div class='entry-content post-content'><p>After eleven weeks the roof is done, and the first
        rain stayed outside.</p><figure class='gallery columns-2'><figure class='image size-large'>
        <img width=1024 height=768 src=/a.jpg alt=''><figcaption>The old tiles</figcaption></figure>
        <figure class=image><img width=1024 height=768 src=/b.jpg alt=Ridge></figure>
        <figcaption>Two views</figcaption></figure>
        <p>My grandfather said that slate lasts, and he was right about most
        things.</p>\(Self.paragraphs)
        </div><div class=related><figure><img src=/c.jpg alt=''><figcaption>A new stove</figcaption>
        </figure>
        </div></main></div>
        """, title: "The roof is done – Hut Diary")
    #expect(text.contains("The old tiles") && text.contains("Two views"))
    #expect(!text.contains("A new stove"))
  }

  @Test(arguments: [
    "<figure><img src=/a.jpg alt=''><div class=caption>The old tiles</div></figure>",
    "<div class=photo><img src=/a.jpg alt=''><div class=photo-caption>The old tiles</div></div>",
    """
    <div class=wp-caption><a href=/a.jpg><img src=/a.jpg alt=''></a>
    <p class=wp-caption-text>The old tiles after the storm. Photo: <a href=/ole>Ole Berg</a></p></div>
    """,
  ])
  func `captions by name are kept between paragraphs`(_ image: String) {
    let text = readerText(
      ofBody: """
        <nav><a href=/>Hut Diary</a></nav><article><h1>The roof is done</h1>\(Self.paragraphs)
        \(image)<p>After eleven weeks the roof is done, and the first rain stayed outside.</p>
        \(Self.paragraphs)<div class=card><img src=/c.jpg alt=''><div class=caption>
        <a href=/stove>A new stove</a></div></div></article>
        """, title: "The roof is done")
    #expect(text.contains("The old tiles") && !text.contains("A new stove"))
  }

  private static func document(withLead lead: String) -> Document {
    let html = """
      <!DOCTYPE html><html lang=en><title>The roof is done</title><body>
      <nav><a href=/>Hut Diary</a></nav><main><h1>The roof is done</h1>\(lead)
      <div class=text>\(paragraphs)\(paragraphs)</div></main>
      """
    return Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "https://example.org/a/page.html",
      view: .reader(ReaderOptions(showsMetadata: false)))
  }

  private static func textWithLead(_ lead: String) -> String {
    String(decoding: document(withLead: lead).plainText, as: UTF8.self)
  }

  @Test(arguments: [
    """
    <figure><img src=/a.jpg alt=''><figcaption>The old tiles beside the door</figcaption></figure>
    """,
    "<div class=figure><img src=/a.jpg><p class=caption>The old tiles beside the door</p></div>",
    """
    <p class=lead>Slate and patience: how a family covered the hut before the winter.</p>
    <div class=photo><img src=/a.jpg><p class=photo-caption>The old tiles beside the door</p></div>
    """,
  ])
  func `the caption of the image between title and text is kept`(_ lead: String) {
    #expect(Self.textWithLead(lead).contains("The old tiles"))
  }

  @Test func `captions of several images between title and text are left out`() {
    let figures = (1...3).map {
      """
      <figure><img src=/\($0).jpg><figcaption>Hut number \($0) of the old tiles</figcaption></figure>
      """
    }
    #expect(!Self.textWithLead(figures.joined()).contains("of the old tiles"))
  }

  @Test func `the image between title and text is kept with its caption`() {
    let document = Self.document(
      withLead: """
        <figure><img src=/a.jpg alt=Roof width=800 height=600><figcaption>The old tiles beside the
        door</figcaption></figure>
        """)
    #expect(document.images.count == 1)
  }

  @Test func `times, servings and notes of a recipe are kept, but not its rating`() {
    let text = readerText(
      ofBody: """
        <article class='post entry'><header class=entry-header><h1 class=entry-title>Pea soup</h1>
        </header>
        <div class=entry-content>
        <p>This soup stands on the stove all day, and nobody has to look at it. It
        is better on the second day.</p>\(Self.paragraphs)<div class=recipe-container>
        <div class=recipe-card>
        <div class=float><div class=recipe-image><img width=150 height=150 src=/s.jpg alt=Soup>
        </div></div>
        <h2 class=recipe-name>Pea soup</h2><div class=recipe-rating><span>★</span>
        <div class=recipe-rating-details><span>4.8</span> from <span>12</span> votes</div></div>
        <div class=recipe-times-container><div><span class=recipe-details-label>Cook Time </span>
        <span class=recipe-time><span>2 hours</span></span></div><div class=recipe-servings-container>
        <span class=recipe-details-label>Servings </span><span>4</span> <span>people</span></div>
        </div>
        <div class=recipe-ingredients-container><h3>Ingredients</h3><div>
        <button>US Customary</button></div>
        <div><h4>For the soup</h4><ul class=recipe-ingredients><li class=recipe-ingredient>
        <span>500</span>
        <span>g</span> <span>dried peas</span></li><li class=recipe-ingredient><span>1</span>
        <span>onion</span></li></ul></div></div><div class=recipe-instructions-container>
        <h3>Instructions</h3><ul><li><div class=recipe-instruction-text><span>Soak the peas over
        night.</span></div></li><li><div class=recipe-instruction-text>
        <span>Boil with the onion for two
        hours.</span></div></li></ul></div><div class=recipe-nutrition-container><h3>Nutrition</h3>
        <span><span>Calories: </span><span>310</span><span>kcal</span></span></div>
        <div class=recipe-notes-container><h3>Notes</h3>
        <div class=recipe-notes>Salt at the end.</div></div>
        </div></div></div></article>
        """, title: "Pea soup - Hut Kitchen", head: "<meta property=og:type content=article>")
    for part in ["2 hours", "Servings", "Nutrition", "310", "Notes", "Salt at the end"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("12 votes") && !text.contains("US Customary"))
  }

  @Test func `all columns of a table of elements and the lists of parameters are kept`() {
    let rows = (0..<12).map {
      """
      <div class='col-first even'><code>int</code></div>
      <div class='col-second even'><code><a href=#m\($0)>meth\($0)</a>()</code></div>
      <div class='col-last even'><div class=block>Its temperature \($0).</div></div>
      """
    }
    let methods = (0..<12).map {
      """
      <li><section id=m\($0)><h3>meth\($0)</h3><div class=signature>public int meth\($0)()</div>
      <div class=block>\(Self.sentence($0))</div>
      <dl class=notes><dt>Parameters:</dt><dd><code>logs</code> - how many</dd></dl></section></li>
      """
    }
    let text = readerText(
      ofBody: """
        <header role=banner><nav><ul><li><a href=i>Overview</a></li><li>Class</li></ul></nav></header>
        <main role=main><div class=header><div class=sub-title>Package <a href=p>org.hut</a></div>
        <h1 class=title>Class Stove</h1></div><section>
        <div class=block>A stove that burns wood. It is not
        safe for use by several threads at a time.</div></section><ul><li>
        <section class=method-summary>
        <h2>Method Summary</h2><div class=summary-table>
        <div class='table-header col-first'>Modifier and Type</div>
        <div class='table-header col-second'>Method</div>
        <div class='table-header col-last'>Description</div>\(rows.joined())</div></section></li>
        <li><section><h2>Method Details</h2><ul>\(methods.joined())</ul></section></li></ul></main>
        """, title: "Stove (Hut API)")
    #expect(text.contains("\nmeth5()\n") && text.contains("Modifier and Type"))
    #expect(text.contains("Parameters:") && text.contains("how many"))
    #expect(!text.contains("Overview"))
  }

  @Test func `a line of code above its description is kept, and no button of a heading`() {
    let methods = (0..<12).map {
      """
      <details open><summary><section id=x\($0)><a class=src href=#s>Source</a>
      <h4>pub fn <a href=#m>meth\($0)</a>() -&gt; Self</h4></section></summary>
      <div class=docblock><p>\(Self.sentence($0))</p></div></details>
      """
    }
    let text = readerText(
      ofBody: """
        <nav class=sidebar><h2><a href=../hut>hut</a></h2></nav><main><div class=width>
        <section id=main-content class=content><div class=main-heading>
        <div class=rustdoc-breadcrumbs><a href=i>hut</a></div>
        <h1>Struct Stove<button>Copy item path</button></h1></div>
        <pre><code>pub struct Stove { pub logs: u32, }</code></pre>
        <details open><summary><span>Expand description</span></summary><div class=docblock>
        <p>A stove that burns wood.</p></div></details><h2 id=fields>Fields<a href=#fields>§</a></h2>
        <span id=l class=structfield><a href=#l>§</a><code>logs: <a href=#u>u32</a></code></span>
        <div class=docblock><p>How many.</p></div><h2>Implementations</h2><div><details open><summary>
        <section><a href=#s>Source</a><h3>impl <a href=#>Stove</a></h3></section></summary>
        <div class=impl-items>\(methods.joined())</div></details></div></section></div></main>
        """, title: "Stove in hut - Rust")
    #expect(text.components(separatedBy: "logs: u32").count == 3)
    #expect(!text.contains("Copy item path"))
  }

  @Test func `the names of speakers are kept above their lines`() {
    let speeches = (0..<14).map {
      """
      <A NAME=speech\($0)><b>\($0 % 2 == 0 ? "OLE" : "KARLA")</b></a><blockquote>
      <A NAME=\($0).1>\(Self.sentences[$0 % 6])</A><br>
      <A NAME=\($0).2>\(Self.sentences[($0 * 5 + 2) % 6])</A><br></blockquote>
      """
    }
    let text = readerText(
      ofBody: """
        <table><tr><td>The Hut</td></tr><tr><td><a href=index.html>Plays</a> | Act 1, Scene 1</td></tr>
        </table><H3>SCENE I. A hut.</h3>\(speeches.joined())<table><tr><td><a href=i>Plays</a></table>
        """, title: "SCENE I. A hut.")
    #expect(text.contains("OLE") && text.contains("KARLA"))
  }

  @Test func `the boxes of a task list are kept, and no other boxes`() {
    let text = readerText(
      ofBody: """
        <main><article><h1>On stoves</h1>\(Self.paragraphs)<ul class=contains-task-list>
        <li><input type=checkbox disabled checked> Stove is clean</li>
        <li><label><input type=checkbox>Lamp is hung</label></li></ul>
        <ul><li><input type=checkbox name=q> Send me the list</li></ul></article>
        </main>
        """, title: "On stoves")
    #expect(text.contains("[x] Stove is clean") && text.contains("[ ] Lamp is hung"))
    #expect(text.contains("Send me the list") && !text.contains("] Send me"))
  }

  private static func story(_ lead: String, below heading: String = "<h1>On stoves</h1>") -> String
  {
    let otherParagraphs = paragraphs.replacingOccurrences(of: "The", with: "That")
    return readerText(
      ofBody: """
        <header class=site-header><a href=/>Hut News</a><nav><ul><li><a href=/n>News</a></li><li>
        <a href=/s>Sport</a></li><li><a href=/a>About us</a></li></ul></nav></header>
        <div class=container><main><div class=top>\(heading)\(lead)</div>
        <div class=body>\(paragraphs)\(otherParagraphs)</div></main></div>
        <aside class=sidebar><h3>Most read</h3><ol><li><a href=/1>Old bridge closed until spring</a>
        </li><li><a href=/2>Market moves to the hall</a></li></ol></aside>
        <footer><a href=/c>Contact</a> <a href=/p>Privacy</a></footer>
        """, title: "On stoves - Hut News", head: "<meta property=og:title content='On stoves'>")
  }

  @Test(arguments: [
    "<p class=chapo>Nine villages agreed on a rule for all the chimneys.</p>",
    "<div class=dek>Nine villages agreed on a rule for all the <a href=/c>chimneys</a>.</div>",
    "<ul><li>One rule for all the chimneys</li><li>No fees for small huts</li></ul>",
    "<p class=standfirst>Nine villages agreed on a rule for all the chimneys</p>",
    "<div class=byline>By Ole Berg</div><div class=top__lead>Nine villages, one rule, no cold chimneys</div>",
    "<h3>Nine villages agreed on a rule for all the chimneys</h3>",
  ])
  func `the lead between title and text is kept`(lead: String) {
    #expect(Self.story(lead).contains("chimneys"))
  }

  @Test(arguments: [
    "<h2>On stoves</h2>", "<h2><span>Huts</span><span>On stoves</span></h2>",
    "<h1>On stoves<sup>1</sup></h1>",
  ])
  func `the lead is kept below a title of level 2 or with a note`(heading: String) {
    let lead = "<p class=standfirst>Nine villages agreed on a rule for all the chimneys</p>"
    #expect(Self.story(lead, below: heading).contains("chimneys"))
  }

  @Test(arguments: [
    "<p class=breadcrumb>You are here, on a page about the chimneys.</p>",
    "<p class=byline>By Ole Berg, who has swept chimneys since the war.</p>",
    "<p><a href=/c>All that we know of chimneys.</a></p>",
    "<ul><li><a href=/c>Chimneys, large and chimneys</a></li><li><a href=/d>Doors of huts</a></li></ul>",
    "<p>Chimneys</p>", "<div class=tags>We wrote of this under chimneys, doors and huts.</div>",
    "<div class=share>Please send this text on chimneys to all your friends.</div>",
    "<p class=subtitle>In chimneys and huts on 5 March 2026</p>",
    "<div class=lead-image><p>The oldest of the chimneys</p></div>",
    "<div class=newsletter__subtitle>Get all our texts on chimneys by mail</div>",
  ])
  func `other lines between title and text are not kept as a lead`(line: String) {
    #expect(!Self.story(line).lowercased().contains("chimneys"))
  }

  private static func article(_ part: String) -> String {
    readerText(
      ofBody: """
        <main><article><h1>On stoves</h1>\(paragraphs)\(part)
        <p>The last word of the sweep was that he would come again.</p></article></main>
        """, title: "On stoves")
  }

  @Test func `a post that is one link is kept within the text`() {
    let post = """
      <div class=tweet><a href=https://post.example/1><div class=head><span>Ole Berg</span>
      <span>@ole</span></div>The flue of the hut is open again.<div>9 March 2022</div></a></div>
      """
    #expect(Self.article(post).contains("open again"))
  }

  @Test func `a button for a quotation is not kept as a post`() {
    let quotation = """
      <div class=click-to-tweet><a href=https://post.example/share>The flue is open again</a>
      <a href=https://post.example/share>Click to tweet</a></div>
      """
    #expect(!Self.article(quotation).contains("open again"))
  }
}
