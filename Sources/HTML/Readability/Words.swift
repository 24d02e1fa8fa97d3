extension String {
  /// The words of a line in lower case, for comparing titles and headings.
  var comparableWords: [Substring] {
    lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension [Substring] {
  /// How much of other words is among these, 0 to 1, by length.
  func similarity(to other: [Substring]) -> Double {
    guard !isEmpty, !other.isEmpty else { return 0 }
    let own = Set(self)
    let strange = other.filter { !own.contains($0) }
    func length(_ words: [Substring]) -> Int {
      words.reduce(words.isEmpty ? 0 : words.count - 1) { $0 + $1.count }
    }
    return 1 - Double(length(strange)) / Double(length(other))
  }
}
