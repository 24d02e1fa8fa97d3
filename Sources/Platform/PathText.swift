/// Conversions between the paths of files and text.
///
/// A path is any sequence of bytes without NUL, and need not be UTF-8. In text, each byte that is
/// not part of a character is represented by a character for private use, U+EF80 to U+EFFF, so that
/// different paths have different texts. A character of that range in a path is represented by its
/// bytes in the same way.
package enum PathText {
  private static let escapedByteScalars: ClosedRange<UInt32> = 0xEF80...0xEFFF

  /// Returns the text for the path in a C string.
  package static func decode(cString path: UnsafePointer<CChar>) -> String {
    let text = String(cString: path)
    // Without these bytes, the text contains neither a replacement character nor one of
    // `escapedByteScalars`.
    guard text.utf8.contains(where: { $0 == 0xEE || $0 == 0xEF }) else { return text }
    return decode(
      UnsafeBufferPointer(start: path, count: strlen(path)).map(UInt8.init(bitPattern:)))
  }

  /// Returns the text for the bytes of a path.
  package static func decode(_ path: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = path[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      let part = rest.prefix(length)
      let decoded = String(decoding: part, as: UTF8.self)
      if decoded.utf8.elementsEqual(part), let scalar = decoded.unicodeScalars.first,
        !escapedByteScalars.contains(scalar.value)
      {
        text.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        if let raw = Unicode.Scalar(0xEF00 + UInt32(first)) { text.append(raw) }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// Returns the bytes of the path that a text represents.
  package static func bytes(of text: String) -> [UInt8] {
    guard text.utf8.contains(0xEE) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      escapedByteScalars.contains(scalar.value)
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(Character(scalar)).utf8)
    }
  }

  /// Returns the path as text for the user, with U+FFFD for bytes that are not part of a character.
  package static func displayText(_ text: String) -> String {
    String(decoding: bytes(of: text), as: UTF8.self)
  }

  /// Returns the text that names a path or URL as part of a URL: each byte that is not part of a
  /// character is percent-encoded.
  package static func percentEncoded(_ text: String) -> String {
    guard text.utf8.contains(0xEE) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if escapedByteScalars.contains(scalar.value) {
        // Two digits, because the byte is at least 0x80.
        result += "%" + String(scalar.value & 0xFF, radix: 16, uppercase: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns arguments with U+FFFD for bytes that are not part of a character, except in arguments
  /// that may be paths or URLs.
  /// - Parameters:
  ///   - arguments: the arguments, as `arguments` returns them.
  ///   - textOptions: the options whose values are text, with their hyphens.
  ///   - hasTextOperands: whether all arguments are text, as the words of a search are.
  /// - Returns: the arguments, in the same order.
  package static func sanitizedArguments(
    _ arguments: [String], textOptions: Set<String>, hasTextOperands: Bool = false
  ) -> [String] {
    var previous = ""
    return arguments.map { argument in
      defer { previous = argument }
      let name = String(argument.prefix { $0 != "=" })
      let option = name.hasPrefix("-") && name != argument ? name : previous
      return hasTextOperands || textOptions.contains(option) ? displayText(argument) : argument
    }
  }

  /// The arguments of the process, which may be paths, without its name.
  package static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { decode(cString: $0) }
    }
  }
}

extension String {
  /// Calls a function with the path that this text represents.
  package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard utf8.contains(0xEE) else { return withCString(body) }
    let path = PathText.bytes(of: self).map(CChar.init(bitPattern:)) + [0]
    return body(path)
  }
}
