import Foundation
import TestFiles
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// The stored form of rejection reasons.
@Suite struct StoredReasonTests {
  @Test func `the stored values are known to version 1.0.0`() {
    // Version 1.0.0 treats any other value as trusted.
    #expect(
      RejectionReason.allCases.map(\.rawValue) == [
        "sign-in-page", "foreign-redirect", "moved-away", "front-page", "login-wall",
        "consent-page", "repeated-answer", "nearly-empty", "cut-off", "error-page", "other-kind",
        "unknown-coding",
      ])
  }

  @Test func `a reason known only to a later version still marks the response as rejected`() throws
  {
    var record = WARCRecord(
      .response, date: Sample.now, targetURI: "http://h.example/",
      contentType: "application/http;msgtype=response")
    func rejectionReason() -> RejectionReason? {
      let event = ArchiveEvent(
        record, response: ResponseHead(status: 200),
        payload: ArchiveEvent.Payload(digest: "sha256:A", length: 1), segment: "x.warc",
        position: WARCPosition(offset: 0, memberOffset: 0), size: 1)
      guard case .version(let version)? = event else { return nil }
      return version.stored.rejectionReason
    }
    #expect(rejectionReason() == nil)
    record.fields.append("Offread-Suspicion", "quantum-portal")
    #expect(rejectionReason() == .otherKind)
    #expect(
      StoredResponse.Check.Result(text: "suspect quantum-portal") == .suspect(.otherKind))
  }
}
