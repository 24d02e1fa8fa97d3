import Commands
package import Library
package import Document
package import Reader
package import Terminal

/// A question on the last row and the answer being typed.
package struct Prompt: Sendable, Equatable {
  /// What is asked.
  package var kind: Kind
  /// The answer so far.
  package var editor: LineEditor
  /// Where the reader was, for Esc.
  var origin = ReadingPosition()
  /// What Tab can make of the answer.
  package var suggestions = Suggestions()
  /// How many answers back the one on the row is, and what was typed before; 0 is what was typed.
  var steps = 0
  var typed = ""

  /// What is asked.
  package enum Kind: Sendable, Equatable {
    /// An address to open.
    case open
    /// Text to find.
    case find(isForward: Bool)
    /// Words to look for in everything saved.
    case search
    /// The tags of the page with this address; those that it has stand there once they are known.
    case tags(String, areKnown: Bool)
    /// A command of the shell that gets the text of the page, or runs by itself.
    case shell(isPipe: Bool)
    /// The file for what this address gives, or for what is on the screen and no text.
    case download(String, Attachment?)
    /// The file for a download that has begun, and the text before the answer.
    case file(DownloadID, label: String)
    /// What somebody says of a passage.
    case note(Passage)
    /// A command by its name.
    case command
    /// The user name for a page; again when those that were given did not do.
    case user(SignIn, isAgain: Bool)
    /// The password that belongs to it.
    case password(SignIn, user: String)
    /// The text of a control of the page.
    case field(Field)
  }

  /// A passage that gets a note.
  package enum Passage: Sendable, Equatable {
    /// One that is kept from now on: offsets in `Document.text` of the page as it was when the lines were
    /// marked, and its address. Another page may come while the note is typed.
    case make(Range<UInt32>, in: Document, of: String)
    /// One that is kept already.
    case edit(Highlight, of: String)
  }

  /// A control in which a line of text is typed.
  package struct Field: Sendable, Equatable {
    /// Its index in `PageForms.controls`.
    var control: Int32
    /// What it is called.
    var label: String
    /// Whether the text is not to be seen.
    var isSecret: Bool
    /// The most UTF-16 units, or nil.
    var limit: Int?
  }

  /// Inserts text, as much as there is room for.
  mutating func insert(_ text: String) {
    guard case .field(let field) = kind, let limit = field.limit else { return editor.insert(text) }
    var room = limit - editor.text.utf16.count
    let fitting = text.prefix {
      room -= $0.utf16.count
      return room >= 0
    }
    editor.insert(String(fitting))
  }

  /// No line that is typed is longer, in characters.
  static let mostCharacters = 8192

  /// Whether an answer is not too long; one that is may become shorter.
  func hasRoom(for longer: LineEditor) -> Bool {
    let isLonger = longer.characters.count > editor.characters.count
    guard !isLonger || longer.characters.count <= Self.mostCharacters else { return false }
    guard case .field(let field) = kind, let limit = field.limit else { return true }
    let count = longer.text.utf16.count
    return count <= limit || count < editor.text.utf16.count
  }

  /// Whether the answer is not to be seen.
  var isSecret: Bool {
    switch kind {
    case .password: true
    case .field(let field): field.isSecret
    default: false
    }
  }

  /// What stands before the answer.
  var label: String {
    switch kind {
    case .open: "Open: "
    case .search: "Search: "
    case .tags: "Tags: "
    case .shell(let isPipe): isPipe ? "Pipe to: " : "Shell: "
    case .download: "Write to file: "
    case .file(_, let label): label
    case .note(.make): "Keep, with a note or without: "
    case .note(.edit): "Note: "
    case .command: ":"
    case .find(let isForward): isForward ? "/" : "?"
    case .user(let question, let isAgain):
      (isAgain ? "Not accepted. User name for \(question.host)" : "User name for \(question.host)")
        + (question.realm.isEmpty ? ": " : " (\(SafeText.line(question.realm))): ")
    case .field(let field): "\(SafeText.line(field.label)): "
    case .password(let question, let user):
      "Password of \(SafeText.line(user)) for \(question.host): "
    }
  }
}

/// What Tab can make of an answer, the likeliest first.
package struct Suggestions: Sendable, Equatable {
  /// One answer.
  package struct Suggestion: Sendable, Equatable {
    /// What the whole answer would be.
    package var text: String
    /// What it means.
    package var note: String

    package init(_ text: String, note: String = "") {
      self.text = text
      self.note = note
    }
  }

  /// The answers.
  package var all: [Suggestion] = []
  /// The index of the one that was taken.
  package var chosen: Int?

  package init(_ all: [Suggestion] = []) {
    self.all = all
  }

  /// Goes to the next one, or the one before, around the ends.
  /// - Returns: the answer, or nil when there is none.
  mutating func advance(by step: Int) -> String? {
    guard !all.isEmpty else { return nil }
    let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : all.count - 1)
    let index = (next % all.count + all.count) % all.count
    chosen = index
    return all[index].text
  }
}

extension Prompt {
  /// Where its keys stand in the table.
  var typing: Typing {
    switch kind {
    case .open: .address
    case .find: .find
    case .search: .search
    case .tags: .tags
    case .shell: .shell
    case .download, .file: .file
    case .command: .command
    case .note: .note
    case .user, .password: .signIn
    case .field: .field
    }
  }
}
