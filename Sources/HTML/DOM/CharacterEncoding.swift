import CIconv
import Foundation

/// A character encoding of the Encoding standard, and how to find and undo it.
package struct CharacterEncoding: Sendable, Equatable {
  /// The name of the Encoding standard, as `Document.encoding` shows it.
  package let name: String

  /// UTF-8, the encoding of nearly everything.
  package static let utf8 = CharacterEncoding(name: "UTF-8")
  /// What text without any declaration and not in UTF-8 is taken for.
  package static let windows1252 = CharacterEncoding(name: "windows-1252")

  private init(name: String) {
    self.name = name
  }

  /// The encoding that a label of the Encoding standard names (`latin1` is windows-1252).
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

  /// Decides the encoding of a page as the HTML standard says: byte order mark, HTTP header,
  /// `meta`, and then UTF-8 when the bytes are valid, else windows-1252.
  package static func detect(
    _ bytes: [UInt8], charset: String?, isMarkup: Bool = true
  ) -> CharacterEncoding {
    if let (encoding, _) = byteOrderMark(bytes) { return encoding }
    if let charset, let encoding = CharacterEncoding(label: charset.utf8) { return encoding }
    if isMarkup, let encoding = MetaPrescan.encoding(in: bytes.prefix(1024)) { return encoding }
    let validation = bytes.withUnsafeBufferPointer { UTF8Validation($0) }
    return validation.isValid ? .utf8 : .windows1252
  }

  /// Turns bytes into valid UTF-8 without byte order mark and NUL. Bytes that mean nothing become
  /// U+FFFD. Valid UTF-8 is returned as it is, without a copy.
  package func decode(_ bytes: consuming [UInt8]) -> [UInt8] {
    var start = 0
    if let (encoding, length) = Self.byteOrderMark(bytes), encoding == self { start = length }
    if name == "UTF-8" { return Self.repaired(bytes, from: start) }
    if name == "x-user-defined" || name == "replacement" {
      return Self.repaired(Self.decodedLatin1(bytes), from: 0)
    }
    if name == "windows-1252" { return Self.decodedWindows1252(bytes) }
    guard
      let converted = Converter(from: EncodingLabels.iconvName(of: name))?.convert(bytes[start...])
    else { return Self.decodedWindows1252(bytes) }
    return Self.repaired(converted, from: 0)
  }

  /// The encoding that a byte order mark tells, and the length of the mark.
  private static func byteOrderMark(_ bytes: [UInt8]) -> (CharacterEncoding, Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (CharacterEncoding(name: "UTF-16BE"), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (CharacterEncoding(name: "UTF-16LE"), 2) }
    return nil
  }

  /// Replaces invalid sequences by U+FFFD and NUL by a space.
  private static func repaired(_ bytes: consuming [UInt8], from start: Int) -> [UInt8] {
    let (isValid, hasNull) = bytes.withUnsafeBufferPointer {
      (UTF8Validation($0).isValid, $0.firstIndex(of: 0, from: 0) < $0.count)
    }
    if isValid, !hasNull { return start == 0 ? bytes : Array(bytes[start...]) }
    // The standard library replaces maximal subparts, as the Encoding standard does.
    var result =
      isValid
      ? Array(bytes[start...]) : Array(String(decoding: bytes[start...], as: UTF8.self).utf8)
    for index in result.indices where result[index] == 0 { result[index] = 0x20 }
    return result
  }

  private static func decodedWindows1252(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      switch byte {
      case 0: result.append(0x20)
      case 1..<0x80: result.append(byte)
      case 0x80...0x9F: result.append(contentsOf: Windows1252.utf8[Int(byte - 0x80)])
      default: result.append(codePoint: UInt32(byte))
      }
    }
    return result
  }

  /// x-user-defined: ASCII, and the rest in a private area, of which nothing can be shown.
  private static func decodedLatin1(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte < 0x80 { result.append(byte) } else { result.append(codePoint: 0xFFFD) }
    }
    return result
  }
}

/// An iconv conversion to UTF-8.
private struct Converter: ~Copyable {
  private let descriptor: iconv_t

  init?(from name: String) {
    let opened = iconv_open("UTF-8", name)
    guard let opened, Int(bitPattern: opened) != -1 else { return nil }
    descriptor = opened
  }

  deinit {
    iconv_close(descriptor)
  }

  /// Converts all bytes; those that mean nothing become U+FFFD.
  func convert(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 3 / 2)
    var input = Array(bytes)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let capacity = buffer.count
    input.withUnsafeMutableBytes { input in
      buffer.withUnsafeMutableBytes { output in
        guard let outputBase = output.baseAddress?.assumingMemoryBound(to: CChar.self) else {
          return
        }
        var source = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var sourceLeft = input.count
        var isDone = false
        while !isDone {
          var target: UnsafeMutablePointer<CChar>? = outputBase
          var targetLeft = capacity
          let isAtEnd = sourceLeft == 0
          let status =
            isAtEnd
            ? iconv(descriptor, nil, nil, &target, &targetLeft)
            : iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
          let problem = errno
          result.append(contentsOf: output[0..<capacity - targetLeft])
          isDone = isAtEnd
          guard status == -1, problem != E2BIG else { continue }
          // An invalid byte, or a character cut off at the end.
          result.append(codePoint: 0xFFFD)
          if sourceLeft > 0 {
            source = source?.advanced(by: 1)
            sourceLeft -= 1
          }
        }
      }
    }
    return result
  }
}
