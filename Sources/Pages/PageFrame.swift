/// Markup around the content of a page.
package struct PageFrame: Sendable, Equatable {
  /// The markup before the content, in ASCII.
  let head: String
  /// The markup after the content, in ASCII.
  let tail: String

  /// Inserts the frame into the body of a page. If the page has no `<body>` tag, only the markup
  /// after the content is inserted.
  /// - Parameter bytes: the page; UTF-16 is returned unchanged.
  /// - Returns: the page with the frame.
  func inserting(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.prefix(64).contains(0) else { return bytes }
    let start = Self.offset(of: "<body", in: bytes).flatMap { Self.end(of: $0, in: bytes) }
    let end = Self.last("</body", in: bytes, from: start ?? 0) ?? bytes.count
    let front = start ?? 0
    var framed = Array(bytes[..<front])
    // Without a body tag, the head of the frame would precede the title.
    if start != nil { framed += head.utf8 }
    framed += bytes[front..<end]
    framed += tail.utf8
    framed += bytes[end...]
    return framed
  }

  private static func matches(_ tag: StaticString, _ bytes: [UInt8], _ position: Int) -> Bool {
    guard position + tag.utf8CodeUnitCount < bytes.count else { return false }
    return tag.withUTF8Buffer { tag in
      tag.indices.allSatisfy { bytes[position + $0] | 0x20 == tag[$0] | 0x20 }
    }
  }

  private static func offset(of tag: StaticString, in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0] == UInt8(ascii: "<") && matches(tag, bytes, $0) }
  }

  private static func last(_ tag: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
    bytes[start...].indices.last { bytes[$0] == UInt8(ascii: "<") && matches(tag, bytes, $0) }
  }

  /// Returns the index after the tag that starts at `position`; nil if the tag is not closed.
  private static func end(of position: Int, in bytes: [UInt8]) -> Int? {
    var quote: UInt8?
    for index in position..<bytes.count {
      switch (quote, bytes[index]) {
      case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")): quote = bytes[index]
      case (nil, UInt8(ascii: ">")): return index + 1
      case (let marker?, let byte) where marker == byte: quote = nil
      default: break
      }
    }
    return nil
  }
}
