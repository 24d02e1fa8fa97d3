import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Files as the content of requests")
final class RequestFileTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)
  private let transport = CurlTransport()

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    transport.close()
    try? FileManager.default.removeItem(at: directory)
  }

  private func file(_ bytes: [UInt8]) throws -> URL {
    let file = directory.appendingPathComponent("upload")
    try Data(bytes).write(to: file)
    return file
  }

  private func request(_ url: String, _ file: URL, method: String = "PUT") -> WebRequest {
    var request = WebRequest(method: method, url: url)
    request.bodyFile = file
    return request
  }

  private func kind(_ file: URL) -> FailureKind? {
    do throws(TransportFailure) {
      _ = try RequestFile(file)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test(arguments: [0, 1, 3 << 20])
  func `the whole file is sent, instead of the content in memory`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try ScriptedServer()
    server.on("/form", .response(text: "received"))
    var request = request(server.url + "/form", try file(bytes))
    request.body = Array("in memory".utf8)
    #expect(transport.exchange(request).text == "received")
    let sent = try #require(server.requests.first)
    #expect(sent.method == "PUT" && sent.body == bytes)
    #expect(sent["Content-Length"] == "\(count)" && sent["Transfer-Encoding"] == nil)
  }

  @Test func `a missing file, a directory or a pipe fails before anything is sent`() throws {
    let server = try ScriptedServer()
    let pipe = directory.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    for file in [directory, pipe, directory.appendingPathComponent("missing")] {
      let result = transport.exchange(request(server.url, file))
      #expect(result.failure?.kind == .unreadableUpload, "\(file.path)")
      #expect(result.failure?.message.contains(file.path) == true)
    }
    let path = try file([1]).path
    let remote = try #require(URL(string: "https://h.example\(path)"))
    #expect(transport.exchange(request(server.url, remote)).failure?.kind == .unreadableUpload)
    #expect(server.requests.isEmpty)
  }

  @Test func `a file that becomes shorter while it is sent is an error, a longer one is not`()
    throws
  {
    let url = try file(Array("0123456789".utf8))
    let file = try RequestFile(url)
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(buffer.withUnsafeMutableBytes { file.read(into: $0) } == .bytes(4))
    #expect(buffer == Array("0123".utf8))
    try Data("0123456789 and more".utf8).write(to: url, options: [])
    var remainingBytes = [UInt8](repeating: 0, count: 100)
    #expect(remainingBytes.withUnsafeMutableBytes { file.read(into: $0) } == .bytes(6))
    #expect(remainingBytes.withUnsafeMutableBytes { file.read(into: $0) } == .bytes(0))
    #expect(file.seek(to: 2) && !file.seek(to: 11) && !file.seek(to: -1))
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 1)
    #expect(remainingBytes.withUnsafeMutableBytes { file.read(into: $0) } == .failed)
    #expect(file.failure?.kind == .unreadableUpload)
    #expect(kind(url) == nil && kind(directory) == .unreadableUpload)
  }

  @Test func `the file is sent again after 307, and not after 303`() async throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(307, to: "/b"))
    server.on("/b", .redirect(303, to: "/c"))
    server.on("/c", .response(text: "done"))
    let fixture = CacheFixture()
    let request = request(server.url + "/a", try file(Array("words".utf8)), method: "POST")
    #expect(try await fixture.cache.data(for: request).bytes == Array("done".utf8))
    #expect(server.requests.map(\.method) == ["POST", "POST", "GET"])
    #expect(
      server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["words", "words", ""])
  }

  @Test
  func `requests with a file are never answered from the cache, and not sent from https to http`()
    throws
  {
    let url = try file([1])
    #expect(TargetOverride.isPresent(in: request("http://h/", url, method: "GET")))
    let redirect = ResponseHead(
      status: 307, fields: FieldLines([.init("Location", "http://h.example/")]))
    let secure = try #require(WebURL("https://h.example/"))
    #expect(throws: LoadError.forbiddenRedirect(location: "http://h.example/")) {
      try Redirection.request(
        after: redirect, to: request("https://h.example/", url), at: secure)
    }
  }

  @Test func `a digest of the content is not sent for a file`() throws {
    let fields = FieldLines([
      .init("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth-int""#)
    ])
    let challenge = try #require(Challenge.all(in: fields).first)
    let response = DigestResponse(
      challenge: challenge, credentials: Credentials(user: "u", password: "p"), nonceCount: 1,
      clientNonce: "c")
    #expect(response.authorization(method: "PUT", target: "/", body: nil) == nil)
    #expect(response.authorization(method: "PUT", target: "/", body: []) != nil)
  }

  @Test func `the time limit for the response begins after the last piece of content`() {
    var limits = TransportLimits()
    limits.firstByte = 30
    var clock = TransferClock(limits: limits, start: 0)
    clock.didSend(at: 1)
    #expect(clock.deadline == 31)
    clock.didSendContent(at: 25)
    #expect(clock.deadline == 55)
    clock.didReceive(at: 30)
    clock.didSendContent(at: 40)
    #expect(clock.deadline == 40 + limits.stall)
  }
}
