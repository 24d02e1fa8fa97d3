import Terminal

/// The content of the last row of the screen.
enum LastRow: Sendable, Equatable {
  /// The notice, or else the status line.
  case status
  /// A text about the keys of the layer, with an ellipsis if it is cut.
  case hint(String)
  /// A name, and after it a text about the keys.
  case name(String, keys: String)
  /// A question, with the cursor after it; it may need more rows.
  case question(String)
  /// A label, with the cursor after it.
  case labelAndCursor(String)
  /// A line that is edited, with its label, a note at the right end, and completions above it.
  case editedLine(label: String, LineEditor, note: String = "", CompletionList = CompletionList())
}
