/// A question on the last row and the answer being typed.
package struct Prompt: Sendable, Equatable {
  /// What is asked.
  package var kind: Kind
  /// The answer so far.
  package var editor: LineEditor
  /// Where the reader was, for Esc.
  var origin = ReadingPosition()

  /// What is asked.
  package enum Kind: Sendable, Equatable {
    /// An address to open.
    case open
    /// Text to find.
    case find(isForward: Bool)
  }

  /// What stands before the answer.
  var label: String {
    switch kind {
    case .open: "Open: "
    case .find(let isForward): isForward ? "/" : "?"
    }
  }
}
