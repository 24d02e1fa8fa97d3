import DOM
import Document
import ReaderMode
import Testing

/// Content that component-based pages contain for scripts and styles to show: shadow trees, tab
/// panels, and elements that a text search opens.
@Suite struct ComponentTests {
  /// The text of each leaf block, separated by `|`.
  static func leaves(_ html: String) -> String {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    return document.blocks.filter { !$0.runs.isEmpty }
      .map { document.text(of: $0) }.joined(separator: "|")
  }

  @Test(arguments: [
    (
      "<p>a<x-card><template shadowrootmode=open><h2>In</h2><slot></slot></template><i>of</i></x-card>",
      "a|In|of"
    ),
    (
      "<x-a><template shadowrootmode=closed><p>Title: <slot name=t>none</slot><p><slot></slot></template>"
        + "text <b slot=t>Sea</b> more</x-a>", "Title: Sea|text more"
    ),
    ("<x-a><template shadowrootmode=open>x<slot>nobody</slot></template> </x-a>", "xnobody"),
    ("<x-a><template shadowmode=open><p>In <slot></slot></template>it</x-a>", "In it"),
    ("<x-a><template shadowrootmode=open>x</template>not shown</x-a>", "x"),
    (
      "<x-a><template shadowrootmode=open>x</template><template shadowrootmode=open>y</template></x-a>",
      "x"
    ),
    ("<x-a><template shadowrootmode=>x</template>y</x-a>", "y"),
    (
      "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>(<slot></slot>)</template>"
        + "<slot></slot></x-b></template>inner</x-a>", "(inner)"
    ),
    (
      "<x-a><template shadowrootmode=open><slot name=a></slot><slot name=a>second</slot></template>"
        + "<u slot=a>one</u><u slot=b>none</u></x-a>", "onesecond"
    ),
  ])
  func `shadow trees are shown with the content of their slots`(
    _ html: String, _ expected: String
  ) {
    #expect(Self.leaves(html) == expected)
  }

  @Test func `deeply nested shadow trees do not hang the parser`() {
    let depth = 2000
    let opening =
      "<x-a><template shadowrootmode=open><div><div><div><slot></slot></div></div></div>"
    let html =
      String(repeating: opening + "</template>", count: depth) + "end"
      + String(repeating: "</x-a>", count: depth)
    let others = String(repeating: opening, count: depth) + "end"
    for html in [html, others] {
      let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
      #expect(document.text.count <= html.utf8.count)
    }
  }

  private static let tabs =
    "<ul role=tablist><li role=tab aria-selected=true>Linux<li role=tab>Windows<li role=tab>macOS</ul>"

  @Test(arguments: [
    (
      tabs
        + "<div role=tabpanel>apt</div><div role=tabpanel hidden>winget</div><div role=tabpanel hidden>brew",
      "Linux|Windows|macOS|apt|Windows|winget|macOS|brew"
    ),
    (
      tabs
        + "<div><div role=tabpanel>apt</div><div role=tabpanel style='display: none'>winget</div></div>",
      "Linux|Windows|macOS|apt|Windows|winget"
    ),
    (
      tabs + "<div role=tabpanel>apt</div><div role=tabpanel>winget</div>",
      "Linux|Windows|macOS|apt|Windows|winget"
    ),
    (
      tabs + "<div role=tabpanel>apt</div><div role=tabpanel> <h3>Windows</h3>winget</div>",
      "Linux|Windows|macOS|apt|Windows|winget"
    ),
    (
      "<h3 role=tab>Linux</h3><div role=tabpanel>apt</div><h3 role=tab>macOS</h3><div role=tabpanel>brew",
      "Linux|apt|macOS|brew"
    ),
    ("<div role=tabpanel hidden>alone</div>", "alone"),
    (
      "<style>.off{display:none}</style>\(tabs)<div role=tabpanel>a</div><div role=tabpanel class=off>b",
      "Linux|Windows|macOS|a|Windows|b"
    ),
    ("<p>a<div hidden>\(tabs)<div role=tabpanel>b</div></div>", "a"),
    (
      "<p>a<div hidden=until-found>b</div><div hidden=hidden>c</div><div hidden=UNTIL-FOUND>d",
      "a|b|d"
    ),
    ("<div>Dear</div><div><br></div><div>second</div>", "Dear|second"),
  ])
  func `tab panels and elements hidden until found are shown`(_ html: String, _ expected: String) {
    #expect(Self.leaves(html) == expected)
  }

