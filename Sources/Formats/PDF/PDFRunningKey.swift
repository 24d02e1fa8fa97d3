/// The text of a header or footer without its page number, so that those of all pages are equal.
struct PDFRunningKey: Equatable {
  /// The text in lower case. A page number is replaced by its difference to the index of the page.
  private(set) var text: String
  /// The printed page number, or empty.
  private(set) var pageLabel = ""
  /// Whether the line consists only of a page number.
  let isPageNumberOnly: Bool
  /// Whether the line has at least two letters besides the page number.
  private(set) var hasLetters = false

  private static let wordsForPage: Set<String> = [
    "page", "pages", "p.", "pg.", "pg", "seite", "página", "pagina", "side", "sida", "strona",
  ]

  /// Separates the page number of a line, if it has one, from the rest of its text.
  /// - Parameters:
  ///   - line: A line at the top or bottom of a page.
  ///   - pageIndex: The index of the page.
  init(_ line: PDFLine, pageIndex: Int) {
    var words = line.words.map { $0.text.lowercased() }
    let textWithoutNumbers = Self.replacingNumbers(words.joined(separator: " "))
    isPageNumberOnly =
      ["#", "- # -", "– # –", "page #", "page # of #"].contains(textWithoutNumbers)
      || Self.areFacingNumbers(line)
    text = ""
    let index =
      Self.pageNumberIndex(in: line, words)
      ?? (isPageNumberOnly ? words.firstIndex(where: Self.isPageNumber) : nil)
    if let index {
      pageLabel = line.words[index].text
      words[index] = Self.relativePageNumber(words[index], to: pageIndex)
      hasLetters = Self.haveLetters(words[..<index] + words[(index + 1)...])
    } else {
      hasLetters = Self.haveLetters(words[...])
    }
    text = words.joined(separator: " ")
  }

  /// Returns whether a line consists of the numbers of two pages that are printed side by side.
  private static func areFacingNumbers(_ line: PDFLine) -> Bool {
    let numbers = line.words.compactMap { $0.text.count <= 3 ? Int($0.text) : nil }
    return line.words.count == 2 && numbers.count == 2 && numbers[1] == numbers[0] + 1
      && line.gaps[0] > line.wordHeight * 10
  }

  private static func haveLetters(_ words: ArraySlice<String>) -> Bool {
    words.reduce(0) { $0 + $1.count(where: \.isLetter) } >= 2
  }

  /// Returns the index of the page number: a number at either end that is apart from the text, or
  /// after a word such as "page". Numbers of chapters, days and exercises are not page numbers. Nil
  /// if there is none.
  private static func pageNumberIndex(in line: PDFLine, _ words: [String]) -> Int? {
    let last = words.count - 1
    let isApart = { (gap: Double) in gap > line.wordHeight * 0.8 }
    let isSign = { (word: String) in !word.contains { $0.isLetter || $0.isNumber } }
    for index in Set([0, last]).sorted() where isPageNumber(words[index]) {
      if last == 0 || words[index].contains("/") { return index }
      let gap = line.gaps[index == 0 ? 0 : last - 1]
      let beside = words[index == 0 ? 1 : last - 1]
      if isApart(gap) || isSign(beside) { return index }
      if index == 0 ? ["of", "von", "/"].contains(beside) : wordsForPage.contains(beside) {
        return index
      }
    }
    return words.indices.dropFirst().first {
      wordsForPage.contains(words[$0 - 1]) && isPageNumber(words[$0])
    }
  }

  /// Returns whether a word is a number, a Roman number, or a number and the number of pages.
  private static func isPageNumber(_ word: String) -> Bool {
    if isRoman(word) { return true }
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy {
        !$0.isEmpty && $0.count <= 6 && $0.allSatisfy { $0.isASCII && $0.isNumber }
      }
  }

  /// Returns a page number as its difference to the index of the page.
  private static func relativePageNumber(_ word: String, to pageIndex: Int) -> String {
    let digits = word.prefix { $0 != "/" }
    return Int(digits).map { "#\($0 - pageIndex)\(word.dropFirst(digits.count))" } ?? "#"
  }

  /// Returns a text with `#` for each number.
  private static func replacingNumbers(_ text: String) -> String {
    var key = ""
    for character in text {
      let next: Character = character.isNumber ? "#" : character
      if next != "#" || key.last != "#" { key.append(next) }
    }
    return isRoman(key) ? "#" : key
  }

  private static func isRoman(_ text: String) -> Bool {
    !text.isEmpty && text.count <= 8 && text.allSatisfy { "ivxlc".contains($0) }
  }
}
