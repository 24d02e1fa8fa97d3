@testable import Configuration
@testable import Saving
import Crawl
@testable import Library
import Document
import Foundation
import ReaderMode
import TestNetwork
import TestSupport
import Testing

@testable import OfflineCache

@testable import Pages
@testable import Profiles
@testable import WebArchive

@Suite struct SearchTests {
  private static let utc = TimeZone(identifier: "UTC") ?? .current

  @Test(
    arguments: [
      ("plain words", "plain words"), ("漢字仮", " 漢字 字仮 仮 "), ("a漢b", "a 漢 b"),
      ("カタ。x", " カタ タ 。x"), ("한국어 말", " 한국 국어 어   말 "), ("ไทย", " ไท ทย ย "), ("", ""),
      ("𠀀𠀁", " 𠀀𠀁 𠀁 "), ("食(た)べ物(もの)", " 食べ べ物 物   たべ べも もの の  "), ("漢(1)", " 漢 (1)"),
    ] as [(String, String)])
  func `scripts without spaces are indexed as pairs of characters`(
    _ text: String, _ indexed: String
  ) {
    #expect(SearchText.indexed(text) == indexed)
  }

  @Test(
    arguments: [
      ("one two", "\"one\" AND \"two\""), ("\"one two\" three", "\"one two\" AND \"three\""),
      ("beg*", "\"beg\" *"), ("\"two beg\"*", "\"two beg\" *"),
      ("one -two", "(\"one\") NOT (\"two\")"),
      ("漢字仮", "\"漢字 字仮\""), ("漢", "\"漢\" *"), ("a漢。", "\"a 漢\" *"), ("漢字a", "\"漢字 字 a\""),
      ("a\"b", "\"a\" AND \"b\""),
      ("one \"unfinished phrase", "\"one\" AND \"unfinished phrase\""), ("x:y", "\"x:y\""),
      ("one --- ***", "\"one\""), ("\"site:x\"", "\"site:x\""),
      ("one OR two three", "(\"one\" OR \"two\") AND \"three\""),
      ("one AND two OR three", "\"one\" AND (\"two\" OR \"three\")"),
      ("one NOT two", "(\"one\") NOT (\"two\")"),
      ("one AND NOT \"two three\"", "(\"one\") NOT (\"two three\")"),
      ("\"one two\" OR beg* OR x -y", "((\"one two\" OR \"beg\" * OR \"x\")) NOT (\"y\")"),
    ] as [(String, String)])
  func `a query is converted to an FTS5 expression`(_ text: String, _ expression: String) throws {
    #expect(try SearchQuery(text, timeZone: Self.utc).expression == expression)
  }

  @Test(
    arguments: [
      ("OR one", ["OR", "one"]), ("one OR", ["one", "OR"]), ("one or two", ["one", "or", "two"]),
      ("one \"OR\" two", ["one", "OR", "two"]), ("one OR site:x", ["one", "OR"]),
      ("-one OR two", ["one", "OR", "two"]), ("AND one", ["AND", "one"]),
      ("one AND", ["one", "AND"]),
      ("NOT one", ["NOT", "one"]), ("one NOT", ["one", "NOT"]),
      ("one NOT -two", ["one", "NOT", "two"]),
      ("one and two", ["one", "and", "two"]), ("one \"AND\" two", ["one", "AND", "two"]),
    ] as [(String, [String])])
  func `an operator that is not between terms is a word`(_ text: String, _ terms: [String]) throws {
    #expect(try SearchQuery(text, timeZone: Self.utc).terms.map(\.text) == terms)
  }

  @Test func `filters are distinguished from words`() throws {
    let query = try SearchQuery(
      "site:https://www.Example.org/x tag:Trip before:2026-11-21 after:2026 word",
      timeZone: Self.utc)
    #expect(query.sites == ["www.example.org"])
    #expect(query.tags == ["trip"])
    #expect(query.before == Date(timeIntervalSince1970: 1_795_219_200))
    #expect(query.after == Date(timeIntervalSince1970: 1_767_225_600))
    #expect(query.terms == [SearchQuery.Term(text: "word")])
    #expect(try SearchQuery("site:x", timeZone: Self.utc).expression == nil)
    let addresses = try SearchQuery(
      "site:[::1] site:http://[2001:DB8::1]:8080/x", timeZone: Self.utc)
    #expect(addresses.sites == ["[::1]", "[2001:db8::1]"])
  }

