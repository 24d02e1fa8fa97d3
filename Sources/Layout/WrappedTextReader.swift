/// A reader of the text of wrapped lines. It returns one character after the other, from a position
/// to the end of the last line that continues the first one.
struct WrappedTextReader {
  /// A position in a layout.
  struct Location: Sendable, Equatable {
    /// The index in `PageLayout.lines`.
    var lineIndex: Int
    /// The offset in `PageLayout.text`.
    var textOffset: Int
  }

  /// The position after the last character that was read.
  private(set) var location: Location
  /// The end offset of the text of the current line.
  private var end: Int
  /// The source spans of the line, from the position on, whose bytes differ from the document.
  private var alteredSpans: ArraySlice<PageLayout.SourceSpan>
  /// The range of document text not yet read for the source span that was entered last.
  private var remainingOriginal = 0..<0
  /// Whether the text of the document is read, rather than the text as it is shown.
  var readsDocument = true
  /// Whether any text was read that differs from the text shown.
  private(set) var isAltered = false

  /// Creates a reader.
  /// - Parameters:
  ///   - line: The index of the line.
  ///   - position: The offset in `PageLayout.text`.
  ///   - end: The result of `textEnd(ofLine:)`.
  ///   - alteredSpans: The source spans of the line that end after `position` and whose bytes
  ///     differ from the document.
  init(line: Int, position: Int, end: Int, alteredSpans: ArraySlice<PageLayout.SourceSpan>) {
    location = Location(lineIndex: line, textOffset: position)
    self.end = end
    self.alteredSpans = alteredSpans
  }

  /// Returns the next character, or a space if white space was omitted where a line was wrapped;
  /// nil at the end of the text.
  mutating func next(in layout: PageLayout) -> UInt32? {
    while true {
      if !remainingOriginal.isEmpty {
        var position = remainingOriginal.lowerBound
        let scalar = DisplayWidth.decodeScalar(
          in: layout.documentText, at: &position, end: remainingOriginal.upperBound)
        remainingOriginal = position..<remainingOriginal.upperBound
        return scalar
      }
      if location.textOffset >= end {
        let wrap = layout.lines[location.lineIndex].wrap
        guard goToNextLine(in: layout) else { return nil }
        if wrap == .space { return 0x20 }
        continue
      }
      if readsDocument, let span = alteredSpan() {
        isAltered = true
        location.textOffset = Int(span.end)
        remainingOriginal = Int(span.sourceRange.lowerBound)..<Int(span.sourceRange.upperBound)
        continue
      }
      let scalar = DisplayWidth.decodeScalar(in: layout.text, at: &location.textOffset, end: end)
      if !scalar.isIsolateControl { return scalar }
    }
  }

  /// Returns the source span at the position if its bytes differ from the document; otherwise nil.
  private mutating func alteredSpan() -> PageLayout.SourceSpan? {
    let position = UInt32(location.textOffset)
    while let span = alteredSpans.first, span.end <= position { alteredSpans.removeFirst() }
    return alteredSpans.first.flatMap { $0.start <= position ? $0 : nil }
  }

  private mutating func goToNextLine(in layout: PageLayout) -> Bool {
    let next = location.lineIndex + 1
    guard next < layout.lines.count, layout.lines[next].continuesPrevious else { return false }
    let line = layout.lines[next]
    location = Location(lineIndex: next, textOffset: Int(line.start) + Int(line.prefixLength))
    end = layout.textEnd(ofLine: next)
    alteredSpans = layout.alteredSpans(ofLine: next)[...]
    return true
  }
}
