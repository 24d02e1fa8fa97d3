import Foundation
import OfflineCache
import TestSupport
import Testing

@testable import Exchange

@Suite struct TimeMapTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)
  private let base: WebURL

  init() throws {
    base = try #require(WebURL("https://archive.test/timemap/link/http://a.test/"))
  }

  private func read(_ text: String, piece: Int = .max) -> TimeMap {
    var reader = TimeMapReader(base: base, now: now)
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + min(piece, bytes.count))
      reader.parse(Array(bytes[start..<end]))
      start = end
    }
    return reader.finish()
  }

  private static let example = """
    <http://a.test/>; rel="original",
    <https://archive.test/timemap/link/http://a.test/>; rel="self"; type="application/link-format"; \
    from="Tue, 20 Jun 2000 18:02:59 GMT"; until="Wed, 09 Apr 2008 20:30:51 GMT",
    <https://archive.test/http://a.test/>; rel="timegate",
    <https://archive.test/web/20080409203051/http://a.test/?q=1,2>; rel="last memento"; \
    datetime="Wed, 09 Apr 2008 20:30:51 GMT",
    </web/20000620180259/http://a.test/>; rel="first memento"; datetime="Tue, 20 Jun 2000 18:02:59 GMT",
    <https://archive.test/web/20010101000000/http://a.test/>; rel=memento; \
    datetime="Mon, 01 Jan 2001 00:00:00 GMT"; license="a, \\"b\\"",
    <https://archive.test/timemap/2>; rel="timemap"; type="application/link-format"; \
    until="Fri, 01 Jan 2016 00:00:00 GMT",
    <https://archive.test/timemap/1>; rel="timemap"; until="Tue, 01 Jan 2013 00:00:00 GMT"
    """

  @Test(arguments: [1, 7, 64, .max])
  func `a TimeMap is parsed identically in chunks of any size`(_ piece: Int) {
    let map = read(Self.example, piece: piece)
    #expect(
      map.mementos.map(\.url) == [
        "https://archive.test/web/20000620180259/http://a.test/",
        "https://archive.test/web/20010101000000/http://a.test/",
        "https://archive.test/web/20080409203051/http://a.test/?q=1,2",
      ])
    #expect(map.totalCount == 3)
    #expect(map.mementos[1].date == HTTPDate.parse("Mon, 01 Jan 2001 00:00:00 GMT", now: now))
    #expect(
      map.furtherTimeMaps.map(\.url.description) == [
        "https://archive.test/timemap/1", "https://archive.test/timemap/2",
      ])
  }

  @Test(arguments: [
    "", ",,,,", "<", "<a", "<a>;", "<a>; rel", "<a>; rel=\"memento", "<html><p>Sign in</p></html>",
    "<https://archive.test/x>; rel=\"memento\"",
    "<https://archive.test/x>; rel=\"memento\"; datetime=\"yesterday\"",
    "<https://archive.test/x>; rel=\"memento\"; datetime=\"Fri, 01 Jan 2999 00:00:00 GMT\"",
    "<file:///etc/passwd>; rel=\"memento\"; datetime=\"Mon, 01 Jan 2001 00:00:00 GMT\"",
    "<javascript:1>; rel=\"memento\"; datetime=\"Mon, 01 Jan 2001 00:00:00 GMT\"",
  ])
  func `an invalid entry is not a capture`(_ text: String) {
    #expect(read(text).mementos.isEmpty)
  }

  @Test func `a damaged link does not affect the others`() {
    let good =
      "<https://archive.test/x>; rel=\"memento\"; datetime=\"Mon, 01 Jan 2001 00:00:00 GMT\""
    let long = "<https://archive.test/\(String(repeating: "y", count: 100_000))>; rel=\"memento\""
    #expect(read("<broken\n,\(good),\(long),\(good)").totalCount == 2)
  }

  @Test func `random input is read to its end`() {
    var random = SplitMix64(seed: 7)
    let markers = Array("<>,;\"\\= \nrelmemento".utf8)
    for _ in 0..<2000 {
      var reader = TimeMapReader(base: base, now: now)
      reader.parse((0..<200).map { _ in markers[Int(random.next() % UInt64(markers.count))] })
      #expect(reader.finish().mementos.isEmpty)
    }
  }

  @Test func `of very many captures the newest and oldest are kept, in order`() {
    var reader = TimeMapReader(base: base, now: now)
    let count = Effort.rounds(150_000, part: 50_000)
    for number in 0..<count {
      let date = HTTPDate.format(Date(timeIntervalSince1970: Double(number) * 3600))
      reader.parse(
        Array("<https://archive.test/\(number)>; rel=\"memento\"; datetime=\"\(date)\",\n".utf8))
    }
    let map = reader.finish()
    #expect(map.totalCount == count)
    #expect(map.mementos.count <= 20_000)
    #expect(map.mementos.first?.url == "https://archive.test/0")
    #expect(
      map.mementos.suffix(1000).map(\.url)
        == ((count - 1000)..<count).map { "https://archive.test/\($0)" })
    #expect(map.mementos == map.mementos.sorted { $0.date < $1.date })
  }

  @Test func `captures are tried at increasing distances, as error pages are captured repeatedly`()
  {
    var map = TimeMap()
    let day: TimeInterval = 86_400
    for age in [0.5, 1, 1.5, 3, 4, 40, 100, 200, 500, 900, 4000] {
      map.add(Memento(url: "\(age)", date: now - age * day))
    }
    map.finish()
    #expect(map.nearest(to: now, limit: 4).map(\.url) == ["0.5", "3.0", "100.0", "500.0"])
    #expect(map.nearest(to: now - 250 * day, limit: 1).map(\.url) == ["200.0"])
    #expect(TimeMap().nearest(to: now, limit: 4).isEmpty)
  }

  @Test(
    arguments: [
      (
        "https://archive.test/web/20080409203051/http://a.test/?x",
        "https://archive.test/web/20080409203051id_/http://a.test/?x", "http://a.test/?x"
      ),
      (
        "https://archive.test/web/20080409203051im_/https://a.test/",
        "https://archive.test/web/20080409203051id_/https://a.test/", "https://a.test/"
      ),
      ("https://archive.test/m/1234", "https://archive.test/m/1234", nil),
      ("https://archive.test/20080409203051/else", "https://archive.test/20080409203051/else", nil),
    ] as [(String, String, String?)])
  func `the URL of a capture leads to its raw content and its original URL`(
    _ url: String, _ raw: String, _ original: String?
  ) {
    let memento = Memento(url: url, date: now)
    #expect(memento.rawURL == raw)
    #expect(Memento.originalURL(of: url) == original)
  }

  @Test func `header fields of the capture are distinguished from those of the archive`() throws {
    let fields = FieldLines([
      .init("Memento-Datetime", "Wed, 09 Apr 2008 20:30:51 GMT"),
      .init("Content-Type", "text/html"), .init("Server", "nginx"),
      .init("X-Archive-Orig-Content-Type", "text/html; charset=latin1"),
      .init("X-Archive-Orig-Server", "Apache"), .init("X-Archive-Orig-Set-Cookie", "id=1"),
      .init("X-Archive-Orig-Transfer-Encoding", "chunked"), .init("Set-Cookie", "archive=1"),
      .init("Link", "<http://a.test/page>; rel=\"original\", </m>; rel=\"timegate\""),
    ])
    let url = try #require(WebURL("https://archive.test/m/1"))
    let page = try #require(WebURL("https://www.a.test/page/"))
    let response = try #require(
      MementoResponse(
        ResponseHead(status: 200, fields: fields), from: url, requested: page, now: now))
    #expect(response.originalURL.description == "http://a.test/page")
    #expect(
      response.head.fields.lines == [
        .init("Date", "Wed, 09 Apr 2008 20:30:51 GMT"), .init("Content-Type", "text/html"),
        .init("Server", "Apache"),
      ])
    #expect(response.isContent)
    var others = fields
    others["Memento-Datetime"] = nil
    #expect(
      MementoResponse(
        ResponseHead(status: 200, fields: others), from: url, requested: page, now: now)
        == nil)
  }

  @Test(arguments: ["http://a.test/other", "http://b.test/page", "http://a.test/page?x=1"])
  func `a capture of another page is rejected`(_ asked: String) throws {
    let fields = FieldLines([
      .init("Memento-Datetime", "Wed, 09 Apr 2008 20:30:51 GMT"),
      .init("Link", "<http://a.test/page>; rel=\"original\""),
    ])
    let url = try #require(WebURL("https://archive.test/m/1"))
    let page = try #require(WebURL(asked))
    #expect(
      MementoResponse(
        ResponseHead(status: 200, fields: fields), from: url, requested: page, now: now)
        == nil)
  }

  @Test(arguments: ["web.archive.org", "a-b.test", "[::1]"])
  func `the archive is encoded in the file name`(_ host: String) {
    let name = MementoFile.name(ofArchive: host, date: now, digest: "00ff")
    #expect(!name.contains("/") && !name.hasPrefix("."))
    #expect(name.contains(host == "[::1]" ? "___1_" : host))
  }
}
