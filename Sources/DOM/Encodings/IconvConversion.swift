import Platform
import CIconv

/// A conversion between UTF-8 and another encoding by iconv.
package struct IconvConversion: ~Copyable {
  private let descriptor: iconv_t
  /// The number of bytes to skip after an error.
  private let skippedByteCount: Int
  /// The code point for the byte 0x80 if iconv rejects that byte.
  private let fallbackFor80: UInt32

  /// Opens a conversion to UTF-8; returns nil if iconv does not support the encoding.
  /// - Parameter name: The name in the Encoding standard.
  package init?(from name: String) {
    let opened = iconv_open("UTF-8", Self.iconvName(of: name))
    guard let opened, Int(bitPattern: opened) != -1 else { return nil }
    descriptor = opened
    skippedByteCount = name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
    fallbackFor80 = name == "GBK" || name == "gb18030" ? 0x20AC : 0xFFFD
  }

  /// Opens a conversion from UTF-8; returns nil if iconv does not support the encoding.
  /// - Parameter name: The name in the Encoding standard.
  init?(to name: String) {
    // CP936, because characters missing from GBK must not be written as in gb18030.
    let opened = iconv_open(name == "GBK" ? "CP936" : Self.iconvName(of: name), "UTF-8")
    guard let opened, Int(bitPattern: opened) != -1 else { return nil }
    descriptor = opened
    skippedByteCount = 1
    fallbackFor80 = 0xFFFD
  }

  /// Returns whether iconv supports an encoding.
  static func isSupported(_ name: String) -> Bool {
    let opened = iconv_open("UTF-8", name)
    guard let opened, Int(bitPattern: opened) != -1 else { return false }
    iconv_close(opened)
    return true
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Returns the name that iconv uses for an encoding; of several variants, the one closest to the
  /// index of the Encoding standard.
  private static func iconvName(of name: String) -> String {
    switch name {
    case "ISO-8859-8-I": "ISO-8859-8"
    case "windows-874": "CP874"
    case "macintosh": "MACINTOSH"
    case "x-mac-cyrillic": "MAC-CYRILLIC"
    case "GBK": "GB18030"
    case "Big5": "BIG5-HKSCS"
    case "EUC-JP": "EUC-JP-MS"
    case "Shift_JIS": "CP932"
    case "EUC-KR": "CP949"
    default: name
    }
  }

  /// Converts all bytes; invalid ones become U+FFFD.
  package func convert(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 3 / 2)
    var input = Array(bytes)
    var buffer = [UInt8](repeating: 0, count: min(1 << 16, input.count * 4 + 64))
    let capacity = buffer.count
    input.withUnsafeMutableBytes { input in
      buffer.withUnsafeMutableBytes { output in
        guard let outputBase = output.baseAddress?.assumingMemoryBound(to: CChar.self) else {
          return
        }
        var inputPointer = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var inputBytesLeft = input.count
        var isDone = false
        while !isDone {
          var outputPointer: UnsafeMutablePointer<CChar>? = outputBase
          var outputBytesLeft = capacity
          let isAtEnd = inputBytesLeft == 0
          let status =
            isAtEnd
            ? iconv(descriptor, nil, nil, &outputPointer, &outputBytesLeft)
            : iconv(descriptor, &inputPointer, &inputBytesLeft, &outputPointer, &outputBytesLeft)
          let errorNumber = errno
          result.append(contentsOf: output[0..<capacity - outputBytesLeft])
          isDone = isAtEnd
          guard status == -1, errorNumber != E2BIG, inputBytesLeft > 0 else { continue }
          // An invalid byte, or a truncated character at the end.
          result.append(
            codePoint: input[input.count - inputBytesLeft] == 0x80 ? fallbackFor80 : 0xFFFD)
          let skippedCount = min(skippedByteCount, inputBytesLeft)
          inputPointer = inputPointer?.advanced(by: skippedCount)
          inputBytesLeft -= skippedCount
        }
      }
    }
    return result
  }

  /// Converts a character, or returns to the initial shift state.
  /// - Parameter character: Valid UTF-8; empty to return to the initial state.
  /// - Returns: Nil if the encoding does not have the character.
  func convert(character: [UInt8]) -> [UInt8]? {
    var input = character
    var output = [UInt8](repeating: 0, count: 32)
    let capacity = output.count
    let left = input.withUnsafeMutableBytes { input in
      output.withUnsafeMutableBytes { output -> Int? in
        var source = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var sourceLeft = input.count
        var target = output.baseAddress?.assumingMemoryBound(to: CChar.self)
        var targetLeft = capacity
        // Without input, iconv writes the sequence that restores the initial state.
        let status =
          sourceLeft == 0
          ? iconv(descriptor, nil, nil, &target, &targetLeft)
          : iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
        return status == 0 ? targetLeft : nil
      }
    }
    return left.map { Array(output[..<(capacity - $0)]) }
  }
}
