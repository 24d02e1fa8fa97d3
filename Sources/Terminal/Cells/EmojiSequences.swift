/// Determines how emoji sequences are written: joined emoji, skin tones and flags of regions.
/// Terminals disagree about their widths. The layout gives them the sum of the widths of their
/// parts, and each is written after an explicit cursor movement, so that the following text is at
/// the right column in any terminal.
struct EmojiSequences: Sendable, Equatable {
  /// Whether joiners are written. A multiplexer has its own widths; when it redraws a row, the
  /// following text would move if the terminal's widths differ. It therefore receives the parts
  /// without joiners.
  var writesJoiners = true
  /// Whether the tag characters of region flags are written; mlterm gives each of them a column.
  var writesTags = true

  /// Creates the choices for the terminal that the environment describes.
  init(environment: [String: String]) {
    let names = { (variable: String) in environment[variable]?.isEmpty == false }
    let term = environment["TERM"] ?? ""
    let isMLTerm = names("MLTERM") || term.hasPrefix("mlterm")
    writesJoiners =
      !isMLTerm && !names("TMUX") && !names("STY") && !term.hasPrefix("screen")
      && !term.hasPrefix("tmux")
    writesTags = !isMLTerm
  }

  /// The maximum number of characters in a sequence.
  private static let maxScalars = 24

  /// Returns the text of an emoji sequence, which must be written without ncurses, because cells of
  /// ncurses hold only five characters and have the widths of the C library. Returns nil if the
  /// cluster is not an emoji sequence.
  func text(of cluster: String) -> String? {
    let scalars = cluster.unicodeScalars
    guard let first = scalars.first, first.value >= 0x203C,
      scalars.dropFirst().contains(where: { Self.isSequenceScalar($0) })
    else { return nil }
    var text = String.UnicodeScalarView()
    for scalar in scalars.prefix(Self.maxScalars) {
      switch scalar.value {
      case 0x200D where !writesJoiners, 0xFE0F where !writesJoiners: break
      case 0xE0020...0xE007F where !writesTags: break
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  private static func isSequenceScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
    default: false
    }
  }
}
