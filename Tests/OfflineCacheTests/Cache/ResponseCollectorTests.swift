import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Collecting the events of a load")
struct ResponseCollectorTests {
  private static let response = LoadedResponse(
    response: ResponseHead(status: 200), source: .network)

  private static func url(_ path: String) throws -> WebURL {
    try #require(WebURL("http://a.test/\(path)"))
  }

  @Test func `redirects, response, content and end are collected`() throws {
    var collector = ResponseCollector()
    let urls = (try Self.url("a"), try Self.url("b"))
    var redirect = Self.response
    redirect.otherScheme = OtherScheme(url: urls.0, failure: nil)
    collector.receive(.redirected(from: urls.0, to: urls.1, redirect))
    #expect(collector.otherScheme?.url == urls.0)
    collector.receive(.response(Self.response, url: urls.1))
    collector.receive(.data([1, 2]))
    collector.receive(.data([3]))
    #expect(collector.result == nil)
    let stored = Sample.stored(id: "new")
    collector.receive(.finished(stored))
    collector.receive(.checked(.init(date: Sample.now, result: .unchanged)))
    #expect(collector.redirects.map(\.url) == [urls.0])
    #expect(collector.response == Self.response)
    #expect(collector.url == urls.1)
    #expect(collector.otherScheme == nil)
    #expect(collector.content == [1, 2, 3])
    #expect(collector.length == 3)
    #expect(collector.result == .success(stored))
    #expect(collector.stored == stored)
    collector.dropContent()
    #expect(collector.content == [] && collector.length == 3)
  }

  @Test func `the target of the last redirect or refresh is known before its response`() throws {
    var collector = ResponseCollector()
    let urls = (try Self.url("a"), try Self.url("b"), try Self.url("c"))
    #expect(collector.redirectTarget == nil)
    collector.receive(.redirected(from: urls.0, to: urls.1, Self.response))
    #expect(collector.redirectTarget == urls.1)
    collector.receive(.response(Self.response, url: urls.1))
    collector.continueRedirects(from: urls.1, to: urls.2, Self.response)
    #expect(collector.redirectTarget == urls.2 && collector.url == nil)
    #expect(collector.redirects.map(\.url) == [urls.0, urls.1])
  }

  @Test func `only a response of the server that was saved is reported as stored`() throws {
    let fields = FieldLines([
      .init("Cache-Status", "cdn; hit"), .init("Cache-Status", "own; fwd=miss"),
    ])
    let head = ResponseHead(status: 200, fields: fields)
    let saved = Sample.stored(id: "new")
    var responseWithStored = LoadedResponse(response: head, source: .network)
    responseWithStored.stored = saved
    let status = "cdn; hit, own; fwd=miss"
    let rows: [(LoadedResponse, StoredResponse?, String)] = [
      (LoadedResponse(response: head, source: .network), saved, status + "; stored"),
      (LoadedResponse(response: head, source: .network), nil, status),
      (LoadedResponse(response: head, source: .validated), saved, status),
      (responseWithStored, saved, status),
    ]
    for (response, saved, status) in rows {
      var collector = ResponseCollector()
      collector.receive(.response(response, url: try Self.url("a")))
      #expect(collector.response?.response.fields["Cache-Status"] == "cdn; hit, own; fwd=miss")
      for _ in 0..<2 { collector.receive(.finished(saved)) }
      #expect(collector.response?.response.fields["Cache-Status"] == status)
    }
  }

  @Test(arguments: [(0, 0), (1, 0), (2, 2), (4, 2), (5, 5), (100, 5)] as [(Int64, Int)])
  func `content ends before the piece that exceeds the limit`(
    _ limit: Int64, _ count: Int
  ) throws {
    var collector = ResponseCollector(maxLength: limit)
    collector.receive(.response(Self.response, url: try Self.url("a")))
    collector.receive(.data([1, 2]))
    collector.receive(.data([3, 4, 5]))
    #expect(collector.content.count == count)
    #expect(collector.length == 5)
    #expect(collector.isTooLong == (limit < 5))
  }

  @Test func `a later response replaces an earlier one, and a failure is the end`() throws {
    var collector = ResponseCollector(maxLength: 3)
    collector.receive(.response(Self.response, url: try Self.url("a")))
    collector.receive(.data([1, 2, 3, 4]))
    #expect(collector.isTooLong)
    var other = Self.response
    other.stored = Sample.stored(id: "copy")
    collector.receive(.response(other, url: try Self.url("b")))
    #expect(!collector.isTooLong && collector.content == [])
    #expect(collector.stored == other.stored)
    collector.receive(.failed(.notSaved))
    #expect(collector.result == .failure(.notSaved))
  }
}
