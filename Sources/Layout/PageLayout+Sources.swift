import Algorithms

extension PageLayout {
  /// A range of a line that shows text of the document, either verbatim or as a substitute. A space
  /// that is shown for a no-break space has a span of its own.
  package struct SourceSpan: Sendable, Equatable {
    /// The offset of the first byte in `PageLayout.text`.
    package var start: UInt32
    /// The offset after the last byte.
    package var end: UInt32
    /// The offset of the first byte in `Document.text`.
    package var sourceOffset: UInt32
    /// The number of bytes of `Document.text` that the span replaces, such as `2` if the span is
    /// `²`; 0 if the span is added to the text, such as a link number. Nil if byte *n* of the span
    /// is byte `sourceOffset + n` of `Document.text`.
    package var replacedLength: UInt32?

    package init(start: UInt32, end: UInt32, sourceOffset: UInt32, replacedLength: UInt32? = nil) {
      self.start = start
      self.end = end
      self.sourceOffset = sourceOffset
      self.replacedLength = replacedLength
    }

    /// The range of the span in `Document.text`.
    package var sourceRange: Range<UInt32> {
      sourceOffset..<sourceOffset + (replacedLength ?? end - start)
    }
  }

  /// Returns the source spans of a line in ascending order.
  package func sourceSpans(ofLine index: Int) -> ArraySlice<SourceSpan> {
    let line = lines[index]
    let first = sourceSpans.partitioningIndex { $0.start >= line.start }
    let last = sourceSpans[first...].partitioningIndex { $0.start >= line.end }
    return sourceSpans[first..<last]
  }

  /// Returns the source spans of a line whose bytes differ from those of the document, ascending.
  func alteredSpans(ofLine index: Int) -> [SourceSpan] {
    sourceSpans.isEmpty ? [] : sourceSpans(ofLine: index).filter { $0.replacedLength != nil }
  }

  /// Returns the byte ranges of a line, in `text`, that show a passage of the document. Ornaments
  /// within the passage are included, but not the borders between cells.
  /// - Parameters:
  ///   - index: The index of the line.
  ///   - passage: The range of offsets in `Document.text`.
  /// - Returns: The ranges, ascending and not adjacent.
  package func bytes(ofLine index: Int, showing passage: Range<UInt32>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for span in sourceSpans(ofLine: index) {
      let shown = span.sourceRange.clamped(to: passage)
      guard !shown.isEmpty else { continue }
      let isAltered = span.replacedLength != nil
      let start = Int(isAltered ? span.start : span.start + (shown.lowerBound - span.sourceOffset))
      let end = Int(isAltered ? span.end : span.start + (shown.upperBound - span.sourceOffset))
      if let last = result.last, !text[last.upperBound..<start].contains(.space) {
        result[result.count - 1] = last.lowerBound..<end
      } else {
        result.append(start..<end)
      }
    }
    return result
  }

  /// The maximum number of lines above the expected line that are searched for a byte. A byte may
  /// be above it because a table cell is beside earlier cells that may be longer.
  private static let maxRowLines = 400

  /// Returns the line that shows a byte of the document. If the byte is not shown, returns the line
  /// where it would be.
  /// - Parameter source: The offset in `Document.text`.
  /// - Returns: The index in `lines`.
  package func line(showing source: UInt32) -> Int {
    let last = line(for: source)
    guard lines.indices.contains(last) else { return last }
    for index in (max(0, last - Self.maxRowLines)...last).reversed()
    where sourceSpans(ofLine: index).contains(where: { $0.sourceRange.contains(source) }) {
      return index
    }
    return last
  }

  // MARK: Recording

  /// Records that bytes of `text` are text of the document.
  /// - Parameters:
  ///   - source: The offset in `Document.text`.
  ///   - start: The offset in `text`, not before the end of the last source span.
  ///   - length: The number of bytes.
  ///   - lineStart: The offset in `text` of the start of the line.
  ///   - isSeparate: Whether the bytes get a source span of their own.
  mutating func recordSource(
    _ source: UInt32, at start: Int, length: Int, lineStart: Int, isSeparate: Bool = false
  ) {
    let end = UInt32(start + length)
    if !isSeparate, let last = sourceSpans.last, last.replacedLength == nil,
      last.start >= UInt32(lineStart),
      last.end == UInt32(start),
      last.sourceRange.upperBound == source
    {
      sourceSpans[sourceSpans.count - 1].end = end
    } else {
      sourceSpans.append(SourceSpan(start: UInt32(start), end: end, sourceOffset: source))
    }
  }

  /// Records the source spans of a line that was copied from another layout.
  /// - Parameters:
  ///   - index: The index of the line in the other layout.
  ///   - sourceLayout: The other layout.
  ///   - start: The offset in `text` at which the copy begins.
  mutating func recordSources(ofLine index: Int, of sourceLayout: PageLayout, at start: Int) {
    guard !sourceLayout.sourceSpans.isEmpty else { return }
    let shift = start - Int(sourceLayout.lines[index].start)
    for var span in sourceLayout.sourceSpans(ofLine: index) {
      (span.start, span.end) = (
        UInt32(Int(span.start) + shift), UInt32(Int(span.end) + shift)
      )
      sourceSpans.append(span)
    }
  }

  /// Removes the source spans after an offset in `text`, and truncates a span that extends beyond
  /// it.
  mutating func trimSources(to end: UInt32) {
    while let last = sourceSpans.last, last.end > end {
      guard last.start >= end else {
        sourceSpans[sourceSpans.count - 1].end = end
        return
      }
      sourceSpans.removeLast()
    }
  }
}
