import DOM

/// Names of files in ZIP archives whose encoding is unknown: programs write those of the system's
/// language, such as Shift_JIS, instead of code page 437.
package enum ZIPNames {
  /// The minimum number of bytes that are passed to the detector, which needs some text.
  private static let minSample = 256, maxSample = 1 << 16

  /// Decodes the names of an archive.
  /// - Parameter names: The names that are not valid UTF-8.
  /// - Returns: The names as text; nil if they may be in code page 437.
  package static func decoded(_ names: [[UInt8]]) -> [String]? {
    let sample = Array(names.joined(separator: [0x0A]).prefix(maxSample))
    guard !sample.isEmpty, hasForeignWords(sample) else { return nil }
    let copies = minSample / sample.count + 1
    let text = Array(repeatElement(sample + [0x0A], count: copies).joined())
    let encoding = CharacterEncoding.detect(text, charset: nil, isMarkup: false)
    guard !["UTF-8", "windows-1252", "UTF-16LE", "UTF-16BE"].contains(encoding.name) else {
      return nil
    }
    let decoded = names.map { String(decoding: encoding.decode($0), as: UTF8.self) }
    return decoded.contains { $0.contains("\u{FFFD}") } ? nil : decoded
  }

  /// Whether most bytes above 0x7F are beside others. In the languages of code page 437, few
  /// letters have accents, and hardly ever three in a row.
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
