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
      // Many servers percent-encode this parameter, too, and browsers decode it.
      if name == "filename", plain == nil { plain = parameter.removingPercentEncoding ?? parameter }
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
    switch parts[0].lowercased() {
    case "utf-8": return String(parts[2]).removingPercentEncoding
    case "iso-8859-1":
      // In ISO 8859-1, the number of a character is its Unicode code point.
      var text = String.UnicodeScalarView()
      var bytes = Array(parts[2].utf8)[...]
      while let byte = bytes.popFirst() {
        let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
        if byte == UInt8(ascii: "%"), let code = UInt8(digits, radix: 16) {
          text.append(Unicode.Scalar(code))
          bytes = bytes.dropFirst(2)
        } else {
          text.append(Unicode.Scalar(byte))
        }
      }
      return String(text)
    default: return nil
    }
  }

  /// Returns the last component of a path with slashes or backslashes.
  private static func lastComponent(_ path: String) -> String {
    let name = path.split { $0 == "/" || $0 == "\\" }.last ?? ""
    return SafeText.line(String(name)).trimmingCharacters(in: .whitespaces)
  }
}
