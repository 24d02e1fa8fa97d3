/// A robots.txt file, divided into groups (RFC 9309 §2.2).
struct RobotsFile {
  /// The rules for one or more crawlers.
  struct Group {
    /// The product tokens in lower case; `*` matches any crawler.
    var agents: [[UInt8]] = []
    var rules: [(pattern: ArraySlice<UInt8>, isAllowed: Bool)] = []
    var delay: Duration?
  }

  private(set) var groups: [Group] = []
  private(set) var sitemaps: [String] = []
  /// Whether the last line was a user-agent line. If so, another user-agent line belongs to the
  /// same group.
  private var isInAgentLines = false

  private static let maxSitemaps = 1000

  init(_ bytes: [UInt8]) {
    var content = bytes.prefix(RobotsRules.maxSize)
    if content.count < bytes.count {
      // A line that was truncated by the size limit is ignored.
      content = content.prefix(through: content.lastIndex(where: Self.endsLine) ?? 0)
    }
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    for line in content.split(whereSeparator: Self.endsLine) {
      let text = line.prefix { $0 != UInt8(ascii: "#") }
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { continue }
      apply(Self.trimmed(text[..<colon]), Self.trimmed(text[(colon + 1)...]))
    }
  }

  private mutating func apply(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    guard name.count <= 16 else { return }
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "user-agent", "useragent", "user agent": addAgent(value)
    case "disallow", "dissallow", "disalow", "diasllow": addRule(value, isAllowed: false)
    case "allow": addRule(value, isAllowed: true)
    case "crawl-delay", "crawldelay", "crawl delay":
      isInAgentLines = false
      guard !groups.isEmpty, let delay = Self.seconds(value) else { return }
      groups[groups.count - 1].delay = delay
    case "sitemap", "site-map":
      guard sitemaps.count < Self.maxSitemaps, !value.isEmpty else { return }
      sitemaps.append(String(decoding: value, as: UTF8.self))
    default: break
    }
  }

  private mutating func addAgent(_ value: ArraySlice<UInt8>) {
    // Only the product token of a value such as `Name/1.2 (words)` counts (§2.2.1).
    let token = value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let name =
      token.first == UInt8(ascii: "*")
      ? [UInt8(ascii: "*")]
      : Array(token.prefix { (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F })
    if !isInAgentLines { groups.append(Group()) }
    isInAgentLines = true
    groups[groups.count - 1].agents.append(name)
  }

  private mutating func addRule(_ value: ArraySlice<UInt8>, isAllowed: Bool) {
    isInAgentLines = false
    // Rules before the first group and rules without a path are ignored.
    guard !groups.isEmpty, !value.isEmpty else { return }
    groups[groups.count - 1].rules.append((value, isAllowed))
  }

  private static func seconds(_ value: ArraySlice<UInt8>) -> Duration? {
    guard value.count <= 16, let number = Double(String(decoding: value, as: UTF8.self)),
      number.isFinite, number >= 0
    else { return nil }
    return .milliseconds(Int(min(number, 86_400) * 1000))
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes
  }
}
