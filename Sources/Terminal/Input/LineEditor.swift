/// A line of text being typed, edited by grapheme clusters.
package struct LineEditor: Sendable, Equatable {
  /// The clusters of the text.
  package private(set) var characters: [Character]
  /// The index in `characters` at which text is inserted.
  package private(set) var cursor: Int
  /// The text that `insertDeleted` inserts: what the last run of commands for words and parts of
  /// the line deleted.
  private var deletedText = ""
  /// Whether the last command belongs to that run.
  private var extendsDeletedText = false

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }

  package var textBeforeCursor: String { String(characters[..<cursor]) }

  /// Returns a copy in which each character is replaced by the given one.
  package func masked(by mask: Character) -> LineEditor {
    var editor = LineEditor(String(repeating: mask, count: characters.count))
    editor.cursor = cursor
    return editor
  }

  /// Inserts text at the cursor. Line ends (CR, LF or both) and tabs become spaces; other control
  /// characters and invisible characters are removed.
  package mutating func insert(_ text: String) {
    extendsDeletedText = false
    var clean = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if scalar == "\n", previous == "\r" { continue }
      if scalar == "\n" || scalar == "\r" || scalar == "\t" {
        clean.append(" ")
      } else if Frame.isSafe(scalar) {
        clean.append(scalar)
      }
    }
    // Fast path: ASCII at the end of ASCII cannot join a cluster.
    if cursor == characters.count, characters.last?.isASCII ?? true, clean.allSatisfy(\.isASCII) {
      characters += clean.map { Character($0) }
      cursor = characters.count
      return
    }
    // The inserted text may join the cluster before the cursor, for example a combining mark.
    let before = String(characters[..<cursor]) + String(clean)
    let after = String(characters[cursor...])
    characters = Array(before + after)
    cursor = min(Array(before).count, characters.count)
  }

  /// Replaces the text and moves the cursor to the end.
  package mutating func replace(with text: String) {
    (characters, cursor) = ([], 0)
    insert(text)
  }

  /// The editing commands, apart from typing characters.
  package enum Edit: CaseIterable, Sendable {
    case deleteBackward, deleteForward, left, right, wordLeft, wordRight, start, end
    case deleteToStart, deleteToEnd, deleteWord, deleteNextWord
    case insertDeleted

    /// The names of the command's keys, and the help text.
    package var definition: (keys: [String], help: String) {
      switch self {
      case .deleteBackward: (["Backspace"], "delete the character before the cursor")
      case .deleteForward: (["Del", "C-d"], "delete the character at the cursor")
      case .left: (["Left", "C-b"], "one character to the left")
      case .right: (["Right", "C-f"], "one character to the right")
      case .wordLeft: (["C-Left", "M-Left", "M-b"], "one word to the left")
      case .wordRight: (["C-Right", "M-Right", "M-f"], "one word to the right")
      case .start: (["Home", "C-a"], "to the beginning")
      case .end: (["End", "C-e"], "to the end")
      case .deleteToStart: (["C-u"], "delete to the beginning")
      case .deleteToEnd: (["C-k"], "delete to the end")
      case .deleteWord:
        (["C-w", "M-Backspace"], "delete the word before the cursor")
      case .deleteNextWord: (["M-d", "C-Del"], "delete the word after the cursor")
      case .insertDeleted: (["C-y"], "insert the deleted words again")
      }
    }

    private static let editsByKey = Dictionary(
      uniqueKeysWithValues: allCases.flatMap { edit in
        edit.definition.keys.compactMap { name in Key(name).map { ($0, edit) } }
      })

    /// Creates the command of a key; nil if it has none. For keys other than characters, modifiers
    /// are ignored if the combination has no command of its own.
    init?(_ key: Key) {
      var plain = key
      if case .character = key.code {} else { plain.modifiers = [] }
      guard let edit = Self.editsByKey[key] ?? Self.editsByKey[plain] else { return nil }
      self = edit
    }
  }

  /// Performs the command of a key, or inserts its character.
  /// - Returns: False if the key is neither an editing command nor a plain character.
  package mutating func performEdit(_ key: Key) -> Bool {
    let extends = extendsDeletedText
    extendsDeletedText = false
    guard let edit = Edit(key) else {
      guard case .character(let scalar) = key.code, key.modifiers.isEmpty else { return false }
      insert(String(scalar))
      return true
    }
    switch edit {
    case .deleteBackward: delete(from: cursor - 1, to: cursor)
    case .deleteForward: delete(from: cursor, to: cursor + 1)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .wordLeft: cursor = wordStart
    case .wordRight: cursor = wordEnd
    case .start: cursor = 0
    case .end: cursor = characters.count
    case .deleteToStart: cut(from: 0, to: cursor, extends)
    case .deleteToEnd: cut(from: cursor, to: characters.count, extends)
    case .deleteWord: cut(from: wordStart, to: cursor, extends)
    case .deleteNextWord: cut(from: cursor, to: wordEnd, extends)
    case .insertDeleted: insert(deletedText)
    }
    return true
  }

  /// Deletes characters on one side of the cursor so that they can be inserted again.
  private mutating func cut(from start: Int, to end: Int, _ extends: Bool) {
    guard start < end else { return }
    let (text, earlier) = (String(characters[start..<end]), extends ? deletedText : "")
    deletedText = start < cursor ? text + earlier : earlier + text
    extendsDeletedText = true
    delete(from: start, to: end)
  }

  private mutating func delete(from start: Int, to end: Int) {
    guard start >= 0, end <= characters.count, start < end else { return }
    characters.removeSubrange(start..<end)
    // The characters on both sides may now form one cluster.
    let joined = Array(String(characters))
    if joined.count != characters.count {
      cursor = Array(String(characters[..<start])).count
      characters = joined
    } else {
      cursor = start
    }
    cursor = min(cursor, characters.count)
  }

  private static func isSeparator(_ character: Character) -> Bool {
    character == " " || character == "/"
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, Self.isSeparator(characters[index - 1]) { index -= 1 }
    while index > 0, !Self.isSeparator(characters[index - 1]) { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = cursor
    while index < characters.count, Self.isSeparator(characters[index]) { index += 1 }
    while index < characters.count, !Self.isSeparator(characters[index]) { index += 1 }
    return index
  }
}
