import Layout

/// Divides clusters into parts that ncurses can put into single cells.
///
/// ncurses counts columns by the width table of the C library, which may differ from the widths of
/// the layout. The parts of a cluster always fill exactly the columns that the layout assigned to
/// it.
enum TerminalText {
  /// A character as wide as an ambiguous character (UAX 11) that is drawn wide.
  static let placeholder = "\u{3000}"

  /// Returns the text of a cluster that must be written to its position without ncurses, because
  /// the terminal draws it wide and the C library counts it as narrow.
  /// - Parameters:
  ///   - cluster: The cluster.
  ///   - widths: The widths in the terminal.
  ///   - columnsInLibrary: The width table of the C library.
  /// - Returns: The characters to write; nil if ncurses can write the cluster.
  static func textForWideDrawing(
    _ cluster: String, by widths: DisplayWidth, columnsInLibrary: (Int32) -> Int32
  ) -> String? {
    guard widths.ambiguousWidth == 2, let first = cluster.unicodeScalars.first, !first.isASCII,
      widths.width(ofScalar: first.value) == 2, columnsInLibrary(Int32(first.value)) == 1,
      widths.width(of: cluster) == 2
    else { return nil }
    var text = ""
    for scalar in cluster.unicodeScalars.prefix(5)
    where text.isEmpty || columnsInLibrary(Int32(scalar.value)) == 0 && scalar.value != 0x200D {
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// Returns the placeholder text that is passed to ncurses for columns that are written without
  /// ncurses.
  static func placeholder(columns: Int) -> String {
    String(repeating: placeholder, count: columns / 2) + (columns % 2 == 0 ? "" : "\u{A0}")
  }

  /// Returns the text of a cluster that must be written to its position without ncurses, because
  /// the C library does not know a character of it, such as an emoji of a newer Unicode version.
  /// - Parameters:
  ///   - cluster: The cluster.
  ///   - columnsInLibrary: The width table of the C library; -1 for unknown characters.
  /// - Returns: The characters to write; nil if ncurses can write the cluster, or if it may be more
  ///   than text for the terminal.
  static func textForUnknownCharacters(_ cluster: String, columnsInLibrary: (Int32) -> Int32)
    -> String?
  {
    let scalars = cluster.unicodeScalars.prefix(maxScalars)
    guard scalars.contains(where: { columnsInLibrary(Int32($0.value)) < 0 }),
      scalars.allSatisfy({ Frame.isSafe($0) && !$0.properties.isNoncharacterCodePoint })
    else { return nil }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The maximum number of characters in a cluster that is written without ncurses.
  private static let maxScalars = 24

  /// Returns whether terminals disagree about the width of the cluster: in Indic and related
  /// scripts, some terminals count spacing vowel signs and some do not.
  static func hasAmbiguousShapedWidth(_ cluster: String) -> Bool {
    switch cluster.unicodeScalars.first?.value ?? 0 {
    case 0x900...0xDFF, 0x1000...0x109F, 0x1780...0x17FF: true
    default: false
    }
  }

  /// Divides a cluster into parts.
  /// - Parameters:
  ///   - cluster: The cluster.
  ///   - width: The columns that the layout assigned to it.
  ///   - columnsInLibrary: The width table of the C library; -1 for unknown characters.
  /// - Returns: The characters of each part, terminated by 0, with the column of the part within
  ///   the cluster.
  static func cellParts(
    of cluster: String, width: Int, columnsInLibrary: (Int32) -> Int32
  ) -> [(offset: Int, text: [Int32])] {
    if cluster.utf8.count == 1, let byte = cluster.utf8.first { return [(0, [Int32(byte), 0])] }
    var parts: [(offset: Int, text: [Int32])] = []
    var end = 0
    for scalar in cluster.unicodeScalars {
      let character = Int32(scalar.value)
      let ownWidth = Int(columnsInLibrary(character))
      if ownWidth > 0 {
        guard end + ownWidth <= width else { break }
        parts.append((end, [character]))
        end += ownWidth
      } else if ownWidth == 0, !parts.isEmpty, scalar.value != 0xFE0F, scalar.value != 0x200D,
        parts[parts.count - 1].text.count < 5
      {
        // U+FE0F would widen a narrow character in some terminals only.
        parts[parts.count - 1].text.append(character)
      } else if ownWidth < 0, end < width {
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
