import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The text shown for a page that hides its text until a script shows it.
@Suite struct HiddenTextTests {
  private static func text(_ count: Int, _ word: String) -> String {
    (1...count).map { "\(word)\($0)" }.joined(separator: " ")
  }

  private static func text(_ page: String) -> String {
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.content
  }

  private static let hidden = "<p>\(text(40, "late"))</p>"

  @Test(arguments: [
    "<div style='display:none'>\(hidden)</div>",
    "<div style='visibility: hidden'>\(hidden)</div>",
    "<style>.later { display: none }</style><div class=later>\(hidden)</div>",
    "<style>#app { visibility: hidden }</style><div id=app>\(hidden)</div>",
    // Most of its text is hidden by a nested element.
    "<div style='display:none'><h2>a</h2><div style='display:none'>\(hidden)</div></div>",
    // Some of its text is visible.
    "<div style='visibility:hidden'>\(hidden)<b style='visibility:visible'>seen</b></div>",
    "<ul><li style='display:none'>\(hidden)</ul>",
    "<table><tr><td style='display:none'>\(hidden)</table>",
    "<span style='display:none'>\(text(40, "late"))</span>",
    // More text is shown, but it is navigation.
    "<nav>\(text(80, "menu"))</nav><footer>\(text(80, "foot"))</footer>"
      + "<div style='display:none'>\(hidden)</div>",
  ])
  func `hidden text is shown on a page with hardly any visible text`(page: String) {
    #expect(Self.text("<p>wait</p>" + page).contains("late40"))
  }

  @Test func `on a page with more visible text, four times as much must be hidden`() {
    let shownParagraph = "<p>\(Self.text(100, "shown"))</p>"
    for (count, isShown) in [(250, false), (350, true)] {
      let page =
        shownParagraph + "<div style='display:none'><p>\(Self.text(count, "late"))</p></div>"
      #expect(Self.text(page).contains("late\(count)") == isShown, "\(count)")
    }
  }

  @Test(arguments: [
    "<div style='display:none'>\(hidden)</div><button>Read more</button>",
    "<div hidden>\(hidden)</div><p><a href='#'>Show more …</a></p>",
    "<span>…</span><span style='display:none'>\(hidden)</span><button>READ MORE</button>",
    "<div><p>a</p><div hidden>\(hidden)</div></div><a href=javascript:x()>Weiterlesen</a>",
    "<div class=more><button>続きを読む</button></div><div hidden>\(hidden)</div>",
    "<div hidden>\(hidden)</div><span role=button>Continue reading</span>",
    "<div hidden>\(hidden)</div><button>Selengkapnya</button>",
    "<button>Развернуть ▾</button><div hidden>\(hidden)</div>",
    "<div hidden>\(hidden)</div><button>Lire l’article complet</button>",
  ])
  func `the hidden rest of a text beside a control that continues it is shown`(_ part: String) {
    let shownParagraph = "<p>\(Self.text(100, "shown"))</p>"
    #expect(Self.text(shownParagraph + part + shownParagraph).contains("late40"))
  }

  @Test(arguments: [
    "<input type=button value=Spoiler onclick=\"this.nextSibling.style.display=''\">",
    "<p><a href=# onclick='toggle(this.parentNode.nextSibling)'>[+]</a></p>",
  ])
  func `text that the script of a control beside it shows is not hidden`(_ control: String) {
    let shown = "<p>\(Self.text(100, "shown"))</p>"
    let part = "\(control)<div style='display:none'>\(Self.hidden)</div>"
    #expect(Self.text(shown + part + shown).contains("late40"))
    let form = part.replacing("</div>", with: "<input></div>")
    #expect(!Self.text(shown + form + shown).contains("late40"))
    let other = part.replacing("onclick", with: "onfocus")
    #expect(!Self.text(shown + other + shown).contains("late40"))
  }

  @Test func `the styles of a page in a frame apply if the page has no other text`() {
    let frame = "<style>.h{display:none}</style><p class=h>preheader</p><p>Dear reader</p>"
    #expect(Self.text("<iframe srcdoc=\"\(frame)\"></iframe>") == "Dear reader")
  }

