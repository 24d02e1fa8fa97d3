import Foundation
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Authentication challenges and their credentials (RFC 9110 section 11, RFC 7616, RFC 7617).
@Suite("Authentication challenges") struct ChallengeTests {
  private static func challenges(_ lines: String...) -> [String] {
    let fields = FieldLines(lines.map { .init("WWW-Authenticate", $0) })
    return Challenge.all(in: fields).map { "\($0.scheme) \($0.realm)" }
  }

  @Test(
    arguments: [
      ("Basic realm=\"a\"", ["basic a"]), ("basic REALM=a", ["basic a"]),
      ("Basic realm = \"a\" , charset=\"UTF-8\"", ["basic a"]),
      ("Basic realm=\"a, \\\"b\\\" = c\"", ["basic a, \"b\" = c"]),
      ("Basic realm=\"\"", ["basic "]), ("Basic", ["basic "]), ("basic charset=UTF-8", ["basic "]),
      ("Negotiate, Basic", ["basic "]), ("Digest nonce=n", []), ("Basics", []),
      ("Basic realm=\"a\", Basic realm=\"b\"", ["basic a", "basic b"]),
      ("Basic realm=\"a\", Digest realm=\"b\", nonce=\"n\"", ["digest b", "basic a"]),
      ("Bearer, Basic realm=a", ["basic a"]), ("Bearer scope=\"x\", Basic realm=a", ["basic a"]),
      ("Negotiate dG9rZW4=, Basic realm=a", ["basic a"]), (",, Basic realm=a,,", ["basic a"]),
      (
        "Digest realm=a, nonce=n, algorithm=MD5, Digest realm=a, nonce=n, algorithm=SHA-256",
        ["digest a", "digest a"]
      ),
      ("Digest realm=a, nonce=n, qop=\"auth-int,auth\"", ["digest a"]),
      ("Digest realm=a, nonce=n, qop=other", []), ("Digest realm=a", []),
      ("Digest realm=a, nonce=n, algorithm=SHA-512-256", []), ("NTLM", []), ("", []),
      ("=", []), ("\"", []), ("Basic realm=\"open", ["basic open"]),
      ("Basic realm=\"\\", ["basic \\"]),
    ] as [(String, [String])])
  func `challenges are parsed in every valid form, the most secure first`(
    _ line: String, _ expected: [String]
  ) {
    #expect(Self.challenges(line) == expected)
  }

  @Test func `challenges on several lines are all found`() {
    #expect(Self.challenges("Basic realm=a", "Digest realm=b, nonce=n") == ["digest b", "basic a"])
  }

  @Test(arguments: Seeds.all)
  func `random input never crashes`(_ seed: UInt64) {
    let alphabet = Array("\",=\\ \taBasic realm")
    var generator = SplitMix64(seed: seed)
    for length in 0..<200 {
      let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
      for challenge in Challenge.all(in: FieldLines([.init("WWW-Authenticate", text)])) {
        #expect(challenge.scheme == .basic)
      }
      _ = Netrc(text: text + "machine login password macdef default\n")
    }
  }

  /// Returns the challenge of RFC 7616, section 3.9.1.
  private static func digest(_ more: String) throws -> Challenge {
    let text =
      "Digest realm=\"http-auth@example.org\", "
      + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\"" + more
    return try #require(Challenge.all(in: FieldLines([.init("WWW-Authenticate", text)])).first)
  }

  private static func respond(
    _ more: String, count: Int = 1, method: String = "GET", body: String = ""
  ) throws -> String {
    let response = DigestResponse(
      challenge: try digest(more),
      credentials: Credentials(user: "Mufasa", password: "Circle of Life"), nonceCount: count,
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    return try #require(
      response.authorization(method: method, target: "/dir/index.html", body: Array(body.utf8)))
  }

