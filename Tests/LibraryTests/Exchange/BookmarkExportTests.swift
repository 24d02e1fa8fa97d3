import Exchange
import Foundation
import TestSupport
import Testing

/// The exports of bookmark services and programs.
@Suite struct BookmarkExportTests {
  private static func list(_ text: String) throws -> ImportedList {
    try #require(ImportedList(Array(text.utf8)))
  }

  private static let date = Date(timeIntervalSince1970: 1_795_256_130)

  /// An export with one page, https://a.test/1.
  struct Export: Sendable, CustomTestStringConvertible {
    let program: String
    let text: String
    var title = "One"
    var tags: [String] = []
    var date: Date?
    var isArchived = false
    var note = ""
    /// The number of entries without a URL.
    var skipped = 0

    var testDescription: String { program }
  }

  private static let tables = [
    Export(
      program: "Readwise Reader",
      text: """
        Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen
        One,https://a.test/1,01abc,"['a tag', ""it's""]",2026-11-21 10:15:30+00:00,0.5,archive,True
        """, tags: ["a tag", "it's"], date: date, isArchived: true),
    Export(
      program: "Zotero",
      text: """
        "Key","Item Type","Title","Url","Manual Tags","Automatic Tags","Date Added"
        "K","webpage","One","https://a.test/1","x; y","z","2026-11-21 10:15:30"
        """, tags: ["x", "y", "z"], date: date),
    Export(
      program: "Raindrop",
      text: """
        id,title,note,excerpt,url,folder,tags,created
        1,One,mine,theirs,https://a.test/1,Unsorted,"x, y",2026-11-21T10:15:30.000Z
        """, tags: ["x", "y"], date: date, note: "mine\ntheirs"),
    Export(program: "OneTab", text: "https://a.test/1 | One\n\n"),
  ]

