extension Tokenizer {
  /// Adds bytes of the page to the text. When they do not follow what is there, they move up to it.
  mutating func addText(_ range: Range<Int>) {
    guard !text.isEmpty else {
      text = range
      return
    }
    if text.upperBound != range.lowerBound { move(range, to: text.upperBound) }
    text = text.lowerBound..<text.upperBound + range.count
  }

  /// Hands the text on.
  mutating func flushText() {
    guard !text.isEmpty else { return }
    builder.characters(text, of: input)
    text = 0..<0
  }

  /// Reads the reference that begins with the ampersand at `start`, or the ampersand itself.
  /// - Returns: The index past it; nil when more bytes are needed.
  mutating func readReference(at start: Int, isLast: Bool) -> Int? {
    switch CharacterReferences.read(input, at: start, inAttribute: false, isLast: isLast) {
    case .incomplete: return nil
    case .none:
      addText(start..<start + 1)
      return start + 1
    case .match(let match):
      if text.isEmpty { text = start..<start }
      let end = write(match, at: text.upperBound, limit: start + match.length)
      text = text.lowerBound..<end
      return start + match.length
    }
  }

  /// Adds text with references.
  mutating func addDecoded(_ contents: Range<Int>) {
    let part = UnsafeBufferPointer(rebasing: input[contents])
    var index = 0
    while index < part.count {
      let next = part.firstIndex(of: UInt8(ascii: "&"), from: index)
      if next > index { addText(contents.lowerBound + index..<contents.lowerBound + next) }
      guard next < part.count else { return }
      index = next + 1
      let start = contents.lowerBound + next
      if case .match(let match) = CharacterReferences.read(
        part, at: next, inAttribute: false, isLast: true)
      {
        if text.isEmpty { text = start..<start }
        text =
          text.lowerBound..<write(match, at: text.upperBound, limit: start + match.length)
        index = next + match.length
      } else {
        addText(start..<start + 1)
      }
    }
  }

  /// Replaces the references in the values of the attributes from `first` on.
  mutating func decodeAttributes(from first: Int) {
    for place in first..<builder.tree.attributes.count {
      let start = Int(builder.tree.attributes[place].start)
      let end = Int(builder.tree.attributes[place].end)
      let value = UnsafeBufferPointer(rebasing: input[start..<end])
      var index = value.firstIndex(of: UInt8(ascii: "&"), from: 0)
      guard index < value.count else { continue }
      var written = start + index
      while index < value.count {
        if case .match(let match) = CharacterReferences.read(
          value, at: index, inAttribute: true, isLast: true)
        {
          index += match.length
          written = write(match, at: written, limit: start + index)
        } else {
          page[written] = UInt8(ascii: "&")
          written += 1
          index += 1
        }
        let next = value.firstIndex(of: UInt8(ascii: "&"), from: index)
        move(start + index..<start + next, to: written)
        written += next - index
        index = next
      }
      builder.tree.attributes[place].end = UInt32(written)
    }
  }

  /// Writes what a reference stands for.
  ///
  /// `&nGt;` and `&nLt;` are one byte shorter than their two characters; where no earlier reference
  /// has left room, the second one, a stroke through the first, is left out.
  /// - Returns: The index past it, at most `limit`.
  private func write(_ match: CharacterReferences.Match, at start: Int, limit: Int) -> Int {
    var end = write(match.first, at: start)
    if match.second != 0, end + Self.length(match.second) <= limit {
      end = write(match.second, at: end)
    }
    return end
  }

  private func write(_ codePoint: UInt32, at start: Int) -> Int {
    let length = Self.length(codePoint)
    var rest = codePoint
    for offset in stride(from: length - 1, to: 0, by: -1) {
      page[start + offset] = UInt8(0x80 | rest & 0x3F)
      rest >>= 6
    }
    page[start] = UInt8(length == 1 ? rest : rest | 0xF00 >> length & 0xFF)
    return start + length
  }

  private static func length(_ codePoint: UInt32) -> Int {
    switch codePoint {
    case 0..<0x80: 1
    case 0x80..<0x800: 2
    case 0x800..<0x10000: 3
    default: 4
    }
  }

  private func move(_ range: Range<Int>, to target: Int) {
    guard let base = page.baseAddress, !range.isEmpty, range.lowerBound != target else { return }
    let source = UnsafeRawPointer(base + range.lowerBound)
    UnsafeMutableRawPointer(base + target).copyMemory(from: source, byteCount: range.count)
  }
}
