import Foundation

/// The parts of one reading, such as the chapters of a book.
package struct PartList: Sendable, Equatable {
  /// What they are parts of.
  package var title: String
  /// The address of the table of contents.
  package var contents: String
  /// The parts, in order.
  package var parts: [Part]
  /// Which of them is shown; nil for the table of contents.
  package var index: Int?

  /// Makes a list; see the members.
  package init(title: String, contents: String, parts: [Part], index: Int?) {
    (self.title, self.contents, self.parts, self.index) = (title, contents, parts, index)
  }

  /// A part.
  package struct Part: Sendable, Equatable {
    /// Its address.
    package var url: String
    /// What it is called.
    package var title: String

    /// Makes a part; see the members.
    package init(url: String, title: String) { (self.url, self.title) = (url, title) }
  }

  /// The part some places further; the table of contents stands before the first one.
  /// - Parameter steps: how many; negative ones lead back.
  /// - Returns: its address; nil where there is none.
  package func url(_ steps: Int) -> String? {
    let place = (index ?? -1) + steps
    if place == -1, index != nil { return contents }
    return parts.indices.contains(place) ? parts[place].url : nil
  }

  /// The links around the part that is shown; nil for the table of contents.
  var frame: PageFrame? {
    guard let index else { return nil }
    func link(_ name: String, _ place: Int) -> String? {
      guard parts.indices.contains(place) else { return nil }
      let part = parts[place]
      return
        "<a href=\"\(PageFrame.escaped(part.url))\">\(name): \(PageFrame.escaped(part.title))</a>"
    }
    let table = "<a href=\"\(PageFrame.escaped(contents))\">Contents</a>"
    let (before, after) = (link("Previous", index - 1), link("Next", index + 1))
    func line(_ links: [String?]) -> String {
      "<p>\(links.compactMap(\.self).joined(separator: " &#183; "))</p>"
    }
    return PageFrame(
      head: line([before, table, after]), tail: "<hr>" + line([after, table, before]))
  }
}

/// Markup around the content of a page.
package struct PageFrame: Sendable, Equatable {
  /// What stands before the content, in ASCII.
  let head: String
  /// What stands behind it, in ASCII.
  let tail: String

  /// Text as markup of ASCII alone, so that it means the same in most encodings.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&", "<", ">", "\"", "\u{80}"...: result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A page with the frame in its body.
  /// - Parameter bytes: the page; in UTF-16 it stays without.
  /// - Returns: the page.
  func around(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.prefix(64).contains(0) else { return bytes }
    let start = Self.place(of: "<body", in: bytes).flatMap { Self.end(of: $0, in: bytes) }
    let end = Self.last("</body", in: bytes, from: start ?? 0) ?? bytes.count
    let front = start ?? 0
    // Without a body the frame would stand before the title.
    let head = start == nil ? [] : Array(head.utf8)
    return bytes[..<front] + head + bytes[front..<end] + Array(tail.utf8) + bytes[end...]
  }

  private static func matches(_ tag: StaticString, _ bytes: [UInt8], _ place: Int) -> Bool {
    guard place + tag.utf8CodeUnitCount < bytes.count else { return false }
    return tag.withUTF8Buffer { tag in
      tag.indices.allSatisfy { bytes[place + $0] | 0x20 == tag[$0] | 0x20 }
    }
  }

  private static func place(of tag: StaticString, in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0] == UInt8(ascii: "<") && matches(tag, bytes, $0) }
  }

  private static func last(_ tag: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
    bytes[start...].indices.last { bytes[$0] == UInt8(ascii: "<") && matches(tag, bytes, $0) }
  }

  /// Behind the tag that begins at a place.
  private static func end(of place: Int, in bytes: [UInt8]) -> Int? {
    var quote: UInt8?
    for index in place..<bytes.count {
      switch (quote, bytes[index]) {
      case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")): quote = bytes[index]
      case (nil, UInt8(ascii: ">")): return index + 1
      case (let mark?, let byte) where mark == byte: quote = nil
      default: break
      }
    }
    return nil
  }
}
