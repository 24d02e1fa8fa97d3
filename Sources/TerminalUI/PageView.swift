package import HTML
package import Layout
package import Reader

/// A page laid out for the screen, with the reader's place in it.
package struct PageView: Sendable, Equatable {
  /// The page.
  package private(set) var page: Page
  /// Its lines.
  package private(set) var layout: PageLayout
  /// How it is laid out.
  package private(set) var options: LayoutOptions
  /// The line at the top of the screen.
  package private(set) var top = 0
  /// Offset in `Document.text` of what the reader put at the top; survives relayouts unchanged.
  package private(set) var source: UInt32 = 0
  /// The line that the reader put at the top, and the layout in which it has this number.
  private var chosenLine = 0
  private var chosenOptions: LayoutOptions
  /// The focused link: an index in `Document.links`, `PageLayout.foldLink`, or nil.
  package var focus: Int32?

  /// Opens a page at its main content.
  package init(page: Page, options: LayoutOptions) {
    self.page = page
    self.options = options
    chosenOptions = options
    layout = PageLayout(page.document, options: options)
    if let first = layout.lines.first { source = first.source }
  }

  // MARK: Place

  /// The last line that can be at the top of a screen part of this height.
  package func lastTop(height: Int) -> Int {
    max(0, layout.lines.count - max(1, height))
  }

  /// Puts a line at the top, as far as the page allows.
  package mutating func scroll(to line: Int, height: Int) {
    top = min(max(0, line), lastTop(height: height))
    source = layout.lines.indices.contains(top) ? layout.lines[top].source : 0
    chosenLine = top
    chosenOptions = options
  }

  /// Keeps the top within the page after the screen changed, and remembers where the reader was.
  package mutating func clamp(height: Int) {
    top = min(max(0, top), lastTop(height: height))
  }

  /// Scrolls as little as needed to show a line; far away, it comes to a third of the height.
  package mutating func reveal(line: Int, height: Int) {
    guard line < top || line >= top + height else { return }
    if line < top, line >= top - height / 2 {
      scroll(to: line, height: height)
    } else if line >= top + height, line < top + height + height / 2 {
      scroll(to: line - height + 1, height: height)
    } else {
      scroll(to: line - height / 3, height: height)
    }
  }

  /// The last line that begins at or before an offset in `Document.text`.
  package func line(of source: UInt32) -> Int {
    var low = 0
    var high = layout.lines.count
    while low < high {
      let middle = (low + high) / 2
      if layout.lines[middle].source <= source { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// The place to come back to.
  package var position: ReadingPosition {
    var position = ReadingPosition()
    position.source = source
    position.line = top
    position.focus = focus
    position.opensNavigation = options.opensNavigation
    return position
  }

  /// Goes back to a place.
  package mutating func restore(_ position: ReadingPosition, height: Int) {
    if position.opensNavigation != options.opensNavigation {
      openNavigation(position.opensNavigation, height: height)
    }
    let isSame =
      layout.lines.indices.contains(position.line)
      && layout.lines[position.line].source == position.source
    top = isSame ? position.line : line(of: position.source)
    source = position.source
    chosenLine = top
    chosenOptions = options
    clamp(height: height)
    focus = position.focus.flatMap { placement(of: $0) == nil ? nil : $0 }
  }

  // MARK: Layout

  /// Lays the page out another way and keeps the top text.
  package mutating func relayout(_ options: LayoutOptions, height: Int) {
    guard options != self.options else { return clamp(height: height) }
    let isAtTop = top == 0
    self.options = options
    layout = PageLayout(page.document, options: options)
    top = isAtTop ? 0 : options == chosenOptions ? chosenLine : line(of: source)
    clamp(height: height)
    if let focus, placement(of: focus) == nil { self.focus = nil }
  }

  /// Opens the navigation before the main content, or folds it into one line.
  package mutating func openNavigation(_ opens: Bool, height: Int) {
    var options = options
    options.opensNavigation = opens
    relayout(options, height: height)
  }

  /// Replaces what is known of where the page came from.
  package mutating func update(provenance: Provenance) {
    page.provenance = provenance
  }

  /// The place in a newer version of the page that shows the text at the top of this one.
  package func position(in newer: Document) -> ReadingPosition {
    var position = self.position
    let start = Int(source)
    let text = page.document.text
    guard top > 0, start < text.count else { return position }
    let sample = Array(text[start..<min(text.count, start + 48)])
    position.source = UInt32(
      TextSample.nearest(sample, in: newer.text, to: start * newer.text.count / text.count))
    position.line = -1
    return position
  }

  // MARK: Links and headings

  /// Index in `PageLayout.links` of a link, or nil.
  package func placement(of link: Int32) -> Int? {
    layout.links.firstIndex { $0.link == link }
  }

  /// Links without the line that folds the navigation: link *n* is `numberedLinks[n - 1]`.
  package var numberedLinks: [PageLayout.LinkPlacement] {
    layout.links.filter { $0.link != PageLayout.foldLink }
  }

  /// The line where the main content begins.
  package var mainLine: Int {
    let document = page.document
    let start = document.mainContent
    guard start > 0, start < document.blocks.count else { return 0 }
    guard let block = document.blocks[start...].first(where: { !$0.runs.isEmpty }),
      document.runs.indices.contains(Int(block.runs.lowerBound))
    else { return 0 }
    return line(of: document.runs[Int(block.runs.lowerBound)].start)
  }

  /// The words of the last heading at or above a line, or nil.
  package func section(at line: Int) -> String? {
    guard let heading = layout.headings.last(where: { $0.line <= line }) else { return nil }
    let document = page.document
    guard document.blocks.indices.contains(Int(heading.block)) else { return nil }
    var bytes: [UInt8] = []
    let runs = document.blocks[Int(heading.block)].runs
    for run in document.runs[Int(runs.lowerBound)..<Int(runs.upperBound)] {
      bytes += document.text[Int(run.start)..<Int(run.end)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// How far the reader is, from 0 at the top to 100 at the bottom.
  package func percent(height: Int) -> Int {
    let last = lastTop(height: height)
    return last == 0 ? 100 : top * 100 / last
  }
}

/// Finding a piece of text again in another version of it.
private enum TextSample {
  /// The offset nearest to `guess` at which as much of the sample as possible stands; `guess` when
  /// not even its first bytes do.
  static func nearest(_ sample: [UInt8], in text: [UInt8], to guess: Int) -> Int {
    for length in [sample.count, sample.count / 2, sample.count / 4] where length >= 8 {
      let wanted = sample[..<length]
      var best: Int?
      var index = 0
      while index + length <= text.count {
        if text[index] == wanted[0], text[index..<index + length].elementsEqual(wanted) {
          if abs(index - guess) < abs((best ?? Int.max / 2) - guess) { best = index }
        }
        index += 1
      }
      if let best { return best }
    }
    return min(max(0, guess), text.count)
  }
}
