import Foundation
import DOM
import TOMLKit

/// A value in a settings file.
enum SettingValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([SettingValue])
  case table([String: SettingValue])
  /// A date or a time, which no setting accepts.
  case other

  /// Converts a value of the TOML parser.
  init(_ value: any TOMLValueConvertible) {
    switch value.type {
    case .string: self = .text(value.string ?? "")
    case .int: self = .integer(value.int ?? 0)
    case .double: self = .number(value.double ?? 0)
    case .bool: self = .flag(value.bool ?? false)
    case .array: self = .list((value.array ?? TOMLArray()).map { SettingValue($0) })
    case .table: self = .table(Self.members(of: value.table ?? TOMLTable()))
    case .date, .time, .dateTime: self = .other
    }
  }

  /// Returns the values of a table by name.
  static func members(of table: TOMLTable) -> [String: SettingValue] {
    var members: [String: SettingValue] = [:]
    for key in table.keys {
      if let value = table[key] { members[key] = SettingValue(value) }
    }
    return members
  }

  /// The strings of a string or of a list of strings; nil for other values.
  var texts: [String]? {
    switch self {
    case .text(let text): return [text]
    case .list(let values):
      let texts = values.compactMap { value in
        if case .text(let text) = value { text } else { nil }
      }
      return texts.count == values.count ? texts : nil
    default: return nil
    }
  }

  /// The value as it is shown in a message; long lists and tables are replaced by their kind.
  var messageText: String {
    let text = tomlText
    guard text.utf8.count > 60 else { return text }
    switch self {
    case .list: return "a list"
    case .table: return "a table"
    default: return text
    }
  }

  private var tomlText: String {
    switch self {
    case .text(let text): TOMLText.quoted(text)
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .flag(let flag): String(flag)
    case .list(let values): "[" + values.map(\.tomlText).joined(separator: ", ") + "]"
    case .table(let members):
      "{ "
        + members.sorted { $0.key < $1.key }
        .map { "\(TOMLText.quoted($0.key)) = \($0.value.tomlText)" }.joined(separator: ", ") + " }"
    case .other: "a date or a time"
    }
  }
}

/// Writes values as TOML.
package enum TOMLText {
  /// Returns a key, without quotes if possible.
  package static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
      }
    return isBare ? name : quoted(name)
  }

  /// Returns a basic string, with invisible characters escaped.
  package static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch CharacterRole(scalar) {
      case .visible, .variationSelector:
        if scalar == "\"" || scalar == "\\" { output += "\\" }
        output.unicodeScalars.append(scalar)
      case .control, .separator, .lineBreakControl, .invisible:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (marker, length) = digits.count > 4 ? ("U", 8) : ("u", 4)
        output += "\\\(marker)" + String(repeating: "0", count: length - digits.count) + digits
      }
    }
    return output + "\""
  }

  /// Returns an array of strings.
  package static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }

  /// Returns an inline table of strings.
  static func table(_ pairs: [(String, String)]) -> String {
    let members = pairs.map { "\(quoted($0)) = \(quoted($1))" }
    return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
  }
}
