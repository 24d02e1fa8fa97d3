import Pages
import Document
import Layout
import Library

/// Passages: ranges of the document's text, and where they are shown.
extension PageView {
  /// The words of the page, except those in closed folds.
  var words: DocumentWords { DocumentWords(page.document, hiddenRanges: hiddenTextRanges) }

  /// Returns the text of a range of lines as offsets in `Document.text`; nil if they have none.
  mutating func textRange(ofLines range: ClosedRange<Int>) -> Range<UInt32>? {
    if range.upperBound + 1 >= layout.lines.count { layOutRest() }
    let range = range.clamped(to: 0...max(0, layout.lines.count - 1))
    guard !layout.lines.isEmpty, let shown = shownTextRange(ofLines: range) else { return nil }
    // Characters that are displayed as other characters, such as superscripts, belong to the line,
    // too; text in the next block, which may be in a closed fold, does not.
    let nextLine = range.upperBound + 1
    let next =
      nextLine < layout.lines.count
      ? layout.lines[nextLine].sourceOffset : UInt32(page.document.text.count)
    let end = min(next, words.blockEnd(at: shown.upperBound - 1) ?? next)
    let start = min(shown.lowerBound, layout.lines[range.lowerBound].sourceOffset)
    return start..<max(shown.upperBound, end)
  }

  /// Returns the smallest range that contains the text shown on lines; nil if they show none.
  private func shownTextRange(ofLines range: ClosedRange<Int>) -> Range<UInt32>? {
    var result: Range<UInt32>?
    for shown in range.lazy.compactMap({ shownTextRange(ofLine: $0) }) {
      let known = result ?? shown
      result =
        min(known.lowerBound, shown.lowerBound)..<max(known.upperBound, shown.upperBound)
    }
    return result
  }

  /// Returns the smallest range that contains the text shown on a line; nil if it shows none.
  func shownTextRange(ofLine index: Int) -> Range<UInt32>? {
    let parts = layout.sourceSpans(ofLine: index).map(\.sourceRange).filter { !$0.isEmpty }
    guard let start = parts.map(\.lowerBound).min(), let end = parts.map(\.upperBound).max() else {
      return nil
    }
    return start..<end
  }

  /// Returns the offsets in `Document.text` of the text on a line.
  func sourceRange(ofLine index: Int) -> Range<UInt32> {
    let start = layout.lines[index].sourceOffset
    let end =
      index + 1 < layout.lines.count
      ? layout.lines[index + 1].sourceOffset : UInt32(page.document.text.count)
    return start..<max(start, end)
  }

  /// Returns the text of a passage for copying: as it is shown if its lines contain it in order and
  /// nothing else, otherwise as it is in the document, for example for cells side by side.
  func passageText(of passage: Range<UInt32>) -> String {
    let first = layout.line(showing: passage.lowerBound)
    let last = layout.line(showing: max(passage.upperBound, 1) - 1)
    guard layout.lines.indices.contains(first), layout.lines.indices.contains(last) else {
      return ""
    }
    let words = self.words
    guard first <= last, isInOrder(passage, onLines: first...last, words) else {
      return words.text(in: passage)
    }
    let start =
      layout.bytes(ofLine: first, showing: passage).first?.lowerBound
      ?? Int(layout.lines[first].start)
    let end =
      layout.bytes(ofLine: last, showing: passage).last?.upperBound ?? Int(layout.lines[last].end)
    return layout.text(ofLines: first...last, within: start..<max(start, end))
  }

  /// Returns whether lines show a passage in the order of the document, without missing words and
  /// without other text in between.
  private func isInOrder(
    _ passage: Range<UInt32>, onLines lines: ClosedRange<Int>, _ words: DocumentWords
  ) -> Bool {
    var position = passage.lowerBound
    for index in lines {
      let shown = layout.bytes(ofLine: index, showing: passage)
      let start = shown.first?.lowerBound ?? 0
      let end = shown.last?.upperBound ?? 0
      for span in layout.sourceSpans(ofLine: index) where !span.sourceRange.isEmpty {
        let part = span.sourceRange.clamped(to: passage)
        guard !part.isEmpty else {
          // Only text before the passage on its first line, or after it on its last one, is left
          // out.
          if index == lines.lowerBound, Int(span.end) <= start { continue }
          if index == lines.upperBound, Int(span.start) >= end { continue }
          return false
        }
        guard part.lowerBound >= position,
          words.wordCount(in: position..<part.lowerBound) == 0
        else { return false }
        position = part.upperBound
      }
    }
    return words.wordCount(in: position..<passage.upperBound) == 0
  }

  /// Returns the highlights that overlap a range of lines.
  func highlights(onLines range: ClosedRange<Int>) -> [Highlight] {
    guard !layout.lines.isEmpty, range.lowerBound < layout.lines.count else { return [] }
    let lines = range.clamped(to: 0...layout.lines.count - 1)
    guard let shown = shownTextRange(ofLines: lines) else { return [] }
    return highlights.filter { $0.range?.overlaps(shown) ?? false }.map(\.highlight)
  }

  /// Returns the bytes of a line, in `PageLayout.text`, that are highlighted, and whether a
  /// highlight with a note begins there.
  func highlightedRanges(ofLine index: Int) -> (bytes: [Range<Int>], beginsNote: Bool) {
    guard !highlights.isEmpty, let shown = shownTextRange(ofLine: index) else { return ([], false) }
    var found: [Range<Int>] = []
    var beginsNote = false
    for placed in highlights {
      guard let range = placed.range, range.overlaps(shown) else { continue }
      let bytes = layout.bytes(ofLine: index, showing: range)
      guard !bytes.isEmpty else { continue }
      found += bytes
      if !placed.highlight.note.isEmpty, layout.line(showing: range.lowerBound) == index {
        beginsNote = true
      }
    }
    return (found, beginsNote)
  }
}
