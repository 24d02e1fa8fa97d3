import Foundation
import HTTPTypes
import Testing

@testable import HTTPCaching

@Suite("Encoded cache entries")
struct CacheEntryCodingTests {
  private static let key = Array("0123456789abcdef".utf8)

  private static func encoded(_ entry: CacheEntry, key: [UInt8]? = nil) throws -> Data {
    let encoder = JSONEncoder()
    encoder.userInfo[CacheEntry.hashKey] = key
    return try encoder.encode(entry)
  }

  private static func decoded(_ data: Data, key: [UInt8]? = nil) throws -> CacheEntry {
    let decoder = JSONDecoder()
    decoder.userInfo[CacheEntry.hashKey] = key
    return try decoder.decode(CacheEntry.self, from: data)
  }

  @Test(arguments: CacheKind.allCases)
  func `an entry keeps all that its reuse depends on`(_ kind: CacheKind) throws {
    var entry = try #require(
      Example.entry(
        [
          ("ETag", "\"1\""), ("Cache-Control", "max-age=60, s-maxage=90"), ("X-A", "1"),
          ("x-a", "ü"), ("Vary", "Accept-Language, Sec-CH-UA, X-None"),
        ], for: Example.request([("Accept-Language", "de")]), length: 7, in: kind))
    entry.lifetimeOverride = kind == .shared ? 5 : nil
    let decodedEntry = try Self.decoded(Self.encoded(entry))
    #expect(decodedEntry.response == entry.response && decodedEntry.varying == entry.varying)
    #expect(decodedEntry.length == 7 && decodedEntry.cacheKind == kind)
    #expect(decodedEntry.timeToLive(now: Example.start) == entry.timeToLive(now: Example.start))
    #expect(decodedEntry.isSelected(by: Example.request([("Accept-Language", "DE")])))
    #expect(!decodedEntry.isSelected(by: Example.request()))
    let list = try PropertyListEncoder().encode([entry])
    #expect(
      try PropertyListDecoder().decode([CacheEntry].self, from: list)[0].varying == entry.varying)
  }

  static let secrets: [(String, String, vary: String)] = [
    ("Authorization", "Bearer s3cret", ""), ("Cookie", "sid=s3cret", ""),
    ("Cookie", "sid=s3cret", "Cookie"), ("X-API-Key", "s3cret", "x-api-key"),
    ("Proxy-Authorization", "Basic s3cret", "Proxy-Authorization"),
    ("Referer", "https://h/?token=s3cret", "Referer"),
  ]

  @Test(arguments: secrets)
  func `credentials are not written, and are recognised only with the key of the cache`(
    _ name: String, _ value: String, _ vary: String
  ) throws {
    let owner = Example.request([(name, value)])
    let entry = try #require(
      Example.entry(
        [
          ("Cache-Control", "max-age=60"), ("Set-Cookie", "sid=s3cret"), ("Vary", vary),
          ("Authentication-Info", "nextnonce=s3cret"),
        ], for: owner))
    #expect(entry.response.fields["Set-Cookie"] == "sid=s3cret")
    for key in [nil, Self.key] {
      let data = try Self.encoded(entry, key: key)
      #expect(!String(decoding: data, as: UTF8.self).contains("s3cret"))
      for other in [nil, Self.key, Self.key.reversed()] as [[UInt8]?] {
        let decodedEntry = try Self.decoded(data, key: other)
        let isKnown = key != nil && other == key
        #expect(decodedEntry.isSelected(by: owner) == isKnown)
        #expect(!decodedEntry.isSelected(by: Example.request()))
        #expect(!decodedEntry.isSelected(by: Example.request([(name, "x")])))
        #expect(decodedEntry.isPrivate == entry.isPrivate)
        let stored = try #require(decodedEntry.varying.compactMap(\.value).first)
        #expect(!decodedEntry.isSelected(by: Example.request([(name, stored)])))
      }
      let again = try Self.decoded(
        Self.encoded(Self.decoded(data, key: Self.key), key: Self.key), key: Self.key)
      #expect(again.isSelected(by: owner) == (key != nil))
      let lost = try Self.encoded(Self.decoded(data, key: Self.key))
      #expect(try !Self.decoded(lost, key: Self.key).isSelected(by: owner))
    }
  }

  @Test(arguments: ["{}", "[]", "{\"status\":\"x\"}", ""])
  func `other data is an error`(_ text: String) {
    #expect(throws: (any Error).self) { try Self.decoded(Data(text.utf8)) }
  }

  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ] as [(String, String)])
  func `FIPS 180-4: SHA-256 of the examples`(_ text: String, _ digest: String) {
    let bytes = KeyedHash.digest(Array(text.utf8))
    #expect(
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
  }

  @Test(arguments: [
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `RFC 4231: HMAC with SHA-256 of the examples`(_ key: [UInt8], _ text: String, _ hash: String)
  {
    #expect(KeyedHash.hexDigest(text, key: key) == hash)
  }

  @Test(arguments: [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128])
  func `messages of any length are padded to whole blocks`(_ count: Int) {
    #expect(KeyedHash.digest([UInt8](repeating: 97, count: count)).count == 32)
  }
}
