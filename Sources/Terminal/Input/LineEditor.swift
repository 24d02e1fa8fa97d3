/// One line of text being typed, edited by grapheme clusters.
package struct LineEditor: Sendable, Equatable {
  /// The clusters of the text.
  package private(set) var characters: [Character]
  /// The index in `characters` before which the next one is inserted.
  package private(set) var cursor: Int

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// The text.
  package var text: String { String(characters) }

  /// The text before the cursor.
  package var textBeforeCursor: String { String(characters[..<cursor]) }

  /// The same with another character in the place of each.
  package func masked(by mask: Character) -> LineEditor {
    var editor = LineEditor(String(repeating: mask, count: characters.count))
    editor.cursor = cursor
    return editor
  }

  /// Inserts text at the cursor; line breaks become blanks, other control characters are left out.
  package mutating func insert(_ text: String) {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\t" {
        clean.append(" ")
      } else if Frame.isSafe(scalar) {
        clean.append(scalar)
      }
    }
    // At the end of ASCII nothing can join.
    if cursor == characters.count, characters.last?.isASCII ?? true, clean.allSatisfy(\.isASCII) {
      characters += clean.map { Character($0) }
      cursor = characters.count
      return
    }
    // What is inserted may join the cluster before the cursor (a combining mark, say).
    let before = String(characters[..<cursor]) + String(clean)
    let after = String(characters[cursor...])
    characters = Array(before + after)
    cursor = min(Array(before).count, characters.count)
  }

  /// Replaces everything and goes to the end.
  package mutating func replace(with text: String) {
    self = LineEditor()
    insert(text)
  }

  /// What keys do to the line, beside typing characters.
  package enum Edit: CaseIterable, Sendable {
    case deleteBackward, deleteForward, left, right, wordLeft, wordRight, start, end
    case deleteToStart, deleteToEnd, deleteWord

    /// Its keys by their names, and what it does.
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
      case .deleteWord: (["C-w"], "delete the word before the cursor")
      }
    }

    private static let table = Dictionary(
      uniqueKeysWithValues: allCases.flatMap { edit in
        edit.definition.keys.compactMap { name in Key(name).map { ($0, edit) } }
      })

    /// What a key does, or nil. Where a key has no meaning of its own with Shift and the like, it has that
    /// which it has without.
    init?(_ key: Key) {
      var plain = key
      if case .character = key.code {} else { plain.modifiers = [] }
      guard let edit = Self.table[key] ?? Self.table[plain] else { return nil }
      self = edit
    }
  }

  /// Carries out an editing key.
  /// - Returns: false when the key edits nothing.
  package mutating func edit(_ key: Key) -> Bool {
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
    case .deleteToStart: delete(from: 0, to: cursor)
    case .deleteToEnd: delete(from: cursor, to: characters.count)
    case .deleteWord: delete(from: wordStart, to: cursor)
    }
    return true
  }

  private mutating func delete(from start: Int, to end: Int) {
    guard start >= 0, end <= characters.count, start < end else { return }
    characters.removeSubrange(start..<end)
    // What now stands side by side may be one cluster.
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
