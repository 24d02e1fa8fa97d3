import Exchange
import ReaderMode
import Foundation
import Document
import Formats
import Pages
import TestSupport
import Testing

@Suite struct FrontMatterTests {
  @Test func `the metadata of a page precedes its Markdown`() {
    var matter = FrontMatter()
    matter.title = "A: \"B\" — c"
    matter.url = "https://a.test/?x=1&y=2#z"
    matter.author = "Ann O'Neil"
    matter.publicationDate = Date(timeIntervalSince1970: 1_795_256_130.5)
    matter.savedDate = Date(timeIntervalSince1970: 0)
    matter.tags = ["plain", "no", "two words", "#x"]
    matter.language = "en-GB"
    matter.isArchived = true
    matter.note = "one\ntwo"
    let document = Document(bytes: Array("<p>a <b>b</b>".utf8), mediaType: "text/html")
    let targets = ExportTargets(linkURL: { _ in nil }, imageURL: { _ in nil })
    #expect(
      String(decoding: matter.markdown(document, targets), as: UTF8.self) == """
        ---
        title: "A: \\"B\\" — c"
        url: "https://a.test/?x=1&y=2#z"
        author: "Ann O'Neil"
        date: 2026-11-21T10:15:30Z
        saved: 1970-01-01T00:00:00Z
        language: en-GB
        tags:
          - plain
          - "no"
          - two words
          - "#x"
        archived: true
        note: "one\\ntwo"
        ---

        a **b**

        """)
  }

  /// YAML 1.1 and 1.2: plain scalars that are not strings, indicators, escapes.
  @Test(
    arguments: [
      ("plain", "plain"), ("two words.", "two words."), ("Größe 日本", "Größe 日本"),
      ("true", "\"true\""), ("No", "\"No\""), ("null", "\"null\""), ("~", "\"~\""),
      ("12", "\"12\""),
      ("0x1F", "\"0x1F\""), ("2026-11-21", "\"2026-11-21\""), (".inf", "\".inf\""), ("-", "\"-\""),
      ("a: b", "\"a: b\""), ("a #b", "\"a #b\""), ("a:", "\"a:\""), ("- a", "\"- a\""),
      ("[a]", "\"[a]\""), ("{a}", "\"{a}\""), ("&a", "\"&a\""), ("*a", "\"*a\""), ("!a", "\"!a\""),
      ("|", "\"|\""), (">", "\">\""), ("'a'", "\"'a'\""), ("%a", "\"%a\""), ("@a", "\"@a\""),
      ("`a`", "\"`a`\""), ("a\\b", "\"a\\\\b\""), ("a\tb\r", "\"a\\tb\\r\""), ("a ", "\"a \""),
      (" a", "\" a\""), ("a\u{0}\u{1B}\u{85}", "\"a\\x00\\x1B\\x85\""),
      ("a\u{2028}\u{FEFF}", "\"a\\u2028\\uFEFF\""), ("😀", "\"😀\""),
      ("https://a.test/b?c=d", "https://a.test/b?c=d"), ("---", "\"---\""),
    ] as [(String, String)])
  func `a text is quoted if YAML would parse it differently`(_ text: String, _ expected: String) {
    var matter = FrontMatter()
    matter.title = text
    #expect(matter.text == "---\ntitle: \(expected)\n---\n")
  }

  @Test func `metadata of a page is included`() {
    let html = "<html lang=de><title>T</title><p>x"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let matter = FrontMatter(document, url: "https://a.test/")
    #expect(matter.text == "---\ntitle: T\nurl: https://a.test/\nlanguage: de\n---\n")
  }

  @Test(
    arguments: [
      ("The Art of…  Fly/Fishing!", "the-art-of-fly-fishing"), ("../../etc/passwd", "etc-passwd"),
      ("Größe 日本語", "größe-日本語"), ("", "a-test-x-1"), ("…", "a-test-x-1"), ("CON", "page-con"),
      ("com1", "page-com1"), ("a\u{0}b\u{1B}[31m", "a-b-31m"),
    ] as [(String, String)])
  func `file names are readable, short and valid on every file system`(
    _ title: String, _ expected: String
  ) {
    var names = ExportFileName()
    let url = "https://a.test/x?1"
    #expect(names.make(title: title, url: url, fileExtension: ".md") == expected + ".md")
    #expect(names.make(title: title, url: url, fileExtension: ".md") == expected + "-2.md")
    let long = names.make(
      title: String(repeating: "wörd ", count: 100), url: url, fileExtension: ".md")
    #expect(long.utf8.count <= 90 && !long.hasPrefix("-"))
  }
}
