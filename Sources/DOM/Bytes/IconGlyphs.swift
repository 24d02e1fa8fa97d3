/// Glyphs of icon fonts: characters of the private use areas, which mean nothing without the font
/// of the page.
package enum IconGlyphs {
  /// Returns the length in bytes of the glyph at an index of valid UTF-8. Nil for other characters,
  /// and for a private-use character directly after an ideograph, because books encode rare
  /// ideographs as such characters.
  package static func glyphLength(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, textStart: Int, textEnd: Int
  ) -> Int? {
    let length: Int
    switch bytes[index] {
    case 0xEE: length = 3
    case 0xEF where index + 1 < textEnd && bytes[index + 1] < 0xA4: length = 3
    case 0xF3 where index + 1 < textEnd && bytes[index + 1] >= 0xB0: length = 4
    default: return nil
    }
    guard index + length <= textEnd else { return nil }
    var before = index - 1
    while before > textStart, bytes[before] & 0xC0 == 0x80 { before -= 1 }
    guard before >= textStart else { return length }
    return IdeographicText.isSingleIdeograph(Array(bytes[before..<index])[...]) ? nil : length
  }

  /// Whether a byte begins a glyph, or another character above U+DFFF.
  package static func mayBeginGlyph(_ byte: UInt8) -> Bool {
    byte == 0xEE || byte == 0xEF || byte == 0xF3
  }
}

extension ArraySlice<UInt8> {
  /// The text without glyphs of icon fonts.
  package var withoutIconGlyphs: ArraySlice<UInt8> {
    guard contains(where: IconGlyphs.mayBeginGlyph) else { return self }
    return withUnsafeBufferPointer { bytes in
      var (keptBytes, index): ([UInt8], Int) = ([], 0)
      while index < bytes.count {
        if let length = IconGlyphs.glyphLength(bytes, at: index, textStart: 0, textEnd: bytes.count)
        {
          index += length
        } else {
          keptBytes.append(bytes[index])
          index += 1
        }
      }
      return keptBytes[...]
    }
  }
}
