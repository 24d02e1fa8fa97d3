import Foundation
import WARC

/// The response to a Digest challenge (RFC 7616 §3.4).
struct DigestResponse {
  /// A supported hash algorithm.
  struct Algorithm: Equatable {
    /// The name as sent by the server.
    var name: String
    /// Whether the algorithm is SHA-256 rather than MD5.
    var isSHA: Bool
    /// Whether the algorithm is a session variant (`-sess`).
    var isSession: Bool

    /// Parses the `algorithm` parameter. A missing parameter means MD5 (§3.3); returns nil if the
    /// algorithm is not supported.
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

  /// The challenge of the server.
  var challenge: Challenge
  /// The user name and password with which the challenge is answered.
  var credentials: Credentials
  /// The number of uses of the server's nonce, including the use in this response.
  var nonceCount: Int
  /// A random client nonce.
  var clientNonce: String

  /// Returns whether the response to a challenge can be computed.
  static func canRespond(_ challenge: Challenge) -> Bool {
    Algorithm(challenge.parameters["algorithm"]) != nil && challenge.parameters["nonce"] != nil
      && (challenge.parameters["qop"] == nil || qualityOfProtection(challenge) != nil)
  }

  /// Returns the quality of protection (`qop`): `auth` if the server offers it, else `auth-int` if
  /// it offers that, else nil.
  private static func qualityOfProtection(_ challenge: Challenge) -> String? {
    let offered = FieldList.memberTexts(challenge.parameters["qop"] ?? "").map { $0.lowercased() }
    return ["auth", "auth-int"].first(where: offered.contains)
  }

  /// Returns the `Authorization` value for a request.
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - target: The path and query of the request.
  ///   - body: The content of the request; nil if it is in a file.
  /// - Returns: The value; nil if the challenge is not supported, or requires the digest of a file.
  func authorization(method: String, target: String, body: [UInt8]?) -> String? {
    guard let algorithm = Algorithm(challenge.parameters["algorithm"]),
      let nonce = challenge.parameters["nonce"]
    else { return nil }
    let quality = Self.qualityOfProtection(challenge)
    let realm = challenge.realm
    var secret = algorithm.hash("\(credentials.user):\(realm):\(credentials.password)")
    if algorithm.isSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
    var action = "\(method):\(target)"
    if quality == "auth-int" {
      guard let body else { return nil }
      action += ":" + algorithm.hash(body)
    }
    let digits = String(nonceCount, radix: 16)
    let nonceCountText = String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    let qualityPart = quality.map { "\(nonceCountText):\(clientNonce):\($0):" } ?? ""
    let response = algorithm.hash("\(secret):\(nonce):\(qualityPart)\(algorithm.hash(action))")
    // RFC 7616 §3.4.4: the user name is hashed if the server requests it.
    let hidesUser = challenge.parameters["userhash"]?.lowercased() == "true"
    let user = hidesUser ? algorithm.hash("\(credentials.user):\(realm)") : credentials.user
    var parts = [
      "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))",
      "nonce=\(Self.quoted(nonce))", "uri=\(Self.quoted(target))", "response=\"\(response)\"",
    ]
    if challenge.parameters["algorithm"] != nil { parts.append("algorithm=\(algorithm.name)") }
    if let quality {
      parts += ["qop=\(quality)", "nc=\(nonceCountText)", "cnonce=\(Self.quoted(clientNonce))"]
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
