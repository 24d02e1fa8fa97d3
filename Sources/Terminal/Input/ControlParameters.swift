/// The parameters of a control sequence (CSI or SS3), and the keys of the formats that report the
/// code of a character: `CSI code ; modifiers u` (fixterms, kitty) and
/// `CSI 27 ; modifiers ; code ~` (modifyOtherKeys of xterm).
struct ControlParameters: Sendable, Equatable {
  /// The parameters with their subparameters; those without digits are nil.
  private var fields: [[Int?]] = [[nil]]

  /// Parses parameters; nil if other bytes than digits and separators are among them.
  init?(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      let field = fields.count - 1
      let number = fields[field].count - 1
      switch byte {
      case 0x30...0x39:
        let value = (fields[field][number] ?? 0) * 10 + Int(byte - 0x30)
        fields[field][number] = min(value, 0x110000)
      case UInt8(ascii: ";"): fields.append([nil])
      case UInt8(ascii: ":"): fields[field].append(nil)
      default: return nil
      }
    }
  }

  /// The number of parameters, at least 1.
  var count: Int { fields.count }

  /// The first parameter; 0 if it is missing.
  var firstParameter: Int { self[0] ?? 0 }

  /// Returns a parameter, or one of its subparameters; nil if it is missing.
  subscript(field: Int, part: Int = 0) -> Int? {
    guard fields.indices.contains(field), fields[field].indices.contains(part) else { return nil }
    return fields[field][part]
  }

  /// The modifiers of xterm in the second parameter.
  var modifiers: Key.Modifiers { Self.modifiers(self[1] ?? 1) }

  /// Whether kitty reports that the key was released.
  var isRelease: Bool { self[1, 1] == 3 }

  /// Returns the modifiers of a parameter of xterm, which is 1 plus Shift 1, Alt 2, Ctrl 4, Meta 8;
  /// kitty has also Super 8, Hyper 16, Meta 32 and the locks.
  static func modifiers(_ parameter: Int) -> Key.Modifiers {
    guard parameter > 1 else { return [] }
    let bits = parameter - 1
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 0b111010 != 0 { modifiers.insert(.meta) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// The key of `CSI code ; modifiers u`; nil if it is unknown or was released.
  var unicodeKey: Key? {
    guard !isRelease, let code = self[0] else { return nil }
    // kitty can report the text of the key, or the character with Shift.
    let text = fields.count > 2 && fields[2].count == 1 ? self[2] : nil
    return Self.key(code: code, shiftedCode: text ?? self[0, 1], modifiers: modifiers)
  }

  /// The key of `CSI 27 ; modifiers ; code ~`; nil if the parameters do not have this form, or the
  /// key is unknown.
  var modifyOtherKeysKey: Key? {
    guard count == 3, firstParameter == 27, let code = self[2] else { return nil }
    return Self.key(code: code, shiftedCode: nil, modifiers: modifiers)
  }

  // MARK: Codes

  /// Returns the key of a character code, the same as from terminals without these formats; nil if
  /// it is unknown.
  static func key(code: Int, shiftedCode: Int?, modifiers: Key.Modifiers) -> Key? {
    switch code {
    case 9: return Key(.tab, modifiers: modifiers)
    case 10, 13, 27:
      // Other terminals report these keys without Shift and Ctrl.
      return Key(code == 27 ? .escape : .enter, modifiers: modifiers.intersection(.meta))
    case 8, 127: return Key(.backspace, modifiers: modifiers.subtracting(.shift))
    case 57_344...63_743:
      guard let code = functionalKeys[code] else { return nil }
      if case .character = code { return Key(code, modifiers: modifiers.subtracting(.shift)) }
      return Key(code, modifiers: code == .enter ? modifiers.intersection(.meta) : modifiers)
    default: break
    }
    guard code >= 0x20, !(0x7F..<0xA0).contains(code), let scalar = Unicode.Scalar(UInt32(code))
    else { return nil }
    if modifiers.contains(.control) {
      return controlKey(of: scalar, meta: modifiers.intersection(.meta))
    }
    var character = scalar
    if modifiers.contains(.shift) { character = Self.shiftedScalar(scalar, to: shiftedCode) }
    return Key(.character(character), modifiers: modifiers.intersection(.meta))
  }

  /// Returns the key of a character with Ctrl: for letters and `@[\]^_`, the key of the control
  /// character that other terminals send.
  private static func controlKey(of scalar: Unicode.Scalar, meta: Key.Modifiers) -> Key {
    let byte = UInt8(truncatingIfNeeded: scalar.value)
    guard (0x40...0x7E).contains(scalar.value), !(0x7B...0x7E).contains(byte), byte != 0x60,
      var key = InputParser.controlKey(byte & 0x1F)
    else { return Key(.character(scalar), modifiers: meta.union(.control)) }
    key.modifiers.formUnion(meta)
    return key
  }

  private static func shiftedScalar(_ scalar: Unicode.Scalar, to code: Int?) -> Unicode.Scalar {
    if let code, code >= 0x20, !(0x7F..<0xA0).contains(code),
      let known = Unicode.Scalar(UInt32(code))
    {
      return known
    }
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    return upper.count == 1 ? upper[upper.startIndex] : scalar
  }

  /// The codes of kitty for keys without a character.
  private static let functionalKeys: [Int: Key.Code] = {
    var keys: [Int: Key.Code] = [
      57_409: .character("."), 57_410: .character("/"), 57_411: .character("*"),
      57_412: .character("-"), 57_413: .character("+"), 57_414: .enter, 57_415: .character("="),
      57_416: .character(","), 57_417: .left, 57_418: .right, 57_419: .up, 57_420: .down,
      57_421: .pageUp, 57_422: .pageDown, 57_423: .home, 57_424: .end, 57_425: .insert,
      57_426: .delete,
    ]
    for number in 13...35 { keys[57_363 + number] = .function(UInt8(number)) }
    for digit in 0...9 { keys[57_399 + digit] = .character(Unicode.Scalar(UInt8(0x30 + digit))) }
    return keys
  }()
}