  @Test(arguments: [
    "<div hidden>\(hidden)</div><a href=/page>Read more</a>",
    "<div hidden>\(hidden)</div><button>Close</button>",
    "<div hidden>\(hidden)</div><p>Between</p><button>Read more</button>",
    "<nav hidden>\(hidden)</nav><button>More</button>",
    "<div class=cookie-notice hidden>\(hidden)</div><button>Read more</button>",
    "<div hidden><a href=/1>late40</a> <a href=/2>late late late late late late</a></div>"
      + "<button>Show more</button>",
  ])
  func `other hidden elements beside controls stay hidden`(_ part: String) {
    let shownParagraph = "<p>\(Self.text(100, "shown"))</p>"
    #expect(!Self.text(shownParagraph + part + shownParagraph).contains("late40"))
  }

  @Test(
    arguments: [
      ("<h4><a href=#c>Group</a></h4><div id=c style='display:none'>\(hidden)</div>", true),
      ("<ul><li><a href=#c>Tab</a></ul><div><div id=c hidden>\(hidden)</div></div>", true),
      ("<div><a href=#c>Word</a></div><div id=c hidden>late40</div>", true),
      ("<p>Word <a href=#c>1</a></p><div id=c hidden>late40</div>", false),
      ("<a href=/c#c>Page</a><div id=c hidden>\(hidden)</div>", false),
      ("<a href=#c>Terms</a><div id=c class=modal hidden>\(hidden)</div>", false),
      ("<a href=#c>Menu</a><nav id=c hidden>\(hidden)</nav>", false),
      (
        "<ul><li><a href=#c>Log in</a></ul><div><div id=c hidden>\(hidden)<input></div></div>",
        false
      ),
    ] as [(String, Bool)])
  func `a closed panel that a link within the page opens is shown`(_ part: String, isShown: Bool) {
    let shownParagraph = "<p>\(Self.text(100, "shown"))</p>"
    #expect(Self.text(shownParagraph + part + shownParagraph).contains("late40") == isShown)
  }

  @Test(
    arguments: [
      ("<button onclick=\"show(event, 'c')\">Tab</button>", true),
      ("<h3 onclick='toggle(&quot;c&quot;)'>Group</h3>", true),
      ("<a href=\"javascript:toggle('c')\">Group</a>", true),
      ("<a href='#' onclick='toggle(\"#c\"); return false'>Group</a>", true),
      ("<a href='#c' onclick='count(\"tabs\")'>Tab</a>", true),
      ("<button data-bs-toggle=tab data-bs-target='#c'>Tab</button>", true),
      ("<div data-toggle=collapse data-target='#c'>Group</div>", true),
      ("<button onclick='show(c)'>Tab</button>", false),
      ("<button onclick=\"show('cd')\">Tab</button>", false),
      ("<a href='/c' title=\"'c'\">Page</a>", false),
      ("<button data-target=c>Tab</button>", false),
    ] as [(String, Bool)])
  func `a closed panel that the script of a control names is shown`(
    _ control: String, isShown: Bool
  ) {
    let shown = "<p>\(Self.text(100, "shown"))</p>"
    let page = "\(shown)<div>\(control)</div>\(shown)<div id=c hidden>\(Self.hidden)</div>"
    #expect(Self.text(page).contains("late40") == isShown)
    let dialog = page.replacing("id=c", with: "id=c class=modal")
    #expect(!Self.text(dialog).contains("late40"))
  }

