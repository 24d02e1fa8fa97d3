import Foundation
import Testing
@testable import OfflineCache
@testable import WebArchive

/// The stored responses that may be served after a failure.
@Suite struct FallbackCopyTests {
  struct FallbackRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stored: [StoredResponse]
    let hasCopy: Bool
    var isStrict = false
    var fields: [(String, String)] = []
  }

  static let copies: [FallbackRow] = [
    .init(
      testDescription: "a stale page",
      stored: CachePolicyTests.with("no-cache, must-revalidate", 9999),
      hasCopy: true
    ),
    .init(
      testDescription: "a page that says no-store", stored: CachePolicyTests.with("no-store"),
      hasCopy: true),
    .init(testDescription: "an error", stored: [Sample.stored(500)], hasCopy: false),
    .init(
      testDescription: "a suspect page", stored: [Sample.stored(rejectionReason: .nearlyEmpty)],
      hasCopy: false),
    .init(
      testDescription: "another variant",
      stored: [
        Sample.stored(200, [("Vary", "Accept")], varying: [.init(name: "accept", value: "x")])
      ], hasCopy: true),
    .init(
      testDescription: "a variant for another value of a field of the request's own",
      stored: [
        Sample.stored(200, [("Vary", "X-Own")], varying: [.init(name: "x-own", value: "x")])
      ], hasCopy: false, fields: [("X-Own", "y")]),
    .init(
      testDescription: "a variant for who knows what of a field of the request's own",
      stored: [Sample.stored(200, [("Vary", "X-Own")])], hasCopy: false, fields: [("X-Own", "y")]),
    .init(
      testDescription: "a variant for a field that the request has not",
      stored: [
        Sample.stored(200, [("Vary", "X-Own")], varying: [.init(name: "x-own", value: "x")])
      ], hasCopy: true),
    .init(
      testDescription: "a variant for another program",
      stored: [
        Sample.stored(
          200, [("Vary", "User-Agent, Accept-Language")],
          varying: [
            .init(name: "user-agent", value: "old/1"), .init(name: "accept-language", value: "de"),
          ])
      ], hasCopy: true, fields: [("User-Agent", "new/2"), ("Accept-Language", "fr")]),
    .init(
      testDescription: "another variant of somebody",
      stored: [Sample.stored(varying: [.init(name: "cookie", value: "hmac")])], hasCopy: false),
    .init(
      testDescription: "strict: a stale page", stored: CachePolicyTests.with("max-age=1", 9),
      hasCopy: false,
      isStrict: true),
    .init(
      testDescription: "strict: stale-if-error (RFC 5861 §4)",
      stored: CachePolicyTests.with("max-age=1, stale-if-error=60", 9), hasCopy: true,
      isStrict: true),
    .init(
      testDescription: "strict: stale-if-error, too late",
      stored: CachePolicyTests.with("max-age=1, stale-if-error=60", 90), hasCopy: false,
      isStrict: true),
    .init(
      testDescription: "strict: stale-if-error and must-revalidate",
      stored: CachePolicyTests.with("max-age=1, stale-if-error=60, must-revalidate", 9),
      hasCopy: false,
      isStrict: true),
    .init(
      testDescription: "strict: stale-if-error of an error",
      stored: [Sample.stored(503, [("Cache-Control", "max-age=1, stale-if-error=60")], age: 9)],
      hasCopy: false, isStrict: true),
    .init(
      testDescription: "strict: a page before an error, both with stale-if-error",
      stored: [
        Sample.stored(
          503, [("Cache-Control", "max-age=1, stale-if-error=60")], age: 9, id: "two"),
        Sample.stored(200, [("Cache-Control", "max-age=1, stale-if-error=60")], age: 19),
      ], hasCopy: true, isStrict: true),
    .init(
      testDescription: "strict: a page that is gone, with a lifetime of its own",
      stored: [
        Sample.stored(404, [("Cache-Control", "max-age=1")], age: 9, id: "two"),
        Sample.stored(200, [("Cache-Control", "max-age=1, stale-if-error=60")], age: 19),
      ], hasCopy: false, isStrict: true),
  ]

  @Test(arguments: copies)
  func `only certain copies may be served after a failure`(_ row: FallbackRow) {
    var options = LoadOptions()
    options.allowsFallback = !row.isStrict
    let request = Sample.request("GET", row.fields)
    let variants = CachePolicyTests.vary.variants(row.stored, for: request)
    let copy = CachePolicy.fallbackCopy(
      request, stored: variants, options: options, now: Sample.now)
    #expect((copy != nil) == row.hasCopy)
    #expect(copy.map { $0.response.status < 500 } ?? true)
    let reason = CachePolicy.fallback(after: TransportFailure(.timedOut), fallback: copy)
    #expect((reason?.detail == .timeout) == row.hasCopy)
    #expect(CachePolicy.fallback(after: TransportFailure(.cancelled), fallback: copy) == nil)
    #expect(
      (CachePolicy.fallbackDelay(options, fallback: copy) != nil) == (row.hasCopy && !row.isStrict))
  }
}
