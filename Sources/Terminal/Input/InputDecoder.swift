/// Decodes bytes from a terminal into keys, pastes and reports.
///
/// Bytes may arrive in any portions: incomplete sequences wait for more bytes until `deadline`.
package struct InputDecoder: Sendable {
  package typealias Instant = ContinuousClock.Instant

  private var parser: InputParser
  private let escapeTimeout: Duration
  private var lastInputTime: Instant?
  /// Whether the last byte was an ESC on its own in a paste that had paused: the key Esc, or the
  /// beginning of the sequence that ends the paste.
  private var isEscapeInPaste = false

  /// The time to wait for the rest of a sequence that a user can hardly have typed.
  private static let sequenceTimeout = Duration.seconds(1)

  /// Creates a decoder.
  /// - Parameters:
  ///   - keys: The key sequences of this terminal, beyond those common to all terminals.
  ///   - charset: The charset of text from the terminal.
  ///   - escapeTimeout: The time after which ESC is the key Esc and not the beginning of a
  ///     sequence.
  package init(
    keys: [[UInt8]: Key] = [:], charset: TerminalCharset = .utf8,
    escapeTimeout: Duration = InputDecoder.escapeTimeout([:])
  ) {
    parser = InputParser(keys: KeySequences(terminfo: keys), charset: charset)
    self.escapeTimeout = escapeTimeout
  }

  /// Returns the time to wait after ESC: `ESCDELAY` in milliseconds, as in ncurses; otherwise 40
  /// ms, or 100 ms in a remote session, in which the bytes of a key may arrive separately.
  package static func escapeTimeout(_ environment: [String: String]) -> Duration {
    if let text = environment["ESCDELAY"], let time = Int(text), (0...30_000).contains(time) {
      return .milliseconds(time)
    }
    return .milliseconds(isRemote(environment) ? 100 : 40)
  }

  /// Whether the terminal is on another device (SSH).
  static func isRemote(_ environment: [String: String]) -> Bool {
    ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
  }

  /// The time at which to call `expireSequence`; nil if no sequence is incomplete. Pasted text has
  /// no limit, except after Esc.
  package var deadline: Instant? {
    guard let lastInputTime else { return nil }
    switch parser.state {
    case .ground: return nil
    case .paste where !isEscapeInPaste: return nil
    case .escape: return lastInputTime + escapeTimeout
    default: return lastInputTime + max(escapeTimeout, Self.sequenceTimeout)
    }
  }

  /// Decodes bytes.
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - now: The time at which they were read.
  /// - Returns: The events that are complete.
  package mutating func feed(_ bytes: some Sequence<UInt8>, at now: Instant) -> [InputEvent] {
    var events: [InputEvent] = []
    let bytes = Array(bytes)
    let isLate = lastInputTime.map { now - $0 >= Self.sequenceTimeout } ?? false
    lastInputTime = now
    let isPausedPaste = isLate && parser.state == .paste
    let isEscape = bytes == [KeySequences.escape]
    if isPausedPaste && bytes == [0x03] || isEscapeInPaste && isEscape {
      // The user presses C-c, or Esc twice, because the end of a paste was lost.
      isEscapeInPaste = false
      parser.endPaste(&events)
      return events
    }
    isEscapeInPaste = isPausedPaste && isEscape
    for byte in bytes { parser.parse(byte, &events) }
    return events
  }

  /// Ends an incomplete sequence if its time has passed.
  /// - Returns: The events that it contains; the rest is discarded.
  package mutating func expireSequence(at now: Instant) -> [InputEvent] {
    guard let deadline, deadline <= now else { return [] }
    var events: [InputEvent] = []
    if isEscapeInPaste {
      parser.endPaste(&events)
      isEscapeInPaste = false
    }
    parser.expireSequence(&events)
    return events
  }
}
