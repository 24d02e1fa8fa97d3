/// An authentication challenge with a supported scheme (RFC 9110 §11.3).
public struct Challenge: Sendable, Equatable {
  /// The authentication scheme.
  public var scheme: Scheme
  /// The realm, as sent by the server. The text must be sanitized before it is printed to a
  /// terminal. Empty if a Basic challenge has none, although RFC 7617 requires it.
  public var realm: String
  /// The parameters, including the realm, by lowercase name.
  var parameters: [String: String]

  /// An authentication scheme.
  public enum Scheme: String, Sendable, Equatable {
    /// The password itself is sent (RFC 7617).
    case basic
    /// A digest of the password is sent (RFC 7616).
    case digest
  }

  /// Returns the supported challenges in the `WWW-Authenticate` fields of a response, most secure
  /// first.
  public static func all(in fields: FieldLines) -> [Challenge] {
    let challenges = fields.values(of: "WWW-Authenticate").flatMap(parse).enumerated()
    return challenges.sorted { a, b in
      (b.element.strength, a.offset) < (a.element.strength, b.offset)
    }.map(\.element)
  }

  private var strength: Int {
    switch scheme {
    case .basic: 0
    case .digest: DigestResponse.Algorithm(parameters["algorithm"])?.isSHA == true ? 2 : 1
    }
  }

  private static func parse(_ line: String) -> [Challenge] {
    var reader = ChallengeReader(line)
    return reader.challenges().compactMap { name, parameters in
      guard let scheme = Scheme(rawValue: name),
        let realm = parameters["realm"] ?? (scheme == .basic ? "" : nil)
      else { return nil }
      let challenge = Challenge(scheme: scheme, realm: realm, parameters: parameters)
      return scheme == .basic || DigestResponse.canRespond(challenge) ? challenge : nil
    }
  }
}

/// A parser for a `WWW-Authenticate` line, in which commas separate both challenges and parameters.
private struct ChallengeReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ line: String) {
    bytes = Array(line.utf8)
  }

  mutating func challenges() -> [(name: String, parameters: [String: String])] {
    var found: [(name: String, parameters: [String: String])] = []
    while true {
      skip { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      guard index < bytes.count else { return found }
      let name = token().lowercased()
      skip { $0 == 0x20 || $0 == 0x09 }
      if name.isEmpty {
        index += 1
      } else if peek == UInt8(ascii: "="), !found.isEmpty {
        index += 1
        skip { $0 == 0x20 || $0 == 0x09 }
        let value = peek == UInt8(ascii: "\"") ? quoted() : token()
        if found[found.count - 1].parameters[name] == nil {
          found[found.count - 1].parameters[name] = value
        }
      } else {
        found.append((name, [:]))
      }
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
  }

  private mutating func token() -> String {
    let start = index
    skip { !$0.isSeparator }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Returns the content of a quoted string; an unterminated one extends to the end of the line.
  private mutating func quoted() -> String {
    var value: [UInt8] = []
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
      value.append(bytes[index])
      index += 1
    }
    index += 1
    return String(decoding: value, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isSeparator: Bool {
    self == 0x20 || self == 0x09 || self == UInt8(ascii: ",") || self == UInt8(ascii: "=")
      || self == UInt8(ascii: "\"")
  }
}