  @Test(arguments: [
    ("<li style='list-style: none'><span>•</span><div><p>cold</p></div>", "• cold"),
    ("<li style='list-style: none'><span>(iv)</span> <div>warm</div><p>more", "(iv) warm|more"),
    ("<li style='list-style: none'>2.1.<p>warm</p>", "2.1. warm"),
    ("<li style='list-style: none'>b)<div>warm</div><div>dry</div>", "b) warm|dry"),
    ("<li style='list-style: none'>Stove:<p>warm</p>", "Stove:|warm"),
    ("<li style='list-style: none'>I<p>warm</p>", "I|warm"),
    ("<li>(i)<p>warm</p>", "(i)|warm"),
  ])
  func `an item may have a marker of its own`(_ item: String, _ expected: String) {
    let document = Document(bytes: Array("<ul>\(item)</ul>".utf8), mediaType: "text/html")
    #expect(document.problems == [])
    let leaves = document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
    #expect(leaves.joined(separator: "|") == expected)
  }

  @Test(arguments: [
    ("<aside class=footnote><span>[<a>2</a>]</span><p>warm</p><p>more", "[2] warm|more"),
    (
      "<div class=footdef><sup><a>1</a></sup> <div class=footpara><p class=footpara>warm</p></div>",
      "1 warm"
    ),
    ("<div class=citation><span>[Knuth84]</span><p>warm</p></div>", "[Knuth84] warm"),
    ("<li role=doc-endnote>*<p>warm", "* warm"),
    ("<aside class=footnote>Note<p>warm", "Note|warm"), ("<aside>[2]<p>warm", "[2]|warm"),
  ])
  func `the label of a note is on the line of its text`(_ note: String, _ expected: String) {
    #expect(Self.leaves(note) == expected)
  }

  @Test(arguments: [
    ("<text><tspan x=0>warm air</tspan><tspan x=0>rises</tspan></text>", "warm air rises"),
    ("<text x=1>warm air<tspan x=1 dy=9>rises</tspan></text>", "warm air rises"),
    ("<text x=1>warm<tspan x=9>,</tspan> air</text>", "warm, air"),
    ("<text><tspan>w</tspan><tspan>a</tspan><tspan>y</tspan></text>", "way"),
    ("<text>wa<tspan class=b>rm</tspan> air<title>tip</title></text>", "warm air"),
    ("<text>warm</text><text>air</text>", "warm air"),
  ])
  func `lines of the text in a drawing are apart`(_ text: String, _ expected: String) {
    #expect(Self.leaves("<p>a <svg>\(text)</svg>") == "a " + expected)
  }

  @Test(arguments: [
    ("a<sup><a href=#a>1</a></sup><sup><a href=#b>2</a></sup> b", "a1 2 b", "12"),
    ("10<sup>6</sup><a href=#b><sup>7</sup></a>", "106 7", "67"),
    ("10<sup>6</sup><sup>7</sup>", "1067", "67"),
    ("in 2020<a href=#a class=footnote-reference>3</a> a", "in 20203 a", "3"),
    ("a<a href=#a role=doc-noteref>3</a><a href=#b role=doc-noteref>4</a>", "a3 4", "34"),
    ("a<a href=#a role=doc-noteref><sup>3</sup></a>", "a3", "3"),
    ("a <a href=#a class=footnote>3</a>", "a 3", ""),
    ("a[<a href=#a role=doc-noteref>3</a>]", "a[3]", ""),
    ("a<a href=#a class=footnote>three</a>", "athree", ""),
  ])
  func `numbers of notes are superscripts apart from each other`(
    _ text: String, _ content: String, _ raised: String
  ) {
    let document = Document(bytes: Array("<p>\(text)".utf8), mediaType: "text/html")
    #expect(document.blocks.map { document.text(of: $0) } == [content])
    let bytes = document.runs.filter { $0.style.contains(.superscript) }
      .flatMap { document.text[Int($0.start)..<Int($0.end)] }
    #expect(String(decoding: bytes, as: UTF8.self).filter { $0 != " " } == raised)
  }

