import Reader

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
  /// Stands behind what opens a list.
  var opens: String { isASCII ? "v" : "▾" }
  /// Stands for each character of a secret.
  var secret: Character { isASCII ? "*" : "•" }
  var ellipsis: String { isASCII ? "~" : "…" }
  /// The mark beside the first line of a paragraph that differs from another version.
  func sign(of kind: PageChanges.Kind) -> String {
    switch kind {
    case .changed: isASCII ? "~" : "≠"
    case .inserted: "+"
    case .gap: isASCII ? "-" : "−"
    }
  }
  /// The mark beside its other lines.
  var changeBar: String { isASCII ? "|" : "┃" }
  var spinner: [String] {
    isASCII ? ["|", "/", "-", "\\"] : ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  }
}
