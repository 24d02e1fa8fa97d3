import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

struct PageBlocksTests {
  @Test func `blocks are the visible leaves in document order`() {
    let page = read(
      """
      <h1>Title</h1>before<p>one <b>two</b><br>three</p>after<script>x</script><p hidden>no</p>
      <p style="display:none">no</p><select><option>no</select><ul><li>item<li><a href=x>link</a></ul>
      """)
    #expect(page.texts == ["Title", "before", "one two three", "after", "item", "link"])
    #expect(page.blocks.blocks.map(\.headingLevel) == [1, 0, 0, 0, 0, 0])
    #expect(page.blocks.blocks.map(\.text.linkWordCount) == [0, 0, 0, 0, 0, 1])
  }

  @Test(
    arguments: [
      (8, 40, 4, 9, true), (7, 60, 4, 9, false), (8, 30, 4, 9, false), (9, 40, 5, 40, false),
      (9, 40, 10, 20, false), (16, 20, 8, 15, true), (0, 0, 8, 40, true),
    ] as [(Int, Int, Int, Int, Bool)])
  func `a long text consists of many adjacent paragraphs and is twice as long as any other`(
    count: Int, wordCount: Int, others: Int, otherWords: Int, isThere: Bool
  ) throws {
    func paragraphs(_ count: Int, _ expectedWordCount: Int) -> String {
      String(
        repeating: "<p>" + String(repeating: "word ", count: expectedWordCount) + ".</p>",
        count: count)
    }
    let page = read(
      "<ul><li>an item of a list<li>and another</ul><div id=a>\(paragraphs(count, wordCount))</div>"
        + "<div id=b>\(paragraphs(others, otherWords))</div><p>\(String(repeating: "more ", count: 30))"
    ).blocks
    let text = page.longText
    #expect((text != nil) == isThere)
    if let text { #expect(text.wordCount == max(count * wordCount, others * otherWords)) }
  }

  /// A page of repeated items, and whether it is a thread.
  struct ThreadCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var before = "", title = "", author = "<b class=author>Ann</b>", date = "<time>May 4</time>"
    var posts = 3, after = ""
    var isThread = false

    var page: String {
      let text = String(repeating: "word ", count: 20)
      let items = (0..<posts).map { number in
        let title = title.replacing("#", with: "\(number)")
        return "<div class=item>\(title)<p>\(author) \(date)<p>\(text).</div>"
      }
      return before + items.joined() + after
    }
  }

  static let threads: [ThreadCase] = [
    .init(testDescription: "posts", isThread: true),
    .init(testDescription: "two posts", posts: 2),
    .init(testDescription: "no authors", author: "<b>Ann</b>"),
    .init(testDescription: "no dates", date: "May 4"),
    .init(testDescription: "titles that are links", title: "<h2><a href=x>Story #</a></h2>"),
    .init(testDescription: "titles that are none", title: "<h2>Version #</h2>"),
    .init(
      testDescription: "titles in links alone",
      title: "<div class=title><a href=x>The story number #</a></div>"),
    .init(testDescription: "Re:", title: "<h2><a href=x>Re: it</a></h2>", isThread: true),
    .init(
      testDescription: "a text before the posts",
      before: "<p>" + String(repeating: "other ", count: 50) + "</p>"),
    .init(
      testDescription: "a little text before the posts",
      before: "<p>" + String(repeating: "other ", count: 40) + "</p>", isThread: true),
    .init(
      testDescription: "an article, as the page says",
      before: "<meta property=og:type content=article>"),
    .init(testDescription: "reviews", before: "<section class=reviews>", after: "</section>"),
    .init(testDescription: "beside the page", before: "<aside>", after: "</aside>"),
  ]

  @Test(arguments: threads)
  func `a thread consists of posts and hardly anything else`(_ row: ThreadCase) {
    #expect(read(row.page).blocks.isThread == row.isThread)
  }

