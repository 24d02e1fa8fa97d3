/// Files in the text of old mails, encoded with uuencode (POSIX.1-2017, `uuencode`).
enum UUEncoding {
  /// An encoded file in a text.
  struct File: Equatable {
    /// The range in the text from the line `begin` up to the end of the line `end`.
    var range: Range<Int>
    /// The range of the file name in the text.
    var name: Range<Int>
    /// The range of the encoded lines in the text.
    var content: Range<Int>
  }

  /// Returns the first complete file in a part of a text; nil if there is none.
  static func nextFile(in text: [UInt8], _ range: Range<Int>) -> File? {
    var start = range.lowerBound
    while start < range.upperBound {
      let next = lineEnd(in: text, start..<range.upperBound)
      if let name = name(in: text, start..<next),
        let (content, end) = content(in: text, next..<range.upperBound)
      {
        return File(range: start..<end, name: name, content: content)
      }
      start = next
    }
    return nil
  }

  /// Decodes lines. Spaces at the end of a line may be missing.
  static func decoded(_ lines: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(lines.count / 4 * 3)
    for line in lines.split(separator: 0x0A) {
      guard let first = line.first else { continue }
      var count = length(of: first)
      var index = line.startIndex + 1
      func digit() -> UInt32 {
        defer { index += 1 }
        return index < line.endIndex && line[index] > 0x20 ? UInt32((line[index] - 0x20) & 63) : 0
      }
      while count > 0 {
        let bits = digit() << 18 | digit() << 12 | digit() << 6 | digit()
        for shift in [16, 8, 0] as [UInt32] where count > 0 {
          result.append(UInt8(truncatingIfNeeded: bits >> shift))
          count -= 1
        }
      }
    }
    return result
  }

  /// Returns the range of the name in a line such as `begin 644 name`; nil for another line.
  private static func name(in text: [UInt8], _ line: Range<Int>) -> Range<Int>? {
    let written = text[line]
    guard written.starts(with: "begin ".utf8) else { return nil }
    let mode = written.dropFirst(6).prefix { (0x30...0x37).contains($0) }
    guard (3...4).contains(mode.count), mode.endIndex < line.upperBound,
      text[mode.endIndex] == 0x20
    else { return nil }
    var end = line.upperBound
    while end > mode.endIndex, text[end - 1] <= 0x20 { end -= 1 }
    return end > mode.endIndex + 1 ? mode.endIndex + 1..<end : nil
  }

  /// Returns the range of the encoded lines at the start of a part of a text, and the end of the
  /// line `end` after them; nil if other lines are between them.
  private static func content(
    in text: [UInt8], _ range: Range<Int>
  ) -> (content: Range<Int>, end: Int)? {
    var start = range.lowerBound
    while start < range.upperBound {
      let next = lineEnd(in: text, start..<range.upperBound)
      var line = text[start..<next]
      while let last = line.last, last <= 0x20 { line.removeLast() }
      if line.elementsEqual("end".utf8) { return (range.lowerBound..<start, next) }
      // An empty line of the encoding is a grave accent, a space, or nothing.
      if let first = line.first {
        // Some programs append a checksum.
        guard line.allSatisfy({ (0x20...0x60).contains($0) }),
          line.count <= 2 + (length(of: first) + 2) / 3 * 4
        else { return nil }
      }
      start = next
    }
    return nil
  }

  /// Returns the number of decoded bytes that the first character of an encoded line declares; 0 if
  /// the character is invalid.
  private static func length(of first: UInt8) -> Int {
    (0x20...0x60).contains(first) ? Int((first - 0x20) & 63) : 0
  }

  /// Returns the end of the first line, with its line break.
  private static func lineEnd(in text: [UInt8], _ range: Range<Int>) -> Int {
    text[range].firstIndex(of: 0x0A).map { $0 + 1 } ?? range.upperBound
  }
}
