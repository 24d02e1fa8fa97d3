@testable import Configuration
import Foundation
import OfflineCache
import Testing

@testable import Pages

/// Arguments passed by another program: a URL of the public web, or an error.
@Suite struct ExternalURLTests {
  @Test(
    arguments: [
      ("offread:https%3A%2F%2Fexample.org%2Fa%3Fb%3D1%26c", "https://example.org/a?b=1&c"),
      ("offread:https://example.org/", "https://example.org/"),
      ("OffRead:HTTP%3a//Example.ORG", "http://example.org/"),
      ("offread:https%3A%2F%2Fexample.org%2Fa%2520b%23c", "https://example.org/a%20b"),
      ("offread:http%3A%2F%2F93.184.216.34%3A8080%2F", "http://93.184.216.34:8080/"),
      ("offread:https%3A%2F%2F%5B2606%3A4700%3A%3A1111%5D%2F", "https://[2606:4700::1111]/"),
      ("offread:https%3A%2F%2Fexample.org.%2F", "https://example.org./"),
    ] as [(String, String)])
  func `a URL is accepted and decoded once`(_ text: String, _ url: String) throws {
    #expect(try ExternalURL(text).url.description == url)
  }

  private static let hostile: [(String, ExternalURL.Mistake)] = [
    ("offread:", .empty), ("", .notWeb), ("https://example.org/", .notWeb),
    ("offread:offread:https://example.org/", .notWeb),
    ("offread:javascript:alert(1)", .notWeb), ("offread:file:///etc/passwd", .notWeb),
    ("offread:about:offread", .notWeb), ("offread:ftp://example.org/", .notWeb),
    ("offread:-", .notWeb), ("offread:--data-dir=/tmp", .notWeb), ("offread:--help", .notWeb),
    ("offread://https://example.org/", .notWeb), ("offread:/etc/passwd", .notWeb),
    ("offread:example.org", .notWeb), ("offread:https:example.org", .notWeb),
    ("offread:https:///example.org", .notWeb), ("offread:https://", .notWeb),
    ("offread:https://example.org:99999/", .notWeb),
    ("offread:https%253A%252F%252Fexample.org%252F", .notWeb),
    ("offread:https://example.org/ --tag x", .characters),
    ("offread:https://example.org/%20x", .characters), (" offread:https://example.org", .notWeb),
    ("offread:https://example.org/%0Ahttps://other.example/", .characters),
    ("offread:https://example.org/\nx", .characters),
    ("offread:https://exa%09mple.org/", .characters),
    ("offread:https://example.org/%00", .characters),
    ("offread:https://example.org/%1B[2J", .characters),
    ("offread:https://example.org/%7F", .characters),
    ("offread:https://example.org/%C2%9B", .characters),
    ("offread:https://example.org/\u{202E}x", .characters),
    ("offread:https://example.org/%E2%80%AE", .characters),
    ("offread:https://ex\u{E4}mple.org/", .characters),
    ("offread:https://example.org\\@other.example/", .characters),
    ("offread:https://%2531%2532%2537.0.0.1/", .characters),
    ("offread:https://user:password@example.org/", .credentials),
    ("offread:https://@example.org/", .credentials),
    ("offread:https://user%40example.org/", .credentials),
    ("offread:http://example.org:25/", .port), ("offread:https://example.org:6667/", .port),
    ("offread:http://localhost/", .notPublic), ("offread:http://localhost./", .notPublic),
    ("offread:http://printer/", .notPublic), ("offread:http://nas.local/", .notPublic),
    ("offread:http://a.localhost/", .notPublic), ("offread:http://router.home.arpa/", .notPublic),
    ("offread:http://127.0.0.1/", .notPublic), ("offread:http://127.0.0.1./", .notPublic),
    ("offread:http://127.1/", .notPublic), ("offread:http://2130706433/", .notPublic),
    ("offread:http://0x7f000001/", .notPublic), ("offread:http://0x7f.0.0.1/", .notPublic),
    ("offread:http://0177.0.0.1/", .notPublic), ("offread:http://example.0x/", .notWeb),
    ("offread:http://0/", .notPublic), ("offread:http://0.0.0.0/", .notPublic),
    ("offread:http://10.1.2.3/", .notPublic), ("offread:http://172.31.0.1/", .notPublic),
    ("offread:http://192.168.1.1/", .notPublic), ("offread:http://169.254.169.254/", .notPublic),
    ("offread:http://100.64.0.1/", .notPublic), ("offread:http://224.0.0.1/", .notPublic),
    ("offread:http://[::1]/", .notPublic), ("offread:http://[::]/", .notPublic),
    ("offread:http://[fc00::1]/", .notPublic), ("offread:http://[fd12:3456::1]/", .notPublic),
    ("offread:http://[fe80::1]/", .notPublic), ("offread:http://[::ffff:127.0.0.1]/", .notPublic),
    ("offread:http://[::ffff:7f00:1]/", .notPublic), ("offread:http://[::127.0.0.1]/", .notPublic),
    ("offread:http://[64:ff9b::7f00:1]/", .notPublic),
    ("offread:http://[2002:7f00:1::]/", .notPublic),
  ]

  @Test(arguments: hostile.indices)
  func `all other arguments are rejected`(_ index: Int) {
    let (text, mistake) = Self.hostile[index]
    #expect(throws: mistake, "\(text)") { try ExternalURL(text) }
  }

  @Test func `an argument longer than 8 kB is rejected`() throws {
    let start = "offread:https://example.org/"
    let longest = start + String(repeating: "a", count: ExternalURL.maxLength - start.count)
    #expect(try ExternalURL(longest).url.description.count == longest.count - 8)
    #expect(throws: ExternalURL.Mistake.tooLong) { try ExternalURL(longest + "a") }
  }
}
