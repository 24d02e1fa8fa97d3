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
