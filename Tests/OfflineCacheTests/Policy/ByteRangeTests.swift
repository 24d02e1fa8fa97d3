import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Ranges")
struct ByteRangeTests {
  @Test(
    arguments: [
      ("bytes 10-19/40", 10, true), ("bytes 10-19/40", 9, false), ("bytes 10-19/*", 10, false),
      ("bytes 19-10/40", 10, false), ("bytes 10-19/15", 10, false), ("bytes */40", 10, false),
      ("bytes 10-19", 10, false), ("octets 10-19/40", 10, false), ("bytes -/", 10, false),
      ("bytes /", 10, false), ("", 10, false), ("bytes 10-99999999999999999999/40", 10, false),
    ] as [(String, Int64, Bool)])
  func `a range is extracted only from a consistent partial response`(
    _ value: String, _ length: Int64, _ isThere: Bool
  ) {
    let response = ResponseHead(
      status: 206, fields: FieldLines([.init("Content-Range", value)]))
    let stored = StoredResponse(
      id: "", key: "http://h/", response: response, requestTime: Sample.now,
      responseTime: Sample.now,
      contentDate: Sample.now, length: length)
    let request = WebRequest(
      url: "http://h/", fields: FieldLines([.init("Range", "bytes=11-12")]))
    let containedRange = ByteRange.containedRange(for: request, of: stored)
    #expect((containedRange != nil) == isThere)
    #expect(containedRange.map { $0.range == 11...12 && $0.length == 40 && $0.start == 10 } ?? true)
  }

  @Test(
    arguments: [
      ("bytes 0-9/10", nil, nil, 200), ("bytes 0-9/10", "10", nil, 200),
      ("bytes 0-9/10", "4", nil, 206), ("bytes 0-9/10", nil, "bytes=0-", 206),
      ("bytes 0-8/10", nil, nil, 206), ("bytes 1-9/10", nil, nil, 206), ("", nil, nil, 206),
      ("bytes 0-9/*", nil, nil, 206),
    ] as [(String, String?, String?, Int)])
  func `RFC 9110 §15.3.7: a complete 206 that was not requested is a 200`(
    _ content: String, _ length: String?, _ range: String?, _ status: Int
  ) {
    var response = ResponseHead(
      status: 206, fields: FieldLines([.init("Content-Range", content)]))
    if let length { response.fields["Content-Length"] = length }
    var request = WebRequest(url: "http://h/")
    if let range { request.fields["Range"] = range }
    let result = ByteRange.withoutNeedlessRange(response, to: request)
    #expect(result.status == status)
    #expect((result.fields["Content-Range"] == nil) == (status == 200))
  }

