/// Words of a page on one base line, from left to right.
struct PDFLine: Equatable {
  var words: [PDFWord]
  var box: PDFBox
  /// The height of most of its text.
  let size: Double

  /// - Parameter words: at least one, in any order.
  init(_ words: [PDFWord]) {
    self.words = words.sorted {
      ($0.box.left, $0.box.right) < ($1.box.left, $1.box.right)
    }
    var box = words[0].box
    for word in words.dropFirst() { box = box.union(word.box) }
    self.box = box
    size = Self.size(of: words)
  }

  /// The most frequent height of words, by their characters.
  static func size(of words: some Sequence<PDFWord>) -> Double {
    var counts: [Int: Int] = [:]
    for word in words {
      counts[Int((word.box.height * 4).rounded()), default: 0] += word.text.utf8.count
    }
    let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
    return max(1, Double(most?.key ?? 40) / 4)
  }

  /// Puts words on lines, from top to bottom, in n log n steps: each word is compared with the last few lines.
  static func lines(of words: [PDFWord]) -> [PDFLine] {
    var open: [(core: PDFBox, words: [PDFWord])] = []
    for word in words.sorted(by: { ($0.box.middle, $0.box.left) < ($1.box.middle, $1.box.left) }) {
      var best: Int?
      var most = 0.5
      for index in open.indices.suffix(reach) {
        let core = open[index].core
        let shared = min(core.bottom, word.box.bottom) - max(core.top, word.box.top)
        let part = shared / max(0.1, min(core.height, word.box.height))
        if part > most { (best, most) = (index, part) }
      }
      guard let best else {
        open.append((word.box, [word]))
        continue
      }
      open[best].words.append(word)
      // Raised and lowered signs have lines of their own otherwise.
      if word.box.height > open[best].core.height * 1.05 { open[best].core = word.box }
    }
    return open.map { PDFLine($0.words) }.sorted {
      ($0.box.middle, $0.box.left) < ($1.box.middle, $1.box.left)
    }
  }

  /// Lines that a word is compared with.
  private static let reach = 4

  /// How far cells of a table are apart at least, in heights of a line.
  static let cellGap = 1.05

  /// The words in groups that are further apart than a distance.
  func segments(gap: Double) -> [ArraySlice<PDFWord>] {
    var segments: [ArraySlice<PDFWord>] = []
    var start = 0
    for index in words.indices.dropFirst()
    where words[index].box.left - words[index - 1].box.right > gap {
      segments.append(words[start..<index])
      start = index
    }
    return segments + [words[start...]]
  }
}
