import Dates
import Foundation

/// The HSTS store: hosts with a strict transport policy (RFC 6797) and its expiry.
struct HSTSStore: Sendable, Equatable {
  /// The maximum number of hosts; when it is exceeded, the hosts that expire first are evicted.
  static let maxHosts = 4096

  /// The policy of a host.
  struct Policy: Sendable, Equatable {
    /// The expiry time in seconds since 1970.
    var expiry: Int
    /// Whether the policy applies to subdomains as well.
    var includesSubdomains: Bool
  }

  private var policies: [String: Policy] = [:]

  /// Whether the store is empty.
  var isEmpty: Bool { policies.isEmpty }

  /// Returns whether a host has a policy, or a superdomain has one that includes subdomains (§8.2).
  func contains(_ host: String, now: Date) -> Bool {
    guard !policies.isEmpty, let name = Self.name(host) else { return false }
    let now = now.timeIntervalSince1970
    var rest = name[...]
    while true {
      if let promise = policies[String(rest)], Double(promise.expiry) > now,
        rest.utf8.count == name.utf8.count || promise.includesSubdomains
      {
        return true
      }
      guard let dot = rest.firstIndex(of: ".") else { return false }
      rest = rest[rest.index(after: dot)...]
    }
  }

  /// Applies the policy of a response received over TLS (§8.1).
  mutating func apply(_ policy: StrictTransport, of host: String, now: Date) {
    guard let name = Self.name(host), isChanged(policy, of: name, now: now) else { return }
    guard policy.maxAge > 0 else {
      policies[name] = nil
      return
    }
    policies[name] = Policy(
      expiry: Int(now.timeIntervalSince1970) + policy.maxAge,
      includesSubdomains: policy.includesSubdomains)
    shrink(now: now)
  }

  /// Returns whether a policy changes the store. Every response extends the expiry. To avoid
  /// writing the file for every response, this counts as a change only if it adds more than a tenth
  /// of the lifetime.
  func isChanged(_ policy: StrictTransport, of host: String, now: Date) -> Bool {
    guard let name = Self.name(host) else { return false }
    guard let knownPolicy = policies[name] else { return policy.maxAge > 0 }
    let gain = Int(now.timeIntervalSince1970) + policy.maxAge - knownPolicy.expiry
    return policy.maxAge == 0 || knownPolicy.includesSubdomains != policy.includesSubdomains
      || gain < 0 || gain > policy.maxAge / 10
  }

  private mutating func shrink(now: Date) {
    guard policies.count > Self.maxHosts else { return }
    policies = policies.filter { Double($0.value.expiry) > now.timeIntervalSince1970 }
    let excess = policies.count - Self.maxHosts
    guard excess > 0 else { return }
    let first = policies.sorted { ($0.value.expiry, $0.key) < ($1.value.expiry, $1.key) }.prefix(
      excess)
    for (name, _) in first { policies[name] = nil }
  }

  /// Returns the name of a host without a trailing dot; nil for an invalid name and for an IP
  /// address, which cannot have a policy (§8.1.1).
  private static func name(_ host: String) -> String? {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    // A name with an empty label is invalid.
    let isName = !name.isEmpty && !name.hasPrefix(".") && !name.hasSuffix(".")
    return isName && !HostAddress.isAddress(name) ? name : nil
  }
}

/// The file format of the store, as used by curl: one host per line, with a leading dot if
/// subdomains are included, followed by the expiry time in UTC.
extension HSTSStore {
  /// Parses a file; invalid lines are ignored.
  init(_ bytes: [UInt8]) {
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard policies.count < 2 * Self.maxHosts else { break }
      let parts = line.split(separator: 0x20, maxSplits: 1)
      guard parts.count == 2, parts[0].first != UInt8(ascii: "#"),
        let end = Self.end(parts[1]),
        let host = HostName.normalized(parts[0].drop { $0 == UInt8(ascii: ".") }),
        let name = Self.name(host)
      else { continue }
      policies[name] = Policy(expiry: end, includesSubdomains: parts[0].first == UInt8(ascii: "."))
    }
  }

  /// The store in the file format.
  var text: [UInt8] {
    var text = "# Hosts that require https (RFC 6797). Written by offread.\n"
    for (name, promise) in policies.sorted(by: { $0.key < $1.key }) {
      let expiryTime = CivilTime(secondsSince1970: promise.expiry)
      let dayParts = [
        CivilTime.padded(expiryTime.year, 4), CivilTime.padded(expiryTime.month),
        CivilTime.padded(expiryTime.day),
      ]
      let timeParts = [expiryTime.hour, expiryTime.minute, expiryTime.second].map {
        CivilTime.padded($0)
      }
      text += (promise.includesSubdomains ? "." : "") + name
      text += " \"\(dayParts.joined()) \(timeParts.joined(separator: ":"))\"\n"
    }
    return Array(text.utf8)
  }

  /// Parses an expiry time: `"20271124 18:30:00"` or `"unlimited"`.
  private static func end(_ bytes: ArraySlice<UInt8>) -> Int? {
    var cursor = DateCursor(trimming: String(decoding: bytes, as: UTF8.self))
    guard cursor.consumeLiteral("\"") else { return nil }
    if cursor.consumeLiteral("unlimited\"") { return cursor.isAtEnd ? 253_402_300_799 : nil }
    guard let year = cursor.consumeNumber(digits: 4), let month = cursor.consumeNumber(digits: 2),
      let day = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(" "),
      let hour = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(":"),
      let minute = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(":"),
      let second = cursor.consumeNumber(digits: 2), cursor.consumeLiteral("\""), cursor.isAtEnd
    else { return nil }
    let time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    return time.isDayOfCalendar && hour < 24 && minute < 60 && second < 61
      ? time.secondsSince1970 : nil
  }
}
