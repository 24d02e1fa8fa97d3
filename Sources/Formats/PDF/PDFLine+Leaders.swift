extension PDFLine {
  /// The line with each dot leader, which leads from a title to its page number, replaced by one
  /// character.
  var withoutLeaders: PDFLine {
    let isDots = { (word: PDFWord) in word.text.allSatisfy { ".·…_".contains($0) } }
    guard words.contains(where: isDots) else { return self }
    var keptWords: [PDFWord] = []
    var dots: [PDFWord] = []
    func close() {
      guard let first = dots.first else { return }
      if dots.count >= 3 || dots.contains(where: { $0.text.count >= 4 }) {
        keptWords.append(PDFWord("…", dots.dropFirst().reduce(first.box) { $0.union($1.box) }))
      } else {
        keptWords += dots
      }
      dots = []
    }
    for word in words {
      if isDots(word) {
        dots.append(word)
      } else {
        close()
        keptWords.append(word)
      }
    }
    close()
    return PDFLine(keptWords)
  }

  /// Whether the line ends with a leader and a page number.
  var isContentsEntry: Bool {
    guard words.count >= 3, let last = words.last, last.text.count <= 8 else { return false }
    return words[1..<words.count - 1].contains { $0.text == "…" && $0.box.width > wordHeight * 1.5 }
  }
}
