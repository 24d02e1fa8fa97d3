extension MarkupMender {
  /// The end of a tag.
  struct Tag {
    /// Index past the `>`.
    var end: Int
    /// The tag ends with `/>`.
    var isSelfClosing: Bool
  }

  /// Goes over the attributes of a tag and writes those the project reads, each once.
  /// - Returns: nil when the tag does not end in the window.
  mutating func mendAttributes(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int, isKept: Bool, isLast: Bool
  ) -> Tag? {
    var index = start
    var seen: UInt64 = 0
    while true {
      while index < input.count, input[index].isWhiteSpace { index += 1 }
      guard index < input.count else { return nil }
      if input[index] == UInt8(ascii: ">") { return Tag(end: index + 1, isSelfClosing: false) }
      if input[index] == UInt8(ascii: "/") {
        if index + 1 < input.count, input[index + 1] == UInt8(ascii: ">") {
          return Tag(end: index + 2, isSelfClosing: true)
        }
        index += 1
        continue
      }
      let nameStart = index
      index += 1
      while index < input.count, !input[index].endsAttributeName { index += 1 }
      let name = UnsafeBufferPointer(rebasing: input[nameStart..<index])
      while index < input.count, input[index].isWhiteSpace { index += 1 }
      guard index < input.count else { return nil }
      var value = index..<index
      if input[index] == UInt8(ascii: "=") {
        guard let range = attributeValue(input, from: index + 1) else { return nil }
        value = range
        index = value.upperBound
        if index < input.count,
          input[index] == UInt8(ascii: "\"") || input[index] == UInt8(ascii: "'")
        {
          index += value.lowerBound > 0 && input[value.lowerBound - 1] == input[index] ? 1 : 0
        }
      }
      guard isKept, let known = AttributeName.named(name), seen & known.bit == 0 else { continue }
      seen |= known.bit
      write(known, UnsafeBufferPointer(rebasing: input[value]))
    }
  }

  /// The range of the value that follows a `=`, without quotes; nil when it does not end.
  private func attributeValue(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Range<Int>? {
    var index = start
    while index < input.count, input[index].isWhiteSpace { index += 1 }
    guard index < input.count else { return nil }
    let quote = input[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = input.firstIndex(of: quote, from: index + 1)
      return end < input.count ? index + 1..<end : nil
    }
    let first = index
    while index < input.count, !input[index].isWhiteSpace, input[index] != UInt8(ascii: ">") {
      index += 1
    }
    return index < input.count ? first..<index : nil
  }

  private mutating func write(_ name: AttributeName, _ value: UnsafeBufferPointer<UInt8>) {
    output.append(UInt8(ascii: " "))
    output.append(contentsOf: name.rawValue.utf8)
    output.append("=\"")
    var index = 0
    while index < value.count {
      let next = value.firstIndex(of: UInt8(ascii: "&"), or: UInt8(ascii: "\""), from: index)
      output.append(contentsOf: value[index..<next])
      index = next
      guard index < value.count else { break }
      if value[index] == UInt8(ascii: "\"") {
        output.append("&quot;")
        index += 1
      } else {
        index =
          mendReference(value, at: index, inAttribute: true, isLast: true) ?? value.count
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Writes the character that the reference at `start` means, or the ampersand itself.
  /// - Returns: The index past it; nil when more bytes are needed.
  mutating func mendReference(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, inAttribute: Bool, isLast: Bool
  ) -> Int? {
    switch CharacterReferences.read(input, at: start, inAttribute: inAttribute, isLast: isLast) {
    case .incomplete: return nil
    case .none:
      output.append("&amp;")
      return start + 1
    case .match(let match):
      switch match.first {
      case 0x26: output.append("&amp;")
      case 0x3C: output.append("&lt;")
      case 0x22 where inAttribute: output.append("&quot;")
      default: output.append(codePoint: match.first)
      }
      if match.second != 0 { output.append(codePoint: match.second) }
      return start + match.length
    }
  }
}

extension UInt8 {
  /// Ends the name of an attribute.
  fileprivate var endsAttributeName: Bool {
    isWhiteSpace || self == UInt8(ascii: "=") || self == UInt8(ascii: ">")
      || self == UInt8(ascii: "/")
  }
}
