/// Contexts in which keys are input: prompts, filters, letters before links.
package struct InputContexts: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The prompt for a URL to open.
  package static let url = InputContexts(rawValue: 1 << 0)
  /// The prompt for text to find on the page.
  package static let find = InputContexts(rawValue: 1 << 1)
  /// The prompt for words to search for in the saved pages.
  package static let search = InputContexts(rawValue: 1 << 2)
  /// The prompt for the tags of a page.
  package static let tags = InputContexts(rawValue: 1 << 3)
  /// The prompt for a shell command.
  package static let shell = InputContexts(rawValue: 1 << 4)
  /// The prompt for the name of a file to write.
  package static let fileName = InputContexts(rawValue: 1 << 5)
  /// The command prompt (`:`).
  package static let commandLine = InputContexts(rawValue: 1 << 6)
  /// The prompts for a user name and a password.
  package static let signIn = InputContexts(rawValue: 1 << 7)
  /// The prompt for the value of a form field.
  package static let field = InputContexts(rawValue: 1 << 8)
  /// The filter of a list.
  package static let filter = InputContexts(rawValue: 1 << 9)
  /// The letters before links, each of which selects a link.
  package static let hintLetters = InputContexts(rawValue: 1 << 10)
  /// The input that filters the lettered links: only links whose text contains it keep their
  /// letters.
  package static let linkText = InputContexts(rawValue: 1 << 11)
  /// The letter under which a position is marked.
  package static let setBookmarkLetter = InputContexts(rawValue: 1 << 12)
  /// The letter of the marked position to go to.
  package static let goToBookmarkLetter = InputContexts(rawValue: 1 << 13)
  /// A yes-or-no question.
  package static let question = InputContexts(rawValue: 1 << 14)
  /// The selection of text in the page.
  package static let selection = InputContexts(rawValue: 1 << 15)
  /// The prompt for a note about a highlighted passage.
  package static let note = InputContexts(rawValue: 1 << 16)

  /// Prompts in the last row of the screen.
  package static let prompts: InputContexts = [
    .url, .find, .search, .tags, .shell, .fileName, .commandLine, .signIn, .field, .note,
  ]
  /// Prompts whose earlier input can be recalled; input to other prompts is private.
  package static let recallablePrompts: InputContexts = [
    .url, .find, .search, .shell, .commandLine,
  ]
  /// Contexts in which a line is edited.
  package static let lineInputs: InputContexts = [.prompts, .filter, .linkText]
}
