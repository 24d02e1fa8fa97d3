import Foundation
import Testing

@testable import Exchange

/// Lists that services and reference managers export.
@Suite struct ImportedExportsTests {
  private func list(_ text: String) throws -> ImportedList {
    try #require(ImportedList(Array(text.utf8)))
  }

  @Test func `Zotero RDF has the titles, tags and dates of its items`() throws {
    let list = try list(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns:z="http://www.zotero.org/namespaces/export#" xmlns:dc="http://purl.org/dc/elements/1.1/"
       xmlns:dcterms="http://purl.org/dc/terms/" xmlns:bib="http://purl.org/net/biblio#">
      <bib:Document rdf:about="https://a.example/tide"><z:itemType>webpage</z:itemType>
       <dc:subject>sea</dc:subject>
       <dc:subject><z:AutomaticTag><rdf:value>wind</rdf:value></z:AutomaticTag></dc:subject>
       <dc:title>Tide &amp; tables</dc:title>
       <dcterms:dateSubmitted>2026-03-04T10:11:12Z</dcterms:dateSubmitted>
       <dc:identifier><dcterms:URI><rdf:value>https://a.example/tide</rdf:value></dcterms:URI>
       </dc:identifier></bib:Document>
      <bib:Article rdf:about="urn:isbn:1"><z:itemType>journalArticle</z:itemType>
       <dc:title>Paper</dc:title><dc:identifier>DOI 10.1000/xyz1</dc:identifier></bib:Article>
      <z:Attachment rdf:about="#item_1"><z:itemType>attachment</z:itemType>
       <dc:identifier><dcterms:URI><rdf:value>https://a.example/file.pdf</rdf:value></dcterms:URI>
       </dc:identifier></z:Attachment>
      </rdf:RDF>
      """)
    #expect(list.format == .zoteroRDF)
    #expect(list.links.map(\.url) == ["https://a.example/tide", "https://doi.org/10.1000/xyz1"])
    #expect(list.links[0].title == "Tide & tables" && list.links[0].tags == ["sea", "wind"])
    #expect(list.links[0].date == Date(timeIntervalSince1970: 1_772_619_072))
    #expect(list.links[1].title == "Paper")
  }

  @Test func `an export of wallabag as XML is read like the one as JSON`() throws {
    let list = try list(
      """
      <?xml version="1.0"?>
      <result><entry key="0"><is_archived>0</is_archived><is_starred>1</is_starred>
      <tags><item key="0"><id>1</id><label>sea</label></item></tags>
      <title><![CDATA[T1 & x]]></title><url>https://w.example/1</url>
      <created_at><![CDATA[2024-03-04T10:11:12+0000]]></created_at></entry>
      <entry key="1"><is_archived>1</is_archived><tags/><title>T2</title>
      <url>https://w.example/2</url></entry></result>
      """)
    #expect(list.format == .wallabag)
    #expect(list.links.map(\.url) == ["https://w.example/1", "https://w.example/2"])
    #expect(list.links[0].title == "T1 & x" && list.links[0].tags == ["sea"])
    #expect(list.links.map(\.isStarred) == [true, false])
    #expect(list.links.map(\.isArchived) == [false, true])
    #expect(list.links[0].date == Date(timeIntervalSince1970: 1_709_547_072))
  }

  @Test func `a feed is read as the list of the pages of its items`() throws {
    let text = String(repeating: "<p>Low water at noon.</p>", count: 30)
    let list = try list(
      """
      <?xml version="1.0"?>
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
      <title>Saved by Jo</title><link>https://f.example/</link>
      <item><title>T1 &amp; x</title><link>https://w.example/1</link><category>sea</category>
      <pubDate>Mon, 04 Mar 2024 10:11:12 GMT</pubDate>
      <content:encoded><![CDATA[\(text)]]></content:encoded></item>
      <item><title>T2</title><link>https://w.example/2</link></item></channel></rss>
      """)
    #expect(list.format == .feed && !list.isCertainlyList)
    #expect(list.links.map(\.url) == ["https://w.example/1", "https://w.example/2"])
    #expect(list.links[0].title == "T1 & x" && list.links[0].tags == ["sea"])
    #expect(list.links[0].date == Date(timeIntervalSince1970: 1_709_547_072))
    #expect(list.links[0].content.contains("<p>Low water at noon.</p>"))
    #expect(list.links[1].content.isEmpty && list.feeds.isEmpty)
  }

  @Test(arguments: [20_000, 20_001])
  func `a feed that has more items than are read is cut off`(_ count: Int) throws {
    let items = (0..<count).map { "<item><link>https://w.example/\($0)</link></item>" }
    let list = try list("<rss><channel><title>F</title>\(items.joined())</channel></rss>")
    #expect(list.links.count == 20_000)
    #expect(list.hasFurtherEntries == (count > 20_000))
  }

  @Test func `labels and dates of Inoreader are read`() throws {
    let list = try list(
      #"""
      {"id":"user/-/state/com.google/starred","items":[{"timestampUsec":"1709546000000000",
      "categories":["user/1/state/com.google/reading-list","user/1/label/Sea/Wind"],"title":"S",
      "published":1600000000,"canonical":[{"href":"https://i.example/1"}]}]}
      """#)
    #expect(list.links.map(\.url) == ["https://i.example/1"])
    #expect(list.links[0].tags == ["Sea/Wind"])
    #expect(list.links[0].date == Date(timeIntervalSince1970: 1_709_546_000))
  }

  @Test func `pages of Feedly have their canonical URLs and no tags for states`() throws {
    let list = try list(
      #"""
      [{"title":"F","canonicalUrl":"https://f.example/1","published":1600000000000,
      "alternate":[{"href":"https://f.example/1?utm"}],"actionTimestamp":1709547000000,
      "tags":[{"id":"user/1/tag/global.saved","label":"Saved"},{"id":"user/1/tag/x","label":"sea"}]}]
      """#)
    #expect(list.links.map(\.url) == ["https://f.example/1"] && list.links[0].tags == ["sea"])
    #expect(list.links[0].date == Date(timeIntervalSince1970: 1_709_547_000))
  }

  @Test func `articles of Tiny Tiny RSS are read with their tags, notes and dates`() throws {
    let list = try list(
      """
      <?xml version="1.0"?>
      <articles schema-version="124"><article><guid><![CDATA[g]]></guid>
      <title><![CDATA[T1 & x]]></title><content><![CDATA[<p>Short.</p>]]></content>
      <marked><![CDATA[1]]></marked><published><![CDATA[]]></published>
      <note><![CDATA[Low water]]></note><link><![CDATA[https://t.example/1]]></link>
      <tag_cache><![CDATA[sea,wind]]></tag_cache><feed_url>https://t.example/feed</feed_url>
      <updated><![CDATA[2024-03-04 10:11:12]]></updated></article></articles>
      """)
    var link = ImportedLink(
      url: "https://t.example/1", title: "T1 & x", tags: ["sea", "wind"],
      date: Date(timeIntervalSince1970: 1_709_547_072), note: "Low water")
    link.isStarred = true
    #expect(list.links == [link] && list.skippedCount == 0)
  }

  @Test func `bookmarks of Opera have their folders, without deleted ones`() throws {
    let list = try list(
      """
      Opera Hotlist version 2.0
      Options: encoding = utf8, version=3

      #FOLDER
      \tID=11
      \tNAME=Sea
      \tCREATED=1199145600

      #URL
      \tID=12
      \tNAME=Tide = low
      \tURL=https://o.example/a=b
      \tCREATED=1199145601
      \tDESCRIPTION=One\u{2}\u{2}Two

      #SEPERATOR
      \tID=13

      -

      #FOLDER
      \tNAME=Trash
      \tTRASH FOLDER=YES

      #URL
      \tNAME=Deleted
      \tURL=https://o.example/deleted

      -

      #URL
      \tNAME=Ferry
      \tURL=https://o.example/ferry
      """)
    #expect(list.format == .opera)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://o.example/a=b", title: "Tide = low", tags: ["Sea"],
          date: Date(timeIntervalSince1970: 1_199_145_601), note: "One\nTwo"),
        ImportedLink(url: "https://o.example/ferry", title: "Ferry"),
      ])
  }

  @Test(arguments: [
    """
    %0 Web Page
    %T Tide & low
    %U https://e.example/1
    %K sea
    wind
    %[ March 4, 2021

    %0 Journal Article
    %T Paper
    %R 10.1000/xyz1

    """,
    """
    <?xml version="1.0" encoding="UTF-8" ?><xml><records>
    <record><ref-type name="Web Page">12</ref-type>
    <titles><title><style face="normal">Tide &amp; </style><style face="italic">low</style></title>
    </titles><keywords><keyword><style>sea</style></keyword><keyword>wind</keyword></keywords>
    <urls><related-urls><url><style>https://e.example/1</style></url></related-urls></urls>
    <access-date><style>March 4, 2021</style></access-date></record>
    <record><ref-type name="Journal Article">17</ref-type><titles><title>Paper</title></titles>
    <electronic-resource-num><style>10.1000/xyz1</style></electronic-resource-num></record>
    </records></xml>
    """,
  ])
  func `references of EndNote are read as text and as XML`(_ text: String) throws {
    let list = try list(text)
    #expect(list.format == .ris)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://e.example/1", title: "Tide & low", tags: ["sea", "wind"],
          date: Date(timeIntervalSince1970: 1_614_816_000)),
        ImportedLink(url: "https://doi.org/10.1000/xyz1", title: "Paper"),
      ])
  }

  @Test func `a list or page that resembles an export of references is read as such`() throws {
    let list = try list("%0 in the table\nhttps://a.example/ One\nhttps://b.example/ Two\n")
    #expect(list.format == .lines && list.links.count == 2)
    let page = "<html><articles-list><article><a href='https://a.example/'>A</a></article>"
    #expect(ImportFormat(of: Array(page.utf8)) == .list(.page))
  }

  @Test(arguments: [
    // Telegram, all chats or one of them.
    #"{"chats":{"list":[{"name":"A","messages":[\#(telegramMessages)]}]}}"#,
    #"{"name":"A","type":"saved_messages","messages":[\#(telegramMessages)]}"#,
    // Slack.
    #"[{"type":"message","text":"See <https://c.example/1?a&amp;b|one> and <https://c.example/2>.","#
      + #""ts":"1577934245.000100"},{"type":"message","text":"none","ts":"1577934246.0"}]"#,
  ])
  func `links in the messages of a chat are read with their dates`(_ text: String) throws {
    let list = try list(text)
    #expect(list.links.map(\.url) == ["https://c.example/1?a&b", "https://c.example/2"])
    #expect(list.links.allSatisfy { $0.date?.timeIntervalSince1970.rounded() == 1_577_934_245 })
    #expect(list.skippedCount == 0)
  }

  private static let telegramMessages = #"""
    {"id":1,"type":"message","date":"2020-01-02T08:04:05","date_unixtime":"1577934245","text":[
     "See: ",{"type":"link","text":"https://c.example/1?a&b"},
     {"type":"text_link","text":"more","href":"https://c.example/2"},"."]},
    {"id":2,"type":"message","date":"2020-01-02T08:04:06","text":"none"}
    """#

  @Test(arguments: [
    // The histories of Chromium and Firefox.
    #"{"Browser History":[{"title":"T","url":"https://h.example/","time_usec":1600000000000000}]}"#,
    #"[{"id":"x","url":"https://h.example/","title":"T","lastVisitTime":1600000000000.5}]"#,
    "URL,Title,Visited On,Visit Count\nhttps://h.example/,T,9/13/2020 12:26:40 PM,3",
    // Activities in a Google account.
    #"[{"header":"Chrome","title":"T","titleUrl":"https://h.example/","#
      + #""time":"2020-09-13T12:26:40.000Z"}]"#,
    // NewsBlur, Memex, Shiori and Cubox.
    #"{"stories":[{"story_title":"T","story_permalink":"https://h.example/","#
      + #""starred_date":"2020-09-13 12:26:40"}]}"#,
    #"{"bookmarks":[{"url":"h.example","fullUrl":"https://h.example/","fullTitle":"T","#
      + #""time":1600000000000}]}"#,
    #"[{"id":1,"url":"https://h.example/","title":"T","modified":"2020-09-13 12:26:40"}]"#,
    "Title,URL,CreateTime,UpdateTime\nT,https://h.example/,2020-09-13 12:26:40,\n",
  ])
  func `pages have the title and the date that other programs record`(_ text: String) throws {
    let list = try list(text)
    #expect(list.links.map(\.url) == ["https://h.example/"])
    #expect(list.links.map(\.title) == ["T"])
    #expect(list.links[0].date?.timeIntervalSince1970.rounded() == 1_600_000_000)
  }

  @Test func `labels of bookmarks are tags, and quotations are notes`() throws {
    let bookmarks = try list(
      #"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/" LABELS="sea,wind">A</A>"#
    )
    #expect(bookmarks.links.map(\.tags) == [["sea", "wind"]])
    let table = try list("URL,Quote,Comment\nhttps://a.example/,Low water,mine\n")
    #expect(table.links.map(\.note) == ["Low water\nmine"])
  }
}
