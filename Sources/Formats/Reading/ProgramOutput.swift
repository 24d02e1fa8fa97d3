import DOM

/// The text that a program wrote to a terminal, as the terminal shows it at the end.
enum ProgramOutput {
  /// Returns an output without the texts that later ones replaced, such as the earlier states of a
  /// progress bar: after a carriage return, text overwrites the start of its line, and a backspace
  /// moves back by one character. Other lines are unchanged.
  /// - Parameter text: The output.
  /// - Returns: The remaining text; in lines with carriage returns, without escape sequences.
  static func finalText(of text: String) -> String {
    guard text.utf8.contains(where: isMovement) else { return text }
    var result = String.UnicodeScalarView()
    var isFirst = true
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      if !isFirst { result.append("\n") }
      isFirst = false
      let line = line.last == "\r" ? line.dropLast() : line
      let isChanged = line.contains { $0.value < 0x20 && isMovement(UInt8($0.value)) }
      result.append(contentsOf: isChanged ? finalLine(of: line) : Array(line))
    }
    return String(result)
  }

  /// Returns a text without the earlier states of progress bars, which end with a carriage return.
  /// Other carriage returns remain, and so do all of a text without line feeds: in texts of old
  /// Macs, they end the lines.
  static func withoutEarlierStates(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(0x0A) else { return text }
    var result: [UInt8] = []
    // The start of the text that is not in the result yet, and that of the current line.
    var (keptStart, lineStart) = (0, 0)
    while let end = text[lineStart...].firstIndex(of: 0x0D) {
      let next = end + 1
      let start = text[lineStart..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? lineStart
      let later = text[next...].prefix { $0 != 0x0D && $0 != 0x0A }
      if isEarlierState(text[start..<end], of: later) {
        result += text[keptStart..<start]
        keptStart = next
      }
      lineStart = next
    }
    return keptStart == 0 ? text : result + text[keptStart...]
  }

  /// Returns whether a line that ends with a carriage return is replaced by the next one: both have
  /// a percentage, and the words of the first line begin the second one.
  private static func isEarlierState(
    _ line: ArraySlice<UInt8>, of later: ArraySlice<UInt8>
  ) -> Bool {
    guard hasPercentage(later) else { return false }
    if line.allSatisfy({ $0 == 0x20 }) { return true }
    return hasPercentage(line) && words(of: later).starts(with: words(of: line))
  }

  /// Whether a line has a percent sign after a digit.
  private static func hasPercentage(_ line: ArraySlice<UInt8>) -> Bool {
    zip(line, line.dropFirst()).contains { $0.isDigit && $1 == UInt8(ascii: "%") }
  }

  /// The minimum length of a word. Units, such as `MiB`, are shorter.
  private static let minWordLength = 4

  /// Returns the words of a line, which are the same in all states of a progress bar.
  private static func words(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.split { !$0.isLetter }.filter { $0.count >= minWordLength }
  }

  /// Whether a byte is a carriage return or a backspace.
  private static func isMovement(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x08 }

  /// Returns a line as a terminal of unlimited width shows it at the end.
  private static func finalLine(of line: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
    var cells: [Unicode.Scalar] = []
    var column = 0
    var index = line.startIndex
    while index < line.endIndex {
      let scalar = line[index]
      line.formIndex(after: &index)
      switch scalar {
      case "\r": column = 0
      case "\u{8}": column = max(0, column - 1)
      case "\u{1B}" where index < line.endIndex && line[index] == "[":
        let end = line[index...].dropFirst().firstIndex { (0x40...0x7E).contains($0.value) }
        guard let end else { return cells }
        // EL (ECMA-48 §8.3.41) erases the rest of the line, or the whole line.
        if line[end] == "K" {
          let rest = line[index..<end].contains { $0 == "1" || $0 == "2" } ? 0 : column
          cells.removeLast(max(0, cells.count - rest))
        }
        index = line.index(after: end)
      default:
        while cells.count < column { cells.append(" ") }
        if column < cells.count { cells[column] = scalar } else { cells.append(scalar) }
        column += 1
      }
    }
    return cells
  }
}
