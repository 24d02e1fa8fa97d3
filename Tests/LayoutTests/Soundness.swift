import Document

@testable import Layout

extension PageLayout {
  /// A description of the first violated invariant of the layout, or nil.
  func flaw(in document: Document, _ widths: DisplayWidth = DisplayWidth()) -> String? {
    var end: UInt32 = 0
    var source: UInt32 = 0
    for (index, line) in lines.enumerated() {
      if line.start != end { return "line \(index) begins at \(line.start), not \(end)" }
      if line.end < line.start { return "line \(index) ends before it begins" }
      if line.sourceOffset < source { return "line \(index) has a source before the line above" }
      if Int(line.sourceOffset) > document.text.count { return "line \(index) is beyond the text" }
      let bytes = text[Int(line.start)..<Int(line.end)]
      if String(validating: bytes, as: UTF8.self) == nil { return "line \(index) is not UTF-8" }
      if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "line \(index) has controls" }
      if bytes.last == 0x20 { return "line \(index) ends with a space" }
      if let flaw = widthFlaw(index, widths) { return flaw }
      if let flaw = orderFlaw(index, widths) { return flaw }
      let pieces = runs(ofLine: index)
      if pieces.reduce(0, { $0 + $1.bytes.count }) != bytes.count {
        return "the runs of line \(index) do not cover it"
      }
      end = line.end
      source = line.sourceOffset
    }
    if Int(end) != text.count { return "text after the last line" }
    if (runs.last?.end ?? 0) != end { return "runs end at \(runs.last?.end ?? 0), not \(end)" }
    for (first, second) in zip(runs, runs.dropFirst()) where first.end >= second.end {
      return "runs do not advance at \(second.end)"
    }
    for position in linkPlacements where !lines.indices.contains(Int(position.lineIndex)) {
      return "link nowhere"
    }
    for box in imageBoxes {
      guard lines.indices.contains(Int(box.firstLine)),
        lines.indices.contains(Int(box.firstLine + box.rowCount - 1)),
        box.columns.upperBound <= Int32(width)
      else { return "room for an image nowhere" }
    }
    for heading in headings where !lines.indices.contains(Int(heading.lineIndex)) {
      return "heading nowhere"
    }
    return nil
  }

  /// A description of clusters of a line that overlap, are missing or exceed the width, or nil.
  private func orderFlaw(_ index: Int, _ widths: DisplayWidth) -> String? {
    guard let order = order(ofLine: index) else { return nil }
    let line = lines[index]
    var starts: Set<Int> = []
    var columns: Set<Int> = []
    var flaw: String?
    forEachCluster(ofLine: index, widths) { cluster, _ in
      starts.insert(cluster.textRange.lowerBound)
      for column in cluster.column..<cluster.column + cluster.width
      where !columns.insert(column).inserted {
        flaw = "line \(index) has two clusters at column \(column)"
      }
    }
    let all = GraphemeClusters(text, in: Int(line.start)..<Int(line.end), widths: widths)
    if starts != Set(all.map(\.bytes.lowerBound)) { return "line \(index) lacks a cluster" }
    if (columns.max() ?? 0) >= width { return "line \(index) is ordered beyond the width" }
    if order.levelRuns.contains(where: { $0.end > line.end }) { return "line \(index) is cut" }
    return flaw
  }

  /// The lines in visual order.
  func image(_ widths: DisplayWidth = DisplayWidth()) -> String {
    lines.indices.map { index in
      var cells: [Int: String] = [:]
      forEachCluster(ofLine: index, widths) { cluster, _ in
        guard cluster.width > 0 else { return }
        cells[cluster.column] =
          cluster.replacementText ?? String(decoding: text[cluster.textRange], as: UTF8.self)
        for column in cluster.column + 1..<max(cluster.column + 1, cluster.column + cluster.width) {
          cells[column] = ""
        }
      }
      let row = (0...(cells.keys.max() ?? 0)).map { cells[$0] ?? " " }.joined()
      return row.allSatisfy { $0 == " " } ? "\n" : row + "\n"
    }.joined()
  }

  /// A description of a line that is too wide although it could have been broken, or nil.
  private func widthFlaw(_ index: Int, _ widths: DisplayWidth) -> String? {
    let line = lines[index]
    let columns = widths.width(of: text, in: Int(line.start)..<Int(line.end))
    return columns > width ? "line \(index) is \(columns) columns wide of \(width)" : nil
  }
}

extension [UInt8] {
  /// The letters and digits, without combining marks.
  var lettersOnly: [UInt32] {
    String(decoding: self, as: UTF8.self).unicodeScalars.compactMap { scalar in
      let properties = scalar.properties
      guard properties.isAlphabetic || properties.numericType != nil else { return nil }
      // Superscript and subscript characters are counted as plain ones.
      if let value = properties.numericType == .digit ? properties.numericValue : nil {
        return 0x30 + UInt32(value)
      }
      if scalar == "\u{2071}" { return 0x69 }
      if scalar == "\u{207F}" { return 0x6E }
      return scalar.value
    }
  }
}

extension [UInt32] {
  /// Whether `wanted` is a subsequence of this sequence.
  func contains(inOrder wanted: [UInt32]) -> Bool {
    var rest = wanted[...]
    for scalar in self where scalar == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Whether this sequence contains all elements of a sorted array, with multiplicity.
  func contains(allOf wanted: [UInt32]) -> Bool {
    sorted().contains(inOrder: wanted)
  }
}
