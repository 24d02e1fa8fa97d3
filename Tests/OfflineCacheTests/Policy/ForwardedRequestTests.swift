import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("The form in which a request is forwarded")
struct ForwardedRequestTests {
  private static let copyWithETag = Sample.stored(200, [("ETag", "\"1\"")], id: "tagged")
  private static let copyWithoutETag = Sample.stored(id: "untagged")

  /// A request, and the expected fields of the forwarded one; nil for an absent field.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var method = "GET"
    var fields: [(String, String)] = []
    var base: StoredResponse?
    var choosesCoding = true
    var isReload = false
    var expected: [(String, String?)]
    var candidates: [String] = []
  }

  static let rows = [
    Row(
      testDescription: "nothing is validated",
      expected: [("If-None-Match", nil), ("Cache-Control", nil), ("Accept-Encoding", nil)]),
    Row(
      testDescription: "a stored response is validated by its entity tag", base: copyWithETag,
      expected: [("If-None-Match", "\"1\""), ("If-Modified-Since", nil)], candidates: ["tagged"]),
    Row(
      testDescription: "a stored response without validators cannot be validated",
      base: copyWithoutETag,
      expected: [("If-None-Match", nil), ("If-Modified-Since", nil)]),
    Row(
      testDescription: "an unsafe request validates nothing", method: "POST", base: copyWithETag,
      expected: [("If-None-Match", nil)]),
    Row(
      testDescription: "a range is requested without a content coding",
      fields: [("Range", "bytes=0-9"), ("Accept-Encoding", "gzip")],
      expected: [("Range", "bytes=0-9"), ("Accept-Encoding", "identity")]),
    Row(
      testDescription: "the coding that the client chose is kept",
      fields: [("Range", "bytes=0-9"), ("Accept-Encoding", "gzip")], choosesCoding: false,
      expected: [("Accept-Encoding", "gzip")]),
    Row(
      testDescription: "a reload asks caches on the way to validate", isReload: true,
      expected: [("Cache-Control", "max-age=0")]),
    Row(
      testDescription: "a reload keeps the directives of the client",
      fields: [("Cache-Control", "no-cache")], isReload: true,
      expected: [("Cache-Control", "no-cache")]),
  ]

  @Test(arguments: rows)
  func `a forwarded request has the expected fields and candidates`(_ row: Row) {
    let variants = Variants(matching: row.base.map { [$0] } ?? [])
    let target = WebRequest(url: "http://mirror.example/x").url
    let forwarded = ForwardedRequest(
      Sample.request(row.method, row.fields), to: target, validating: row.base, among: variants,
      reason: .stale, choosesCoding: row.choosesCoding, isReload: row.isReload)
    #expect(forwarded.request.url == target)
    #expect(forwarded.request.method == row.method)
    #expect(forwarded.reason == .stale)
    #expect(forwarded.candidates.map(\.id) == row.candidates)
    for (name, value) in row.expected {
      #expect(forwarded.request.fields[name] == value, "\(name)")
    }
  }
}
