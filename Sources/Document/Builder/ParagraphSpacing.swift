/// The vertical space between paragraphs, which results from `p` elements, from empty lines, and
/// from the margins and paddings that styles set.
struct ParagraphSpacing {
  /// Whether the current position is in a `p` element.
  private(set) var isInElement = false
  /// The last closed paragraph if it is not in a `p` and no empty line follows it, with the number
  /// of containers that were open when it was closed.
  private var lastBare: (block: Int32, containers: Int)?
  /// The vertical space that styles set at the end of the text so far.
  private var space = VerticalSpace()

  /// Begins a `p` element.
  mutating func beginElement() { isInElement = true }

  /// Ends a `p` element.
  mutating func endElement() {
    isInElement = false
    lastBare = nil
  }

  /// Separates the next paragraph from the last one.
  mutating func addEmptyLine() { lastBare = nil }

  /// Adds a margin and a padding, in pixels, at a position in the text.
  mutating func add(margin: Int, padding: Int, at position: Int) {
    guard margin > 0 || padding > 0 else { return }
    space.add(margin: margin, padding: padding, at: position)
    if space.isEmptyLine { addEmptyLine() }
  }

  /// Records a paragraph.
  /// - Returns: Whether there is no space between the paragraph before and this one.
  mutating func recordParagraph(_ block: Int32, containerCount: Int) -> Bool {
    guard !isInElement else { return false }
    let hasNoSpaceAbove = lastBare.map { $0 == (block - 1, containerCount) } ?? false
    lastBare = (block, containerCount)
    return hasNoSpaceAbove
  }
}

/// The vertical space at a position in the text.
private struct VerticalSpace {
  /// The position: the length of the text before it; nil for none.
  private var position: Int?
  /// The largest of the adjacent margins, in pixels.
  private var margin = 0
  /// The sum of the paddings, in pixels.
  private var padding = 0

  init() {}

  /// Adds a margin and a padding at a position.
  mutating func add(margin: Int, padding: Int, at position: Int) {
    if self.position != position { self = VerticalSpace() }
    self.position = position
    self.margin = max(self.margin, margin)
    self.padding += padding
  }

  /// Whether the space is shown as an empty line.
  var isEmptyLine: Bool { margin + padding >= 12 }
}
