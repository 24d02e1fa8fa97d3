/// Custom properties that values of `display` refer to (CSS Variables 1 §3), as in
/// `display: var(--badge, none)`.
enum DisplayVariable {
  /// A value of `display` that a custom property may have.
  enum Value: Int {
    /// `none`.
    case hidden
    case block
    /// Any other value, which shows the element.
    case other

    init(_ text: StyleBytes) {
      let value = text.prefix { $0 != UInt8(ascii: "!") }.trimmed
      self = value.isWord("none") ? .hidden : value.isWord("block") ? .block : .other
    }
  }

  /// A value of `display` that refers to a custom property.
  struct Reference {
    /// The hash of the name of the property.
    var name: UInt64
    /// The value if the property is not declared; nil if the reference has none.
    var fallback: Value?

    /// Parses a value of `display`; nil unless it is `var()` alone.
    init?(_ text: StyleBytes) {
      let value = text.prefix { $0 != UInt8(ascii: "!") }.trimmed
      guard value.prefix(4).isWord("var("), value.last == UInt8(ascii: ")") else { return nil }
      let argument = value.dropFirst(4).dropLast()
      let propertyName = argument.prefix { $0 != UInt8(ascii: ",") }
      name = CompoundSelector.hash(propertyName.trimmed)
      let rest = argument[propertyName.endIndex...]
      fallback = rest.isEmpty ? nil : Value(rest.dropFirst())
    }
  }

  /// A declaration of a custom property.
  struct Declaration {
    /// The hash of the name of the property.
    var name: UInt64
    var value: Value
  }

  /// The maximum number of custom properties.
  private static let maxNames = 64
  /// The maximum distance in bytes between `display` and the parenthesis of `var(`.
  private static let maxDistance = 32

  /// Returns the hashes of the names of the custom properties to which values of `display` refer in
  /// a style sheet without comments.
  static func names(in sheet: UnsafeBufferPointer<UInt8>) -> Set<UInt64> {
    var names: Set<UInt64> = []
    var index = 0
    while names.count < maxNames {
      index = sheet.firstIndex(of: UInt8(ascii: "("), from: index)
      guard index < sheet.count else { break }
      let before = sheet[max(0, index - maxDistance)..<index]
      index += 1
      guard before.suffix(3).isWord("var"), case let property = before.dropLast(3).trimmed,
        property.last == UInt8(ascii: ":"), property.dropLast().trimmed.suffix(7).isWord("display")
      else { continue }
      let name = sheet[index...].prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") }
      names.insert(CompoundSelector.hash(name.trimmed))
    }
    return names
  }

  /// Returns the reference in the effective declaration of `display`; nil if its value is another
  /// one.
  static func reference(in declarations: StyleBytes) -> Reference? {
    var reference: Reference?
    var isImportant = false
    declarations.forEachDeclaration { property, value in
      let overrides = !isImportant || value.contains(UInt8(ascii: "!"))
      guard property.isWord("display"), overrides else { return }
      reference = Reference(value)
      isImportant = value.contains(UInt8(ascii: "!"))
    }
    return reference
  }

  /// Returns the declarations of the custom properties with the given names; of each property only
  /// the last one, because every matching element applies all of them.
  static func declarations(in text: StyleBytes, of names: Set<UInt64>) -> [Declaration] {
    var result: [Declaration] = []
    text.forEachDeclaration { property, value in
      guard property.prefix(2).elementsEqual("--".utf8),
        case let name = CompoundSelector.hash(property), names.contains(name)
      else { return }
      result.removeAll { $0.name == name }
      result.append(Declaration(name: name, value: Value(value)))
    }
    return result
  }
}
