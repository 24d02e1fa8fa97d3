/// Writes the pieces of inline text line by line.
struct InlineCursor {
  private var piece = 0

  /// Writes a range of the text; ranges must be in ascending order.
  /// - Returns: The offset in the document of its first byte.
  mutating func write(
    _ range: Range<Int>, of inline: InlineText, to writer: inout LineWriter
  ) -> UInt32 {
    let pieces = inline.pieces
    while piece < pieces.count, pieces[piece].end <= range.lowerBound { piece += 1 }
    let source = inline.source(at: range.lowerBound, piece: piece)
    var start = range.lowerBound
    while start < range.upperBound, piece < pieces.count {
      let end = min(pieces[piece].end, range.upperBound)
      let origin = writer.recordsSources ? inline.verbatimSource(at: start, piece: piece) : nil
      let lineLength = writer.openLength
      if inline.hasInvisibles {
        write(inline.bytes, start..<end, pieces[piece], origin, to: &writer)
      } else {
        writer.append(
          inline.bytes, start..<end, style: pieces[piece].style, target: pieces[piece].target,
          source: origin)
      }
      recordReplacement(of: inline, at: start, from: lineLength, to: &writer)
      start = end
      if end == pieces[piece].end { piece += 1 }
    }
    return source
  }

  /// Records which text of the document the bytes from `lineLength` on in the open line, which show
  /// the current piece from `start` on, are shown instead of. A piece that is divided between lines
  /// counts for the first one.
  private func recordReplacement(
    of inline: InlineText, at start: Int, from lineLength: Int, to writer: inout LineWriter
  ) {
    guard writer.recordsSources, let count = inline.pieces[piece].replaced else { return }
    let source = inline.pieces[piece].source
    let begins = start == (piece > 0 ? inline.pieces[piece - 1].end : 0)
    writer.record(
      replaced: source..<source + (begins ? count : 0), length: writer.openLength - lineLength)
  }

  /// Writes the hyphen for a soft hyphen at the end of a line.
  func writeHyphen(of inline: InlineText, to writer: inout LineWriter) {
    guard let current = inline.pieces.indices.contains(piece) ? inline.pieces[piece] : nil
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
      guard bytes[index] >= 0xC2, let found = InlineText.invisible(in: bytes, at: index),
        index + found.length <= range.upperBound
      else {
        index += 1
        continue
      }
      writer.append(
        bytes, start..<index, style: piece.style, target: piece.target, source: origin(start))
      if let source = origin(index), !found.replacement.isEmpty {
        writer.record(source, length: found.replacement.utf8.count, isSeparate: true)
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
