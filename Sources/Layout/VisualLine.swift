import Algorithms
import Document

extension PageLayout {
  /// Calls `body` with each visible grapheme cluster of a line, from left to right, and the run of
  /// the cluster.
  package func forEachCluster(
    ofLine index: Int, _ widths: DisplayWidth, _ body: (VisualLine.Cluster, Run) -> Void
  ) {
    let line = lines[index]
    if let order = order(ofLine: index) {
      for cluster in VisualLine(self, line, order, widths: widths).clusters {
        let run = self.run(at: cluster.textRange.lowerBound, from: Int(line.firstRun), of: index)
        if let run { body(cluster, run) }
      }
      return
    }
    var run = Int(line.firstRun)
    var column = 0
    for (bytes, width) in GraphemeClusters(
      text, in: Int(line.start)..<Int(line.end), widths: widths)
    {
      while run + 1 < runs.count, bytes.lowerBound >= Int(runs[run].end) { run += 1 }
      guard run < runs.count else { return }
      body(VisualLine.Cluster(textRange: bytes, column: column, width: width), runs[run])
      column += width
    }
  }

  /// Returns the number of columns from the left edge of the screen to the end of the rightmost
  /// grapheme cluster of a line.
  package func width(ofLine index: Int, _ widths: DisplayWidth) -> Int {
    var width = 0
    forEachCluster(ofLine: index, widths) { cluster, _ in
      width = max(width, cluster.column + cluster.width)
    }
    return width
  }

  private func run(at byte: Int, from first: Int, of index: Int) -> Run? {
    let end = index + 1 < lines.count ? Int(lines[index + 1].firstRun) : runs.count
    let run = (first..<end).partitioningIndex { Int(runs[$0].end) > byte }
    return run < runs.count ? runs[run] : nil
  }
}

