import Foundation
import OfflineCache
import Testing

@testable import Saving

/// The transfer of an enclosure as a state machine.
@Suite struct EnclosureMachineTests {
  private typealias Machine = EnclosureMachine

  private static let limit = Machine.Limit(maxSize: 1000, failure: .fileLimit)

  private static func machine(
    offset: Int64 = 0, validator: String? = nil, size: Int64? = nil
  ) -> Machine {
    Machine(offset: offset, validator: validator, size: size, limit: limit)
  }

  private static func response(
    _ status: Int, _ fields: [(String, String)] = []
  ) -> EnclosureResponse {
    let head = ResponseHead(
      status: status, fields: FieldLines(fields.map { FieldLines.Field($0.0, $0.1) }))
    return EnclosureResponse(head, now: Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test func `a whole file is received, and complete at its end`() {
    var machine = Self.machine()
    let response = Self.response(200, [("Content-Length", "12"), ("Content-Type", "audio/mpeg")])
    #expect(machine.handle(.response(response)) == [.begin(response)])
    #expect(machine.handle(.content(7)) == [.append])
    #expect(machine.handle(.content(5)) == [.append])
    #expect(machine.handle(.finished) == [.complete(size: 12)])
    #expect(machine.state == .ended(failure: nil) && machine.knownSize == 12)
    #expect(machine.handle(.content(1)) == [] && machine.handle(.failed(.cancelled)) == [])
  }

  @Test func `a file that ends early is continued later`() {
    var machine = Self.machine()
    _ = machine.handle(.response(Self.response(200, [("Content-Length", "12")])))
    _ = machine.handle(.content(7))
    #expect(machine.handle(.finished) == [.suspend])
    #expect(machine.state == .ended(failure: .incomplete))
  }

  @Test func `an empty file is not complete`() {
    var machine = Self.machine()
    _ = machine.handle(.response(Self.response(200)))
    #expect(machine.handle(.finished) == [.discard])
    #expect(machine.state == .ended(failure: .incomplete))
  }

  @Test(arguments: [true, false])
  func `a file is refused at its declared length, or when more than the limit arrives`(
    _ isDeclared: Bool
  ) {
    var machine = Self.machine()
    let fields = isDeclared ? [("Content-Length", "1001")] : []
    var actions = machine.handle(.response(Self.response(200, fields)))
    if !isDeclared {
      #expect(machine.handle(.content(1000)) == [.append])
      actions = machine.handle(.content(1))
    }
    #expect(actions == [.discard] && machine.knownSize == 1001)
    #expect(machine.state == .ended(failure: .fileLimit))
  }

  @Test func `a number of bytes that overflows is refused`() {
    var machine = Self.machine()
    _ = machine.handle(.response(Self.response(200)))
    _ = machine.handle(.content(9))
    #expect(machine.handle(.content(.max)) == [.discard])
    #expect(machine.state == .ended(failure: .fileLimit))
  }

  @Test func `the rest of a file continues it if the validator and the size are the same`() {
    var machine = Self.machine(offset: 7, validator: "\"a\"", size: 12)
    let part = Self.response(206, [("Content-Range", "bytes 7-11/12"), ("ETag", "\"a\"")])
    #expect(machine.handle(.response(part)) == [])
    #expect(machine.state == .receiving(length: 7, total: 12))
    #expect(machine.handle(.content(5)) == [.append])
    #expect(machine.handle(.finished) == [.complete(size: 12)])
  }

  @Test func `a range with the status of a whole file continues the file`() {
    var machine = Self.machine(offset: 7, validator: "\"a\"", size: 12)
    let fields = [("Content-Range", "bytes 7-11/12"), ("Content-Length", "5"), ("ETag", "\"a\"")]
    #expect(machine.handle(.response(Self.response(200, fields))) == [])
    #expect(machine.handle(.content(5)) == [.append])
    #expect(machine.handle(.finished) == [.complete(size: 12)])
    let whole = Self.response(200, [("Content-Range", "bytes 0-11/12")])
    #expect(whole.status == 200 && whole.part == nil)
  }

  @Test(
    arguments: [
      // Another file, from a server that ignores If-Range.
      (206, [("Content-Range", "bytes 7-11/12"), ("ETag", "\"b\"")]),
      (206, [("Content-Range", "bytes 7-11/12"), ("ETag", "W/\"a\"")]),
      (206, [("Content-Range", "bytes 7-12/13"), ("ETag", "\"a\"")]),
      // Another range, or an invalid one.
      (206, [("Content-Range", "bytes 0-11/12")]), (206, [("Content-Range", "bytes 8-11/12")]),
      (206, [("Content-Range", "bytes 7-12/12")]), (206, [("Content-Range", "7-11/12")]),
      (206, [("Content-Range", "bytes */12")]), (206, []),
      // The range or the URL is not valid any more.
      (416, [("Content-Range", "bytes */5")]), (416, []), (403, []), (404, []), (410, []),
    ] as [(Int, [(String, String)])])
  func `another response to a range starts the file again, once`(
    _ status: Int, _ fields: [(String, String)]
  ) {
    var machine = Self.machine(offset: 7, validator: "\"a\"", size: 12)
    #expect(machine.handle(.response(Self.response(status, fields))) == [.restart])
    #expect(machine.state == .requesting(offset: 0) && machine.knownSize == nil)
    let part = Self.response(206, [("Content-Range", "bytes 0-11/12")])
    #expect(machine.handle(.response(part)) == [.discard])
    #expect(machine.state == .ended(failure: .changed))
  }

  @Test func `a changed file is received from the start`() {
    var machine = Self.machine(offset: 7, validator: "\"a\"", size: 12)
    let response = Self.response(200, [("Content-Length", "9"), ("ETag", "\"b\"")])
    #expect(machine.handle(.response(response)) == [.begin(response)])
    #expect(machine.state == .receiving(length: 0, total: 9))
  }

  @Test func `a file whose last byte was received is complete`() {
    var machine = Self.machine(offset: 12, validator: "\"a\"", size: 12)
    let response = Self.response(416, [("Content-Range", "bytes */12")])
    #expect(machine.handle(.response(response)) == [.complete(size: 12)])
  }

  @Test(
    arguments: [
      (404, false), (403, false), (301, false), (206, false), (204, false), (429, true),
      (500, true),
      (503, true),
    ] as [(Int, Bool)])
  func `an error ends the transfer, and is lasting or not`(_ status: Int, _ isTransient: Bool) {
    var machine = Self.machine()
    let actions = machine.handle(.response(Self.response(status)))
    // A part that was not requested starts the file again.
    guard status != 206 else {
      #expect(actions == [.restart])
      return
    }
    #expect(actions == [isTransient ? .suspend : .discard])
    #expect(machine.state == .ended(failure: .status(status)))
    #expect(EnclosureFailure.status(status).isTransient == isTransient)
  }

  @Test(
    arguments: [
      ("text/html; charset=utf-8", "text/html"), ("image/png", "image/png"),
      ("application/json", "application/json"),
    ] as [(String, String)])
  func `a page instead of a file is refused`(_ field: String, _ type: String) {
    var machine = Self.machine()
    let response = Self.response(200, [("Content-Type", field), ("Content-Length", "5")])
    #expect(machine.handle(.response(response)) == [.discard])
    #expect(machine.state == .ended(failure: .unsupportedMediaType(type)))
  }

  @Test(arguments: [
    "audio/mpeg", "AUDIO/MPEG", "video/mp4", "application/ogg", "application/octet-stream",
    "binary/octet-stream", "application/force-download", "*/*", "garbage", "",
  ])
  func `audio, video and content of an unknown type are received`(_ type: String) {
    var machine = Self.machine()
    let response = Self.response(200, [("Content-Type", type)])
    #expect(machine.handle(.response(response)) == [.begin(response)])
  }

  @Test func `a page instead of the rest of a file keeps what was received`() {
    var machine = Self.machine(offset: 7, validator: "\"a\"", size: 12)
    let response = Self.response(200, [("Content-Type", "text/html"), ("Content-Length", "5")])
    #expect(machine.handle(.response(response)) == [.suspend])
    #expect(
      machine.state == .ended(failure: .unsupportedMediaType("text/html"))
        && machine.knownSize == 12)
  }

  @Test(arguments: [
    "audio/mpegurl", "audio/x-mpegurl", "audio/x-scpls", "video/vnd.mpegurl",
    "application/vnd.apple.mpegurl",
  ])
  func `a playlist is not a file`(_ type: String) {
    var machine = Self.machine()
    #expect(machine.handle(.response(Self.response(200, [("Content-Type", type)]))) == [.discard])
    #expect(machine.state == .ended(failure: .unsupportedMediaType(type)))
  }

  @Test func `a validator or type that is too long is not stored`() {
    let long = String(repeating: "x", count: 66_000)
    let response = Self.response(
      200, [("ETag", "\"\(long)\""), ("Content-Type", "audio/\(long)")])
    #expect(response.validator == nil && response.mediaType == nil)
    let short = Self.response(200, [("ETag", "\"\(long.prefix(1000))\"")])
    #expect(short.validator?.utf8.count == 1002)
    // The validator is compared, so that another file is detected.
    var machine = Self.machine(offset: 7, validator: "\"a\"", size: 12)
    let part = Self.response(
      206, [("Content-Range", "bytes 7-11/12"), ("ETag", "\"\(long)\"")])
    #expect(machine.handle(.response(part)) == [.restart])
  }

  @Test(
    arguments: [
      (FailureKind.timedOut, true), (.noSecureConnection, true), (.proxyFailed, true),
      (.malformed, true), (.noNetwork, true), (.badURL, false), (.privateAddress, false),
      (.redirectLoop, false),
    ] as [(FailureKind, Bool)])
  func `a failed connection is lasting or not`(_ kind: FailureKind, _ isTransient: Bool) {
    #expect(EnclosureFailure.transport(kind).isTransient == isTransient)
    #expect(!EnclosureFailure.incomplete.concernsServer && EnclosureFailure.incomplete.isTransient)
  }

  @Test func `a stopped transfer can be resumed`() {
    var machine = Self.machine()
    _ = machine.handle(.response(Self.response(200, [("ETag", "\"a\"")])))
    _ = machine.handle(.content(7))
    #expect(machine.handle(.failed(.cancelled)) == [.suspend])
    #expect(EnclosureFailure.cancelled.isTransient)
  }

  @Test(
    arguments: [
      ([("ETag", "\"a\"")], "\"a\""), ([("ETag", "W/\"a\"")], nil), ([("ETag", "a")], nil),
      ([("ETag", "\"")], nil),
      (
        [
          ("Last-Modified", "Sat, 21 Nov 2026 10:15:30 GMT"),
          ("Date", "Sat, 21 Nov 2026 10:15:31 GMT"),
        ], "Sat, 21 Nov 2026 10:15:30 GMT"
      ),
      (
        [
          ("Last-Modified", "Sat, 21 Nov 2026 10:15:30 GMT"),
          ("Date", "Sat, 21 Nov 2026 10:15:30 GMT"),
        ], nil
      ),
      ([("Last-Modified", "Sat, 21 Nov 2026 10:15:30 GMT")], nil),
      ([("Last-Modified", "yesterday"), ("Date", "today")], nil),
      ([("ETag", "\"a\""), ("Content-Encoding", "gzip")], nil),
      ([("ETag", "\"a\""), ("Content-Encoding", "identity")], "\"a\""),
    ] as [([(String, String)], String?)])
  func `only a strong validator is used to resume`(
    _ fields: [(String, String)], _ validator: String?
  ) {
    #expect(Self.response(200, fields).validator == validator)
  }

  @Test(arguments: [
    "bytes 0-0/1", "bytes 1-2/*", "bytes -1-2/3", "bytes 2-1/3", "bytes 1-3/3", "bytes 1-2",
    "bytes 1/2", "bytes /", "items 0-1/2", "", "bytes", "bytes 99999999999999999999-1/2",
    "bytes 0-1-2/3", "bytes 0-1/2/3", "bytes 0-1/-2", "bytes +0-1/2",
  ])
  func `only a valid range of a partial response is parsed`(_ field: String) {
    let part = Self.response(206, [("Content-Range", field)]).part
    switch field {
    case "bytes 0-0/1": #expect(part == .init(start: 0, total: 1))
    case "bytes 1-2/*": #expect(part == .init(start: 1, total: nil))
    default: #expect(part == nil)
    }
  }

  @Test(arguments: ["-1", "x", "", "99999999999999999999", "1 2"])
  func `an invalid length is unknown`(_ length: String) {
    #expect(Self.response(200, [("Content-Length", length)]).length == nil)
  }
}
