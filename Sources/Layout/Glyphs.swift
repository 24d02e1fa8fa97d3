/// The glyphs and texts that the layout itself adds to a page, in Unicode or as ASCII substitutes.
struct Glyphs: Sendable {
  let bullets: [String]
  let quoteBar: String
  let codeGutter: String
  let codeWrap: String
  let imageMarker: String
  let multiplicationSign: String
  let openIndicator: String
  let closedIndicator: String
  let ellipsis: String
  let keyDelimiters: (open: String, close: String)
  let headingRule: String
  let horizontalRule: String
  let savedMarker: String
  let notSavedMarker: String
  let queuedMarker: String
  let borders: Borders

  /// The glyphs of table borders. The index in `junctions` is a bit mask of the arms: up 1, down 2,
  /// left 4, right 8.
  struct Borders: Sendable {
    let verticalLine: String
    let horizontalLine: String
    let doubleLine: String
    let junctions: [String]
    let doubleJunctions: [String]
  }

  static let unicode = Glyphs(
    bullets: ["•", "◦", "▪"], quoteBar: "│ ", codeGutter: "┆ ", codeWrap: "↩", imageMarker: "▣ ",
    multiplicationSign: "×", openIndicator: "▾ ", closedIndicator: "▸ ", ellipsis: "…",
    keyDelimiters: ("‹", "›"), headingRule: "━",
    horizontalRule: "─",
    // The no-break space keeps the status marker on the line of its link.
    savedMarker: "●\u{A0}", notSavedMarker: "○\u{A0}", queuedMarker: "◷\u{A0}",
    borders: Borders(
      verticalLine: "│", horizontalLine: "─", doubleLine: "═",
      junctions: [
        " ", "│", "│", "│", "─", "┘", "┐", "┤", "─", "└", "┌", "├", "─", "┴", "┬", "┼",
      ],
      doubleJunctions: [
        " ", "│", "│", "│", "═", "╛", "╕", "╡", "═", "╘", "╒", "╞", "═", "╧", "╤", "╪",
      ]))

  static let ascii = Glyphs(
    bullets: ["*", "-", "+"], quoteBar: "> ", codeGutter: ": ", codeWrap: "\\",
    imageMarker: "[image] ",
    multiplicationSign: "x", openIndicator: "v ", closedIndicator: "> ", ellipsis: "...",
    keyDelimiters: ("<", ">"), headingRule: "=",
    horizontalRule: "-",
    savedMarker: "*\u{A0}", notSavedMarker: "o\u{A0}", queuedMarker: "~\u{A0}",
    borders: Borders(
      verticalLine: "|", horizontalLine: "-", doubleLine: "=",
      junctions: [
        " ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+",
      ],
      doubleJunctions: [
        " ", "|", "|", "|", "=", "+", "+", "+", "=", "+", "+", "+", "=", "+", "+", "+",
      ]))

  /// The glyphs for braille and speech. A screen reader reads glyphs aloud, so decorative ones are
  /// omitted. Links have no status marker, because the status is announced when a link is selected.
  static let linear = Glyphs(
    bullets: ["*", "*", "*"], quoteBar: "> ", codeGutter: "  ", codeWrap: "\\",
    imageMarker: "image: ",
    multiplicationSign: " by ", openIndicator: "- ", closedIndicator: "+ ", ellipsis: "...",
    keyDelimiters: ("", ""), headingRule: "",
    horizontalRule: "-",
    savedMarker: "", notSavedMarker: "", queuedMarker: "", borders: ascii.borders)

  /// Returns the glyphs for the given options.
  static func glyphs(for options: LayoutOptions) -> Glyphs {
    options.isLinear ? linear : options.usesASCIIGlyphs ? ascii : unicode
  }

  /// Returns the marker of a link's status, or an empty string.
  func statusMarker(_ status: LayoutOptions.LinkStatus) -> String {
    switch status {
    case .none: ""
    case .saved: savedMarker
    case .notSaved: notSavedMarker
    case .queued: queuedMarker
    }
  }
}
