package import Reader

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
    /// The user name for a page; again when those that were given did not do.
    case user(SignIn, isAgain: Bool)
    /// The password that belongs to it.
    case password(SignIn, user: String)
  }

  /// Whether the answer is not to be seen.
  var isSecret: Bool {
    if case .password = kind { true } else { false }
  }

  /// What stands before the answer.
  var label: String {
    switch kind {
    case .open: "Open: "
    case .find(let isForward): isForward ? "/" : "?"
    case .user(let question, let isAgain):
      (isAgain ? "Not accepted. User name for \(question.host)" : "User name for \(question.host)")
        + (question.realm.isEmpty ? ": " : " (\(SafeText.line(question.realm))): ")
    case .password(let question, let user):
      "Password of \(SafeText.line(user)) for \(question.host): "
    }
  }
}