  @Test func `the value of a filter may be in quotation marks`() throws {
    let query = try SearchQuery(
      "tag:\"to read\" -tag:\"done  now\" site:\"a.example\" sea \"tag:x y\"", timeZone: Self.utc)
    #expect(query.tags == ["to read"] && query.excludedTags == ["done now"])
    #expect(query.sites == ["a.example"])
    #expect(query.terms.map(\.text) == ["sea", "tag:x y"])
    let argument = "tag:\"to read\""
    #expect(SearchQuery.text(ofArguments: [argument, "sea"]) == argument + " sea")
  }

  @Test(arguments: [
    "", "  ", "---", "\"\"", "-word", "*", "before:yesterday", "after:2026-13", "after:2026-02-30",
  ])
  func `an invalid query is rejected`(_ text: String) {
    #expect(throws: SearchQuery.Mistake.self) { try SearchQuery(text, timeZone: Self.utc) }
  }

  @Test(
    arguments: [
      (["two", "words"], "two words"), (["two words"], "\"two words\""),
      (["tag:x hello"], "tag:x hello"), (["one -two"], "one -two"), (["beg* x"], "beg* x"),
      (["a \"b c\""], "a \"b c\""), (["x y", "z"], "\"x y\" z"), ([" one "], " one "),
      (["one OR two"], "one OR two"), (["OR two"], "\"OR two\""), (["a NOT b"], "a NOT b"),
      (["one AND two"], "one AND two"), (["this AND"], "\"this AND\""),
    ] as [([String], String)])
  func `an argument with spaces is a phrase, unless it is a complete query`(
    _ arguments: [String], _ text: String
  ) {
    #expect(SearchQuery.text(ofArguments: arguments) == text)
  }

  @Test func `a prefix of fewer than three letters is a whole word`() throws {
    #expect(try SearchQuery("be* x", timeZone: Self.utc).expression == "\"be\" AND \"x\"")
    #expect(try SearchQuery("пр* при*", timeZone: Self.utc).expression == "\"пр\" AND \"при\" *")
  }

  @Test(
    arguments: [
      ("string", ["b", "a"]), ("common str", ["a"]), ("library/str", ["a"]), ("docs.test", ["a"]),
      ("3 lib", ["a"]), ("body", []), ("zür", ["c"]), ("zur", ["c"]), ("漢字", ["c"]), ("st", []),
      ("", []), ("*", []), ("\" OR body:x", []),
    ] as [(String, [String])])
  func `words of titles and parts of URLs complete the input, newest first`(
    typed: String, found: [String]
  ) throws {
    let urls = [
      "a": "https://docs.test/3/library/string.html", "b": "https://b.test/",
      "c": "https://c.test/",
    ]
    let store = try SearchStore(path: nil)
    let pages = [("a", "Common string operations"), ("b", "String theory"), ("c", "Zürich 漢字仮")]
    try store.add(
      pages.map { name, title in
        SearchStore.Entry(
          page: SearchStore.Page(
            key: urls[name] ?? "", record: name, site: "x.test", title: title, date: 1),
          text: "body of words")
      }, SearchStore.Progress())
    let completions = try store.completions(of: typed, limit: 10)
    #expect(completions.map(\.key) == found.map { urls[$0] })
    #expect(try store.titles(of: [urls["b"] ?? "", "x"]) == ["https://b.test/": "String theory"])
  }

  @Test(arguments: Seeds.all)
  func `any text is a valid query or rejected, and never an error of the index`(_ seed: UInt64)
    throws
  {
    let store = try SearchStore(path: nil)
    var random = SplitMix64(seed: seed)
    let pieces = [
      "\"", "*", "-", "(", ")", "AND", "NOT", "^", ":", "{", "}", "+", "a", "漢", "'", " ", "\u{0}",
      "é", "NEAR", ";", "%",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 1..<9, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let query = try? SearchQuery(text, timeZone: Self.utc) else { continue }
      #expect(throws: Never.self, "\(text)") { try store.matches(query, among: nil, atLeast: 1) }
    }
  }