  @Test(
    arguments: [
      ("<button aria-expanded=false>Size</button><div hidden>late40</div>", true),
      ("<h3><span role=button aria-expanded=false>Size</span></h3><div hidden>late40</div>", true),
      ("<dl><dt>Size<dd style='display:none'>late40</dl>", true),
      ("<h3>Does it float?</h3><div hidden>\(hidden)<button>Copy</button></div>", true),
      ("<div class=faq-title>Floating</div><div hidden>late40</div>", true),
      ("<div class=accordion><h3>Floating</h3>\n<div hidden>late40</div></div>", true),
      (
        "<button aria-controls=c>A</button><div id=c hidden>\(hidden)<button>b</button></div>", true
      ),
      ("<div class=spoiler>Plot: <div hidden>late40</div></div>", true),
      ("<div class=bbCodeSpoiler><button>Plot</button><div hidden>late40</div></div>", true),
      ("<input type=button value=Show><div class=spoiler hidden>late40</div>", true),
      ("<div><input type=hidden name=a><div class=spoiler hidden>late40</div></div>", false),
      ("<div>Спойлер: конец</div><div hidden>late40</div>", true),
      ("<div>ネタバレ</div><div hidden>late40</div>", true),
      ("<p><b>Spoiler:</b> <input type=button></p><div><div hidden>late40</div></div>", true),
      ("<h3>Does it float?</h3><div><div hidden>late40</div></div>", true),
      ("<p>Do you agree?</p><div class=popup><div hidden>late40</div></div>", false),
      ("<h3>Does it float?</h3><div><p>No.</p><div hidden>late40</div></div>", false),
      ("<h3>Floating</h3><div hidden>late40</div>", false),
      ("<button>Send</button><div hidden>late40</div>", false),
      (
        "<button aria-expanded=false>Share</button><div hidden><button>late40</button></div>", false
      ),
      ("<button aria-expanded=false>Menu</button><ul hidden><li><a href=x>late40</a></ul>", false),
      ("<p>Do you agree?</p><div hidden>late40 <input></div>", false),
      ("<p>Do you agree?</p><div class=error hidden>late40</div>", false),
    ] as [(String, Bool)])
  func `a closed panel directly after its label is shown`(_ part: String, isShown: Bool) {
    let shown = "<p>\(Self.text(100, "shown"))</p>"
    #expect(Self.text(shown + part + shown).contains("late40") == isShown)
  }

  @Test(arguments: [
    "<div hidden>\(hidden)</div>", "<template>\(hidden)</template>",
    "<div style='display:none'>\(text(10, "late"))</div>",
    "<nav style='display:none'>\(hidden)</nav>",
    "<div class=cookie-banner style='display:none'>\(hidden)</div>",
    "<div id=menu><div style='display:none'>\(hidden)</div></div>",
    "<div role=dialog style='display:none'>\(hidden)</div>",
    "<div style='display:none'>" + String(repeating: "<a href=x>late one</a> ", count: 40)
      + "</div>",
  ])
  func `hidden elements that are not content stay hidden`(page: String) {
    #expect(Self.text("<p>wait</p>" + page) == "wait")
  }

  @Test func `small hidden parts next to large ones stay hidden`() {
    let page =
      "<p>wait</p><div style='display:none'>\(Self.hidden)</div>"
      + "<p style='display:none'>failed to load"
    let text = Self.text(page)
    #expect(text.contains("late40") && !text.contains("failed"))
  }

  @Test func `a page whose text is all hidden is shown as it is`() {
    let page = "<div style='display:none'>Two words <p style='visibility:hidden'>more</div>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content == "Two words\nmore" && document.blockFolds == [])
  }

