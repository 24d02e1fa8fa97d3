import Document
import DOM

/// Builds a `Document` from pieces of text in reading order, without a tree.
///
/// All text is made safe for a terminal. Leaves without text are left out.
struct DocumentWriter {
  private(set) var document = Document()
  /// The style of the text written next.
  var style: InlineStyle = []
  /// Whether line feeds and tabs are significant, as in preformatted text.
  var keepsWhiteSpace = true
  /// The index of the first run of the open leaf.
  private var leafRunIndex: Int32 = 0
  /// The index of the link that contains the text written next, or nil.
  private var linkIndex: OptionalIndex = nil
  /// The indices of the open containers.
  private var openContainerIndices: [Int32] = []

  /// Creates a writer.
  /// - Parameter capacity: The approximate number of bytes of text.
  init(capacity: Int) {
    document.text.reserveCapacity(capacity)
  }

  // MARK: Blocks

  /// Opens a block that contains other blocks.
  mutating func begin(_ kind: Document.Block.Kind) {
    openContainerIndices.append(Int32(document.blocks.count))
    document.blocks.append(
      Document.Block(kind: kind, end: Int32(document.blocks.count) + 1))
  }

  /// Closes the container that was opened last.
  mutating func end() {
    guard let block = openContainerIndices.popLast() else { return }
    document.blocks[Int(block)].end = Int32(document.blocks.count)
  }

  /// Ends a leaf that consists of the text written since the previous one. White space at its end
  /// is removed.
  mutating func endLeaf(_ kind: Document.Block.Kind) {
    while let last = document.text.last, last == 0x0A || last == 0x20 || last == 0x09,
      document.runs.count > Int(leafRunIndex)
    {
      document.text.removeLast()
      let run = document.runs.count - 1
      document.runs[run].end -= 1
      if document.runs[run].end == document.runs[run].start { document.runs.removeLast() }
    }
    let count = Int32(document.runs.count)
    if count > leafRunIndex {
      document.blocks.append(
        Document.Block(
          kind: kind, runs: leafRunIndex..<count, end: Int32(document.blocks.count) + 1))
    }
    leafRunIndex = count
  }

  /// Sets the foldable parts of the text.
  mutating func setFolds(_ folds: [Document.TextFold]) { document.textFolds = folds }

  /// The number of bytes of text so far.
  var length: UInt32 { UInt32(document.text.count) }

  // MARK: Text

  /// Writes literal text.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { append($0) }
  }

  /// Begins a line of preformatted text.
  /// - Parameter columns: The number of spaces at its start.
  mutating func newLine(indent columns: Int = 0) {
    append(CollectionOfOne(0x0A))
    append(repeatElement(0x20, count: columns))
  }

  /// Writes a range of a text; bytes that are unsafe for a terminal are replaced.
  mutating func write(_ bytes: [UInt8], _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let start = index
      while index < range.upperBound, isWrittenUnchanged(bytes[index]) { index += 1 }
      if index > start { append(bytes[start..<index]) }
      if index < range.upperBound { index = writeSpecial(bytes, at: index, end: range.upperBound) }
    }
  }

  /// Writes a range of a text with its URLs as links.
  mutating func writeLinkingURLs(_ bytes: [UInt8], _ range: Range<Int>) {
    guard linkIndex == nil else { return write(bytes, range) }
    var index = range.lowerBound
    while let link = PlainTextURLs.nextLink(in: bytes, index..<range.upperBound) {
      write(bytes, index..<link.range.lowerBound)
      setLink(link.target)
      write(bytes, link.range)
      linkIndex = nil
      index = link.range.upperBound
    }
    write(bytes, index..<range.upperBound)
  }

  /// Makes the text written next part of a link. URLs in it are not links.
  /// - Parameter target: The target of the link; empty to end the link.
  mutating func setLink(_ target: String) {
    guard !target.isEmpty else {
      linkIndex = nil
      return
    }
    linkIndex = OptionalIndex(document.links.count)
    document.links.append(Document.Link(target: SpecialText.collapsedLine(Array(target.utf8)[...])))
  }

  private func isWrittenUnchanged(_ byte: UInt8) -> Bool {
    switch TextByteClass(byte) {
    case .plain: true
    case .space: byte == 0x20 || keepsWhiteSpace && (byte == 0x0A || byte == 0x09)
    case .special: false
    }
  }

  private mutating func writeSpecial(_ bytes: [UInt8], at index: Int, end: Int) -> Int {
    if bytes[index] == 0x0D {
      let isPair = index + 1 < end && bytes[index + 1] == 0x0A
      if !isPair { append(CollectionOfOne(0x0A)) }
      return index + 1
    }
    if bytes[index] == 0x0A {
      append(CollectionOfOne(0x0A))
      return index + 1
    }
    switch SpecialText.action(bytes, at: index, end: end) {
    case .keep(let length):
      append(bytes[index..<index + length])
      return index + length
    case .drop(let length): return index + length
    case .space(let length):
      append(CollectionOfOne(0x20))
      return index + length
    case .replace(let replacement, let length):
      append(replacement)
      return index + length
    }
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    let start = UInt32(document.text.count)
    document.text.append(contentsOf: bytes)
    let end = UInt32(document.text.count)
    if document.runs.count > Int(leafRunIndex) {
      let last = document.runs.count - 1
      if document.runs[last].style == style, document.runs[last].link == linkIndex {
        document.runs[last].end = end
        return
      }
    }
    document.runs.append(Document.Run(start: start, end: end, style: style, link: linkIndex))
  }
}