  @Test(
    arguments: [
      ("<p class=price>$18.00</p>", ["$18.00"]),
      ("<div class=price><p>Was $24.00</p><p>Now $18.00</p></div>", ["Was $24.00", "Now $18.00"]),
      ("<header><p class=price>$0.00</p></header><p class=price>$18.00</p>", ["$18.00"]),
      ("<p>4 payments of $4.50</p><p class=price>$18.00</p>", ["$18.00"]),
      ("<aside class=related><p class=price>$9.00</p></aside>", []), ("<p>Spend $100 more</p>", []),
      ("<p class=price>$18.00 a month when you pay for all of the year at once</p>", []),
      ("<div class=price><p><p></div>", []),
    ] as [(markup: String, prices: [String])])
  func `the price of a product is kept, with its previous price`(
    _ row: (markup: String, prices: [String])
  ) {
    let page = read(
      "<h1>Mug</h1>\(row.markup)<p>A mug that does not chip when it falls, for the sea.")
    let last = page.blocks.blocks.count - 1
    let isKept = page.blocks.blocks.indices.map { $0 == last }
    let keptFlags = page.blocks.withItemParts(isKept, of: .product)
    #expect(zip(page.texts, keptFlags).filter(\.1).map(\.0).dropLast() == row.prices[...])
    // A price after all kept blocks belongs to something else.
    let none = page.blocks.blocks.indices.map { $0 == 0 }
    #expect(page.blocks.withItemParts(none, of: .product) == none)
  }

  @Test func `in a thread the actions on posts are removed, and the text of posts is kept`() {
    let posts = ["Ann", "Ben", "Ann", "Ann", "Ben"].enumerated().map { number, name in
      """
      <div class=post><h3><a href=#p>Reply</a></h3><p class=from><a href=/u>\(name)</a></p>
      <p>What number \(number) says.</p><p><a href=/x>The manual</a></p>
      <ul><li><a href=r>Reply</a></ul><p><button>Report</button></p><p>Reply</p></div>
      """
    }
    let tree = tree(posts.joined())
    let page = PageBlocks(tree)
    let all = [Bool](repeating: true, count: page.blocks.count)
    let keptFlags = page.withoutBoilerplate(all, of: .forum, in: tree)
    let left = zip(page.blocks, keptFlags).filter { !$0.1 }.map(\.0)
    // The link and the button, but not the heading of the same name or text without a link.
    #expect(left.count == 10)
    #expect(left.allSatisfy { $0.text.wordCount == 1 && $0.headingLevel == 0 })
    #expect(page.withoutBoilerplate(all, of: .documentation, in: tree) == all)
  }

  @Test(
    arguments: [
      ("One two, three. Four!", [4, 2, 2, 1, 0]), ("12 apples cost 3 $", [4, 0, 0, 0, 2]),
      ("a | b | c", [3, 0, 0, 0, 0]), ("猫が好き。", [5, 1, 0, 0, 0]), ("1st", [1, 0, 0, 0, 0]),
    ] as [(String, [UInt32])])
  func `words, sentences, numbers and punctuation of a text are counted`(
    _ text: String, _ expected: [UInt32]
  ) {
    var measure = BlockTextCounts()
    var text = text
    text.withUTF8 { measure.add($0, in: $0.indices, isLink: false) }
    measure.endWord()
    let counts = [
      measure.wordCount, measure.sentenceEndCount, measure.capitalizedWordCount, measure.commaCount,
      measure.numberCount,
    ]
    #expect(counts == expected)
    #expect(measure.hasPrice == text.contains("$"))
  }