  @Test(arguments: [
    ("<h2><span>1</span><span>Warm air</span></h2>", "1 Warm air"),
    ("<p><b>12</b><span>Likes</span>", "12 Likes"), ("<p><span>3</span><span>D</span>", "3D"),
    ("<p><span>1</span><span>st</span>", "1st"), ("<p>5<span>Stars</span>", "5Stars"),
    ("<p><time>May 1</time><span>5 min</span>", "May 1 5 min"),
  ])
  func `a word is apart from the number in the element before it`(
    _ body: String, _ expected: String
  ) {
    #expect(Self.leaves(body) == expected)
  }

  @Test(arguments: [
    ("<p><b>Price:</b><span>$5</span>", "Price: $5"),
    ("<p><label>Size:</label><span>large</span>", "Size: large"),
    ("<p><span class=label>Author</span><span class=value>Ada Bell</span>", "Author Ada Bell"),
    ("<p><b>Date</b><span>2020</span>", "Date 2020"),
    ("<p><span class=was>£20.00</span><span class=now>£15.00</span>", "£20.00 £15.00"),
    ("<p><span class=count>12</span><span class=name>reviews</span>", "12 reviews"),
    ("<p><span class=count>12</span><span class=name>th</span>", "12th"),
    ("<p><span class=sum>12</span><span class=sign>€</span>", "12€"),
    ("<p><span class=label>Année</span><b class=value>1990</b>", "Année 1990"),
    // Parts of a word, of a time and of code.
    ("<p><span>Bell</span><span>Tower</span>", "BellTower"),
    ("<p><span class=a>Bell</span><span class=a>Tower</span>", "BellTower"),
    ("<p><span class=a>e</span><span class=b>Reader</span>", "eReader"),
    ("<p><span class=a>bell</span><span class=b>tower</span>", "belltower"),
    ("<p><span class=a>x</span><span class=b>2</span>", "x2"),
    ("<x-a>One</x-a><x-b><x-c>two</x-c></x-b><x-a>, three</x-a>", "One two, three"),
    ("<p>a<x-a>b</x-a>c<math><mn>1</mn><mn>2</mn></math>", "abc12"),
    ("<p><b>12:</b><span>30</span>", "12:30"), ("<p>a:<span>b</span>", "a:b"),
    ("<p><code><span class=a>get</span><span class=b>Name</span></code>", "getName"),
  ])
  func `values are apart from their labels, and custom elements from each other`(
    _ body: String, _ expected: String
  ) {
    #expect(Self.leaves(body) == expected)
  }

