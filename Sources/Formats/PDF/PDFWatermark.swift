/// Separates a watermark from the text under it. Each letter of diagonal text has a box that is
/// several lines high.
enum PDFWatermark {
  /// Minimum height of the words of a watermark, in line heights of the text.
  private static let minHeightRatio = 2.0
  /// Maximum number of words of a watermark.
  private static let maxCount = 64

  /// Separates the words of a watermark from the others.
  /// - Parameters:
  ///   - words: The words of a page.
  ///   - bodyLineHeight: The line height of the body text of the file.
  /// - Returns: The other words, and the text of the watermark, which may be empty.
  static func separatingWatermark(_ words: [PDFWord], bodyLineHeight: Double) -> (
    text: [PDFWord], overlay: String
  ) {
    let tall = words.indices.filter { words[$0].box.height > bodyLineHeight * minHeightRatio }
    guard !tall.isEmpty, tall.count <= maxCount else { return (words, "") }
    let low = words.filter { $0.box.height <= bodyLineHeight * minHeightRatio }
    var overlay = tall.filter { covers(words[$0].box, low, bodyLineHeight: bodyLineHeight) }
    var others = tall.filter { !overlay.contains($0) }
    // Letters beyond the text belong to the watermark, too.
    var isGrown = !overlay.isEmpty
    while isGrown {
      let more = others.filter { index in
        overlay.contains { isDiagonallyAdjacent(words[index].box, to: words[$0].box) }
      }
      overlay += more
      others.removeAll { more.contains($0) }
      isGrown = !more.isEmpty
    }
    guard !overlay.isEmpty else { return (words, "") }
    let gone = Set(overlay)
    return (
      words.indices.filter { !gone.contains($0) }.map { words[$0] },
      text(overlay.map { words[$0] })
    )
  }

  /// Returns whether the inner part of a box covers words of several lines.
  private static func covers(_ box: PDFBox, _ words: [PDFWord], bodyLineHeight: Double) -> Bool {
    let (x, y) = (box.width * 0.2, box.height * 0.2)
    let below = words.lazy.filter { word in
      word.box.left < box.right - x && word.box.right > box.left + x
        && word.box.top < box.bottom - y && word.box.bottom > box.top + y
    }
    guard let first = below.first else { return false }
    return below.contains { abs($0.box.centerY - first.box.centerY) > bodyLineHeight * 0.5 }
  }

  /// Returns whether a letter touches another one that is higher or lower on the page.
  private static func isDiagonallyAdjacent(_ box: PDFBox, to other: PDFBox) -> Bool {
    abs(box.centerY - other.centerY) > other.height * 0.2
      && box.left <= other.right + 1 && box.right >= other.left - 1
      && box.top <= other.bottom && box.bottom >= other.top
  }

  private static func text(_ words: [PDFWord]) -> String {
    let sorted = words.sorted {
      ($0.box.left, $0.box.centerY, $0.text) < ($1.box.left, $1.box.centerY, $1.text)
    }
    var text = ""
    for (index, word) in sorted.enumerated() {
      if index > 0, word.box.left > sorted[index - 1].box.right + word.box.height * 0.1 {
        text += " "
      }
      text += word.text
    }
    return text
  }
}
