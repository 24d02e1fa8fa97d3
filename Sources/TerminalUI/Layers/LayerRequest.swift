import Commands
import Configuration
import Layout
import OfflineCache
import Terminal

/// A request of a layer to the browser.
enum LayerRequest: Equatable {
  /// Close the layer.
  case close
  /// Request an effect.
  case effect(Effect)
  /// Show a message on the last row.
  case notify(String, isError: Bool = false)
  /// Execute a command line.
  case perform(CommandLine, count: Int?)

  // Prompts.
  /// Update what depends on the text of the prompt.
  case typed(Prompt)
  /// Use the text of the prompt.
  case submit(Prompt)
  /// Undo what the prompt did while its text was typed.
  case abandon(Prompt)
  /// Set the value of a field, and move the focus by a number of controls.
  case leave(Prompt.Field, text: String, by: Int)
  /// Use the letter of a mark.
  case letter(String, LetterUse)

  // Links and images.
  case follow(PageLayout.Target)
  case use(PageLayout.Target, Hints.Purpose)
  /// Open an image of the page in another program.
  case show(Int32)

  // Questions.
  /// Perform the action that the question is about.
  case accept(Question.Act)
  /// Store the decision about the cookies of a site.
  case decide(CookieChoice, site: String)
  /// Close the layer and handle the key below it; then show the question again, unless the key
  /// opened another layer.
  case handleBelow(Key, Question)
  /// Handle the key after the layer was closed.
  case handle(Key)

  // Selected text.
  /// Show the moving end of the selection.
  case reveal(MarkedText)
  case copy(MarkedText), keep(MarkedText), remove(MarkedText)

  // Lists.
  /// Open the selected entry.
  case openEntry
  /// Close the list by a command, which determines whether the parent list is shown.
  case closeList(Command)
  case entry(EntryAction, argument: String?)
  case undo, reloadList
  case sort(String?)
  /// Execute a command as on the page.
  case performOnPage(Command, count: Int?, argument: String?)
}
