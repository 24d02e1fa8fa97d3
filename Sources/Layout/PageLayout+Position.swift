extension PageLayout {
  /// The line that shows a place of the document: the last one that begins at or before it.
  ///
  /// With `Line.source` as its inverse this keeps a reading position across widths.
  /// - Parameter source: Offset in `Document.text`.
  /// - Returns: Index in `lines`.
  package func line(for source: UInt32) -> Int {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].source <= source { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
