import DOM

/// Names of files in ZIP archives whose encoding is unknown: instead of code page 437, programs
/// write the encoding of the system's language, such as Shift_JIS.
package enum ZIPNames {
  /// The minimum number of bytes for the detector; shorter names are repeated.
  private static let minSampleLength = 256
  /// The maximum number of bytes of names that are examined.
  private static let maxSampleLength = 1 << 16

  /// Decodes the names of an archive.
  /// - Parameter names: The names that are not valid UTF-8.
  /// - Returns: The names as text; nil if they may be in code page 437.
  package static func decoded(_ names: [[UInt8]]) -> [String]? {
    let sample = Array(names.joined(separator: [0x0A]).prefix(maxSampleLength))
    guard !sample.isEmpty, hasForeignWords(sample) else { return nil }
    let copies = minSampleLength / sample.count + 1
    let repeated = Array(repeatElement(sample + [0x0A], count: copies).joined())
    let encoding = CharacterEncoding.detect(repeated, charset: nil, isMarkup: false)
    guard !["UTF-8", "windows-1252", "UTF-16LE", "UTF-16BE"].contains(encoding.name) else {
      return nil
    }
    let decoded = text(of: names, in: encoding)
    guard !decoded.contains(where: { $0.contains("\u{FFFD}") }) else { return nil }
    guard !multiByteEncodings.contains(encoding.name) else { return decoded }
    let areAllPlausible = decoded.allSatisfy(isPlausible)
    // The detector may mistake short names in code page 866 for windows-1251, in which the capital
    // letters are symbols and letters that are not Russian.
    if encoding.name == "windows-1251",
      !areAllPlausible || names.joined().contains(where: foreignLetters.contains),
      let ibm866 = CharacterEncoding(label: "ibm866".utf8)
    {
      let russian = text(of: names, in: ibm866)
      if russian.allSatisfy(isRussian) { return russian }
    }
    return areAllPlausible ? decoded : nil
  }

  private static func text(of names: [[UInt8]], in encoding: CharacterEncoding) -> [String] {
    names.map { String(decoding: encoding.decode($0), as: UTF8.self) }
  }

  /// Encodings with many symbols that are common in names.
  private static let multiByteEncodings: Set<String> = [
    "GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "ISO-2022-JP",
  ]

  /// The letters of other languages among the bytes 0x80 to 0x9F of windows-1251.
  private static let foreignLetters: Set<UInt8> = [
    0x80, 0x81, 0x83, 0x8A, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x9A, 0x9C, 0x9D, 0x9E, 0x9F,
  ]

  /// Whether a name has only letters, numbers and common punctuation beyond ASCII. Line drawing of
  /// code page 437, for example, has other characters in most encodings.
  private static func isPlausible(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard scalars.count(where: { $0 == "«" }) == scalars.count(where: { $0 == "»" }) else {
      return false
    }
    return scalars.allSatisfy { scalar in
      let properties = scalar.properties
      return scalar.isASCII || properties.isAlphabetic || properties.numericType != nil
        || properties.generalCategory == .nonspacingMark
        || "№–—“”„’…«»،؛؟".unicodeScalars.contains(scalar)
    }
  }

  /// Whether a name has only Russian letters beyond ASCII, and no capital letters within words.
  private static func isRussian(_ name: String) -> Bool {
    var isAfterSmall = false
    for scalar in name.unicodeScalars {
      let isCapital = ("А"..."Я").contains(scalar) || scalar == "Ё"
      let isSmall = ("а"..."я").contains(scalar) || scalar == "ё"
      guard scalar.isASCII || isSmall || isCapital && !isAfterSmall || scalar == "№" else {
        return false
      }
      isAfterSmall = isSmall
    }
    return true
  }

  /// Whether at least half of the bytes above 0x7F are in runs of three or more. In the languages
  /// of code page 437, few letters have accents, and hardly ever three in a row.
  private static func hasForeignWords(_ names: [UInt8]) -> Bool {
    var (total, adjacent, run) = (0, 0, 0)
    for byte in names + [0] {
      if byte >= 0x80 {
        run += 1
        continue
      }
      total += run
      if run >= 3 { adjacent += run }
      run = 0
    }
    return adjacent * 2 >= total && adjacent > 0
  }
}
