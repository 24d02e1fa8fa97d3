import Exchange
import Foundation
import Testing

/// Lists of references, clipped notes and the output of buku.
@Suite struct ImportedReferencesTests {
  private static func list(_ text: String) throws -> ImportedList {
    try #require(ImportedList(Array(text.utf8)))
  }

  @Test func `references in BibTeX are imported with their titles and keywords`() throws {
    let list = try Self.list(
      """
      % Tides
      @string{jt = "Journal of Tides"}
      @article{ahlers:2020,
        author = {Ahlers, Ann},
        title = {The {Tide} in {M{\\"u}nde}: Caf\\'e \\& quay},
        journal = jt, year = 2020, doi = {10.1000/tide},
        url = {https://a.test/low{\\_}water?a=1\\&b=2},
        keywords = {tides, low water}, abstract = "About {"}tides{"}.",
        date-added = {2021-03-04 05:06:07 +0000}
      }

      @misc{web, title="Quay", howpublished="\\url{https://b.test/q}, seen 2020"}
      @article{doi, title = {With a DOI}, date = {2019-01-01}, doi = {https://doi.org/10.1000/x#1}}
      @online{open, title = {Without an end, url = {https://c.test/}
      @article{arxiv, eprint = {2001.00001}, archivePrefix = {arXiv}}
      @misc{two, title = {Two}, url = {https://d.test/(a) https://e.test/}}
      @misc{comma, title = {Comma}, url = {https://f.test/a,b,http://g.test/}}
      @misc{semicolon, title = {Semicolon}, url = {https://h.test/c; https://i.test/}}
      @book{none, title = {On paper}}
      """)
    #expect(list.format == .bibtex && list.skippedCount == 2)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/low_water?a=1&b=2", title: "The Tide in Münde: Café & quay",
          tags: ["tides", "low water"], date: Date(timeIntervalSince1970: 1_614_834_367),
          note: "About \"tides\"."),
        ImportedLink(url: "https://b.test/q", title: "Quay"),
        ImportedLink(url: "https://doi.org/10.1000/x%231", title: "With a DOI"),
        ImportedLink(url: "https://arxiv.org/abs/2001.00001"),
        ImportedLink(url: "https://d.test/(a)", title: "Two"),
        ImportedLink(url: "https://f.test/a,b", title: "Comma"),
        ImportedLink(url: "https://h.test/c", title: "Semicolon"),
      ])
  }

  @Test(arguments: [
    """
    "Key","Title","DOI","Url","Manual Tags"
    "A","The tide","10.1000/tide","","sea; low water"
    "B","Quay","10.1000/quay","https://b.test/q",""
    "C","On paper","","",""
    """,
    """
    [{"id": "a", "type": "article-journal", "title": "The tide", "DOI": "10.1000/tide",
      "keyword": "sea,low water", "issued": {"date-parts": [[2020, 2]]}},
     {"id": "b", "type": "webpage", "title": "Quay", "DOI": "10.1000/quay",
      "URL": "https://b.test/q"},
     {"id": "c", "type": "book", "title": "On paper"}]
    """,
  ])
  func `the DOI of a reference in CSV or CSL JSON leads to its page`(_ text: String) throws {
    let list = try Self.list(text)
    #expect(list.skippedCount == 1)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://doi.org/10.1000/tide", title: "The tide", tags: ["sea", "low water"]),
        ImportedLink(url: "https://b.test/q", title: "Quay"),
      ])
  }

  @Test func `references in RIS are imported with their titles and keywords`() throws {
    let list = try Self.list(
      """
      Provider: A publisher\r
      TY  - JOUR\r
      T1  - The tide\r
        in winter\r
      KW  - tides\r
      KW  - low water; quays\r
      PY  - 2019\r
      Y2  - 2021/03/04/\r
      UR  - https://a.test/tide\r
      N2  - A summary\r
      ER  - \r
      \r
      TY  - BOOK\r
      TI  - With a DOI\r
      DO  - 10.1000/x\r
      TY  - BOOK\r
      TI  - On paper\r
      ER  -\r

      """)
    #expect(list.format == .ris && list.skippedCount == 1)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/tide", title: "The tide in winter",
          tags: ["tides", "low water", "quays"], date: Date(timeIntervalSince1970: 1_614_816_000),
          note: "A summary"),
        ImportedLink(url: "https://doi.org/10.1000/x", title: "With a DOI"),
      ])
  }

  @Test func `notes of Evernote are imported with their texts`() throws {
    let text = String(repeating: "<div>Boats leave at noon.</div>", count: 20)
    let list = try Self.list(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
      <en-export application="Evernote"><note><title>Boats &amp; bays</title>
      <created>20210304T050607Z</created><tag>sea</tag><tag>low water</tag>
      <note-attributes><source-url>https://a.test/page</source-url></note-attributes>
      <content><![CDATA[<?xml version="1.0"?><en-note lang="en">\(text)</en-note>]]></content>
      <resource><resource-attributes><source-url>https://b.test/</source-url>
      </resource-attributes></resource></note>
      <note><title>Own</title><content><![CDATA[<en-note>Text</en-note>]]></content></note>
      </en-export>
      """)
    var link = ImportedLink(
      url: "https://a.test/page", title: "Boats & bays", tags: ["sea", "low water"],
      date: Date(timeIntervalSince1970: 1_614_834_367))
    link.content = text
    #expect(list.format == .evernote && list.links == [link] && list.skippedCount == 1)
  }

  @Test func `a note of Evernote without an end tag ends where the next one begins`() throws {
    let notes = (1...3).map {
      "<note><title>Note \($0)</title><note-attributes><source-url>https://a.test/\($0)</source-url>"
        + "</note-attributes><content>"
    }
    let list = try Self.list("<en-export>\(notes.joined())</en-export>")
    #expect(list.links.map(\.title) == ["Note 1", "Note 2", "Note 3"])
    #expect(list.skippedCount == 0)
  }

  @Test(arguments: [("", ""), (" [12]", " [3]")])
  func `bookmarks that buku printed are imported`(_ first: String, _ second: String) throws {
    let list = try Self.list(
      """
      1. Tide tables\(first)
         > https://a.test/tides
         + For all ports,
           by month
         # sea,low water

      2. Untitled\(second)
         > https://b.test/

      """)
    #expect(list.format == .buku)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/tides", title: "Tide tables", tags: ["sea", "low water"],
          note: "For all ports,\nby month"),
        ImportedLink(url: "https://b.test/"),
      ])
  }

  @Test(arguments: [
    "@media screen { a { color: red } }\nhttps://a.test/\n", "@ann see\nhttps://a.test/\n",
    "1. First\n2. Second\nhttps://a.test/\n", "1. First\n   > A quotation\nhttps://a.test/\n",
  ])
  func `other texts with similar lines are lists of URLs`(_ text: String) throws {
    #expect(try Self.list(text).format == .lines)
  }
}
