import Document

extension PageLayout {
  /// Calls `body` with what is seen of a line, from left to right, and the run that it belongs to.
  package func forEachCluster(
    ofLine index: Int, _ widths: DisplayWidth, _ body: (VisualLine.Cluster, Run) -> Void
  ) {
    let line = lines[index]
    if let order = order(ofLine: index) {
      for cluster in VisualLine(self, line, order, widths: widths).clusters {
        let run = self.run(at: cluster.bytes.lowerBound, from: Int(line.firstRun), of: index)
        if let run { body(cluster, run) }
      }
      return
    }
    var run = Int(line.firstRun)
    var column = 0
    for (bytes, width) in Clusters(text, in: Int(line.start)..<Int(line.end), widths: widths) {
      while run + 1 < runs.count, bytes.lowerBound >= Int(runs[run].end) { run += 1 }
      guard run < runs.count else { return }
      body(VisualLine.Cluster(bytes: bytes, column: column, width: width), runs[run])
      column += width
    }
  }

  /// The columns from the left edge of the screen to the last cluster of a line.
  package func width(ofLine index: Int, _ widths: DisplayWidth) -> Int {
    var width = 0
    forEachCluster(ofLine: index, widths) { cluster, _ in
      width = max(width, cluster.column + cluster.width)
    }
    return width
  }

  private func run(at byte: Int, from first: Int, of index: Int) -> Run? {
    var low = first
    var high = index + 1 < lines.count ? Int(lines[index + 1].firstRun) : runs.count
    while low < high {
      let middle = (low + high) / 2
      if Int(runs[middle].end) <= byte { low = middle + 1 } else { high = middle }
    }
    return low < runs.count ? runs[low] : nil
  }
}

