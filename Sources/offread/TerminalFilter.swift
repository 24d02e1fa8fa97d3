import Terminal
import TerminalUI

/// A filter that makes content safe for a terminal. It passes text, tabs and line feeds, removes
/// carriage returns, and replaces other control characters, escape sequences, invisible characters
/// and invalid UTF-8 by U+FFFD.
struct TerminalFilter {
  /// The first bytes of a character that continues in the next part.
  private var incompleteCharacter: [UInt8] = []

  /// Filters the next part of the content.
  mutating func clean(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = incompleteCharacter + bytes
    let buffered = Self.incompleteLength(bytes)
    incompleteCharacter = Array(bytes.suffix(buffered))
    bytes.removeLast(buffered)
    return Self.clean(bytes)
  }

  /// Returns the rest of the output at the end of the content.
  mutating func finish() -> [UInt8] {
    defer { incompleteCharacter = [] }
    return Self.clean(incompleteCharacter)
  }

  private static func clean(_ bytes: [UInt8]) -> [UInt8] {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where scalar != "\r" {
      let passes = scalar == "\n" || scalar == "\t" || Frame.isSafe(scalar)
      result.append(passes ? scalar : "\u{FFFD}")
    }
    return Array(String(result).utf8)
  }

  /// Returns the length of the incomplete UTF-8 sequence at the end, or 0.
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
