/// A page with the words on it, in any order.
package struct PDFPage: Sendable, Equatable {
  package var width: Double
  package var height: Double
  package var words: [PDFWord]
  /// Whether the page had more words than the maximum; the others were dropped.
  package var isTruncated = false

  package init(width: Double, height: Double, words: [PDFWord] = []) {
    (self.width, self.height, self.words) = (width, height, words)
  }

  /// The words of the text, and the vertical words, usually those of a stamp along an edge of the
  /// page.
  var separatingStamps: (text: [PDFWord], stamp: [PDFWord]) {
    let stamp = words.filter { !$0.isUpright }
    guard let first = stamp.first else { return (words, []) }
    let box = stamp.dropFirst().reduce(first.box) { $0.union($1.box) }
    guard box.right < width * 0.12 || box.left > width * 0.88 else {
      return (words.filter(\.isUpright), stamp)
    }
    // `isUpright` does not recognize the short words of a stamp.
    let isOfStamp = { (word: PDFWord) in
      !word.isUpright || word.box.centerX > box.left && word.box.centerX < box.right
    }
    return (words.filter { !isOfStamp($0) }, words.filter(isOfStamp))
  }

  /// Maximum number of words of a page.
  static let maxWordsPerPage = 20_000
  /// Maximum number of words of a file.
  static let maxWordsPerFile = 2_000_000
  /// Maximum number of pages of a file.
  static let maxPages = 20_000
}
