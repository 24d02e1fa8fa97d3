/// A rectangle on a page of a PDF file, in points; the origin is the upper left corner of the page.
package struct PDFBox: Sendable, Equatable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  package init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var centerY: Double { (top + bottom) / 2 }
  var centerX: Double { (left + right) / 2 }

  /// Returns the horizontal distance to another box, which is negative if they overlap.
  func gap(to other: PDFBox) -> Double {
    other.left >= right ? other.left - right : left - other.right
  }

  /// Returns the smallest box that contains both boxes.
  func union(_ other: PDFBox) -> PDFBox {
    PDFBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}

/// A word with its position on a page.
package struct PDFWord: Sendable, Equatable {
  package var box: PDFBox
  package var text: String

  package init(_ text: String, _ box: PDFBox) {
    (self.text, self.box) = (text, box)
  }

  /// Whether the word is written horizontally; false for a word of at least four characters that
  /// runs along the edge of a page.
  var isUpright: Bool { text.count < 4 || box.height < box.width * 1.6 }
}

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