  @Test(arguments: [
    (
      "<ul><li><span>Weight</span><span>2kg</span> <li><span>Sail</span><span>Red</span></ul>",
      "Weight 2kg|Sail Red"
    ),
    ("<table><tr><td><span>Owner</span><span>jane doe</span></table>", "Owner jane doe"),
    ("<div> <b>In stock</b><b>Yes</b> </div>", "In stock Yes"),
    ("<button><span>Add</span><span>to cart</span></button>", "[Add to cart]"),
    ("<h2>River<small>All boats</small></h2>", "River All boats"),
    ("<h2><span>1.2.</span><span>All boats</span></h2>", "1.2. All boats"),
    ("<h2>River<span class=subtitle>All boats</span></h2>", "River All boats"),
    ("<div><span>May 3, 2024</span><span>5 min read</span></div>", "May 3, 2024 5 min read"),
    ("<p><i class=date>2024</i><b>12 views</b>", "2024 12 views"),
    ("<p><span>By Ann</span><span>May 3</span><span>5 min</span>", "By Ann May 3 5 min"),
    ("<li><span class=q>1</span><span class=u>tsp</span><span class=n>salt</span>", "1 tsp salt"),
    ("<div><span>2</span><span>Oars</span><span>30</span><span>Sails</span>", "2 Oars 30 Sails"),
    ("<div><span>1</span><a href=/2>2</a><a href=/3>3</a>", "1 2 3"),
    ("<p><a href=/1>1</a><b>2</b><a href=/3>3</a> <a>4</a><a href=/5>5</a>", "1 2 3 4 5"),
    ("<div><span>red</span><span>green</span><span>blue</span></div>", "red green blue"),
    // Parts of a word, of a sentence and of a name.
    ("<p><span>Web3.</span><span>Js</span>", "Web3.Js"),
    ("<div><span>1</span><span>st</span><span>5</span><span>6</span></div>", "1st56"),
    ("<div><span>w</span><span>o</span><span>r</span><span>d</span></div>", "word"),
    ("<ul><li><span>bell</span><span>tower</span></ul>", "belltower"),
    ("<p><span>the qui</span><span>ck one</span></p>", "the quick one"),
    ("<p><span>Bell</span><span>Tower</span><span> is</span>", "BellTower is"),
    ("<div><span>1</span><span>0</span><span>5 km</span></div>", "105 km"),
    ("<p><span>un</span><span>dock</span><span>able</span>", "undockable"),
    ("<div><span>the qui</span><span>ck one</span></div>", "the quick one"),
    ("<li>a <span>Boat</span><span>House</span></li>", "a BoatHouse"),
    ("<title>BoatHouse</title><div><span>Boat</span><span>House</span></div>", "BoatHouse"),
    ("<h2>wi<small>Fi</small></h2>", "wiFi"),
    ("<title>BoatHouse</title><div><span>Boat</span><b>House</b></div>", "BoatHouse"),
    (
      "<a href=/x><span class=h>https://</span><span>sea.example/x/sail</span><span class=h>ing</span></a>",
      "https://sea.example/x/sailing"
    ),
    ("<title>4sails</title><div><span>4</span><span>sails</span></div>", "4sails"),
    ("<li><span>7e2</span><span>bef71</span></li>", "7e2bef71"),
    ("<li><span>boat</span><span>s (12)</span></li>", "boats (12)"),
  ])
  func `elements beside each other that fill an item or a box are apart`(
    _ body: String, _ expected: String
  ) {
    #expect(Self.leaves(body) == expected)
  }

  @Test(arguments: [
    ("<p>Rated <span role=img aria-label='4 of 5'>★★★★★</span> so", "Rated 4 of 5 so"),
    ("<div role=img aria-label='4 of 5'><i>★</i><i>☆</i></div>x", "4 of 5|x"),
    ("<div role=img aria-label='A chart'></div><p>x", "A chart|x"),
    ("<div role=img aria-label='4 of 5'><svg><path d=M></svg><svg></svg></div>x", "4 of 5|x"),
    ("<p>Rated <span role=img aria-label='4 of 5'><svg></svg></span> so", "Rated 4 of 5 so"),
    ("<p><span role=img aria-label=down><svg></svg></span> x", "x"),
    ("<p><span role=img aria-label=party>🎉</span> x", "🎉 x"),
    ("<p><span role=img aria-label=Air>★ warm</span> x", "★ warm x"),
    ("<p>Rated <span class=stars title='4 of 5'><i class=star></i></span> so", "Rated 4 of 5 so"),
    ("<p>Rated <span class='allstar40 rating' title=good></span> so", "Rated good so"),
    ("<p>Rated <span aria-label='4 of 5'>★★★★★</span> so", "Rated 4 of 5 so"),
    ("<div class=star-rating title='4 of 5'></div>x", "4 of 5|x"),
    ("<p>Rate <span class=star title=poor></span><span class=star title=good></span>", "Rate"),
    ("<p>x <span class=start title='4 of 5'></span> y", "x y"),
    ("<p>Rated <span class=rating title='by 3 readers'>4 of 5</span>", "Rated 4 of 5"),
  ])
  func `the name of an image without text, or of a rating, is shown`(
    _ body: String, _ expected: String
  ) {
    #expect(Self.leaves(body) == expected)
  }

