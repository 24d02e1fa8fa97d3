/// A state machine that divides bytes from a terminal into keys, pastes and reports.
///
/// It has no clock: `expireSequence()` states that no byte followed. ECMA-48 control sequences are
/// consumed as a whole even if they are unknown, so that no part of a sequence is mistaken for a
/// key.
struct InputParser: Sendable {
  /// The position in the input after the last byte.
  enum State: Sendable, Equatable {
    /// Between two sequences.
    case ground
    /// In a UTF-8 character that is not complete.
    case character(missing: Int)
    /// After ESC.
    case escape
    /// After SS3 (`ESC O`) and its parameters.
    case singleShift
    /// Directly after CSI (`ESC [`).
    case controlSequenceStart
    /// In the parameters or intermediate bytes of a control sequence.
    case controlSequence
    /// After `ESC [ [`, which begins function keys of the Linux console.
    case linuxFunction
    /// In the coordinates of a mouse report in the format of X10.
    case legacyMouse(missing: Int)
    /// In a string that ends with BEL or ST: OSC, DCS, APC, PM or SOS.
    case string
    /// After ESC in a string.
    case stringEscape
    /// After a complete sequence with which a longer key sequence of the terminal begins.
    case longerKey
    /// In pasted text.
    case paste
  }

  private(set) var state = State.ground
  /// The bytes of the current sequence, from ESC on, or of the pasted text.
  private var buffer: [UInt8] = []
  /// Whether another ESC came before the sequence: rxvt, PuTTY and others send it for Alt.
  private var hasMeta = false
  /// In the state `longerKey`, the event of the complete sequence with which `buffer` begins, and
  /// the length of that sequence.
  private var shorterKey: (event: InputEvent?, length: Int) = (nil, 0)
  private let keys: KeySequences
  private let charset: TerminalCharset

  private static let escape = KeySequences.escape
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The maximum length of an escape sequence in bytes. Longer ones are ignored; all reports of
  /// terminals are shorter.
  static let maxSequenceLength = 4096

  init(keys: KeySequences, charset: TerminalCharset) {
    self.keys = keys
    self.charset = charset
  }

