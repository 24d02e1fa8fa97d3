/// The effect of a command while text is selected.
enum SelectionAction: Sendable, Equatable {
  case moveEnd(SelectionMove)
  case copy, highlight, removeHighlights
  case cancel
  case redraw, suspend
}
