import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Certificates of servers and clients, with a real TLS server.
@Suite("TLS") struct TLSTests {
  private static func exchange(
    _ server: TLSServer, _ configure: (inout Identity) -> Void = { _ in }
  ) -> TransportRecord.Result {
    var identity = Identity()
    configure(&identity)
    let transport = CurlTransport(identity)
    defer { transport.close() }
    return transport.exchange(WebRequest(url: server.url + "/"))
  }

  @Test func `an unknown authority is not trusted, and a configured one is`() throws {
    let server = try TLSServer()
    let unknown = Self.exchange(server).failure
    #expect(unknown?.kind == .notTrusted && unknown?.subject == "its issuer is unknown")
    let exchangeWithAuthority = Self.exchange(server) { $0.authorities = server.authority }
    #expect(exchangeWithAuthority.response?.status == 200 && exchangeWithAuthority.failure == nil)
    let missing = Self.exchange(server) { $0.authorities = "/nonexistent" }
    #expect(missing.failure?.kind == .badAuthorities)
    #expect(missing.failure?.message.contains("trusted certificates cannot be used") == true)
  }

  @Test func `a certificate for another host is not trusted`() throws {
    var manner = TLSServer.Manner()
    manner.name = "DNS:other.test"
    let server = try TLSServer(manner)
    let response = Self.exchange(server) { $0.authorities = server.authority }
    #expect(response.failure?.kind == .notTrusted)
    #expect(response.failure?.subject == "it is for another host")
  }

  @Test(
    arguments: [
      ("SSL certificate problem: certificate has expired", "it has expired"),
      ("server certificate expiration date has passed.", "it has expired"),
      ("SSL certificate problem: certificate is not yet valid", "it is not valid yet"),
      ("server certificate not activated yet.", "it is not valid yet"),
      ("SSL certificate problem: self-signed certificate", "it is self-signed"),
      ("SSL certificate problem: self signed certificate", "it is self-signed"),
      (
        "SSL certificate problem: self-signed certificate in certificate chain",
        "its issuer is unknown"
      ),
      ("SSL: certificate subject name 'a' does not match 'b'", "it is for another host"),
      ("SSL certificate problem: certificate revoked", "it was revoked"),
      ("server certificate verification failed.", nil),
    ] as [(String, String?)])
  func `the fault of a certificate is recognized in messages of both libraries`(
    _ message: String, _ fault: String?
  ) {
    #expect(CertificateFault.text(in: message) == fault)
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-server\r\n", ""])
  func `a port without TLS is reported`(_ reply: String) throws {
    // The server at the port is behind a proxy.
    let proxy = try ScriptedServer()
    proxy.onOthers { _ in
      ServerScript([.send(Array(("HTTP/1.1 200 OK\r\n\r\n" + reply).utf8)), .close])
    }
    let transport = CurlTransport()
    defer { transport.close() }
    var request = WebRequest(url: "https://site.test/")
    request.proxy = "http://127.0.0.1:\(proxy.port)"
    let failure = try #require(transport.exchange(request).failure)
    #expect(failure.isWithoutTLS && failure.mayServePlainHTTP, "\(failure)")
  }

  @Test
  func `a server that rejects the handshake or has a bad certificate counts as supporting TLS`()
    throws
  {
    var manner = TLSServer.Manner()
    manner.options = ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
    let old = Self.exchange(try TLSServer(manner)).failure
    #expect(old?.kind == .noSecureConnection && old?.mayServePlainHTTP == false)
    #expect(Self.exchange(try TLSServer()).failure?.mayServePlainHTTP == false)
  }

  @Test func `TLS versions before 1.2 are not supported`() throws {
    var manner = TLSServer.Manner()
    manner.options = ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
    let server = try TLSServer(manner)
    let response = Self.exchange(server) { $0.authorities = server.authority }
    #expect(response.failure?.kind == .noSecureConnection)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a client certificate is sent to the configured hosts only`(_ version: String)
    throws
  {
    var manner = TLSServer.Manner()
    manner.demandsCertificate = true
    manner.options = [version]
    let server = try TLSServer(manner)
    func exchange(hosts: Set<String>, key: String? = nil) -> TransportRecord.Result {
      Self.exchange(server) {
        $0.authorities = server.authority
        $0.certificate = .init(
          file: server.client.certificate, key: key ?? server.client.key, hosts: hosts)
      }
    }
    let exchangeWithCertificate = exchange(hosts: ["127.0.0.1"])
    #expect(
      exchangeWithCertificate.response?.status == 200 && exchangeWithCertificate.failure == nil)
    let kind: TransportFailure.Kind =
      version == "-tls1_3" ? .certificateRequired : .noSecureConnection
    #expect(exchange(hosts: ["other.test"]).failure?.kind == kind)
    let broken = exchange(hosts: ["127.0.0.1"], key: "/nonexistent")
    #expect(broken.failure?.message.contains("client certificate cannot be used") == true)
  }

  @Test func `responses of a host with a client certificate are private to it`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    func fixture(_ certificate: String?) -> CacheFixture {
      CacheFixture(ScriptedTransport { _ in .response(200, [], "mine") }, in: directory) {
        $0.identity.certificate = certificate.map { .init(file: $0, hosts: ["site.test"]) }
      }
    }
    let owner = fixture("/me.pem")
    #expect(owner.load("https://site.test/").stored?.isPrivate == true)
    #expect(owner.load("https://other.test/").stored?.isPrivate == false)
    for other in ["/you.pem", nil] {
      let otherFixture = fixture(other)
      #expect(otherFixture.load("https://site.test/") { $0.mode = .cacheOnly }.error == .notSaved)
      #expect(otherFixture.load("https://other.test/") { $0.mode = .cacheOnly }.text == "mine")
    }
    #expect(owner.load("https://site.test/") { $0.mode = .cacheOnly }.text == "mine")
  }
}
