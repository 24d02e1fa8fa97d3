import Commands
package import Library
package import Document
package import Pages
package import Terminal

/// A prompt on the last row, and the text being typed.
package struct Prompt: Sendable, Equatable {
  /// The kind of prompt.
  package var kind: Kind
  /// The text typed so far.
  package var editor: LineEditor
  /// The reading position to which Esc returns.
  var initialPosition = ReadingPosition()
  /// The completions for Tab.
  package var completions = CompletionList()
  /// The number of steps back in the history of the prompt's kind; 0 while the text being typed is
  /// shown.
  var historySteps = 0
  /// The text being typed, kept while a text of the history is shown.
  var typedText = ""

  /// The kind of prompt.
  package enum Kind: Sendable, Equatable {
    /// The URL to open.
    case openURL
    /// The text to find on the page.
    case find(isForward: Bool)
    /// The search terms for the saved pages.
    case search
    /// The tags of the page with this URL; the existing ones are inserted once they are known.
    case tags(String, areKnown: Bool)
    /// A shell command; if `isPipe` is true, it receives the text of the page.
    case shell(isPipe: Bool)
    /// The file for the content of this URL, or for the attachment on the screen.
    case download(String, Attachment?)
    /// The file for a download that has begun, and the label of the prompt.
    case fileName(DownloadID, label: String)
    /// The note on a passage.
    case highlightNote(NoteTarget)
    /// The name of a command.
    case commandLine
    /// The user name for a page; `isAgain` is true if the server rejected the previous credentials.
    case userName(SignIn, isAgain: Bool)
    /// The password for the user name.
    case password(SignIn, user: String)
    /// The value of a control of the page.
    case formField(FormField)
  }

  /// A passage that gets a note.
  package enum NoteTarget: Sendable, Equatable {
    /// A new highlight: offsets in `Document.text` of the page at the time of the selection, and
    /// the page's URL. Another page may be shown while the note is typed.
    case newHighlight(Range<UInt32>, in: Document, url: String)
    /// An existing highlight, and the URL of its page.
    case existingHighlight(Highlight, url: String)
  }

  /// A control in which a line of text is typed.
  package struct FormField: Sendable, Equatable {
    /// The index in `PageForms.controls`.
    var control: Int32
    /// The label of the control.
    var label: String
    /// Whether the text is hidden.
    var isSecret: Bool
    /// The maximum length in UTF-16 code units; nil for no limit.
    var maxLength: Int?
  }

  /// Returns a typed URL without its line breaks and tabs (URL Standard, basic URL parser) and
  /// without the indentation after line breaks.
  static func withoutLineBreaks(_ text: String) -> String {
    let lines = text.split { $0.isNewline || $0 == "\t" }
    return lines.enumerated().map { index, line in
      index == 0 ? line : line.drop { $0 == " " }
    }.joined()
  }

  /// Inserts a text. Line breaks are removed from a URL, and a form field gets only as much of the
  /// text as its maximum length allows.
  mutating func insert(_ text: String) {
    let text = kind == .openURL ? Self.withoutLineBreaks(text) : text
    guard case .formField(let field) = kind, let limit = field.maxLength else {
      return editor.insert(text)
    }
    var width = limit - editor.text.utf16.count
    let fitting = text.prefix {
      width -= $0.utf16.count
      return width >= 0
    }
    editor.insert(String(fitting))
  }

  /// The maximum length of the text, in characters.
  static let maxCharacters = 8192

  /// Returns whether a changed text is within the limits; a text beyond them may only become
  /// shorter.
  func allowsEdit(for longer: LineEditor) -> Bool {
    let isLonger = longer.characters.count > editor.characters.count
    guard !isLonger || longer.characters.count <= Self.maxCharacters else { return false }
    guard case .formField(let field) = kind, let limit = field.maxLength else { return true }
    let count = longer.text.utf16.count
    return count <= limit || count < editor.text.utf16.count
  }

  /// Whether the text is hidden.
  var isSecret: Bool {
    switch kind {
    case .password: true
    case .formField(let field): field.isSecret
    default: false
    }
  }

  /// The text before the input.
  var label: String {
    switch kind {
    case .openURL: "Open: "
    case .search: "Search: "
    case .tags: "Tags: "
    case .shell(let isPipe): isPipe ? "Pipe to: " : "Shell: "
    case .download: "Write to file: "
    case .fileName(_, let label): label
    case .highlightNote(.newHighlight): "Note for this highlight (may be empty): "
    case .highlightNote(.existingHighlight): "Note: "
    case .commandLine: ":"
    case .find(let isForward): isForward ? "/" : "?"
    case .userName(let question, let isAgain):
      (isAgain ? "Not accepted. User name for \(question.host)" : "User name for \(question.host)")
        + (question.realm.isEmpty ? ": " : " (\(SafeText.line(question.realm))): ")
    case .formField(let field): "\(SafeText.line(field.label)): "
    case .password(let question, let user):
      "Password of \(SafeText.line(user)) for \(question.host): "
    }
  }
}

extension Prompt {
  /// The group of key bindings that apply.
  var inputContext: InputContexts {
    switch kind {
    case .openURL: .url
    case .find: .find
    case .search: .search
    case .tags: .tags
    case .shell: .shell
    case .download, .fileName: .fileName
    case .commandLine: .commandLine
    case .highlightNote: .note
    case .userName, .password: .signIn
    case .formField: .field
    }
  }
}
