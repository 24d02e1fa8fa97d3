import Foundation
import OfflineCache
import Pages
import Reader
import Testing

@Suite struct ProvenanceTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)
  private let then = Date(timeIntervalSince1970: 1_793_000_000)

  private func stored(_ check: StoredResponse.Check?) -> StoredResponse {
    StoredResponse(
      id: "1", key: "https://a.example/", response: ResponseHead(status: 200), requestTime: then,
      responseTime: then, contentDate: then, lastCheck: check)
  }

  @Test(
    arguments: [
      (CopyReason.failure(TransportFailure(.noNetwork)), "no network"),
      (.failure(TransportFailure(.hostNotFound)), "host not found"),
      (.failure(TransportFailure(.connectionRefused)), "connection refused"),
      (.failure(TransportFailure(.hostUnreachable)), "host unreachable"),
      (.failure(TransportFailure(.timedOut)), "timed out"),
      (.failure(TransportFailure(.notTrusted)), "certificate not trusted"),
      (.failure(TransportFailure(.incomplete)), "answer incomplete"),
      (.status(503), "server error 503"),
      (.status(404), "page gone (404)"),
      (.status(410), "page gone (410)"),
      (.status(403), "refused (403)"),
      (.status(206), "answer incomplete"),
      (.status(304), "answer not readable"),
      (.status(302), "redirected nowhere"),
      (.status(511), "sign-in page of this network"),
      (.suspect(.signInPage), "sign-in page of this network"),
      (.suspect(.foreignRedirect), "sign-in page of this network"),
      (.suspect(.nearlyEmpty), "answer nearly empty"),
      (.suspect(.cutOff), "answer incomplete"), (.suspect(.frontPage), "front page of the site"),
      (.suspect(.unknownCoding), "answer not readable"),
      (.status(401), "refused (401)"),
      (.offlineMode, "offline mode"),
      (.waiting, "waiting for the network"),
    ] as [(CopyReason, String)])
  func `every reason of the cache has a text in the banner`(
    _ reason: CopyReason, _ text: String
  ) {
    let response = LoadedResponse(
      response: ResponseHead(status: 200), source: .saved(reason), stored: stored(nil),
      olderVersions: 3)
    let provenance = Provenance(response, now: now)
    guard case .saved(let reason) = provenance.source else {
      Issue.record("not a saved copy")
      return
    }
    #expect(reason.text == text)
    #expect(provenance.contentDate == then && provenance.olderVersions == 3)
  }

  @Test(
    arguments: [
      (["864000"], 0.0, -864_000.0), (["0"], 0, 0), (["x"], 0, 0), ([], 0, 0),
      // A validation a day later, by a cache that has had the response for an hour, or for two
      // days.
      (["3600"], 86_400, 0), (["172800"], 86_400, -86_400),
    ] as [([String], Double, Double)])
  func `the date of a response accounts for its Age`(
    _ ages: [String], _ validated: Double, _ difference: Double
  ) {
    var stored = stored(nil)
    for age in ages { stored.response.fields.append("Age", age) }
    stored.responseTime = then.addingTimeInterval(validated)
    stored.requestTime = stored.responseTime
    let response = LoadedResponse(
      response: stored.response, source: .saved(.offlineMode), stored: stored, olderVersions: 0)
    #expect(
      Provenance(response, now: now).contentDate == then.addingTimeInterval(difference))
    #expect(stored.contentDate == then)
  }

  @Test func `a failed check never changes the date of the content`() {
    let check = StoredResponse.Check(
      date: now, result: .failed(TransportFailure(.connectionRefused)))
    let response = LoadedResponse(
      response: ResponseHead(status: 200),
      source: .saved(.failure(TransportFailure(.connectionRefused))), stored: stored(check))
    let provenance = Provenance(response, now: now)
    #expect(provenance.contentDate == then)
    #expect(provenance.lastCheck == .init(date: now, failure: .failure(.connectionRefused)))
  }

  @Test func `confirmed content keeps its date`() {
    let check = StoredResponse.Check(date: now, result: .unchanged)
    let response = LoadedResponse(
      response: ResponseHead(status: 200), source: .validated, stored: stored(check))
    let provenance = Provenance(response, now: now)
    #expect(provenance.source == .network && provenance.contentDate == then)
    #expect(provenance.lastCheck == .init(date: now))
  }

  @Test func `built-in pages have no date`() {
    let response = LoadedResponse(response: ResponseHead(status: 200), source: .seed)
    #expect(Provenance(response, now: now) == Provenance(source: .builtIn))
  }
}
