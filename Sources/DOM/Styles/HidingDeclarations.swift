/// What declarations say of whether an element is shown (CSS 2.2, sections 9.2.4 and 11.2). They are
/// those of a rule or those of a `style` attribute.
///
/// A declaration that no browser understands does not count; one whose value depends on something
/// else shows the element.
package struct HidingDeclarations: Equatable {
  /// A declaration that counts.
  struct Effect: Equatable {
    var value: Value
    var isImportant: Bool
  }

  /// What a value does.
  package enum Value {
    case hides, shows
    /// As what is around it.
    case inherits
  }

  private(set) var display: Effect?
  private(set) var visibility: Effect?

  /// No declarations.
  init() {}

  /// Whether one of them hides the element.
  var hides: Bool { display?.value == .hides || visibility?.value == .hides }
  /// Whether one of them shows the element.
  var shows: Bool { display?.value == .shows || visibility?.value == .shows }

  /// Applies declarations that come later in the cascade: they win unless only an earlier one is important.
  mutating func apply(_ later: Self) {
    display = Self.winner(display, later.display)
    visibility = Self.winner(visibility, later.visibility)
  }

  private static func winner(_ earlier: Effect?, _ later: Effect?) -> Effect? {
    guard let later else { return earlier }
    return earlier?.isImportant == true && !later.isImportant ? earlier : later
  }

  /// Reads declarations; of each property the last valid one counts.
  init(_ text: StyleBytes) {
    guard text.mentionsHiding else { return }
    text.forEachDeclaration { property, value in
      if property.isWord("display") {
        Self.take(value, Self.display, into: &display)
      } else if property.isWord("visibility") {
        Self.take(value, Self.visibility, into: &visibility)
      }
    }
  }

  private static func take(
    _ text: StyleBytes, _ meaning: (StyleBytes) -> Value?, into effect: inout Effect?
  ) {
    var value = text.trimmed
    var isImportant = false
    if let mark = value.firstIndex(of: UInt8(ascii: "!")) {
      guard value[(mark + 1)...].trimmed.isWord("important") else { return }
      isImportant = true
      value = value[..<mark].trimmed
    }
    if let effect, effect.isImportant, !isImportant { return }
    if let meaning = meaning(value) { effect = Effect(value: meaning, isImportant: isImportant) }
  }

  /// What a value of `display` does; nil when it is none.
  private static func display(_ value: StyleBytes) -> Value? {
    if value.isWord("none") { return .hides }
    if value.contains(UInt8(ascii: "(")) { return .shows }
    let isValue = value.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") || $0.isWhiteSpace }
    return isValue && !value.isEmpty ? .shows : nil
  }

  /// What a value of `visibility` does; nil when it is none.
  private static func visibility(_ value: StyleBytes) -> Value? {
    if value.isWord("hidden") || value.isWord("collapse") { return .hides }
    if value.isWord("visible") || value.isWord("initial") || value.contains(UInt8(ascii: "(")) {
      return .shows
    }
    let inherits =
      value.isWord("inherit") || value.isWord("unset") || value.isWord("revert")
      || value.isWord("revert-layer")
    return inherits ? .inherits : nil
  }
}
