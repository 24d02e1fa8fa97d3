import DOM

/// The lengths of the texts of a page, which stay valid when nodes are moved.
struct TextLengths {
  private let lengths: [TextLength]

  /// Measures all texts of a page.
  init(of tree: DOMTree) {
    var lengths = [TextLength](repeating: TextLength(), count: tree.nodes.count)
    tree.bytes.withUnsafeBufferPointer { bytes in
      for (index, node) in tree.nodes.enumerated()
      where node.name == .characters && node.parent != nil {
        // About half of all texts are single line breaks between elements.
        if node.end - node.start == 1, bytes[Int(node.start)] <= 0x20 { continue }
        lengths[index] = bytes.textLength(Int(node.start)..<Int(node.end))
      }
    }
    self.lengths = lengths
  }

  /// The length of a text; zero for texts created later, which are white space.
  subscript(node: Int32) -> TextLength {
    Int(node) < lengths.count ? lengths[Int(node)] : TextLength()
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Counts the characters and commas of a text. A run of white space counts as one character, but
  /// not at the start; a text of only white space has length 0.
  fileprivate func textLength(_ range: Range<Int>) -> TextLength {
    var (length, commas) = (0, 0)
    var isSpace = true
    var index = range.lowerBound
    while index < range.upperBound {
      if index > 0, isSpace == (self[index - 1] <= 0x20) {
        let counts = vectorTextLength(from: index, before: range.upperBound)
        if counts.size > 0 {
          length += counts.length
          commas += counts.commas
          index += counts.size
          isSpace = self[index - 1] <= 0x20
          continue
        }
      }
      if let group = paddedASCIIGroup(at: index, before: range.upperBound) {
        let size = Swift.min(8, range.upperBound - index)
        // Bytes beyond the range are zeros and must not count.
        let spaces = group.spaceMask & (.max &>> UInt64(truncatingIfNeeded: 64 - 8 * size))
        let repeated = spaces & (spaces << 8 | (isSpace ? 0x80 : 0))
        length += repeated == 0 ? size : size - ASCIIGroup.count(repeated)
        let markers = group.mask(equalTo: UInt8(ascii: ","))
        if markers != 0 { commas += ASCIIGroup.count(markers) }
        isSpace = spaces &>> UInt64(truncatingIfNeeded: 8 * size - 1) & 1 != 0
        index += size
        continue
      }
      let byte = self[index]
      if byte <= 0x20 || isNoBreakSpace(at: index) {
        if !isSpace { length += 1 }
        isSpace = true
        index += byte == 0xC2 ? 2 : 1
        continue
      }
      isSpace = false
      if byte & 0xC0 != 0x80 { length += 1 }
      if byte == UInt8(ascii: ",") || byte >= 0xD8 && isComma(at: index) { commas += 1 }
      index += 1
    }
    return TextLength(
      characterCount: Int32(truncatingIfNeeded: length),
      commaCount: Int32(truncatingIfNeeded: commas))
  }

  /// Measures consecutive 16-byte vectors of ASCII from an index.
  @inline(__always)
  private func vectorTextLength(
    from start: Int, before end: Int
  ) -> (size: Int, length: Int, commas: Int) {
    var index = start
    var (repeated, markers) = (ASCIIVector.Lanes.zero, ASCIIVector.Lanes.zero)
    // At most as many vectors as can be summed in single bytes.
    let last = Swift.min(end, start + 15 * ASCIIVector.count) - ASCIIVector.count
    while index <= last, let bytes = ASCIIVector(self, at: index) {
      repeated &-= bytes.spaceMask & ASCIIVector(unchecked: self, at: index - 1).spaceMask
      markers &-= bytes.equalityMask(to: UInt8(ascii: ","))
      index += ASCIIVector.count
    }
    guard index > start else { return (0, 0, 0) }
    return (index - start, index - start - repeated.smallSum, markers.smallSum)
  }

  private func isNoBreakSpace(at index: Int) -> Bool {
    self[index] == 0xC2 && index + 1 < count && self[index + 1] == 0xA0
  }

  /// Whether one of the non-ASCII commas that Readability counts is at an index: Arabic,
  /// full-width, small, vertical, reversed, raised or turned.
  private func isComma(at index: Int) -> Bool {
    hasPrefix("\u{060C}", at: index) || hasPrefix("\u{FF0C}", at: index)
      || hasPrefix("\u{FE50}", at: index) || hasPrefix("\u{FE10}", at: index)
      || hasPrefix("\u{FE11}", at: index) || hasPrefix("\u{2E41}", at: index)
      || hasPrefix("\u{2E34}", at: index) || hasPrefix("\u{2E32}", at: index)
  }
}
