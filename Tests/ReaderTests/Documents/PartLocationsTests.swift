import Containers
import Exchange
import Testing

@testable import LocalDocuments

/// The URLs of the parts of a message.
@Suite struct PartLocationsTests {
  /// Returns the locations of parts with the given header fields.
  private static func locations(_ heads: [String]) throws -> PartLocations {
    let parts = heads.map { "--b\nContent-Type: text/css\n\($0)\n\nx\n" }.joined()
    let text = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n\(parts)--b--\n"
    return PartLocations(try MIMEMessage(Array(text.utf8)).parts)
  }

  @Test(
    arguments: [
      ("https://a.test/dir/", 0), ("https://a.test/dir/#x", 0), ("HTTPS://a.test:443/dir/", 0),
      ("https://a.test/dir/s.css", 4), ("https://a.test/dir/s.css#x", 1), ("s.css", 1),
      ("cid:1@x", 2), ("CID:1%40x", 2),
      ("cid:2@x", 3), ("https://a.test/dir/none", nil), ("none", nil), ("cid:none", nil),
      ("", nil),
    ] as [(String, Int?)])
  func `a URL refers to the part with exactly this location, otherwise to the first equivalent one`(
    _ url: String, _ index: Int?
  ) throws {
    var locations = try Self.locations([
      "Content-Location: https://a.test/dir/", "Content-Location: s.css", "Content-ID: <1@x>",
      "Content-Location: cid:2@x", "Content-Location: https://a.test/dir/s.css",
      "Content-ID: <1@x>", "Content-Location: cid:1@x", "X: y",
    ])
    let found = locations.index(of: url)
    #expect(found == index)
  }

  @Test func `a relative location is resolved against that of the message`() throws {
    let text = """
      Snapshot-Content-Location: https://a.test/page
      Content-Location: https://b.test/dir/
      Content-Type: multipart/related; boundary=b

      --b
      Content-Type: text/html
      Content-Location: page.htm

      x
      --b
      Content-Location: https://c.test/x.png

      x
      --b--
      """
    let message = try MIMEMessage(Array(text.utf8))
    #expect(message.url(ofPart: 0) == "https://b.test/dir/page.htm")
    #expect(message.url(ofPart: 1) == "https://c.test/x.png")
    var locations = PartLocations(message.parts, base: message.location)
    let index = locations.index(of: "https://b.test/dir/page.htm")
    #expect(index == 0)
    var unresolved = PartLocations(message.parts)
    let unresolvedIndex = unresolved.index(of: "https://b.test/dir/page.htm")
    #expect(unresolvedIndex == nil)
  }

  @Test(arguments: [
    ("", "https://a.test/page"), ("Content-Location: page.htm\n", "https://a.test/page"),
    ("Content-Location: =?utf-8?Q?https://a.test/=C3=A4?=\n", "https://a.test/page"),
    ("Content-Location: http://b.test/\n", "http://b.test/"),
  ])
  func `a root part whose location is not a web URL has the URL of the page`(
    _ field: String, _ url: String
  ) throws {
    let head = "Snapshot-Content-Location: https://a.test/page\n"
    let parts =
      "--b\nContent-Type: text/html\n\(field)\nx\n"
      + "--b\nContent-Type: image/png\nContent-Location: i.png\n\nx\n--b--\n"
    let text = head + "Content-Type: multipart/related; boundary=b\n\n" + parts
    let message = try MIMEMessage(Array(text.utf8))
    #expect(message.url(ofPart: 0) == url && message.url(ofPart: 1) == "i.png")
  }

  @Test func `an identifier takes precedence over an earlier location`() throws {
    var locations = try Self.locations(["Content-Location: cid:1@x", "Content-ID: <1@x>"])
    let found = locations.index(of: "cid:1@x")
    #expect(found == 1)
  }

  @Test func `many references to many parts are resolved in linear time`() throws {
    var locations = try Self.locations(
      (0..<9000).map { "Content-Location: https://a.test/dir/\($0)" })
    let found = (0..<2000).compactMap { locations.index(of: "https://a.test/none/../\($0)x") }
    let last = locations.index(of: "https://a.test/x/../dir/8999")
    #expect(found.isEmpty && last == 8999)
  }
}