  /// Parses a byte and appends the events that it completes.
  mutating func parse(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground: parseInGround(byte, &events)
    case .character(let missing): parse(character: byte, missing: missing, &events)
    case .escape: parse(afterEscape: byte, &events)
    case .paste: parse(pasted: byte, &events)
    case .string, .stringEscape: parse(string: byte, &events)
    case .longerKey: parse(longerKey: byte, &events)
    case .legacyMouse(let missing) where byte >= 0x20 || byte == 0:
      buffer.append(byte)
      if missing > 1 {
        state = .legacyMouse(missing: missing - 1)
      } else {
        finishSequence(InputEvent(legacyMouse: buffer.suffix(3)), &events)
      }
    case .singleShift, .controlSequenceStart, .controlSequence, .linuxFunction, .legacyMouse:
      // ESC, control characters and 8-bit characters interrupt a sequence, which is dropped.
      guard (0x20..<0x7F).contains(byte) else { return restart(with: byte, &events) }
      if buffer.count < Self.maxSequenceLength { buffer.append(byte) }
      if let key = keys[buffer] { return finishSequence(.key(key), &events) }
      parse(inSequence: byte, &events)
    }
  }

  /// Appends the events that an incomplete sequence contains if no byte follows it, and discards
  /// the rest of the sequence.
  mutating func expireSequence(_ events: inout [InputEvent]) {
    switch state {
    case .paste: return
    case .escape:
      if hasMeta { events.append(.key(Key(.escape))) }
      events.append(.key(Key(.escape)))
    case .longerKey:
      endLongerKey(&events)
      return expireSequence(&events)
    default: break
    }
    reset()
  }

  /// Appends the text of a paste whose end sequence was not received.
  mutating func endPaste(_ events: inout [InputEvent]) {
    guard state == .paste else { return }
    events.append(.paste(charset.decode(typed: buffer[...])))
    reset()
  }

  // MARK: States

  private mutating func parseInGround(_ byte: UInt8, _ events: inout [InputEvent]) {
    if byte == Self.escape {
      (state, buffer) = (.escape, [byte])
    } else if byte < 0x20 || byte == 0x7F {
      if let key = Self.controlKey(byte) { events.append(.key(key)) }
    } else {
      beginCharacter(byte, &events)
    }
  }

  /// Parses the first byte of a character, in `ground` or after ESC.
  private mutating func beginCharacter(_ byte: UInt8, _ events: inout [InputEvent]) {
    buffer.append(byte)
    if byte >= 0x80, charset.isSingleByte {
      return finishCharacter(character: charset.scalar(typed: byte), &events)
    }
    switch byte {
    case 0..<0x80: finishCharacter(character: Unicode.Scalar(byte), &events)
    case 0xC2..<0xE0: state = .character(missing: 1)
    case 0xE0..<0xF0: state = .character(missing: 2)
    case 0xF0..<0xF5: state = .character(missing: 3)
    default: finishCharacter(character: nil, &events)
    }
  }

  private mutating func parse(
    character byte: UInt8, missing: Int, _ events: inout [InputEvent]
  ) {
    guard byte & 0xC0 == 0x80 else { return restart(with: byte, &events) }
    buffer.append(byte)
    if missing > 1 {
      state = .character(missing: missing - 1)
      return
    }
    let bytes = buffer.drop { $0 == Self.escape }
    let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    finishCharacter(
      character: scalar.flatMap { (0x80..<0xA0).contains($0.value) ? nil : $0 }, &events)
  }

  private mutating func parse(afterEscape byte: UInt8, _ events: inout [InputEvent]) {
    if byte == Self.escape {
      if hasMeta { events.append(.key(Key(.escape))) }
      hasMeta = true
      return
    }
    if let key = keys[buffer + [byte]] {
      buffer.append(byte)
      return finishSequence(.key(key), &events)
    }
    switch byte {
    case UInt8(ascii: "["): (state, buffer) = (.controlSequenceStart, buffer + [byte])
    case UInt8(ascii: "O"): (state, buffer) = (.singleShift, buffer + [byte])
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      (state, buffer) = (.string, buffer + [byte])
    case 0..<0x20, 0x7F:
      buffer.append(byte)
      finishMeta(Self.controlKey(byte), &events)
    default:
      beginCharacter(byte, &events)
    }
  }

  /// Parses a byte of an SS3 or control sequence (ECMA-48 §5.4), after it was appended to `buffer`.
  private mutating func parse(inSequence byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .controlSequenceStart where byte == UInt8(ascii: "["): state = .linuxFunction
    case .controlSequenceStart where byte == UInt8(ascii: "M"): state = .legacyMouse(missing: 3)
    case .controlSequenceStart, .controlSequence:
      state = .controlSequence
      if byte >= 0x40 { finishControlSequence(&events) }
    case .singleShift:
      let isParameter = (0x30...0x3B).contains(byte)
      if !isParameter { finishSequence(keys.key(of: buffer).map { .key($0) }, &events) }
    default: finishSequence(nil, &events)
    }
  }

  private mutating func finishControlSequence(_ events: inout [InputEvent]) {
    guard buffer.count < Self.maxSequenceLength else { return finishSequence(nil, &events) }
    if buffer.elementsEqual("\u{1B}[200~".utf8) {
      if hasMeta { events.append(.key(Key(.escape))) }
      reset()
      state = .paste
    } else {
      finishSequence(InputEvent(controlSequence: buffer, keys: keys), &events)
    }
  }

  private mutating func parse(string byte: UInt8, _ events: inout [InputEvent]) {
    let isEnd = state == .stringEscape ? byte == UInt8(ascii: "\\") : byte == 0x07
    if isEnd {
      let body = buffer[2...]
      let isApplication = buffer[1] == UInt8(ascii: "_")
      let isComplete = buffer.count < Self.maxSequenceLength
      let event: InputEvent? =
        isApplication
        ? TerminalReply(application: body).map { .reply($0) } : InputEvent(report: body)
      finishSequence(isComplete ? event : nil, &events)
    } else if state == .stringEscape {
      // The string was interrupted by another sequence.
      reset()
      (state, buffer) = (.escape, [Self.escape])
      parse(byte, &events)
    } else if byte == Self.escape {
      state = .stringEscape
    } else if buffer.count < Self.maxSequenceLength {
      buffer.append(byte)
    }
  }

  private mutating func parse(pasted byte: UInt8, _ events: inout [InputEvent]) {
    buffer.append(byte)
    guard byte == UInt8(ascii: "~"), buffer.suffix(Self.pasteEnd.count) == Self.pasteEnd[...]
    else { return }
    buffer.removeLast(Self.pasteEnd.count)
    endPaste(&events)
  }

  private mutating func parse(longerKey byte: UInt8, _ events: inout [InputEvent]) {
    buffer.append(byte)
    if let key = keys[buffer] {
      finishSequence(.key(key), &events)
    } else if !keys.hasLongerSequence(than: buffer) {
      endLongerKey(&events)
    }
  }

  /// Appends the event of the complete sequence at the beginning of the buffer, and parses the
  /// bytes after it.
  private mutating func endLongerKey(_ events: inout [InputEvent]) {
    let rest = buffer[shorterKey.length...]
    let event = shorterKey.event
    deliver(event, &events)
    for byte in rest { parse(byte, &events) }
  }

  // MARK: Ends of sequences

  private mutating func reset() {
    state = .ground
    buffer = []
    hasMeta = false
  }

  /// Drops an interrupted sequence and parses the byte that interrupted it.
  private mutating func restart(with byte: UInt8, _ events: inout [InputEvent]) {
    reset()
    parseInGround(byte, &events)
  }

  /// Ends a sequence with its event, unless a longer key sequence begins with it.
  private mutating func finishSequence(_ event: InputEvent?, _ events: inout [InputEvent]) {
    if keys.hasLongerSequence(than: buffer) {
      shorterKey = (event, buffer.count)
      state = .longerKey
    } else {
      deliver(event, &events)
    }
  }

  private mutating func deliver(_ event: InputEvent?, _ events: inout [InputEvent]) {
    switch event {
    case .key(var key)?:
      if hasMeta {
        // Before a sequence, ESC is Alt; before another key with Alt, it is the key Esc.
        if key.modifiers.contains(.meta) { events.append(.key(Key(.escape))) }
        key.modifiers.insert(.meta)
      }
      events.append(.key(key))
    case let report?:
      if hasMeta { events.append(.key(Key(.escape))) }
      events.append(report)
    case nil: break
    }
    reset()
  }

  /// Appends the key of a complete character, with Alt if ESC preceded the character. Nil stands
  /// for an invalid character.
  private mutating func finishCharacter(
    character scalar: Unicode.Scalar?, _ events: inout [InputEvent]
  ) {
    guard buffer.first == Self.escape else {
      if let scalar { events.append(.key(.character(scalar))) }
      return reset()
    }
    finishMeta(scalar.map { .character($0) }, &events)
  }

  /// Finishes a sequence of ESC and a single key, which is the key with Alt. Nil stands for an
  /// unknown key.
  private mutating func finishMeta(_ key: Key?, _ events: inout [InputEvent]) {
    guard var key else { return finishSequence(nil, &events) }
    key.modifiers.insert(.meta)
    finishSequence(.key(key), &events)
  }

  /// Returns the key of a control character.
  static func controlKey(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x00: .control(" ")
    case 0x08, 0x7F: Key(.backspace)
    case 0x09: Key(.tab)
    case 0x0A, 0x0D: Key(.enter)
    case 0x1B: Key(.escape)
    case 0x01...0x1A: .control(Unicode.Scalar(byte + 0x60))
    default: .control(Unicode.Scalar(byte + 0x40))
    }
  }
}

