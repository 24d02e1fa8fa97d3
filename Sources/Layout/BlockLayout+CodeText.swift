import Algorithms
import Document

extension BlockLayout {
  /// Replaces `inline` with the next lines of preformatted runs. Expands tabs to stops of eight
  /// columns and skips folded content.
  mutating func loadCode(_ progress: inout CodeProgress) {
    inline.removeAll()
    var context = context
    if context.role == .text, input.document.blocks.count > 1 { context.role = .code }
    var line = CodeLine()
    while progress.run < progress.end {
      let index = Int(progress.run)
      let run = input.document.runs[index]
      var start = max(Int(run.start), progress.position)
      if let fold = progress.folds.openFold { context.fold = fold }
      if run.link >= 0, start == run.start {
        inline.beginLink(index, context)
      }
      var position = start
      while position < Int(run.end) {
        if position == progress.folds.next {
          append(start..<position, of: run, context, &progress.colours)
          position = appendFold(at: position, &progress.folds, &context, &line)
          start = position
          continue
        }
        let byte = input.document.text[position]
        position += 1
        if byte == .lineFeed {
          if !line.note.isEmpty {
            append(start..<position - 1, of: run, context, &progress.colours)
            appendNote(&line, at: position - 1)
            start = position - 1
          }
          line.column = 0
          line.count += 1
          guard line.count < CodeProgress.step else {
            append(start..<position, of: run, context, &progress.colours)
            progress.position = position
            if position == Int(run.end) { progress.run += 1 }
            return
          }
        } else if byte == .tab {
          append(start..<position - 1, of: run, context, &progress.colours)
          let spaces = 8 - line.column % 8
          inline.append(
            repeatElement(.space, count: spaces), style: context.style(of: run),
            target: context.target(of: run), source: UInt32(position - 1), replacing: 1)
          line.column += spaces
          start = position
        } else if byte < 0x80 {
          line.column += 1
        } else if byte >= 0xC0 {
          var next = position - 1
          line.column += input.options.widths.width(
            ofScalar: DisplayWidth.scalar(in: input.document.text, at: &next, limit: Int(run.end)))
        }
      }
      if position == Int(run.end) { append(start..<position, of: run, context, &progress.colours) }
      progress.position = position
      progress.run = input.document.run(at: position, after: progress.run, end: progress.end)
    }
    appendNote(&line, at: input.document.text.count)
  }

  private mutating func append(
    _ range: Range<Int>, of run: Document.Run, _ context: InlineContext,
    _ colours: inout SyntaxColors?
  ) {
    guard !range.isEmpty else { return }
    inline.append(run, range, style: context.style(of: run), in: context)
    guard run.link < 0, !run.style.contains(.control), context.role != .heading else { return }
    colours?.divide(&inline, in: input.document.text)
  }

  /// Appends the indicator of a fold, or the ellipsis that replaces its content.
  /// - Returns: The offset in the document at which the text continues.
  private mutating func appendFold(
    at position: Int, _ folds: inout CodeFolds, _ context: inout InlineContext,
    _ line: inout CodeLine
  ) -> Int {
    guard let fold = folds.openFold else {
      let isShown = folds.begin()
      context.fold = folds.openFold
      let marker = isShown ? input.glyphs.opened : input.glyphs.closed
      inline.append(
        marker.utf8, style: TextStyle(.dim), target: context.fold, source: UInt32(position))
      line.column += 2
      return position + 2
    }
    context.fold = nil
    guard let (end, note) = folds.passContent() else { return position }
    inline.append(
      input.glyphs.ellipsis.utf8, style: TextStyle(context.role), target: fold,
      source: UInt32(position))
    line.column += input.options.widths.width(of: input.glyphs.ellipsis)
    line.note = note
    return end
  }

  /// Appends the note about folded content at the end of its line.
  private mutating func appendNote(_ line: inout CodeLine, at position: Int) {
    guard !line.note.isEmpty else { return }
    inline.append(
      "  \(line.note)".utf8, style: TextStyle(.dim), target: nil, source: UInt32(position))
    line.note = ""
  }
}

/// The state of the line of code being read.
private struct CodeLine {
  /// The number of lines read before this line.
  var count = 0
  var column = 0
  /// The pending note about folded content, or an empty string.
  var note = ""
}

extension Document {
  /// Returns the index of the run that contains an offset, or of the next one.
  fileprivate func run(at offset: Int, after run: Int32, end: Int32) -> Int32 {
    let next = run + 1
    if next >= end || Int(runs[Int(next)].end) > offset { return next }
    return Int32(runs[Int(next)..<Int(end)].partitioningIndex { Int($0.end) > offset })
  }
}

/// The folds of preformatted text, iterated from first to last.
struct CodeFolds: Sendable {
  private let folds: [Document.Fold]
  private let toggled: Set<Int32>
  /// The offset from an index in `folds` to the fold's number in `LayoutOptions.toggledDetails`.
  private let first: Int32
  /// The index of the next fold, or of the fold whose name is being read.
  private var index = 0
  /// The link target of the fold whose name is being read; nil if none is.
  private(set) var openFold: PageLayout.Target?

  init(_ document: Document, _ options: LayoutOptions) {
    folds = options.foldsDetails ? document.folds : []
    toggled = options.toggledDetails
    first = Int32(document.blocks.count)
  }

  /// The next offset at which a fold's name or content begins; `.max` if no fold is left.
  var next: Int {
    guard index < folds.count else { return .max }
    return Int(openFold == nil ? folds[index].marker : folds[index].content.lowerBound)
  }

  /// Begins the name of a fold.
  /// - Returns: Whether its content is shown.
  mutating func begin() -> Bool {
    openFold = .details(first + Int32(index))
    return isShown
  }

  private var isShown: Bool { folds[index].isOpen != toggled.contains(first + Int32(index)) }

  /// Ends the name of a fold.
  /// - Returns: The end of its content and the note about it; nil if the content is shown.
  mutating func passContent() -> (end: Int, note: String)? {
    let fold = folds[index]
    let isShown = isShown
    openFold = nil
    guard !isShown else {
      index += 1
      return nil
    }
    index = folds[(index + 1)...].partitioningIndex { $0.marker >= fold.content.upperBound }
    return (Int(fold.content.upperBound), fold.note)
  }
}
