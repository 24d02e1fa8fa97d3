import OfflineCache
import Testing
import WARC

/// Values of public enumerations have texts for logs and messages.
@Suite("Descriptions of public enumerations")
struct DescriptionTests {
  @Test func `values have the name that settings, headers and records use`() {
    #expect(LoadMode.allCases.allSatisfy { "\($0)" == $0.rawValue })
    #expect(FailureKind.allCases.allSatisfy { "\($0)" == $0.rawValue })
    #expect(RejectionReason.allCases.allSatisfy { "\($0)" == $0.rawValue })
    #expect(WARCRecord.Kind.allCases.allSatisfy { "\($0)" == $0.rawValue })
    #expect(WARCDigest.Algorithm.allCases.allSatisfy { "\($0)" == $0.rawValue })
    #expect("\(CopySelection.previous) \(CopySelection.id("a1"))" == "previous a1")
    #expect("\(WARCWriter.Compression.gzip(level: 6))" == "gzip, level 6")
    #expect("\(Challenge.Scheme.basic) \(Identity.Cookies.none)" == "basic none")
  }

  @Test func `sources and events are phrases without content`() throws {
    #expect("\(LoadedResponse.Source.saved(.status(503)))" == "saved(status 503)")
    #expect("\(LoadedResponse.Source.saved(.offlineMode))" == "saved(offline mode)")
    #expect("\(CacheEvent.data([1, 2, 3]))" == "3 bytes")
    #expect("\(NavigationEvent.finished(nil))" == "finished")
    #expect("\(TransportEvent.response(ResponseHead(status: 404)))" == "response 404")
    #expect("\(StoredResponse.Check.Result.status(500))" == "status 500")
    let reader = WARCReader(bytes: Array("no record".utf8))
    let entry = try #require(try reader.next())
    #expect("\(entry)".hasPrefix("damage at byte 0: "))
  }
}
