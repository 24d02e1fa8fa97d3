import OfflineCache

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