  @Test func `words are found among few and among very many selected pages`() throws {
    let store = try SearchStore(path: nil)
    let entries = (0..<5000).map { number in
      SearchStore.Entry(
        page: SearchStore.Page(
          key: "http://a.example/\(number)", record: "\(number)", site: "a.example", title: "",
          date: Int64(number)), text: number % 2 == 0 ? "even zebra" : "odd zebra")
    }
    try store.add(entries, SearchStore.Progress())
    func found(_ text: String, _ numbers: Range<Int>) throws -> Set<String> {
      let keys = Set(numbers.map { "http://a.example/\($0)" })
      let query = try SearchQuery(text, timeZone: Self.utc)
      return Set(try store.pages(store.matches(query, among: keys, atLeast: 5000)[...]).map(\.key))
    }
    for numbers in [10..<20, 500..<4500] {
      let even = numbers.filter { $0 % 2 == 0 }.map { "http://a.example/\($0)" }
      #expect(try found("even", numbers) == Set(even))
      #expect(try found("zebra", numbers).count == numbers.count)
      #expect(try found("zebra before:1995", numbers).count == numbers.count)
      #expect(try found("zebra site:b.example", numbers).isEmpty)
    }
  }

  @Test(
    arguments: [
      ("Menu Home\nThe text is here.\nPhone 5550199\nMenu Home\n", "Menu Home\nPhone 5550199\n"),
      ("The TEXT is\nhere text\n", ""), ("漢字\nthe text\n", "漢字\n"), ("", ""),
    ] as [(String, String)])
  func `lines of a page with words missing from its content are indexed separately`(
    _ page: String, _ rest: String
  ) {
    #expect(
      SearchText.linesOutsideContent(of: Array(page.utf8), beside: "The text is here.") == rest)
  }

  @Test func `words outside the content are found, ranked after those within it`() throws {
    let store = try SearchStore(path: nil)
    let entries = ["harbour beside", "harbour", "lake"].enumerated().map { number, text in
      SearchStore.Entry(
        page: SearchStore.Page(
          key: "\(number)", record: "\(number)", site: "a.example", title: "", date: 1),
        text: text, textOutsideContent: number == 2 ? "harbour 5550199" : "")
    }
    try store.add(entries, SearchStore.Progress())
    func found(_ content: String) throws -> [String] {
      let query = try SearchQuery(content, timeZone: Self.utc)
      return try store.pages(store.matches(query, among: nil, atLeast: 10)[...]).map(\.key)
    }
    #expect(try found("harbour").last == "2" && found("harbour").count == 3)
    #expect(try found("5550199") == ["2"] && found("lake 5550199") == ["2"])
    #expect(try found("harbour -lake").count == 2 && found("\"lake harbour\"").isEmpty)
    #expect(try found("harbour site:a.example").count == 3)
  }

  @Test func `pages with the words close to each other come first`() throws {
    let store = try SearchStore(path: nil)
    let gap = String(repeating: "lorem ", count: 40)
    let texts = [
      "harbour \(gap) lights", "\(gap) harbour lights", "lights \(gap) \(gap) harbour",
      "\(gap) \(gap)",
    ]
    let entries = texts.enumerated().map { number, text in
      SearchStore.Entry(
        page: SearchStore.Page(
          key: "\(number)", record: "\(number)", site: "a.example", title: "", date: 1),
        text: text, textOutsideContent: number == 3 ? "harbour lights" : "")
    }
    try store.add(entries, SearchStore.Progress())
    let query = try SearchQuery("harbour lights", timeZone: Self.utc)
    let found = try store.pages(store.matches(query, among: nil, atLeast: 10)[...]).map(\.key)
    #expect(found.first == "1" && found.last == "3" && found.count == 4)
  }

  @Test func `a snippet contains all words, from where they are closest`() throws {
    let gap = String(repeating: "lorem ipsum dolor ", count: 40)
    let query = try SearchQuery("harbour lights", timeZone: Self.utc)
    let near = Snippet(of: "harbour \(gap) the lights of the harbour \(gap) lights", query)
    #expect(near.text.contains("the lights of the harbour") && near.matches.count == 2)
    let apart = Snippet(of: "\(gap) harbour \(gap) lights \(gap)", query)
    let content = apart.matches.map { String(Array(apart.text)[$0]) }
    #expect(
      content == ["harbour", "lights"] && apart.text.contains(" … ") && apart.text.count < 260)
    let page = """
      <title>Knots</title><nav><ul><li><a href=/a>harbour lights</a><li><a href=/b>pier</a></ul></nav>
      <main><h1>Knots</h1><p>\(gap) The lights are old.</p><p>\(gap) Each harbour has some.</p></main>
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let text = Snippet(of: document, query).text
    #expect(text.contains("The lights are old") && text.contains("Each harbour has"))
    let menu = try SearchQuery("pier", timeZone: Self.utc)
    #expect(Snippet(of: document, menu).text.contains("pier"))
  }

  @Test func `the numbers of notes are not part of the words before them`() throws {
    let page = """
      <p>The lighthouse<sup>1</sup> and the breakwater<sup><a href=#n>[2]</a></sup>, the jetty¹² of
      100 m<sup>2</sup>, <a href=/f>9 m<sup>3</sup></a>, 10<sup>3</sup>, 8 km², the 4<sup>th</sup>, and
      2020<sup><a href=#n>7</a></sup> too.<p id=n>A note.
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let text = String(decoding: document.searchableText, as: UTF8.self)
    #expect(document.searchableText.count == document.plainText.count)
    for part in [
      "lighthouse  and", "breakwater   ,", "jetty     of", "m2,", "m3,", "103,", "km²,", "4th,",
      "2020  too",
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    let query = try SearchQuery("\"lighthouse and\"", timeZone: Self.utc)
    let snippet = Snippet(of: document, query)
    #expect(snippet.matches.count == 1 && snippet.text.contains("lighthouse and"))
  }

  @Test(
    arguments: [
      ("Many words stand here and cafe is one", "café", "cafe"),
      ("concatenate the cat", "cat", "cat"),
      ("x CACHE\n  control y", "cache", "CACHE"), ("text 漢字仮名 text", "字仮", "字仮"),
    ] as [(String, String, String)])
  func `a snippet contains the words`(_ text: String, _ query: String, _ match: String) throws {
    let snippet = Snippet(of: text, try SearchQuery(query, timeZone: Self.utc))
    let found = try #require(snippet.matches.first)
    #expect(String(Array(snippet.text)[found]) == match)
    #expect(!snippet.text.contains("\n"))
  }

  @Test func `the snippet of a long text is short, and missing words are ignored`()
    throws
  {
    let text =
      String(repeating: "lorem ipsum dolor ", count: 1000) + "needle "
      + String(repeating: "sit ", count: 1000)
    let query = try SearchQuery("needle absent", timeZone: Self.utc)
    let snippet = Snippet(of: text, query)
    #expect(snippet.text.contains("needle"))
    #expect(snippet.text.count < 220 && snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…"))
    #expect(Snippet(of: "", query) == Snippet(of: "", query))
    #expect(Snippet(of: "short", query).text == "short")
    #expect(Snippet(of: "ﷺ", try SearchQuery("ص*", timeZone: Self.utc)).matches == [0..<1])
  }
}