  @Test(
    arguments: [
      ("bytes=0-1", ByteRange.part(0...1)), ("bytes=9-9", .part(9...9)),
      ("bytes=1-", .part(1...9)), ("bytes=5-99999999999999999999", .part(5...9)),
      ("bytes=-3", .part(7...9)), ("bytes=-99", .part(0...9)), ("BYTES=0-1", .part(0...1)),
      ("bytes= 0-1 ", .part(0...1)), ("bytes=10-", .unsatisfiable),
      ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
    ] as [(String, ByteRange)])
  func `RFC 9110 §14.1.2: ranges of ten bytes are parsed`(_ value: String, _ expected: ByteRange) {
    #expect(ByteRange.parse(value, length: 10) == expected)
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=2-1", "bytes=1", "bytes=0-1,3-4",
    "lines=0-1", "bytes=0-1-2", "bytes=--1", "bytes=+1-2", "bytes=٠-١", "=0-1", "bytes 0-1",
  ])
  func `RFC 9110 §14.2: an invalid range, or several ranges, select the whole content`(
    _ value: String
  ) {
    #expect(ByteRange.parse(value, length: 10) == nil)
  }

  @Test(arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
  func `no range of empty content can be satisfied`(_ value: String) {
    #expect(ByteRange.parse(value, length: 0) == .unsatisfiable)
  }

  @Test func `random input never crashes, and a range is always within the content`() {
    var state: UInt64 = 7
    let alphabet = Array("bytes=0123456789--,, a")
    for count in 0..<5000 {
      var text = count % 2 == 0 ? "bytes=" : ""
      for _ in 0..<(count % 11) {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      if case .part(let range) = ByteRange.parse(text, length: 100) {
        #expect(range.lowerBound >= 0 && range.upperBound < 100)
      }
    }
  }

  @Test(
    arguments: [
      ("\"1\"", true), ("\"2\"", false), ("W/\"1\"", false), (Sample.date(-100), true),
      (Sample.date(-99), false), ("yesterday", false),
    ] as [(String, Bool)])
  func `RFC 9110 §13.1.5: If-Range is evaluated`(_ value: String, _ isTruncated: Bool) {
    let stored = Sample.stored(
      200, [("ETag", "\"1\""), ("Last-Modified", Sample.date(-100)), ("Date", Sample.date(0))])
    let request = Sample.request("GET", [("Range", "bytes=0-1"), ("If-Range", value)])
    #expect((ByteRange.requested(by: request, of: stored) != nil) == isTruncated)
  }

  @Test
  func `RFC 9110 §8.8.2.2: a date not clearly before that of the response is a weak validator`() {
    let stored = Sample.stored(200, [("Last-Modified", Sample.date(0)), ("Date", Sample.date(0))])
    let request = Sample.request("GET", [("Range", "bytes=0-1"), ("If-Range", Sample.date(0))])
    #expect(ByteRange.requested(by: request, of: stored) == nil)
  }

  @Test(
    arguments: [
      ("GET", [("Range", "bytes=0-1"), ("If-None-Match", "\"1\"")], 304, Int64?.none),
      ("GET", [("Range", "bytes=0-1"), ("If-None-Match", "\"2\"")], 206, 2),
      ("GET", [("Range", "bytes=5000-")], 416, nil), ("GET", [("Range", "x=1")], 200, .max),
      ("HEAD", [("Range", "bytes=0-1")], 200, nil), ("GET", [], 200, .max),
    ] as [(String, [(String, String)], Int, Int64?)])
  func `RFC 9110 §13.2.2: conditions precede the range, and HEAD has no content`(
    _ method: String, _ fields: [(String, String)], _ status: Int, _ count: Int64?
  ) {
    let stored = Sample.stored(200, [("ETag", "\"1\""), ("Content-Length", "5000")])
    let extent = StoredExtent(of: stored, for: Sample.request(method, fields))
    #expect(extent.head(of: stored, isValidated: false).status == status)
    #expect(extent.bytes.map { $0.upperBound - $0.lowerBound } == count)
  }

  @Test func `a 206 has its range, and a 416 the complete length`() {
    let stored = Sample.stored(200, [("Content-Length", "5000"), ("Content-Type", "a/b")])
    func head(_ range: String) -> ResponseHead {
      StoredExtent(of: stored, for: Sample.request("GET", [("Range", range)]))
        .head(of: stored, isValidated: false)
    }
    #expect(head("bytes=-2").fields["Content-Range"] == "bytes 4998-4999/5000")
    #expect(head("bytes=-2").fields["Content-Length"] == "2")
    #expect(head("bytes=-2").fields["Content-Type"] == "a/b")
    #expect(head("bytes=5000-").fields["Content-Range"] == "bytes */5000")
    #expect(head("bytes=5000-").fields["Content-Length"] == "0")
  }

  @Test func `RFC 9111 §5.2.2.4: fields listed by no-cache require validation`() {
    let control = "max-age=9, no-cache=\"X-A, set-cookie, content-type\""
    let stored = Sample.stored(
      200,
      [("Cache-Control", control), ("x-a", "1"), ("X-B", "2"), ("Content-Type", "a/b")])
    let extent = StoredExtent(of: stored, for: Sample.request())
    #expect(extent.head(of: stored, isValidated: false).fields["X-A"] == nil)
    #expect(extent.head(of: stored, isValidated: false).fields["X-B"] == "2")
    #expect(extent.head(of: stored, isValidated: false).fields["Content-Type"] == "a/b")
    #expect(extent.head(of: stored, isValidated: true).fields["X-A"] == "1")
  }

  @Test(
    arguments: [
      (200, "", true), (206, "max-age=60", true), (206, "", false),
      (206, "max-age=60, no-store", false), (416, "max-age=60", false), (304, "max-age=60", false),
    ] as [(Int, String, Bool)])
  func `RFC 9111 §3.3: responses to range requests are stored if they can be reused`(
    _ status: Int, _ control: String, _ isKept: Bool
  ) {
    let request = Sample.request("GET", [("Range", "bytes=0-1")])
    let response = Sample.response(status, [("Cache-Control", control)])
    #expect(
      Storability.isArchivable(response, for: request, respecting: []) == isKept)
    #expect(
      !Storability.isArchivable(Sample.response(206), for: Sample.request(), respecting: []))
  }

  @Test func `a partial response is never a page`() {
    #expect(!Sample.stored(206).isGood)
    #expect(Sample.stored(203).isGood)
  }
}