  @Test(arguments: [
    (
      "<p><label title=Red><input type=radio></label> <input type=radio aria-label=Blue>",
      "( ) Red ( ) Blue"
    ),
    ("<table><tr><td><input type=checkbox title='All rows'></table>", "[ ] All rows"),
    ("<p><input type=checkbox aria-label=Red>Red", "[ ] Red"),
    ("<p><input type=checkbox aria-label='Done item'> <b>Bail</b>", "[ ] Bail"),
    ("<p><label for=a>Oars</label> <input type=checkbox id=a title=Row>", "Oars [ ]"),
    ("<p><label title=a><input type=radio><img alt=Sail src=s.png></label>", "( ) Sail"),
  ])
  func `a box without text beside it shows its name for screen readers`(
    _ body: String, _ expected: String
  ) {
    #expect(Self.leaves(body) == expected)
  }

  @Test func `cents that a style sheet raises are apart from the number before them`() {
    let page = "<p>$<span>19</span><span class=price-cents>99</span>, 5<span class=cents>-</span>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let raised = document.runs.filter { $0.style.contains(.superscript) }
    #expect(raised.map { document.text[Int($0.start)..<Int($0.end)] } == [[0x39, 0x39]])
  }

  @Test func `an empty line separates lines into paragraphs`() {
    let document = Document(
      bytes: Array("<div>a</div><div>b</div><div><br></div><div>c</div><br><div>d".utf8),
      mediaType: "text/html")
    #expect(document.blocks.map(\.hasNoSpaceAbove) == [false, true, false, false])
  }

