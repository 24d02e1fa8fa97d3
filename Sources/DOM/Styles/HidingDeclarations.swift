/// The declarations of `display`, `visibility` (CSS 2.2 §9.2.4 and §11.2) and those that conceal an
/// element (`Concealment`) in a rule or a `style` attribute.
///
/// Invalid values are ignored; a value that cannot be evaluated, such as `var()`, shows the
/// element unless its custom property is known (`DisplayVariable`).
package struct HidingDeclarations: Equatable {
  /// The effective declaration of a property.
  struct EffectiveDeclaration: Equatable {
    var value: VisibilityEffect
    var isImportant: Bool
    /// The rank of the cascade layer; 0 outside style sheets with layers.
    var layer: Int32 = 0
  }

  /// The effect of a value.
  package enum VisibilityEffect {
    case hides, shows
    /// The value of the parent applies.
    case inherits
  }

  /// The ways of concealing an element without `display` and `visibility`. Pages use them for texts
  /// that appear under the pointer, but also for texts that a script fades in and for screen
  /// readers, so only texts of the first kind count as hidden.
  enum Concealment: Int, CaseIterable {
    /// Transparency: `opacity` (CSS Color 4 §12.1).
    case opacity
    /// The size 0: `transform: scale(0)` and `scale: 0` (CSS Transforms 2 §5).
    case scale
    /// A position outside the screen: `left`, `right`, `top`, `bottom` (CSS 2.2 §9.3.2) or
    /// `margin-left`.
    case offset
  }

  private(set) var display: EffectiveDeclaration?
  private(set) var visibility: EffectiveDeclaration?
  private var opacity: EffectiveDeclaration?
  private var scale: EffectiveDeclaration?
  private var offset: EffectiveDeclaration?

  init() {}

  /// The ways of concealment from which a declaration reveals the element.
  var revealedConcealments: [Concealment] {
    Concealment.allCases.filter { self[$0]?.value == .shows }
  }

  /// Whether a declaration hides the element.
  var hidesElement: Bool { display?.value == .hides || visibility?.value == .hides }
  /// Whether a declaration shows the element.
  var showsElement: Bool { display?.value == .shows || visibility?.value == .shows }

  /// Whether the declarations may hide an element, or show one that others hide. Declarations that
  /// only restore the size or the position of an element do not count here, because they matter
  /// only in rules for elements under the pointer.
  var mayAffectVisibility: Bool {
    display != nil || visibility != nil || opacity != nil || scale?.value == .hides
      || offset?.value == .hides
  }

  /// Whether a declaration conceals the element.
  var concealsElement: Bool { Concealment.allCases.contains { self[$0]?.value == .hides } }

  /// The declaration that conceals the element, or shows it again; nil if it is not declared.
  subscript(concealment: Concealment) -> EffectiveDeclaration? {
    switch concealment {
    case .opacity: opacity
    case .scale: scale
    case .offset: offset
    }
  }

  /// Replaces the value of `display`, if it is declared.
  mutating func setDisplay(_ effect: VisibilityEffect) { display?.value = effect }

  /// Sets the rank of the cascade layer that contains the declarations.
  mutating func setLayer(_ rank: Int32) {
    display?.layer = rank
    visibility?.layer = rank
    opacity?.layer = rank
    scale?.layer = rank
    offset?.layer = rank
  }

  /// Applies declarations that come later in the cascade: they override earlier ones unless only
  /// those are important, or both are and the earlier ones are in an earlier layer (CSS Cascade 5
  /// §6.1).
  mutating func apply(_ later: Self) {
    display = Self.effectiveDeclaration(display, later.display)
    visibility = Self.effectiveDeclaration(visibility, later.visibility)
    opacity = Self.effectiveDeclaration(opacity, later.opacity)
    scale = Self.effectiveDeclaration(scale, later.scale)
    offset = Self.effectiveDeclaration(offset, later.offset)
  }

  /// Returns the one of two declarations that applies, by importance, cascade layer and order.
  private static func effectiveDeclaration(
    _ earlier: EffectiveDeclaration?, _ later: EffectiveDeclaration?
  ) -> EffectiveDeclaration? {
    guard let later else { return earlier }
    guard let earlier, earlier.isImportant else { return later }
    return later.isImportant && earlier.layer >= later.layer ? later : earlier
  }

  /// Parses declarations; the last valid one of each property counts.
  init(_ text: StyleBytes) {
    guard text.mentionsHiding || text.mentionsConcealment else { return }
    // The index of the property that moves the element off the screen; no other one moves it
    // back.
    var offscreenPropertyIndex: Int?
    var preheader = PreheaderDeclarations()
    text.forEachDeclaration { property, value in
      if property.isWord("display") {
        Self.apply(value, Self.displayEffect, into: &display)
      } else if property.isWord("visibility") {
        Self.apply(value, Self.visibilityEffect, into: &visibility)
      } else if property.isWord("opacity") {
        Self.apply(value, Self.opacityEffect, into: &opacity)
      } else if property.isWord("transform") || property.isWord("scale") {
        Self.apply(value, Self.scaleEffect, into: &scale)
      } else if let index = Self.offsetProperties.firstIndex(where: { property.isWord($0) }),
        offscreenPropertyIndex == nil || offscreenPropertyIndex == index
      {
        Self.apply(value, Self.offsetEffect, into: &offset)
        offscreenPropertyIndex = offset?.value == .hides ? index : nil
      } else {
        preheader.read(property, value)
      }
    }
    if preheader.hidesText {
      display = EffectiveDeclaration(value: .hides, isImportant: display?.isImportant ?? false)
    }
  }

  /// Parses the value of a declaration, which overrides `effect` if it is valid and at least as
  /// important.
  private static func apply(
    _ text: StyleBytes, _ parseValue: (StyleBytes) -> VisibilityEffect?,
    into effect: inout EffectiveDeclaration?
  ) {
    var value = text.trimmed
    var isImportant = false
    if let marker = value.firstIndex(of: UInt8(ascii: "!")) {
      guard value[(marker + 1)...].trimmed.isWord("important") else { return }
      isImportant = true
      value = value[..<marker].trimmed
    }
    if let effect, effect.isImportant, !isImportant { return }
    if let parsed = parseValue(value) {
      effect = EffectiveDeclaration(value: parsed, isImportant: isImportant)
    }
  }

  /// Returns the effect of a value of `display`; nil if it is invalid.
  private static func displayEffect(_ value: StyleBytes) -> VisibilityEffect? {
    if value.isWord("none") { return .hides }
    if value.contains(UInt8(ascii: "(")) { return .shows }
    let words = value.split(whereSeparator: \.isWhiteSpace)
    // A value with a prefix is valid in some browser.
    let isValue = words.allSatisfy { word in
      word.first == UInt8(ascii: "-") || displayWords.contains { word.isWord($0) }
    }
    return isValue && !words.isEmpty ? .shows : nil
  }

  /// The keywords in the values of `display`, except `none`.
  private static let displayWords: [StaticString] = [
    "block", "inline", "inline-block", "flex", "grid", "inline-flex", "inline-grid", "contents",
    "flow-root", "flow", "list-item", "table", "inline-table", "table-row", "table-cell",
    "table-caption", "table-row-group", "table-header-group", "table-footer-group", "table-column",
    "table-column-group", "ruby", "ruby-base", "ruby-text", "ruby-base-container",
    "ruby-text-container", "math", "run-in", "box", "inline-box", "initial", "inherit", "unset",
    "revert", "revert-layer",
  ]

  /// Returns the effect of a value of `opacity`; nil if it is invalid.
  private static func opacityEffect(_ value: StyleBytes) -> VisibilityEffect? {
    if value.contains(UInt8(ascii: "(")) { return .shows }
    guard let first = value.first, first.isDigit || first == UInt8(ascii: ".") else { return nil }
    let isZero = value.allSatisfy {
      $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%")
    }
    return isZero ? .hides : .shows
  }

  /// Returns the effect of a value of `transform` or `scale`.
  private static func scaleEffect(_ value: StyleBytes) -> VisibilityEffect? {
    guard let open = value.firstIndex(of: UInt8(ascii: "(")) else {
      return value.isWord("0") ? .hides : .shows
    }
    let name = value[..<open].trimmed
    guard name.isWord("scale") || name.isWord("scalex") || name.isWord("scaley"),
      let end = value.endOfBlock(from: open), value[(end + 1)...].trimmed.isEmpty
    else { return .shows }
    let factors = value[(open + 1)..<end].split(separator: UInt8(ascii: ","))
    return factors.contains { $0.trimmed.isWord("0") } ? .hides : .shows
  }

  /// Returns the effect of an offset: a distance of at least 900 pixels or 50 em to the outside
  /// hides.
  private static func offsetEffect(_ value: StyleBytes) -> VisibilityEffect? {
    guard value.first == UInt8(ascii: "-") else { return .shows }
    let digits = value.dropFirst().prefix { $0.isDigit }
    guard 2...7 ~= digits.count else { return .shows }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    let unit = value[digits.endIndex...]
    if unit.isWord("px") { return number >= 900 ? .hides : .shows }
    return (unit.isWord("em") || unit.isWord("rem")) && number >= 50 ? .hides : .shows
  }

  private static let offsetProperties: [StaticString] = [
    "left", "right", "top", "bottom", "margin-left",
  ]

  /// Returns the effect of a value of `visibility`; nil if it is invalid.
  private static func visibilityEffect(_ value: StyleBytes) -> VisibilityEffect? {
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

/// The declarations that hide the preheader of a mail, a text for lists of messages: a maximum
/// height of 0, and another one that distinguishes it from a part of a page that opens.
private struct PreheaderDeclarations {
  private var hasNoHeight = false
  private var hasNoWidth = false
  private var hasTinyFont = false
  private var isHiddenByWord = false

  /// Whether the text of the element is invisible in every mail program.
  var hidesText: Bool { hasNoHeight && (hasNoWidth || hasTinyFont || isHiddenByWord) }

  /// Applies a declaration.
  mutating func read(_ property: StyleBytes, _ value: StyleBytes) {
    let value = value.prefix { $0 != UInt8(ascii: "!") }.trimmed
    if property.isWord("max-height") {
      hasNoHeight = Self.isPixels(value, atMost: UInt8(ascii: "0"))
    } else if property.isWord("max-width") {
      hasNoWidth = Self.isPixels(value, atMost: UInt8(ascii: "0"))
    } else if property.isWord("font-size") {
      hasTinyFont = Self.isPixels(value, atMost: UInt8(ascii: "1"))
    } else if property.isWord("mso-hide") {
      isHiddenByWord = value.isWord("all")
    }
  }

  /// Returns whether a length is a number of pixels of one digit, at most `digit`.
  private static func isPixels(_ value: StyleBytes, atMost digit: UInt8) -> Bool {
    guard let first = value.first, first.isDigit, first <= digit else { return false }
    return value.count == 1 || value.dropFirst().isWord("px")
  }
}

extension StyleBytes {
  /// Whether the declarations set the size of the font to 0. A value that is invalid or cannot be
  /// evaluated counts as another size.
  var setsFontSizeToZero: Bool {
    guard mentionsFontSize else { return false }
    var isZero = false
    forEachDeclaration { property, value in
      // The shorthand sets the size, too.
      if property.isWord("font") { isZero = false }
      guard property.isWord("font-size") else { return }
      let size = value.prefix { $0 != UInt8(ascii: "!") }.trimmed
      let number = size.prefix { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
      isZero =
        number.contains(UInt8(ascii: "0"))
        && size[number.endIndex...].allSatisfy { $0.isLetter || $0 == UInt8(ascii: "%") }
    }
    return isZero
  }

  /// Whether the declarations may contain `font-size`; a quick test.
  private var mentionsFontSize: Bool {
    // Searches for the rarest letter.
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "z"), or: UInt8(ascii: "Z"), from: index)
      guard index < bytes.count else { return false }
      index += 1
      if self[startIndex..<startIndex + index].suffix(8).isWord("font-siz") { return true }
    }
  }

  /// Whether the declarations may contain `max-height`; a quick test.
  var mentionsMaxHeight: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "x"), or: UInt8(ascii: "X"), from: index)
      guard index < bytes.count else { return false }
      index += 1
      if self[startIndex..<startIndex + index].suffix(3).isWord("max"),
        self[(startIndex + index)...].prefix(7).isWord("-height")
      {
        return true
      }
    }
  }

  /// Whether the declarations may contain a property that conceals an element other than `opacity`;
  /// a quick test.
  fileprivate var mentionsConcealment: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: ":"), from: index)
      guard index < bytes.count else { return false }
      let property = self[startIndex..<startIndex + index].suffix(12).trimmed
      index += 1
      switch property.last.map(\.lowercased) {
      case UInt8(ascii: "t"):
        if property.suffix(4).isWord("left") || property.suffix(5).isWord("right")
          || property.suffix(10).isWord("max-height")
        {
          return true
        }
      case UInt8(ascii: "p"): if property.suffix(3).isWord("top") { return true }
      case UInt8(ascii: "m"):
        if property.suffix(6).isWord("bottom") || property.suffix(9).isWord("transform") {
          return true
        }
      case UInt8(ascii: "e"): if property.suffix(5).isWord("scale") { return true }
      default: break
      }
    }
  }
}