  @Test(arguments: [
    "One two 12 three 4th, FIVE. 猫が好き，six – seven “eight” naïve 9",
    String(repeating: "Every other paragraph says 3 things, or Four; ", count: 8) + "42nd 43",
  ])
  func `a text has the same measures however it is split`(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = measure([bytes[...]])
    for cut in bytes.indices {
      let parts = measure([bytes[..<cut], bytes[cut...]])
      #expect(
        [parts.wordCount, parts.wordByteCount, parts.capitalizedWordCount, parts.numberCount]
          == [whole.wordCount, whole.wordByteCount, whole.capitalizedWordCount, whole.numberCount],
        "at \(cut)")
      #expect(parts.textHash == whole.textHash && parts.lastByte == whole.lastByte, "at \(cut)")
    }
    #expect(measure([(bytes + [0x20, 0x61])[...]]).textHash != whole.textHash)
  }

  private func measure(_ parts: [ArraySlice<UInt8>]) -> BlockTextCounts {
    var measure = BlockTextCounts()
    let bytes = parts.flatMap(\.self)
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for part in parts {
        measure.add(bytes, in: start..<start + part.count, isLink: false)
        start += part.count
      }
    }
    measure.endWord()
    return measure
  }

  @Test func `equal keys share a number, and different keys have different numbers`() {
    let keys: [UInt64] = (0..<5000).map { $0 % 7 == 0 ? 0 : $0 << 32 } + [UInt64.max, 0]
    let grouping = Grouping(keys)
    #expect(grouping.count == Set(keys).count)
    var first: [UInt64: Int32] = [:]
    for (key, group) in zip(keys, grouping.groupNumbers) {
      #expect(first[key, default: group] == group)
      first[key] = group
    }
    #expect(Set(first.values).count == grouping.count)
    #expect(Grouping([]).count == 0)
  }

  @Test
  func `class names and roles are mapped to topics, in plural, camel case and with separators`() {
    for (markup, topic) in [
      ("<div class='site-footer'>", BlockTopic.footerWord), ("<div id=relatedPosts>", .relatedWord),
      ("<div class='x comments-area'>", .commentWord), ("<nav>", .nav),
      ("<span itemprop=price>", .priceWord), ("<div role=contentinfo>", .footerWord),
    ] {
      let page = read(markup + "text")
      let block = page.blocks.blocks[0]
      #expect(page.blocks.distance(to: topic, from: block) == 0, "\(markup)")
    }
    let page = read("<div class=sidebar><div><p>text")
    #expect(page.blocks.distance(to: .sidebarWord, from: page.blocks.blocks[0]) == 2)
    #expect(page.blocks.distance(to: .nav, from: page.blocks.blocks[0]) == nil)
  }

  @Test func `a phrase matches at the start of a block, and a single word only alone in it`() {
    for (text, phrase) in [
      ("Add to cart", BlockPhrase.buy), ("You may also like these", .related),
      ("© 2026 Nobody", .legal), ("Reply", .comments), ("Posted on Monday", .date),
    ] {
      #expect(read("<p>\(text)</p>").blocks.blocks[0].phrases.contains(phrase), "\(text)")
    }
    #expect(
      read("<p>Quote the words of somebody else in full</p>").blocks.blocks[0].phrases.isEmpty)
  }

  @Test func `similar items are units, and their parts have roles`() {
    let item = "<li class='card c1'><h3>Name</h3><p>Some words about it</p></li>"
    let page = read("<ul>\(item)\(item)\(item)</ul><p>end</p>").blocks
    let roles = page.blocks.map { page.containers[Int($0.containerIndex)].roleHash }
    #expect(roles[0] == roles[2] && roles[1] == roles[3] && roles[0] != roles[1])
    #expect(roles[6] == 0)
    #expect(page.blocks.map(\.copyCount) == [3, 3, 3, 3, 3, 3, 1])
    let unitIndex = page.containers[Int(page.blocks[0].containerIndex)].unitIndex.value
    let unit = unitIndex.map { page.containers[$0] }
    #expect(unit?.similarCount == 3 && unit?.similarWordCount == 15)
  }

  @Test func `a feature row has a name for each feature`() {
    let tree = tree("<main><h1>a</h1><p>b c</p></main>")
    let page = PageBlocks(tree)
    let article = ArticleBlocks(in: tree, of: page, in: tree)
    #expect(article.shares == [32, 32] && article.wordCount == 3 && article.otherWordCount == 0)
    let repetitions = BlockRepetitions(page, of: tree, title: "a")
    for article in [nil, article] {
      var features = BlockFeatures(page, repetitions, .article, article)
      for index in page.blocks.indices {
        #expect(features.row(index).count == BlockFeatures.names.count)
      }
    }
    #expect(Set(BlockFeatures.names).count == BlockFeatures.names.count)
    #expect(BlockFeatures.names.count <= 256)
    #expect(
      (0..<2000).map(BlockFeatures.logScale) == (0..<2000).map(BlockFeatures.logScale).sorted())
    #expect([0, 7, 8, 16, 1 << 40].map(BlockFeatures.logScale) == [0, 7, 8, 12, 63])
  }

  @Test func `text repeated from the metadata is detected word for word, whatever surrounds it`() {
    let phrase = "a lamp of brass that needs no oil"
    let tree = tree(
      """
      <meta name=description content="Here is \(phrase), at last."><script type=application/ld+json>\
      {"@type":"Product","description":"<b>Now</b>: \(phrase) and no wick, for the longest of nights"}\
      </script><h1>Lamp of Brass</h1><p>We sell \(phrase).<p>Again: \(phrase)<p>Nothing of all this
      """)
    let page = PageBlocks(tree)
    let repetitions = BlockRepetitions(page, of: tree, title: "The lamp")
    let counts = page.blocks.indices.map { repetitions.counts(Int32($0)..<Int32($0 + 1)) }
    #expect(counts.map(\.sharedTitleWordCount) == [1, 1, 1, 0])
    #expect(counts.map(\.sharedDescriptionGroupCount) == [1, 6, 6, 0])
    #expect(counts.map(\.sharedDataGroupCount) == [1, 6, 6, 0])
    #expect(counts.map(\.otherBlockGroupCount) == [1, 6, 6, 0])
    #expect(counts.map(\.groupCount) == [1, 8, 7, 2])
    #expect(repetitions.counts(page.allBlockIndices).wordCount == 3 + 10 + 9 + 4)
  }

  @Test func `nearby headings are recorded with topic, level and distance`() {
    let page = read(
      "<h1>a</h1><p>b<h2>Related products</h2><h3>c</h3><p>d<h2>Description</h2><p>e"
    ).blocks
    let outlines = BlockFeatures.OuterHeadings.outlines(of: page)
    #expect(outlines.map(\.level) == [0, 0, 1, 1, 1, 1, 1])
    #expect(outlines.map { $0.phrases.contains(.related) }.firstIndex(of: true) == 3)
    #expect(outlines[4].phrases.contains(.related) && outlines[5].phrases.isEmpty)
    #expect(outlines[6].topHeading.value == 0)
  }

  @Test
  func `the tables match the features and vocabulary that they were trained with`() {
    for subject in ContentTrees.Subject.allCases {
      let trees = ContentTrees.builtIn(subject)
      let count = subject == .pages ? PageFeatures.count : BlockFeatures.names.count
      #expect(trees.requiredFeatureCount <= count)
      #expect(trees.span <= 255 && trees.maxSum <= 65535)
    }
    #expect(
      BlockFeatures.fingerprint == ContentModel.fingerprint,
      "words or features changed: run scripts/content-model")
    #expect(PageKind.weights.count == PageKind.allCases.count)
    #expect(PageKind.weights.allSatisfy { $0.count == PageKind.clueNames.count })
    #expect(PageKind.clues(of: read("").blocks).count == PageKind.clueNames.count)
  }

  @Test func `trees are evaluated from the root to a leaf`() {
    let trees = ContentTrees("0<5 -100 1<0 120 130\n1<9 50 -50")
    var columns = [FeatureColumn.zero, .zero]
    let rows: [(UInt8, UInt8)] = [(9, 0), (5, 200), (6, 200)]
    for (position, row) in rows.enumerated() {
      (columns[0].lanes[position], columns[1].lanes[position]) = row
    }
    let size = FeatureColumn.count
    let probabilities = trees.probabilities(size + 3) { _ in columns }
    #expect(probabilities.count == size + 3)
    #expect(probabilities[size] == probabilities[0])
    // The sums are 0.17, -0.15 and 0.08.
    for (probability, expected) in zip(probabilities, [0.5424, 0.4626, 0.52]) {
      #expect(abs(Double(probability) - expected) < 0.0002)
    }
    let even = ContentTrees("0<5 0 0").probabilities(1) { _ in [.zero] }
    #expect(even.allSatisfy { abs($0 - 0.5) < 0.001 })
    #expect(trees.contributions([9, 0]).map(\.feature) == [0, 1])
  }

  @Test func `the given URL takes precedence over the canonical one of the page`() {
    let canonical = "<link rel=canonical href='https://a.example/docs/start'>x"
    #expect(read(canonical).blocks.signals.pathWords.contains(.documentation))
    let signals = PageBlocks(tree(canonical), url: "https://a.example/shop/product/1").signals
    #expect(signals.pathWords.contains(.product) && !signals.pathWords.contains(.documentation))
    #expect(signals.pathDepth == 3)
    #expect(
      PageBlocks(tree(canonical), url: "/tmp/product").signals.pathWords.contains(.documentation))
  }

  @Test func `the declared type of a page is read from JSON-LD, OpenGraph and the generator`() {
    let page = read(
      """
      <meta property="og:type" content="product"><meta name=generator content="Sphinx 7">
      <script type="application/ld+json">{"@graph":[{"@type" : ["QAPage"]},{"@type":
      "http:\\/\\/schema.org\\/ItemList"},{"@type":"Unknown"},{"@type":</script>x
      """)
    #expect(page.blocks.signals.declaredKinds == [.product, .documentation, .forum, .itemList])
  }

  private func tree(_ html: String) -> DOMTree { DOMParser.parse(Array(html.utf8)) }

  private func read(_ html: String) -> (blocks: PageBlocks, texts: [String]) {
    let tree = tree(html)
    let page = PageBlocks(tree)
    return (page, page.blocks.indices.map { page.text(of: $0, in: tree) })
  }
}