  private static let objects = [
    Export(
      program: "linkding",
      text: """
        {"count":1,"results":[{"url":"https://a.test/1","title":"One","description":"d",
        "notes":"n","is_archived":true,"unread":true,"tag_names":["x","y"]}]}
        """, tags: ["x", "y"], isArchived: true, note: "n\nd"),
    Export(
      program: "Karakeep",
      text: """
        {"bookmarks":[{"createdAt":1795256130,"title":"One","tags":["x"],"note":"n",
        "content":{"type":"link","url":"https://a.test/1"},"archived":false,"lists":["l"]},
        {"createdAt":1,"title":null,"tags":[],"content":{"type":"text","text":"t"}}]}
        """, tags: ["x"], date: date, note: "n", skipped: 1),
    Export(
      program: "Readability",
      text: """
        {"bookmarks":[{"article__excerpt":"e","favorite":false,"date_archived":null,
        "article__url":"https://a.test/1","date_added":"2026-11-21T10:15:30","date_favorited":null,
        "article__title":"One","archive":true}],"recommendations":[]}
        """, date: date, isArchived: true),
    Export(
      program: "Linkwarden",
      text: """
        {"id":1,"name":"user","collections":[{"name":"Folder","description":"","links":[
        {"name":"One","type":"url","url":"https://a.test/1","description":"n","tags":[{"id":1,"name":"x"}]}]}],
        "pinnedLinks":[]}
        """, tags: ["Folder", "x"], note: "n"),
    Export(
      program: "Toby",
      text: """
        {"version":3,"lists":[{"title":"Folder","cards":[{"title":"page","customTitle":"One",
        "url":"https://a.test/1"}],"labels":[]}]}
        """, tags: ["Folder"]),
    Export(
      program: "Pocket's interface",
      text: """
        {"status":1,"list":{"7":{"item_id":"7","given_url":"https://a.test/1","given_title":"One",
        "status":"1","tags":{"name":{"tag":"name"},"x":{"tag":"x"}}}}}
        """, tags: ["name", "x"], isArchived: true),
    Export(
      program: "Google Reader",
      text: """
        {"id":"user/-/starred","title":"Starred","alternate":[{"href":"https://g.test/"}],
        "items":[{"title":"One","canonical":[{"href":"https://a.test/1"}],
        "alternate":[{"href":"https://b.test/"}],"content":{"content":"<p>"}}]}
        """),
    Export(
      program: "texts", text: #"["https://a.test/1","no URL",7,"ftp://a.test/"]"#, title: "",
      skipped: 1),
    Export(
      program: "a graph",
      text: #"[{"url":"https://a.test/1","title":"One","labels":{"nodes":[{"name":"x"}]}}]"#,
      tags: ["x"]),
    Export(
      program: "a collection without a name",
      text: #"[{"url":"https://a.test/1","title":"One","collection":{"$id":1,"oid":2}}]"#),
  ]

  @Test(arguments: tables + objects)
  func `exports are read with their tags, notes, dates and states`(_ export: Export) throws {
    let list = try Self.list(export.text)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/1", title: export.title, tags: export.tags, date: export.date,
          isArchived: export.isArchived, note: export.note)
      ])
    #expect(list.skippedCount == export.skipped)
  }

  // MARK: Files of browsers and desktops

  /// Bookmarks of Safari as a binary property list.
  private static let binaryBookmarks = """
    YnBsaXN0MDDSAQIDJFhDaGlsZHJlblVUaXRsZaIEF9IBAgUWogYP0wcICQoNDl1VUklEaWN0aW9uYXJ5WVVSTFN0cm\
    luZ18QD1dlYkJvb2ttYXJrVHlwZdELDFV0aXRsZVNPbmVfEBBodHRwczovL2EudGVzdC8xXxATV2ViQm9va21hcmtU\
    eXBlTGVhZtIBAhAVoRHSBwgSFNELE2MAWgB3APZfEBBodHRwczovL2EudGVzdC8yZABGAPYAbABkXEJvb2ttYXJrc0\
    JhctIBAhgjoRnTGgcIGyAiW1JlYWRpbmdMaXN00hwdHh9ZRGF0ZUFkZGVkW1ByZXZpZXdUZXh0M0HIWNNhAAAAUW7R\
    CyFVVGhyZWVfEBBodHRwczovL2EudGVzdC8zXxAVY29tLmFwcGxlLlJlYWRpbmdMaXN0UAAIAA0AFgAcAB8AJAAnAC\
    4APABGAFgAWwBhAGUAeACOAJMAlQCaAJ0ApAC3AMAAzQDSANQA2wDnAOwA9gECAQsBDQEQARYBKQFBAAAAAAAAAgEA\
    AAAAAAAAJQAAAAAAAAAAAAAAAAAAAUI=
    """

  private static let propertyListHead = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://a.test/PropertyList-1.0.dtd">
    <plist version="1.0">
    """

  private static func propertyLists() throws -> [[UInt8]] {
    let item = """
      <key>URIDictionary</key><dict><key>title</key><string>TITLE</string></dict>
      <key>URLString</key><string>https://a.test/NUMBER</string>
      """
    func page(_ title: String, _ number: Int, _ more: String = "") -> String {
      "<dict>\(more)"
        + item.replacing("TITLE", with: title).replacing("NUMBER", with: "\(number)") + "</dict>"
    }
    func folder(_ title: String, _ pages: [String]) -> String {
      "<dict><key>Children</key><array>\(pages.joined(separator: "\n"))</array>"
        + "<key>Title</key><string>\(title)</string></dict>"
    }
    let reading = """
      <key>ReadingList</key><dict><key>DateAdded</key><date>2026-11-21T10:15:30Z</date>
      <key>PreviewText</key><string>n</string></dict>
      """
    let text =
      propertyListHead
      + folder(
        "",
        [
          folder("BookmarksBar", [page("One", 1), folder("Föld", [page("Zwö", 2)])]),
          folder("com.apple.ReadingList", [page("Three", 3, reading)]),
        ]) + "</plist>"
    return [Array(text.utf8), [UInt8](try #require(Data(base64Encoded: binaryBookmarks)))]
  }

  @Test func `bookmarks of Safari are read from XML and binary property lists`() throws {
    for bytes in try Self.propertyLists() {
      let list = try #require(ImportedList(bytes))
      #expect(list.format == .propertyList && list.skippedCount == 0)
      #expect(
        list.links == [
          ImportedLink(url: "https://a.test/1", title: "One"),
          ImportedLink(url: "https://a.test/2", title: "Zwö", tags: ["Föld"]),
          ImportedLink(url: "https://a.test/3", title: "Three", date: Self.date, note: "n"),
        ])
    }
  }

  @Test(arguments: Seeds.all)
  func `damaged property lists and backups are read without a crash`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let backup = [UInt8](try #require(Data(base64Encoded: Self.backup)))
    for bytes in try Self.propertyLists() + [backup] {
      for _ in 0..<300 {
        var broken = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          broken[Int.random(in: 8..<broken.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        _ = ImportedList(broken)
        _ = ImportedList(Array(broken.prefix(.random(in: 0...broken.count, using: &random))))
      }
    }
  }

  /// A backup of Firefox with three bookmarks, compressed.
  private static let backup = """
    bW96THo0MACvAQAA43siZ3VpZCI6InJvb3RfAQAhIiwPAPETIjoicGxhY2VzUm9vdCIsInR5cGUiOiJ0ZXh0L3gtbW\
    96LR8AoC1jb250YWluZXIkADBpdGwlAOUiLCJjaGlsZHJlbiI6W2YAQ21lbnVlABdfLgAAFwAADwAPYQAQCVYAE3Ru\
    AD9PbmU/AAf0DyIsInVyaSI6Imh0dHBzOi8vYS50ZXN0LzEifSx7IkMAHy0BABQPaAAfGTJoAE9UaHJlrQAgcDMifV\
    19XX0=
    """

  @Test func `compressed backups of Firefox are read`() throws {
    let bytes = try #require(Data(base64Encoded: Self.backup))
    let list = try #require(ImportedList([UInt8](bytes)))
    #expect(list.format == .json && list.skippedCount == 0)
    #expect(list.links.map(\.url) == (1...3).map { "https://a.test/\($0)" })
    #expect(list.links.map(\.title) == ["One", String(repeating: "-", count: 40), "Three"])
  }

  @Test func `XBEL is read with folders, notes and dates`() throws {
    let list = try Self.list(
      """
      <?xml version="1.0"?><!DOCTYPE xbel PUBLIC "+//IDN python.org//DTD XML Bookmark Exchange
      Language 1.0//EN//XML" "http://www.python.org/topics/xml/dtds/xbel-1.0.dtd">
      <xbel version="1.0"><title>Bookmarks</title><folder><title>Outer</title>
      <bookmark href="https://a.test/1" added="2026-11-21T10:15:30Z"><title>One</title>
      <desc>n</desc></bookmark><folder><bookmark href="https://a.test/2"><info/><title>Two</title>
      </bookmark></folder></folder><separator/><bookmark href="ftp://a.test/"/></xbel>
      """)
    #expect(list.format == .xbel && list.skippedCount == 1)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/1", title: "One", tags: ["Outer"], date: Self.date, note: "n"),
        ImportedLink(url: "https://a.test/2", title: "Two", tags: ["Outer"]),
      ])
  }

  @Test(
    arguments: [
      (
        "[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,11\r\n[InternetShortcut]\r\nIDList=\r\n"
          + "URL=https://a.test/1\r\nIconFile=https://a.test/favicon.ico\r\n", .shortcut, ""
      ),
      (
        "#!/usr/bin/env xdg-open\n[Desktop Entry]\nType=Link\nName=One\nURL = https://a.test/1\n"
          + "[Other]\nName=Two\nURL=https://b.test/\n", .shortcut, "One"
      ),
      (
        "[Desktop Entry]\nIcon=text-html\nName[de]=Eins\nName[$e]=$$One$\nType=Link\n"
          + "URL[$e]=https://a.test/1\n", .shortcut, "$One$"
      ),
      (
        propertyListHead + "<dict><key>URL</key><string>https://a.test/1</string></dict></plist>",
        .propertyList, ""
      ),
    ] as [(String, ListFormat, String)])
  func `shortcuts contain the URL of a page`(
    _ text: String, _ format: ListFormat, _ title: String
  ) throws {
    let list = try Self.list(text)
    #expect(list.format == format && list.skippedCount == 0)
    #expect(list.links == [ImportedLink(url: "https://a.test/1", title: title)])
  }

  @Test(arguments: [
    "[Desktop Entry]\nType=Application\nExec=x\n", "[Other]\nURL=https://a.test/\n", "bplist00",
    "bplist00" + String(repeating: "\0", count: 40), "mozLz40\0", "mozLz40\0\0\0\0\0words",
  ])
  func `files without a URL are not lists`(_ text: String) {
    #expect(ImportedList(Array(text.utf8))?.links.isEmpty ?? true)
  }
}