/// A line in visual order: its clusters are reordered by embedding level (UAX 9, rules L1 and L2)
/// and mirrored (L4), and Arabic letters have their contextual forms.
package struct VisualLine: Sendable {
  /// A grapheme cluster at its place on the screen; it fills zero or more columns.
  package struct Cluster: Sendable, Equatable {
    /// The byte range in `PageLayout.text`.
    package var textRange: Range<Int>
    /// The column, counted from 0.
    package var column: Int
    /// The width in columns; may be 0.
    package var width: Int
    /// The text to show instead of the bytes in `textRange`; nil to show these.
    package var replacementText: String?
    fileprivate(set) package var embeddingLevel: UInt8 = 0
  }

  /// The clusters from left to right.
  package var clusters: [Cluster] = []

  /// Reorders a line of a layout, using the widths with which it was laid out.
  init(
    _ layout: PageLayout, _ line: PageLayout.Line, _ order: PageLayout.OrderedLine,
    widths: DisplayWidth
  ) {
    for (bytes, width) in GraphemeClusters(
      layout.text, in: Int(line.start)..<Int(line.end), widths: widths)
    {
      clusters.append(Cluster(textRange: bytes, column: 0, width: width))
    }
    arrange(order, text: layout.text)
    for index in clusters.indices.prefix(Int(order.margin)) { clusters[index].column = index }
  }

  /// Reorders a text that is not part of a layout.
  /// - Parameters:
  ///   - bytes: The text as UTF-8, on one line.
  ///   - widths: The widths of characters.
  ///   - isLeftToRight: Whether the text is part of a left-to-right line; otherwise its first
  ///     letter determines the direction.
  package init(_ bytes: [UInt8], widths: DisplayWidth, isLeftToRight: Bool = false) {
    let range = 0..<bytes.count
    let first = isLeftToRight ? nil : BidiOrder.firstStrongDirection(of: bytes, range).first
    let base: UInt8 = first == .rightToLeft ? 1 : 0
    for (bytes, width) in GraphemeClusters(bytes, widths: widths) {
      clusters.append(Cluster(textRange: bytes, column: 0, width: width))
    }
    let levelRuns = BidiOrder.levelRuns(of: bytes, range, paragraphLevel: base).map {
      PageLayout.LevelRun(end: UInt32($0.end), embeddingLevel: $0.level, minBoxWidth: -1)
    }
    let order = PageLayout.OrderedLine(
      lineIndex: 0, margin: 0, columns: 0, embeddingLevel: base, levelRuns: levelRuns)
    arrange(order, text: bytes)
  }

  private mutating func arrange(_ order: PageLayout.OrderedLine, text: [UInt8]) {
    var levelRunIndex = 0
    for index in clusters.indices {
      while levelRunIndex < order.levelRuns.count,
        clusters[index].textRange.lowerBound >= Int(order.levelRuns[levelRunIndex].end)
      {
        levelRunIndex += 1
      }
      clusters[index].embeddingLevel =
        levelRunIndex < order.levelRuns.count
        ? order.levelRuns[levelRunIndex].embeddingLevel : order.embeddingLevel
    }
    let margin = min(Int(order.margin), clusters.count)
    shapeArabic(from: margin, text: text)
    let boxed = removeBoxes(order, from: margin)
    var column = margin
    for cluster in Self.reordered(boxed) {
      var cluster = cluster
      cluster.column = column
      column += cluster.width
      if cluster.textRange.isEmpty { continue }
      if cluster.embeddingLevel % 2 == 1, cluster.replacementText == nil { cluster.mirror(text) }
      clusters.append(cluster)
    }
  }

  /// Removes the clusters after the margin and returns them, with the blanks that pad boxes and the
  /// line.
  private mutating func removeBoxes(_ order: PageLayout.OrderedLine, from margin: Int) -> [Cluster]
  {
    var result: [Cluster] = []
    var used = 0
    var boxWidth = 0
    func blank(_ width: Int, _ level: UInt8) -> Cluster {
      Cluster(textRange: 0..<0, column: 0, width: width, embeddingLevel: level)
    }
    var next = margin
    for levelRun in order.levelRuns {
      while next < clusters.count, clusters[next].textRange.lowerBound < Int(levelRun.end) {
        result.append(clusters[next])
        boxWidth += clusters[next].width
        next += 1
      }
      guard levelRun.minBoxWidth >= 0 else { continue }
      if boxWidth < Int(levelRun.minBoxWidth) {
        result.append(blank(Int(levelRun.minBoxWidth) - boxWidth, levelRun.embeddingLevel))
        boxWidth = Int(levelRun.minBoxWidth)
      }
      used += boxWidth
      boxWidth = 0
    }
    for cluster in clusters[next...] {
      result.append(cluster)
      boxWidth += cluster.width
    }
    used += boxWidth
    if used < Int(order.columns) {
      result.append(blank(Int(order.columns) - used, order.embeddingLevel))
    }
    clusters.removeSubrange(margin...)
    return result
  }

  /// Applies rule L2: from the highest level down to 1, reverses all runs at that level or above.
  private static func reordered(_ clusters: [Cluster]) -> [Cluster] {
    var result = clusters
    guard var level = clusters.map(\.embeddingLevel).max() else { return clusters }
    while level > 0 {
      var start = 0
      while start < result.count {
        guard result[start].embeddingLevel >= level else {
          start += 1
          continue
        }
        var end = start
        while end < result.count, result[end].embeddingLevel >= level { end += 1 }
        result[start..<end].reverse()
        start = end
      }
      level -= 1
    }
    return result
  }

  /// Sets the contextual forms of Arabic letters.
  private mutating func shapeArabic(from margin: Int, text: [UInt8]) {
    guard clusters[margin...].contains(where: { $0.embeddingLevel % 2 == 1 && $0.isArabic(text) })
    else {
      return
    }
    var scalars: [UInt32] = []
    var levels: [UInt8] = []
    var ends: [Int] = []
    for cluster in clusters[margin...] {
      var position = cluster.textRange.lowerBound
      while position < cluster.textRange.upperBound {
        scalars.append(
          DisplayWidth.decodeScalar(in: text, at: &position, end: cluster.textRange.upperBound))
        levels.append(cluster.embeddingLevel)
      }
      ends.append(scalars.count)
    }
    let plain = scalars
    FriBidi.shape(&scalars, levels: levels)
    var start = 0
    for (offset, end) in ends.enumerated() {
      defer { start = end }
      guard scalars[start..<end] != plain[start..<end] else { continue }
      var shown = String.UnicodeScalarView()
      for scalar in scalars[start..<end] where scalar != FriBidi.ligaturePlaceholder {
        if let scalar = Unicode.Scalar(scalar) { shown.append(scalar) }
      }
      clusters[margin + offset].replacementText = String(shown)
      // The alef is part of the ligature with the preceding lam and has no width.
      if scalars[start] == FriBidi.ligaturePlaceholder { clusters[margin + offset].width = 0 }
    }
  }
}

extension VisualLine.Cluster {
  /// Whether the cluster begins with a letter of Arabic or a related script, which may join its
  /// neighbours.
  fileprivate func isArabic(_ text: [UInt8]) -> Bool {
    var position = textRange.lowerBound
    let scalar = DisplayWidth.decodeScalar(in: text, at: &position, end: textRange.upperBound)
    return (0x0620...0x08FF).contains(scalar)
  }

  /// Mirrors brackets (UAX 9, rule L4) and the corners of borders in right-to-left clusters.
  fileprivate mutating func mirror(_ bytes: [UInt8]) {
    var position = textRange.lowerBound
    let scalar = DisplayWidth.decodeScalar(in: bytes, at: &position, end: textRange.upperBound)
    let shown = Self.corners[scalar] ?? FriBidi.mirrored(scalar)
    guard shown != scalar, let first = Unicode.Scalar(shown) else { return }
    replacementText =
      String(first) + String(decoding: bytes[position..<textRange.upperBound], as: UTF8.self)
  }

  private static let corners: [UInt32: UInt32] = {
    let pairs: [(UInt32, UInt32)] = [
      (0x250C, 0x2510), (0x2514, 0x2518), (0x251C, 0x2524), (0x2552, 0x2555), (0x2558, 0x255B),
      (0x255E, 0x2561), (0x25B8, 0x25C2),
    ]
    return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($1, $0) })
  }()
}
