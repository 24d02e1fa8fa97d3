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
