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
  case performCommandLine(CommandLine, count: Int?)

  // Prompts.
  /// Update the search and the completions, which depend on the text of the prompt.
  case updatePrompt(Prompt)
  /// Use the text of the prompt.
  case submitPrompt(Prompt)
  /// Undo the effects that the prompt had while its text was typed.
  case abandonPrompt(Prompt)
  /// Set the value of a field, and move the focus by a number of controls.
  case leaveField(Prompt.FormField, text: String, by: Int)
  /// Use the letter of a bookmark.
  case useLetter(String, BookmarkLetterUse)

  // Links and images.
  case followTarget(PageLayout.Target)
  case useHintTarget(PageLayout.Target, Hints.LinkAction)
  /// Open an image of the page in another program.
  case openImage(Int32)

  // Questions.
  /// Perform the action that the question is about.
  case performQuestionAction(Question.Action)
  /// Store the decision about the cookies of a site.
  case storeCookieChoice(CookieChoice, site: String)
  /// Close the layer and handle the key below it; then show the question again, unless the key
  /// opened another layer.
  case handleBelow(Key, Question)
  /// Handle the key after the layer was closed.
  case handleKey(Key)

  // Selected text.
  /// Show the moving end of the selection.
  case revealSelection(TextSelection)
  case copySelection(TextSelection), highlightSelection(TextSelection), removeHighlights(
    TextSelection)

  // Lists.
  /// Open the selected entry.
  case openEntry
  /// Close the list by a command, which determines whether the parent list is shown.
  case closeList(Command)
  case performOnEntry(EntryAction, argument: String?)
  case undo, reloadList
  case sortList(String?)
  /// Execute a command as on the page.
  case performOnPage(Command, count: Int?, argument: String?)
}
