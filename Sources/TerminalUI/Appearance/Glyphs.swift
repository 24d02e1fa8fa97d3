import Library

/// The symbols on the screen, with substitutes for ASCII-only terminals, and with words for braille
/// displays and speech.
struct Glyphs: Sendable, Equatable {
  let isASCII: Bool
  /// Whether most symbols are replaced by words or omitted, for braille displays and speech.
  var isLinear = false

  var bannerBar: String { pick("▌", "|", "") }
  var separator: String { pick(" · ", " - ", ", ") }
  var titleSeparator: String { pick(" › ", " > ", ": ") }
  var sectionSign: String { pick("§", "#", "section ") }
  var saved: String { pick("●", "*", "saved") }
  var notSaved: String { pick("○", "o", "not saved") }
  var queued: String { pick("◷", "~", "queued") }
  var filledBarCell: String { isASCII ? "#" : "▓" }
  var emptyBarCell: String { isASCII ? "." : "░" }
  var arrow: String { pick("→", "->", "to") }
  /// The symbol after a field that opens a list.
  var dropDownArrow: String { pick("▾", "v", "") }
  /// The symbol beside the lines of a highlight.
  var highlight: String { pick("▎", "|", "") }
  /// The symbol beside the first line of a highlight with a note.
  var noteMark: String { pick("✎", "+", "note:") }
  /// The substitute for each character of a password.
  var passwordMask: Character { isASCII || isLinear ? "*" : "•" }
  var multiplicationSign: String { pick("×", "x", " by ") }
  var ellipsis: String { isASCII ? "~" : "…" }
  /// Returns the mark beside the first line of a paragraph that differs from another version.
  func changeMark(of kind: PageChanges.Kind) -> String {
    switch kind {
    case .changed: pick("≠", "~", "~")
    case .inserted: "+"
    case .gap: pick("−", "-", "-")
    }
  }
  /// The mark beside the other lines of a changed paragraph.
  var changeBar: String { pick("┃", "|", " ") }
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

  private func pick(_ unicode: String, _ ascii: String, _ linear: String) -> String {
    isLinear ? linear : isASCII ? ascii : unicode
  }
}
