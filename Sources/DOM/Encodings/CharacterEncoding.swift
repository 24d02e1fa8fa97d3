/// A character encoding of the Encoding standard or of mail, with its decoder and encoder.
package struct CharacterEncoding: Sendable, Equatable {
  /// The name in the Encoding standard, as in `Document.encodingName`, or that of iconv.
  package let name: String

  /// UTF-8, the encoding of nearly all pages.
  package static let utf8 = CharacterEncoding(name: "UTF-8")
  /// The fallback for undeclared text that is not UTF-8.
  package static let windows1252 = CharacterEncoding(name: "windows-1252")
  static let utf16LE = CharacterEncoding(name: "UTF-16LE")
  static let utf16BE = CharacterEncoding(name: "UTF-16BE")
  /// The encodings of files with their byte order mark. Browsers do not support them.
  static let utf32LE = CharacterEncoding(name: "UTF-32LE")
  static let utf32BE = CharacterEncoding(name: "UTF-32BE")
  static let iso2022JP = CharacterEncoding(name: "ISO-2022-JP")

  /// Creates an encoding with a name of the Encoding standard or of iconv.
  init(name: String) {
    self.name = name
  }

  /// Returns the encoding for a label of the Encoding standard (`latin1` is windows-1252), or nil
  /// if the label is unknown.
  package init?(label: some Sequence<UInt8>) {
    var key: [UInt8] = []
    for byte in label {
      if byte.isWhiteSpace {
        if key.isEmpty { continue }
        break
      }
      guard key.count < 32 else { return nil }
      key.append(byte.lowercased)
    }
    guard let name = EncodingLabels.name(for: String(decoding: key, as: UTF8.self)) else {
      return nil
    }
    self.name = name
  }

  /// Whether this is a UTF-16 or UTF-32 encoding, in which ASCII characters have NUL bytes.
  var isWide: Bool { [.utf16LE, .utf16BE, .utf32LE, .utf32BE].contains(self) }

  /// Whether characters may be encoded as several bytes above 0x7F.
  var isMultiByte: Bool {
    switch name {
    case "GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "UTF-8": true
    default: false
    }
  }

  /// Decodes bytes to valid UTF-8 without byte order mark; NUL becomes a space. Invalid bytes
  /// become U+FFFD. If iconv does not support the encoding, the bytes are decoded as windows-1252.
  /// Valid UTF-8 is returned without a copy.
  package func decode(_ bytes: consuming [UInt8]) -> [UInt8] {
    var start = 0
    if let (encoding, length) = Self.encodingOfByteOrderMark(bytes), encoding == self {
      start = length
    }
    switch name {
    case "UTF-8": return Self.repairedUTF8(bytes, from: start)
    case "windows-1252": return Self.decodedWindows1252(bytes)
    case "x-user-defined", "replacement": return Self.decodedASCII(bytes)
    case "ISO-2022-JP":
      // Converted to EUC-JP, which has the same characters and better support in iconv.
      guard let conversion = IconvConversion(from: "EUC-JP") else {
        return Self.decodedASCII(bytes)
      }
      return Self.repairedUTF8(conversion.convert(ISO2022JP.convertedToEUCJP(bytes)[...]), from: 0)
    case Self.hzName: return Self(name: "GBK").decode(HZ.convertedToGBK(bytes))
    default:
      guard let conversion = IconvConversion(from: name) else {
        return Self.decodedWindows1252(bytes)
      }
      return Self.repairedUTF8(conversion.convert(bytes[start...]), from: 0)
    }
  }

  /// Whether text can be written in this encoding: UTF-16 and UTF-32 are only decoded (Encoding
  /// standard, "get an output encoding").
  package var canEncode: Bool { !isWide && name != "replacement" }

  /// Encodes text. Unsupported characters become numeric character references, as in forms
  /// (Encoding standard §4.1, error mode "html").
  package func encode(_ text: String) -> [UInt8] {
    encode(text) { "&#\($0.value);" }
  }

  /// Encodes text.
  /// - Parameters:
  ///   - text: The text.
  ///   - replacement: Returns the ASCII text for a character that the encoding does not have.
  /// - Returns: The bytes.
  func encode(_ text: String, replacement: (Unicode.Scalar) -> String) -> [UInt8] {
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B }
    if self == .utf8 || isPlain { return Array(text.utf8) }
    let conversion = IconvConversion(to: name)
    var result: [UInt8] = []
    for scalar in text.unicodeScalars {
      let character = Array(String(scalar).utf8)
      if let bytes = conversion?.convert(character: character) {
        result += bytes
      } else if scalar.isASCII {
        result += character
      } else {
        result += conversion?.convert(character: []) ?? []
        result += replacement(scalar).utf8
      }
    }
    return result + (conversion?.convert(character: []) ?? [])
  }

  /// Returns the encoding that a byte order mark indicates, and the length of the mark; nil without
  /// a mark.
  static func encodingOfByteOrderMark(_ bytes: [UInt8]) -> (CharacterEncoding, Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LE, 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BE, 4) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
    return nil
  }

  /// Replaces invalid sequences by U+FFFD, except stray bytes of windows-1252, and NUL by a space.
  private static func repairedUTF8(_ bytes: consuming [UInt8], from start: Int) -> [UInt8] {
    let validation = bytes.withUnsafeBufferPointer { UTF8Validation($0) }
    let (isValid, hasNull) = (validation.isValid, validation.hasNUL)
    if isValid, !hasNull { return start == 0 ? bytes : Array(bytes[start...]) }
    // The standard library replaces maximal subparts, as the Encoding standard does.
    var result =
      isValid
      ? Array(bytes[start...])
      : Array(String(decoding: withoutStrayBytes(bytes, from: start), as: UTF8.self).utf8)
    for index in result.indices where result[index] == 0 { result[index] = 0x20 }
    return result
  }

  /// Replaces single bytes from 0x80 to 0x9F between well-formed characters by the characters of
  /// windows-1252: quotation marks and dashes that were pasted into a page in UTF-8. Browsers show
  /// U+FFFD instead. Other bytes are often the rest of a character that was cut off.
  private static func withoutStrayBytes(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    bytes.withUnsafeBufferPointer { input in
      var index = start
      var followsCharacter = true
      while index < input.count {
        let asciiEnd = input.endOfASCII(from: index)
        let length =
          asciiEnd > index ? asciiEnd - index : UTF8Validation.sequenceLength(input, at: index)
        if length > 0 {
          result.append(contentsOf: input[index..<index + length])
          index += length
          followsCharacter = true
          continue
        }
        let byte = input[index]
        index += 1
        let isStray =
          followsCharacter && (0x80...0x9F).contains(byte)
          && (index == input.count || UTF8Validation.sequenceLength(input, at: index) > 0)
        if isStray {
          result.append(contentsOf: Windows1252.utf8SequencesFrom80[Int(byte - 0x80)])
        } else {
          result.append(byte)
        }
        followsCharacter = false
      }
    }
    return result
  }

  private static func decodedWindows1252(_ bytes: [UInt8]) -> [UInt8] {
    replacingNonASCIIBytes(of: bytes) { byte, result in
      if byte < 0xA0 {
        result.append(contentsOf: Windows1252.utf8SequencesFrom80[Int(byte - 0x80)])
      } else {
        result.append(codePoint: UInt32(byte))
      }
    }
  }

  /// Decodes only ASCII; other bytes become U+FFFD.
  private static func decodedASCII(_ bytes: [UInt8]) -> [UInt8] {
    replacingNonASCIIBytes(of: bytes) { _, result in result.append(codePoint: 0xFFFD) }
  }

  /// Copies ASCII and replaces NUL by a space; `appendReplacement` appends the replacement of any
  /// other byte.
  private static func replacingNonASCIIBytes(
    of bytes: [UInt8], _ appendReplacement: (UInt8, inout [UInt8]) -> Void
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    bytes.withUnsafeBufferPointer { input in
      var index = 0
      while index < input.count {
        let end = input.endOfASCII(from: index)
        result.append(contentsOf: input[index..<end])
        guard end < input.count else { return }
        if input[end] == 0 { result.append(0x20) } else { appendReplacement(input[end], &result) }
        index = end + 1
      }
    }
    return result
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first NUL or byte above 0x7F at or after `start`, or `count`.
  fileprivate func endOfASCII(from start: Int) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(baseAddress) else { return count }
    while index + 16 <= count {
      // Subtracting 1 sets the highest bit of a byte of 0.
      let (low, high) = base.loadUnaligned(fromByteOffset: index, as: (UInt64, UInt64).self)
      let ones: UInt64 = 0x0101_0101_0101_0101
      if (low | (low &- ones) | high | (high &- ones)) & (ones << 7) != 0 { break }
      index += 16
    }
    while index < count, self[index] < 0x80, self[index] != 0 { index += 1 }
    return index
  }
}
