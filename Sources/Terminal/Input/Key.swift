/// A key as the keyboard sends it, with the names that help, scripts and the config use.
package struct Key: Hashable, Sendable {
  /// Which key.
  package var code: Code
  /// Held down with it.
  package var modifiers: Modifiers

  package init(_ code: Code, modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// The keys a terminal can tell apart.
  package enum Code: Hashable, Sendable {
    /// A printable character; with `control`, a lower-case letter or one of `@[\]^_`.
    case character(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    case backspace, tab, enter, escape
    /// F1 to F63.
    case function(UInt8)
  }

  /// Keys held down with another one. Shift is part of the character where there is one.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let shift = Modifiers(rawValue: 1)
    package static let meta = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  /// A plain character.
  package static func character(_ scalar: Unicode.Scalar) -> Key {
    Key(.character(scalar))
  }

  /// A letter with Ctrl.
  package static func control(_ scalar: Unicode.Scalar) -> Key {
    Key(.character(scalar), modifiers: .control)
  }
}

extension Key: CustomStringConvertible {
  private static let names: [(code: Code, name: String)] = [
    (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
    (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.insert, "Ins"), (.delete, "Del"),
    (.backspace, "Backspace"), (.tab, "Tab"), (.enter, "Enter"), (.escape, "Esc"),
    (.character(" "), "Space"),
  ]

  /// The name: `j`, `Space`, `C-f`, `M-Right`, `S-Tab`, `F1`.
  package var description: String {
    var text = ""
    if modifiers.contains(.control) { text += "C-" }
    if modifiers.contains(.meta) { text += "M-" }
    if modifiers.contains(.shift) { text += "S-" }
    if let named = Self.names.first(where: { $0.code == code }) { return text + named.name }
    switch code {
    case .function(let number): return text + "F\(number)"
    case .character(let scalar): return text + String(scalar)
    default: return text
    }
  }

  /// Reads a name as `description` writes it.
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
    if let named = Self.names.first(where: { $0.name == rest }) {
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
