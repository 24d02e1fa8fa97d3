/// The key sequences of a terminal: those of its terminfo entry, and those that other common
/// terminals send for the same keys (xterm, rxvt, the Linux console, VT220 and its keypad).
struct KeySequences: Sendable {
  private let keysBySequence: [[UInt8]: Key]
  /// All proper prefixes of the sequences in `keysBySequence`.
  private let prefixes: Set<[UInt8]>
  private let maxLength: Int

  /// The first byte of all sequences.
  static let escape: UInt8 = 0x1B

  /// Creates the sequences of a terminal.
  /// - Parameter terminfo: The sequences in its terminfo entry, which take precedence.
  init(terminfo: [[UInt8]: Key] = [:]) {
    var keys = Self.commonKeys
    for (sequence, key) in terminfo where sequence.first == Self.escape && sequence.count > 1 {
      // Most terminals send F13 as S-F1, and their entries call it F13.
      if case .function(13...) = key.code,
        keys[sequence] ?? Self.keyWithModifiers(sequence, keys) != nil
      {
        continue
      }
      keys[sequence] = key
    }
    self.keysBySequence = keys
    maxLength = keys.keys.map(\.count).max() ?? 0
    prefixes = Set(
      keys.keys.flatMap { sequence in (1..<sequence.count).map { Array(sequence[..<$0]) } })
  }

  /// Returns the key of exactly this sequence; nil if there is none.
  subscript(sequence: [UInt8]) -> Key? {
    sequence.count > maxLength ? nil : keysBySequence[sequence]
  }

  /// Returns whether a longer sequence begins with this one.
  func hasLongerSequence(than sequence: [UInt8]) -> Bool {
    sequence.count < maxLength && prefixes.contains(sequence)
  }

  /// Returns the key of a complete sequence, also with the modifiers of xterm; nil if it is
  /// unknown.
  func key(of sequence: [UInt8]) -> Key? {
    keysBySequence[sequence] ?? Self.keyWithModifiers(sequence, keysBySequence)
  }

  /// Returns the key of a sequence with the modifiers of xterm: `CSI 1 ; m letter`,
  /// `CSI number ; m ~`, `SS3 m letter`; nil if it is unknown.
  private static func keyWithModifiers(_ sequence: [UInt8], _ keys: [[UInt8]: Key]) -> Key? {
    guard sequence.count > 3, let finalByte = sequence.last,
      let parameters = ControlParameters(sequence[2..<sequence.count - 1]), !parameters.isRelease
    else { return nil }
    let introducer = sequence[1]
    var plainPrefix = [escape, introducer]
    var modifiers = parameters.modifiers
    switch (introducer, finalByte) {
    case (UInt8(ascii: "["), UInt8(ascii: "~")):
      guard parameters.count <= 2 else { return nil }
      plainPrefix += Array("\(parameters.firstParameter)".utf8)
    case (UInt8(ascii: "["), _):
      guard parameters.count <= 2, parameters.firstParameter <= 1 else { return nil }
      // Without modifiers, this is a cursor position report and not F3.
      if finalByte == UInt8(ascii: "R"), modifiers.isEmpty { return nil }
    case (UInt8(ascii: "O"), _):
      guard parameters.count <= 2 else { return nil }
      if parameters.count == 1 {
        modifiers = ControlParameters.modifiers(parameters.firstParameter)
      }
    default: return nil
    }
    guard var key = keys[plainPrefix + [finalByte]] else { return nil }
    key.modifiers.formUnion(modifiers)
    if case .character = key.code { key.modifiers.remove(.shift) }
    return key
  }

  // MARK: The table

  /// The sequences that terminals have in common.
  static let commonKeys: [[UInt8]: Key] = {
    var keys: [[UInt8]: Key] = [:]
    func add(_ text: String, _ code: Key.Code, _ modifiers: Key.Modifiers = []) {
      keys[[Self.escape] + Array(text.utf8)] = Key(code, modifiers: modifiers)
    }
    for (letter, code) in Self.letterCodes {
      add("[\(letter)", code)
      add("O\(letter)", code)
    }
    for (letter, code) in Self.rxvtArrowCodes {
      add("[\(letter)", code, .shift)
      add("O\(letter)", code, .control)
    }
    for (number, code) in Self.numberCodes {
      add("[\(number)~", code)
      add("[\(number)$", code, .shift)  // rxvt
      add("[\(number)^", code, .control)
      add("[\(number)@", code, [.control, .shift])
    }
    for (letter, code) in Self.linuxFunctionCodes { add("[[\(letter)", code) }
    for (letter, code) in Self.keypadCodes { add("O\(letter)", code) }
    add("[Z", .tab, .shift)
    return keys
  }()

  /// The letters after CSI or SS3 (VT100, xterm).
  private static let letterCodes: KeyValuePairs<Character, Key.Code> = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end,
    "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
  ]

  /// The letters of rxvt for arrow keys with Shift (CSI) or Ctrl (SS3).
  private static let rxvtArrowCodes: KeyValuePairs<Character, Key.Code> = [
    "a": .up, "b": .down, "c": .right, "d": .left,
  ]

  /// The numbers after CSI (VT220, xterm, rxvt, the Linux console).
  private static let numberCodes: KeyValuePairs<Int, Key.Code> = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// The letters after `CSI [` (the Linux console).
  private static let linuxFunctionCodes: KeyValuePairs<Character, Key.Code> = [
    "A": .function(1), "B": .function(2), "C": .function(3), "D": .function(4), "E": .function(5),
  ]

  /// The letters after SS3 of the numeric keypad in application mode (VT100).
  private static let keypadCodes: KeyValuePairs<Character, Key.Code> = [
    " ": .character(" "), "I": .tab, "M": .enter, "X": .character("="), "j": .character("*"),
    "k": .character("+"), "l": .character(","), "m": .character("-"), "n": .character("."),
    "o": .character("/"), "p": .character("0"), "q": .character("1"), "r": .character("2"),
    "s": .character("3"), "t": .character("4"), "u": .character("5"), "v": .character("6"),
    "w": .character("7"), "x": .character("8"), "y": .character("9"),
  ]
}
