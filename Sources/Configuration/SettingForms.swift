import Foundation
import OfflineCache

/// A range of sizes in settings: `"> 5 MB"`, or two such comparisons.
struct SizeRange: Sendable, Equatable {
  /// The minimum size in bytes; nil for none.
  var minimum: Int64?
  /// The maximum size in bytes; nil for none.
  var maximum: Int64?

  init(minimum: Int64?, maximum: Int64?) {
    (self.minimum, self.maximum) = (minimum, maximum)
  }

  /// Parses one comparison, or two for a lower and an upper bound; nil for other values.
  init?(_ value: SettingValue) {
    guard let texts = value.texts, (1...2).contains(texts.count) else { return nil }
    self.init(minimum: nil, maximum: nil)
    for text in texts {
      let comparison = text.prefix { "<>=".contains($0) }
      guard let size = Units.bytes(.text(String(text.dropFirst(comparison.count)))) else {
        return nil
      }
      switch comparison {
      case ">" where minimum == nil: minimum = size + 1
      case ">=" where minimum == nil: minimum = size
      case "<" where maximum == nil && size > 0: maximum = size - 1
      case "<=" where maximum == nil: maximum = size
      default: return nil
      }
    }
    if let minimum, let maximum, minimum > maximum { return nil }
  }

  /// The range in the syntax of the settings file.
  var text: String {
    let bounds = [(">= ", minimum), ("<= ", maximum)].compactMap { sign, size in
      size.map { sign + Units.text(bytes: $0).filter { $0 != "\"" } }
    }
    return bounds.count == 1 ? TOMLText.quoted(bounds[0]) : TOMLText.list(bounds)
  }
}

/// Header fields in settings: an inline table of names and values.
struct FieldTable: Sendable, Equatable {
  /// The fields, sorted by name.
  var fields: [FieldLines.Field]

  init(fields: [FieldLines.Field]) {
    self.fields = fields
  }

  /// Parses a table of valid field names and values; nil for other values.
  init?(_ value: SettingValue) {
    guard case .table(let members) = value, !members.isEmpty else { return nil }
    fields = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard case .text(let text) = value, Self.isName(name), Self.isValue(text) else { return nil }
      fields.append(FieldLines.Field(name, text))
    }
  }

  /// The fields in the syntax of the settings file.
  var text: String { TOMLText.table(fields.map { ($0.name, $0.value) }) }

  /// Returns whether a text is a field name (RFC 9110 §5.1, §5.6.2).
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Returns whether a text is a valid field value (RFC 9110 §5.5).
  static func isValue(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
  }

  /// Returns whether the field is `User-Agent`.
  static func isUserAgent(_ field: FieldLines.Field) -> Bool {
    FieldLines.matches(field.name, "User-Agent")
  }
}

/// Proxy URLs in the form that libcurl accepts.
enum ProxyURL {
  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Returns whether a text is a proxy URL, or empty for no proxy.
  static func isValid(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    guard let url = WebURL(text), let host = url.host, !host.isEmpty else { return false }
    return schemes.contains(url.scheme)
  }
}

/// Checks patterns of rules, to reject those that obviously never match.
enum PatternText {
  /// Returns whether a text can be a host pattern, with `*` and a port.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains { isBlank($0) || "/@#\\".utf8.contains($0) }
  }

  /// Returns whether a text can be a path pattern, with `*` and `?`.
  static func isPath(_ text: String) -> Bool {
    ["/", "*", "?"].contains { text.hasPrefix($0) }
  }

  /// Returns whether a text can be a file extension.
  static func isExtension(_ text: String) -> Bool {
    let name = text.utf8.drop { $0 == UInt8(ascii: ".") }
    return !name.isEmpty && !name.contains { isBlank($0) || "/*".utf8.contains($0) }
  }

  /// Returns whether a text can be a media type pattern without parameters, with `*`.
  static func isMediaType(_ text: String) -> Bool {
    (text.utf8.contains(UInt8(ascii: "/")) || text.utf8.contains(UInt8(ascii: "*")))
      && !text.utf8.contains { isBlank($0) || $0 == UInt8(ascii: ";") }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }
}
