/// Texts that a printed book has in its margin: the numbers of pages, verses and lines, and notes.
struct MarginTexts {
  /// The numbers within the current word, which are written after the word.
  private var numbersInWord: [String] = []
  /// The element of the margin number whose text is being read, or nil.
  private var openNumber: Int32?
  /// The element of the margin note whose text is being read, or nil.
  private var openNote: Int32?

  /// Whether there are numbers to be written after the current word.
  var hasNumbersInWord: Bool { !numbersInWord.isEmpty }

  /// Adds a number within the current word.
  mutating func add(numberInWord number: String) { numbersInWord.append(number) }

  /// Removes the numbers within the current word, which are to be written.
  mutating func takeNumbersInWord() -> [String] {
    defer { numbersInWord = [] }
    return numbersInWord
  }

  /// Returns whether an element is the margin number whose text is being read.
  func isOpenNumber(_ node: Int32) -> Bool { node == openNumber }
  mutating func beginNumber(_ node: Int32) { openNumber = node }
  mutating func endNumber() { openNumber = nil }

  /// Whether the current position is in a note.
  var isInNote: Bool { openNote != nil }
  /// Returns whether an element is the margin note whose text is being read.
  func isOpenNote(_ node: Int32) -> Bool { node == openNote }
  mutating func beginNote(_ node: Int32) { openNote = node }
  mutating func endNote() { openNote = nil }
}