  @Test func `revealed blocks are recorded, and blocks before the main content fold`() {
    func document(_ page: String) -> Document {
      Document(bytes: Array(page.utf8), mediaType: "text/html")
    }
    let plain = document("<p>wait<div style='display:none'>\(Self.hidden)</div><p>end")
    #expect(plain.blockFolds == [Document.BlockFold(1..<2, .revealed)])
    let main = document(
      "<nav>a</nav><div style='display:none'><p>top</p><main><h1>T</h1>\(Self.hidden)</main></div>")
    #expect(main.mainContentBlock == 2 && main.blockFolds.map(\.blocks) == [1..<2, 2..<4])
    #expect(document("<p>text").blockFolds == [])
    let reader = Document(
      bytes: Array("<p>wait<div style='display:none'>\(Self.hidden)</div>".utf8),
      mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect(
      reader.readerFacts?.contentSource == .hiddenText
        || reader.readerFacts?.contentSource == .wholePage)
  }

  @Test func `the cost of nested hidden elements is bounded`() {
    let page =
      "<p>wait</p>" + String(repeating: "<div style='display:none'>", count: 400) + Self.hidden
      + String(repeating: "<p>more words</p>", count: 2000)
    #expect(Self.text(page) == "wait")
    let many = "<p>wait</p>" + String(repeating: "<i style='display:none'>a</i>", count: 20_000)
    #expect(!Self.text(many).isEmpty)
  }

  @Test(arguments: [
    ("class=h", "class=v"), ("style='visibility:hidden'", "style='visibility:visible'"),
  ])
  func `visible text in nested invisible elements of a large page is shown`(
    _ invisible: String, _ visible: String
  ) {
    let nested = String(
      repeating: "<div \(invisible)>x" + String(repeating: "<b></b>", count: 100), count: 50)
    let page =
      "<style>.h{visibility:hidden}.v{visibility:visible}</style><p>\(Self.text(1000, "seen"))</p>"
      + nested
    #expect(Self.text(page + "<p \(visible)>deep</p>").hasSuffix("deep"))
    #expect(!Self.text(page + "<p \(visible)>deep</p>").contains("x"))
    #expect(Self.text(page + "<p>deep</p>").hasSuffix("seen1000"))
  }

  @Test(
    arguments: [
      ("<span aria-hidden=true>$5</span><span class=sr-only>5 dollars</span>", "5 dollars"),
      (
        "<span class=a-offscreen>$5.99</span><span aria-hidden=true>$<b>5</b><sup>99</sup></span>",
        "$5.99"
      ),
      (
        "<span aria-hidden=true>A text.</span> <span class='x visually-hidden'>A text.</span>",
        "A text."
      ),
      (
        "<span aria-hidden=true>A longer text that is shown</span><span class=sr-only>one</span>",
        "A longer text that is shown one"
      ),
      ("<b>News<span class=sr-only>opens a window</span></b>!", "News opens a window!"),
      ("<span class=sr-only>Share on</span><b>Island</b>", "Share on Island"),
      ("1 ship<span class=sr-only>s</span>", "1 ships"),
      ("<span aria-hidden=true>one</span> and <span class=sr-only>two</span>", "one and two"),
      ("<span aria-hidden=true>★★★★☆</span><span class=sr-only>4 of 5</span>", "4 of 5"),
      ("<span aria-hidden=true>$15</span> <span class=sr-only>5 dollars</span>", "$15 5 dollars"),
      (
        "<span aria-hidden=true>Menu</span><span class=sr-only>(opens in a new window)</span>",
        "Menu (opens in a new window)"
      ),
      ("<span aria-hidden=true>$5</span><span class=sr-only hidden>5 dollars</span>", "$5"),
      (
        "<style>.sr-only { display: none }</style><span aria-hidden=true>$5</span>"
          + "<span class=sr-only>5 dollars</span>", "$5"
      ),
      ("<span aria-hidden=true>one</span><span class=not-sr-only>two</span>", "onetwo"),
      (
        "<b>3<i class=sr-only> loaves</i> </b> <span aria-hidden=true>loaves</span>", "3 loaves"
      ),
      ("<b>3<i class=sr-only> pounds</i></b> <span aria-hidden=true>£</span>", "3 pounds £"),
      (
        "<b>3<i class=sr-only> loaves</i> left</b> <span aria-hidden=true>loaves</span>",
        "3 loaves left loaves"
      ),
      ("<b>3<i class=sr-only> tins</i></b> <span aria-hidden=true>loaves</span>", "3 tins loaves"),
      (
        "<span aria-hidden=true>$5</span><span style='\(clippedStyle)'>5 dollars</span>",
        "5 dollars"
      ),
      (
        "<span aria-hidden=true>$5</span> <span style='position: absolute; border-width: 1px; "
          + "clip: rect(0, 90px, 20px, 0)'>5 dollars</span>", "$5 5 dollars"
      ),
    ] as [(String, String)])
  func `a text for screen readers replaces the visible text that it repeats`(
    _ markup: String, _ shown: String
  ) {
    #expect(Self.text("<p>" + markup) == shown)
  }

  private static let clippedStyle =
    "position: absolute; width: 1px; height: 1px; clip: rect(0px, 0px, 0px, 0px)"

  @Test(arguments: ["class=sr-only", "style='\(clippedStyle)'"])
  func `reader view leaves out short texts for screen readers`(_ attribute: String) {
    let paragraph = "<p>The bay was surveyed in spring, when the ice was gone and boats came.</p>"
    let sentence = "<p>A <a href=x>court<span \(attribute)>, opens new tab</span></a> said so.</p>"
    let article = "<article>\(paragraph)\(sentence)\(paragraph)</article>"
    #expect(readerText(ofBody: article, title: "The bay").contains("A court said so."))
  }

  @Test(
    arguments: [
      ("<p>Acme<p>Globex<p aria-hidden=true>Acme<p aria-hidden=true>Globex", "Acme Globex"),
      ("<div><p>Acme</div><div class=b aria-hidden=true><p>Acme</div>", "Acme"),
      (
        "<p class=slick-cloned aria-hidden=true>Bee<p>Ant<p aria-hidden=true>Bee"
          + "<p class=slick-cloned aria-hidden=true>Ant", "Ant Bee"
      ),
      (
        "<table><thead aria-hidden=true><tr><th>Port<thead><tr><th>Port<tbody><tr><td>Ely</table>",
        "Port Ely"
      ),
      ("<span>Our</span> <span aria-hidden=true>Our</span> word", "Our word"),
      // These are not the same, or nothing else shows them.
      ("<p>Acme<p aria-hidden=true>Globex", "Acme Globex"),
      ("<p aria-hidden=true>Acme<p aria-hidden=true>Acme", "Acme Acme"),
      ("<p hidden>Acme<p aria-hidden=true>Acme", "Acme"),
      ("<div><p hidden>Acme</div><div aria-hidden=true><p>Acme</div>", "Acme"),
      ("<p class=clone aria-hidden=true>Acme<p hidden aria-hidden=true>Acme", "Acme"),
      ("<p><script type=a>Acme</script><p aria-hidden=true><b>Acme</b>", "Acme"),
      ("<a href=a>More</a> <a href=b aria-hidden=true>More</a>", "More More"),
      ("<b>/</b> a <b aria-hidden=true>/</b>", "/ a /"),
    ])
  func `copies of elements that screen readers skip are left out`(_ markup: String, shown: String) {
    #expect(Self.text(markup).split(whereSeparator: \.isWhitespace).joined(separator: " ") == shown)
  }

  @Test(arguments: [20, 60]) func `only short texts for screen readers replace a text`(count: Int) {
    let long = Self.text(count, "word")
    let page = "<p><span aria-hidden=true>\(long)</span> <span class=sr-only>\(long)</span>"
    #expect(Self.text(page) == (count == 20 ? long : "\(long) \(long)"))
  }

  @Test func `nested texts that screen readers skip stay`() {
    let page =
      "<p>" + String(repeating: "<span aria-hidden=true>a", count: 200)
      + String(repeating: "</span><span class=sr-only>b</span>", count: 200)
    let text = Self.text(page)
    #expect(text.count { $0 == "a" } == 200 && text.count { $0 == "b" } == 200)
  }

  @Test func `table cells by style are separated, and rows are lines`() {
    let page = """
      <style>.r { display: table-row } .c { display: table-cell }</style>
      <div>B<span class=r><span class=c>one</span><span class=c>two</span></span>\
      <span class=r><span class=c>three</span>four</span></div>
      """
    #expect(
      Self.text(page).split(separator: "\n").map(String.init) == ["B", "one two", "three four"])
  }
}
