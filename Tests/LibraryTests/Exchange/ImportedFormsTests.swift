import Exchange
import Feeds
import Foundation
import Pages
import Testing

/// Less usual forms of the lists that are imported.
@Suite struct ImportedFormsTests {
  private static func list(_ text: String) throws -> ImportedList {
    try #require(ImportedList(Array(text.utf8)))
  }

  @Test(
    arguments: [
      ("about:reader?url=https%3A%2F%2Fa.test%2Fp%3Fx%3D1%26y", "https://a.test/p?x=1&y"),
      ("view-source:https://a.test/p", "https://a.test/p"),
      ("read://https_a.test/?url=https%3A%2F%2Fa.test%2Fp#top", "https://a.test/p"),
      ("chrome-distiller://12ab_34/?title=T&url=https%3A%2F%2Fa.test%2Fp", "https://a.test/p"),
      (
        "chrome-extension://abcd/suspended.html#ttl=T&pos=0&uri=https://a.test/p?x=1&y",
        "https://a.test/p?x=1&y"
      ),
      ("moz-extension://12-34/page.html?title=T&url=http%3A%2F%2Fa.test%2Fp", "http://a.test/p"),
      ("about:blank", nil), ("about:reader?url=file%3A%2F%2F%2Fp", nil),
      ("chrome-extension://abcd/page.html?curl=https://a.test/", nil),
      ("javascript:open('https://b.test/?url=https://a.test/')", nil),
      ("place:uri=https://a.test/", nil), ("about:" + String(repeating: "&", count: 50_000), nil),
    ] as [(String, String?)])
  func `a bookmark of a reader view or suspended tab is one of the page that it shows`(
    _ address: String, _ url: String?
  ) throws {
    let markup = address.replacing("&", with: "&amp;")
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <DL><p><DT><A HREF="https://o.test/">O</A><DT><A HREF="\(markup)">One</A></DL>
      """)
    #expect(list.links.dropFirst().map(\.url) == [url].compactMap(\.self))
    #expect(list.skippedCount == (url == nil ? 1 : 0))
  }

  @Test(arguments: [
    "title,url\nA,https://a.test/?a&amp;b\n", "https://a.test/?a&amp;b A\n",
    "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=\"https://a.test/?a&amp;amp;b\">A</A></DL>",
    "[{\"url\": \"https://a.test/?a&amp;b\", \"title\": \"A\"}]",
  ])
  func `ampersands of URLs may be escaped once too often`(_ text: String) throws {
    let list = try Self.list(text)
    #expect(list.links == [ImportedLink(url: "https://a.test/?a&b", title: "A")])
  }

  @Test func `all notes of the entries of a page are imported`() throws {
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <DL><p><DT><A HREF="https://a.test/">One</A><DD>First
      <DT><H3>Folder</H3><DL><p><DT><A HREF="https://a.test/">One</A><DD>Second
      <DT><A HREF="https://a.test/">One</A><DD>First</DL></DL>
      """)
    #expect(list.links.map(\.note) == ["First\nSecond"])
  }

  @Test func `annotations of Hypothesis are imported with the passages that they quote`() throws {
    let list = try Self.list(
      """
      {"total": 2, "rows": [
        {"id": "1", "created": "2020-01-02T03:04:05Z", "uri": "https://a.test/", "text": "My note",
         "tags": ["sea"], "document": {"title": ["A page"]},
         "target": [{"source": "https://a.test/", "selector": [
           {"type": "TextPositionSelector", "start": 1, "end": 9},
           {"type": "TextQuoteSelector", "exact": "low water", "prefix": "at "}]}]},
        {"id": "2", "created": "2020-01-03T03:04:05Z", "uri": "https://a.test/", "text": "",
         "tags": [], "document": {"title": ["A page"]},
         "target": [{"selector": [{"type": "TextQuoteSelector", "exact": "high water"}]}]}]}
      """)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/", title: "A page", tags: ["sea"],
          date: Date(timeIntervalSince1970: 1_577_934_245), note: "low water: My note\nhigh water")
      ])
  }

  @Test func `the description of a bookmark may contain elements`() throws {
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <DL><p><DT><A HREF="https://a.test/1">One</A>
      <DD>First line<br>second &lt;b&gt; and <b>bold</b>
      <DT><A HREF="https://a.test/2">Two</A><DD><p>A paragraph</p><p>another</p>
      <DT><H3>Folder</H3><DL><p><DT><A HREF="https://a.test/3">Three</A><DD>Third</DL>
      </DL>
      """)
    #expect(list.links.map(\.title) == ["One", "Two", "Three"])
    #expect(
      list.links.map(\.note) == [
        "First line\nsecond <b> and bold", "A paragraph\nanother", "Third",
      ])
    #expect(list.links.map(\.tags) == [[], [], ["Folder"]])
  }

  @Test func `the XML export of Pinboard is parsed`() throws {
    let list = try Self.list(
      """
      <?xml version="1.0" encoding="UTF-8"?><posts user="u">
      <post href="https://a.test/1" time="2026-11-21T10:15:30Z" description="One &amp; all"
        extended="a note" tag="sea ice" toread="yes"/>
      <post href="https://a.test/2" description="Two" tag="" toread="no"/><post/></posts>
      """)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/1", title: "One & all", tags: ["sea", "ice"],
          date: Date(timeIntervalSince1970: 1_795_256_130), note: "a note"),
        ImportedLink(url: "https://a.test/2", title: "Two", isArchived: true),
      ])
  }

  @Test(arguments: ["sep=;\r\n", "SEP=;\n", "\u{FEFF}sep=;\n", ""])
  func `the first line of a table may declare its separator`(_ declaration: String) throws {
    let list = try Self.list(declaration + "url;title;tags\nhttps://a.test/1,2;One;x,y\n")
    #expect(
      list.links == [ImportedLink(url: "https://a.test/1,2", title: "One", tags: ["x", "y"])])
  }

  @Test(arguments: [
    "# Links of 2026, by date\n# second line\nurl,title\n", "# Links\r\nurl,title\r\n",
    "\u{FEFF}#Links\nurl,title\n", "# URL,Title\n", "#,url,title\n", "#;Adresse;title\n",
    "Places by the sea, and \"inland\n\nURL,Title\n", "Places\r\nto see\r\n\r\n\r\nURL,Title\r\n",
  ])
  func `comments above the header of a table are skipped`(_ start: String) throws {
    let separator = start.contains(";") ? ";" : ","
    let number = start.hasPrefix("#\(separator)") ? "1\(separator)" : ""
    let rows = [1, 2].map { "\(number)https://a.test/\($0)\(separator)Title \($0)\n" }
    let list = try Self.list(start + rows.joined())
    #expect(list.format == .csv && list.skippedCount == 0)
    #expect(
      list.links == [
        ImportedLink(url: "https://a.test/1", title: "Title 1"),
        ImportedLink(url: "https://a.test/2", title: "Title 2"),
      ])
  }

  @Test func `URLs above the header of a table are imported`() throws {
    let list = try Self.list("Links\nhttps://b.test/\n\nurl,title\nhttps://a.test/1,Title\n")
    #expect(list.links.contains { $0.url == "https://b.test/" })
  }

  @Test func `quotation marks within the cells of a table may have backslashes`() throws {
    let list = try Self.list(
      """
      url,title,note
      https://a.test/1,"He said \\"yes, now\\" to me","C:\\\\"
      https://a.test/2,"A \\\\ B","x"
      """)
    #expect(list.links.map(\.title) == ["He said \"yes, now\" to me", "A \\\\ B"])
    #expect(list.links.map(\.note) == ["C:\\\\", "x"])
  }

  @Test(
    arguments: [
      ("a b \"\"c d\"\"", ["a", "b", "c d"]), ("\"\"sea ice\"\"", ["sea ice"]),
      ("sea ice", ["sea ice"]), ("12\"\" vinyl", ["12\" vinyl"]), ("a,b c", ["a", "b c"]),
    ] as [(String, [String])])
  func `tags in a table may be between quotation marks`(
    _ cell: String, _ tags: [String]
  ) throws {
    let list = try Self.list("url,title,tags\nhttps://a.test/,T,\"\(cell)\"\n")
    #expect(list.links.map(\.tags) == [tags])
  }

  @Test(arguments: [
    "News\t\t0\tFE\nA page\thttps://a.test/1\t1\t\nDeep\t\t1\tF\nB\thttps://a.test/2\t2\t\n"
      + "-\t\t0\tS\nC, top\thttps://a.test/3\t0\t\n",
    ":s0: News\n:s3: Deep, news\ns0 https://a.test/1 A page\ns3 https://a.test/2 B\n"
      + "s7 https://a.test/3 C, top\n",
  ])
  func `bookmarks of ELinks and Dillo have titles and folders`(_ text: String) throws {
    let list = try Self.list(text)
    #expect(list.format == .lines && list.skippedCount == 0 && list.isCertainlyList)
    #expect(list.links.map(\.url) == (1...3).map { "https://a.test/\($0)" })
    #expect(list.links.map(\.title) == ["A page", "B", "C, top"])
    #expect(list.links[0].tags == ["News"] && list.links[2].tags.isEmpty)
    #expect([["News", "Deep"], ["Deep, news"]].contains(list.links[1].tags))
  }

  @Test func `tables like bookmarks of ELinks keep their tags and all pages`() throws {
    let tagged = try Self.list("A\thttps://a.test/\t5\tnews\nB\thttps://b.test/\t6\tnews\n")
    #expect(tagged.links.allSatisfy { $0.tags.contains("news") } && tagged.links.count == 2)
    let lines = (1...60).map { "T\thttps://a.test/\($0)\t\($0 < 55 ? $0 : 1000)\n" }
    #expect(try Self.list(lines.joined()).links.count == 60)
  }

  @Test(
    arguments: [
      ("a https://a.test/\nb c https://b.test/?x=(1)\n", ["a", "b c"]),
      ("# mine\n- One: https://a.test/\n2. Two (https://b.test/)\n", ["One", "Two"]),
      ("One <https://a.test/>\nTwo | https://b.test/\n", ["One", "Two"]),
      // Bullets, dates and labels.
      ("\u{2022} https://a.test/\n\u{2022} https://b.test/\n", ["", ""]),
      ("2024-01-02 https://a.test/\n2024-01-03 https://b.test/\n", ["", ""]),
      ("URL: https://a.test/\nURL: https://b.test/\n", ["", ""]),
      // Running text.
      ("It is at https://a.test/\nand https://b.test/, which is\n", ["", ""]),
      ("It is at https://a.test/\nin words\nand at https://b.test/\n", ["", ""]),
    ] as [(String, [String])])
  func `text before the URLs of all lines is their title`(_ text: String, _ titles: [String]) throws
  {
    let list = try Self.list(text)
    #expect(list.links.map(\.title) == titles && list.format == .lines)
  }

  @Test func `the list of newsboat contains feeds with tags and titles`() throws {
    let list = try Self.list(
      """
      # Feeds
      https://a.test/feed.xml sea "tall ships" "~A title"
      https://b.test/feed ! news
      "query:Unread:unread = \\"yes\\""
      """)
    #expect(
      list.feeds == [
        OPML.Outline(
          title: "A title", feedURL: "https://a.test/feed.xml", tags: ["sea", "tall ships"]),
        OPML.Outline(feedURL: "https://b.test/feed", tags: ["news"]),
      ])
    #expect(list.links.isEmpty && list.skippedCount == 1)
  }

  @Test(arguments: ["~5 minutes", "\"Quoted\" title", "A title !", "query: what"])
  func `other lists contain pages`(_ title: String) throws {
    let list = try Self.list("https://a.test/1 \(title)\nhttps://a.test/2\n")
    #expect(list.links.map(\.title) == [title, ""] && list.feeds.isEmpty)
  }

  @Test(arguments: [
    "Channel Id,Channel Url,Channel Title\nU1,https://a.test/1,One\nU2,https://a.test/2,Two\n",
    "Website,Name\nhttps://a.test/1,One\nhttps://a.test/2,Two\n,Three\n",
    "'Website','Name'\n'https://a.test/1','One'\n'https://a.test/2','Two'\n",
    "Nr;Seite;Titel\n1;https://a.test/1;One\n2;https://a.test/2;Two\n3;;Three\n",
  ])
  func `the column of URLs is found by its content if its name is unknown`(_ text: String) throws {
    let list = try Self.list(text)
    #expect(list.format == .csv && list.links.map(\.title) == ["One", "Two"])
    #expect(list.links.map(\.url) == ["https://a.test/1", "https://a.test/2"])
  }

  @Test(arguments: [
    "My links, of 2020\nhttps://a.test/0,1518,1,00.html\nhttps://a.test/0,1518,2,00.html\n",
    "Links\nhttps://a.test/1,00.html\n", "First,\nhttps://a.test/1,00.html\n",
    "See,here\nhttps://a.test/1,00.html\nand,there\n",
  ])
  func `a line of text above a list of URLs with commas is no header`(_ text: String) throws {
    let list = try Self.list(text)
    #expect(list.format == .lines && list.links.allSatisfy { $0.url.hasSuffix("00.html") })
  }

  @Test func `a link in the description of a bookmark is not a bookmark`() throws {
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <DL><p><DT><A HREF="https://a.test/1" ADD_DATE="1795256130">One</A>
      <DD>See <a href="https://b.test/">this</a>.
      <DT><A HREF="https://a.test/2">Two</A><DD>Second
      <A HREF="https://a.test/3" ADD_DATE="1795256130">Three</A>
      <DT><H3>Folder</H3><DD>About it<DL><p><A HREF="https://a.test/4">Four</A></DL></DL>
      """)
    #expect(list.links.map(\.title) == ["One", "Two", "Three", "Four"])
    #expect(list.links[0].note == "See this.")
    let page = try Self.list(
      "<dl><dt><a href=https://a.test/1>A</a><dd><a href=https://a.test/2>B</a></dl>")
    #expect(page.links.map(\.title) == ["A", "B"])
  }

  @Test func `headings of the HTML export of Instapaper are folders and states`() throws {
    let list = try Self.list(
      """
      <!DOCTYPE html><html><head><title>Instapaper: Export</title></head><body>
      <h1>Unread</h1><ol><li><a href="https://a.test/1">https://a.test/1</a></ol>
      <h1>Archive</h1><ol><li><a href="https://a.test/2">Two</a></ol>
      <h1>Recipes</h1><ol><li><a href="https://a.test/3">Three</a></ol></body></html>
      """)
    #expect(
      list.links == [
        ImportedLink(url: "https://a.test/1"),
        ImportedLink(url: "https://a.test/2", title: "Two", isArchived: true),
        ImportedLink(url: "https://a.test/3", title: "Three", tags: ["Recipes"]),
      ])
  }

  @Test func `the tabs in the sidebar of Arc are imported`() throws {
    let list = try Self.list(
      """
      {"version": 1, "sidebar": {"containers": [{"global": {}}, {"items": [
        "A1", {"id": "A1", "data": {"tab": {"savedURL": "https://a.test/1", "savedTitle": "One"}}},
        "A2", {"id": "A2", "childrenIds": ["A3"], "data": {"list": {}}, "title": "Sea"},
        "A3", {"id": "A3", "data": {"tab": {"savedURL": "https://a.test/2", "savedTitle": "Two"}}}
      ]}]}, "sidebarSyncState": {"items": [{"url": "https://a.test/3"}]}}
      """)
    #expect(
      list.links == [
        ImportedLink(url: "https://a.test/1", title: "One"),
        ImportedLink(url: "https://a.test/2", title: "Two"),
      ])
  }

  @Test func `a page of Diigo without tags has none`() throws {
    let list = try Self.list("title,url,tags\nOne,https://a.test/1,no_tag\n")
    #expect(list.links == [ImportedLink(url: "https://a.test/1", title: "One")])
  }

  @Test func `the folder of unsorted pages is no tag`() throws {
    let list = try Self.list(
      "url,title,folder\nhttps://a.test/1,One,Unsorted\nhttps://a.test/2,Two,Sea\n")
    #expect(list.links.map(\.tags) == [[], ["Sea"]])
  }

  @Test(arguments: [
    #"{"sessions": [{"windows": [{"tabs": [{"url": "https://a.test/1", "title": "One"}]}]}]}"#,
    #"[{"windows": {"3": {"7": {"id": 7, "url": "https://a.test/1", "title": "One"}}}}]"#,
    #"{"collections": [{"folders": [{"links": [{"url": "https://a.test/1", "title": "One"}]}]}]}"#,
    """
    {"windows": [{"tabs": [{"entries": [{"url": "https://b.test/"}, {"url": "https://a.test/1",
      "title": "One"}], "index": 2}]}]}
    """,
  ])
  func `the tabs of a session are pages`(_ text: String) throws {
    #expect(try Self.list(text).links == [ImportedLink(url: "https://a.test/1", title: "One")])
  }

  @Test func `an entry with an index of its own is not a tab`() throws {
    let list = try Self.list(
      #"[{"url": "https://a.test/1", "index": 1, "entries": []}, {"url": "https://a.test/2"}]"#)
    #expect(list.links.map(\.url) == ["https://a.test/1", "https://a.test/2"])
  }

  @Test func `the title of a bookmark without an end tag ends at the next bookmark`() throws {
    let list = try Self.list(
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <DL><p><DT><A HREF="https://a.test/1">One
      <DT><A HREF="https://a.test/2">Two <b>bold</b></A><DD>A note
      <DT><A HREF="https://a.test/3">Three
      </DL>
      """)
    #expect(list.links.map(\.title) == ["One", "Two bold", "Three"])
    #expect(list.links.map(\.note) == ["", "A note", ""])
  }

  @Test(
    arguments: [
      ("* [[https://a.test/1][Low water]]  :sea:\n", "Low water"),
      ("** TODO [[https://a.test/1]]\n", ""), ("- [[https://a.test/1|Low water]]\n", "Low water"),
      ("[[https://a.test/1][Low water]] and [[file:x.org][a file]]\n", "Low water"),
      ("- [[2]](https://a.test/1)\n", "[2]"),
    ] as [(String, String)])
  func `links of Org mode and of wikis are parsed`(_ line: String, _ title: String) throws {
    let list = try Self.list(line)
    let tags = line.contains(":sea:") ? ["sea"] : []
    #expect(list.links == [ImportedLink(url: "https://a.test/1", title: title, tags: tags)])
  }

  @Test func `pages below an unknown name, and objects named by URLs, are parsed`() throws {
    let history = try Self.list(
      """
      {"Session": {"id": 7}, "Browser History": [{"title": "One", "url": "https://a.test/1"},
      {"title": "Two", "url": "https://a.test/2"}]}
      """)
    #expect(history.links.map(\.title) == ["One", "Two"])
    let map = try Self.list(
      #"{"https://a.test/1": {"title": "One"}, "https://a.test/2": {"title": "Two"}}"#)
    #expect(map.links.map(\.url) == ["https://a.test/1", "https://a.test/2"])
    #expect(map.links.map(\.title) == ["One", "Two"])
    let dates = try Self.list(
      #"{"https://a.test/1": "One", "https://a.test/2": 1577934245, "https://a.test/3": null}"#)
    #expect(
      dates.links == [
        ImportedLink(url: "https://a.test/1", title: "One"),
        ImportedLink(url: "https://a.test/2", date: Date(timeIntervalSince1970: 1_577_934_245)),
        ImportedLink(url: "https://a.test/3"),
      ])
    let names = try Self.list(
      #"""
      {"@context": ["https://b.test/ns"], "type": "OrderedCollection", "numbers": [1],
      "orderedItems": ["https://a.test/1", "https://a.test/2"], "more": ["https://a.test/3", 4]}
      """#)
    #expect(names.links.map(\.url) == ["https://a.test/1", "https://a.test/2"])
    // Images and scripts are not pages.
    #expect(
      ImportFormat(
        of: Array(
          #"""
          {"name": "Tides", "icons": ["https://a.test/1.png", "https://a.test/2.PNG?x=1"],
          "scripts": ["https://a.test/a.js"], "mail": ["imap://a.test/inbox"]}
          """#.utf8)) == nil)
    let mixed = try Self.list(
      #"{"all": ["https://a.test/1", "https://a.test/2.png", "https://a.test/3", "about://x"]}"#)
    #expect(mixed.links.count == 3 && mixed.skippedCount == 1)
    let page = try Self.list(
      #"[{"url": "https://a.test/1", "images": [{"url": "https://a.test/i.png"}]}]"#)
    #expect(page.links.map(\.url) == ["https://a.test/1"])
  }

  @Test func `highlights in a file beside a list become a note`() throws {
    var list = try Self.list(
      #"""
      [{"slug": "one", "url": "https://a.test/1", "savedAt": "2020-01-02T03:04:05Z"},
       {"slug": "two", "url": "https://a.test/2", "savedAt": "2020-01-02T03:04:05Z"}]
      """#)
    list.readContents { path in
      guard path == "highlights/one.md" else { return nil }
      return Array("## Highlights\r\n\r\n> Low water\r\n> at noon\r\n\r\nMy note\r\n".utf8)
    }
    #expect(list.links.map(\.note) == ["Low water\nat noon\nMy note", ""])
  }

  @Test func `all roots of bookmarks except the trash are read, with descriptions`() throws {
    let list = try Self.list(
      #"""
      {"checksum": "x", "version": 1, "roots": {
      "bookmark_bar": {"type": "folder", "children": [{"type": "url", "name": "One",
        "url": "https://a.test/1", "meta_info": {"Description": "A note", "Nickname": "o"}}]},
      "custom_root": {
        "speedDial": {"children": [{"type": "url", "name": "Two", "url": "https://a.test/2"}]},
        "trash": {"children": [{"type": "url", "name": "Old", "url": "https://b.test/"}]},
        "userRoot": {"children": [{"type": "folder", "name": "Sea", "children": [
          {"type": "url", "name": "Three", "url": "https://a.test/3"}]}]}},
      "trash": {"children": [{"type": "url", "name": "Old", "url": "https://b.test/"}]}}}
      """#)
    #expect(
      list.links == [
        ImportedLink(url: "https://a.test/1", title: "One", note: "A note"),
        ImportedLink(url: "https://a.test/2", title: "Two"),
        ImportedLink(url: "https://a.test/3", title: "Three", tags: ["Sea"]),
      ])
  }

  @Test func `descriptions and live bookmarks in backups of Firefox are read`() throws {
    let list = try Self.list(
      #"""
      {"root": "placesRoot", "type": "text/x-moz-place-container", "children": [
      {"title": "Sea", "type": "text/x-moz-place-container", "children": [
        {"type": "text/x-moz-place", "title": "One", "uri": "https://a.test/1",
         "annos": [{"name": "bookmarkProperties/description", "value": "A note"}]},
        {"type": "text/x-moz-place-container", "title": "News", "children": [],
         "annos": [{"name": "livemark/feedURI", "value": "https://a.test/feed"},
                   {"name": "livemark/siteURI", "value": "https://a.test/"}]}]}]}
      """#)
    #expect(
      list.links == [
        ImportedLink(url: "https://a.test/1", title: "One", tags: ["Sea"], note: "A note")
      ])
    #expect(
      list.feeds == [OPML.Outline(title: "News", feedURL: "https://a.test/feed", tags: ["Sea"])])
  }

  @Test(arguments: [
    #"[{"url": "https://a.test/", "highlights": [{"content": "One", "note": "mine"}, "Two"]}]"#,
    #"[{"url": "https://a.test/", "highlights": [{"text": "One", "note": "mine"}, {"text": "Two"}]}]"#,
    "url,highlights\nhttps://a.test/,\"One: mine\nTwo\"\n",
  ])
  func `passages that were marked become a note`(_ text: String) throws {
    #expect(try Self.list(text).links.map(\.note) == ["One: mine\nTwo"])
  }

  @Test func `titles and descriptions of bookmarks may contain markup without escapes`() throws {
    let text = """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <!-- Do not edit this file -->
      <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE>
      <DL><p><DT><A HREF="https://a.test/"><Harbour/></A>
      <DD>The <script> and <title> elements, <b>bold</b>
      <DT><A HREF="https://b.test/">The <textarea> element</A>
      <!-- a comment -->
        <!-- <DT><A HREF="https://e.test/">E</A> -->
      <DD>Begins with <!-- here
      <DT><A HREF="https://c.test/">C <![CDATA[</A><DD>Ends with --> there
      <DT><A HREF="https://d.test/">D</A></DL></body></html>

      """
    let list = try #require(ImportedList(Array(text.utf8)))
    #expect(list.format == .bookmarks)
    #expect(list.links.map(\.url).map { $0.dropFirst(8).prefix(1) } == ["a", "b", "c", "d"])
    let titles = ["<Harbour/>", "The <textarea> element", "C <![CDATA[", "D"]
    #expect(list.links.map(\.title) == titles)
    let notes = ["The <script> and <title> elements, bold", "Begins with <!-- here"]
    #expect(list.links.map(\.note) == notes + ["Ends with --> there", ""])
  }

  @Test(arguments: ["<!--", "\n<!--", "\n <!--<x", "<x", "<!--<a>-->", "<", "<dd><!"])
  func `repeated markup in bookmarks takes linear time`(_ part: String) throws {
    let count = 100_000 / part.utf8.count
    let text =
      "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF='https://a.test/'>A</A><DD>"
      + String(repeating: part, count: count)
    #expect(try #require(ImportedList(Array(text.utf8))).links.count == 1)
  }
}
