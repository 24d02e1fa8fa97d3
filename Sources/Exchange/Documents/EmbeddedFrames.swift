package import Containers
import DOM
import Document
import Formats
import Foundation
import OfflineCache

/// Inserts the frames of the pages in an MHTML file into these pages. Browsers save a frame as a
/// part of its own, to which only a `cid:` URL (RFC 2392) refers; outside of the file, nothing
/// could be loaded from that URL.
package struct EmbeddedFrames {
  private let message: MIMEMessage
  /// The indices of the parts by the identifier that `cid:` URLs contain.
  private var partIndices: [String: Int] = [:]
  /// The remaining number of bytes to insert into all pages of the message.
  private var remainingBytes = 1 << 22
  /// The indices of the parts that are inserted into the current page. Browsers save each frame as
  /// a part of its own, so that no part is inserted twice.
  private var insertedParts: Set<Int> = []

  /// Maximum number of pages within one another, including the outermost one.
  private static let maxDepth = 4
  /// Maximum number of bytes of one frame.
  private static let maxFrameLength = 1 << 20

  /// Creates the state for the parts of a message.
  package init(_ message: MIMEMessage) {
    self.message = message
    for (index, part) in message.parts.enumerated() {
      for id in [part.id, Self.identifier(in: part.location) ?? ""]
      where !id.isEmpty && partIndices[id] == nil {
        partIndices[id] = index
      }
    }
  }

  /// Returns the identifier that a `cid:` URL contains; nil for other URLs.
  package static func identifier(in url: String) -> String? {
    guard url.prefix(4).lowercased() == "cid:" else { return nil }
    let written = String(url.dropFirst(4))
    return written.removingPercentEncoding ?? written
  }

  /// Returns the content of a page with its frames: a frame with a web URL refers to that URL, any
  /// other frame is included as `srcdoc`; nil if the part is not a page, or has no such frames.
  package mutating func page(_ part: MIMEMessage.Part) -> [UInt8]? {
    guard MediaType(part.type).isHTML else { return nil }
    insertedParts = []
    return page(message.content(of: part), depth: 1)
  }

  private mutating func page(_ bytes: [UInt8], depth: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    while let tag = FrameTag(in: bytes, from: position) {
      position = tag.end
      guard let source = tag.source,
        let attribute = attribute(for: bytes[source.value], of: tag, depth: depth)
      else { continue }
      result += bytes[copied..<source.attribute.lowerBound]
      result += attribute.utf8
      copied = source.attribute.upperBound
    }
    guard copied > 0 else { return nil }
    result += bytes[copied...]
    return result
  }

  /// Returns the attribute that replaces `src`; nil if the frame is not a part of the message.
  private mutating func attribute(
    for value: ArraySlice<UInt8>, of tag: FrameTag, depth: Int
  ) -> String? {
    let url = String(decoding: value, as: UTF8.self).withoutCharacterReferences
    guard let id = Self.identifier(in: url), let index = partIndices[id] else { return nil }
    let part = message.parts[index]
    if let url = WebURL(part.location), url.isWeb {
      return "src=\"\(Markup.escaped(url.description))\""
    }
    guard tag.isInline, depth < Self.maxDepth, !part.isTruncated, MediaType(part.type).isHTML,
      insertedParts.insert(index).inserted
    else { return nil }
    guard let text = srcdoc(of: part, depth: depth) else {
      // A part that is too large is not decoded again for another page.
      partIndices[id] = nil
      return nil
    }
    return "srcdoc=\"\(text)\""
  }

  /// Returns the value of the attribute `srcdoc` for a frame; nil if it is too large.
  private mutating func srcdoc(of part: MIMEMessage.Part, depth: Int) -> String? {
    let content = message.content(of: part)
    guard content.count <= min(Self.maxFrameLength, remainingBytes) else { return nil }
    let frame = page(content, depth: depth + 1) ?? content
    let encoding = CharacterEncoding.detect(frame, charset: part.charset)
    let text = Markup.escaped(String(decoding: encoding.decode(frame), as: UTF8.self))
    // The attribute and its tag count too, so that the number of frames is limited.
    let count = text.utf8.count + 64
    guard count <= remainingBytes else { return nil }
    remainingBytes -= count
    return text
  }
}

/// The start tag of an `iframe` or `frame` element in the bytes of a page.
private struct FrameTag {
  /// Whether the element is an `iframe`, which may contain its page.
  let isInline: Bool
  /// The ranges of the first attribute `src` and of its value, without quotes; nil if there is
  /// none.
  private(set) var source: (attribute: Range<Int>, value: Range<Int>)?
  /// The index of the first byte after the tag.
  private(set) var end: Int

  /// Finds the first start tag of a frame at or after an index; nil if there is none.
  init?(in bytes: [UInt8], from start: Int) {
    var position = start
    while let bracket = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = bracket + 1
      let name = bytes[position...].prefix { Self.isLetter($0) }.prefix(7)
      let word = String(decoding: name, as: UTF8.self).lowercased()
      let after = position + name.count
      guard word == "iframe" || word == "frame", after < bytes.count,
        Self.isAttributeSeparator(bytes[after])
      else { continue }
      (isInline, end) = (word == "iframe", after)
      readAttributes(in: bytes)
      return
    }
    return nil
  }

  private mutating func readAttributes(in bytes: [UInt8]) {
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while end < bytes.count, isSkipped(bytes[end]) { end += 1 }
    }
    while end < bytes.count {
      skip(Self.isAttributeSeparator)
      let start = end
      guard end < bytes.count, bytes[end] != UInt8(ascii: ">") else { break }
      end += 1
      skip { !Self.isAttributeSeparator($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "=") }
      let name = String(decoding: bytes[start..<end].prefix(4), as: UTF8.self).lowercased()
      let nameEnd = end
      skip(Self.isSpace)
      guard end < bytes.count, bytes[end] == UInt8(ascii: "=") else { continue }
      end += 1
      skip(Self.isSpace)
      let value: Range<Int>
      if end < bytes.count, bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") {
        let (quote, first) = (bytes[end], end + 1)
        end = first
        skip { $0 != quote }
        value = first..<end
        end = min(end + 1, bytes.count)
      } else {
        let first = end
        skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
        value = first..<end
      }
      if name == "src", nameEnd - start == 3, source == nil { source = (start..<end, value) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Whether a byte separates attributes.
  private static func isAttributeSeparator(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: "/")
  }
}
