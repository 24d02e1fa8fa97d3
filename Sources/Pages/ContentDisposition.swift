import DOM
import Document
import Foundation

/// The parsed value of a `Content-Disposition` header field (RFC 6266).
package struct ContentDisposition: Equatable {
  /// Whether the response is to be saved.
  private(set) var isAttachment = false
  /// The last component of the suggested file name, on one line; empty if there is none.
  package private(set) var fileName = ""

  /// The maximum length of a value in bytes; a longer value is ignored.
  private static let maxLength = 8192

  /// Parses a value; an unknown disposition counts as an attachment (RFC 6266 §4.2).
  package init(_ value: String?) {
    guard let value, value.utf8.count <= Self.maxLength else { return }
    var rest = Array(value.unicodeScalars)[...]
    let type = Self.text(Self.token(&rest, until: ";")).lowercased()
    isAttachment = !type.isEmpty && type != "inline" && !type.contains("=")
    var plain: String?
    var extended: String?
    while !rest.isEmpty {
      if rest.first == ";" { rest = rest.dropFirst() }
      let name = Self.text(Self.token(&rest, until: "=", ";")).lowercased()
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst()
      let parameter = Self.value(&rest)
      // Many servers encode this parameter, too, and browsers decode it.
      if name == "filename", plain == nil {
        plain = Self.encodedWords(parameter) ?? parameter.removingPercentEncoding ?? parameter
      }
      if name == "filename*", extended == nil { extended = Self.decoded(parameter) }
    }
    fileName = Self.lastComponent(extended ?? plain ?? "")
  }

  /// Removes the text before a delimiter, and returns it.
  private static func token(
    _ rest: inout ArraySlice<Unicode.Scalar>, until delimiters: Unicode.Scalar...
  ) -> ArraySlice<Unicode.Scalar> {
    let token = rest.prefix { !delimiters.contains($0) }
    rest = rest.dropFirst(token.count)
    return token
  }

  /// Removes the value of a parameter up to the next semicolon, and returns it without quotation
  /// marks.
  private static func value(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.first == "\"" else { return text(token(&rest, until: ";")) }
    rest = rest.dropFirst()
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      // Servers write the paths of Windows without escaping them.
      if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
        value.append(next)
        rest = rest.dropFirst()
      } else {
        value.append(scalar)
      }
    }
    _ = token(&rest, until: ";")
    return String(value)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
  }

  /// Decodes an extended value (RFC 8187); nil unless it is valid.
  private static func decoded(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return text(unescaped(parts[2], after: UInt8(ascii: "%")), charset: parts[0])
  }

  /// Decodes a value that consists of encoded words in one charset (RFC 2047); nil if it does not.
  private static func encodedWords(_ value: String) -> String? {
    var charset: Substring?
    var bytes: [UInt8] = []
    for word in value.split(separator: " ") {
      let parts = word.split(separator: "?", omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0] == "=", parts[4] == "=" else { return nil }
      guard parts[1].lowercased() == (charset ?? parts[1]).lowercased() else { return nil }
      charset = parts[1]
      switch parts[2].lowercased() {
      case "b":
        guard let content = Data(base64Encoded: String(parts[3])) else { return nil }
        bytes += content
      case "q":
        bytes += unescaped(parts[3], after: UInt8(ascii: "=")).map {
          $0 == UInt8(ascii: "_") ? 0x20 : $0
        }
      default: return nil
      }
    }
    return charset.flatMap { text(bytes, charset: $0) }
  }

  /// Replaces each escape character and the two hexadecimal digits after it by their byte.
  private static func unescaped(_ value: Substring, after escape: UInt8) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(value.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == escape, digits.count == 2,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result.append(code)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Returns text in a charset; nil if the charset is unknown, or if it is UTF-8 and the bytes are
  /// invalid.
  private static func text(_ bytes: [UInt8], charset: Substring) -> String? {
    guard let encoding = CharacterEncoding(label: charset.utf8) else { return nil }
    guard encoding != .utf8 else { return String(validating: bytes, as: UTF8.self) }
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// Returns the last component of a path with slashes or backslashes.
  private static func lastComponent(_ path: String) -> String {
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    return SafeText.line(String(name)).trimmingCharacters(in: .whitespaces)
  }
}
