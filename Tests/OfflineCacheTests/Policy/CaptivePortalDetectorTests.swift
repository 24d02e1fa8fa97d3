import Testing

@testable import OfflineCache

@Suite struct CaptivePortalDetectorTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    /// URLs with their received content.
    let pages: [(url: String, text: String)]
    var hasPortalEvidence = false
    var hasGenuineResponse = false
    let verdicts: [CaptivePortalDetector.Verdict]
  }

  private static let notice = "<p>Guests have to register at the desk before they can go on."

  static let rows: [Row] = [
    Row(
      testDescription: "one page with its own text", pages: [("http://a.example/x", notice)],
      verdicts: [.unconfirmed]),
    Row(
      testDescription: "one page beside an encrypted one", pages: [("http://a.example/x", notice)],
      hasGenuineResponse: true, verdicts: [.page]),
    Row(
      testDescription: "two pages with other words",
      pages: [
        ("http://a.example/x", notice),
        ("http://b.example/y", "<p>Ferries leave at nine from the north mole."),
      ],
      verdicts: [.page, .page]),
    Row(
      testDescription: "the same words for two sites",
      pages: [("http://a.example/x", notice), ("http://b.example/y", notice)],
      verdicts: [.refused(.signInPage), .refused(.signInPage)]),
    Row(
      testDescription: "the same words for pages of one site",
      pages: [("http://a.example/x", notice), ("http://a.example/y", notice)],
      verdicts: [.unconfirmed, .unconfirmed]),
    Row(
      testDescription: "private hosts with the same words",
      pages: [
        ("http://10.0.0.1/x", notice), ("http://10.0.0.2/y", notice), ("http://nas/z", notice),
      ],
      verdicts: [.page, .page, .page]),
    Row(
      testDescription: "a page without text that goes on to another site",
      pages: [
        ("http://a.example/x", "<meta http-equiv=refresh content='0;url=http://b.example/'>")
      ],
      hasGenuineResponse: true, verdicts: [.unconfirmed]),
    Row(
      testDescription: "the same where a saved page was answered by a portal",
      pages: [
        ("http://a.example/x", "<meta http-equiv=refresh content='0;url=http://b.example/'>")
      ],
      hasPortalEvidence: true, verdicts: [.refused(.signInPage)]),
    Row(
      testDescription: "a page where the URL says PDF", pages: [("http://a.example/x.pdf", notice)],
      hasGenuineResponse: true, verdicts: [.refused(.otherKind)]),
  ]

  @Test(arguments: rows)
  func `a run decides on its first-visit responses`(_ row: Row) throws {
    var detector = CaptivePortalDetector(requestsSeveralSites: row.pages.count > 1)
    if row.hasPortalEvidence { detector.recordPortal() }
    if row.hasGenuineResponse { detector.recordGenuineResponse() }
    var waiting: [Int?] = []
    for page in row.pages {
      let url = Sample.url(page.url)
      let response = LoadedResponse(
        response: Sample.response(200, [("Content-Type", "text/html")]), source: .network)
      let first = try #require(
        FirstVisitResponse(
          url, through: [], last: .init(url: url, response: response),
          content: Array(page.text.utf8)))
      waiting.append(detector.record(first))
    }
    let verdicts = detector.verdicts()
    #expect(verdicts == row.verdicts)
    // All responses but pages have waited for the verdict.
    for (number, verdict) in verdicts.enumerated() where verdict != .page {
      #expect(waiting[number] == number)
    }
  }

  @Test func `a new version of a saved page is rejected if other sites have the same text`() throws
  {
    var detector = CaptivePortalDetector(requestsSeveralSites: true)
    for name in ["a", "b"] {
      let response = LoadedResponse(
        response: Sample.response(200, [("Content-Type", "text/html")]), source: .network)
      let url = Sample.url("http://\(name).example/\(name)")
      var first = try #require(
        FirstVisitResponse(
          url, through: [], last: .init(url: url, response: response),
          content: Array(Self.notice.utf8)))
      first.isRevisit = name == "a"
      #expect(detector.record(first) != nil)
    }
    #expect(detector.verdicts() == [.refused(.signInPage), .refused(.signInPage)])
  }
}
