/// Decodes bytes from a terminal into keys, pastes and reports.
///
/// ECMA-48 control sequences are consumed as a whole even if they are unknown, so that no part of a
/// sequence is mistaken for a key. Bytes may arrive in any portions: incomplete sequences wait for
/// more bytes, or for `flush()` after the time in `escapeTimeout`.
package struct InputDecoder: Sendable {
  private var pending: [UInt8] = []
  private var next = 0
  private let keys: [[UInt8]: Key]
  private let maxKeyLength: Int
  private let charset: TerminalCharset

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The maximum length of a sequence, which no report reaches; longer sequences are dropped.
  private static let maxSequenceLength = 4096

  /// Creates a decoder.
  /// - Parameters:
  ///   - keys: The key sequences of this terminal, beyond those common to all terminals.
  ///   - charset: The charset of text from the terminal.
  package init(keys: [[UInt8]: Key] = [:], charset: TerminalCharset = .utf8) {
    self.keys = keys
    self.charset = charset
    maxKeyLength = keys.keys.map(\.count).max() ?? 0
  }

  /// The time to wait for more bytes before `flush()`, in milliseconds; nil if nothing is pending.
  package var escapeTimeout: Int? {
    guard !pending.isEmpty else { return nil }
    return pending == [Self.escape] ? 40 : 1000
  }

  /// Adds bytes and returns the events that are complete.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    pending += bytes
    return drain(isFinal: false)
  }

  /// Returns the events that the pending bytes contain, and discards the rest.
  package mutating func flush() -> [InputEvent] {
    drain(isFinal: true)
  }

  private mutating func drain(isFinal: Bool) -> [InputEvent] {
    var events: [InputEvent] = []
    next = 0
    while next < pending.count {
      guard let token = token(isFinal: isFinal) else { break }
      next += token.length
      if let event = token.event { events.append(event) }
    }
    pending.removeFirst(isFinal ? pending.count : next)
    next = 0
    return events
  }

  /// Returns the token at `next`: nil if more bytes are needed; its event is nil if the token is
  /// ignored.
  private func token(isFinal: Bool) -> (event: InputEvent?, length: Int)? {
    let rest = pending[next...]
    if let known = knownKey(rest) { return known }
    guard let first = rest.first else { return nil }
    if first == Self.escape { return escapeSequence(rest, isFinal: isFinal) }
    if first < 0x20 || first == 0x7F { return (Self.controlKey(first).map { .key($0) }, 1) }
    return character(rest, isFinal: isFinal)
  }

  private func knownKey(_ rest: ArraySlice<UInt8>) -> (event: InputEvent?, length: Int)? {
    guard rest.first == Self.escape, maxKeyLength > 1 else { return nil }
    for length in stride(from: min(maxKeyLength, rest.count), to: 1, by: -1) {
      if let key = keys[Array(rest.prefix(length))] { return (.key(key), length) }
    }
    return nil
  }

  static func controlKey(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x08, 0x7F: Key(.backspace)
    case 0x09: Key(.tab)
    case 0x0A, 0x0D: Key(.enter)
    case 0x00: nil
    case 0x01...0x1A: .control(Unicode.Scalar(byte + 0x60))
    default: .control(Unicode.Scalar(byte + 0x40))
    }
  }

  private func character(
    _ rest: ArraySlice<UInt8>, isFinal: Bool
  ) -> (event: InputEvent?, length: Int)? {
    let first = rest[rest.startIndex]
    if first >= 0x80, charset.isEightBit {
      return (charset.scalar(typed: first).map { .key(.character($0)) }, 1)
    }
    let length =
      switch first {
      case 0..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 1
      }
    guard rest.count >= length || isFinal else {
      // A byte that cannot continue the character means that it will not be completed.
      let isHopeful = rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
      return isHopeful ? nil : (nil, 1)
    }
    guard let text = String(validating: rest.prefix(length), as: UTF8.self),
      let scalar = text.unicodeScalars.first, !(0x80..<0xA0).contains(scalar.value)
    else { return (nil, 1) }
    return (.key(.character(scalar)), length)
  }

  // MARK: Escape sequences

  private func escapeSequence(
    _ rest: ArraySlice<UInt8>, isFinal: Bool
  ) -> (event: InputEvent?, length: Int)? {
    guard rest.count > 1 else { return isFinal ? (.key(Key(.escape)), 1) : nil }
    let second = rest[rest.startIndex + 1]
    switch second {
    case UInt8(ascii: "["): return controlSequence(rest)
    case UInt8(ascii: "O"): return singleShift(rest)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      return stringSequence(rest)
    case Self.escape: return (.key(Key(.escape)), 1)
    default: break
    }
    if second < 0x20 || second == 0x7F {
      guard var key = Self.controlKey(second) else { return (nil, 2) }
      key.modifiers.insert(.meta)
      return (.key(key), 2)
    }
    guard let character = character(rest.dropFirst(), isFinal: isFinal) else { return nil }
    guard case .key(var key)? = character.event else { return (nil, character.length + 1) }
    key.modifiers.insert(.meta)
    return (.key(key), character.length + 1)
  }

  /// Parses SS3: one final byte, with an optional modifier before it.
  private func singleShift(_ rest: ArraySlice<UInt8>) -> (event: InputEvent?, length: Int)? {
    var index = rest.startIndex + 2
    while index < rest.endIndex, (0x30...0x39).contains(rest[index]) { index += 1 }
    guard index < rest.endIndex else { return nil }
    let modifiers = Self.modifiers(
      Int(String(decoding: rest[rest.startIndex + 2..<index], as: UTF8.self)))
    let code = EscapeKeys.final[rest[index]]
    return (code.map { .key(Key($0, modifiers: modifiers)) }, index - rest.startIndex + 1)
  }

  /// Parses CSI: parameter bytes, intermediate bytes, a final byte (ECMA-48 §5.4).
  private func controlSequence(_ rest: ArraySlice<UInt8>) -> (event: InputEvent?, length: Int)? {
    let start = rest.startIndex + 2
    guard start < rest.endIndex else { return nil }
    if rest[start] == UInt8(ascii: "[") {  // F1 to F5 on the Linux console
      guard start + 1 < rest.endIndex else { return nil }
      let number = rest[start + 1] &- UInt8(ascii: "A") &+ 1
      return ((1...5).contains(number) ? .key(Key(.function(number))) : nil, 4)
    }
    if rest[start] == UInt8(ascii: "M") {  // a mouse report in the legacy encoding
      return rest.count >= 6 ? (nil, 6) : nil
    }
    var index = start
    while index < rest.endIndex, (0x20...0x3F).contains(rest[index]) { index += 1 }
    guard index < rest.endIndex else {
      return rest.count > Self.maxSequenceLength ? (nil, rest.count) : nil
    }
    let length = index - rest.startIndex + 1
    guard (0x40...0x7E).contains(rest[index]) else {
      // Not a final byte: the sequence was interrupted by a new one or by garbage.
      return (nil, length - 1)
    }
    let parameters = rest[start..<index]
    if rest[index] == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) {
      return paste(rest, from: index + 1)
    }
    return (event(final: rest[index], parameters: parameters), length)
  }

  private func event(final: UInt8, parameters: ArraySlice<UInt8>) -> InputEvent? {
    if parameters.first == UInt8(ascii: "<") {
      return mouse(parameters.dropFirst(), isPress: final == UInt8(ascii: "M"))
    }
    if let reply = TerminalReply(final: final, parameters: parameters) { return .reply(reply) }
    let numbers = Self.numbers(parameters)
    guard let numbers else { return nil }
    let modifiers = Self.modifiers(numbers.count > 1 ? numbers[1] : nil)
    if final == UInt8(ascii: "~") {
      return EscapeKeys.tilde[numbers.first ?? 0].map { .key(Key($0, modifiers: modifiers)) }
    }
    if final == UInt8(ascii: "Z") { return .key(Key(.tab, modifiers: .shift)) }
    // CSI I and CSI O report focus changes; the other final bytes in the table are keys.
    guard final != UInt8(ascii: "I"), final != UInt8(ascii: "O") else { return nil }
    guard numbers.count <= 2, numbers.first ?? 1 <= 1 else { return nil }
    return EscapeKeys.final[final].map { .key(Key($0, modifiers: modifiers)) }
  }

  private func mouse(_ parameters: ArraySlice<UInt8>, isPress: Bool) -> InputEvent? {
    guard isPress, let numbers = Self.numbers(parameters), numbers.count == 3 else { return nil }
    let action: InputEvent.Mouse.Action
    switch numbers[0] & ~0b11100 {  // without shift, meta, control
    case 0: action = .click
    case 64: action = .wheelUp
    case 65: action = .wheelDown
    default: return nil
    }
    return .mouse(.init(action, row: max(0, numbers[2] - 1), column: max(0, numbers[1] - 1)))
  }

  private func paste(_ rest: ArraySlice<UInt8>, from start: Int) -> (
    event: InputEvent?, length: Int
  )? {
    var index = start
    while index < rest.endIndex {
      if rest[index] == Self.escape, rest[index...].starts(with: Self.pasteEnd) {
        let text = charset.decode(typed: rest[start..<index])
        return (.paste(text), index + Self.pasteEnd.count - rest.startIndex)
      }
      index += 1
    }
    return nil
  }

  /// Parses OSC, DCS, APC, PM and SOS, which end with BEL or ST.
  private func stringSequence(_ rest: ArraySlice<UInt8>) -> (event: InputEvent?, length: Int)? {
    let start = rest.startIndex + 2
    var index = start
    while index < rest.endIndex {
      let byte = rest[index]
      let isST =
        byte == Self.escape && index + 1 < rest.endIndex && rest[index + 1] == UInt8(ascii: "\\")
      if byte == 0x07 || isST {
        let body = rest[start..<index]
        let isApplication = rest[rest.startIndex + 1] == UInt8(ascii: "_")
        let event =
          isApplication ? TerminalReply(application: body).map { .reply($0) } : report(body)
        return (event, index - rest.startIndex + (isST ? 2 : 1))
      }
      if byte == Self.escape, index + 1 < rest.endIndex { return (nil, index - rest.startIndex) }
      index += 1
    }
    return rest.count > Self.maxSequenceLength ? (nil, rest.count) : nil
  }

  private func report(_ body: ArraySlice<UInt8>) -> InputEvent? {
    let text = String(decoding: body, as: UTF8.self)
    guard text.hasPrefix("11;rgb"), let colon = text.firstIndex(of: ":") else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").prefix(3)
    let levels = parts.compactMap { part -> Double? in
      guard (1...4).contains(part.utf8.count), let value = UInt32(part, radix: 16) else {
        return nil
      }
      return Double(value) / Double((1 << (4 * part.utf8.count)) - 1)
    }
    guard levels.count == 3 else { return nil }
    let luma = 0.2126 * levels[0] + 0.7152 * levels[1] + 0.0722 * levels[2]
    return .background(isDark: luma < 0.5)
  }

  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int]? {
    guard !parameters.isEmpty else { return [] }
    var numbers = [0]
    for byte in parameters {
      switch byte {
      case 0x30...0x39:
        let value = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
        numbers[numbers.count - 1] = min(value, 1_000_000)
      case UInt8(ascii: ";"): numbers.append(0)
      default: return nil
      }
    }
    return numbers
  }

  /// Parses xterm's modifier parameter: 1 plus shift 1, meta 2, control 4.
  private static func modifiers(_ parameter: Int?) -> Key.Modifiers {
    guard let parameter, parameter > 1 else { return [] }
    return Key.Modifiers(rawValue: UInt8((parameter - 1) & 7))
  }
}

/// The final bytes and numbers of key sequences that terminals have in common.
private enum EscapeKeys {
  static let final: [UInt8: Key.Code] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
    UInt8(ascii: "M"): .enter,
  ]
  static let tilde: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]
}
