/// What a byte of text means to a terminal.
enum TextByte: UInt8 {
  /// Copied as it is.
  case plain
  /// White space that collapses.
  case space
  /// A control character, or the first byte of a character that has to be looked at.
  case special

  /// The class of a byte.
  @inline(__always)
  init(_ byte: UInt8) {
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: self = .space
    case 0..<0x20, 0x7F, 0xC2, 0xE2, 0xEF: self = .special
    default: self = .plain
    }
  }
}

extension [UInt8] {
  /// Appends a part of other bytes.
  package mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Appends bytes, faster than `append(contentsOf:)`.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(addingCapacity: bytes.count) { room in
      room.withUnsafeMutableBufferPointer { room, count in
        count = bytes.count
        UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(bytes))
      }
    }
  }
}

/// Looks at characters that are, or could be, dangerous on a terminal.
enum SpecialText {
  /// What to do with a character, and how many bytes it has.
  enum Action {
    case keep(Int)
    case drop(Int)
    case space(Int)
    case replace([UInt8], Int)
  }

  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Decides about the character at an index of valid UTF-8.
  static func read<Bytes: RandomAccessCollection>(_ bytes: Bytes, at index: Int, end: Int) -> Action
  where Bytes.Element == UInt8, Bytes.Index == Int {
    let byte = bytes[index]
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: return .space(1)
    case 0..<0x20, 0x7F: return .replace(replacement, 1)
    case 0xC2 where index + 1 < end && bytes[index + 1] < 0xA0:
      // C1 control characters are what windows-1252 becomes when it is taken for Latin-1.
      return .replace(Windows1252.utf8[Int(bytes[index + 1] & 0x1F)], 2)
    case 0xE2 where index + 2 < end:
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0x80, 0xA8...0xA9): return .space(3)  // line and paragraph separator
      case (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return .drop(3)  // bidi embeddings, isolates
      case (0x81, 0xA1...0xA4): return .drop(3)  // invisible operators of formulas
      default: return .keep(3)
      }
    case 0xEF where index + 2 < end && bytes[index + 1] == 0xBB && bytes[index + 2] == 0xBF:
      return .drop(3)
    case 0xC2: return .keep(min(2, end - index))
    case 0xE2, 0xEF: return .keep(min(3, end - index))
    default: return .keep(1)
    }
  }

  /// Valid UTF-8 on one line, white space collapsed, without control characters.
  static func line(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      // A byte becomes three at most.
      String(unsafeUninitializedCapacity: 3 * bytes.count) { line in
        var (index, count) = (0, 0)
        var needsSpace = false
        func append(_ part: some Collection<UInt8>) {
          if needsSpace, count > 0 {
            line[count] = 0x20
            count += 1
          }
          needsSpace = false
          for byte in part {
            line[count] = byte
            count += 1
          }
        }
        while index < bytes.count {
          let start = index
          while index < bytes.count, TextByte(bytes[index]) == .plain { index += 1 }
          guard index == start else {
            append(bytes[start..<index])
            continue
          }
          switch read(bytes, at: index, end: bytes.count) {
          case .keep(let length):
            append(bytes[index..<index + length])
            index += length
          case .drop(let length): index += length
          case .space(let length):
            needsSpace = true
            index += length
          case .replace(let replacement, let length):
            append(replacement)
            index += length
          }
        }
        return count
      }
    }
  }
}
