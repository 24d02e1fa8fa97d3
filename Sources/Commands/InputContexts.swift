/// Contexts in which keys are input: prompts, filters, letters before links.
package struct InputContexts: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let url = InputContexts(rawValue: 1 << 0)
  package static let find = InputContexts(rawValue: 1 << 1)
  package static let search = InputContexts(rawValue: 1 << 2)
  package static let tags = InputContexts(rawValue: 1 << 3)
  package static let shell = InputContexts(rawValue: 1 << 4)
  package static let fileName = InputContexts(rawValue: 1 << 5)
  package static let commandLine = InputContexts(rawValue: 1 << 6)
  package static let signIn = InputContexts(rawValue: 1 << 7)
  package static let field = InputContexts(rawValue: 1 << 8)
  /// The filter of a list.
  package static let filter = InputContexts(rawValue: 1 << 9)
  /// The letters before links.
  package static let hintLetters = InputContexts(rawValue: 1 << 10)
  /// Words in the text of a link.
  package static let linkText = InputContexts(rawValue: 1 << 11)
  /// The letter of a mark.
  package static let setBookmarkLetter = InputContexts(rawValue: 1 << 12)
  package static let goToBookmarkLetter = InputContexts(rawValue: 1 << 13)
  /// A yes-or-no question.
  package static let question = InputContexts(rawValue: 1 << 14)
  /// Selecting text of the page.
  package static let selection = InputContexts(rawValue: 1 << 15)
  /// A note about a passage.
  package static let note = InputContexts(rawValue: 1 << 16)

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
