/// Handles characters that are, or may be, dangerous on a terminal.
package enum SpecialText {
  /// The action for a character, with its length in bytes.
  package enum CharacterAction {
    case keep(Int)
    case drop(Int)
    case space(Int)
    case replace([UInt8], Int)
  }

  private static let replacementCharacter: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Returns the action for the character at an index of valid UTF-8, by its `CharacterRole`.
  /// Common cases are decided from the bytes, because this is a hot path.
  package static func action(_ bytes: [UInt8], at index: Int, end: Int) -> CharacterAction {
    genericAction(bytes, at: index, end: end)
  }

  /// Returns the action for the character at an index of a buffer.
  package static func action(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, end: Int
  ) -> CharacterAction {
    genericAction(bytes, at: index, end: end)
  }

  private static func genericAction<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at index: Int, end: Int
  ) -> CharacterAction
  where Bytes.Element == UInt8, Bytes.Index == Int {
    let byte = bytes[index]
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: return .space(1)
    case 0..<0x20, 0x7F: return .replace(replacementCharacter, 1)
    case 0xC2 where index + 1 < end && bytes[index + 1] < 0xA0:
      // C1 control characters result from windows-1252 decoded as Latin-1.
      return .replace(Windows1252.utf8SequencesFrom80[Int(bytes[index + 1] & 0x1F)], 2)
    case 0xC2: return .keep(min(2, end - index))
    case 0xCD where index + 1 < end && bytes[index + 1] != 0x8F: return .keep(2)
    case 0xD8 where index + 1 < end && bytes[index + 1] != 0x9C: return .keep(2)
    case 0xE2 where index + 2 < end && bytes[index + 1] > 0x81: return .keep(3)
    case 0xEE: return .keep(min(3, end - index))
    case 0xCD, 0xD8, 0xE2, 0xEF, 0xF3: return scalarAction(bytes, at: index, end: end)
    default: return .keep(1)
    }
  }

  private static func scalarAction<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at index: Int, end: Int
  ) -> CharacterAction where Bytes.Element == UInt8, Bytes.Index == Int {
    guard let (scalar, length) = scalar(bytes, at: index, end: end) else {
      return .keep(min(1, end - index))
    }
    switch CharacterRole(scalar) {
    case .visible, .lineBreakControl: return .keep(length)
    case .control: return .replace(replacementCharacter, length)
    case .separator: return .space(length)
    case .invisible: return .drop(length)
    case .variationSelector:
      var start = index - 1
      while start > bytes.startIndex, start > index - 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
      guard start >= bytes.startIndex, let (base, _) = Self.scalar(bytes, at: start, end: index),
        CharacterRole.canPrecedeVariationSelector(base)
      else { return .drop(length) }
      return .keep(length)
    }
  }

  private static func scalar<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, at index: Int, end: Int
  ) -> (Unicode.Scalar, length: Int)? where Bytes.Element == UInt8, Bytes.Index == Int {
    let first = UInt32(bytes[index])
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard index + length <= end else { return nil }
    var value = length == 1 ? first : first & (0x7F >> UInt32(length))
    for byte in bytes[(index + 1)..<(index + length)] { value = value << 6 | UInt32(byte & 0x3F) }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  /// Returns valid UTF-8 as one line: white space is collapsed, and removed at the ends; control
  /// and invisible characters are replaced or removed as `action` decides.
  package static func collapsedLine(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      // Each byte becomes at most three.
      String(unsafeUninitializedCapacity: 3 * bytes.count) { line in
        var (index, writtenCount) = (0, 0)
        var needsSpace = false
        func append(_ part: some Collection<UInt8>) {
          if needsSpace, writtenCount > 0 {
            line[writtenCount] = 0x20
            writtenCount += 1
          }
          needsSpace = false
          for byte in part {
            line[writtenCount] = byte
            writtenCount += 1
          }
        }
        while index < bytes.count {
          let start = index
          while index < bytes.count, TextByteClass(bytes[index]) == .plain { index += 1 }
          guard index == start else {
            append(bytes[start..<index])
            continue
          }
          switch action(bytes, at: index, end: bytes.count) {
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
        return writtenCount
      }
    }
  }
}
