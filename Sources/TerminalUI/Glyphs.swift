/// The ornaments of the screen, with stand-ins for terminals that have ASCII only.
struct Glyphs: Sendable, Equatable {
  let isASCII: Bool

  var bar: String { isASCII ? "|" : "▌" }
  var separator: String { isASCII ? " - " : " · " }
  var titleSeparator: String { isASCII ? " > " : " › " }
  var section: String { isASCII ? "#" : "§" }
  var saved: String { isASCII ? "*" : "●" }
  var notSaved: String { isASCII ? "o" : "○" }
  var queued: String { isASCII ? "~" : "◷" }
  var full: String { isASCII ? "#" : "▓" }
  var empty: String { isASCII ? "." : "░" }
  var arrow: String { isASCII ? "->" : "→" }
  /// Stands for each character of a secret.
  var secret: Character { isASCII ? "*" : "•" }
  var ellipsis: String { isASCII ? "~" : "…" }
  var spinner: [String] {
    isASCII ? ["|", "/", "-", "\\"] : ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  }
}
