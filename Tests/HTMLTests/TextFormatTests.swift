import Foundation
import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Text in structured formats: JSON, tables, Markdown, XML, and plain text.
struct TextFormatTests {
  @Test(
    arguments: ["json", "jsonl", "csv", "md", "xml", "txt"].flatMap {
      GoldenCase.all(in: "Fixtures/views", extension: $0)
    } as [GoldenCase])
  func `a text becomes the expected document`(_ golden: GoldenCase) throws {
    let document = Document(
      bytes: try golden.bytes(), mediaType: "text/plain", url: golden.input.path)
    let difference = try golden.difference(from: Self.dump(document))
    #expect(difference == nil, "\(difference ?? "")")
    #expect(document.problems == [])
  }

  private static func dump(_ document: Document) -> String {
    var document = document
    let notice = document.notice.isEmpty ? "" : "notice \(document.notice)\n"
    document.baseURL = ""
    return notice + document.dump()
  }

  @Test(
    arguments: [
      ("application/json", "", TextFormat.json), ("application/vnd.api+json", "", .json),
      ("Application/JSON", "", .json), ("application/x-ndjson", "", .json),
      ("text/x-json", "", .json), ("text/vnd.daringfireball.markdown", "", .markdown),
      ("text/csv", "x.md", .commaSeparated), ("text/tab-separated-values", "", .tabSeparated),
      ("text/gemini", "x.md", .gemtext),
      ("text/plain", "gemlog/x.gmi", .gemtext), ("text/markdown", "x.json", .markdown),
      ("application/atom+xml", "", .xml),
      ("text/plain", "https://a.test/README.MD?raw=1#top", .markdown),
      ("text/plain", "https://a.test/x.md/", .markdown), ("text/plain", "x.geojson", .json),
      ("text/plain", "", .plain), ("text/plain", "x.", .plain), ("text/plain", "x.rs", .plain),
      (nil, "data.tsv", .tabSeparated), ("text/x-python", "x.md", .plain),
      (nil, "report.Rmd", .markdown), ("text/plain", "x.qmd", .markdown), (nil, "x.mdx", .markdown),
      ("application/javascript", "x.json", .plain),
    ] as [(String?, String, TextFormat)])
  func `the media type determines the format, or the file name if the type is plain text`(
    _ type: String?, _ name: String, _ format: TextFormat
  ) {
    #expect(TextFormat(mediaType: type, name: name) == format)
  }

  @Test func `the source view shows the unmodified text`() {
    let text = "{\"a\": 1}  \n# x\n<a/>,b"
    for type in ["application/json", "text/csv", "text/markdown", "application/xml"] {
      let document = Document(bytes: Array(text.utf8), mediaType: type, view: .source)
      #expect(document.plainText == Array((text + "\n").utf8))
    }
  }

  @Test(
    arguments: [
      (
        "Start\r\nLoading pages: 1% (1/90)\rLoading pages: 10% 2 MiB\rLoading pages: 100%, done\nEnd",
        "Start\nLoading pages: 100%, done\nEnd\n"
      ),
      ("\r 10%|#  | 1/9\r 90%|## | 8/9\n", " 90%|## | 8/9\n"),
      ("Tides 5%\rBoats 9%\rBoats 8% more\r\rx\n", "Tides 5%\nBoats 8% more\n\nx\n"),
      // The lines of an old Mac text end with carriage returns.
      ("Boats 9%\rBoats 8% more", "Boats 9%\nBoats 8% more\n"),
      ("Day 1\rDay 2\rDay 3\n10% a\n20% a\n", "Day 1\nDay 2\nDay 3\n10% a\n20% a\n"),
    ] as [(String, String)])
  func `of a progress bar in a text, only the last state is shown`(_ text: String, _ shown: String)
  {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/plain")
    #expect(String(decoding: document.plainText, as: UTF8.self) == shown)
  }

