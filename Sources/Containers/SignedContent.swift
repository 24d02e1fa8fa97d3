/// The content of a signed message (CMS `SignedData`, RFC 5652), which S/MIME mail contains instead
/// of a text that all programs can read. The signature is not verified.
package enum SignedContent {
  /// Returns the signed content.
  /// - Parameter bytes: a `ContentInfo` in BER (X.690). If it is truncated, so is the result.
  /// - Returns: the content; nil if it is encrypted, missing or not in this format.
  package static func content(of bytes: [UInt8]) -> [UInt8]? {
    guard let info = element(in: bytes, 0..<bytes.count),
      let type = child(0, of: info, in: bytes), bytes[type.content].elementsEqual(signedData),
      let container = child(1, of: info, in: bytes),
      let data = child(0, of: container, in: bytes),
      // The fields before are the version and the digest algorithms.
      let encapsulated = child(2, of: data, in: bytes),
      let content = child(1, of: encapsulated, in: bytes),
      let string = child(0, of: content, in: bytes)
    else { return nil }
    switch string.tag {
    case Tag.octetString: return Array(bytes[string.content])
    case Tag.octetString | Tag.constructed:
      var result: [UInt8] = []
      forEachChild(of: string, in: bytes) { part in
        result += bytes[part.content]
        return true
      }
      return result
    default: return nil
    }
  }

  /// The object identifier 1.2.840.113549.1.7.2.
  private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]

  private enum Tag {
    static let octetString: UInt8 = 4
    /// The bit of the tag that is set if the element consists of other elements (X.690,
    /// "constructed").
    static let constructed: UInt8 = 0x20
  }

  private struct Element {
    var tag: UInt8
    var content: Range<Int>
    /// The offset after the element.
    var end: Int
  }

  /// Maximum depth of nested elements of indefinite length.
  private static let maxDepth = 12

  /// Returns the child with an index, counted from 0; nil if there are fewer children.
  private static func child(_ index: Int, of parent: Element, in bytes: [UInt8]) -> Element? {
    var found: Element?
    var remaining = index
    forEachChild(of: parent, in: bytes) { child in
      if remaining == 0 { found = child }
      remaining -= 1
      return found == nil
    }
    return found
  }

  /// Calls a function with each child, until it returns false.
  private static func forEachChild(
    of parent: Element, in bytes: [UInt8], _ body: (Element) -> Bool
  ) {
    guard parent.tag & Tag.constructed != 0 else { return }
    var position = parent.content.lowerBound
    while let child = element(in: bytes, position..<parent.content.upperBound) {
      guard body(child) else { return }
      position = child.end
    }
  }

  /// Returns the element at the start of a range; nil if there is none. An element that is longer
  /// than the range ends with the range.
  private static func element(
    in bytes: [UInt8], _ range: Range<Int>, depth: Int = 0
  ) -> Element? {
    guard range.count >= 2, depth < maxDepth else { return nil }
    let tag = bytes[range.lowerBound]
    let first = bytes[range.lowerBound + 1]
    var start = range.lowerBound + 2
    // Tags of several bytes do not occur here.
    guard tag & 0x1F != 0x1F else { return nil }
    var length = Int(first)
    if first == 0x80 {
      guard tag & Tag.constructed != 0 else { return nil }
      return indefiniteElement(in: bytes, tag, start..<range.upperBound, depth: depth)
    } else if first > 0x80 {
      let count = Int(first & 0x7F)
      guard count <= 4, start + count <= range.upperBound else { return nil }
      length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
      start += count
    }
    let end = min(start + length, range.upperBound)
    return Element(tag: tag, content: start..<end, end: end)
  }

  /// Returns an element that ends at two zero bytes, or at the end of the range.
  private static func indefiniteElement(
    in bytes: [UInt8], _ tag: UInt8, _ range: Range<Int>, depth: Int
  ) -> Element? {
    var position = range.lowerBound
    while position + 2 <= range.upperBound {
      if bytes[position] == 0, bytes[position + 1] == 0 {
        return Element(tag: tag, content: range.lowerBound..<position, end: position + 2)
      }
      guard let child = element(in: bytes, position..<range.upperBound, depth: depth + 1) else {
        return nil
      }
      position = child.end
    }
    return Element(tag: tag, content: range, end: range.upperBound)
  }
}
