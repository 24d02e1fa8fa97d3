/// The glyphs and texts that the layout itself adds to a page, in Unicode or as ASCII substitutes.
struct Glyphs: Sendable {
  let bullets: [String]
  let quoteBar: String
  let codeGutter: String
  let codeWrap: String
  let image: String
  let times: String
  let opened: String
  let closed: String
  let ellipsis: String
  let keyboard: (open: String, close: String)
  let headingRule: String
  let rule: String
  let saved: String
  let notSaved: String
  let queued: String
  let borders: Borders

  /// The parts of table borders. The index in `junctions` is a bit mask: up 1, down 2, left 4,
  /// right 8.
  struct Borders: Sendable {
    let vertical: String
    let horizontal: String
    let double: String
    let junctions: [String]
    let doubleJunctions: [String]
  }

  static let unicode = Glyphs(
    bullets: ["•", "◦", "▪"], quoteBar: "│ ", codeGutter: "┆ ", codeWrap: "↩", image: "▣ ",
    times: "×", opened: "▾ ", closed: "▸ ", ellipsis: "…", keyboard: ("‹", "›"), headingRule: "━",
    rule: "─",
    // The no-break space keeps the status marker on the line of its link.
    saved: "●\u{A0}", notSaved: "○\u{A0}", queued: "◷\u{A0}",
    borders: Borders(
      vertical: "│", horizontal: "─", double: "═",
      junctions: [
        " ", "│", "│", "│", "─", "┘", "┐", "┤", "─", "└", "┌", "├", "─", "┴", "┬", "┼",
      ],
      doubleJunctions: [
        " ", "│", "│", "│", "═", "╛", "╕", "╡", "═", "╘", "╒", "╞", "═", "╧", "╤", "╪",
      ]))

  static let ascii = Glyphs(
    bullets: ["*", "-", "+"], quoteBar: "> ", codeGutter: ": ", codeWrap: "\\", image: "[image] ",
    times: "x", opened: "v ", closed: "> ", ellipsis: "...", keyboard: ("<", ">"), headingRule: "=",
    rule: "-",
    saved: "*\u{A0}", notSaved: "o\u{A0}", queued: "~\u{A0}",
    borders: Borders(
      vertical: "|", horizontal: "-", double: "=",
      junctions: [
        " ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+",
      ],
      doubleJunctions: [
        " ", "|", "|", "|", "=", "+", "+", "+", "=", "+", "+", "+", "=", "+", "+", "+",
      ]))

  /// For braille and speech: glyphs that would be read aloud have a meaning, and decorative ones
  /// are omitted. The status of a link is announced when it is selected, so it has no marker.
  static let linear = Glyphs(
    bullets: ["*", "*", "*"], quoteBar: "> ", codeGutter: "  ", codeWrap: "\\", image: "image: ",
    times: " by ", opened: "- ", closed: "+ ", ellipsis: "...", keyboard: ("", ""), headingRule: "",
    rule: "-",
    saved: "", notSaved: "", queued: "", borders: ascii.borders)

  /// Returns the glyphs for the given options.
  static func all(for options: LayoutOptions) -> Glyphs {
    options.isLinear ? linear : options.hasPlainGlyphs ? ascii : unicode
  }

  /// Returns the marker of a link's status, or an empty string.
  func status(_ marker: LayoutOptions.LinkStatus) -> String {
    switch marker {
    case .none: ""
    case .saved: saved
    case .notSaved: notSaved
    case .queued: queued
    }
  }
}
