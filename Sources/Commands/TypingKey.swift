package import Terminal

/// Contexts in which keys are input: prompts, filters, letters before links.
package struct Typing: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let address = Typing(rawValue: 1 << 0)
  package static let find = Typing(rawValue: 1 << 1)
  package static let search = Typing(rawValue: 1 << 2)
  package static let tags = Typing(rawValue: 1 << 3)
  package static let shell = Typing(rawValue: 1 << 4)
  package static let file = Typing(rawValue: 1 << 5)
  package static let command = Typing(rawValue: 1 << 6)
  package static let signIn = Typing(rawValue: 1 << 7)
  package static let field = Typing(rawValue: 1 << 8)
  /// The filter of a list.
  package static let filter = Typing(rawValue: 1 << 9)
  /// The letters before links.
  package static let letters = Typing(rawValue: 1 << 10)
  /// Words in the text of a link.
  package static let linkText = Typing(rawValue: 1 << 11)
  /// The letter of a mark.
  package static let bookmark = Typing(rawValue: 1 << 12)
  package static let goToBookmark = Typing(rawValue: 1 << 13)
  /// A yes-or-no question.
  package static let question = Typing(rawValue: 1 << 14)
  /// Selecting text of the page.
  package static let marking = Typing(rawValue: 1 << 15)
  /// A note about a passage.
  package static let note = Typing(rawValue: 1 << 16)

  package static let prompts: Typing = [
    .address, .find, .search, .tags, .shell, .file, .command, .signIn, .field, .note,
  ]
  /// Prompts whose earlier input can be recalled; input to other prompts is private.
  package static let recalled: Typing = [.address, .find, .search, .shell, .command]
  /// Contexts in which a line is edited.
  package static let lines: Typing = [.prompts, .filter, .linkText]
}

/// Keys in input contexts, other than editing keys (`LineEditor.Edit`).
///
/// This is the table of all keys that are not bound to commands; prompts and their help are derived
/// from it.
package enum TypingKey: CaseIterable, Sendable {
  case copyLines, keepLines, removeHighlights, nextWord, previousWord, moreLines, moreParagraphs
  case otherEnd
  case reply, letter, bookmarkLetter, yes, linkText, oneLess, jumpedFrom, complete, recall
  case toEntries, giveUp, redraw, suspend

  /// The definition of keys: a row of the table.
  package struct Definition: Sendable {
    /// The names of the keys, or a description if they are not individual keys.
    package var keys: [String]
    /// The command whose keys apply here too, where the key map is used; nil for none.
    package var command: Command?
    /// The descriptions of the keys, each for a set of contexts.
    package var rows: [(typing: Typing, help: String)]

    fileprivate init(
      _ keys: [String], like command: Command? = nil, _ rows: KeyValuePairs<Typing, String>
    ) {
      self.keys = keys
      self.command = command
      self.rows = rows.map { ($0, $1) }
    }

    /// Returns the description for a context; nil if the keys have no effect there.
    package func help(in typing: Typing) -> String? {
      rows.first { $0.typing.contains(typing) }?.help
    }
  }

  /// The definition of these keys.
  package var definition: Definition {
    switch self {
    case .reply:
      .init(
        ["Enter"],
        [
          .address: "open it", .find: "stay at the match", .search: "search the saved pages",
          .tags: "set exactly these tags", .shell: "run it", .file: "write the file",
          .command: "run it", .signIn: "go on", .filter: "open the chosen entry",
          .field: "accept the input; a form with one field is sent",
          .linkText: "choose the first of these links", .note: "save the highlight with this note",
        ])
    case .copyLines: .init(["y"], like: .copyURL, [.marking: "copy the selected text"])
    case .keepLines:
      .init(
        ["Enter"], like: .follow,
        [.marking: "save the text as a highlight, with or without a note"])
    case .removeHighlights:
      .init(["Del"], like: .remove, [.marking: "remove the highlights in the text"])
    case .nextWord: .init(["l", "Right"], [.marking: "move the end to the next word"])
    case .previousWord: .init(["h", "Left"], [.marking: "move the end back by a word"])
    case .otherEnd: .init(["o"], [.marking: "move the start, or the end again"])
    case .moreParagraphs:
      .init(["w"], like: .markLines, [.marking: "extend to the end of the next paragraph"])
    case .moreLines:
      .init(
        ["j"], like: .lineDown,
        [.marking: "move the end by a line; other movement keys move it, too"])
    case .letter: .init(["a s d f …"], [.letters: "choose the link with these letters"])
    case .bookmarkLetter:
      .init(["a to z, 0 to 9"], [.bookmark: "set the mark here", .goToBookmark: "go to the mark"])
    case .yes: .init(["y"], [.question: "yes; any other key: no"])
    case .linkText: .init(["/"], [.letters: "show only the links with the text you type"])
    case .oneLess: .init(["Backspace"], [.letters: "delete the last letter"])
    case .jumpedFrom: .init(["'"], [.goToBookmark: "back to where you jumped from"])
    case .complete:
      .init(
        ["Tab", "S-Tab"],
        [
          [.address, .command]: "complete; next or previous match",
          .field: "accept the input, go to the next or previous field",
        ])
    case .recall: .init(["Up", "Down", "C-p", "C-n"], [.recalled: "earlier or later input"])
    case .toEntries: .init(["Up", "Down", "Tab"], [.filter: "go to the entries"])
    case .giveUp:
      .init(
        ["Esc", "C-c", "C-g"], like: .cancel,
        [
          .find: "go back to where you were", .filter: "show every entry",
          [.prompts, .letters, .linkText, .bookmark, .goToBookmark, .question, .marking]: "cancel",
        ])
    case .redraw:
      .init(["C-l"], like: .redraw, [[.prompts, .filter, .marking]: "redraw the screen"])
    case .suspend:
      .init(["C-z"], like: .suspend, [[.prompts, .filter, .marking]: "suspend; fg comes back"])
    }
  }

  private static let table = allCases.map { row in
    (row: row, definition: row.definition, keys: row.definition.keys.compactMap { Key($0) })
  }

  /// Creates the action of a key in a context; nil if it is an editing key or has no effect.
  package init?(_ key: Key, in typing: Typing) {
    let found = Self.table.first {
      $0.keys.contains(key) && $0.definition.help(in: typing) != nil
    }
    guard let found else { return nil }
    self = found.row
  }

  /// Creates the action of a key in a context that uses the key map, if it does not depend on the
  /// key map; otherwise nil.
  package init?(fixed key: Key, in typing: Typing) {
    guard let row = TypingKey(key, in: typing), row.definition.command == nil else { return nil }
    self = row
  }
}
