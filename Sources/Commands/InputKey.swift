package import Terminal

/// Keys in input contexts, other than editing keys (`LineEditor.Edit`).
///
/// This is the table of all keys that are not bound to commands; prompts and their help are derived
/// from it.
package enum InputKey: CaseIterable, Sendable {
  case copySelection, highlightSelection, removeHighlights, nextWord, previousWord, extendByLine,
    extendByParagraph
  case switchEnds
  case accept, hintLetter, bookmarkLetter, yes, linkText, deleteLastLetter, jumpBack, complete,
    recallHistory
  case leaveFilter, cancel, redraw, suspend

  /// The definition of keys: a row of the table.
  package struct Definition: Sendable {
    /// The names of the keys, or a description if they are not individual keys.
    package var keys: [String]
    /// The command whose keys in the key map also trigger the action, in contexts that use the key
    /// map; nil for none.
    package var command: Command?
    /// The descriptions of the keys, each for a set of contexts.
    package var helpRows: [(typing: InputContexts, help: String)]

    fileprivate init(
      _ keys: [String], like command: Command? = nil, _ rows: KeyValuePairs<InputContexts, String>
    ) {
      self.keys = keys
      self.command = command
      self.helpRows = rows.map { ($0, $1) }
    }

    /// Returns the description for a context; nil if the keys have no effect there.
    package func help(in context: InputContexts) -> String? {
      helpRows.first { $0.typing.contains(context) }?.help
    }
  }

  /// The names of the keys of this action, and what they do in each context.
  package var definition: Definition {
    switch self {
    case .accept:
      .init(
        ["Enter"],
        [
          .url: "open it", .find: "stay at the match", .search: "search the saved pages",
          .tags: "set exactly these tags", .shell: "run it", .fileName: "write the file",
          .commandLine: "run it", .signIn: "go on", .filter: "open the chosen entry",
          .field: "accept the input; a form with one field is sent",
          .linkText: "choose the first of these links", .note: "save the highlight with this note",
        ])
    case .copySelection: .init(["y"], like: .copyURL, [.selection: "copy the selected text"])
    case .highlightSelection:
      .init(
        ["Enter"], like: .follow,
        [.selection: "save the text as a highlight, with or without a note"])
    case .removeHighlights:
      .init(["Del"], like: .remove, [.selection: "remove the highlights in the text"])
    case .nextWord: .init(["l", "Right"], [.selection: "move the end to the next word"])
    case .previousWord: .init(["h", "Left"], [.selection: "move the end back by a word"])
    case .switchEnds: .init(["o"], [.selection: "switch to the other end of the selection"])
    case .extendByParagraph:
      .init(["w"], like: .markLines, [.selection: "extend to the end of the next paragraph"])
    case .extendByLine:
      .init(
        ["j"], like: .lineDown,
        [.selection: "move the end by a line; other movement keys move it, too"])
    case .hintLetter: .init(["a s d f …"], [.hintLetters: "choose the link with these letters"])
    case .bookmarkLetter:
      .init(
        ["a to z, 0 to 9"],
        [.setBookmarkLetter: "set the mark here", .goToBookmarkLetter: "go to the mark"])
    case .yes: .init(["y"], [.question: "yes; any other key: no"])
    case .linkText: .init(["/"], [.hintLetters: "show only the links with the text you type"])
    case .deleteLastLetter: .init(["Backspace"], [.hintLetters: "delete the last letter"])
    case .jumpBack: .init(["'"], [.goToBookmarkLetter: "back to where you jumped from"])
    case .complete:
      .init(
        ["Tab", "S-Tab"],
        [
          [.url, .fileName, .commandLine]: "complete; next or previous match",
          .field: "accept the input, go to the next or previous field",
        ])
    case .recallHistory:
      .init(
        ["Up", "Down", "C-p", "C-n"],
        [
          .recallablePrompts: "earlier or later input",
          .field: "previous or next value the page suggests",
        ])
    case .leaveFilter: .init(["Up", "Down", "Tab"], [.filter: "go to the entries"])
    case .cancel:
      .init(
        ["Esc", "C-c", "C-g"], like: .cancel,
        [
          .find: "go back to where you were", .filter: "show every entry",
          [
            .prompts, .hintLetters, .linkText, .setBookmarkLetter, .goToBookmarkLetter, .question,
            .selection,
          ]: "cancel",
        ])
    case .redraw:
      .init(["C-l"], like: .redraw, [[.prompts, .filter, .selection]: "redraw the screen"])
    case .suspend:
      .init(["C-z"], like: .suspend, [[.prompts, .filter, .selection]: "suspend; fg resumes"])
    }
  }

  private static let table = allCases.map { row in
    (row: row, definition: row.definition, keys: row.definition.keys.compactMap { Key($0) })
  }

  /// Creates the action of a key in a context; nil if it is an editing key or has no effect.
  package init?(_ key: Key, in context: InputContexts) {
    let found = Self.table.first {
      $0.keys.contains(key) && $0.definition.help(in: context) != nil
    }
    guard let found else { return nil }
    self = found.row
  }

  /// Creates the action of a key in a context in which the keys of commands apply, too. Nil if the
  /// key has no action there, or if the action is triggered by the keys of a command
  /// (`Definition.command`), which depend on the key map.
  package init?(fixed key: Key, in context: InputContexts) {
    guard let row = InputKey(key, in: context), row.definition.command == nil else { return nil }
    self = row
  }
}
