/// Iterates over the grapheme clusters of a range of UTF-8, with their widths.
package struct GraphemeClusters: Sequence, IteratorProtocol, Sendable {
  private let widths: DisplayWidth
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int

  /// Creates an iterator over all of `bytes`, or over a range of it.
  package init(
    _ bytes: [UInt8], in range: Range<Int>? = nil, widths: DisplayWidth = DisplayWidth()
  ) {
    self.widths = widths
    self.bytes = bytes
    position = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  /// Returns the bytes of the next cluster and its width in columns; nil at the end.
  package mutating func next() -> (bytes: Range<Int>, width: Int)? {
    guard position < end else { return nil }
    let start = position
    let cluster = widths.cluster(in: bytes, at: start, end: end)
    position = cluster.end
    return (start..<cluster.end, cluster.width)
  }
}