  @Test(arguments: [
    ("<ol style='list-style-type:lower-alpha'><li>a<li>b</ol>", "lowerAlpha 1 lowerAlpha 2"),
    (
      "<ol type=1 style='list-style: upper-roman inside'><li>a<li style='list-style:decimal'>b</ol>",
      "upperRoman 1 decimal 2"
    ),
    (
      "<ol style='LIST-STYLE-TYPE: lower-roman !important'><li>a<li type=A>b</ol>",
      "lowerRoman 1 upperAlpha 2"
    ),
    ("<ol style='list-style:none'><li>a<li>b</ol>", "- -"),
    ("<ol style='list-style-type:url(none)'><li>a</ol>", "decimal 1"),
    (
      "<ul><li style='list-style-type: decimal'>a<li style='list-style: upper-roman'>b</ul>",
      "decimal 1 upperRoman 2"
    ),
    (
      "<ul><li>a<li style='list-style: decimal'>b<li style='list-style: square'>c</ul>",
      "* decimal 2 *"
    ),
    ("<ol><li>a<li style='list-style-type: disc'>b<li>c</ol>", "decimal 1 * decimal 3"),
    ("<ol style='list-style: circle'><li>a<li>b</ol>", "* *"),
    ("<nav><ul><li style='list-style-type: decimal'>a</ul></nav>", "*"),
    ("<ul><li style='list-style-type: none'>a<li>b</ul>", "- *"),
  ])
  func `style sheets set the numbering style of a list`(_ html: String, _ expected: String) {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let markers = document.blocks.compactMap { block -> String? in
      switch block.kind {
      case .item(.number(let number, let style)): "\(style) \(number)"
      case .item(.bullet): "*"
      case .item: "-"
      default: nil
      }
    }
    #expect(markers.joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ([0x5A, 0xC3, 0xBC, 0x72, 0x69, 0x63, 0x68, 0x20, 0xFF], "Zürich \u{FFFD}"),
    ([0xC3, 0xBC, 0xE9, 0xE8, 0x20, 0xC3, 0xA8], "ü\u{FFFD}\u{FFFD} è"),
    ([0x63, 0x61, 0x66, 0xE9], "café"),
  ])
  func `a page that declares UTF-8 may contain invalid bytes`(_ bytes: [UInt8], _ expected: String)
  {
    let page = Array("<meta charset=utf-8><p>".utf8) + bytes
    let document = Document(bytes: page, mediaType: "text/html")
    #expect(String(decoding: document.text, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    (
      "<style>.p{display:none}#a:checked~#pa{display:block}</style><p>x<div class=p id=pa>y</div>",
      "x|y"
    ),
    (
      "<style>.c{display:none}.acc.open .c{display:block}</style><p>x<div class=acc><div class=c>y",
      "x|y"
    ),
    (
      "<style>.v{visibility:hidden}.v:nth-child(2){visibility:visible}</style><p>x<p class=v>y",
      "x|y"
    ),
    ("<style>.m{display:none}.modal.open .m{display:block}</style><p>x<p class=m>y", "x"),
    ("<style>.m{display:none}li:hover .m{display:block}</style><p>x<p class=m>y", "x"),
    ("<style>.m{display:none}.m:hover{display:block}</style><p>x<p class=m>y", "x"),
    ("<style>.m{display:none}.m::before{display:block}</style><p>x<p class=m>y", "x"),
    ("<style>.m{display:none}.a .b{display:block}</style><p>x<p class=m>y", "x"),
    ("<style>.m{display:none}.a:checked~.m{display:none}</style><p>x<p class=m>y", "x"),
    ("<style>.m{display:none}.a:checked ~ p.m{display:block}</style><p>x<div class=m>y</div>", "x"),
    ("<style>.m{display:none}:checked~,>{display:block}(</style><p>x<p class=m>y", "x"),
    (
      "<style>.m{display:none}.c:focus .m,.c:active .m{display:inline}</style><p>x<i class=m>y</i>",
      "x"
    ),
    ("<style>.m{display:none}.frame .m{display:block}</style><p>x<p class=m>y", "x"),
    (
      "<style>.a .f{display:flex}.v[hidden]{display:none}</style><p>x<div class='f v' hidden>y</div>",
      "x"
    ),
    (
      "<p>x<x-a><template shadowrootmode=open><style>p{display:none}</style><slot></slot></template>y",
      "xy"
    ),
  ])
  func `an element that another rule may show is shown`(_ html: String, _ expected: String) {
    #expect(Self.leaves(html) == expected)
  }

  @Test(arguments: [
    // Style sheets of a frame apply only to its page, and those of the page not to the frame.
    (
      "<p class=b>x<iframe srcdoc='<style>.b{display:none}</style><p>y<p class=b>never'></iframe>",
      "x|y"
    ),
    ("<style>.b{display:none}</style><p>x<iframe srcdoc='<p class=b>y'></iframe>", "x|y"),
    (
      "<p>x<iframe srcdoc='<body class=c><style>body.c .b{display:none}</style>"
        + "<p>y<p class=b>never'></iframe>",
      "x|y"
    ),
    (
      "<body class=c><p>x<iframe srcdoc='<style>body.c .b{display:none}</style><p class=b>y'>"
        + "</iframe>",
      "x|y"
    ),
    (
      "<p>x<iframe srcdoc=\"<iframe srcdoc='<style>i{display:none}</style><p>y<i>never</i>'>\"></iframe>",
      "x|y"
    ),
    ("<p>x<iframe src='data:text/html,%3Cp%3Ey%20z'></iframe>", "x|y z"),
    ("<p>x<iframe src='data:text/html;base64,PHA+eQ=='></iframe>", "x|y"),
    ("<p>x<iframe src='data:image/gif;base64,AA=='>y</iframe>", "x"),
    ("<p>x<iframe src='data:text/html,%FF'></iframe>", "x"),
  ])
  func `pages in attributes of frames are shown with their own styles`(
    _ html: String, _ expected: String
  ) {
    #expect(Self.leaves(html) == expected)
  }

  @Test(arguments: [
    ("<g class=n><text>B</text></g>", "A C"), ("<text style='display: none'>B</text>", "A C"),
    ("<g style='visibility: hidden'><text>B</text></g>", "A C"),
    ("<g class=n style='display: inline'><text>B</text></g>", "A B C"),
    ("<g class=m><text>B</text></g>", "A B C"),
    ("<text display=none>B</text>", "A C"), ("<g visibility=hidden><text>B</text></g>", "A C"),
    ("<text display=inline visibility=visible>B</text>", "A B C"),
    (
      "<switch><text systemLanguage=de>never</text><text>B</text><text>never</text></switch>",
      "A B C"
    ),
    (
      "<switch><text systemLanguage='fr, en-GB'>B</text><text>never</text></switch>", "A B C"
    ),
    ("<switch><text systemLanguage=fr>B</text></switch>", "A B C"),
    // Drawing programs write text in this form, with a message for programs that cannot show it.
    (
      "<switch><foreignObject requiredFeatures=x><p>B</p></foreignObject><text>B</text></switch>",
      "A B C"
    ),
    ("<switch><g requiredFeatures=x></g><a href=/x><text>never</text></a></switch>", "A C"),
  ])
  func `hidden text of an SVG image is not shown`(_ group: String, _ text: String) {
    let page =
      "<svg><style>.n { display: none }</style><text>A</text>\(group)<text>C</text></svg>"
      + "<p>end"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.split(separator: "\n").first.map(String.init) == text)
  }

  @Test(arguments: [
    ("<p>one <a href=/x>two</a></p><ul><li>three<li>four</ul>", "A|one two|three|four|C|end"),
    ("<p>one</p><p>two</p>", "A|one|two|C|end"), ("<div><p>one</p></div>", "A one C|end"),
    ("<div><img src=/i.png alt='A cat'></div>", "A|A cat|C|end"),
    ("<style>p{color:red}</style><h2>one</h2>two", "A|one|two|C|end"),
    ("one" + String(repeating: "<b></b>", count: 1100), "A|one|C|end"),
  ])
  func `HTML in an SVG image keeps its blocks and links`(_ html: String, _ expected: String) {
    let page =
      "<p><svg><title>Icon</title><g>never<text>A</text></g>"
      + "<foreignObject>\(html)</foreignObject>"
      + "<defs><text>never</text></defs><text>C</text></svg></p><p>end"
    #expect(Self.leaves(page) == expected)
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.links.map(\.target) == (html.contains("href") ? ["/x"] : []))
  }

  @Test func `an SVG image with a title is shown in a cell without other content`() {
    let page =
      "<table border=1><tr><th>Sync<th>Share<tr><td><svg><title>Yes</title><path/></svg>"
      + "<td>ok <svg><title>No</title><path/></svg></table>"
      + "<p>word <svg><title>Icon</title><path/></svg> end"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.contains("Yes"))
    #expect(!document.content.contains("No") && !document.content.contains("Icon"))
  }

  @Test func `links in SVG drawings are links`() {
    let html =
      "<p>Graph <svg><a xlink:href=a.html><text>A</text><text>B</text></a><text>C</text><a href='javascript:1'><text>D</text></a></svg>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.links.map(\.target) == ["a.html"])
    #expect(document.runs.filter { $0.link != nil }.map { document.text(of: $0) } == ["A B"])
    #expect(String(decoding: document.text, as: UTF8.self) == "Graph A B C D")
  }

  @Test func `emoji and initials are kept in reader mode`() {
    let text = (1...120).map { "word\($0)" }.joined(separator: " ")
    let html =
      "<article><h1>T</h1><p>\(text)</p><p>Thanks <img src=e.png class=emoji alt=👍> <img src=o.png alt=O>nce <img src=s.gif class=smiley alt=':-)'> and <img src=p.png alt='A photo'> \(text)</p></article>"
    var options = ReaderOptions()
    options.keepsMedia = false
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html",
      view: .reader(options))
    #expect(String(decoding: document.text, as: UTF8.self).contains("Thanks 👍 Once :-) and word1"))
  }

  @Test(arguments: [
    ("<span class=cap><img src=o.png alt=O></span>nce upon", "Once upon"),
    ("<span><span class=cap><img src=o.png alt=O></span></span>nce upon", "Once upon"),
    ("<span class=cap><img src=o.png alt=O></span> nce upon", "O nce upon"),
    ("<span class=cap><img src=o.png alt=O></span><b>nce</b> upon", "O nce upon"),
    ("<span class=cap>x <img src=o.png alt=O></span>nce upon", "x O nce upon"),
    ("<span class=cap><img src=o.png alt=Oak></span>nce upon", "Oak nce upon"),
  ])
  func `the image of an initial in a span is a part of the word after it`(
    _ html: String, _ text: String
  ) {
    let document = Document(bytes: Array("<p>\(html)".utf8), mediaType: "text/html")
    #expect(String(decoding: document.text, as: UTF8.self) == text)
  }

  @Test func `reader mode labels panels with the tabs that it leaves out`() {
    let text = (1...120).map { "word\($0)" }.joined(separator: " ")
    let panels = ["Linux", "Windows"].enumerated().map { index, name in
      "<div role=tabpanel \(index > 0 ? "hidden" : "")><p>Run the thing of \(name) first, then "
        + "make the package in the way that was described above.</p></div>"
    }
    let html =
      "<article><h1>T</h1><p>\(text)</p><div role=tablist><button role=tab>First</button>"
      + "<button role=tab>Second</button></div>\(panels.joined())<p>\(text)</p></article>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let leaves = document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
    let first = leaves.firstIndex { $0.hasPrefix("Run the thing of Linux") }
    #expect(first.map { leaves[$0 - 1] } == "First")
    #expect(first.map { leaves[$0 + 1] } == "Second")
  }

  @Test(arguments: [
    (
      "<p>Posted <relative-time datetime='2024-03-05T10:00:00Z'></relative-time> by me.",
      "Posted 2024-03-05 10:00 UTC by me."
    ),
    ("<p>on<time datetime=2024-03-05></time>.", "on 2024-03-05."),
    ("<p>At <time datetime='2024-03-05 19:30:15.5+01:00'> </time>", "At 2024-03-05 19:30 +01:00"),
    ("<p>On <time datetime=2024-03-05T00:00:00></time> or later", "On 2024-03-05 or later"),
    ("<p>In <time datetime=2024-03></time>", "In 2024-03"),
    ("<p>At <time datetime='2024-03-05T10:00Z[UTC]'></time>", "At 2024-03-05 10:00 UTC"),
    // The date is also in the text, or the value is not a date.
    ("<p>March 5, 2024 <time datetime=2024-03-05></time>", "March 5, 2024"),
    ("<p><time datetime=2024-03-05></time> 5 Mar 2024", "5 Mar 2024"),
    ("<p><time datetime=2024-03-05>today</time>", "today"),
    ("<p>for <time datetime=PT2H></time>long", "for long"),
    ("<p>from <time datetime=now></time>on", "from on"),
  ])
  func `an element that a script would fill with its date shows the date`(
    _ html: String, _ expected: String
  ) {
    #expect(Self.leaves(html) == expected)
  }

  @Test(arguments: [
    ("<x-tab label='Tab A'></x-tab>", "Tab A"),
    ("<p>a</p><x-fold summary='More info'><p>inside</p></x-fold>", "a|More info|inside"),
    ("<x-box header=Title><p>text</p></x-box><p>after", "Title|text|after"),
    ("<p>See <x-link href=/a text='the guide'></x-link>.", "See the guide."),
    (
      "<x-box heading=Boats><p>These are all boats and Boats</p></x-box>",
      "Boats|These are all boats and Boats"
    ),
    // The content repeats the label, which thus is not the only copy, or is a part of a sentence.
    ("<x-box heading=Title><h3>Title</h3><p>text</p></x-box>", "Title|text"),
    ("<p>a <x-term label='a unit'>word</x-term> here", "a word here"),
    ("<x-tab label='  '></x-tab><p>text", "text"),
    // Options, colours, templates and keys of translations.
    ("<p>a <x-box href=/x header=true></x-box>b", "a b"),
    ("<p>a <x-box text='#fff'></x-box>b", "a b"),
    ("<p>a <x-tab label='{{ name }}'></x-tab>b", "a b"),
    ("<p>a <x-tab label=menu.home></x-tab>b", "a b"),
    ("<table summary=Prices><tr><td>5</table>", "5"), ("<font face=Arial><p>text</font>", "text"),
  ])
  func `custom elements show the labels in their attributes`(_ html: String, _ expected: String) {
    #expect(Self.leaves(html) == expected)
  }

  @Test func `a custom element with a label and a URL is a link`() {
    let html = "<p><x-link href=/a text=guide></x-link>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.links.map(\.target) == ["/a"])
  }

  @Test func `blocks of tabs of MkDocs have the names of their tabs`() {
    let html = """
      <div class="tabbed-set tabbed-alternate"><input checked id=a name=t type=radio>
      <input id=b name=t type=radio><div class=tabbed-labels><label for=a>Linux</label>
      <label for=b><b>Windows</b></label></div> <div class=tabbed-content>
      <div class=tabbed-block><p>apt</p></div> <div class=tabbed-block><p>winget</p></div></div></div>
      """
    #expect(Self.leaves(html) == "Linux Windows|Linux|apt|Windows|winget")
  }
}
