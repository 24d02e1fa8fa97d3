import Foundation

/// The control sequence that copies text to the terminal's clipboard: OSC 52, "Manipulate Selection
/// Data" in the xterm control sequences.
package enum ClipboardSequence {
  /// The maximum length of the text in bytes: terminals drop or truncate sequences of more than
  /// 100,000 base64 characters.
  package static let maxTextLength = 74_994

  /// A terminal multiplexer between the program and the terminal, which only passes on wrapped
  /// sequences.
  enum Multiplexer: Sendable, Equatable {
    /// tmux, which handles the sequence itself if `set-clipboard` is `on`, and passes on a wrapped
    /// one if `allow-passthrough` is `on`.
    case tmux
    /// GNU screen, which passes on wrapped sequences in short pieces.
    case screen
    /// tmux or GNU screen on the local side of a remote connection, which passes only `TERM`.
    case either

    /// Detects the multiplexer; nil if there is none.
    /// - Parameter environment: The environment of the process.
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

  /// Returns the bytes for the terminal.
  /// - Parameters:
  ///   - text: The text. Of control characters only line feeds and tabs are kept, so that pasting
  ///     the text into a shell or an editor is harmless.
  ///   - multiplexer: The multiplexer; nil if there is none.
  /// - Returns: The bytes; empty if the text is too long.
  static func bytes(for text: String, through multiplexer: Multiplexer? = nil) -> [UInt8] {
    guard text.utf8.count <= maxTextLength else { return [] }
    let clean = text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || Frame.isSafe($0) }
    let data = Data(String(String.UnicodeScalarView(clean)).utf8)
    // BEL terminates the sequence in every terminal; an ST would terminate the wrapping sequence.
    let sequence = "\u{1B}]52;c;\(data.base64EncodedString())\u{07}"
    switch multiplexer {
    case nil: return Array(sequence.utf8)
    case .tmux:
      let doubled = sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}")
      return Array("\(sequence)\u{1B}Ptmux;\(doubled)\u{1B}\\".utf8)
    case .screen: return wrappedForScreen(Array(sequence.utf8))
    case .either: return Array(sequence.utf8) + wrappedForScreen(Array(sequence.utf8))
    }
  }

  /// The bytes per piece, less than the 256 that old versions of screen accept.
  private static let maxPieceLength = 240

  private static func wrappedForScreen(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: maxPieceLength).flatMap { start -> [UInt8] in
      let piece: ArraySlice<UInt8> = bytes[start..<min(start + maxPieceLength, bytes.count)]
      return Array("\u{1B}P".utf8) + piece + Array("\u{1B}\\".utf8)
    }
  }
}
