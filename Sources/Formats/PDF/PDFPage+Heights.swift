extension [PDFPage] {
  /// The pages with the heights of boxes derived from the widths of letters. Fonts declare heights
  /// of 1 to 1.5 times their size, but all distances are measured in line heights.
  var normalizingHeights: [PDFPage] {
    var (width, height, count) = (0.0, 0.0, 0)
    for page in self {
      for word in page.words where word.isUpright {
        let letters = word.text.unicodeScalars.count
        width += word.box.width
        height += word.box.height * Double(letters)
        count += letters
      }
    }
    guard count > 0, width > 0, height > 0 else { return self }
    let factor = Swift.max(Self.minHeightFactor, Self.sizeToWidthRatio * width / height)
    guard factor < 0.97 else { return self }
    return map { page in
      var page = page
      for index in page.words.indices where page.words[index].isUpright {
        let inset = page.words[index].box.height * (1 - factor) / 2
        page.words[index].box.top += inset
        page.words[index].box.bottom -= inset
      }
      return page
    }
  }

  /// The ratio of the size of a font to the average width of its letters.
  private static let sizeToWidthRatio = 2.15
  private static let minHeightFactor = 0.6
}
