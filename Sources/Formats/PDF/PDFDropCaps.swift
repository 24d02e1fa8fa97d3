/// Moves a drop cap, which is as high as several lines, to the start of the first line beside it.
enum PDFDropCaps {
  /// Minimum height of a drop cap, in line heights of the text.
  private static let minHeight = 1.8
  private static let maxLength = 3
  /// Maximum number of words of a column that are examined.
  private static let maxCount = 32

  /// Groups the words of a column into lines, from top to bottom.
  /// - Parameters:
  ///   - words: The words of the column.
  ///   - bodyLineHeight: The line height of the body text of the file.
  ///   - hyphenation: The vocabulary of the file.
  /// - Returns: The lines, with each drop cap at the start of one.
  static func lines(of words: [PDFWord], bodyLineHeight: Double, hyphenation: PDFHyphenation)
    -> [PDFLine]
  {
    let isTall = { (word: PDFWord) in
      word.box.height > bodyLineHeight * minHeight && word.text.count <= maxLength
    }
    let tall = words.filter(isTall)
    guard !tall.isEmpty, tall.count <= maxCount, tall.count < words.count else {
      return PDFLine.lines(of: words)
    }
    let otherLines = PDFLine.lines(of: words.filter { !isTall($0) })
    let caps = tall.filter {
      lineIndices(beside: $0, otherLines, bodyLineHeight: bodyLineHeight).count > 1
    }
    guard !caps.isEmpty else { return PDFLine.lines(of: words) }
    var result = PDFLine.lines(of: words.filter { !caps.contains($0) })
    for cap in caps {
      add(cap, to: &result, bodyLineHeight: bodyLineHeight, hyphenation: hyphenation)
    }
    return result
  }

  /// Returns the indices of the lines to the right of a word whose height they share.
  private static func lineIndices(
    beside word: PDFWord, _ lines: [PDFLine], bodyLineHeight: Double
  ) -> [Int] {
    lines.indices.filter { index in
      let (box, first) = (lines[index].box, lines[index].words[0].box)
      return box.bottom > word.box.top && box.top < word.box.bottom
        && first.left >= word.box.centerX && first.left - word.box.right < bodyLineHeight * 1.5
    }
  }

  private static func add(
    _ cap: PDFWord, to lines: inout [PDFLine], bodyLineHeight: Double, hyphenation: PDFHyphenation
  ) {
    let beside = self.lineIndices(beside: cap, lines, bodyLineHeight: bodyLineHeight)
    guard let index = beside.first else {
      lines.append(PDFLine([cap]))
      return
    }
    let first = lines[index].words[0]
    // These letters are words, too.
    let isWord =
      !isInitial(cap.text, of: first.text)
      || ["A", "À", "I"].contains(cap.text) && !hyphenation.isKnownWord(cap.text + first.text)
    let right = isWord ? min(cap.box.right, first.box.left - bodyLineHeight * 0.2) : first.box.left
    let box = PDFBox(
      left: min(cap.box.left, right), top: first.box.top, right: right, bottom: first.box.bottom)
    lines[index] = PDFLine([PDFWord(cap.text, box)] + lines[index].words)
    // The lines beside it are not indented.
    for index in beside { lines[index].box.left = min(lines[index].box.left, cap.box.left) }
  }

  /// Returns whether large characters are the first ones of a word: letters before lower-case
  /// letters, several capitals or an apostrophe, or a quotation mark. The number of a step and the
  /// "Q" of a question are not initials.
  private static func isInitial(_ cap: String, of rest: String) -> Bool {
    guard let last = cap.last, let first = rest.first else { return false }
    guard last.isLetter else { return "\"'“„«‘’(¿¡".contains(last) }
    return first.isLowercase || "'’".contains(first)
      || rest.count > 1 && first.isLetter && !rest.contains(where: \.isLowercase)
  }
}
