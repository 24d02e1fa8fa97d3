import Dates
import Foundation

/// The hosts that want to be asked by https only (RFC 6797), and until when.
struct StrictHosts: Sendable, Equatable {
  /// The most hosts; those whose time ends first go first.
  static let limit = 4096

  /// What a host has said.
  struct Promise: Sendable, Equatable {
    /// When it ends, in seconds since 1970.
    var end: Int
    /// Whether it is for the hosts below, too.
    var includesSubdomains: Bool
  }

  private var promises: [String: Promise] = [:]

  /// Whether there are none.
  var isEmpty: Bool { promises.isEmpty }

  /// Whether a host is asked by https only: it has said so, or one above it has for all below (§8.2).
  func contains(_ host: String, now: Date) -> Bool {
    guard !promises.isEmpty, let name = Self.name(host) else { return false }
    let now = now.timeIntervalSince1970
    var rest = name[...]
    while true {
      if let promise = promises[String(rest)], Double(promise.end) > now,
        rest.utf8.count == name.utf8.count || promise.includesSubdomains
      {
        return true
      }
      guard let dot = rest.firstIndex(of: ".") else { return false }
      rest = rest[rest.index(after: dot)...]
    }
  }

  /// Takes what a host has said by an answer over TLS (§8.1).
  mutating func take(_ policy: StrictTransport, of host: String, now: Date) {
    guard let name = Self.name(host), changes(policy, of: name, now: now) else { return }
    guard policy.maxAge > 0 else {
      promises[name] = nil
      return
    }
    promises[name] = Promise(
      end: Int(now.timeIntervalSince1970) + policy.maxAge,
      includesSubdomains: policy.includesSubdomains)
    shrink(now: now)
  }

  /// Whether what a host has said is news. That its time begins anew, as with every answer, is only
  /// once a tenth of it has passed: else each answer would be written down.
  func changes(_ policy: StrictTransport, of host: String, now: Date) -> Bool {
    guard let name = Self.name(host) else { return false }
    guard let known = promises[name] else { return policy.maxAge > 0 }
    let gain = Int(now.timeIntervalSince1970) + policy.maxAge - known.end
    return policy.maxAge == 0 || known.includesSubdomains != policy.includesSubdomains
      || gain < 0 || gain > policy.maxAge / 10
  }

  private mutating func shrink(now: Date) {
    guard promises.count > Self.limit else { return }
    promises = promises.filter { Double($0.value.end) > now.timeIntervalSince1970 }
    let excess = promises.count - Self.limit
    guard excess > 0 else { return }
    let first = promises.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }.prefix(excess)
    for (name, _) in first { promises[name] = nil }
  }

  /// The name of a host without a dot at its end; nil for an address, which is never one (§8.1.1).
  private static func name(_ host: String) -> String? {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    // A name with an empty label is one of no host.
    let isName = !name.isEmpty && !name.hasPrefix(".") && !name.hasSuffix(".")
    return isName && !HostAddress.isAddress(name) ? name : nil
  }
}

/// The file of them, as curl has it: a host a line, with a dot in front where it is for those below,
/// and when it ends, in UTC.
extension StrictHosts {
  /// Reads a file; lines that cannot be read are left out.
  init(_ bytes: [UInt8]) {
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard promises.count < 2 * Self.limit else { break }
      let parts = line.split(separator: 0x20, maxSplits: 1)
      guard parts.count == 2, parts[0].first != UInt8(ascii: "#"),
        let end = Self.end(parts[1]),
        let host = HostName.normalised(parts[0].drop { $0 == UInt8(ascii: ".") }),
        let name = Self.name(host)
      else { continue }
      promises[name] = Promise(end: end, includesSubdomains: parts[0].first == UInt8(ascii: "."))
    }
  }

  /// The bytes of the file.
  var text: [UInt8] {
    var text = "# Hosts that are asked by https only. Kept by offread.\n"
    for (name, promise) in promises.sorted(by: { $0.key < $1.key }) {
      let end = CivilTime(secondsSince1970: promise.end)
      let day = [
        CivilTime.padded(end.year, 4), CivilTime.padded(end.month), CivilTime.padded(end.day),
      ]
      let time = [end.hour, end.minute, end.second].map { CivilTime.padded($0) }
      text += (promise.includesSubdomains ? "." : "") + name
      text += " \"\(day.joined()) \(time.joined(separator: ":"))\"\n"
    }
    return Array(text.utf8)
  }

  /// `"20271124 18:30:00"`, or `"unlimited"`.
  private static func end(_ bytes: ArraySlice<UInt8>) -> Int? {
    var cursor = DateCursor(trimming: String(decoding: bytes, as: UTF8.self))
    guard cursor.literal("\"") else { return nil }
    if cursor.literal("unlimited\"") { return cursor.isAtEnd ? 253_402_300_799 : nil }
    guard let year = cursor.number(digits: 4), let month = cursor.number(digits: 2),
      let day = cursor.number(digits: 2), cursor.literal(" "),
      let hour = cursor.number(digits: 2), cursor.literal(":"),
      let minute = cursor.number(digits: 2), cursor.literal(":"),
      let second = cursor.number(digits: 2), cursor.literal("\""), cursor.isAtEnd
    else { return nil }
    let time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    return time.isDayOfCalendar && hour < 24 && minute < 60 && second < 61
      ? time.secondsSince1970 : nil
  }
}
