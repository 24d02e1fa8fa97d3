import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

/// The table of failure kinds, with an example of each that is produced where the kind is detected.
@Suite struct FailureKindTests {
  /// The kind that no process with libcurl can produce; the test of the program without it does.
  private static let ofProgram: Set<FailureKind> = [.noTransport]

  @Test(arguments: FailureKind.allCases.filter { !ofProgram.contains($0) })
  func `each failure kind is produced, and stored in the format of version 1.0.0`(
    _ kind: FailureKind
  ) async throws {
    let failure = try await Self.example(of: kind)
    #expect(failure.kind == kind, "\(failure)")
    let text = StoredResponse.Check.Result.failed(failure).text
    let name = String(text.split(separator: " ")[1])
    let isOfVersion1 = Self.namesOfVersion1.contains(kind.rawValue)
    #expect(Self.namesOfVersion1.contains(name) || Self.isNeverStored(kind), "\(text)")
    #expect(!isOfVersion1 || name == kind.rawValue)
    #expect(text == "failed \(name)" + (failure.message.isEmpty ? "" : " \(failure.message)"))
    guard case .failed(let parsedFailure)? = StoredResponse.Check.Result(text: text) else {
      Issue.record("not read: \(text)")
      return
    }
    #expect(parsedFailure.kind == kind && parsedFailure.message == failure.message)
  }

  @Test(
    arguments: [
      ("failed other the database is locked", FailureKind.other),
      ("failed other", .other), ("failed quantum-noise why", .other),
      (
        "failed other the proxy localhost:3128 asks for a user name and a password, which belong in "
          + "its address",
        .proxyAuthenticationRequired
      ),
      (
        "failed other the proxy asks for a user name and a password, which belong in its address",
        .proxyAuthenticationRequired
      ),
      (
        "failed other the proxy [::1]:1 is not found: check the spelling of its address, or the "
          + "network",
        .proxyNotFound
      ),
      ("failed other the proxy a:1 cannot reach the server (502)", .proxyUnconnected),
      ("failed host-unreachable the proxy a:1 cannot be reached", .proxyUnreachable),
      ("failed host-unreachable no route to host", .hostUnreachable),
      ("failed other the proxy a:1 refused (403)", .proxyRefused),
      ("failed other the proxy a:1 does not answer as a SOCKS proxy does", .proxyFailed),
      ("failed other the proxy a:1 failed", .proxyFailed),
      ("failed other the address of the proxy a:1 cannot be used", .badProxyURL),
      ("failed other the client certificate cannot be used: no key", .badClientCertificate),
      ("failed other the file of trusted certificates cannot be used: x", .badAuthorities),
      ("failed other libcurl cannot be used; is libcurl.so.4 installed?", .noTransport),
      (
        "failed other a page of the public network leads to an address of this machine or its own "
          + "network",
        .privateAddress
      ),
      (
        "failed other port 25 is not one of the web; an address that a page names is not asked there",
        .blockedPort
      ),
      ("failed other \(TransportFailure.privateAddress.message)", .privateAddress),
      ("failed other \(TransportFailure.blockedPort(25).message)", .blockedPort),
      ("failed bad-redirect redirected in a circle", .redirectLoop),
      ("failed bad-redirect redirected more than 20 times", .tooManyRedirects),
      ("failed bad-redirect redirected to what is not on the web", .forbiddenRedirect),
      ("failed bad-redirect redirected to no page", .badRedirect),
      ("failed bad-redirect", .badRedirect),
      ("failed timed-out no data arrived for 10 s", .timedOut),
      ("failed malformed its content cannot be decoded as br", .undecodable),
      ("failed malformed the proxy a:1 refused (403)", .malformed),
    ] as [(String, FailureKind)])
  func `failures stored by older versions are read as the corresponding kind`(
    _ text: String, _ kind: FailureKind
  ) throws {
    let result = try #require(StoredResponse.Check.Result(text: text))
    guard case .failed(let failure) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.kind == kind)
    // An unknown name cannot be written back.
    #expect(result.text == text || text.hasPrefix("failed quantum-noise"))
  }

  @Test func `only the kind noNetwork proves that there is no network`() {
    let proofs = FailureKind.allCases.filter { $0.facts.reach == .noNetwork }
    #expect(proofs == [.noNetwork])
    for kind in FailureKind.allCases {
      #expect((kind.facts.detail == .offline) == (kind == .noNetwork))
      #expect(!kind.facts.isUnconnected || kind.facts.isTransient, "\(kind)")
      #expect(!kind.facts.isUnconnected || kind.facts.precedesRequest, "\(kind)")
    }
  }

  @Test func `the cause of a failure is not both temporary and permanent`() {
    for kind in FailureKind.allCases {
      #expect(!kind.facts.isTransient || !kind.facts.isLasting, "\(kind)")
    }
  }

  @Test func `failures of the proxy or of the settings do not put a host into backoff`() {
    for kind in FailureKind.allCases {
      var backoff = OriginBackoff()
      backoff.record(TransportFailure(kind), of: "http://a.test", now: Date())
      let isBlocked = backoff.failure(of: "http://a.test", now: Date()) != nil
      #expect(isBlocked == kind.facts.isUnconnected, "\(kind)")
      if kind.facts.reach == .nowhere { #expect(backoff.isEmpty, "\(kind)") }
    }
  }

  // MARK: What version 1.0.0 knows

  /// The names of the kinds that version 1.0.0 reads.
  private static let namesOfVersion1: Set<String> = [
    "no-network", "host-not-found", "connection-refused", "host-unreachable", "connect-timed-out",
    "timed-out", "not-trusted", "certificate-required", "no-secure-connection", "incomplete",
    "malformed", "too-large", "bad-redirect", "bad-url", "cancelled", "other",
  ]

  /// Whether a load ends with the kind before there could be a check.
  private static func isNeverStored(_ kind: FailureKind) -> Bool {
    [
      .unreadableUpload, .unrepeatableUpload, .unsupportedTask, .noCache, .closed, .notSaved,
      .unreadableCopy, .noBuiltInPage,
    ]
    .contains(kind)
  }
}