struct EmbeddedTextTests {
  @Test(
    arguments: [
      (#"a\n\"b\"\\"#, "a\n\"b\"\\"), (#"\u00e9\u2014"#, "é—"), (#"\ud83d\ude00!"#, "😀!"),
      (#"\ud83d"#, "\u{FFFD}"), (#"\ud800\ud83d\ude00\ud83dx"#, "\u{FFFD}😀\u{FFFD}x"),
      (#"\udc00x"#, "\u{FFFD}x"), (#"\u12"#, "\u{12}"), (#"\u"#, "\u{FFFD}"),
      (#"<\/p>"#, "</p>"), (#"\"#, #"\"#), (#"\u0000z"#, "z"),
    ] as [(String, String)])
  func `JSON escapes are decoded, including malformed ones`(_ json: String, _ expected: String) {
    let decoded = JSONStrings.decoded(Array(json.utf8)[...])
    #expect(String(decoding: decoded, as: UTF8.self) == expected)
  }

  @Test func `texts are found with their keys in arrays, in strings of JSON and in malformed JSON`()
  {
    let json =
      #"{"text":"1 a","b":"2 b","children":["3 c",{"d":"x","text" : "4\" d"}],"#
      + #""body":"[{\"text\":\"5 e\", \"more\":[1,2,3,4,5,6,7,8,9]}]","text":"6 f"#
    var texts = DataTexts(.state)
    Array(json.utf8).withUnsafeBufferPointer { _ = texts.scan($0) }
    #expect(
      texts.texts.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "1 a", "3 c", "4\" d", "5 e",
      ])
  }

  private static let sentence =
    "Once there was a text, and only a script knew it, until somebody read the script."

  @Test(arguments: [
    "<script>window.__STATE__ = {a: 1, 'body': \"TEXT\"};</script>",
    "<script>if (1) { var x = 2 } window['__S'] = [{\"body\":\"TEXT\"}]; f(x)</script>",
    #"<script>window.S = JSON.parse("{\"body\":\"TEXT\"}")</script>"#,
    #"<script>window.S = JSON.parse('{"body":"TEXT"}')</script>"#,
    #"<script>__NUXT__=(function(a){return {data:[{body:"TEXT"}]}}(1))</script>"#,
    #"<script>(self.f=self.f||[]).push([1,"2:[\"$\",\"p\",null,{\"chil"])</script>"#
      + #"<script>self.f.push([1,"dren\":\"TEXT\"}]\n"])</script>"#,
    #"<script>self.f.push([1,"1:I[1]\n2:Tffff,TEXT"])</script>"#,
    #"<script type="application/vnd.state+json">{"body":"TEXT"}</script>"#,
    #"<script type="application/json">{"body":"{\"html\":\"<p>TEXT</p>\"}"}</script>"#,
    #"<script type="application/ld+json">{"articleBody":"&lt;p&gt;TEXT&lt;/p&gt;"}</script>"#,
    #"<script type="application/ld+json">{"@graph":[{"@type":"WebSite","description":"SITE TEXT"},"#
      + #"{"@type":"Product","description":"TEXT"}]}</script>"#,
  ])
  func `the state that scripts embed is found in all common forms`(_ script: String) {
    let text = Array(repeating: Self.sentence, count: 6).joined(separator: " ")
    let html =
      "<title>T</title><div id=app></div>"
      + script.replacing("TEXT", with: text)
    let selection = ContentModel.select(DOMParser.parse(Array(html.utf8)), url: "")
    let plainText = String(decoding: Document(tree: selection.tree).plainText, as: UTF8.self)
    #expect(
      plainText.hasSuffix(text + "\n") && !plainText.contains("SITE") && !plainText.contains("<"))
  }

  @Test(arguments: [
    "<script>var x = {body: \"TEXT\"}</script>",
    "<script>window.f({body: \"TEXT\"})</script>",
    "<script type=text/template>window.x = {body: \"TEXT\"}</script>",
    "<script>window.x = {i18n: {text: \"TEXT\"}, footerText: \"TEXT\"}</script>",
    #"<script type="application/ld+json">{"@type":"WebSite","description":"TEXT"}</script>"#,
  ])
  func `script data that is not the state of the page is not used as its text`(_ script: String) {
    let text = Array(repeating: Self.sentence, count: 6).joined(separator: " ")
    let html = Array("<div id=app></div>\(script.replacing("TEXT", with: text))".utf8)
    #expect(EmbeddedText(in: DOMParser.parse(html), shownWordCount: 0) == nil)
  }

  @Test(arguments: 0..<40)
  func `random input in scripts is read to its end`(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let parts = [
      "window.x=", "{", "}", "[", "]", "\"", "'", "\\", "\\u12", ":", ",", "text", "children", "$",
      ".push([1,", "1:T", "ff,", "\n", "JSON.parse(", "(function(", "a text of words. ", "é", "=",
    ]
    var data = ""
    for _ in 0..<600 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      data += parts[Int(state >> 33) % parts.count]
    }
    for type in ["application/json", "application/ld+json", ""] {
      let html = "<script type='\(type)'>window.y={text:\"a\"};\(data)</script>"
      let selection = ContentModel.select(DOMParser.parse(Array(html.utf8)), url: "")
      #expect(Document(tree: selection.tree).problems == [])
    }
  }
}