  @Test func `RFC 7616 §3.9.1: the responses of the examples are correct`() throws {
    let md5 = try Self.respond(", qop=\"auth, auth-int\", algorithm=MD5, opaque=\"FQhe/qaU\"")
    #expect(md5.contains("response=\"8ca523f5e9506fed4657c9700eebdbec\""))
    #expect(md5.contains("opaque=\"FQhe/qaU\"") && md5.contains("nc=00000001"))
    #expect(md5.contains("algorithm=MD5") && md5.contains("qop=auth,"))
    let sha = try Self.respond(", qop=\"auth\", algorithm=SHA-256")
    let expected = "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    #expect(sha.contains("response=\"\(expected)\""))
    #expect(try Self.respond(", qop=auth", count: 255).contains("nc=000000ff"))
  }

  @Test func `the RFC 2069 form has no qop or count, and session and userhash parameters are sent`()
    throws
  {
    let old = try Self.respond("")
    #expect(!old.contains("qop") && !old.contains("nc=") && !old.contains("cnonce"))
    #expect(try Self.respond(", algorithm=MD5-sess").contains("cnonce="))
    let hidden = try Self.respond(", userhash=true, algorithm=SHA-256, qop=auth")
    #expect(hidden.contains("userhash=true") && !hidden.contains("Mufasa"))
    #expect(try Self.respond(", qop=auth-int").contains("qop=auth-int"))
  }

  @Test(
    arguments: [
      (", qop=auth, algorithm=MD5-sess", "e783283f46242139c486a698fec7211d"),
      (
        ", qop=auth, algorithm=SHA-256-sess",
        "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
      ),
      (", algorithm=md5", "7b2cc3b30e75b4777ea31027084363fd"),
      ("", "7b2cc3b30e75b4777ea31027084363fd"),
      (", algorithm=MD5-sess", "37a7f42db2090a3fcac4e26e747d4fc8"),
      (
        ", algorithm=SHA-256",
        "a1306b0595a6c7fe96c448631fb5cfbd5107bd1fe1da729d978dd7446b812363"
      ),
    ] as [(String, String)])
  func `RFC 7616 §3.4: responses equal those computed by another program`(
    _ more: String, _ expected: String
  ) throws {
    #expect(try Self.respond(more).contains("response=\"\(expected)\""))
  }

  @Test(arguments: [
    ("MD5", "e4ac3c00299d523b5391298c4f855c18"),
    ("SHA-256", "176672e206620851b3a3441c734a317be951c64addcf827261d0455187323ab3"),
  ])
  func `RFC 7616 §3.4.3: with auth-int the content is part of the digest`(
    _ algorithm: String, _ expected: String
  )
    throws
  {
    let parameters = ", qop=auth-int, algorithm=\(algorithm)"
    let response = try Self.respond(parameters, method: "POST", body: "a=b")
    #expect(response.contains("response=\"\(expected)\"") && response.contains("qop=auth-int"))
    #expect(try !Self.respond(parameters, method: "POST", body: "a=c").contains(expected))
  }

  @Test func `RFC 7616 §3.4.4: the hashed user name includes the realm`() throws {
    let response = try Self.respond(", userhash=true, algorithm=SHA-256, qop=auth")
    let name = "a947aad205e80e429958a387394944c6b496301e79f89d35a4cc23b6ee12b5b6"
    #expect(response.hasPrefix("Digest username=\"\(name)\", "))
    // Only the user name differs in the response.
    #expect(response.contains("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"))
  }

  @Test(
    arguments: [
      ("machine a.test login me password secret", "a.test", "me:secret"),
      ("machine A.test\n  login me\n  account x\n  password \"s e\\\"c\"\n", "a.test", "me:s e\"c"),
      ("MACHINE a.test Login me PASSWORD x", "a.test", "me:x"),
      ("machine a.test login me", "a.test", "me:"), ("machine a.test password x", "a.test", nil),
      ("machine a.test login me password x", "b.test", nil),
      ("default login any password x", "b.test", "any:x"),
      ("default login any password x machine a.test login me password y", "a.test", "me:y"),
      ("machine a.test login 1 password 1 machine a.test login 2 password 2", "a.test", "1:1"),
      (
        "# machine a.test login no password no\nmachine a.test login me password #1", "a.test",
        "me:#1"
      ),
      (
        "macdef m\nmachine a.test login no password no\n\nmachine a.test login me password x",
        "a.test", "me:x"
      ),
      ("machine BÜCHER.test login me password x", "xn--bcher-kva.test", "me:x"),
      ("machine ::1 login me password x", "[::1]", "me:x"), ("machine", "a.test", nil),
      ("login me password x", "a.test", nil), ("machine a.test login", "a.test", nil),
      ("", "", nil),
    ] as [(String, String, String?)])
  func `a .netrc file is parsed`(_ text: String, _ host: String, _ expected: String?) {
    let credentials = Netrc(text: text).credentials(for: host)
    #expect(credentials.map { "\($0.user):\($0.password)" } == expected)
  }

  @Test func `a missing .netrc, or one that others can read, is refused with advice`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: ArchiveError.credentials("\(path): there is no such file")) {
      try Netrc(path: path)
    }
    try Data("machine a.test login me password x".utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, 0o640) == 0)
    #expect(
      throws: ArchiveError.credentials(
        "\(path) can be read by other users; run: chmod 600 \(path)")
    ) {
      try Netrc(path: path)
    }
    #expect(chmod(path, 0o600) == 0)
    #expect(try Netrc(path: path).credentials(for: "a.test")?.user == "me")
  }
}
