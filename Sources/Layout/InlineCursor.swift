/// Writes the pieces of an inline text line by line, from first to last.
struct InlineCursor {
  private var pieceIndex = 0

  /// Writes a range of the text; ranges must be in ascending order.
  /// - Returns: The offset in the document of its first byte.
  mutating func write(
    _ range: Range<Int>, of inline: InlineText, to writer: inout LineWriter
  ) -> UInt32 {
    let pieces = inline.pieces
    while pieceIndex < pieces.count, pieces[pieceIndex].end <= range.lowerBound { pieceIndex += 1 }
    let source = inline.sourceOffset(at: range.lowerBound, pieceIndex: pieceIndex)
    var start = range.lowerBound
    while start < range.upperBound, pieceIndex < pieces.count {
      let end = min(pieces[pieceIndex].end, range.upperBound)
      let origin =
        writer.recordsSources ? inline.verbatimSourceOffset(at: start, pieceIndex: pieceIndex) : nil
      let lineLength = writer.openLineLength
      if inline.mayHaveInvisibles {
        write(inline.bytes, start..<end, pieces[pieceIndex], origin, to: &writer)
      } else {
        writer.append(
          inline.bytes, start..<end, style: pieces[pieceIndex].style,
          target: pieces[pieceIndex].target,
          source: origin)
      }
      recordReplacement(of: inline, at: start, from: lineLength, to: &writer)
      start = end
      if end == pieces[pieceIndex].end { pieceIndex += 1 }
    }
    return source
  }

  /// Records which range of the document is replaced by the bytes of the open line from
  /// `lineLength` on. These bytes show the current piece from the offset `start` on. If the piece
  /// is divided between lines, its replacement is recorded for the first line only.
  private func recordReplacement(
    of inline: InlineText, at start: Int, from lineLength: Int, to writer: inout LineWriter
  ) {
    guard writer.recordsSources, let count = inline.pieces[pieceIndex].replacedLength else {
      return
    }
    let source = inline.pieces[pieceIndex].sourceOffset
    let begins = start == (pieceIndex > 0 ? inline.pieces[pieceIndex - 1].end : 0)
    writer.recordReplacement(
      replacedRange: source..<source + (begins ? count : 0),
      length: writer.openLineLength - lineLength)
  }

  /// Writes the hyphen that is shown for a soft hyphen at the end of a line.
  func writeHyphen(of inline: InlineText, to writer: inout LineWriter) {
    guard let current = inline.pieces.indices.contains(pieceIndex) ? inline.pieces[pieceIndex] : nil
    else { return }
    writer.append("-", style: current.style, target: current.target)
  }

  /// Writes text without the characters that only control line breaking. `source` is the offset in
  /// the document of its first byte; nil for text that is not part of the document.
  private func write(
    _ bytes: [UInt8], _ range: Range<Int>, _ piece: InlineText.Piece, _ source: UInt32?,
    to writer: inout LineWriter
  ) {
    func origin(_ index: Int) -> UInt32? { source.map { $0 + UInt32(index - range.lowerBound) } }
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      guard bytes[index] >= 0xC2, let found = InlineText.invisibleCharacter(in: bytes, at: index),
        index + found.length <= range.upperBound
      else {
        index += 1
        continue
      }
      writer.append(
        bytes, start..<index, style: piece.style, target: piece.target, source: origin(start))
      if let source = origin(index), !found.replacement.isEmpty {
        writer.recordSource(source, length: found.replacement.utf8.count, isSeparate: true)
      }
      writer.append(found.replacement, style: piece.style, target: piece.target)
      index += found.length
      start = index
    }
    writer.append(
      bytes, start..<range.upperBound, style: piece.style, target: piece.target,
      source: origin(start))
  }
}
