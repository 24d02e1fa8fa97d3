import Document

extension PageLayout {
  /// Whether a line is blank or shows only the language name of the code below it.
  package func isBlank(line index: Int) -> Bool {
    let line = lines[index]
    return text[Int(line.start)..<Int(line.end)].allSatisfy { $0 == .space }
      || Int(line.start) + Int(line.prefixLength) == Int(line.end)
        && runs(ofLine: index).last?.run.style == Indentation.Label.style
  }

  /// Returns the text of lines for copying: wrapped lines are joined again. The margin, the bars of
  /// quotations, the gutters and wrap indicators of code, the rules below headings and blank lines
  /// at the end are omitted. If `sourceSpans` are recorded, text of the document is copied instead
  /// of its substitutes, such as superscripts, and additions such as link numbers are omitted.
  /// - Parameters:
  ///   - range: The lines.
  ///   - part: The byte range of `text` to which the first and the last line are limited; nil for
  ///     whole lines.
  ///   - keepsSubstitutes: Whether substitutes, additions and the bars of quotations are copied as
  ///     they are shown; tabs remain tabs.
  /// - Returns: The text.
  package func text(
    ofLines range: ClosedRange<Int>, within part: Range<Int>? = nil, keepsSubstitutes: Bool = false
  ) -> String {
    var result: [[UInt8]] = []
    for index in range where lines.indices.contains(index) && !isHeadingRule(index) {
      let bytes = copiedText(line: index, within: part, keepsSubstitutes: keepsSubstitutes)
      if lines[index].continuesPrevious, index > range.lowerBound {
        result[result.count - 1] +=
          omittedSpace(before: index)
          + bytes.dropFirst(prefix(ofLine: index, keepsBars: keepsSubstitutes).count)
      } else {
        result.append(bytes)
      }
    }
    while result.last?.isEmpty == true { result.removeLast() }
    // If the first line begins within its text, it has no margin.
    let cut = isCut(range.lowerBound, by: part) ? 1 : 0
    let margins = result.dropFirst(cut).filter { !$0.isEmpty }
      .map { $0.prefix { $0 == .space }.count }
    let margin = margins.min() ?? 0
    let text = result.enumerated().map { index, bytes in
      String(decoding: index < cut ? bytes[...] : bytes.dropFirst(margin), as: UTF8.self)
    }.joined(separator: "\n")
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !$0.value.isIsolateControl }))
  }

  /// Whether a line is the rule below a heading.
  private func isHeadingRule(_ index: Int) -> Bool {
    let line = lines[index]
    let bytes = text[Int(line.start) + Int(line.prefixLength)..<Int(line.end)]
    let rules = [LayoutGlyphs.unicode, .ascii].flatMap { [$0.headingRule, $0.horizontalRule] }
    return runs(ofLine: index).last?.run.style == TextStyle(.heading)
      && rules.contains { rule in
        !bytes.isEmpty && bytes.count % rule.utf8.count == 0
          && bytes.elementsEqual(
            repeatElement(rule.utf8, count: bytes.count / rule.utf8.count).joined())
      }
  }

  /// Returns the white space of the document that was omitted before a line that continues the one
  /// above; one space if the white space is unknown or a no-break space.
  private func omittedSpace(before index: Int) -> [UInt8] {
    guard lines[index - 1].wrap == .space else { return [] }
    guard let start = sourceSpans(ofLine: index - 1).last?.sourceRange.upperBound,
      let end = sourceSpans(ofLine: index).first?.sourceRange.lowerBound, start < end
    else { return [.space] }
    let omitted = documentText[Int(start)..<Int(end)]
    return omitted.allSatisfy { $0 == .space || $0 == .tab } ? Array(omitted) : [.space]
  }

  /// Returns the indentation and ornaments of a line without the gutters of code, and without the
  /// bars of quotations unless they are kept. Other dim ornaments are replaced by spaces.
  private func prefix(ofLine index: Int, keepsBars: Bool) -> [UInt8] {
    let line = lines[index]
    let end = Int(line.start) + Int(line.prefixLength)
    var result: [UInt8] = []
    for (run, bytes) in runs(ofLine: index) where bytes.lowerBound < end {
      let part = text[bytes.lowerBound..<min(end, bytes.upperBound)]
      if run.style.role == .quote && !keepsBars || run.style.role == .dim && isGutter(part) {
        continue
      }
      // Each ornament is replaced by as many spaces as it has characters, because each of them has
      // one column.
      result +=
        run.style.role == .dim
        ? part.filter { $0 & 0xC0 != 0x80 }.map { _ in .space } : Array(part)
    }
    return result
  }

  private func isGutter(_ bytes: ArraySlice<UInt8>) -> Bool {
    [LayoutGlyphs.unicode, .ascii, .linear].contains { bytes.elementsEqual($0.codeGutter.utf8) }
  }

  /// Returns a range of a line's text in which substitutes are replaced by the text of the
  /// document, and additions are omitted. If substitutes are kept, only tabs are restored.
  private func originalText(
    _ range: Range<Int>, ofLine index: Int, keepsSubstitutes: Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    var position = range.lowerBound
    for span in alteredSpans(ofLine: index) {
      let shown = (Int(span.start)..<Int(span.end)).clamped(to: range)
      let source = documentText[Int(span.sourceRange.lowerBound)..<Int(span.sourceRange.upperBound)]
      guard !shown.isEmpty, !keepsSubstitutes || source.first == .tab else { continue }
      result += text[position..<shown.lowerBound]
      result += source
      position = shown.upperBound
    }
    return result + text[position..<range.upperBound]
  }

  /// Returns a line with its prefix, but without the wrap indicator or the language name of code.
  /// The line is limited to `part`; its prefix is included only if its text begins there.
  private func copiedText(
    line index: Int, within part: Range<Int>?, keepsSubstitutes: Bool
  ) -> [UInt8] {
    let line = lines[index]
    var end = min(
      textEnd(ofLine: index), languageLabelRange(onLine: index)?.lowerBound ?? Int(line.end))
    var start = min(end, Int(line.start) + Int(line.prefixLength))
    let isCut = isCut(index, by: part)
    if let part {
      end = min(end, max(start, part.upperBound))
      start = min(end, max(start, part.lowerBound))
    }
    var bytes =
      (isCut ? [] : prefix(ofLine: index, keepsBars: keepsSubstitutes))
      + originalText(start..<end, ofLine: index, keepsSubstitutes: keepsSubstitutes)
    while bytes.last == .space { bytes.removeLast() }
    return bytes
  }

  /// Returns whether `part` begins within the text of a line: after its start and before its end.
  private func isCut(_ index: Int, by part: Range<Int>?) -> Bool {
    guard let part, lines.indices.contains(index) else { return false }
    return part.lowerBound > Int(lines[index].start) + Int(lines[index].prefixLength)
      && part.lowerBound < Int(lines[index].end)
  }

  /// Returns the range of the language name on a line of code, including the spaces before it; nil
  /// if the line has none.
  func languageLabelRange(onLine index: Int) -> Range<Int>? {
    guard let last = runs(ofLine: index).last, last.run.style == Indentation.Label.style,
      last.run.target == nil, text[last.bytes].starts(with: [.space, .space])
    else { return nil }
    return last.bytes
  }

  /// Returns the range of the wrap indicator on a line of code; nil if the line has none.
  func wrapIndicatorRange(onLine index: Int) -> Range<Int>? {
    guard index + 1 < lines.count, lines[index + 1].continuesPrevious else { return nil }
    let last = Int(lines[index + 1].firstRun) - 1
    guard last >= Int(lines[index].firstRun), runs.indices.contains(last),
      runs[last].style.role == .dim
    else { return nil }
    let start = last > 0 ? max(lines[index].start, runs[last - 1].end) : lines[index].start
    let bytes = Int(start)..<Int(lines[index].end)
    let isSign = [LayoutGlyphs.unicode, .ascii, .linear].contains {
      text[bytes].elementsEqual((" " + $0.codeWrap).utf8)
    }
    return isSign ? bytes : nil
  }
}
