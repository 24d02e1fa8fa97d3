import Document
import ReaderMode
import Testing

@testable import Layout

/// Text is found and copied as it is in the document, however it is shown.
@Suite struct FoundTextTests {
  private static func document(_ html: String) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8")
  }

  private static func layout(
    _ html: String, width: Int = 60, _ change: (inout LayoutOptions) -> Void = { _ in }
  ) -> PageLayout {
    var options = LayoutOptions(width: width)
    options.recordsSources = true
    change(&options)
    return PageLayout(document(html), options: options)
  }

  /// Returns the highlighted text of each occurrence, with `|` where a line ends.
  private static func found(_ needle: String, in layout: PageLayout) -> [String] {
    var result: [String] = []
    for match in layout.matches(of: needle) {
      let text = String(decoding: layout.text[match.byteRange], as: UTF8.self)
      if match.occurrenceNumber < result.count {
        result[match.occurrenceNumber] += "|" + text
      } else {
        result.append(text)
      }
    }
    return result
  }

  private static func copied(_ layout: PageLayout) -> String {
    layout.text(ofLines: 0...max(0, layout.lines.count - 1))
  }

  @Test(
    arguments: [
      ("don't", "We don’t", "don’t"), ("Don't", "Don’t", "Don’t"), ("don’t", "don't", "don't"),
      ("\"quoted words\"", "“quoted words”", "“quoted words”"), ("'one'", "‘one’", "‘one’"),
      ("\"low\"", "„low“", "„low“"), ("finding", "\u{FB01}nding", "\u{FB01}nding"),
      ("ff", "\u{FB00}", "\u{FB00}"), ("inding", "\u{FB01}nding", "\u{FB01}nding"),
      ("abc", "ＡＢＣ", "ＡＢＣ"), ("アイウ", "ｱｲｳ", "ｱｲｳ"), ("ガ", "ｶﾞ", "ｶﾞ"), ("lodz", "Łódź", "Łódź"),
      ("Lodz", "Łódź", "Łódź"), ("Aether", "Æther", "Æther"), ("oresund", "Øresund", "Øresund"),
      ("strasse", "Straße", "Straße"), ("1/2", "½", "½"), ("...", "a…", "…"),
      ("hy-phen", "hy\u{2010}phen", "hy\u{2010}phen"), ("x-ray", "x\u{2011}ray", "x\u{2011}ray"),
      ("1914-1918", "1914–1918", "1914–1918"), ("h2o", "H₂O", "H₂O"), ("H₂O", "H2O", "H2O"),
      ("чай", "ча\u{438}\u{306}", "ча\u{438}\u{306}"), ("cafe", "cafe\u{301}s", "cafe\u{301}"),
      ("ø", "Ø o", "Ø"), ("café", "cafe\u{301} cafe", "cafe\u{301}"), ("2026", "۲۰۲۶", "۲۰۲۶"),
      ("a b", "a\u{3000}b", "a\u{3000}b"), ("Foo™ bar", "Foo™ bar", "Foo™ bar"),
      ("™", "a ™", "™"), ("tm bar", "Foo™ bar", "™ bar"), ("x ¨ y", "x ¨ y", "x ¨ y"),
      ("word two", "word\u{A0} two", "word  two"),
    ] as [(String, String, String)])
  func `a page is searched for text as users type it`(
    _ needle: String, _ text: String, _ expected: String
  ) {
    let html = "<p>begin \(text) end</p>"
    #expect(Self.found(needle, in: Self.layout(html)) == [expected])
    #expect(Self.document(html).offsets(of: needle).count == 1)
  }

  @Test(
    arguments: [
      ("zürich", "Zurich"), ("LODZ", "Łódź"), ("ø", "o"), ("straße", "strasse"), ("чаи", "чай"),
      ("か", "が"), ("か", "か\u{3099}"), ("ê", "ế"), ("e\u{302}", "e\u{302}\u{301}"),
      ("-b", "a b"), ("'", "a\u{301}"), ("ab", "a b"), ("a b", "ab"),
      ("™", "a b"), ("foo bar", "Foo™ bar"), ("℠", "™"),
    ] as [(String, String)])
  func `different text is not found`(_ needle: String, _ text: String) {
    let html = "<p>\(text)</p>"
    #expect(Self.found(needle, in: Self.layout(html)).isEmpty)
    #expect(Self.document(html).offsets(of: needle).isEmpty)
  }

  @Test(arguments: ["return x", "return     x"])
  func `a run of spaces matches one space`(_ needle: String) {
    let layout = Self.layout("<pre>return     x\nreturnx\nreturn     y</pre>")
    #expect(Self.found(needle, in: layout) == ["return     x"])
  }

  private static let scripts = """
    <p>H<sub>2</sub>O, x<sup>2</sup> and 10<sup>6</sup>, v<sub>max</sub>, a <del>word</del>s.</p>
    """

  @Test(
    arguments: [
      ("h2o", "H₂O"), ("H₂O", "H₂O"), ("x2", "x²"), ("106", "10⁶"), ("vmax", "v_{max"),
      ("v_{max}", "v_{max}"), ("words", "word~~s"), ("~~word~~", "~~word~~"), ("2 and", "² and"),
    ] as [(String, String)])
  func `superscripts and delimiters are found as they are written and as they are shown`(
    _ needle: String, _ expected: String
  ) {
    #expect(Self.found(needle, in: Self.layout(Self.scripts)) == [expected])
  }

  @Test(arguments: ["v~~max", "_{word", "h2x", "~~ words", "10^6"])
  func `delimiters are not confused with text`(_ needle: String) {
    #expect(Self.found(needle, in: Self.layout(Self.scripts)).isEmpty)
  }

  @Test func `text is found as in the document if the terminal lacks its characters`() {
    let html = "<p>We don’t pay €5 for H<sub>2</sub>O, 10<sup>6</sup> times.</p>"
    let layout = Self.layout(html) { options in
      options.isASCII = true
      options.substitution = CharacterSubstitution(charset: "ASCII") { character in
        character == "’" ? "'" : character == "€" ? "EUR" : String(character)
      }
    }
    #expect(Self.found("don’t pay €5", in: layout) == ["don't pay EUR5"])
    #expect(Self.found("don't pay eur5", in: layout) == ["don't pay EUR5"])
    #expect(Self.found("h2o", in: layout) == ["H_2O"])
    #expect(Self.found("106", in: layout) == ["10^6"])
    #expect(Self.copied(layout) == "We don’t pay €5 for H2O, 106 times.")
  }

  private static let url =
    "https://example.org/averyveryveryverylongpathwithoutanyplacetobreak/end.html"

  @Test(arguments: Array(20...90))
  func `text is found over the end of a line`(_ width: Int) {
    let prefixes = [
      "", "a&nbsp;b ", "a&shy;b ", "a&#x200B;b ", "km<sup>2</sup> ", "m<sub>3</sub> ",
    ]
    let html = prefixes.map { "<p>\($0)see \(Self.url) there</p>" }.joined()
    let layout = Self.layout(html, width: width)
    #expect(Self.found(Self.url, in: layout).count == prefixes.count)
    #expect(Self.found("see \(Self.url) there", in: layout).count == prefixes.count)
    #expect(Self.found("see" + Self.url, in: layout).isEmpty)
    let shy = Self.layout("<p>the Donau&shy;dampf&shy;schiff&shy;fahrt goes</p>", width: width)
    #expect(Self.found("donaudampfschifffahrt goes", in: shy).count == 1)
    #expect(Self.found("dampf-schiff", in: shy).isEmpty && Self.found("dampf-", in: shy).isEmpty)
    let code = Self.layout("<p>x<pre>call(\(Self.url), and more)</pre>", width: width)
    #expect(Self.found("call(\(Self.url), and", in: code).count == 1)
  }

  @Test(
    arguments: [
      ("120 km<sup>2</sup> and one of the smallest inhabited islands", nil),
      ("m<sup>3</sup>, filled to the very brim of it all", nil),
      ("H<sub>2</sub>O 日本語日本語日本語日本語日本語日本語日本語日本語", nil),
      ("a&shy;b 日本語日本語日本語日本語日本語日本語日本語日本語", nil),
      ("a&nbsp;b c&nbsp;d \(url) e", "a b c d \(url) e"),
      ("die Donau&shy;dampf&shy;schiff&shy;fahrts&shy;gesell&shy;schaft fährt", nil),
      ("a&#x200B;b \(url)", nil), ("well-known e-mail addresses, and/or others that are long", nil),
      ("a <kbd>Ctrl</kbd> key, <del>old</del> <ins>new</ins> text and <a href=/x>a link</a>", nil),
      ("שלום <b>עולם</b>. זה טוב מאוד היום, ועוד טקסט ארוך.", nil),
    ] as [(String, String?)])
  func `a paragraph is copied as it is in the document at every width`(
    _ html: String, _ expected: String?
  ) {
    let text = html.replacing(#/<[^>]*>|&shy;|&#x200B;/#, with: "")
    for width in 20...80 {
      for bidi in [LayoutOptions.BidiOrdering.off, .terminal, .app] {
        let layout = Self.layout("<p>\(html)</p>", width: width) {
          $0.bidiOrdering = bidi
          $0.linkNumbers = .numbers
        }
        let end = layout.lines.firstIndex { layout.text(of: $0).isEmpty } ?? layout.lines.count
        #expect(layout.text(ofLines: 0...end - 1) == expected ?? text, "\(width) columns")
      }
    }
  }

  @Test func `quotations and code are copied without their margins`() {
    let html = "<blockquote><p>Quoted words</p></blockquote><p>and</p><pre>if x\n\ty\n</pre>"
    #expect(
      Self.copied(Self.layout(html)) == "Quoted words\n\nand\n\nif x\n\ty")
  }

  @Test(arguments: Array(20...50))
  func `runs of spaces and tabs in code are copied where a line is wrapped`(_ width: Int) {
    let code = "let first = 1          // one\nlet second\t\t= 2    + three   + four"
    let plain = Self.layout("<pre>\(code)</pre>", width: width)
    #expect(Self.copied(plain) == code)
    let layout = Self.layout("<p>x</p><pre>\(code)</pre>", width: width)
    for keepsSubstitutes in [false, true] {
      let copied = layout.text(
        ofLines: 0...layout.lines.count - 1, keepsSubstitutes: keepsSubstitutes)
      #expect(copied == "x\n\n" + code)
    }
  }

  @Test(arguments: [24, 60])
  func `superscripts, deletions and quotations are copied as they are shown on request`(
    _ width: Int
  ) {
    let html = Self.scripts + "<blockquote><p>Quoted words that are wrapped</p></blockquote>"
    let layout = Self.layout(html, width: width)
    let lines = 0...layout.lines.count - 1
    #expect(
      layout.text(ofLines: lines, keepsSubstitutes: true) == """
        H₂O, x² and 10⁶, v_{max}, a ~~word~~s.

        │ Quoted words that are wrapped
        """)
    #expect(
      layout.text(ofLines: lines) == """
        H2O, x2 and 106, vmax, a words.

        Quoted words that are wrapped
        """)
  }

  @Test(
    arguments: [
      ("x2", ["x2", "x²"]), ("and x3", ["and x³"]), ("x² and", ["x2 and", "x² and"]),
      ("d x", ["d x", "d x"]),
    ] as [(String, [String])])
  func `text is found before, at and across superscripts`(_ needle: String, _ expected: [String]) {
    let layout = Self.layout("<p>x2 and x<sup>2</sup> and x<sup>3</sup></p>")
    #expect(Self.found(needle, in: layout) == expected)
  }

  @Test(
    arguments: [
      ("zq", "ひカ한漢、\u{1F600}Ａéaø", ""), ("zq", "zZｚ\u{17E}a", "zZｚ\u{17E}"),
      ("が", "きかが", "かが"), ("한", "\u{1112}하한호漢", "\u{1112}하한"),
      ("\u{439}", "\u{438}\u{439}\u{419}\u{43A}", "\u{438}\u{439}\u{419}"),
    ] as [(String, String, String)])
  func `only characters from which the first letter may be composed begin a comparison`(
    _ text: String, _ characters: String, _ expected: String
  ) {
    let needle = SearchPattern(text)
    let found = characters.unicodeScalars.filter { needle.mayBegin(with: $0.value) }
    #expect(Array(found) == Array(expected.unicodeScalars))
  }

  @Test func `a long line with many substitutes is searched in linear time`() {
    let html = "<pre>" + String(repeating: "a\tb ", count: 20_000) + "needle</pre><p>x</p>"
    let layout = Self.layout(html) { $0.wrapsCode = false }
    #expect(Self.found("b needle", in: layout) == ["b needle"])
    #expect(Self.found("a b", in: layout).count == 20_000)
  }
}
