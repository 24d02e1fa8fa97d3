import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Streams as the content of requests")
final class BodyStreamTests {
  private static let content = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  private let transport = CurlTransport()

  deinit { transport.close() }

  /// Returns content in pieces of 100,000 bytes.
  private static func pieces(_ content: [UInt8]) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: content.count, by: 100_000) {
        continuation.yield(Array(content[start..<min(content.count, start + 100_000)]))
      }
      continuation.finish()
    }
  }

  private static func words(_ text: String) -> AsyncStream<[UInt8]> { pieces(Array(text.utf8)) }

  private func request(
    _ url: String, method: String = "PUT", _ stream: BodyStream
  ) -> WebRequest {
    var request = WebRequest(method: method, url: url)
    request.body = Array("in memory".utf8)
    request.bodyStream = stream
    return request
  }

  private struct Broken: Error {}

  // MARK: Sending

  @Test(arguments: [0, 1, content.count], [true, false])
  func `the whole stream is sent, with its length or in chunks`(
    _ count: Int, _ hasLength: Bool
  ) throws {
    let server = try ScriptedServer()
    server.on("/form", .response(text: "received"))
    let content = Array(Self.content.prefix(count))
    let stream = BodyStream(Self.pieces(content), length: hasLength ? Int64(count) : nil)
    let result = transport.exchange(request(server.url + "/form", stream))
    #expect(result.text == "received")
    let sent = try #require(server.requests.first)
    #expect(sent.method == "PUT" && sent.body == content)
    #expect(sent["Content-Length"] == (hasLength ? "\(count)" : nil))
    #expect(sent["Transfer-Encoding"] == (hasLength ? nil : "chunked"))
  }

  @Test func `a stream of Data and an InputStream are sent`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "received") }
    let content = Self.content
    let data = AsyncStream { continuation in
      continuation.yield(Data(content))
      continuation.finish()
    }
    let streams = [
      BodyStream(data), BodyStream(InputStream(data: Data(content))),
      BodyStream { InputStream(data: Data(content)) },
    ]
    for stream in streams {
      #expect(transport.exchange(request(server.url, stream)).text == "received")
    }
    #expect(server.requests.map(\.body) == [content, content, content])
  }

  @Test func `content that is shorter than declared fails the load, and a surplus is not sent`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "received") }
    let short = BodyStream(Self.words("12345"), length: 8)
    let failure = transport.exchange(request(server.url, short)).failure
    #expect(failure?.kind == .unreadableUpload)
    #expect(failure?.message.contains("3 bytes shorter") == true)
    let long = BodyStream(Self.words("12345"), length: 2)
    #expect(transport.exchange(request(server.url, long)).text == "received")
    #expect(server.requests.map(\.body) == [Array("12".utf8)])
  }

  @Test func `a negative length is unknown`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "received") }
    let stream = BodyStream(Self.words("12345"), length: -1)
    #expect(stream.length == nil)
    #expect(transport.exchange(request(server.url, stream)).text == "received")
    #expect(server.requests.map(\.body) == [Array("12345".utf8)])
  }

  @Test func `an error of the stream fails the load, and the server gets no complete request`()
    throws
  {
    let server = try ScriptedServer()
    let broken = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield([1, 2, 3])
      continuation.finish(throwing: Broken())
    }
    let missing = BodyStream {
      try #require(InputStream(url: URL(fileURLWithPath: "/nonexistent/form")))
    }
    for stream in [BodyStream(broken), missing] {
      let failure = transport.exchange(request(server.url, stream)).failure
      #expect(failure?.kind == .unreadableUpload)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a response that precedes the end of the stream is delivered`() throws {
    let server = try ScriptedServer()
    let gate = Gate()
    server.onHead(
      of: "/form",
      ServerScript(
        ServerScript.response(status: 413, text: "too long").steps + [.wait(gate)]))
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    continuation.yield([1])
    let result = transport.exchange(request(server.url + "/form", BodyStream(pieces)))
    #expect(result.response?.status == 413 && result.text == "too long" && result.isFinished)
    continuation.finish()
    gate.open()
  }

  /// A sequence without elements that opens a gate when the first one is awaited.
  private struct AwaitedPieces: AsyncSequence {
    let pieces: AsyncStream<[UInt8]>
    let begun: Gate

    struct Iterator: AsyncIteratorProtocol {
      var pieces: AsyncStream<[UInt8]>.Iterator
      let begun: Gate

      mutating func next() async -> [UInt8]? {
        begun.open()
        return await pieces.next()
      }
    }

    func makeAsyncIterator() -> Iterator {
      Iterator(pieces: pieces.makeAsyncIterator(), begun: begun)
    }
  }

  @Test func `the stream is no longer read after a load is cancelled`() throws {
    let server = try ScriptedServer()
    let (begun, ended) = (Gate(), Gate())
    let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    continuation.onTermination = { _ in ended.open() }
    let stream = BodyStream(AwaitedPieces(pieces: pieces, begun: begun))
    let record = TransportRecord()
    let exchange = transport.send(
      request(server.url, stream), limits: TransportLimits(), receive: record.receive)
    begun.wait()
    exchange.cancel()
    #expect(record.wait().failure?.kind == .cancelled)
    ended.wait()
    #expect(server.requests.isEmpty)
  }

  // MARK: Memory

  /// A sequence that counts the bytes that were requested from it.
  private struct CountedPieces: AsyncSequence {
    let count: Int
    let pieceLength: Int
    let produced: Counter

    final class Counter: Sendable {
      let value = Atomic(0)
    }

    struct Iterator: AsyncIteratorProtocol {
      let pieces: CountedPieces

      mutating func next() async -> [UInt8]? {
        guard pieces.produced.value.load(ordering: .relaxed) < pieces.count else { return nil }
        pieces.produced.value.add(pieces.pieceLength, ordering: .relaxed)
        return [UInt8](repeating: 7, count: pieces.pieceLength)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }
  }

  @Test(arguments: [1000, 300_000])
  func `the stream waits while 256 KB and a piece are not sent yet`(_ pieceLength: Int) throws {
    let pieces = CountedPieces(
      count: 40 * 300_000, pieceLength: pieceLength, produced: CountedPieces.Counter())
    let isReadable = DispatchSemaphore(value: 0)
    let content = try StreamedContent(BodyStream(pieces)) { isReadable.signal() }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    var count = 0
    while true {
      let produced = pieces.produced.value.load(ordering: .relaxed)
      #expect(produced - count <= UploadBuffer.size + (1 << 16) + pieceLength)
      let result = buffer.withUnsafeMutableBytes { content.read(into: $0) }
      if result == .bytes(0) { break }
      switch result {
      case .bytes(let read): count += read
      case .pending: isReadable.wait()
      case .failed: throw Broken()
      }
    }
    #expect(count == pieces.count)
  }

  // MARK: Sending again

  @Test(arguments: [307, 308])
  func `a stream that can be repeated is sent again after a redirect, and not after 303`(
    _ status: Int
  ) async throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(status, to: "/b"))
    server.on("/b", .redirect(303, to: "/c"))
    server.on("/c", .response(text: "done"))
    let fixture = CacheFixture()
    let stream = BodyStream { Self.words("words") }
    let request = request(server.url + "/a", method: "POST", stream)
    #expect(try await fixture.cache.data(for: request).bytes == Array("done".utf8))
    #expect(server.requests.map(\.method) == ["POST", "POST", "GET"])
    #expect(
      server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["words", "words", ""])
  }

  @Test func `a redirect fails the load if the stream cannot be repeated`() async throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(307, to: "/b"))
    let fixture = CacheFixture()
    let request = request(server.url + "/a", method: "POST", BodyStream(Self.words("words")))
    let error = await #expect(throws: LoadError.self) {
      try await fixture.cache.data(for: request)
    }
    #expect(error?.failure.kind == .unrepeatableUpload)
    #expect(server.requests.map(\.target) == ["/a"])
  }

  @Test func `a stream is sent with the credentials after a challenge, if it can be repeated`()
    async throws
  {
    let server = try ScriptedServer()
    let challenge = ("WWW-Authenticate", #"Basic realm="r""#)
    server.onOthers { request in
      request["Authorization"] == nil
        ? .response(status: 401, [challenge], text: "who?") : .response(text: "done")
    }
    let url = try #require(WebURL(server.url + "/form"))
    let fixture = CacheFixture()
    fixture.cache.signIn(Credentials(user: "u", password: "p"), at: url)
    let once = request(url.description, BodyStream(Self.words("once")))
    let error = await #expect(throws: LoadError.self) { try await fixture.cache.data(for: once) }
    #expect(error?.failure.kind == .unrepeatableUpload)
    // The challenge is known now, so that the content is sent once.
    let next = request(url.description, BodyStream(Self.words("next")))
    #expect(try await fixture.cache.data(for: next).bytes == Array("done".utf8))
    let other = CacheFixture()
    other.cache.signIn(Credentials(user: "u", password: "p"), at: url)
    let repeated = request(url.description, BodyStream { Self.words("repeated") })
    #expect(try await other.cache.data(for: repeated).bytes == Array("done".utf8))
    #expect(
      server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        == ["once", "next", "repeated", "repeated"])
  }

  @Test func `a stream is read from its beginning if libcurl sends the request again`() throws {
    let isReadable = DispatchSemaphore(value: 0)
    func read(_ content: StreamedContent) -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 3)
      while true {
        switch buffer.withUnsafeMutableBytes({ content.read(into: $0) }) {
        case .bytes(let count): return Array(buffer[..<count])
        case .pending: isReadable.wait()
        case .failed: return []
        }
      }
    }
    let stream = BodyStream { Self.words("12345") }
    let content = try StreamedContent(stream) { isReadable.signal() }
    #expect(content.seek(to: 0) && read(content) == Array("123".utf8))
    #expect(!content.seek(to: 1) && content.seek(to: 0) && content.failure == nil)
    #expect(read(content) == Array("123".utf8) && read(content) == Array("45".utf8))
    let once = try StreamedContent(BodyStream(Self.words("12345"))) { isReadable.signal() }
    #expect(read(once) == Array("123".utf8) && !once.seek(to: 0))
    #expect(once.failure?.kind == .unrepeatableUpload)
  }

  // MARK: Requests

  @Test func `streams are equal if they are identical`() {
    let stream = BodyStream(Self.words("a"))
    let other = BodyStream(Self.words("a"))
    #expect(stream == stream && stream != other)
    #expect(request("http://h/", stream) == request("http://h/", stream))
    #expect(request("http://h/", stream) != request("http://h/", other))
    #expect(TargetOverride.isPresent(in: request("http://h/", method: "GET", stream)))
  }

  @Test func `a stream that can be read once is exhausted by reading it`() async throws {
    let once = BodyStream(Self.words("a"))
    #expect(!once.isRepeatable && !once.isExhausted)
    for try await _ in once {}
    #expect(once.isExhausted)
    await #expect(throws: UnrepeatableBodyError()) { for try await _ in once {} }
    let repeatable = BodyStream { Self.words("a") }
    for _ in 0..<2 {
      var text: [UInt8] = []
      for try await piece in repeatable { text += piece }
      #expect(text == Array("a".utf8))
    }
    #expect(!repeatable.isExhausted)
  }

  @Test func `no time limit runs while a stream has no content, until the response begins`() {
    var limits = TransportLimits()
    limits.firstByte = 30
    limits.total = 100
    var clock = TransferClock(limits: limits, start: 0)
    clock.didSend(at: 1)
    clock.setUploadPaused(true, at: 10)
    #expect(clock.deadline == .infinity)
    clock.setUploadPaused(false, at: 60)
    #expect(clock.deadline == 90)
    clock.didSendContent(at: 135)
    #expect(clock.deadline == 150)
    clock.setUploadPaused(true, at: 140)
    clock.didReceive(at: 141)
    #expect(clock.deadline == 151)
    clock.setUploadPaused(true, at: 142)
    #expect(clock.deadline == 151)
  }
}
