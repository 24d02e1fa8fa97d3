import DOM

/// The lines of a list of pages as text: a URL per line, optionally followed by a title, or links
/// in Gemini or Markdown syntax. Empty lines and lines that begin with `#` are skipped.
package struct LinkLines: Sequence, IteratorProtocol {
  /// A line that is not empty.
  package struct Line: Sendable, Equatable {
    /// The line number, from 1.
    package var number: Int
    /// The content on one line.
    package var text: String
    /// The pages that the line refers to: at most one, unless it has several links in Markdown.
    package var links: [LinkLine]
  }

  private let bytes: [UInt8]
  private var offset: Int
  private var number = 0

  /// Creates a sequence of the lines, of which one is in memory at a time.
  /// - Parameter text: UTF-8 text.
  package init(_ text: [UInt8]) {
    bytes = text
    offset = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Creates a sequence of the lines of a file.
  /// - Parameter bytes: The content in any encoding, such as the UTF-16 of PowerShell.
  package init(decoding bytes: [UInt8]) { self.init(ImportFormat.text(of: bytes)) }

  package mutating func next() -> Line? {
    while offset < bytes.count {
      number += 1
      let end = bytes[offset...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
      let text = String(decoding: bytes[offset..<end], as: UTF8.self).oneLine
      offset = end + (bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
      if text.isEmpty || text.hasPrefix("#") { continue }
      return Line(number: number, text: text, links: LinkLine.all(in: text))
    }
    return nil
  }
}