/// The search index of an archive.
@Suite struct SearchIndexTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  private func article(_ title: String, _ text: String) -> String {
    "<title>\(title)</title><nav>elsewhere navigation</nav><main><h1>\(title)</h1><p>\(text)</p>"
      + "<p>\(String(repeating: "more of the text follows here. ", count: 20))</p></main>"
  }

  private func save(_ profile: Profile, _ urls: String...) {
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).run().isComplete)
  }

  private func find(_ profile: Profile, _ text: String) throws -> [String] {
    try profile.search.catchUp()
    let query = try SearchQuery(text, timeZone: .current)
    return try profile.search.search(query, limit: 10).map(\.key)
  }

  @Test func `saved pages are found by their words, ignoring accents, with title matches first`()
    throws
  {
    network.add("http://a.example/1", article("Café culture", "Text on drinks."))
    network.add("http://a.example/2", article("Other", "They met in a café once."))
    network.add("http://www.b.example/3", article("Third", "漢字仮名交じり文 and cache control here"))
    let profile = files.open(network)
    save(profile, "http://a.example/1", "http://a.example/2", "http://www.b.example/3")
    #expect(try find(profile, "cafe") == ["http://a.example/1", "http://a.example/2"])
    #expect(try find(profile, "\"cache control\"") == ["http://www.b.example/3"])
    #expect(try find(profile, "\"control cache\"").isEmpty)
    #expect(try find(profile, "仮名交") == ["http://www.b.example/3"])
    #expect(try find(profile, "文") == ["http://www.b.example/3"])
    #expect(try find(profile, "caf* site:a.example -drinks") == ["http://a.example/2"])
    #expect(try find(profile, "text site:b.example") == ["http://www.b.example/3"])
    #expect(try find(profile, "elsewhere drinks") == ["http://a.example/1"])
    #expect(try find(profile, "before:2020").isEmpty)
    #expect(try find(profile, "after:2020 cafe").count == 2)
    try profile.library.record([LibraryChange("http://a.example/2", .tag("x"), "1")])
    #expect(try find(profile, "cafe tag:x") == ["http://a.example/2"])
    #expect(try find(profile, "cafe -tag:x") == ["http://a.example/1"])
    #expect(try find(profile, "-site:a.example") == ["http://www.b.example/3"])
    #expect(try find(profile, "drinks -site:b.example") == ["http://a.example/1"])
    #expect(try find(profile, "control -site:b.example").isEmpty)
    #expect(try find(profile, "cafe -before:2020").count == 2)
    #expect(try find(profile, "cafe -after:2020").isEmpty)
    profile.close()
    // The existing index file is used.
    let reopenedProfile = files.open(network)
    #expect(try find(reopenedProfile, "cafe").count == 2)
    reopenedProfile.close()
  }

  @Test func `tags and notes of a URL that redirects apply to its page`() throws {
    let (short, page, other) = ("http://a.example/r", "http://a.example/t", "http://a.example/o")
    network.add(short, "moved", status: 301, fields: [("Location", "/t")])
    network.add(page, article("Fishing", "Herring are caught here."))
    network.add(other, article("Other", "Herring are sold here."))
    let profile = files.open(network)
    save(profile, short, other)
    try profile.library.record([
      LibraryChange(short, .tag("trip"), "1"), LibraryChange(short, .note, "mynotezz"),
    ])
    #expect(try find(profile, "tag:trip herring") == [page])
    #expect(try find(profile, "-tag:trip herring") == [other])
    #expect(try find(profile, "mynotezz") == [page])
    #expect(try find(profile, "mynotezz sold").isEmpty)
    profile.close()
  }

  @Test func `a newer version replaces the old one, and error responses are not found`() throws {
    network.add("http://a.example/1", article("Title", "The old wording stands."))
    let profile = files.open(network)
    save(profile, "http://a.example/1")
    #expect(try find(profile, "wording") == ["http://a.example/1"])
    network.add("http://a.example/1", article("Title", "The new phrasing stands."))
    save(profile, "http://a.example/1")
    #expect(try find(profile, "wording").isEmpty)
    #expect(try find(profile, "phrasing") == ["http://a.example/1"])
    network.add("http://a.example/1", article("Gone", "An apology instead."), status: 500)
    _ = PageSaver(SaveRequest(pages: ["http://a.example/1"]), in: profile).run()
    #expect(try find(profile, "apology").isEmpty)
    #expect(try find(profile, "phrasing") == ["http://a.example/1"])
    profile.close()
  }

  @Test func `a removed page is not found, and its words are not in the index file`() throws {
    network.add("http://a.example/1", article("Sesame", "The xylophonist plays."))
    network.add("http://a.example/2", article("Other", "The flautist plays."))
    let profile = files.open(network)
    save(profile, "http://a.example/1", "http://a.example/2")
    #expect(try find(profile, "xylophonist").count == 1)
    try profile.search.remove(["http://a.example/1"])
    #expect(try find(profile, "xylophonist").isEmpty)
    #expect(try find(profile, "flautist") == ["http://a.example/2"])
    profile.close()
    let paths = try #require(FileManager.default.subpaths(atPath: files.directory.path))
    for path in paths where path.contains("search.sqlite") {
      let bytes = FileManager.default.contents(
        atPath: files.directory.appendingPathComponent(path).path)
      for word in ["xylophonist", "sesame", "Sesame"] {
        #expect(bytes?.range(of: Data(word.utf8)) == nil, "\(path) \(word)")
      }
    }
  }

  @Test func `pages that are removed one after the other leave the rest of the index as it is`()
    throws
  {
    let urls = (1...5).map { "http://a.example/\($0)" }
    for url in urls { network.add(url, article("Title", "The text of \(url).")) }
    let profile = files.open(network)
    save(profile, urls[0], urls[1], urls[2], urls[3], urls[4])
    #expect(try find(profile, "text").count == 5)
    // Only an index that was not cleared knows titles before the next search.
    for removed in urls.prefix(3) {
      try profile.search.remove([removed])
      #expect(try profile.search.titles(of: urls)[removed] == nil)
      #expect(try profile.search.titles(of: urls)[urls[3]] == "Title")
    }
    // The words of a replaced version cannot be removed one by one.
    network.add(urls[3], article("Title", "Another text."))
    save(profile, urls[3])
    #expect(try find(profile, "another") == [urls[3]])
    try profile.search.remove([urls[3]])
    #expect(try profile.search.titles(of: urls).isEmpty)
    profile.close()
  }

  @Test func `a damaged index, or one behind a rebuilt archive index, finds everything`()
    throws
  {
    for number in 0..<5 {
      network.add("http://a.example/\(number)", article("T\(number)", "The word\(number) stands."))
    }
    let profile = files.open(network)
    save(profile, "http://a.example/0", "http://a.example/1")
    #expect(try find(profile, "word1").count == 1)
    profile.close()
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("index.sqlite"))
    let rebuilt = files.open(network)
    save(rebuilt, "http://a.example/2")
    #expect(try find(rebuilt, "stands").count == 3)
    rebuilt.close()
    try Data("this is no database, but it is long enough to be looked at".utf8).write(
      to: files.directory.appendingPathComponent("search.sqlite"))
    let again = files.open(network)
    #expect(try find(again, "stands").count == 3)
    again.close()
  }

  @Test func `of many versions of a page only the latest is indexed`() throws {
    let profile = files.open(network)
    let count = Effort.rounds(300, part: 60)
    for number in 0..<count {
      let spool = profile.cache.archive.makeSpool()
      spool.write(Array("<p>version number\(number) zebra".utf8))
      let time = Date(timeIntervalSince1970: 1_795_234_310 + Double(number))
      let capture = Capture(
        key: "http://a.example/", url: "http://a.example/",
        response: ResponseHead(
          status: 200, reason: "OK",
          fields: FieldLines([FieldLines.Field("Content-Type", "text/html")])),
        requestTime: time, responseTime: time, varying: [], rejectionReason: nil)
      _ = try profile.cache.archive.append(capture, body: spool, isDeferred: true)
    }
    #expect(try find(profile, "zebra") == ["http://a.example/"])
    #expect(try find(profile, "number\(count - 1)").count == 1)
    #expect(try find(profile, "number3").isEmpty)
    profile.close()
  }

  @Test
  func `title matches and the newest pages come first, and filters apply to all matches`()
    throws
  {
    let profile = files.open(network)
    for number in 0..<1200 {
      let spool = profile.cache.archive.makeSpool()
      let title = number == 100 ? "Zebra crossing" : "Page \(number)"
      spool.write(Array("<title>\(title)</title><p>A zebra of \(number)".utf8))
      let time = Date(timeIntervalSince1970: 1_700_000_000 + 86_400 * Double(number))
      let capture = Capture(
        key: "http://a\(number % 10).example/\(number)",
        url: "http://a\(number % 10).example/\(number)",
        response: ResponseHead(
          status: 200, reason: "OK",
          fields: FieldLines([FieldLines.Field("Content-Type", "text/html")])),
        requestTime: time, responseTime: time, varying: [], rejectionReason: nil)
      _ = try profile.cache.archive.append(capture, body: spool, isDeferred: true)
    }
    #expect(try find(profile, "zebra").first == "http://a0.example/100")
    #expect(try find(profile, "zebra").count == 10)
    #expect(try find(profile, "zebra site:a7.example").allSatisfy { $0.contains("//a7.") })
    #expect(
      try find(profile, "zebra before:2023-11-16") == [
        "http://a1.example/1", "http://a0.example/0",
      ])
    try profile.library.record([LibraryChange("http://a3.example/3", .tag("rare"), "1")])
    #expect(try find(profile, "zebra tag:rare") == ["http://a3.example/3"])
    #expect(try find(profile, "tag:rare") == ["http://a3.example/3"])
    #expect(try find(profile, "zebra tag:rare site:a4.example").isEmpty)
    try profile.library.record(
      (0..<1200).map { LibraryChange("http://a\($0 % 10).example/\($0)", .tag("all"), "1") })
    #expect(try find(profile, "zebra crossing tag:all") == ["http://a0.example/100"])
    profile.close()
  }

  @Test func `indexing that is stopped resumes the next time`() throws {
    var urls: [String] = []
    for number in 0..<200 {
      urls.append("http://a.example/\(number)")
      network.add(urls[number], "<p>word stands")
    }
    let profile = files.open(network)
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    #expect(throws: ArchiveError.stopped) { try profile.search.catchUp { $0.done == 0 } }
    try profile.search.catchUp()
    let query = try SearchQuery("stands", timeZone: .current)
    #expect(try profile.search.search(query, limit: 1000).count == 200)
    profile.close()
  }
}
