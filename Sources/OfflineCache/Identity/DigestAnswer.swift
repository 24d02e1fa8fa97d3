import Foundation
import WARC

/// The answer to a challenge by the scheme Digest (RFC 7616 §3.4).
struct DigestAnswer {
  /// The hash functions that are understood.
  struct Algorithm: Equatable {
    /// The name as the server gave it.
    var name: String
    /// Whether it is SHA-256, not MD5.
    var isSHA: Bool
    /// Whether the password is hashed for a session.
    var isSession: Bool

    /// Reads the parameter; MD5 when there is none (§3.3), nil when it is none of ours.
    init?(_ parameter: String?) {
      name = parameter ?? "MD5"
      switch name.uppercased() {
      case "MD5": (isSHA, isSession) = (false, false)
      case "MD5-SESS": (isSHA, isSession) = (false, true)
      case "SHA-256": (isSHA, isSession) = (true, false)
      case "SHA-256-SESS": (isSHA, isSession) = (true, true)
      default: return nil
      }
    }

    func hash(_ text: String) -> String { hash(Array(text.utf8)) }

    func hash(_ bytes: [UInt8]) -> String {
      Hexadecimal.text(DigestBuilder.bytes(of: bytes, isSHA ? .sha256 : .md5))
    }
  }

  /// The challenge.
  var challenge: Challenge
  /// Who answers.
  var credentials: Credentials
  /// How often the server's nonce was used, this time included.
  var count: Int
  /// A random text of ours.
  var clientNonce: String

  /// Whether an answer to a challenge can be computed.
  static func canAnswer(_ challenge: Challenge) -> Bool {
    Algorithm(challenge.parameters["algorithm"]) != nil && challenge.parameters["nonce"] != nil
      && (challenge.parameters["qop"] == nil || quality(challenge) != nil)
  }

  /// What is protected: `auth` where the server offers it, else `auth-int`, nil for neither.
  private static func quality(_ challenge: Challenge) -> String? {
    let offered = FieldList.texts(challenge.parameters["qop"] ?? "").map { $0.lowercased() }
    return ["auth", "auth-int"].first(where: offered.contains)
  }

  /// Answers the challenge for a request.
  /// - Parameters:
  ///   - method: the method of the request.
  ///   - target: its path and query.
  ///   - body: its content.
  /// - Returns: the value of `Authorization`, nil when the challenge cannot be answered.
  func authorization(method: String, target: String, body: [UInt8]) -> String? {
    guard let algorithm = Algorithm(challenge.parameters["algorithm"]),
      let nonce = challenge.parameters["nonce"]
    else { return nil }
    let quality = Self.quality(challenge)
    let realm = challenge.realm
    var secret = algorithm.hash("\(credentials.user):\(realm):\(credentials.password)")
    if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
    var action = "\(method):\(target)"
    if quality == "auth-int" { action += ":" + algorithm.hash(body) }
    let digits = String(count, radix: 16)
    let number = String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    let rest = quality.map { "\(number):\(clientNonce):\($0):" } ?? ""
    let response = algorithm.hash("\(secret):\(nonce):\(rest)\(algorithm.hash(action))")
    // §3.4.4: the name is hashed where the server asks for it.
    let hidesUser = challenge.parameters["userhash"]?.lowercased() == "true"
    let user = hidesUser ? algorithm.hash("\(credentials.user):\(realm)") : credentials.user
    var parts = [
      "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))",
      "nonce=\(Self.quoted(nonce))", "uri=\(Self.quoted(target))", "response=\"\(response)\"",
    ]
    if challenge.parameters["algorithm"] != nil { parts.append("algorithm=\(algorithm.name)") }
    if let quality {
      parts += ["qop=\(quality)", "nc=\(number)", "cnonce=\(Self.quoted(clientNonce))"]
    } else if algorithm.isSession {
      parts.append("cnonce=\(Self.quoted(clientNonce))")
    }
    if let opaque = challenge.parameters["opaque"] { parts.append("opaque=\(Self.quoted(opaque))") }
    if hidesUser { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