extension InputEvent {
  /// Creates the event of a complete control sequence (CSI); nil if it is unknown.
  init?(controlSequence sequence: [UInt8], keys: KeySequences) {
    guard sequence.count > 2, let final = sequence.last else { return nil }
    let parameters = sequence[2..<sequence.count - 1]
    if parameters.first == UInt8(ascii: "<") {
      self.init(mouse: parameters.dropFirst(), isPress: final == UInt8(ascii: "M"))
    } else if let reply = TerminalReply(finalByte: final, parameters: parameters) {
      self = .reply(reply)
    } else if let key = keys.key(of: sequence) {
      self = .key(key)
    } else {
      let codes = ControlParameters(parameters)
      let key =
        switch final {
        case UInt8(ascii: "u"): codes?.unicodeKey
        case UInt8(ascii: "~"): codes?.modifyOtherKeysKey
        default: nil as Key?
        }
      guard let key else { return nil }
      self = .key(key)
    }
  }

  /// Creates the event of a mouse report in the SGR encoding; nil if it is ignored.
  private init?(mouse parameters: ArraySlice<UInt8>, isPress: Bool) {
    guard isPress, let numbers = ControlParameters(parameters), numbers.count == 3,
      let button = numbers[0], let column = numbers[1], let row = numbers[2]
    else { return nil }
    self.init(button: button, column: column, row: row)
  }

  /// Creates the event of a mouse report in the encoding of X10, which GNU screen and older
  /// terminals use; nil if it is ignored.
  /// - Parameter bytes: The button, the column and the row, each plus 32. Terminals report 0 for a
  ///   position that does not fit into a byte.
  fileprivate init?(legacyMouse bytes: ArraySlice<UInt8>) {
    let numbers = bytes.map { Int($0) - 0x20 }
    guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    self.init(button: numbers[0], column: numbers[1], row: numbers[2])
  }

  /// Creates the event of a pressed button; nil if it is ignored.
  private init?(button: Int, column: Int, row: Int) {
    let action: Mouse.Action
    switch button & ~0b11100 {  // without shift, meta, control
    case 0: action = .click
    case 64: action = .wheelUp
    case 65: action = .wheelDown
    default: return nil
    }
    self = .mouse(.init(action, row: max(0, row - 1), column: max(0, column - 1)))
  }

  /// Creates the event of the body of an operating system command (OSC); nil if it is not the reply
  /// to the query for the background colour.
  init?(report body: ArraySlice<UInt8>) {
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
    self = .background(isDark: luma < 0.5)
  }
}
