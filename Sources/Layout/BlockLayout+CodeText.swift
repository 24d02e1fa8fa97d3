import Algorithms
import DOM
import Document

extension BlockLayout {
  /// Replaces `inlineText` with the next lines of preformatted runs. Expands tabs and skips folded
  /// content.
  mutating func loadCode(_ progress: inout CodeProgress) {
    inlineText.removeAll()
    var context = context
    if context.defaultRole == .text, input.document.blocks.count > 1 { context.defaultRole = .code }
    var line = CodeLine()
    while progress.nextRun < progress.runEnd {
      let index = Int(progress.nextRun)
      let run = input.document.runs[index]
      var start = max(Int(run.start), progress.position)
      if let fold = progress.folds.openFoldTarget { context.defaultTarget = fold }
      if run.link != nil, start == run.start {
        inlineText.beginLink(index, context)
      }
      var position = start
      while position < Int(run.end) {
        if position == progress.folds.nextOffset {
          append(start..<position, of: run, context, &progress.syntaxColors)
          position = appendFold(at: position, &progress.folds, &context, &line)
          start = position
          continue
        }
        let byte = input.document.text[position]
        position += 1
        if byte == .lineFeed {
          if !line.pendingFoldSummary.isEmpty {
            append(start..<position - 1, of: run, context, &progress.syntaxColors)
            appendFoldSummary(&line, at: position - 1)
            start = position - 1
          }
          line.column = 0
          line.precedingLineCount += 1
          guard line.precedingLineCount < CodeProgress.maxLinesPerStep else {
            appendPiece(start..<position, ofRun: index, context, &progress.syntaxColors)
            progress.position = position
            if position == Int(run.end) { progress.nextRun += 1 }
            return
          }
        } else if byte == .tab {
          append(start..<position - 1, of: run, context, &progress.syntaxColors)
          let spaces = progress.tabSize - line.column % progress.tabSize
          inlineText.append(
            repeatElement(.space, count: spaces), style: context.style(of: run),
            target: context.target(of: run), source: UInt32(position - 1), replacing: 1)
          line.column += spaces
          start = position
        } else if byte < 0x80 {
          line.column += 1
        } else if byte >= 0xC0 {
          line.column += scalarWidth(at: position - 1, end: Int(run.end))
        }
      }
      if position == Int(run.end) {
        appendPiece(start..<position, ofRun: index, context, &progress.syntaxColors)
      }
      progress.position = position
      progress.nextRun = input.document.indexOfRun(
        at: position, after: progress.nextRun, end: progress.runEnd)
    }
    appendFoldSummary(&line, at: input.document.text.count)
  }

  /// Returns the width in columns of the character that begins at a byte of the document.
  private func scalarWidth(at start: Int, end: Int) -> Int {
    var next = start
    return input.options.widths.width(
      ofScalar: DisplayWidth.decodeScalar(in: input.document.text, at: &next, end: end))
  }

  private mutating func append(
    _ range: Range<Int>, of run: Document.Run, _ context: InlineContext,
    _ syntaxColors: inout SyntaxRoles?
  ) {
    guard !range.isEmpty else { return }
    inlineText.append(run, range, style: context.style(of: run), in: context)
    guard run.link == nil, !run.style.contains(.control), context.defaultRole != .heading else {
      return
    }
    syntaxColors?.dividePiece(&inlineText, in: input.document.text)
  }

  /// Appends a range of a run, and the URL of a link that ends with it.
  private mutating func appendPiece(
    _ range: Range<Int>, ofRun index: Int, _ context: InlineContext,
    _ syntaxColors: inout SyntaxRoles?
  ) {
    let run = input.document.runs[index]
    guard range.upperBound == Int(run.end) else {
      return append(range, of: run, context, &syntaxColors)
    }
    let linkEnd = max(range.lowerBound, context.endOfLinkText(of: run))
    append(range.lowerBound..<linkEnd, of: run, context, &syntaxColors)
    inlineText.endLink(index, context)
    append(linkEnd..<Int(run.end), of: run, context, &syntaxColors)
  }

  /// Appends the indicator of a fold, or the ellipsis that replaces its content.
  /// - Returns: The offset in the document at which the text continues.
  private mutating func appendFold(
    at position: Int, _ folds: inout CodeFolds, _ context: inout InlineContext,
    _ line: inout CodeLine
  ) -> Int {
    guard let fold = folds.openFoldTarget else {
      let isShown = folds.beginName()
      context.defaultTarget = folds.openFoldTarget
      let marker = isShown ? input.glyphs.openIndicator : input.glyphs.closedIndicator
      inlineText.append(
        marker.utf8, style: TextStyle(.dim), target: context.defaultTarget, source: UInt32(position)
      )
      line.column += 2
      return position + 2
    }
    context.defaultTarget = nil
    guard let (end, note) = folds.endName() else { return position }
    inlineText.append(
      input.glyphs.ellipsis.utf8, style: TextStyle(context.defaultRole), target: fold,
      source: UInt32(position))
    line.column += input.options.widths.width(of: input.glyphs.ellipsis)
    line.pendingFoldSummary = note
    return end
  }

  /// Appends the summary of folded content at the end of its line.
  private mutating func appendFoldSummary(_ line: inout CodeLine, at position: Int) {
    guard !line.pendingFoldSummary.isEmpty else { return }
    inlineText.append(
      "  \(line.pendingFoldSummary)".utf8, style: TextStyle(.dim), target: nil,
      source: UInt32(position))
    line.pendingFoldSummary = ""
  }
}

/// The state of the line of code being read.
private struct CodeLine {
  /// The number of lines read before this line.
  var precedingLineCount = 0
  var column = 0
  /// The summary of folded content to append to the line, or an empty string.
  var pendingFoldSummary = ""
}

extension Document {
  /// Returns the index of the run that contains an offset, or of the next run if none does.
  fileprivate func indexOfRun(at offset: Int, after run: Int32, end: Int32) -> Int32 {
    let next = run + 1
    if next >= end || Int(runs[Int(next)].end) > offset { return next }
    return Int32(runs[Int(next)..<Int(end)].partitioningIndex { Int($0.end) > offset })
  }
}
