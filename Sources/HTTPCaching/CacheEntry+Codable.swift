import Foundation

/// Entries can be kept in files and databases, because they are encoded without credentials.
///
/// - `Set-Cookie` and the other response fields with credentials are left out.
/// - The values of request fields by which the response was selected may be secret
///   (`Authorization`, `Cookie`, and fields that are not in general use, such as `X-API-Key`). They
///   are replaced by keyed hashes if the encoder has a key in `userInfo[CacheEntry.hashKey]`. A
///   decoder with the same key then returns an entry that requests with the same values select.
///   Without a key the values are left out, and no request selects the decoded entry.
extension CacheEntry: Codable {
  /// The key of `userInfo` for a secret of the cache, a `[UInt8]` of at least 16 random bytes that
  /// is not stored beside the entries.
  public static let hashKey = {
    guard let key = CodingUserInfoKey(rawValue: "org.offread.HTTPCaching.hashKey") else {
      preconditionFailure("every text is a valid key")
    }
    return key
  }()

  private enum CodingKeys: String, CodingKey {
    case status, reason, fields, requestTime, responseTime, varying, length, kind,
      lifetimeOverride = "ruledLifetime"
  }

  /// A request field in `varying`.
  private struct Varying: Codable {
    var name: String
    var value: String?
    /// The keyed hash of the value.
    var hash: String?
    /// Whether there was a value that must not be written in plain text.
    var isSecret: Bool?
  }

  /// Decodes an entry.
  /// - Parameter decoder: The decoder, with the key of the cache in `userInfo[CacheEntry.hashKey]`
  ///   if there was one when the entry was encoded.
  /// - Throws: An error if a value is missing or has another type.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let fields = try values.decode([[String]].self, forKey: .fields)
    guard fields.allSatisfy({ $0.count == 2 }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .fields, in: values,
        debugDescription: "A header field is not an array of a name and a value.")
    }
    response = ResponseHead(
      status: try values.decode(Int.self, forKey: .status),
      reason: try values.decode(String.self, forKey: .reason),
      fields: FieldLines(fields.map { FieldLines.Field($0[0], $0[1]) }))
    requestTime = try values.decode(Date.self, forKey: .requestTime)
    responseTime = try values.decode(Date.self, forKey: .responseTime)
    length = try values.decode(Int64.self, forKey: .length)
    cacheKind = try values.decode(CacheKind.self, forKey: .kind)
    lifetimeOverride = try values.decodeIfPresent(Double.self, forKey: .lifetimeOverride)
    hashKey = decoder.userInfo[Self.hashKey] as? [UInt8]
    varying = try values.decode([Varying].self, forKey: .varying).map { field in
      guard field.isSecret == true else {
        return VaryingField(name: field.name, value: field.value)
      }
      return VaryingField(name: field.name, value: field.hash ?? Self.unknownValue())
    }
    // Without a key, a hash in the entry must not be equal to the text of a field.
    if hashKey == nil { hashKey = Self.randomBytes() }
  }

  /// Encodes the entry without credentials.
  /// - Parameter encoder: The encoder, with the key of the cache in `userInfo[CacheEntry.hashKey]`
  ///   if entries for users with credentials are to be found again.
  /// - Throws: An error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    let fields = response.fields.lines.filter { !Self.secretFields.contains($0.name.lowercased()) }
    try values.encode(response.status, forKey: .status)
    try values.encode(response.reason, forKey: .reason)
    try values.encode(fields.map { [$0.name, $0.value] }, forKey: .fields)
    try values.encode(requestTime, forKey: .requestTime)
    try values.encode(responseTime, forKey: .responseTime)
    try values.encode(length, forKey: .length)
    try values.encode(cacheKind, forKey: .kind)
    try values.encodeIfPresent(lifetimeOverride, forKey: .lifetimeOverride)
    let key = encoder.userInfo[Self.hashKey] as? [UInt8]
    try values.encode(varying.map { encoded($0, key: key) }, forKey: .varying)
  }

  private func encoded(_ field: VaryingField, key: [UInt8]?) -> Varying {
    guard let value = field.value, !Vary.isNeverSecret(field.name) else {
      return Varying(name: field.name, value: field.value)
    }
    var hash: String?
    if let key, hashKey == nil || hashKey == key {
      hash = hashKey == nil ? KeyedHash.hexDigest(value, key: key) : value
    }
    return Varying(name: field.name, hash: hash, isSecret: true)
  }

  /// Returns a random hash for a secret value that is not known, so that no request has that value.
  private static func unknownValue() -> String {
    KeyedHash.hexDigest("", key: randomBytes())
  }

  private static func randomBytes() -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// Response fields that contain credentials of a user.
  private static let secretFields: Set<String> = [
    "authentication-info", "set-cookie", "set-cookie2",
  ]
}
