import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("First-visit responses of a run")
struct FirstVisitResponseTests {
  static let portal =
    "<h1>Welcome</h1><form action=/in><p>Your name, please</p><input name=room><button>Go</button>"
  static let gate = "<h1>Hotel Wi-Fi</h1><form><p>Room number</p><input><button>Connect</button>"
  static let article =
    "<h1>Tides</h1>" + String(repeating: "<p>Of granite, storms and pilots.</p>", count: 150)

  /// A requested page, its redirect target, and the received content.
  struct Page {
    var url: String
    var target: String?
    var text: String
    var status = 200
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let pages: [Page]
    var hasPortalEvidence = false
    let signInIndices: Set<Int>
  }

  static func pagesRedirected(
    _ hosts: [String], to target: String = "http://portal.test/in", _ text: String = portal
  ) -> [Page] {
    hosts.map { Page(url: "http://\($0)/page", target: target, text: text) }
  }

  static let rows: [Row] = [
    Row(
      testDescription: "unrelated sites lead to one sign-in page",
      pages: pagesRedirected(["a.test", "b.test"]), signInIndices: [0, 1]),
    Row(
      testDescription: "each with the way back in its address",
      pages: [
        Page(url: "http://a.test/", target: "http://portal.test/1?back=a", text: portal),
        Page(url: "http://b.test/", target: "http://portal.test/2?back=b", text: portal),
      ], signInIndices: [0, 1]),
    Row(testDescription: "one page alone", pages: pagesRedirected(["a.test"]), signInIndices: []),
    Row(
      testDescription: "one page alone that speaks of a network",
      pages: [Page(url: "http://a.test/", text: gate)], signInIndices: [0]),
    Row(
      testDescription: "one script for three sites, and nothing to read",
      pages: ["a", "b", "c"].map {
        Page(url: "http://\($0).test/\($0)", text: "<script>location='http://in.test'</script>")
      }, signInIndices: [0, 1, 2]),
    Row(
      testDescription: "the same script of two sites",
      pages: ["a", "b"].map {
        Page(url: "http://\($0).test/\($0)", text: "<script src=/main.js></script>")
      }, signInIndices: []),
    Row(
      testDescription: "one word that goes on to a form, for unrelated sites",
      pages: ["a", "b"].map {
        Page(
          url: "http://\($0).test/",
          text: "<meta http-equiv=refresh content='0;url=/login'><p>Please wait")
      }, signInIndices: [0, 1]),
    Row(
      testDescription: "one company and its login host",
      pages: pagesRedirected(
        ["wiki.corp.test", "mail.corp.test", "corp.test"], to: "http://login.sso.test/"),
      signInIndices: []),
    Row(
      testDescription: "the login host of the site itself",
      pages: pagesRedirected(["a.test", "www.a.test"], to: "http://login.a.test/"),
      signInIndices: []),
    Row(
      testDescription: "one page alone, and something came for a saved one",
      pages: pagesRedirected(["a.test"]), hasPortalEvidence: true, signInIndices: [0]),
    Row(
      testDescription: "short links to one text",
      pages: pagesRedirected(["a.test", "b.test"], to: "http://c.test/tides", article),
      signInIndices: []),
    Row(
      testDescription: "what is encrypted nobody else can answer",
      pages: [
        Page(url: "https://a.test/", target: "http://portal.test/in", text: portal),
        Page(url: "https://b.test/", target: "http://portal.test/in", text: portal),
      ], signInIndices: []),
    Row(
      testDescription: "one content for unrelated sites",
      pages: ["a", "b", "c"].map { Page(url: "http://\($0).test/", text: portal) },
      signInIndices: [0, 1, 2]),
    Row(
      testDescription: "one content that asks for nothing, of a mirror",
      pages: ["a", "b"].map { Page(url: "http://\($0).test/x", text: "<p>" + article.prefix(400)) },
      signInIndices: []),
    Row(
      testDescription: "different pages",
      pages: [
        Page(url: "http://a.test/", text: portal), Page(url: "http://b.test/", text: article),
      ], signInIndices: []),
    Row(
      testDescription: "an address within the network",
      pages: [Page(url: "http://a.test/", target: "http://192.168.1.1/", text: portal)]
        + pagesRedirected(["b.test"]),
      signInIndices: [0, 1]),
    Row(testDescription: "nothing", pages: [], signInIndices: []),
  ]

  private static func hop(
    _ url: String, _ status: Int, _ fields: [String: String],
    _ source: LoadedResponse.Source = .network,
    length: Int64? = nil
  ) -> FirstVisitResponse.Step {
    let head = FieldLines(fields.map { FieldLines.Field($0.key, $0.value) })
    var response = LoadedResponse(
      response: ResponseHead(status: status, fields: head), source: source)
    if let length {
      response.stored = Sample.stored(200)
      response.stored?.length = length
    }
    return FirstVisitResponse.Step(url: WebRequest(url: url).url, response: response)
  }

  @Test(arguments: [true, false])
  func `a confirmed redirect target is judged by its length`(isLong: Bool) {
    let target = "http://portal.test/in"
    let responses = ["a", "b"].compactMap { name in
      FirstVisitResponse(
        Sample.url("http://\(name).test/"),
        through: [Self.hop("http://\(name).test/", 302, ["Location": target])],
        last: Self.hop(target, 200, [:], .validated, length: isLong ? 40_000 : 900), content: []
      )
    }
    #expect(
      FirstVisitResponse.signInPages(among: responses, hasPortalEvidence: false)
        == (isLong ? [] : [0, 1]))
  }

  @Test(arguments: rows)
  func `responses of a captive portal are detected among first-visit responses`(_ row: Row) {
    let positions = row.pages.map { page in
      FirstVisitResponse(
        Sample.url(page.url),
        through: page.target.map { [Self.hop(page.url, 302, ["Location": $0])] } ?? [],
        last: Self.hop(page.target ?? page.url, 200, ["Content-Type": "text/html"]),
        content: Array(page.text.utf8))
    }
    let responses = positions.compactMap(\.self)
    let signInIndices = FirstVisitResponse.signInPages(
      among: responses, hasPortalEvidence: row.hasPortalEvidence)
    #expect(signInIndices == row.signInIndices)
    #expect(
      signInIndices.allSatisfy { responses[$0].mayBeFromPortal(alongOthers: row.pages.count > 1) })
  }

  @Test(arguments: ["http://portal.test/in", "/in"])
  func `a Refresh field that leads to another site counts as a redirect`(_ target: String) {
    let response = FirstVisitResponse(
      Sample.url("http://a.test/"), through: [],
      last: Self.hop("http://a.test/", 200, ["Refresh": "0; url=\(target)"]), content: [])
    #expect(response?.mayBeFromPortal(alongOthers: false) == target.hasPrefix("http"))
  }

  @Test func `random content is judged without failure`() {
    for text in ["", "\0", "<form", "<p>\u{FFFD}"] {
      let responses = (0..<50).compactMap { number in
        FirstVisitResponse(
          Sample.url("http://\(number).test/"), through: [],
          last: Self.hop("http://\(number).test/", 200, [:]),
          content: Array(text.utf8))
      }
      #expect(responses.count == 50)
      let signInIndices = FirstVisitResponse.signInPages(among: responses, hasPortalEvidence: false)
      #expect(signInIndices.isEmpty == text.isEmpty, "\(text)")
    }
  }
}
