import Feeds
import Exchange
import Foundation
import OfflineCache
import Pages
import Sandbox
import TestSupport
import Testing

@Suite struct ImportedListTests {
  private static func list(_ text: String) throws -> ImportedList {
    try #require(ImportedList(Array(text.utf8)))
  }

  private static func date(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  @Test func `entries with a user name or a password are counted`() throws {
    let list = try Self.list("https://u:word@a.test/\nhttps://u@b.test/\nhttps://c.test/@u\n")
    #expect(list.credentialCount == 2 && list.links.count == 3)
  }

  @Test func `browser bookmarks are parsed with folders, tags, dates and descriptions`() throws {
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
      <TITLE>Bookmarks</TITLE><H1>Bookmarks Menu</H1>
      <DL><p>
          <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Bar</H3>
          <DL><p>
              <DT><A HREF="https://a.test/?a=1&b=2" ADD_DATE="1795256130" TAGS="x,y" ICON="data:image/png;base64,AAA=">A &amp; B</A>
              <DD>What it is
              about &lt;it&gt;
              <DT><H3>Deep</H3>
              <DL><p>
                  <DT><A HREF="https://b.test/" TOREAD="0">B</A>
              </DL><p>
              <DT><A HREF="https://c.test/">C</A>
          </DL><p>
          <DT><A HREF="javascript:alert(1)">no</A>
          <DT><A HREF="place:sort=8">no</A>
          <DT><A HREF="https://a.test/?a=1&b=2#here" TAGS="z">again</A>
          <DT><A FEEDURL="https://f.test/feed" HREF="https://f.test/">Feed</A>
      </DL>
      """)
    #expect(list.format == .bookmarks && list.skippedCount == 2)
    #expect(
      list.links.map(\.url) == ["https://a.test/?a=1&b=2", "https://b.test/", "https://c.test/"])
    #expect(list.links.map(\.title) == ["A & B", "B", "C"])
    #expect(list.links.map(\.tags) == [["x", "y", "z"], ["Deep"], []])
    #expect(list.links[0].date == Self.date(1_795_256_130) && list.links[1].isArchived)
    #expect(
      list.links[0].note == "What it is\nabout <it>\nhttps://a.test/?a=1&b=2#here again")
    #expect(list.feeds.map(\.feedURL) == ["https://f.test/feed"])
  }

  @Test func `bookmarks of sections are one page, whose note has their URLs, titles and notes`()
    throws
  {
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL>
      <DT><A HREF="https://u:word@a.test/doc#one" TAGS="t1">Part one</A><DD>n1
      <DT><A HREF="https://a.test/doc#two" TAGS="t2">Part two</A><DD>n2
      <DT><A HREF="https://a.test/doc#two">Part two</A>
      <DT><A HREF="https://a.test/doc">All</A>
      <DT><A HREF="https://b.test/">B</A><DT><A HREF="https://b.test/">B again</A></DL>
      """)
    #expect(list.links.map(\.title) == ["Part one", "B"])
    #expect(
      list.links.map(\.note) == [
        "n1\nhttps://a.test/doc#one Part one\nhttps://a.test/doc#two Part two\nn2", "",
      ])
    #expect(list.links.map(\.tags) == [["t1", "t2"], []])
    let many = (0..<5000).map { "https://a.test/#\($0)" }.joined(separator: "\n")
    let page = try Self.list(many).links
    #expect(page.count == 1 && (4096..<8192).contains(page[0].note.utf8.count))
  }

  @Test(arguments: [
    "href,url\nhttps://no.test/,https://a.test/\n", "URL,Href\nhttps://a.test/,https://no.test/",
    "\u{FEFF}\"Link\",\"URL\"\nhttps://no.test/,\"https://a.test/\"\r\n",
    "address;Page URL;href\nhttps://no.test/;https://a.test/;https://no.test/",
    "url,href\n,https://a.test/\n", "url,href\n/a,https://a.test/\n",
    "name,href,title\nno,https://a.test/,T", "uri\tlink\nhttps://a.test/\thttps://no.test/",
  ])
  func `the best of several URL columns is used, in any order`(_ text: String)
    throws
  {
    let list = try Self.list(text)
    #expect(list.format == .csv && list.links.map(\.url) == ["https://a.test/"])
    #expect(["", "T"].contains(list.links[0].title))
  }

  @Test(arguments: [
    "https://a.test/1,A title,x\nhttps://a.test/2,Second,y|z\n",
    "https://a.test/1;A title;x\nhttps://a.test/2;Second;y,z\n",
    "https://a.test/1\tA title\tx\nhttps://a.test/2\tSecond\ty,z",
    "\"https://a.test/1\",\"A title\",\"x\"\r\n\"https://a.test/2\",\"Second\",\"y,z\"\r\n",
    "A title,https://a.test/1,x\nSecond,https://a.test/2,y|z\n",
  ])
  func `a table without a header is parsed`(_ text: String) throws {
    let list = try Self.list(text)
    #expect(list.format == .csv && list.skippedCount == 0)
    #expect(
      list.links == [
        ImportedLink(url: "https://a.test/1", title: "A title", tags: ["x"]),
        ImportedLink(url: "https://a.test/2", title: "Second", tags: ["y", "z"]),
      ])
  }

  @Test func `a table without a header may have dates, notes and rows without a URL`() throws {
    let list = try Self.list(
      "https://a.test/1,A title,1795256130,a longer remark,x\nhttps://a.test/2,,,,\n"
        + String(repeating: "https://a.test/3,Third\n", count: 60) + "none,Fourth\n")
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/1", title: "A title", tags: ["x"], date: Self.date(1_795_256_130),
          note: "a longer remark"),
        ImportedLink(url: "https://a.test/2"),
        ImportedLink(url: "https://a.test/3", title: "Third"),
      ])
    #expect(list.skippedCount == 1)
  }

  @Test(arguments: [
    "https://a.test/0,1518,1,00.html\nhttps://a.test/0,1518,2,00.html Title\n",
    "https://a.test/1,2 A title\n", "https://a.test/1,A title\nhttps://a.test/2\n",
    "https://a.test/1 A title, long\nhttps://a.test/2 B title, long\n",
    "https://a.test/s/abc1,79cfc278 One title\nhttps://a.test/s/abc2,8a Another\n",
  ])
  func `a list of URLs with commas is not a table`(_ text: String) throws {
    #expect(try Self.list(text).format == .lines)
  }

  @Test func `ARC is distinguished from WARC, compressed or not`() throws {
    let arc = Array("filedesc://x.arc 0.0.0.0 20200101000000 text/plain 76\n1 0 Test\n".utf8)
    #expect(ImportFormat(of: arc) == .arc && ImportedList(arc) == nil)
    // `filedesc://x` as stored by gzip.
    let packed: [UInt8] =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 12, 0, 0xF3, 0xFF] + Array("filedesc://x".utf8)
    #expect(ImportFormat(of: packed) == .arc)
    #expect(ImportFormat(of: [0x1F, 0x8B, 8, 0, 1]) == .warc)
  }

  @Test func `titles of a table without a header may begin with numbers`() throws {
    let list = try Self.list("https://a.test/1,2 boats\nhttps://a.test/2,A harbour\n")
    #expect(list.format == .csv && list.links.map(\.title) == ["2 boats", "A harbour"])
  }

  @Test(
    arguments: [
      ("{\"name\": \"mine\", \"links\": [{\"url\": \"https://a.test/\"}]}", []),
      ("{\"title\": \"mine\", \"cards\": [\"https://a.test/\"]}", []),
      ("{\"name\": \"x\", \"lists\": {\"name\": \"y\", \"links\": [\"https://a.test/\"]}}", []),
      ("{\"collections\": [{\"name\": \"c\", \"links\": [\"https://a.test/\"]}]}", ["c"]),
      ("{\"lists\": [{\"title\": \"l\", \"cards\": [{\"url\": \"https://a.test/\"}]}]}", ["l"]),
      ("{\"folders\": [{\"name\": \"f\", \"bookmarks\": [\"https://a.test/\"]}]}", ["f"]),
      (
        "[{\"title\": \"\", \"children\": [{\"title\": \"Bar\", \"children\": [{\"title\": \"f\","
          + " \"children\": [{\"title\": \"g\", \"children\": [\"https://a.test/\"]}]}]}]}]",
        ["f", "g"]
      ),
      ("[{\"name\": \"c\", \"links\": [\"https://a.test/\"]}]", ["c"]),
    ] as [(String, [String])])
  func `the name of one of several lists in JSON is a tag`(_ text: String, _ tags: [String]) throws
  {
    let list = try Self.list(text)
    #expect(list.links == [ImportedLink(url: "https://a.test/", tags: tags)])
  }

  @Test func `OPML contains feeds and pages`() throws {
    let list = try Self.list(
      """
      <opml><body><outline text="F"><outline text="a" xmlUrl="https://a.test/feed"/>
      <outline text="p" type="link" url="https://b.test/"/></outline></body></opml>
      """)
    #expect(list.format == .opml && list.feeds.map(\.tags) == [["F"]])
    #expect(list.links == [ImportedLink(url: "https://b.test/", title: "p", tags: ["F"])])
  }

  @Test func `a feed in several folders has their tags, and entries without web URLs are counted`()
    throws
  {
    let list = try Self.list(
      """
      <opml><body>
      <outline text="A"><outline xmlUrl="https://a.test/feed"/><outline xmlUrl="ftp://a.test/"/></outline>
      <outline text="B"><outline text="Sea" xmlUrl="https://a.test/feed" category="A,C"/>
        <outline text="Ice" xmlUrl="https://b.test/feed"/></outline>
      </body></opml>
      """)
    #expect(list.feeds.map(\.tags) == [["A", "B", "C"], ["B"]])
    #expect(list.feeds.map(\.title) == ["Sea", "Ice"] && list.skippedCount == 1)
    let many = (0..<5000).map {
      "<outline text='f\($0)'><outline xmlUrl='https://a.test/feed'/></outline>"
    }
    let repeated = try Self.list("<opml><body>\(many.joined())</body></opml>")
    #expect(repeated.feeds.map(\.tags.count) == [200])
  }

  @Test func `tables and older exports of Pocket are parsed`() throws {
    let table = try Self.list(
      """
      title,url,time_added,tags,status
      "One, ""two""\",https://a.test/1,1795256130,a|b,unread
      https://a.test/2,https://a.test/2,1795256131,,archive
      """)
    #expect(table.format == .pocket)
    #expect(
      table.links == [
        ImportedLink(
          url: "https://a.test/1", title: "One, \"two\"", tags: ["a", "b"],
          date: Self.date(1_795_256_130)),
        ImportedLink(url: "https://a.test/2", date: Self.date(1_795_256_131), isArchived: true),
      ])
    let page = try Self.list(
      """
      <!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
      <li><a href="https://a.test/1" time_added="1795256130" tags="a,b">One</a></li></ul>
      <h1>Read Archive</h1><ul><li><a href="https://a.test/2" tags="">Two</a></li></ul></body></html>
      """)
    #expect(page.format == .pocketPage && page.links.map(\.isArchived) == [false, true])
    #expect(page.links[0].tags == ["a", "b"] && page.links[0].date == Self.date(1_795_256_130))
  }

  @Test func `tables of Instapaper are parsed with their folders and states`() throws {
    let list = try Self.list(
      """
      URL,Title,Selection,Folder,Timestamp,Tags
      https://a.test/1,One,"A quotation
      in two lines",Unread,1795256130,"[""x"",""y""]"
      https://a.test/2,Two,,Archive,1795256130,[]
      https://a.test/3,Three,,Starred,1795256130,
      https://a.test/4,Four,,Recipes,1795256130,
      """)
    #expect(list.format == .instapaper && list.links.count == 4)
    #expect(list.links[0].note == "A quotation\nin two lines" && list.links[0].tags == ["x", "y"])
    #expect(list.links[1].isArchived && list.links[2].isStarred)
    #expect(list.links[3].tags == ["Recipes"] && !list.links[3].isArchived)
  }

  @Test func `exports of Omnivore, wallabag, Pinboard and other JSON are parsed`() throws {
    let omnivore = try Self.list(
      """
      [{"id":"1","slug":"s","title":"One","description":"d","url":"https://a.test/1","state":"Archived",
        "labels":["x",{"name":"y"}],"savedAt":"2026-11-21T10:15:30.000Z","publishedAt":"2020-01-01"},
       {"id":"2","slug":"t","title":"Two","url":"https://a.test/2","state":"Active","labels":[],
        "savedAt":"2026-11-21T10:15:30.000Z"},
       {"slug":"u","url":"https://omnivore.app/no_url?q=1","savedAt":"2026-11-21T10:15:30.000Z"}]
      """)
    #expect(omnivore.links.count == 2 && omnivore.skippedCount == 1)
    #expect(omnivore.format == .omnivore && omnivore.links.map(\.isArchived) == [true, false])
    #expect(omnivore.links[0].tags == ["x", "y"])
    #expect(omnivore.links[0].date == Self.date(1_795_256_130))
    let wallabag = try Self.list(
      """
      [{"is_archived":1,"is_starred":1,"tags":["a"],"title":"W","url":"https://b.test/","content":"<p>",
        "created_at":"2026-11-21T10:15:30+00:00","annotations":[{"quote":"q","text":"t"}]}]
      """)
    #expect(
      wallabag.links == [
        ImportedLink(
          url: "https://b.test/", title: "W", tags: ["a"], date: Self.date(1_795_256_130),
          isArchived: true, isStarred: true, note: "q: t")
      ])
    #expect(wallabag.format == .wallabag)
    let pinboard = try Self.list(
      """
      [{"href":"https://c.test/","description":"P","extended":"more","time":"2026-11-21T10:15:30Z",
        "toread":"no","tags":"a b"}, {"nothing":1}, 7]
      """)
    #expect(
      pinboard.format == .json && pinboard.links[0].title == "P" && pinboard.skippedCount == 1)
    #expect(pinboard.links[0].tags == ["a", "b"] && pinboard.links[0].isArchived)
    let nested = try Self.list(
      "{\"children\":[{\"title\":\"f\",\"children\":[{\"uri\":\"https://d.test/\",\"title\":\"D\"}]}]}"
    )
    #expect(nested.links.map(\.url) == ["https://d.test/"])
  }

  @Test(arguments: [
    "\n", "\r\n", "\n\n", "", " ", "\nnull\n", "\nno JSON\n", "\n[]\n",
  ])
  func `all lines of JSON Lines are parsed`(_ separator: String) throws {
    let lines = [
      "{\"url\":\"https://a.test/1\",\"title\":\"One\",\"tags\":[\"x\"]}",
      "{\"url\":\"https://a.test/2\"}", "{\"title\":\"no URL\"}", "{\"url\":\"https://a.test/3\"}",
    ]
    let list = try Self.list(lines.joined(separator: separator))
    #expect(list.format == .json && list.skippedCount == 1)
    #expect(list.links.map(\.url) == (1...3).map { "https://a.test/\($0)" })
    #expect(list.links[0].title == "One" && list.links[0].tags == ["x"])
  }

  @Test func `folders of a Firefox backup become tags, and its internal entries are skipped`()
    throws
  {
    let list = try Self.list(
      """
      {"guid":"root________","root":"placesRoot","type":"text/x-moz-place-container","title":"",
      "children":[{"guid":"menu________","title":"menu","type":"text/x-moz-place-container",
      "children":[{"title":"Tide","dateAdded":1600000000000000,"tags":"sea,ship",
      "type":"text/x-moz-place","uri":"https://a.test/tide"},{"guid":"bbbbbbbbbbbb",
      "title":"Travel","type":"text/x-moz-place-container","children":[{"title":"Ferries",
      "type":"text/x-moz-place","uri":"https://a.test/ferry"},{"uri":"place:type=6"},
      {"title":"Empty","type":"text/x-moz-place-container"}]}]}]}
      """)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/tide", title: "Tide", tags: ["sea", "ship"],
          date: Self.date(1_600_000_000)),
        ImportedLink(url: "https://a.test/ferry", title: "Ferries", tags: ["Travel"]),
      ])
    #expect(list.format == .json && list.skippedCount == 1)
  }

  @Test func `folders of Chromium bookmarks become tags, and dates are relative to 1601`() throws {
    let list = try Self.list(
      """
      {"checksum":"x","roots":{"bookmark_bar":{"children":[{"date_added":"13260914469588170",
      "name":"Harbour","type":"url","url":"https://a.test/harbour"},{"children":[{"name":"Deep",
      "type":"url","url":"https://a.test/deep"}],"name":"Ropes","type":"folder"}],
      "name":"Bookmarks bar","type":"folder"},"other":{"children":[],"name":"Other",
      "type":"folder"}},"version":1}
      """)
    #expect(list.links.map(\.url) == ["https://a.test/harbour", "https://a.test/deep"])
    #expect(list.links.map(\.tags) == [[], ["Ropes"]] && list.skippedCount == 0)
    #expect(
      list.links[0].date.map { Int($0.timeIntervalSince1970) } == 1_616_440_869)
  }

  @Test(arguments: ["", "sit:"])
  func `a sitemap is parsed without its images`(_ prefix: String) throws {
    let text = """
      <?xml version="1.0"?><urlset xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
      <url><loc> https://a.test/1 </loc><image:image><image:loc>https://a.test/1.png</image:loc>
      </image:image></url><url><loc>ftp://a.test/</loc></url></urlset>
      """
    let names = /(<\/?)(urlset|url|loc)\b/
    let list = try Self.list(text.replacing(names) { "\($0.output.1)\(prefix)\($0.output.2)" })
    #expect(list.format == .sitemap && list.links.map(\.url) == ["https://a.test/1"])
    #expect(list.skippedCount == 1 && list.sitemaps.isEmpty)
  }

  @Test func `plain lists may contain comments, titles, bullets and bare hosts`() throws {
    let list = try Self.list(
      """
      # My list
      https://a.test/1
      https://a.test/2 A title # not a comment
      https://a.test/3   # a comment

      - [Four](https://a.test/4 "t")
      * https://a.test/5
      <https://a.test/6>
      example.org/7
      gemini://g.test/
      just words. really
      """)
    #expect(list.format == .lines && list.skippedCount == 2)
    #expect(
      list.links.map(\.url) == [
        "https://a.test/1", "https://a.test/2", "https://a.test/3", "https://a.test/4",
        "https://a.test/5", "https://a.test/6", "https://example.org/7",
      ])
    #expect(list.links.map(\.title) == ["", "A title # not a comment", "", "Four", "", "", ""])
  }

  @Test(
    arguments: [
      ("- [T](https://a.test/x_(2))", ["https://a.test/x_(2)"], "T"),
      ("[T](https://a.test/(a(b)c) \"a (title)\") - text (x)", ["https://a.test/(a(b)c)"], "T"),
      ("[T](<https://a.test/a)b>)", ["https://a.test/a)b"], "T"),
      ("[T](https://a.test/(x)", ["https://a.test/(x"], "T"),
      ("- [ ] [T](https://a.test/)", ["https://a.test/"], "T"),
      ("- [x] https://a.test/ T", ["https://a.test/"], "T"),
      ("12. [T [x]](https://a.test/)", ["https://a.test/"], "T [x]"),
      ("3) a.test/p", ["https://a.test/p"], ""),
      (
        "| a | [T](https://a.test/) | [U](https://b.test/) |",
        ["https://a.test/", "https://b.test/"], "T"
      ),
      ("Text with [T](https://a.test/) in it.", ["https://a.test/"], "T"),
      ("**[T](https://a.test/)**", ["https://a.test/"], "T"),
      ("[T]: https://a.test/ \"a title\"", ["https://a.test/"], "T"),
      ("[1]: <https://a.test/> \"a title\"", ["https://a.test/"], "a title"),
      ("[2]: https://a.test/ (b)", ["https://a.test/"], "b"), ("[3]: https://", [], ""),
      ("** TODO [[https://a.test/]] and [[file:x][F]]", ["https://a.test/"], ""),
      ("* https://a.test/[T and U], text", ["https://a.test/"], "T and U"),
      ("https://a.test/?x[y]", ["https://a.test/?x[y]"], ""),
      ("[![T](https://a.test/i.png)](https://a.test/)", ["https://a.test/"], "T"),
      ("[a \\[T\\]](https://a.test/)", ["https://a.test/"], "a [T]"),
      ("![T](https://a.test/i.png)", [], ""), ("[T] https://a.test/", [], ""), ("[T](", [], ""),
      ("[[[[", [], ""), ("](https://a.test/)", [], ""),
    ] as [(String, [String], String)])
  func `a line in Markdown contains any number of links`(
    _ line: String, _ addresses: [String], _ title: String
  ) {
    let links = LinkLine.all(in: line)
    // An image may be taken for a URL that is invalid, which is reported.
    #expect(links.map(\.address).filter { WebURL($0) != nil } == addresses)
    if !addresses.isEmpty { #expect(links.first?.title == title) }
  }

  @Test func `lists in Markdown of buku have tags`() throws {
    let list = try Self.list(
      """
      - [One](https://a.test/1) <!-- TAGS: x,y -->
      - <https://a.test/2> <!-- TAGS: z -->
      - [Three](https://a.test/3) <!-- other -->
      [Four](https://a.test/4) and [Five](https://a.test/5)
      """)
    #expect(list.skippedCount == 0)
    #expect(list.links.map(\.url) == (1...5).map { "https://a.test/\($0)" })
    #expect(list.links.map(\.title) == ["One", "", "Three", "Four", "Five"])
    #expect(list.links.map(\.tags) == [["x", "y"], ["z"], [], [], []])
  }

  @Test func `lists in Org mode of buku have tags`() throws {
    let list = try Self.list(
      "* [[https://a.test/1][One]] :x:y:\n* [[https://a.test/2]]\n* [[https://a.test/3][T: a]]\n")
    #expect(list.links.map(\.url) == (1...3).map { "https://a.test/\($0)" })
    #expect(list.links.map(\.title) == ["One", "", "T: a"])
    #expect(list.links.map(\.tags) == [["x", "y"], [], []])
  }

  @Test func `skipped lines of a list are reported with their number`() throws {
    let text = "\u{FEFF}https://a.test/\r\n# no\r\r\nftp://x/y\np8.html\n\nwords\n"
    let list = try Self.list(text)
    #expect(list.links.map(\.url) == ["https://a.test/"] && list.skippedCount == 3)
    #expect(list.skippedLines.map(\.number) == [4, 5, 7])
    #expect(list.skippedLines.map(\.text) == ["ftp://x/y", "p8.html", "words"])
    let long = try Self.list("https://a.test/\n" + String(repeating: "words\n", count: 100))
    #expect(long.skippedCount == 100 && long.skippedLines.map(\.number) == [2, 3, 4, 5, 6])
  }

  @Test func `the lines of a list in UTF-16 are read`() {
    let text = "https://a.test/é\r\nhttps://b.test/"
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let lines = Array(LinkLines(decoding: bytes))
    #expect(lines.map(\.text) == ["https://a.test/é", "https://b.test/"])
  }

  @Test(
    arguments: [
      ("https://a.test/p some words", "https://a.test/p", "some words"),
      ("https://a.test/p | some | words", "https://a.test/p", "some | words"),
      ("https://a.test/p |", "https://a.test/p", ""),
      ("https://a.test/p - some - words", "https://a.test/p", "some - words"),
      ("https://a.test/p: some words", "https://a.test/p", "some words"),
      ("https://a.test/p — some words", "https://a.test/p", "some words"),
      ("https://a.test/p,", "https://a.test/p", ""),
      ("<https://a.test/p>;", "https://a.test/p", ""),
      ("https://a.test/p_Inc.", "https://a.test/p_Inc.", ""),
      ("[12] https://a.test/p", "https://a.test/p", ""),
      ("https://a.test/p -5 degrees", "https://a.test/p", "-5 degrees"),
      ("a.test/p.html", "https://a.test/p.html", ""), ("a.test:81/p", "https://a.test:81/p", ""),
      ("localhost:8080/x # mine", "http://localhost:8080/x", ""),
      ("127.0.0.1:81", "http://127.0.0.1:81/", ""), ("book://0123abcd", "book://0123abcd", ""),
      ("p8.html", nil, ""), ("a.txt", nil, ""), ("nonsense", nil, ""), ("and/or", nil, ""),
      ("a.test some words", nil, ""), ("a.test:x", nil, ""),
    ] as [(String, String?, String)])
  func `a line contains a page's URL or host`(
    _ line: String, _ address: String?, _ title: String
  ) {
    let link = LinkLine(line)
    #expect(link?.address == address && (link?.title ?? "") == title)
  }

  @Test func `a line may have several URLs between commas, semicolons or spaces`() {
    let links = LinkLine.all(in: "[1] https://a.test/1, https://a.test/2; https://a.test/3")
    #expect(links.map(\.address) == ["https://a.test/1", "https://a.test/2", "https://a.test/3"])
    #expect(links.map(\.title) == ["", "", ""])
    #expect(LinkLine.all(in: "https://a.test/1, http or not").map(\.title) == ["http or not"])
    #expect(LinkLine.all(in: "https://a.test/1 | https://a.test/2").count == 1)
    #expect(LinkLine.all(in: "https://a.test/1 https://a.test/2 is newer").count == 1)
    let separated = LinkLine.all(in: "https://a.test/1 https://a.test/2 http://b.test")
    #expect(separated.map(\.address) == ["https://a.test/1", "https://a.test/2", "http://b.test"])
    #expect(separated.map(\.title) == ["", "", ""])
  }

  @Test func `lists of offpunk are parsed`() throws {
    let list = try Self.list(
      "# to_fetch\n=> https://a.test/ A title\n=>\thttps://b.test/\n=> gemini://c.test/ C\nwords\n")
    #expect(list.format == .offpunk && list.skippedCount == 2)
    #expect(list.links.map(\.url) == ["https://a.test/", "https://b.test/"])
    #expect(list.links.map(\.title) == ["A title", ""])
  }

  @Test(arguments: [
    "title,url,date\nA,https://a.test/1,25/12/2020\nB,https://a.test/2,03/06/2020\n",
    "https://a.test/1,A page,25/12/2020\nhttps://a.test/2,B page,03/06/2020\n",
  ])
  func `the dates of a table have one order of day and month`(_ table: String) throws {
    let list = try Self.list(table)
    #expect(list.links.map(\.date) == [Self.date(1_608_854_400), Self.date(1_591_142_400)])
  }

  @Test(arguments: [
    "", " \n", "words only", "{}", "[]", "[1]", "a,b\nc,d", "# only\n# comments",
    "<rss><channel/></rss>", "WARC/1.1\r\n", "PK\u{3}\u{4}", "\u{0}\u{1}",
    "\u{7F}ELF\u{2}\u{1}\u{1}\u{0}\u{0}\nhttps://a.test/\u{0}\u{0}",
  ])
  func `other texts are not lists`(_ text: String) {
    #expect(ImportedList(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("WARC/1.0\r\n", .warc), ("PK\u{3}\u{4}x", .zip), ("\u{FEFF}https://a.test", .list(.lines)),
      ("\n\n<!doctype netscape-bookmark-file-1>", .list(.bookmarks)),
      ("<?xml version='1.0'?><opml>", .list(.opml)),
      ("Title;Link\nx;https://a.test/", .list(.csv)),
      ("url\thref\nhttps://a.test/\tb", .list(.csv)),
      ("[A](https://a.test/)", .list(.lines)), ("words", nil),
      ("Opera Hotlist version 2.0\n\n#URL\n\tDESCRIPTION=\u{2}\u{2}\u{2}\u{2}", .list(.opera)),
    ] as [(String, ImportFormat?)])
  func `the format is detected from the content`(_ text: String, _ format: ImportFormat?) {
    #expect(ImportFormat(of: Array(text.utf8)) == format)
    #expect(ImportFormat(of: [0x1F, 0x8B, 8]) == .warc)
    #expect(ImportFormat(of: [0x28, 0xB5, 0x2F, 0xFD]) == .warc)
  }

  @Test(arguments: [
    "title,url\r\ncafé,https://a.test/\r\n", "url;title\rhttps://a.test/;café",
    "title\turl\ncafé\thttps://a.test/\n\n",
    "\"title\", \"url\"\n\"café\", \"https://a.test/\"\n",
  ])
  func `tables may have other encodings, delimiters and line breaks`(_ text: String) throws {
    let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let utf16: [UInt8] = [0xFF, 0xFE] + units
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), utf16, latin] {
      let list = try #require(ImportedList(bytes))
      #expect(list.links == [ImportedLink(url: "https://a.test/", title: "café")])
    }
  }

  @Test(
    arguments: [
      ("\"a \"b\" c\",https://a.test/", "a \"b\" c"), ("a \"b\" c,https://a.test/", "a \"b\" c"),
      ("\"a,https://a.test/", nil), ("\"a\"\"b\",https://a.test/", "a\"b"),
      ("\"\",https://a.test/", ""), ("\"\"\"a\"\"\",https://a.test/", "\"a\""),
    ] as [(String, String?)])
  func `misplaced quotes in tables are handled`(_ row: String, _ title: String?) throws {
    let list = try Self.list("title,url\n\(row)\nz,https://z.test/")
    #expect(list.links.last?.url == "https://z.test/")
    if let title {
      #expect(list.links.first == ImportedLink(url: "https://a.test/", title: title))
    } else {
      #expect(list.links.first?.url == "https://a.test/")
    }
  }

  @Test func `any bytes are parsed, and repeated input takes linear time`() {
    var random = SplitMix64(seed: 4180)
    let starts = [
      "title,url,time_added\n", "<!DOCTYPE NETSCAPE-Bookmark-file-1>", "[{\"url\":\"", "=> ",
      "{\"roots\":{\"a\":{\"type\":\"folder\",\"children\":[", "<urlset><url><loc>",
      "<sitemapindex><loc>",
      "<!-- saved from url=(0001)",
    ]
    let pieces = [
      "\"", ",", "\n", "\r", "https://a.test/", "<DL>", "</DL>", "<DT><A HREF='https://b.test/'>",
      "<DD>", "<H3>",
      "{", "}", "[", "]", ":", "=>", "#", "\u{0}", "é", "|", "\"tags\"", "://",
    ]
    for start in starts {
      for _ in 0..<200 {
        let text =
          start
          + (0..<Int.random(in: 0...30, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
          }.joined()
        var bytes = Array(text.utf8)
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
        let urls = ImportedList(bytes)?.links.map(\.url) ?? []
        #expect(Set(urls).count == urls.count, "\(text)")
        _ = SavedPage(bytes)
      }
      for piece in pieces {
        _ = ImportedList(Array((start + String(repeating: piece, count: 1500)).utf8))
      }
    }
  }

  @Test func `line breaks in notes are preserved, with CR LF too`() throws {
    let table = "URL,Title,Selection\nhttps://a.test/,T,\"One\ntwo\"\n"
    for end in ["\n", "\r\n"] {
      let list = try #require(ImportedList(Array(table.replacing("\n", with: end).utf8)))
      #expect(list.links.map(\.note) == ["One\ntwo"])
    }
  }
}
