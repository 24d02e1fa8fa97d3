import Terminal
import TerminalUI

/// Bytes of the web made fit for a terminal: text, tabs and line ends pass; control characters,
/// escape sequences, what cannot be seen and what is not UTF-8 become U+FFFD.
struct TerminalFilter {
  /// The beginning of a character that goes on in the next piece.
  private var pending: [UInt8] = []

  /// The next piece, cleaned.
  mutating func clean(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = pending + bytes
    let held = Self.incompleteLength(bytes)
    pending = Array(bytes.suffix(held))
    bytes.removeLast(held)
    return Self.clean(bytes)
  }

  /// What is still held back at the end.
  mutating func finish() -> [UInt8] {
    defer { pending = [] }
    return Self.clean(pending)
  }

  private static func clean(_ bytes: [UInt8]) -> [UInt8] {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where scalar != "\r" {
      let passes = scalar == "\n" || scalar == "\t" || Frame.isSafe(scalar)
      result.append(passes ? scalar : "\u{FFFD}")
    }
    return Array(String(result).utf8)
  }

  /// The length of the incomplete UTF-8 sequence at the end.
  private static func incompleteLength(_ bytes: [UInt8]) -> Int {
    for length in 1...3 where length <= bytes.count {
      let byte = bytes[bytes.count - length]
      if byte & 0xC0 == 0x80 { continue }
      let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length < wanted ? length : 0
    }
    return 0
  }
}
