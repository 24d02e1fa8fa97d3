import Layout

/// Clusters in the pieces that a terminal of single cells can be given.
///
/// The C library's table of widths, by which ncurses counts columns, may differ from the layout's.
/// The pieces of a cluster always fill exactly the columns that the layout gave it.
enum TerminalText {
  /// As wide as any character that is ambiguous in UAX 11 and counts as wide.
  static let placeholder = "\u{3000}"

  /// What a cluster is written as when it has to be put into its place past ncurses: the terminal
  /// is said to draw it wide, and the C library counts it as narrow.
  /// - Parameters:
  ///   - cluster: what is to be shown.
  ///   - widths: how wide the terminal draws it.
  ///   - columns: the C library's table.
  /// - Returns: its characters, or nil when ncurses can write it.
  static func placed(
    _ cluster: String, by widths: DisplayWidth, columns: (Int32) -> Int32
  ) -> String? {
    guard widths.ambiguous == 2, let first = cluster.unicodeScalars.first, !first.isASCII,
      widths.width(ofScalar: first.value) == 2, columns(Int32(first.value)) == 1,
      widths.width(of: cluster) == 2
    else { return nil }
    var text = ""
    for scalar in cluster.unicodeScalars.prefix(5)
    where text.isEmpty || columns(Int32(scalar.value)) == 0 && scalar.value != 0x200D {
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// What ncurses has in some columns that are written past it.
  static func placeholder(columns: Int) -> String {
    String(repeating: placeholder, count: columns / 2) + (columns % 2 == 0 ? "" : "\u{A0}")
  }

  /// Whether terminals disagree about the columns of the vowels and other signs of a cluster: of the scripts
  /// of India and its neighbours some count the signs that take room of their own, and some do not.
  static func isShaped(_ cluster: String) -> Bool {
    switch cluster.unicodeScalars.first?.value ?? 0 {
    case 0x900...0xDFF, 0x1000...0x109F, 0x1780...0x17FF: true
    default: false
    }
  }

  /// Cuts a cluster into pieces.
  /// - Parameters:
  ///   - cluster: what is to be shown.
  ///   - width: the columns that the layout gave it.
  ///   - columns: the C library's table: columns of a character, -1 for unknown ones.
  /// - Returns: the characters of each piece, ended by 0, with its column within the cluster.
  static func parts(
    of cluster: String, width: Int, columns: (Int32) -> Int32
  ) -> [(offset: Int, text: [Int32])] {
    if cluster.utf8.count == 1, let byte = cluster.utf8.first { return [(0, [Int32(byte), 0])] }
    var parts: [(offset: Int, text: [Int32])] = []
    var end = 0
    for scalar in cluster.unicodeScalars {
      let character = Int32(scalar.value)
      let own = Int(columns(character))
      if own > 0 {
        guard end + own <= width else { break }
        parts.append((end, [character]))
        end += own
      } else if own == 0, !parts.isEmpty, scalar.value != 0xFE0F, scalar.value != 0x200D,
        parts[parts.count - 1].text.count < 5
      {
        // U+FE0F would widen a narrow character on some terminals only.
        parts[parts.count - 1].text.append(character)
      } else if own < 0, end < width {
        parts.append((end, [0xFFFD]))
        end += 1
      }
    }
    while end < width {
      parts.append((end, [0x20]))
      end += 1
    }
    return parts.map { ($0.offset, $0.text + [0]) }
  }
}
