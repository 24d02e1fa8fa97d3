/// An input event from a terminal: a key, a paste, a mouse action or a reply to a query.
package enum InputEvent: Sendable, Equatable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted (bracketed paste); it is not sanitized.
  case paste(String)
  /// The mouse was used.
  case mouse(Mouse)
  /// The reply to OSC 11: whether the background is dark.
  case background(isDark: Bool)
  /// The reply to another query.
  case reply(TerminalReply)

  /// A mouse action at a cell, counted from 0.
  package struct Mouse: Sendable, Equatable {
    package var action: Action
    /// The cell of the action.
    package var row: Int, column: Int

    package init(_ action: Action, row: Int, column: Int) {
      self.action = action
      self.row = row
      self.column = column
    }

    /// The kinds of mouse actions.
    package enum Action: Sendable, Equatable {
      case click, wheelUp, wheelDown
    }
  }
}
