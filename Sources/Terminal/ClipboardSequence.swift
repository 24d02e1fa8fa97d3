import Foundation

/// The control sequence that gives a text to the terminal's clipboard: OSC 52, "Manipulate Selection Data"
/// in xterm's control sequences.
package enum ClipboardSequence {
  /// The longest text in bytes: terminals drop sequences of more than 100,000 characters of base64, or cut
  /// them off.
  package static let longest = 74_994

  /// What stands between the program and the terminal and lets only wrapped sequences through.
  enum Multiplexer: Sendable, Equatable {
    /// tmux takes the sequence itself if `set-clipboard` is `on`, and lets a wrapped one through if
    /// `allow-passthrough` is.
    case tmux
    /// GNU screen lets through what is wrapped, in short pieces.
    case screen
    /// One of the two at the other end of a connection, which tells the name of the terminal only.
    case either

    /// - Parameter environment: the variables of the process.
    init?(_ environment: [String: String]) {
      let term = environment["TERM"] ?? ""
      if environment["TMUX"]?.isEmpty == false || term.hasPrefix("tmux") {
        self = .tmux
      } else if environment["STY"]?.isEmpty == false {
        self = .screen
      } else if term.hasPrefix("screen") {
        self = .either
      } else {
        return nil
      }
    }
  }

  /// The bytes for the terminal.
  /// - Parameters:
  ///   - text: the text; of control characters only line feeds and tabs are given on, so that pasting it
  ///     into a shell or an editor does nothing else.
  ///   - multiplexer: what stands between, or nil.
  /// - Returns: the bytes; none when the text is too long.
  static func bytes(for text: String, through multiplexer: Multiplexer? = nil) -> [UInt8] {
    guard text.utf8.count <= longest else { return [] }
    let clean = text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || Frame.isSafe($0) }
    let data = Data(String(String.UnicodeScalarView(clean)).utf8)
    // BEL ends it everywhere; within a wrapped sequence ST would end that.
    let sequence = "\u{1B}]52;c;\(data.base64EncodedString())\u{07}"
    switch multiplexer {
    case nil: return Array(sequence.utf8)
    case .tmux:
      let doubled = sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}")
      return Array("\(sequence)\u{1B}Ptmux;\(doubled)\u{1B}\\".utf8)
    case .screen: return wrapped(Array(sequence.utf8))
    case .either: return Array(sequence.utf8) + wrapped(Array(sequence.utf8))
    }
  }

  /// Bytes of each piece, below the 256 that old versions of screen take.
  private static let piece = 240

  private static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: piece).flatMap { start in
      Array("\u{1B}P".utf8) + bytes[start..<min(start + piece, bytes.count)]
        + Array("\u{1B}\\".utf8)
    }
  }
}
