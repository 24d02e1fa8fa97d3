import Exchange
import Foundation
import Reader
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
        """, tags: ["Unsorted", "x", "y"], date: date, note: "mine\ntheirs"),
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
      program: "Linkwarden",
      text: """
        {"id":1,"name":"user","collections":[{"name":"Folder","description":"","links":[{"name":"One",
        "type":"url","url":"https://a.test/1","description":"n","tags":[{"id":1,"name":"x"}]}]}],
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
    #expect(list.skipped == export.skipped)
  }
}
