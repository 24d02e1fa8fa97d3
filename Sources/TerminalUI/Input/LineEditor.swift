/// One line of text being typed, edited by grapheme clusters.
package struct LineEditor: Sendable, Equatable {
  /// The clusters of the text.
  private(set) var characters: [Character]
  /// The index in `characters` before which the next one is inserted.
  private(set) var cursor: Int

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

  /// Carries out an editing key.
  /// - Returns: false when the key edits nothing.
  package mutating func edit(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.character(let scalar), []): insert(String(scalar))
    case (.backspace, _): delete(from: cursor - 1, to: cursor)
    case (.delete, _), (.character("d"), .control): delete(from: cursor, to: cursor + 1)
    case (.left, .control), (.left, .meta), (.character("b"), .meta): cursor = wordStart
    case (.right, .control), (.right, .meta), (.character("f"), .meta): cursor = wordEnd
    case (.left, _), (.character("b"), .control): cursor = max(0, cursor - 1)
    case (.right, _), (.character("f"), .control): cursor = min(characters.count, cursor + 1)
    case (.home, _), (.character("a"), .control): cursor = 0
    case (.end, _), (.character("e"), .control): cursor = characters.count
    case (.character("u"), .control): delete(from: 0, to: cursor)
    case (.character("k"), .control): delete(from: cursor, to: characters.count)
    case (.character("w"), .control): delete(from: wordStart, to: cursor)
    default: return false
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
