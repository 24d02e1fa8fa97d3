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