/// A line that the layout has ordered, as it is seen: its clusters are reordered by their levels (UAX 9, rules L1
/// and L2), mirrored (L4), and Arabic letters have the forms that join them.
package struct VisualLine: Sendable {
  /// What stands in one or more cells.
  package struct Cluster: Sendable, Equatable {
    /// Bytes of `PageLayout.text`.
    package var bytes: Range<Int>
    /// Where it stands, from 0.
    package var column: Int
    /// Columns; 0 for what only marks a place.
    package var width: Int
    /// What is shown, where it is not what the bytes say.
    package var text: String?
    fileprivate(set) package var level: UInt8 = 0
  }

  /// From left to right.
  package var clusters: [Cluster] = []

  /// A line as it is seen, by the widths with which it was laid out.
  init(
    _ layout: PageLayout, _ line: PageLayout.Line, _ order: PageLayout.OrderedLine,
    widths: DisplayWidth
  ) {
    for (bytes, width) in Clusters(
      layout.text, in: Int(line.start)..<Int(line.end), widths: widths)
    {
      clusters.append(Cluster(bytes: bytes, column: 0, width: width))
    }
    arrange(order, text: layout.text)
    for index in clusters.indices.prefix(Int(order.margin)) { clusters[index].column = index }
  }

  /// A text by itself, as it is seen.
  /// - Parameters:
  ///   - bytes: UTF-8 on one line.
  ///   - widths: How wide characters are.
  ///   - isLeftToRight: Whether it is part of a line that is read from left to right; otherwise its first letter
  ///     tells.
  package init(_ bytes: [UInt8], widths: DisplayWidth, isLeftToRight: Bool = false) {
    let range = 0..<bytes.count
    let first = isLeftToRight ? nil : TextOrder.direction(of: bytes, range).first
    let base: UInt8 = first == .rightToLeft ? 1 : 0
    for (bytes, width) in Clusters(bytes, widths: widths) {
      clusters.append(Cluster(bytes: bytes, column: 0, width: width))
    }
    let stretches = TextOrder.parts(of: bytes, range, base: base).map {
      PageLayout.Stretch(end: UInt32($0.end), level: $0.level, box: -1)
    }
    let order = PageLayout.OrderedLine(
      line: 0, margin: 0, columns: 0, level: base, stretches: stretches)
    arrange(order, text: bytes)
  }

  private mutating func arrange(_ order: PageLayout.OrderedLine, text: [UInt8]) {
    var stretch = 0
    for index in clusters.indices {
      while stretch < order.stretches.count,
        clusters[index].bytes.lowerBound >= Int(order.stretches[stretch].end)
      {
        stretch += 1
      }
      clusters[index].level =
        stretch < order.stretches.count ? order.stretches[stretch].level : order.level
    }
    let margin = min(Int(order.margin), clusters.count)
    shape(from: margin, text: text)
    let boxed = boxes(order, from: margin)
    var column = margin
    for cluster in Self.reordered(boxed) {
      var cluster = cluster
      cluster.column = column
      column += cluster.width
      if cluster.bytes.isEmpty { continue }
      if cluster.level % 2 == 1, cluster.text == nil { cluster.mirror(text) }
      clusters.append(cluster)
    }
  }

  /// Takes the clusters behind the margin out, with the blanks that fill boxes and the line.
  private mutating func boxes(_ order: PageLayout.OrderedLine, from margin: Int) -> [Cluster] {
    var result: [Cluster] = []
    var used = 0
    var box = 0
    func blank(_ width: Int, _ level: UInt8) -> Cluster {
      Cluster(bytes: 0..<0, column: 0, width: width, level: level)
    }
    var next = margin
    for stretch in order.stretches {
      while next < clusters.count, clusters[next].bytes.lowerBound < Int(stretch.end) {
        result.append(clusters[next])
        box += clusters[next].width
        next += 1
      }
      guard stretch.box >= 0 else { continue }
      if box < Int(stretch.box) {
        result.append(blank(Int(stretch.box) - box, stretch.level))
        box = Int(stretch.box)
      }
      used += box
      box = 0
    }
    for cluster in clusters[next...] {
      result.append(cluster)
      box += cluster.width
    }
    used += box
    if used < Int(order.columns) { result.append(blank(Int(order.columns) - used, order.level)) }
    clusters.removeSubrange(margin...)
    return result
  }

  /// Rule L2: from the highest level to the lowest odd one, all stretches at or above it are reversed.
  private static func reordered(_ clusters: [Cluster]) -> [Cluster] {
    var result = clusters
    guard var level = clusters.map(\.level).max() else { return clusters }
    while level > 0 {
      var start = 0
      while start < result.count {
        guard result[start].level >= level else {
          start += 1
          continue
        }
        var end = start
        while end < result.count, result[end].level >= level { end += 1 }
        result[start..<end].reverse()
        start = end
      }
      level -= 1
    }
    return result
  }

  /// Gives Arabic letters the forms that join their neighbours.
  private mutating func shape(from margin: Int, text: [UInt8]) {
    guard clusters[margin...].contains(where: { $0.level % 2 == 1 && $0.isArabic(text) }) else {
      return
    }
    var scalars: [UInt32] = []
    var levels: [UInt8] = []
    var ends: [Int] = []
    for cluster in clusters[margin...] {
      var position = cluster.bytes.lowerBound
      while position < cluster.bytes.upperBound {
        scalars.append(
          DisplayWidth.scalar(in: text, at: &position, limit: cluster.bytes.upperBound))
        levels.append(cluster.level)
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
      for scalar in scalars[start..<end] where scalar != FriBidi.joined {
        if let scalar = Unicode.Scalar(scalar) { shown.append(scalar) }
      }
      clusters[margin + offset].text = String(shown)
      // The alef is in the lam before it.
      if scalars[start] == FriBidi.joined { clusters[margin + offset].width = 0 }
    }
  }
}

extension VisualLine.Cluster {
  /// Whether it begins with a letter that joins its neighbours.
  fileprivate func isArabic(_ text: [UInt8]) -> Bool {
    var position = bytes.lowerBound
    let scalar = DisplayWidth.scalar(in: text, at: &position, limit: bytes.upperBound)
    return (0x0620...0x08FF).contains(scalar)
  }

  /// Rule L4, and the same for corners of borders.
  fileprivate mutating func mirror(_ bytes: [UInt8]) {
    var position = self.bytes.lowerBound
    let scalar = DisplayWidth.scalar(in: bytes, at: &position, limit: self.bytes.upperBound)
    let shown = Self.corners[scalar] ?? FriBidi.mirrored(scalar)
    guard shown != scalar, let first = Unicode.Scalar(shown) else { return }
    text = String(first) + String(decoding: bytes[position..<self.bytes.upperBound], as: UTF8.self)
  }

  private static let corners: [UInt32: UInt32] = {
    let pairs: [(UInt32, UInt32)] = [
      (0x250C, 0x2510), (0x2514, 0x2518), (0x251C, 0x2524), (0x2552, 0x2555), (0x2558, 0x255B),
      (0x255E, 0x2561), (0x25B8, 0x25C2),
    ]
    return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($1, $0) })
  }()
}
