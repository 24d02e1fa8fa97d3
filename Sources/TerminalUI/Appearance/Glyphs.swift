import Library

/// The symbols on the screen, with substitutes for ASCII-only terminals, and with words for braille
/// displays and speech.
struct Glyphs: Sendable, Equatable {
  let isASCII: Bool
  /// Whether most symbols are replaced by words or omitted, for braille displays and speech.
  var isLinear = false

  /// The bar at the left of each row of the banner.
  var bannerBar: String { variant("▌", "|", "") }
  /// The text between two parts of a row, such as the status line.
  var separator: String { variant(" · ", " - ", ", ") }
  /// The text between the host and the title of the page in the title row.
  var titleSeparator: String { variant(" › ", " > ", ": ") }
  /// The prefix of the heading of the section on the screen.
  var sectionSign: String { variant("§", "#", "section ") }
  var saved: String { variant("●", "*", "saved") }
  var notSaved: String { variant("○", "o", "not saved") }
  var queued: String { variant("◷", "~", "queued") }
  /// The cells of a progress bar.
  var filledBarCell: String { isASCII ? "#" : "▓" }
  var emptyBarCell: String { isASCII ? "." : "░" }
  /// The symbol before the URL to which a link or form leads.
  var arrow: String { variant("→", "->", "to") }
  /// The symbol after a field that opens a list.
  var dropDownArrow: String { variant("▾", "v", "") }
  /// The symbol beside the lines of a highlight.
  var highlight: String { variant("▎", "|", "") }
  /// The symbol beside the first line of a highlight with a note.
  var noteMark: String { variant("✎", "+", "note:") }
  /// The substitute for each character of a password.
  var passwordMask: Character { isASCII || isLinear ? "*" : "•" }
  var multiplicationSign: String { variant("×", "x", " by ") }
  var ellipsis: String { isASCII ? "~" : "…" }
  /// Returns the mark beside the first line of a paragraph that differs from another version.
  func changeMark(of kind: PageChanges.Kind) -> String {
    switch kind {
    case .changed: variant("≠", "~", "~")
    case .inserted: "+"
    case .gap: variant("−", "-", "-")
    }
  }
  /// The mark beside the other lines of a changed paragraph.
  var changeBar: String { variant("┃", "|", " ") }
  /// The border of a box.
  var border:
    (
      top: (String, String), bottom: (String, String), horizontal: String, vertical: String
    )
  {
    isASCII
      ? (("+", "+"), ("+", "+"), "-", "|") : (("┌", "┐"), ("└", "┘"), "─", "│")
  }
  var spinner: [String] {
    isASCII ? ["|", "/", "-", "\\"] : ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  }

  private func variant(_ unicode: String, _ ascii: String, _ linear: String) -> String {
    isLinear ? linear : isASCII ? ascii : unicode
  }
}
