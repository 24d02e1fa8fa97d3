/// The words of a page on one baseline, from left to right.
struct PDFLine: Equatable {
  var words: [PDFWord]
  var box: PDFBox
  /// The most frequent height of the words of the line, in points.
  let wordHeight: Double

  /// Creates a line.
  /// - Parameter words: The words of the line: at least one, in any order.
  init(_ words: [PDFWord]) {
    self.words = words.sorted {
      ($0.box.left, $0.box.right) < ($1.box.left, $1.box.right)
    }
    var box = words[0].box
    for word in words.dropFirst() { box = box.union(word.box) }
    self.box = box
    wordHeight = Self.commonWordHeight(of: words)
  }

  /// Returns the most frequent height of words, weighted by their number of characters.
  static func commonWordHeight(of words: some Sequence<PDFWord>) -> Double {
    var counts: [Int: Int] = [:]
    for word in words {
      counts[Int((word.box.height * 4).rounded()), default: 0] += word.text.utf8.count
    }
    let mostFrequent = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
    return max(1, Double(mostFrequent?.key ?? 40) / 4)
  }

  /// Groups words into lines, from top to bottom, in O(n log n): each word is compared with the
  /// last few lines only.
  static func lines(of words: [PDFWord]) -> [PDFLine] {
    var open: [(core: PDFBox, words: [PDFWord])] = []
    for word in words.sorted(by: { ($0.box.centerY, $0.box.left) < ($1.box.centerY, $1.box.left) })
    {
      var best: Int?
      var maxShare = 0.5
      for index in open.indices.suffix(maxComparedLines) {
        let core = open[index].core
        let shared = min(core.bottom, word.box.bottom) - max(core.top, word.box.top)
        let part = shared / max(0.1, min(core.height, word.box.height))
        if part > maxShare { (best, maxShare) = (index, part) }
      }
      guard let best else {
        open.append((word.box, [word]))
        continue
      }
      open[best].words.append(word)
      // Otherwise superscripts and subscripts would form lines of their own.
      if word.box.height > open[best].core.height * 1.05 { open[best].core = word.box }
    }
    return open.map { PDFLine($0.words) }.sorted {
      ($0.box.centerY, $0.box.left) < ($1.box.centerY, $1.box.left)
    }
  }

  /// Maximum number of lines that a word is compared with.
  private static let maxComparedLines = 4

  /// Minimum gap between table cells, in line heights.
  static let minCellGap = 1.05

  /// The distances between adjacent words; one fewer than there are words.
  var gaps: [Double] {
    zip(words.dropFirst(), words).map { $0.box.left - $1.box.right }
  }

  /// Whether the line is justified by word spaces of the same width, and has few numbers. Its words
  /// are not the cells of a table.
  var isJustified: Bool {
    guard words.count >= 3 else { return false }
    let gaps = gaps
    guard let minGap = gaps.min(), let maxGap = gaps.max(), maxGap < wordHeight * 4,
      maxGap <= minGap * 1.25
    else { return false }
    return words.count { $0.text.contains(where: \.isNumber) } * 2 < words.count
  }

  /// Returns the words in groups that are separated by gaps wider than `minGap`. The words of a
  /// stretched line form one group.
  func cellSegments(minGap: Double) -> [ArraySlice<PDFWord>] {
    isJustified ? [words[...]] : gapSegments(minGap: minGap)
  }

  /// Returns the words in groups that are separated by gaps wider than `minGap`.
  func gapSegments(minGap: Double) -> [ArraySlice<PDFWord>] {
    var segments: [ArraySlice<PDFWord>] = []
    var start = 0
    for index in words.indices.dropFirst()
    where words[index].box.left - words[index - 1].box.right > minGap {
      segments.append(words[start..<index])
      start = index
    }
    return segments + [words[start...]]
  }
}
