/// A JSON value (RFC 8259). The parser accepts truncated text and returns the values before the
/// end.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Parses UTF-8 text; returns nil if it does not begin with a value.
  package init?(_ bytes: [UInt8]) {
    var reader = JSONParser(bytes)
    guard let value = reader.parseValue(depth: 0) else { return nil }
    self = value
  }

  /// Returns the value of a member of an object; nil if there is no such member, and for other
  /// values.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The elements of an array; empty for other values.
  package var array: [JSONValue] {
    if case .array(let values) = self { values } else { [] }
  }

  /// The text of a string or a number; nil for other values.
  package var string: String? {
    switch self {
    case .string(let text): text
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    default: nil
    }
  }

  /// The value as a number, also from a string; nil for other values.
  package var number: Double? {
    switch self {
    case .number(let number): number
    case .string(let text): Double(text)
    default: nil
    }
  }

  /// The value as a Boolean, also from a number or the strings "true", "false", "1" and "0"; nil
  /// for other values.
  package var bool: Bool? {
    switch self {
    case .bool(let bool): bool
    case .number(let number): number != 0
    case .string("true"), .string("1"): true
    case .string("false"), .string("0"): false
    default: nil
    }
  }
}
