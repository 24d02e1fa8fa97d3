/// Removes the line numbers in the left margin of a manuscript or a legal text.
enum PDFLineNumbers {
  /// Minimum number of lines of the first page with line numbers.
  private static let minLines = 8

  /// Removes line numbers if nearly every line begins with one, they are consecutive, and the rest
  /// is prose.
  /// - Parameters:
  ///   - words: The words of a page.
  ///   - lastNumber: The last line number of the preceding page, if it has line numbers.
  /// - Returns: The other words, and the first and last line number; nil if nothing is removed.
  static func removingLineNumbers(
    from words: [PDFWord], after lastNumber: Int?
  ) -> (text: [PDFWord], numbers: ClosedRange<Int>)? {
    let lines = PDFLine.lines(of: words)
    guard let (numbers, linesWithoutNumber, unnumbered) = separatingNumbers(of: lines) else {
      return nil
    }
    guard let firstNumber = numbers.first, let finalNumber = numbers.last,
      !linesWithoutNumber.isEmpty,
      numbers.count * 10 >= lines.count * 9
    else { return nil }
    let isContinued = lastNumber.map { $0 + 1 == firstNumber.value } ?? false
    // The lines of a numbered list begin with capitals, and are not full.
    let lowercaseCount = linesWithoutNumber.count { $0.words[0].text.first?.isLowercase ?? false }
    guard isContinued || numbers.count >= minLines && lowercaseCount * 4 >= linesWithoutNumber.count
    else {
      return nil
    }
    let left = linesWithoutNumber.map(\.box.left).min() ?? 0
    // A single line on a continued page fills its own width.
    guard numbers.allSatisfy({ $0.word.box.right < left }),
      linesWithoutNumber.count == 1
        || PDFProse.fillsColumn(
          linesWithoutNumber,
          lineHeight: PDFLine.commonWordHeight(of: linesWithoutNumber.lazy.flatMap(\.words)),
          minFill: 0.65)
    else { return nil }
    return (linesWithoutNumber.flatMap(\.words) + unnumbered, firstNumber.value...finalNumber.value)
  }

  /// Returns the number at the start of each line, the rest of these lines, and the words of the
  /// lines without a number; nil if the numbers are not consecutive or too close to the text.
  private static func separatingNumbers(
    of lines: [PDFLine]
  ) -> (numbers: [(word: PDFWord, value: Int)], rest: [PDFLine], unnumbered: [PDFWord])? {
    var numbers: [(word: PDFWord, value: Int)] = []
    var linesWithoutNumber: [PDFLine] = []
    var unnumbered: [PDFWord] = []
    for line in lines {
      let word = line.words[0]
      guard word.text.count <= 4, word.text.allSatisfy({ $0.isASCII && $0.isNumber }),
        let value = Int(word.text)
      else {
        unnumbered += line.words
        continue
      }
      if line.words.count > 1 {
        guard line.gaps[0] >= line.wordHeight * 0.6 else { return nil }
        linesWithoutNumber.append(PDFLine(Array(line.words.dropFirst())))
      }
      guard numbers.last.map({ $0.value + 1 == value }) ?? true else { return nil }
      numbers.append((word, value))
    }
    return (numbers, linesWithoutNumber, unnumbered)
  }
}
