import Foundation
import DOM
import TOMLKit

/// A value of a settings file.
enum SettingValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([SettingValue])
  case table([String: SettingValue])
  /// A date or a time, for which there is no setting.
  case other

  /// The value as the TOML parser has it.
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

  /// The values of a table by their names.
  static func members(of table: TOMLTable) -> [String: SettingValue] {
    var members: [String: SettingValue] = [:]
    for key in table.keys {
      if let value = table[key] { members[key] = SettingValue(value) }
    }
    return members
  }

  /// A text, or a list of texts.
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

  /// The value as it is shown in a message; what is long by its kind.
  var shown: String {
    let text = written
    guard text.utf8.count > 60 else { return text }
    switch self {
    case .list: return "a list"
    case .table: return "a table"
    default: return text
    }
  }

  private var written: String {
    switch self {
    case .text(let text): TOMLText.quoted(text)
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .flag(let flag): String(flag)
    case .list(let values): "[" + values.map(\.written).joined(separator: ", ") + "]"
    case .table(let members):
      "{ "
        + members.sorted { $0.key < $1.key }
        .map { "\(TOMLText.quoted($0.key)) = \($0.value.written)" }.joined(separator: ", ") + " }"
    case .other: "a date or a time"
    }
  }
}

/// Values as TOML writes them.
package enum TOMLText {
  /// A key: bare where it can be.
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

  /// A basic string, in which everything can be seen.
  package static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch CharacterRole(scalar) {
      case .shown, .variation:
        if scalar == "\"" || scalar == "\\" { output += "\\" }
        output.unicodeScalars.append(scalar)
      case .control, .separator, .breakPoint, .invisible:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (mark, length) = digits.count > 4 ? ("U", 8) : ("u", 4)
        output += "\\\(mark)" + String(repeating: "0", count: length - digits.count) + digits
      }
    }
    return output + "\""
  }

  /// An array of strings.
  package static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }

  /// An inline table of strings.
  static func table(_ pairs: [(String, String)]) -> String {
    let members = pairs.map { "\(quoted($0)) = \(quoted($1))" }
    return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
  }
}