  @Test(
    arguments: [
      ("a,b\n1,\"say \\\"hi\\\", ok\"\n", ["a", "b", "1", "say \"hi\", ok"]),
      ("a,b\n\"\\\"x \"\"y\"\" z\",\"\\\\\"\n", ["a", "b", "\"x \"y\" z", "\\\\"]),
      ("a,b\n\"C:\\\",\"D:\\\"\n", ["a", "b", "C:\\", "D:\\"]),
    ] as [(String, [String])])
  func `quotation marks in the values of a table may have a backslash`(
    _ text: String, _ values: [String]
  ) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/csv")
    let leaves = document.blocks.filter { !$0.runs.isEmpty }
    #expect(leaves.map { document.text(of: $0) } == values)
  }

  // MARK: Flowed text

  private static func flowed(_ text: String, dropsSpace: Bool = false) -> Document {
    Document(
      bytes: Array(text.utf8), mediaType: "text/plain",
      flowedFormat: FlowedFormat(deletesTrailingSpace: dropsSpace))
  }

  @Test func `flowed lines are joined, and fixed lines are kept`() {
    let document = Self.flowed(
      "One \r\ntwo\r\n\r\n- a\r\n- b\r\n From\r\n> q \r\n> r\r\n>> s \r\n> t\r\n-- \r\nMe\r\n")
    #expect(
      document.dump() == """
        paragraph "One two"
        paragraph "- a\\n- b\\nFrom"
        quote
          paragraph "q r"
          quote
            paragraph "s"
          paragraph "t"
        paragraph "-- \\nMe"

        """)
    #expect(document.problems == [])
  }

  @Test func `quote marks of flowed text may have spaces between them`() {
    let document = Self.flowed("> > a \n> > b\n>> c \n> >d\n> e\n > f")
    #expect(
      document.dump() == """
        quote
          quote
            paragraph "a b"
            paragraph "c d"
          paragraph "e"
        paragraph "> f"

        """)
  }

  @Test(
    arguments: [
      ("海図の \n読み方 \nです", true, "海図の読み方です\n"), ("a  \nb", true, "a b\n"), ("a \nb", false, "a b\n"),
      ("a \n\nb", false, "a\nb\n"), ("-- \na \nb", false, "--\na b\n"),
      ("see https://a.test/x \nnow", false, "see https://a.test/x now\n"),
    ] as [(String, Bool, String)])
  func `a trailing space of a flowed line is kept, or deleted with DelSp`(
    _ text: String, _ dropsSpace: Bool, _ expected: String
  ) {
    let document = Self.flowed(text, dropsSpace: dropsSpace)
    #expect(String(decoding: document.plainText, as: UTF8.self) == expected)
  }

  @Test func `very deeply quoted flowed text gives a bounded document`() {
    let document = Self.flowed(String(repeating: ">", count: 100_000) + " a \n> b \nc")
    #expect(document.blocks.count < 100 && document.problems == [])
  }

  // MARK: JSON

  @Test(
    arguments: [
      ("[1, 2]", "[1, 2]"), ("[]", "[]"), (" {} ", "{}"), ("\"x\\n\\ny\"", "\"x\n\n  y\""),
      ("{\"a\":[]}", "{\n  a: []\n}"), ("1 2", "1\n2"), ("\u{1E}1\n\u{1E}2", "1\n2"),
      ("\u{FEFF}[true,false,null,-1.5e+3]", "[true, false, null, -1.5e+3]"),
      ("[{\"a\":1}]", "[\n  {\n    a: 1\n  }\n]"), ("[NaN]", "[NaN]"),
      ("\"\\u0000\\u001b[2J\\ud83d\\ude00\"", "\"\u{FFFD}[2J😀\""),
    ] as [(String, String)])
  func `JSON is indented`(_ json: String, _ expected: String) {
    let document = Document(bytes: Array(json.utf8), mediaType: "application/json")
    #expect(String(decoding: document.plainText, as: UTF8.self) == expected + "\n")
    #expect(document.notice.isEmpty)
  }

  @Test(
    arguments: [
      ("{\"a\" 1}", "line 1, column 6: a colon is missing"),
      ("[1\n 2]", "line 2, column 2: a comma or the closing bracket is missing"),
      ("{\"ä\": 1,}", "line 1, column 9: a name in quotation marks is missing"),
      ("[1", "line 1, column 3: the text ends before its last bracket is closed"),
      ("{\"a", "line 1, column 2: the quotation mark is never closed"),
      ("[}", "line 1, column 2: a value is missing"),
      ("hello", "line 1, column 1: a value is missing"),
      ("[1}", "line 1, column 3: a comma or the closing bracket is missing"),
    ] as [(String, String)])
  func `invalid JSON is shown as text, with a notice of where the error is`(
    _ json: String, _ message: String
  ) {
    let document = Document(bytes: Array(json.utf8), mediaType: "application/json")
    #expect(String(decoding: document.plainText, as: UTF8.self) == json + "\n")
    #expect(document.notice == "not valid JSON, shown as text: " + message)
  }

  @Test func `URLs in JSON are links`() {
    let json = "{\"a\": \"https://a.test/x\", \"b\": \"see (http://b.test/y).\"}"
    let document = Document(bytes: Array(json.utf8), mediaType: "application/json")
    #expect(document.links.map(\.target) == ["https://a.test/x", "http://b.test/y"])
  }

  // MARK: Tables

  @Test(
    arguments: [
      ("a,b\n1,2", "a b|1 2"), ("a;b\r\n1;2,5\r\n", "a b|1 2,5"), ("a|b\n1|2", "a b|1 2"),
      ("\"a\nb\",c\n\"d\"\"e\",f", "a\nb c|d\"e f"), ("sep=;\na;b\n1;2", "a b|1 2"),
      ("a,b\n\n1,2,3\n4", "a b|1 2 3|4"), ("a,b,\n1,2,", "a b |1 2 "),
      ("a,b\n1,\"never closed\n2,3", "a b|1 \"never closed|2 3"),
      ("a,b\n1,\"never closed\n\"\",3", "a b|1 \"never closed| 3"),
      ("a,\"b\"x,c\n1,2,3", "a \"b\"x c|1 2 3"),
      ("a,\"b c\" by d\n1,\"2\" ", "a \"b c\" by d|1 2"),
      ("\"a\" ; \"b\"\n\"1\" ; \"x;\"\"y\"", "a b|1 x;\"y"),
      (
        "June 1, 20;a;b;\nJune 2, 20;c;d;\nMay 3, 20;e;\nMay 4, 20;f;",
        "June 1, 20 a b |June 2, 20 c d |May 3, 20 e |May 4, 20 f "
      ),
      ("1,5;2,7\n3,5;4,7\n", "1,5 2,7|3,5 4,7"), ("a, b\n1, c;d\n2, e", "a b|1 c;d|2 e"),
      ("a, \"b\n1, c\"", "a \"b|1 c\""), ("sep=\"\na\"b\n\"c", "a b| c"),
      ("'a';'b, c'\n'It''s';'2;\n3'\n", "a b, c|It's 2;\n3"), ("'a',b\n'c','d'", "'a' b|'c' 'd'"),
      ("'so 'n' so','b'\n1,2", "'so 'n' so' 'b'|1 2"),
    ] as [(String, String)])
  func `rows and values follow RFC 4180 and common variants`(
    _ text: String, _ expected: String
  ) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/csv")
    var rows: [[String]] = []
    for block in document.blocks {
      switch block.kind {
      case .row: rows.append([])
      case .cell: rows[rows.count - 1].append("")
      case .paragraph:
        rows[rows.count - 1][rows[rows.count - 1].count - 1] = document.text(of: block)
      default: break
      }
    }
    #expect(rows.map { $0.joined(separator: " ") }.joined(separator: "|") == expected)
  }

  @Test(
    arguments: [
      ("a,b\n1,2\n3", true), ("a,\n1,2", false), ("a,b,\n1,2,", true), ("a,b,\n1,2,3", false),
      // A column of row names.
      (",a,b\nx,1,2", true), (",a\n,b", false), (",1,2\nx,3,4", false),
      // Years.
      ("a,2019,2020\nx,1,2", true), (",2019,2020\nx,1,2", true), ("2019,2020\n1,2", false),
      ("a,2019,2021\nx,1,2", false), ("a,8,9\nx,1,2", false),
      ("a,2019,2020\nb,2017,2018", false), ("a,2019,2020\nb,2017", true),
    ] as [(String, Bool)])
  func `a row of names is a header`(_ text: String, _ hasHeader: Bool) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/csv")
    #expect(document.dump().contains("row header") == hasHeader, "\(document.dump())")
    #expect(document.problems == [])
  }

  @Test(arguments: ["Report\n\na,b\n1,2", "Report\na,b\n1,2\n3"])
  func `lines with a single value above a table are text above it`(_ text: String) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/csv")
    #expect(document.dump().hasPrefix("paragraph \"Report\"\ntable"), "\(document.dump())")
    #expect(document.dump().contains("row header"))
    #expect(document.problems == [])
  }

  @Test(arguments: [
    "\"a,1\n", "\"\"\"a,1\n", "\"\",1\n", "b, \"a\n", "\"a\"b,1\n", "\"\\\"a,1\n",
  ])
  func `repeated quotation marks take linear time`(_ part: String) {
    let count = Effort.rounds(400_000, part: 100_000) / part.utf8.count
    let text = String(repeating: part, count: count) + "\n1,2"
    #expect(!Document(bytes: Array(text.utf8), mediaType: "text/csv").text.isEmpty)
  }

  @Test func `a table too large to draw is shown as text`() {
    let text = String(repeating: "a,b\n", count: 300_000)
    let document = Document(bytes: Array(text.utf8), mediaType: "text/csv")
    #expect(document.blocks.count == 1)
    #expect(document.notice.contains("too large"))
    let wide = String(repeating: "a,", count: 5000)
    #expect(Document(bytes: Array(wide.utf8), mediaType: "text/csv").blocks.count == 1)
    #expect(Document(bytes: Array("one\ntwo\n".utf8), mediaType: "text/csv").notice.isEmpty)
  }

  // MARK: XML

  @Test(
    arguments: [
      ("<a><b>1</b><c/></a>", "<a>\n  <b>1</b>\n  <c/>\n</a>"), ("<a", "<a"),
      ("</a></a>", "</a>\n</a>"),
      ("<a>x", "<a>x"), ("<a><![CDATA[<]]></a>", "<a><![CDATA[<]]></a>"),
      ("1 < 2 <b/>", "1 < 2\n<b/>"),
      ("<a b='>'>x</a>", "<a b='>'>x</a>"), ("<!-- never", "<!-- never"),
      ("<a><b></a>", "<a>\n  <b></a>"),
      ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a/>"),
      (
        "<a xml:space=\"preserve\">  x\n   y  </a>", "<a xml:space=\"preserve\">  x\n   y  </a>"
      ),
      ("<a xml:space='preserve'>\n<b> x </b></a>", "<a xml:space='preserve'>\n  <b>x</b>\n</a>"),
    ] as [(String, String)])
  func `XML is indented by nesting`(_ xml: String, _ expected: String) {
    let document = XMLFormatter.document(of: Array(xml.utf8))
    #expect(String(decoding: document.plainText, as: UTF8.self) == expected + "\n")
  }

  // MARK: Plain text

  @Test(
    arguments: [
      (
        "<a xmlns:b=\"http://w.test/Atom\" b:c='http://a.test/1'\n xmlns='http://w.test/x'/>",
        ["http://a.test/1"]
      ),
      ("<a xmlns = 'http://w.test/Atom'>http://a.test/1</a>", ["http://a.test/1"]),
      ("<a xmlns='http://w.test/\nAtom' b=\"http://a.test/1\"/>", ["http://a.test/1"]),
      (
        "<a notxmlns='http://a.test/1' b=\"http://a.test/2\"/>",
        ["http://a.test/1", "http://a.test/2"]
      ),
      ("<a xmlns", []), ("<a xmlns='>", []),
    ] as [(String, [String])])
  func `namespaces of XML are not links`(_ xml: String, _ targets: [String]) {
    let document = XMLFormatter.document(of: Array(xml.utf8))
    #expect(document.links.map(\.target) == targets)
  }

  @Test(
    arguments: [
      ("see https://a.test/x_(y).", ["https://a.test/x_(y)"]),
      ("(http://a.test/b), <https://b.test>", ["http://a.test/b", "https://b.test"]),
      ("xhttp://a.test http:// https:/x", []),
      ("“https://a.test/”、https://b.test/。", ["https://a.test/", "https://b.test/"]),
      ("HTTPS://A.test/?q=1&b=2#c!", ["HTTPS://A.test/?q=1&b=2#c"]),
      (
        "www.a.test/b_(c), (WWW.b.test). https://www.c.test w",
        ["http://www.a.test/b_(c)", "http://WWW.b.test", "https://www.c.test"]
      ),
      (
        "https://a.test/p[Some text] https://b.test[B^], https://c.test/x[1]. www.d.test[D]",
        ["https://a.test/p", "https://b.test", "https://c.test/x", "http://www.d.test"]
      ),
      (
        "https://a.test/?b=c[Some text] https://a.test/?b[c]=d[The text,window=_blank].",
        ["https://a.test/?b=c", "https://a.test/?b[c]=d"]
      ),
      (
        "http://[::1]/x https://a.test/f[1].pdf https://a.test/?a[]=1&b[0]=2",
        ["http://[::1]/x", "https://a.test/f[1].pdf", "https://a.test/?a[]=1&b[0]=2"]
      ),
      (
        "https://a.test/[Group]_b.mkv https://a.test/[2020]%20c/d.mp3 https://a.test/[e] [f]",
        ["https://a.test/[Group]_b.mkv", "https://a.test/[2020]%20c/d.mp3", "https://a.test/"]
      ),
      ("xwww.a.test a@www.a.test www.a. www..a.b www. ww.a.b", []),
    ] as [(String, [String])])
  func `URLs in plain text are links`(_ text: String, _ targets: [String]) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/plain")
    #expect(document.links.map(\.target) == targets)
    #expect(String(decoding: document.plainText, as: UTF8.self) == text + "\n")
  }

  @Test(
    arguments: [
      ("\u{1B}]8;;https://a.test/\u{1B}\\go\u{1B}]8;;\u{1B}\\ on", "go on", ["https://a.test/"]),
      (
        "\u{1B}]8;id=1;http://a.test\u{7}see https://b.test\u{1B}]8;;\u{7}", "see https://b.test",
        ["http://a.test"]
      ),
      (
        "\u{1B}]8;;file:///etc\u{7}x\u{1B}]8;;\u{7} https://b.test", "x https://b.test",
        ["https://b.test"]
      ),
      // A link that does not end on its line.
      ("\u{1B}]8;;https://a.test\u{7}x\nhttps://b.test", "x\nhttps://b.test", ["https://b.test"]),
    ] as [(String, String, [String])])
  func `links of terminals are links`(_ text: String, _ expected: String, _ targets: [String]) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/plain")
    #expect(document.links.map(\.target) == targets && document.problems == [])
    #expect(String(decoding: document.plainText, as: UTF8.self) == expected + "\n")
    let first = text.contains("see") || text.contains("go") ? 0 : nil
    #expect(document.runs.first?.link.value == first)
  }

  @Test(
    arguments: [
      ("N\u{8}NA\u{8}A", "NA", [InlineStyle.strong]), ("_\u{8}xy", "xy", [.underlined, []]),
      ("x\u{8}_y", "xy", [.underlined, []]),
      ("_\u{8}ä\u{8}äb", "äb", [[.underlined, .strong], []]),
      ("a\u{C}b", "a\nb", [[]]), ("a\u{1B}[1;31mb\u{1B}[0mc", "abc", [[]]),
      ("\u{8}a", "\u{FFFD}a", [[]]), ("a\u{1B}]x", "a]x", [[]]), ("+\u{8}o x", "o x", [[]]),
      ("a\u{1B}]0;t\u{7}b\u{1B}]0;t\u{1B}\\c", "abc", [[]]), ("a\u{1B}]0;t\nb", "a]0;t\nb", [[]]),
      ("a\u{1B}(Bb\u{1B})0c\u{1B}(x)", "abc(x)", [[]]),
      ("a\u{1B}Mb\u{1B}=c\u{1B}7d\u{1B}Q", "abcdQ", [[]]), ("a\u{1B}", "a", [[]]),
    ] as [(String, String, [InlineStyle])])
  func `overstrikes and escape sequences become inline styles`(
    _ text: String, _ expected: String, _ styles: [InlineStyle]
  ) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/plain")
    #expect(String(decoding: document.plainText, as: UTF8.self) == expected + "\n")
    #expect(document.runs.map(\.style) == styles)
  }
}
