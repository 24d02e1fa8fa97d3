import Testing

/// Pages of a few dozen words, of which reader view shows the whole text.
@Suite struct ShortPageTests {
  @Test func `the cells of a notebook are kept`() {
    let text = readerText(
      ofBody: """
        <main><div class=cell><div class=md><h1>Tides</h1>
        <p>We read the gauge each hour, and the sea rose twice a day.</p></div></div>
        <div class=cell><div class=prompt>Read 1:</div><div><pre>gauge.read()</pre></div></div>
        <div class=cell><div class=prompt>Shown 1:</div><div><table><tr><th>hour<th>cm</tr>
        <tr><td>six<td>310</tr></table></div></div></main>
        """, title: "Tides")
    for part in ["twice a day", "Read 1:", "gauge.read()", "Shown 1:", "310"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `the schedule of an act is kept`() {
    let text = readerText(
      ofBody: """
        <div id=content><h1>Boats Act 1911</h1><p>1911 CHAPTER 4</p><h4>Registers</h4>
        <p>No person may sail a boat that is not in the register.</p>
        <p>The register is kept by the harbour master.</p><ol><li>first part</li><li>second part</ol>
        <dl><dt>“boat”</dt><dd>means a hull with a sail;</dd></dl>
        <p>Fees are <del>old</del> <ins>amended words</ins></p>
        <table><caption>Annex 2</caption><tr><th>Length<th>Dues</tr><tr><td>Short<td>10</tr></table>
        </div>
        """, title: "Boats Act 1911")
    for part in ["means a hull", "amended words", "Annex 2", "Dues", "Short"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  private static let post = """
    <h1>The kiln is hot</h1><p class=excerpt>And nothing cracked.</p></header>
    <section class=content>
    <p>After nine days the kiln is hot, and the first pots stand in it for the night.</p>
    <figure><img src=/k.jpg alt=Kiln><figcaption>The old door</figcaption></figure>
    <div class=button><a href=/plan.pdf>Fetch the drawing</a></div>
    <div class=file><div>Shelf list</div></div>
    <ol class=footnotes><li id=n1>Of Devon.</li></ol></section>
    """

  @Test func `files, notes and captions of a post are kept`() {
    let text = readerText(
      ofBody: "<main><article><header>\(Self.post)</article></main>", title: "The kiln is hot")
    for part in ["nothing cracked", "old door", "Fetch the drawing", "Shelf list", "Of Devon"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `content around the text of a short page is left out`() {
    let text = readerText(
      ofBody: """
        <main><article><nav><ul><li><a href=/>Start</a></li></ul></nav><header>\(Self.post)
        <div class=share-buttons><h3>Share this</h3><a href=/s>Tell friends</a></div>
        <div class=tags><a href=/t>pottery</a></div>
        <h3>Around the kiln</h3><ul><li><a href=/a>Older pots</a></li><li><a href=/b>Newer pots</a>
        </ul>
        <form><p>Your street</p><button>Send</button></form>
        <table><tr><td><a href=/x>Glazes</a><td><a href=/y>Clays</a></table>
        <div class=comments><p>Which clay was it?</p></div></article>
        <aside class=promo><p>Fired by hand since March</p></aside></main>
        """, title: "The kiln is hot")
    #expect(text.contains("nine days"))
    for part in [
      "Start", "Tell friends", "pottery", "Older pots", "Your street", "Send",
      "Glazes", "Which clay", "Fired by hand",
    ] {
      #expect(!text.contains(part), "\(part)")
    }
  }

  private static func report(_ text: String) -> String {
    readerText(
      ofBody: """
        <header><h1>On kilns</h1><p class=subtitle>A brief survey</p><p class=author>Ann Cole</p>
        <div class=abstract><div>Abstract</div><p>We lit forty kilns and timed them.</p></div>
        </header>
        <nav><ul><li><a href=#m>Method of it</a></li></ul></nav><h2 id=m>Method</h2>
        \(text)
        <ul><li>one</li></ul><table><tr><th>Kiln<th>min</tr><tr><td>A<td>4</tr></table>
        """, title: "On kilns")
  }

  @Test func `the abstract in the header of the title is kept`() {
    let text = Self.report("<p>All were cold.</p>")
    #expect(text.contains("forty kilns"))
    #expect(!text.contains("Ann Cole") && !text.contains("Method of it"))
  }

  @Test func `the subtitle and the abstract above a text are kept`() {
    let paragraph = "<p>All were cold in the morning, and we lit them again, with dry wood.</p>"
    let text = Self.report(String(repeating: paragraph, count: 12))
    #expect(text.contains("A brief survey") && text.contains("forty kilns"))
    #expect(!text.contains("Ann Cole"))
  }

  @Test func `a list of events below its heading is kept`() {
    let text = readerText(
      ofBody: """
        <header><a href=/>The Coast</a></header><main><article><h1>Storm live: ferries stopped</h1>
        <p>Follow the storm as it reaches the coast.</p><section><h2>Key events</h2>
        <ul><li><a href=#b1><time>11.50</time> Boats called back</a></li></ul></section>
        <div id=body><article id=b1><header><time>11.50</time><h2>Ferries stopped</h2></header>
        <p>All ferries to the islands are stopped until tomorrow morning, says the operator. Tickets
        remain valid for a week.</p></article><article id=b2><header><time>09.00</time>
        <h2>Bridge closed</h2></header>
        <p>The bridge is closed for lorries and for people on foot since
        eight, because the wind has reached force ten.</p></article></div></article></main>
        """, title: "Storm live: ferries stopped")
    #expect(text.contains("Key events") && text.contains("Boats called back"))
    #expect(!text.contains("The Coast"))
  }

  @Test func `a menu without links is one of dishes`() {
    let text = readerText(
      ofBody: """
        <nav><ul><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>Sport</a></ul></nav>
        <main><h1>Our menu</h1><div class=menu><h2>Starters</h2><ul class=menu-list>
        <li>Fish soup <span>5.50</span><li>Green salad <span>4.00</span></ul><h2>Mains</h2>
        <ul class=menu-list><li>Grilled trout with potatoes <span>15.00</span>
        <li>Vegetable stew <span>12.00</span></ul></div></main>
        <footer><p>Copyright 2026 Harbour inn.</p></footer>
        """, title: "Harbour inn")
    #expect(text.contains("Green salad 4.00") && text.contains("Grilled trout with potatoes"))
    #expect(!text.contains("Home"))
  }

  @Test func `the table of a product is kept with its heading`() {
    let text = readerText(
      ofBody: """
        <header><a href=/>Hut Shop</a><nav><ul><li><a href=/cart>Cart</a></ul></nav></header>
        <main><div class=product><h1>Brass valve</h1><p class=price>£9.00</p>
        <p>A valve of brass for boilers up to four bar.</p><form><button>Add to basket</button></form>
        <div class=panel><h2>Description</h2>
        <p>The seat can be changed without taking off the body, and
        the rings are in the box.</p></div><div class=panel><h2>Additional information</h2>
        <table class=shop_attributes><tr><th>Weight</th><td>0.4 kg</td></tr></table></div></div>
        </main>
        """, title: "Brass valve – Hut Shop", head: #"<meta property="og:type" content="product">"#)
    #expect(text.contains("Additional information") && text.contains("0.4 kg"))
    #expect(!text.contains("Add to basket") && !text.contains("Cart"))
  }

  @Test func `named symbols in a line of text are kept without images`() {
    let text = readerText(
      ofBody: """
        <main><h1>Line 7</h1><p>Valid from 10 December 2023</p><p>A: not on holidays</p>
        <section><h2>Weather</h2><ul class=days>
        <li><span>Mon</span><span role=img aria-label='Light rain'></span><span>12°</span></li>
        <li><abbr>Tue</abbr> <svg role=img><title>Sunny</title><path d=M></svg> <b>14°</b></li>
        <li><b>Wed</b> <a href=/w><svg role=img><title>Forecast</title></svg></a> <b>15°</b></li></ul>
        </section></main>
        """, title: "Line 7")
    #expect(text.contains("Light rain") && text.contains("Sunny") && text.contains("15°"))
    #expect(!text.contains("Forecast"))
  }

  @Test func `short answers right below their buttons are shown`() {
    let text = readerText(
      ofBody: """
        <main><h1>Ferry</h1><p>Here are the questions that people ask us about the ferry.</p>
        <h3><button aria-expanded=false aria-controls=c1>May dogs come?</button></h3>
        <div id=c1 hidden>Yes.</div>
        <button aria-controls=c2>And bicycles?</button><div id=c2 style='display:none'>
        <p>On deck.</p></div>
        <p>The ferry sails every hour from the old pier, in winter every two hours.</p>
        <button aria-controls=c3>Sort</button><div id=c3 hidden>Newest <button>Go</button></div>
        <p><button aria-controls=c4>Options</button> and more</p><div id=c4 hidden>Night mode</div>
        </main>
        """, title: "Ferry")
    #expect(text.contains("Yes.") && text.contains("On deck."))
    #expect(!text.contains("Newest") && !text.contains("Night mode"))
  }

  private static let signUp = """
    <aside class=sidebar><h3>Tide letter</h3><div class=newsletter><p>The tides of the week, by
    mail, every Monday morning.</p><form><input type=email><button>Send</button></form></div></aside>
    """

  @Test func `a text of one line is not replaced by the box of a side column`() {
    let body = "<h1>Quay shut</h1><p>The quay is shut.</p>"
    let text = readerText(
      ofBody: "<nav><a href=/>Home</a></nav><article>\(body)</article>\(Self.signUp)",
      title: "Quay shut")
    #expect(text.contains("The quay is shut.") && !text.contains("by mail"))
  }

  @Test func `a long text beside a short main element is shown`() {
    let paragraph = "<p>The gauge was read each hour, and the sea rose twice a day, as it does.</p>"
    let text = readerText(
      ofBody: "<main><h1>Tides</h1><p>Updated daily</p></main><div class=text>"
        + String(repeating: paragraph, count: 6) + "</div>", title: "Tides")
    #expect(text.contains("twice a day"))
  }

  @Test func `the text of a page is not its footer, even if that is longer`() {
    let text = readerText(
      ofBody: """
        <main><h1>Contact</h1><address>Harbour Office<br>12 Quay Street<br>12345 Porttown</address>
        <p>Phone: <a href=tel:+49123>+49 123 456</a></p><p>Fax: none</p><h2>Opening hours</h2>
        <p>Monday to Friday 9–17</p></main>
        <footer><p>© 2026 Harbour Office, a part of the Coast Group. All rights reserved.
        <a href=/privacy>Privacy</a> <a href=/terms>Terms</a></p></footer>
        """, title: "Contact")
    for part in ["12 Quay Street", "+49 123 456", "Fax: none", "Opening hours", "9–17"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("All rights reserved"))
  }

  @Test(
    arguments: [
      ("main", "Ferry late - News"), ("main", "News"), ("article", "News"),
    ] as [(String, String)])
  func `a short text is shown rather than a longer one beside it`(
    _ element: String, _ title: String
  ) {
    let text = readerText(
      ofBody: """
        <\(element)><h1>Ferry late</h1><p>The ferry was late.</p><p>Nobody knows why.</p></\(element)>
        <div class=widget><h2>About us</h2><p>We write about boats, harbours and other things that
        float on the sea, every day of the year.</p></div>
        """, title: title)
    #expect(text.contains("The ferry was late.") && text.contains("Nobody knows why."))
    #expect(!text.contains("We write about"))
  }

  @Test func `the first teaser of a page does not replace the other ones`() {
    let others = (1...6).map { number in
      "<div class=teaser><h2><a href=/\(number)>Pier \(number) is closed</a></h2><p>The harbour has"
        + " closed pier \(number) until the ice is gone, as it does each winter.</p></div>"
    }
    let text = readerText(
      ofBody: """
        <article><h1><a href=/0>Ferry late</a></h1><p>The ferry was late.</p></article>
        <div class=list>\(others.joined())</div>
        """, title: "News")
    #expect(text.contains("Pier 3 is closed"))
  }

  @Test(arguments: ["Topics", "Harbour office"])
  func `a short introduction does not replace the list of links below it`(_ title: String) {
    let links = (1...20).map { "<li><a href=/\($0)>Depth of pier \($0)</a></li>" }
    let text = readerText(
      ofBody: """
        <main><h1>Topics</h1><p>Choose a topic from this list.</p>
        <ul>\(links.joined())</ul></main>
        """, title: title)
    #expect(text.contains("Depth of pier 7"))
  }
}
