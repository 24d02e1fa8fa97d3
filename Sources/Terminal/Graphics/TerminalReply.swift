package import Images

/// A reply of the terminal to a query about its graphics.
package enum TerminalReply: Sendable, Equatable {
  /// The terminal supports the kitty graphics protocol.
  case supportsKitty
  /// The size of a cell in pixels.
  case cellSize(ImageSize)
  /// The number of sixel colour registers.
  case sixelColorCount(Int)
  /// The primary device attributes (DA1). This reply is the last one, because every terminal
  /// supports the query.
  case deviceAttributes([Int])

  /// Returns the queries for kitty graphics, the size of a cell, the number of sixel colours
  /// (except in kitty, which reports an error), and, as a fence, the device attributes.
  static func queries(_ environment: [String: String]) -> String {
    let colors = environment["TERM"] == "xterm-kitty" ? "" : "\u{1B}[?1;1;0S"
    return "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\(colors)\u{1B}[c"
  }

  /// Parses a control sequence (CSI); nil if it is not a known reply.
  init?(finalByte: UInt8, parameters: ArraySlice<UInt8>) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    // kitty ends its attributes with an empty one.
    let texts = String(decoding: parameters.dropFirst(isPrivate ? 1 : 0), as: UTF8.self)
      .split(separator: ";")
    let numbers = texts.compactMap { Int($0) }
    guard numbers.count == texts.count else { return nil }
    switch (finalByte, isPrivate) {
    case (UInt8(ascii: "c"), true): self = .deviceAttributes(numbers)
    case (UInt8(ascii: "S"), true) where numbers.count == 3 && numbers[..<2] == [1, 0]:
      self = .sixelColorCount(numbers[2])
    case (UInt8(ascii: "t"), false) where numbers.count == 3 && numbers[0] == 6:
      guard let cell = Self.cell(width: numbers[2], height: numbers[1]) else { return nil }
      self = .cellSize(cell)
    default: return nil
    }
  }

  /// Parses the body of an application program command (APC); nil if it is not a known reply.
  init?(application body: ArraySlice<UInt8>) {
    guard body.starts(with: Array("Gi=31;OK".utf8)) else { return nil }
    self = .supportsKitty
  }

  /// Returns a cell size; nil if it is implausible.
  static func cell(width: Int, height: Int) -> ImageSize? {
    (2...100).contains(width) && (4...100).contains(height)
      ? ImageSize(width: width, height: height) : nil
  }

  /// Returns whether the terminal may be queried; a multiplexer would not pass on valid replies.
  package static func canBeQueried(_ environment: [String: String]) -> Bool {
    let term = environment["TERM"] ?? ""
    return (environment["TMUX"] ?? "").isEmpty && (environment["STY"] ?? "").isEmpty
      && !term.hasPrefix("screen") && !term.hasPrefix("tmux")
  }
}
