import DOM

/// A scanner that reads the start tags of a page in order, with the text of `style` elements (HTML
/// standard §13.2.5, reduced to tags). It finds all references in a page without building a tree.
struct TagScanner {
  struct Tag {
    /// The name in lower case.
    var name: [UInt8]
    /// The attributes in order: names in lower case, values with character references replaced.
    var attributes: [(name: [UInt8], value: [UInt8])] = []
    /// The text of the element if it is `style` or another element that cannot contain tags.
    var content: ArraySlice<UInt8> = []

    /// Returns the value of the first attribute with a name; nil if there is none. The name must be
    /// in lower case.
    func value(_ name: String) -> [UInt8]? {
      attributes.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// Returns whether the tag has a name, which must be in lower case.
    func isNamed(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }
  }

  /// The maximum number of attributes of a tag.
  private static let maxAttributes = 256

  private let bytes: [UInt8]
  private var index = 0

  /// Creates a scanner.
  /// - Parameter bytes: a page in UTF-8.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next start tag; nil at the end of the page.
  mutating func next() -> Tag? {
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      guard index < bytes.count else { return nil }
      if bytes[index...].starts(with: "!--".utf8) {
        index = end(of: "-->", from: index + 1)
      } else if bytes[index].isLetter {
        if var tag = readTag() {
          readContent(of: &tag)
          return tag
        }
      }
    }
    return nil
  }

  /// Returns the position after the next delimiter, or the end of the page if there is none.
  private func end(of marker: StaticString, from start: Int) -> Int {
    let count = marker.utf8CodeUnitCount
    var position = min(start, bytes.count)
    while let first = bytes[position...].firstIndex(of: marker.utf8Start[0]) {
      if first + count <= bytes.count,
        (0..<count).allSatisfy({ bytes[first + $0] == marker.utf8Start[$0] })
      {
        return first + count
      }
      position = first + 1
    }
    return bytes.count
  }

  private mutating func readTag() -> Tag? {
    var tag = Tag(name: readWord { $0.isWhiteSpace || $0 == 0x2F || $0 == 0x3E })
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ">") {
        index += 1
        return tag
      }
      if byte.isWhiteSpace || byte == UInt8(ascii: "/") {
        index += 1
        continue
      }
      let name = readName()
      let value = readValue()
      if tag.attributes.count < Self.maxAttributes { tag.attributes.append((name, value)) }
    }
    // A tag that is not closed is dropped.
    return nil
  }

  private mutating func readName() -> [UInt8] {
    // A leading equals sign is part of the name.
    let first = bytes[index].lowercased
    index += 1
    return [first] + readWord { $0.isWhiteSpace || $0 == 0x2F || $0 == 0x3E || $0 == 0x3D }
  }

  private mutating func readWord(until isEnd: (UInt8) -> Bool) -> [UInt8] {
    let end = bytes[index...].firstIndex(where: isEnd) ?? bytes.count
    defer { index = end }
    return bytes[index..<end].map(\.lowercased)
  }

  private mutating func readValue() -> [UInt8] {
    var position = index
    while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return [] }
    position += 1
    while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
    guard position < bytes.count else {
      index = position
      return []
    }
    let quote = bytes[position]
    let end: Int
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      end = bytes[position...].firstIndex(of: quote) ?? bytes.count
      index = min(bytes.count, end + 1)
    } else {
      end = bytes[position...].firstIndex { $0.isWhiteSpace || $0 == 0x3E } ?? bytes.count
      index = end
    }
    return Self.withReferencesRead(bytes[position..<end])
  }

  /// Reads the content of an element that cannot contain tags, such as `script`.
  private mutating func readContent(of tag: inout Tag) {
    guard let name = Self.textElements.first(where: { tag.isNamed($0) }) else { return }
    let start = index
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = open + 1
      let rest = bytes[index...].prefix(name.utf8.count + 1)
      guard rest.first == UInt8(ascii: "/"),
        rest.dropFirst().lazy.map(\.lowercased).elementsEqual(name.utf8)
      else { continue }
      tag.content = bytes[start..<open]
      return
    }
    tag.content = bytes[start...]
    index = bytes.count
  }

  private static let textElements = [
    "style", "script", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
  ]

  /// Returns a value with its character references replaced.
  private static func withReferencesRead(_ value: ArraySlice<UInt8>) -> [UInt8] {
    guard value.contains(UInt8(ascii: "&")) else { return Array(value) }
    return value.withUnsafeBufferPointer { value in
      var text = ""
      var start = 0
      var index = 0
      func copy() { text += String(decoding: value[start..<index], as: UTF8.self) }
      while index < value.count {
        guard value[index] == UInt8(ascii: "&"),
          let match = CharacterReferences.decode(value, at: index, inAttribute: true)
        else {
          index += 1
          continue
        }
        copy()
        for code in [match.firstCodePoint, match.secondCodePoint] where code > 0 {
          text.unicodeScalars.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        index += max(1, match.length)
        start = index
      }
      copy()
      return Array(text.utf8)
    }
  }
}
