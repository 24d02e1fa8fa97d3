/// The glyphs and texts that the layout itself adds to a page, in Unicode or as ASCII substitutes.
struct LayoutGlyphs: Sendable {
  /// The bullets of nested lists, the outermost first; deeper lists use the last one.
  let bullets: [String]
  /// The prefix of each line of a block quotation, two columns wide.
  let quoteBar: String
  /// The prefix of each line of code, two columns wide.
  let codeGutter: String
  /// The indicator at the end of a line of code that continues on the next line.
  let codeWrap: String
  /// The prefix of the alternative text of an image.
  let imageMarker: String
  /// The text between the width and the height of an image.
  let multiplicationSign: String
  /// The prefix of the line that closes an open fold or disclosure.
  let openIndicator: String
  /// The prefix of the line that opens a closed fold or disclosure.
  let closedIndicator: String
  /// The substitute for folded or truncated text.
  let ellipsis: String
  /// The delimiters of keyboard input (`kbd`).
  let keyDelimiters: (open: String, close: String)
  /// The character that is repeated below a heading of level 1.
  let headingRule: String
  /// The character that is repeated in a thematic break and below a heading of level 2.
  let horizontalRule: String
  /// The prefixes of links for each status; see `LayoutOptions.LinkStatus`.
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

  static let unicode = LayoutGlyphs(
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

  static let ascii = LayoutGlyphs(
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
  static let linear = LayoutGlyphs(
    bullets: ["*", "*", "*"], quoteBar: "> ", codeGutter: "  ", codeWrap: "\\",
    imageMarker: "image: ",
    multiplicationSign: " by ", openIndicator: "- ", closedIndicator: "+ ", ellipsis: "...",
    keyDelimiters: ("", ""), headingRule: "",
    horizontalRule: "-",
    savedMarker: "", notSavedMarker: "", queuedMarker: "", borders: ascii.borders)

  /// Returns the glyphs for the given options.
  static func glyphs(for options: LayoutOptions) -> LayoutGlyphs {
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
