@testable import Saving
import Exchange
import Foundation
import Library
import OfflineCache
import Profiles
import TestNetwork
import Testing
import WebArchive

/// Pages as Markdown with their URL in front matter.
@Suite struct ImportedNotesTests {
  @Test func `the front matter of a page as Markdown is imported`() throws {
    let list = try #require(
      ImportedList(
        Array(
          """
          ---
          title: "Boats: \\"early\\" \\u0026 late"
          url: https://a.test/page
          date: 2020-01-02
          saved: 2021-03-04T05:06:07Z
          author:
            name: Ann
          tags:
            - sea
            - 'low water'
            - "#quay"
          note: "one\\ntwo"
          ---

          See https://b.test/ and https://c.test/.
          """.utf8)))
    #expect(list.format == .note)
    #expect(
      list.links == [
        ImportedLink(
          url: "https://a.test/page", title: "Boats: \"early\" & late",
          tags: ["sea", "low water", "quay"], date: Date(timeIntervalSince1970: 1_614_834_367),
          note: "one\ntwo")
      ])
  }

  @Test(
    arguments: [
      ("source: https://a.test/\r\ntags: [clippings, x]\r\n", ["clippings", "x"]),
      ("tags: x\nurl: 'https://a.test/'\n", ["x"]),
      ("source: \"[[Other]]\"\nurl: https://a.test/\ndescription: >\n  a\n  b\n", []),
    ] as [(String, [String])])
  func `other programs write other names and forms`(_ matter: String, _ tags: [String]) throws {
    let list = try #require(ImportedList(Array("---\r\n\(matter)---\r\nText\r\n".utf8)))
    #expect(list.format == .note && list.links.map(\.url) == ["https://a.test/"])
    #expect(list.links[0].tags == tags)
  }

  @Test(arguments: [
    "---\ntitle: Links\n---\nhttps://a.test/\n", "---\nurl: /about/\n---\nhttps://a.test/\n",
    "---\n\nhttps://a.test/\n",
  ])
  func `a text without a web URL in its front matter is a list`(_ text: String) throws {
    let list = try #require(ImportedList(Array(text.utf8)))
    #expect(list.format == .lines && list.links.map(\.url) == ["https://a.test/"])
  }

  @Test func `a directory of pages as Markdown is imported with their texts`() throws {
    let files = try TestProfile()
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let directory = files.directory.appendingPathComponent("notes")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let text = String(repeating: "Boats leave at *noon*. ", count: 10)
    for number in 1...2 {
      let note = """
        ---
        title: Page \(number)
        url: https://a.test/\(number)
        ---

        # Page \(number)

        \(text)
        """
      try Data(note.utf8).write(to: directory.appendingPathComponent("page-\(number).md"))
    }
    try Data("No page.".utf8).write(to: directory.appendingPathComponent("other.md"))
    let outcome = try LibraryImport(into: profile).run(directory.path, tags: ["quay"])
    #expect(outcome.format == .list(.note) && outcome.pageCount == 2 && outcome.queuedCount == 2)
    let page = try profile.library.page("https://a.test/1")
    #expect(page.title == "Page 1" && page.queuedDate != nil && page.tags == ["quay"])
    #expect(try profile.cache.archive.captures(of: "https://a.test/2").count == 1)
  }

  @Test func `the heading that repeats the title is not part of the text`() throws {
    let text = String(repeating: "Boats leave at *noon*. ", count: 10)
    let list = try #require(
      ImportedList(
        Array("---\ntitle: One\nurl: https://a.test/\n---\n\n# One\n\n\(text)\n".utf8)))
    #expect(list.links[0].content.hasPrefix("<p>Boats leave at <em>noon</em>."))
  }

  @Test func `the Markdown in a list as JSON is the text of a page`() throws {
    let text = String(repeating: "Boats leave at *noon*. ", count: 10)
    let list = try #require(
      ImportedList(
        Array(
          """
          [{"url": "https://a.test/", "title": "One", "saved": "2021-03-04T05:06:07Z",
            "date": "2020-01-02", "markdown": "# One\\n\\n\(text)\\n"}]
          """.utf8)))
    #expect(list.links[0].content.hasPrefix("<p>Boats leave at <em>noon</em>."))
    #expect(list.links[0].date == Date(timeIntervalSince1970: 1_614_834_367))
  }
}
