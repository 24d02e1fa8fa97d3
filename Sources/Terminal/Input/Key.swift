/// A key with its modifiers, and the names used in help, scripts and settings.
package struct Key: Hashable, Sendable {
  /// The key without modifiers.
  package var code: Code
  /// The modifiers held down with the key.
  package var modifiers: Modifiers

  package init(_ code: Code, modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// The keys that a terminal can distinguish.
  package enum Code: Hashable, Sendable {
    /// A printable character; with `control`, a lowercase letter, a space or one of `@[\]^_`.
    case character(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    case backspace, tab, enter, escape
    /// F1 to F63.
    case function(UInt8)
  }

  /// Modifier keys. Shift is part of the character if the key has one.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let shift = Modifiers(rawValue: 1)
    package static let meta = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  /// Returns the key of a character without modifiers.
  package static func character(_ scalar: Unicode.Scalar) -> Key {
    Key(.character(scalar))
  }

  /// Whether the key is a letter, with or without modifiers.
  package var isLetter: Bool {
    if case .character(let scalar) = code { scalar.properties.isAlphabetic } else { false }
  }

  /// The key that terminals send for this one: Tab for `C-i`, `A` for `S-a`, Enter for `C-Enter`;
  /// nil for Alt with a character with which escape sequences begin (ECMA-48), such as `M-[`.
  package var received: Key? {
    let code: Unicode.Scalar? =
      switch self.code {
      case .character(let scalar): scalar
      case .tab: "\t"
      case .enter: "\r"
      case .escape: "\u{1B}"
      case .backspace: "\u{7F}"
      case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .insert, .delete, .function:
        nil
      }
    guard let code else { return self }
    let key = ControlParameters.key(code: Int(code.value), shiftedCode: nil, modifiers: modifiers)
    if let key, key.modifiers == .meta, case .character(let scalar) = key.code,
      "O[]PX^_".unicodeScalars.contains(scalar)
    {
      return nil
    }
    return key
  }

  /// Returns the key of a character with Ctrl.
  package static func control(_ scalar: Unicode.Scalar) -> Key {
    Key(.character(scalar), modifiers: .control)
  }
}

extension Key: CustomStringConvertible {
  private static let codeNames: [(code: Code, name: String)] = [
    (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
    (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.insert, "Ins"), (.delete, "Del"),
    (.backspace, "Backspace"), (.tab, "Tab"), (.enter, "Enter"), (.escape, "Esc"),
    (.character(" "), "Space"),
  ]

  /// The names of the keys that have more than one character, without modifiers.
  package static let names = codeNames.map(\.name) + (1...12).map { "F\($0)" }

  /// The name of the key: `j`, `Space`, `C-f`, `M-Right`, `S-Tab`, `F1`.
  package var description: String {
    var text = ""
    if modifiers.contains(.control) { text += "C-" }
    if modifiers.contains(.meta) { text += "M-" }
    if modifiers.contains(.shift) { text += "S-" }
    if let named = Self.codeNames.first(where: { $0.code == code }) { return text + named.name }
    switch code {
    case .function(let number): return text + "F\(number)"
    case .character(let scalar): return text + String(scalar)
    default: return text
    }
  }

  /// Parses a name in the format of `description`; nil for other texts.
  package init?(_ name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    let prefixes: [(String, Modifiers)] = [("C-", .control), ("M-", .meta), ("S-", .shift)]
    while let (prefix, modifier) = prefixes.first(where: { rest.hasPrefix($0.0) }),
      rest.unicodeScalars.count > prefix.unicodeScalars.count
    {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    if let named = Self.codeNames.first(where: { $0.name == rest }) {
      self.init(named.code, modifiers: modifiers)
    } else if rest.hasPrefix("F"), let number = UInt8(rest.dropFirst()), (1...63).contains(number) {
      self.init(.function(number), modifiers: modifiers)
    } else if let scalar = rest.unicodeScalars.first, rest.unicodeScalars.count == 1,
      scalar.value > 0x20, !(0x7F...0x9F).contains(scalar.value)
    {
      self.init(.character(scalar), modifiers: modifiers)
    } else {
      return nil
    }
  }
}
