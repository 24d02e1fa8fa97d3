import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

struct CharacterEncodingTests {
  @Test(
    arguments: [
      ("utf8", "UTF-8"), (" UTF-8 ", "UTF-8"), ("latin1", "windows-1252"),
      ("ISO-8859-1", "windows-1252"), ("us-ascii", "windows-1252"), ("sjis", "Shift_JIS"),
      ("gb2312", "GBK"), ("korean", "EUC-KR"), ("iso-8859-9", "windows-1254"),
      ("utf-16", "UTF-16LE"), ("logical", "ISO-8859-8-I"), ("hz-gb-2312", "replacement"),
    ] as [(String, String)])
  func `a label maps to its encoding`(_ label: String, _ name: String) {
    #expect(CharacterEncoding(label: label.utf8)?.name == name)
  }

  @Test(arguments: ["", "utf-9", "latin-1000000000000000000000000000000000"])
  func `an unknown label maps to nil`(_ label: String) {
    #expect(CharacterEncoding(label: label.utf8) == nil)
  }

  @Test(
    arguments: [
      ("mark before header", [0xEF, 0xBB, 0xBF, 0x41], "windows-1251", "UTF-8"),
      ("UTF-16 mark", [0xFF, 0xFE, 0x41, 0], nil, "UTF-16LE"),
      ("UTF-16BE mark", [0xFE, 0xFF, 0, 0x41], "utf-8", "UTF-16BE"),
      ("UTF-32 mark", [0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], nil, "UTF-32LE"),
      ("UTF-32BE mark", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x41], "utf-8", "UTF-32BE"),
      ("header before meta", Array("<meta charset=koi8-r>".utf8), "windows-1251", "windows-1251"),
      ("meta", Array("<meta charset=koi8-r>".utf8), nil, "KOI8-R"),
      ("unknown header", Array("<meta charset='koi8-r'>".utf8), "nonsense", "KOI8-R"),
      (
        "meta pragma",
        Array("<META content='text/html; charset=\"gbk\"' HTTP-EQUIV=Content-Type>".utf8), nil,
        "GBK"
      ),
      ("x-user-defined", Array("<meta charset=x-user-defined>".utf8), nil, "windows-1252"),
      ("header says UTF-16 of ASCII", Array("<meta charset=gbk>".utf8), "utf-16", "GBK"),
      ("header says UTF-16", [0x41, 0, 0x42, 0, 0x43, 0, 0x44, 0], "utf-16", "UTF-16LE"),
      (
        "header says UTF-16, in the other byte order", [0, 0x41, 0, 0x42, 0, 0x43, 0, 0x44],
        "utf-16", "UTF-16BE"
      ),
      (
        "header says something else of UTF-16", [0, 0x41, 0, 0x42, 0, 0x43, 0, 0x44], "utf-8",
        "UTF-8"
      ),
      (
        "header is wrong, meta is right", Array("<meta charset=koi8-r>".utf8) + [0xF0], "utf-8",
        "KOI8-R"
      ),
      ("header says Latin-1 of UTF-8", Array("Zürich".utf8), "iso-8859-1", "UTF-8"),
      ("two letters of Korean that could be UTF-8", [0xC7, 0xAA, 0xC3, 0xA3], "euc-kr", "EUC-KR"),
      ("Japanese that is ASCII", Array("\u{1B}$BF|K\\\u{1B}(B".utf8), nil, "ISO-2022-JP"),
      ("content without pragma", Array("<meta content='charset=gbk'>".utf8), nil, "UTF-8"),
      ("meta in a comment", Array("<!-- <meta charset=gbk> -->".utf8), nil, "UTF-8"),
      ("meta in an attribute", Array("<a title='<meta charset=gbk>'>".utf8), nil, "UTF-8"),
      ("meta cannot say UTF-16", Array("<meta charset=utf-16>".utf8), nil, "UTF-8"),
      (
        "XML declaration", Array("<?xml version='1.0' encoding='iso-8859-2'?>".utf8), nil,
        "ISO-8859-2"
      ),
      (
        "meta behind the first 1024 bytes",
        [UInt8](repeating: 0x20, count: 1024) + Array("<meta charset=gbk>".utf8), nil, "UTF-8"
      ),
      ("valid UTF-8", Array("Zürich".utf8), nil, "UTF-8"),
      ("anything else", [0x5A, 0xFC, 0x72], nil, "windows-1252"),
      ("truncated emoji", Array("a ".utf8) + [0xF0, 0x9F, 0x98, 0x3C], "utf-8", "UTF-8"),
      ("truncated emoji at the end", Array("a ".utf8) + [0xF0, 0x9F, 0x98], "utf-8", "UTF-8"),
      (
        "truncated ellipsis, meta", Array("<meta charset=utf-8>a ".utf8) + [0xE2, 0x80, 0x3C], nil,
        "UTF-8"
      ),
      ("nothing", [], nil, "UTF-8"),
    ] as [(String, [UInt8], String?, String)])
  func `encoding sources have the precedence that the standard defines`(
    _ row: (name: String, bytes: [UInt8], charset: String?, encoding: String)
  ) {
    #expect(CharacterEncoding.detect(row.bytes, charset: row.charset).name == row.encoding)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0, 0, 0xE4, 0, 0, 0, 0, 0xF6, 1, 0, 0x0A, 0, 0, 0],
      [0, 0, 0xFE, 0xFF, 0, 0, 0, 0xE4, 0, 1, 0xF6, 0, 0, 0, 0, 0x0A],
    ] as [[UInt8]])
  func `text in UTF-32 with a byte order mark is decoded`(_ bytes: [UInt8]) {
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    #expect(String(decoding: encoding.decode(bytes), as: UTF8.self) == "ä😀\n")
    #expect(CharacterEncoding.wideEncoding(of: bytes) == encoding)
  }

  /// A line of 12 bytes, which is drawn in a code page of MS-DOS.
  private static let drawnLine = [UInt8](repeating: 0xC4, count: 12)

  @Test func `text with box-drawing characters of MS-DOS is decoded as code page 437`() {
    var text: [UInt8] = [0xDA]
    text += Self.drawnLine
    text += [0xBF, 0x0A, 0xB3]
    text += " The Harbour ".utf8
    text += [0xB3, 0x0A, 0xC0]
    text += Self.drawnLine
    text += [0xD9, 0x0A]
    let encoding = CharacterEncoding.detect(text, charset: nil, isMarkup: false)
    let line = String(repeating: "─", count: 12)
    let expected = "┌\(line)┐\n│ The Harbour │\n└\(line)┘\n"
    #expect(String(decoding: encoding.decode(text), as: UTF8.self) == expected)
    // A few lines among other text above ASCII.
    text += [UInt8](repeating: 0xFC, count: 40)
    #expect(CharacterEncoding.detect(text, charset: nil, isMarkup: false).name != "CP437")
  }

  @Test func `letters that recur are no drawings`() {
    var text = Array("Nein ".utf8)
    text += Self.drawnLine
    text += Self.drawnLine
    #expect(CharacterEncoding.detect(text, charset: nil, isMarkup: false).name != "CP437")
    // Arabic in windows-1256 with lines of the letter that lengthens words.
    let line = [UInt8](repeating: 0xDC, count: 60) + [0x0A]
    let words: [UInt8] = [0xE3, 0xD1, 0xCD, 0xC8, 0xC7, 0x20, 0xC8, 0xDF, 0xE3, 0x0A]
    let arabic = words + line + words + line
    #expect(CharacterEncoding.detect(arabic, charset: nil, isMarkup: false).name != "CP437")
    // German in windows-1252 with lines of degree signs, "Öl, Übung, süß".
    let signs = [UInt8](repeating: 0xB0, count: 40) + [0x0A]
    let list: [UInt8] = [
      0xD6, 0x6C, 0x2C, 0x20, 0xDC, 0x62, 0x75, 0x6E, 0x67, 0x2C, 0x20, 0x73, 0xFC, 0xDF, 0x0A,
    ]
    let german = signs + list + signs
    #expect(CharacterEncoding.detect(german, charset: nil, isMarkup: false).name != "CP437")
  }

  @Test(
    arguments: [
      // No declaration, "té»", more errors than truncated characters.
      ([0x61, 0xF0, 0x9F, 0x98, 0x3C], nil), ([0x74, 0xE9, 0xBB, 0x3C], "utf-8"),
      (
        [0xE9, 0x20, 0xE8, 0x20, 0xFC, 0x20, 0xEA, 0x20, 0xE9, 0x20, 0xF0, 0x9F, 0x98, 0x3C],
        "utf-8"
      ),
    ] as [([UInt8], String?)])
  func `truncated characters alone do not make a page UTF-8`(
    _ bytes: [UInt8], _ charset: String?
  ) {
    #expect(CharacterEncoding.detect(bytes, charset: charset) != .utf8)
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x41], "utf-8", .byteOrderMark),
      (Array("Zürich".utf8), "utf-8", .contentTypeHeader),
      (Array("<meta charset=koi8-r>\u{C1}".utf8), nil, .content),
      (Array("<meta charset=koi8-r>".utf8) + [0xC1, 0xC2], nil, .documentDeclaration),
      (Array("Zürich".utf8), nil, .content), (Array("Zürich".utf8), "latin1", .content),
      ([0x5A, 0xFC, 0x72], nil, .characterFrequency),
      ([0x5A, 0xFC, 0x72], "latin1", .contentTypeHeader),
      ([], nil, .content),
      ([0x41, 0, 0x42, 0, 0x43, 0, 0x44, 0], nil, .content),
    ] as [([UInt8], String?, EncodingEvidence)])
  func `the source that determined the encoding is reported`(
    _ bytes: [UInt8], _ charset: String?, _ source: EncodingEvidence
  ) {
    let encoding = CharacterEncoding.detect(bytes, charset: charset)
    #expect(
      EncodingEvidence(of: encoding.name, bytes, charset: charset, isMarkup: true) == source,
      "\(encoding.name)")
  }

  @Test(
    arguments: [
      ("utf-8", Array("Zürich".utf8), "Zürich"),
      ("utf-8", [0xEF, 0xBB, 0xBF, 0x61, 0, 0x62], "a b"),
      ("utf-8", [0x93, 0x61, 0x92, 0x62, 0x94, 0x20, 0x97], "“a’b” —"),
      ("utf-8", [0xC3, 0xA9, 0x92, 0xC3, 0xA9, 0x81], "é’é\u{FFFD}"),
      // A part of a character, or more than one byte.
      ("utf-8", [0x61, 0xE9, 0x62, 0xE2, 0x80], "a\u{FFFD}b\u{FFFD}"),
      (
        "utf-8", [0x61, 0x93, 0x94, 0x62, 0xC3, 0x92, 0x92, 0x92],
        "a\u{FFFD}\u{FFFD}bÒ\u{FFFD}\u{FFFD}"
      ),
      ("utf-8", [0x61, 0xC3, 0x28, 0xE2, 0x82, 0x62, 0xFF], "a\u{FFFD}(\u{FFFD}b\u{FFFD}"),
      ("latin1", [0x93, 0xE9, 0x94, 0x81], "“é”\u{FFFD}"),
      ("utf-16le", [0x41, 0, 0xAC, 0x20], "A€"),
      ("utf-16", [0xFF, 0xFE, 0x41, 0, 0x42], "A\u{FFFD}"),
      ("utf-16be", [0xD8, 0x3D, 0xDE, 0x00], "😀"),
      ("utf-16be", [0, 0x41, 0xD8, 0, 0, 0x42], "A\u{FFFD}B"),
      ("koi8-r", [0xF0, 0xF2], "ПР"),
      ("windows-1251", [0xCF, 0xF0], "Пр"),
      ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
      ("euc-jp", [0xAD, 0xA1, 0x8E, 0xB1, 0xA1, 0xC1], "①ｱ～"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x41], "日A"),
      ("iso-2022-jp", [0x1B, 0x28, 0x49, 0x31, 0x1B, 0x28, 0x4A, 0x41, 0x80], "ｱA\u{FFFD}"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x0A, 0x1B, 0x5B], "\u{FFFD}\n\u{1B}\u{FFFD}"),
      ("gb2312", [0xD6, 0xD0, 0x80], "中€"),
      ("gb18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"),
      ("gbk", [0x81, 0x20, 0xFF, 0x41], "\u{FFFD} \u{FFFD}A"),
      ("big5", [0xA4, 0xA4], "中"),
      ("euc-kr", [0xC7, 0xD1], "한"),
      ("macintosh", [0x8A], "ä"),
      ("iso-8859-15", [0xA4], "€"),
      ("windows-874", [0xA1], "ก"),
    ] as [(String, [UInt8], String)])
  func `bytes are decoded to characters`(_ row: (label: String, bytes: [UInt8], text: String))
    throws
  {
    let encoding = try #require(CharacterEncoding(label: row.label.utf8))
    let decoded = encoding.decode(row.bytes)
    #expect(String(decoding: decoded, as: UTF8.self) == row.text)
  }

  @Test func `every label of the Encoding standard names an encoding that can be decoded`() throws {
    let bytes = (0...255).map { UInt8($0) } + (0...255).reversed().map { UInt8($0) } + [0x81]
    #expect(EncodingLabels.labelsByName.count == 40)
    #expect(EncodingLabels.labelsByName.flatMap { $0.labels.split(separator: " ") }.count == 228)
    for (name, labels) in EncodingLabels.labelsByName {
      for label in labels.split(separator: " ") {
        #expect(CharacterEncoding(label: label.utf8)?.name == name, "\(label)")
        #expect(CharacterEncoding(label: "\t\(label.uppercased()) ".utf8)?.name == name)
      }
      let encoding = try #require(CharacterEncoding(label: name.utf8))
      let decoded = encoding.decode(bytes)
      #expect(String(validating: decoded, as: UTF8.self) != nil, "\(name)")
      #expect(!decoded.contains(0), "\(name)")
      #expect(!decoded.isEmpty, "\(name)")
      // Without a conversion, windows-1252 would be used instead.
      let isOther = decoded != CharacterEncoding.windows1252.decode(bytes)
      #expect(isOther == (name != "windows-1252"), "\(name)")
    }
  }

  @Test func `a page is decoded in its encoding, and the document reports which one`() {
    let bytes = Array("<title>".utf8) + [0xCF, 0xF0] + Array("</title><p>x".utf8)
    let document = Document(bytes: bytes, mediaType: "text/html", charset: "windows-1251")
    #expect(document.title == "Пр")
    #expect(document.encodingName == "windows-1251")
  }

  /// Parses a page that is written in an encoding, and that declares it.
  private func document(_ markup: String, _ label: String) throws -> Document {
    let encoding = try #require(CharacterEncoding(label: label.utf8))
    return Document(bytes: encoding.encode(markup), mediaType: "text/html", charset: label)
  }

  @Test(
    arguments: [
      ("windows-1251", "/s?q=тест&n=1", "/s?q=%F2%E5%F1%F2&n=1"),
      ("shift_jis", "/wiki?日本語", "/wiki?%93%FA%96{%8C%EA"),
      ("euc-jp", "http://h/?日本", "http://h/?%C6%FC%CB%DC"),
      ("iso-2022-jp", "?q=日a", "?q=%1B$BF|%1B(Ba"),
      ("iso-8859-1", "HTTPS://h/?é'x'", "HTTPS://h/?%E9'x'"),
      // A character that the encoding does not have.
      ("iso-8859-1", "?a=é&#1090;", "?a=%E9%26%231090%3B"),
      // Path and fragment.
      ("windows-1251", "/п/ё?т#т", "/п/ё?%F2#т"), ("windows-1251", "/т#т?т", "/т#т?т"),
      // Other schemes, and a query that is encoded already.
      ("windows-1251", "mailto:a@b.example?subject=т", "mailto:a@b.example?subject=т"),
      ("windows-1251", "/s?q=%D1%82&т", "/s?q=%D1%82&%F2"),
      ("utf-8", "/s?q=тест", "/s?q=тест"), ("windows-1251", "/s?q=test", "/s?q=test"),
    ] as [(String, String, String)])
  func `the query of a link is encoded as its page`(
    _ label: String, _ reference: String, _ target: String
  ) throws {
    let document = try document("<p>ёлка日é <a href=\"\(reference)\">x</a>", label)
    #expect(document.links.first?.target == target)
  }

  @Test(
    arguments: [
      "Съешь же ещё этих булок, да выпей чаю.\n", "吾輩は猫である。名前はまだ無い。どこで生れたか\n",
      "白日依山尽,黄河入海流。一二三四五六七八九十\n", "زُرْ ذا الشرفِ كثيرًا، وأكرمْهُ\n",
      "ทดสอบการเข้ารหัสอักขระ ภาษาไทย 😀\n", "一天中午，一人在山上看一本书\n",
    ])
  func `UTF-16 in any script is detected without a byte order mark`(_ text: String) {
    let units = (text + text).utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for (bytes, name) in [
      (units.flatMap { $0 }, "UTF-16LE"), (units.flatMap { $0.reversed() }, "UTF-16BE"),
    ] {
      #expect(CharacterEncoding.detect(bytes, charset: nil, isMarkup: false).name == name)
      #expect(CharacterEncoding.detect(bytes, charset: "utf-16", isMarkup: false).name == name)
      #expect(Document.sniff(bytes) == .text)
    }
  }

  @Test(arguments: ["The ferry leaves at noon.\n", "Жук 😀\n", "一天中午\n"])
  func `UTF-32 is detected without a byte order mark`(_ text: String) {
    let units = text.unicodeScalars.map { scalar in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
    }
    for (bytes, name) in [
      (units.flatMap { $0 }, "UTF-32LE"), (units.flatMap { $0.reversed() }, "UTF-32BE"),
    ] {
      let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
      #expect(encoding.name == name && Document.sniff(bytes) == .text)
      #expect(String(decoding: encoding.decode(bytes), as: UTF8.self) == text)
    }
  }

  @Test(arguments: ["Bush hid the facts", "Ceci a été gâté, là où ça va", "Привет, мир"])
  func `text in which NUL occurs is not UTF-16`(_ text: String) {
    let bytes = Array(String(repeating: text + "\0\n", count: 8).utf8)
    #expect(CharacterEncoding.detect(bytes, charset: nil, isMarkup: false) == .utf8)
    #expect(CharacterEncoding.wideEncoding(of: bytes) == nil)
  }

  @Test func `the queries of a UTF-16 page are UTF-8`() {
    let page = "<p><a href=\"/s?q=т\">x</a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let document = Document(bytes: page, mediaType: "text/html", charset: "utf-16le")
    #expect(document.links.first?.target == "/s?q=т")
  }

  @Test func `the queries of all references of a page are encoded alike`() throws {
    let document = try document(
      """
      <base href="http://h/?т"><link rel=canonical href="/c?т">
      <meta http-equiv=refresh content="5; url=/r?т"><meta name=description content="а?т">
      <p>Слова <img src="/i?т" width=300 height=200 alt=а>
      <img srcset="/small?т 300w, /large?т 900w" width=300 height=200 alt=б>
      <form action="/f?т" method=post><input name=a><input type=submit></form>
      <iframe srcdoc="<p><a href='/d?т'>в</a>"></iframe>
      <p><a href=/file download="а?т">г</a>
      """, "windows-1251")
    #expect(document.baseURL == "http://h/?%F2")
    #expect(document.canonicalURL == "/c?%F2")
    #expect(document.links.first(where: { $0.kind == .refresh })?.target == "/r?%F2")
    #expect(document.images.count == 2)
    #expect(document.images.allSatisfy { $0.source.hasSuffix("?%F2") })
    #expect(document.forms.forms.first?.submission.action == "/f?%F2")
    #expect(document.links.contains { $0.target == "/d?т" })
    #expect(Array(document.downloadNames.values) == ["а?т"])
  }

  /// The text and the linked text of a page in an encoding for Hebrew.
  private static func hebrew(_ body: String, _ charset: String) -> (text: String, link: String) {
    let bytes = body.unicodeScalars.map { scalar in
      scalar.value < 0x80 ? UInt8(scalar.value) : UInt8(scalar.value - 0x5D0 + 0xE0)
    }
    let document = Document(bytes: bytes, mediaType: "text/html", charset: charset)
    #expect(document.problems == [])
    let linked = document.runs.filter { $0.link != nil }.map { run in
      String(decoding: document.text[Int(run.start)..<Int(run.end)], as: UTF8.self)
    }
    return (document.content, linked.joined())
  }

  @Test(
    arguments: [
      (["12 ", "םולש"], ["שלום", " 12"]),
      (["?", "םולש", " abc def (", "ןכ", ")"], ["(", "כן", ") abc def ", "שלום", "?"]),
      (["2.50 - 3,5 ", "ריחמ"], ["מחיר", " 3,5 - 2.50"]),
      (["ןיא", "<br>", "םוי"], ["אין", "\n", "יום"]), (["(abc)<p>", "םוי"], ["(abc)\n", "יום"]),
    ] as [([String], [String])])
  func `Hebrew in visual order is put into reading order`(
    _ visual: [String], _ expected: [String]
  ) {
    #expect(Self.hebrew(visual.joined(), "iso-8859-8").text == expected.joined())
  }

  @Test func `a link in Hebrew in visual order keeps its text`() {
    let page = Self.hebrew(
      ["<a href=/x>", "ןכ", "</a> ", "אל", " <b>", "םוי", "</b>"].joined(), "visual")
    #expect(page.text == ["יום", " ", "לא", " ", "כן"].joined())
    #expect(page.link == "כן")
  }

  @Test func `Hebrew that the page has in reading order is not reordered`() {
    for charset in ["iso-8859-8-i", "windows-1255", "iso-8859-8"] {
      #expect(Self.hebrew(["שלום", " 12"].joined(), charset).text == ["שלום", " 12"].joined())
    }
  }
}
