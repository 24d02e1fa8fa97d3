/// How emoji that are made of several characters are written: joined ones, those with the colour of a skin, and
/// flags of regions. Terminals disagree about their columns; the layout gives them those of all their parts, and
/// they are written at a place of their own, so that what follows stands where it should whatever the terminal does.
struct EmojiSequences: Sendable, Equatable {
  /// What joins emoji is written. A multiplexer has widths of its own, and what it writes again later would move
  /// what follows in a terminal of other widths: it gets the parts one after another.
  var isJoined = true
  /// The tags that make a flag of a region are written; mlterm gives each of them a column.
  var hasTags = true

  /// As suits the terminal that the environment names.
  init(environment: [String: String]) {
    let names = { (variable: String) in environment[variable]?.isEmpty == false }
    let term = environment["TERM"] ?? ""
    let isMLTerm = names("MLTERM") || term.hasPrefix("mlterm")
    isJoined =
      !isMLTerm && !names("TMUX") && !names("STY") && !term.hasPrefix("screen")
      && !term.hasPrefix("tmux")
    hasTags = !isMLTerm
  }

  /// No sequence has more characters.
  private static let mostScalars = 24

  /// What is written for a cluster past ncurses, whose cells hold five characters, and which counts their columns
  /// by the C library; nil for a cluster that is no such sequence.
  func text(of cluster: String) -> String? {
    let scalars = cluster.unicodeScalars
    guard let first = scalars.first, first.value >= 0x203C,
      scalars.dropFirst().contains(where: { Self.makesSequence($0) })
    else { return nil }
    var text = String.UnicodeScalarView()
    for scalar in scalars.prefix(Self.mostScalars) {
      switch scalar.value {
      case 0x200D where !isJoined, 0xFE0F where !isJoined: break
      case 0xE0020...0xE007F where !hasTags: break
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  private static func makesSequence(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
    default: false
    }
  }
}
