import Configuration
import Document
import Foundation
import Layout
import Pages
import ReaderMode
import Testing

@testable import Terminal
@testable import TerminalUI

/// The description of the focused field or button in the last row.
@Suite struct FormStatusTests {
  /// Returns the reader with a page.
  private static func browser(_ html: String) -> Browser {
    let url = "https://a.test/f"
    let page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(bytes: Array(html.utf8), mediaType: "text/html", url: url),
      provenance: Provenance(source: .network))
    var browser = Browser(
      startRequest: LoadRequest(url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    return browser
  }

  /// Returns the last row for each field of a page, in order.
  private static func rows(_ html: String, count: Int) throws -> [String] {
    var browser = browser(html)
    let tab = try #require(Key("Tab"))
    return (0..<count).map { _ in
      _ = browser.update(.input(.key(tab)))
      return browser.frame().textRows.last ?? ""
    }
  }

  @Test func `a field for files is described by its label`() throws {
    let rows = try Self.rows(
      "<form><p><label>Photo <input type=file name=f></label><p>Name <input name=n></form>",
      count: 2)
    #expect(rows[0].contains("Photo: files are not sent"))
    #expect(rows[1].contains("Name: text"))
  }

  @Test func `a field without a label is described by the block before it alone`() throws {
    let rows = try Self.rows(
      "<h1>Log in</h1><p>Your town<form><div><input name=t></div></form>", count: 1)
    #expect(rows[0].contains("  Your town: text"), "\(rows)")
  }

  @Test func `a field without a label or a name is described by its state alone`() throws {
    let rows = try Self.rows("<form><select><option>A<option>B</select></form>", count: 1)
    #expect(rows[0].contains("field 1/1  2 choices; Enter lists them"), "\(rows)")
  }

  @Test func `a field and its box are as wide as the longest of thousands of choices`() throws {
    let options = (0..<2000).map { "<option>\($0)" }.joined() + "<option selected>the longest one"
    var browser = Self.browser("<form><select name=s>\(options)</select></form>")
    #expect(browser.frame().textRows.contains { $0.contains("[the longest one ▾]") })
    for name in ["Tab", "Enter"] { _ = browser.update(.input(.key(try #require(Key(name))))) }
    #expect(browser.frame().textRows.contains { $0.contains("(*) the longest one") })
  }

  @Test func `an editor that changes nothing is reported`() {
    var browser = Self.browser("<form><textarea name=t>\none\n</textarea></form>")
    _ = browser.update(.edited(.text(Array("one\n".utf8)), control: 0))
    #expect(browser.notices.current?.text == "the editor ended; the text is unchanged")
    let view = browser.view
    #expect(view?.values.text(of: 0, in: view?.page.document.forms ?? PageForms()) == "one\n")
  }

  @Test func `a button says where it sends the form, or that it cannot`() throws {
    let rows = try Self.rows(
      """
      <form action=/a method=post><button>One</button></form>
      <form action=/b?x=1><button>Two</button></form>
      <form action=/c><input type=password name=p value=x><button>Three</button></form>
      """, count: 4)
    #expect(rows[0].contains("One: sends → https://a.test/a "))
    #expect(rows[1].contains("Two: opens → https://a.test/b "))
    #expect(rows[3].contains("Three: cannot be sent; Enter shows the reason"))
  }
}
