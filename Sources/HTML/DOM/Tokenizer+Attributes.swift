extension Tokenizer {
  /// The end of a tag.
  struct Tag {
    /// Index past the `>`.
    var end: Int
    /// The tag ends with `/>`.
    var isSelfClosing: Bool
  }

  /// Reads the attributes of a tag; those that the project knows are kept, each once, with the
  /// ranges of their values.
  /// - Returns: nil when the tag is not complete.
  mutating func readAttributes(from start: Int, isKept: Bool) -> Tag? {
    let input = input
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
        guard let found = Self.value(input, from: index + 1) else { return nil }
        (value, index) = found
      }
      guard isKept else { continue }
      guard let known = AttributeName.named(name) else {
        if !namesInRules.isEmpty { keepUnknown(nameStart..<value.upperBound, name) }
        continue
      }
      guard seen & known.bit == 0 else { continue }
      seen |= known.bit
      builder.tree.attributes.append(
        DOMTree.Attribute(
          name: known, start: UInt32(value.lowerBound), end: UInt32(value.upperBound)))
    }
  }

  /// Keeps an attribute that the project does not know if a style sheet names it.
  private mutating func keepUnknown(_ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) {
    guard namesInRules.contains(Selector.hash(name.lazy.map(\.lowercased))) else { return }
    builder.tree.attributes.append(
      DOMTree.Attribute(
        name: .other, start: UInt32(range.lowerBound), end: UInt32(range.upperBound)))
  }

  /// The range of the value that follows a `=`, without quotes, and the index past it; nil when it
  /// does not end.
  private static func value(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (Range<Int>, end: Int)? {
    var index = start
    while index < input.count, input[index].isWhiteSpace { index += 1 }
    guard index < input.count else { return nil }
    let quote = input[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = input.firstIndex(of: quote, from: index + 1)
      return end < input.count ? (index + 1..<end, end + 1) : nil
    }
    let first = index
    while index < input.count, !input[index].isWhiteSpace, input[index] != UInt8(ascii: ">") {
      index += 1
    }
    return index < input.count ? (first..<index, index) : nil
  }
}

/// The name of a tag.
struct TagName {
  /// The element; `other` for one that the project does not know.
  let name: ElementName
  /// Tells unknown names from each other.
  let hash: UInt32

  init(_ name: ElementName) {
    self.name = name
    hash = 0
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    name = ElementName.named(bytes)
    guard name == .other else {
      hash = 0
      return
    }
    // FNV-1a
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte.lowercased)) &* 0x0100_0193 }
    self.hash = hash
  }
}

extension UInt8 {
  /// Ends the name of an attribute.
  var endsAttributeName: Bool {
    isWhiteSpace || self == UInt8(ascii: "=") || self == UInt8(ascii: ">")
      || self == UInt8(ascii: "/")
  }
}
