package import Images

/// What a terminal answers when it is asked for its graphics.
package enum TerminalAnswer: Sendable, Equatable {
  /// It knows the protocol of kitty.
  case knowsKitty
  /// A cell, in pixels.
  case cell(ImageSize)
  /// So many colours of sixels.
  case colors(Int)
  /// What it is (DA1): the last answer, as every terminal knows the question.
  case attributes([Int])

  /// What is asked: whether there are graphics of kitty, how large a cell is, how many colours sixels have (which
  /// kitty takes for a mistake), and, as a fence, what it is.
  static func question(_ environment: [String: String]) -> String {
    let colors = environment["TERM"] == "xterm-kitty" ? "" : "\u{1B}[?1;1;0S"
    return "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\(colors)\u{1B}[c"
  }

  /// Reads a control sequence (CSI).
  init?(final: UInt8, parameters: ArraySlice<UInt8>) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    // kitty ends its attributes with an empty one.
    let texts = String(decoding: parameters.dropFirst(isPrivate ? 1 : 0), as: UTF8.self)
      .split(separator: ";")
    let numbers = texts.compactMap { Int($0) }
    guard numbers.count == texts.count else { return nil }
    switch (final, isPrivate) {
    case (UInt8(ascii: "c"), true): self = .attributes(numbers)
    case (UInt8(ascii: "S"), true) where numbers.count == 3 && numbers[..<2] == [1, 0]:
      self = .colors(numbers[2])
    case (UInt8(ascii: "t"), false) where numbers.count == 3 && numbers[0] == 6:
      guard let cell = Self.cell(width: numbers[2], height: numbers[1]) else { return nil }
      self = .cell(cell)
    default: return nil
    }
  }

  /// Reads the body of a string (APC).
  init?(application body: ArraySlice<UInt8>) {
    guard body.starts(with: Array("Gi=31;OK".utf8)) else { return nil }
    self = .knowsKitty
  }

  /// A size that a cell can have.
  static func cell(width: Int, height: Int) -> ImageSize? {
    (2...100).contains(width) && (4...100).contains(height)
      ? ImageSize(width: width, height: height) : nil
  }

  /// Whether the terminal of the process may be asked: a multiplexer between would pass nothing on that is right.
  package static func mayBeAsked(_ environment: [String: String]) -> Bool {
    let term = environment["TERM"] ?? ""
    return (environment["TMUX"] ?? "").isEmpty && (environment["STY"] ?? "").isEmpty
      && !term.hasPrefix("screen") && !term.hasPrefix("tmux")
  }
}
