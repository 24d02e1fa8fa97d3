/// What a terminal sends: keys, pastes, the mouse, and answers to questions.
package enum InputEvent: Sendable, Equatable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted (bracketed paste), as it came.
  case paste(String)
  /// The mouse was used.
  case mouse(Mouse)
  /// The answer to OSC 11: the background is dark, or it is not.
  case background(isDark: Bool)
  /// The answer to another question.
  case answer(TerminalAnswer)

  /// A use of the mouse at a cell, counted from 0.
  package struct Mouse: Sendable, Equatable {
    /// What was done.
    package var action: Action
    /// The cell.
    package var row: Int, column: Int

    package init(_ action: Action, row: Int, column: Int) {
      self.action = action
      self.row = row
      self.column = column
    }

    /// What was done.
    package enum Action: Sendable, Equatable {
      case click, wheelUp, wheelDown
    }
  }
}
