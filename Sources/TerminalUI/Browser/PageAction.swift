import Commands
import DOM
import Document
import Pages

/// The effect of a command on the page.
struct PageAction: Sendable {
  /// Executes the command, and returns the resulting effects.
  let run: @Sendable (inout Browser, CommandInput) -> [Effect]

  /// Creates an action that returns effects.
  static func effects(
    _ run: @escaping @Sendable (inout Browser, CommandInput) -> [Effect]
  ) -> PageAction {
    PageAction(run: run)
  }

  /// Creates an action that only changes the state of the browser.
  static func change(
    _ change: @escaping @Sendable (inout Browser, CommandInput) -> Void
  ) -> PageAction {
    PageAction { browser, input in
      change(&browser, input)
      return []
    }
  }

  /// Creates an action that opens a list, or closes it if it is open.
  static func list(_ kind: ListScreen.Kind) -> PageAction {
    .effects { browser, _ in browser.openList(kind) }
  }

  /// Returns the action of a command that works only in lists: on the page, it shows a message.
  static func listOnly(_ command: Command) -> PageAction {
    .change { browser, _ in browser.reportListOnlyCommand(command) }
  }
}
