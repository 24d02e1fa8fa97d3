/// Splits a list of links at the commas outside targets and quoted strings.
struct LinkSplitter: Sendable {
  private var link: [UInt8] = []
  private var state = State.between

  private enum State {
    case between, target, quoted, escaped
  }

  /// The maximum length of a link in bytes; longer ones are dropped.
  private static let maxLinkLength = 1 << 14

  /// Processes a byte.
  /// - Returns: The link that this byte completes, without the comma; otherwise nil.
  mutating func consume(_ byte: UInt8) -> [UInt8]? {
    switch (state, byte) {
    case (.between, UInt8(ascii: ",")): return finish()
    case (.between, UInt8(ascii: "<")): state = .target
    case (.between, UInt8(ascii: "\"")): state = .quoted
    // A line feed cannot be part of a URL: the link was truncated, and another may follow.
    case (.target, UInt8(ascii: ">")), (.target, 10), (.quoted, UInt8(ascii: "\"")):
      state = .between
    case (.quoted, UInt8(ascii: "\\")): state = .escaped
    case (.escaped, _): state = .quoted
    default: break
    }
    if link.count <= Self.maxLinkLength { link.append(byte) }
    return nil
  }

  /// Processes the end of the list.
  /// - Returns: The last link, or nil if there is none.
  mutating func finish() -> [UInt8]? {
    defer {
      link.removeAll(keepingCapacity: true)
      state = .between
    }
    return link.isEmpty || link.count > Self.maxLinkLength ? nil : link
  }
}
