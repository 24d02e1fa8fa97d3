/// The declarations of `display`, `visibility` (CSS 2.2 §9.2.4 and §11.2) and `opacity` (CSS Color
/// 4 §12.1) in a rule or a `style` attribute.
///
/// Invalid values are ignored; a value that cannot be evaluated, such as `var()`, shows the
/// element.
package struct HidingDeclarations: Equatable {
  /// The effective declaration of a property.
  struct Effect: Equatable {
    var value: Value
    var isImportant: Bool
  }

  /// The effect of a value.
  package enum Value {
    case hides, shows
    /// The value of the parent applies.
    case inherits
  }

  private(set) var display: Effect?
  private(set) var visibility: Effect?
  /// The declaration of `opacity`, in which `hides` stands for transparent. Pages use transparency
  /// for texts that appear under the pointer, and also for texts that a script fades in, so only
  /// texts of the first kind count as hidden.
  private(set) var opacity: Effect?

  init() {}

  /// Whether a declaration hides the element.
  var hides: Bool { display?.value == .hides || visibility?.value == .hides }
  /// Whether a declaration shows the element.
  var shows: Bool { display?.value == .shows || visibility?.value == .shows }

  /// Applies declarations that come later in the cascade: they override earlier ones unless only
  /// those are important.
  mutating func apply(_ later: Self) {
    display = Self.winner(display, later.display)
    visibility = Self.winner(visibility, later.visibility)
    opacity = Self.winner(opacity, later.opacity)
  }

  private static func winner(_ earlier: Effect?, _ later: Effect?) -> Effect? {
    guard let later else { return earlier }
    return earlier?.isImportant == true && !later.isImportant ? earlier : later
  }

  /// Parses declarations; the last valid one of each property counts.
  init(_ text: StyleBytes) {
    guard text.mentionsHiding else { return }
    text.forEachDeclaration { property, value in
      if property.isWord("display") {
        Self.apply(value, Self.display, into: &display)
      } else if property.isWord("visibility") {
        Self.apply(value, Self.visibility, into: &visibility)
      } else if property.isWord("opacity") {
        Self.apply(value, Self.opacity, into: &opacity)
      }
    }
  }

  private static func apply(
    _ text: StyleBytes, _ meaning: (StyleBytes) -> Value?, into effect: inout Effect?
  ) {
    var value = text.trimmed
    var isImportant = false
    if let marker = value.firstIndex(of: UInt8(ascii: "!")) {
      guard value[(marker + 1)...].trimmed.isWord("important") else { return }
      isImportant = true
      value = value[..<marker].trimmed
    }
    if let effect, effect.isImportant, !isImportant { return }
    if let meaning = meaning(value) { effect = Effect(value: meaning, isImportant: isImportant) }
  }

  /// Returns the effect of a value of `display`; nil if it is invalid.
  private static func display(_ value: StyleBytes) -> Value? {
    if value.isWord("none") { return .hides }
    if value.contains(UInt8(ascii: "(")) { return .shows }
    let isValue = value.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") || $0.isWhiteSpace }
    return isValue && !value.isEmpty ? .shows : nil
  }

  /// Returns the effect of a value of `opacity`; nil if it is invalid.
  private static func opacity(_ value: StyleBytes) -> Value? {
    if value.contains(UInt8(ascii: "(")) { return .shows }
    guard let first = value.first, first.isDigit || first == UInt8(ascii: ".") else { return nil }
    let isZero = value.allSatisfy {
      $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%")
    }
    return isZero ? .hides : .shows
  }

  /// Returns the effect of a value of `visibility`; nil if it is invalid.
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
