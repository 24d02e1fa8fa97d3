package import Containers
package import Foundation

/// A response of the helper `offread-zim`: a line with fields separated by tabs, and the content
/// after it.
package struct ZIMResponse: Equatable {
  /// A search result.
  package struct Row: Equatable {
    /// The path of the page in the file.
    package var path: String
    /// The title of the page.
    package var title: String
    /// The passage of the page's text that matches.
    package var snippet = ""
    /// The ranges of the matches in the passage, in characters.
    package var matches: [Range<Int>] = []
  }

  /// The media type.
  package var type: String
  /// The path in the file.
  package var path: String
  /// The day on which the file was created; nil if it is not a valid date.
  package var date: Date?
  /// The title.
  package var title: String
  /// The content.
  package var bytes: [UInt8]

  /// Parses a response.
  /// - Returns: nil when the file has no such entry.
  /// - Throws: `ContainerError.damaged` with the helper's message, or `.unreadable` when it is not
  ///   a response.
  package init?(_ output: [UInt8]) throws(ContainerError) {
    let other = ContainerError.unreadable("offread-zim returned an invalid response")
    guard let end = output.firstIndex(of: 10) else { throw other }
    let line = String(decoding: output[..<end], as: UTF8.self)
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    switch (fields[0], fields.count) {
    case ("none", 1): return nil
    case ("failed", 2): throw .damaged(fields[1])
    case ("ok", 6):
      let bytes = output[(end + 1)...]
      guard Int(fields[1]) == bytes.count, let path = fields[3].removingPercentEncoding else {
        throw other
      }
      self.bytes = Array(bytes)
      (type, self.path, title) = (fields[2], path, fields[5])
      date = Self.date(fields[4])
    default: throw other
    }
  }

  /// The search results, if the request was a search.
  package var rows: [Row] {
    bytes.split(separator: 10).compactMap { line in
      let fields = String(decoding: line, as: UTF8.self)
        .split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, let path = fields[0].removingPercentEncoding, !path.isEmpty else {
        return nil
      }
      let (snippet, matches) = Self.piece(fields[2])
      return Row(path: path, title: String(fields[1]), snippet: snippet, matches: matches)
    }
  }

  /// Returns the text of a passage as Xapian writes it: its only markup is `<b>` and references to
  /// `&`, `<` and `>`.
  private static func piece(_ markup: Substring) -> (text: String, matches: [Range<Int>]) {
    var text: [Character] = []
    var matches: [Range<Int>] = []
    var start: Int?
    var rest = markup
    let markers: [(String, Character?)] = [
      ("<b>", nil), ("</b>", nil), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"),
    ]
    while let first = rest.first {
      guard let (marker, character) = markers.first(where: { rest.hasPrefix($0.0) }) else {
        text.append(first)
        rest.removeFirst()
        continue
      }
      rest.removeFirst(marker.count)
      if let character { text.append(character) }
      if marker == "<b>" { start = text.count }
      if marker == "</b>", let begin = start {
        if begin < text.count { matches.append(begin..<text.count) }
        start = nil
      }
    }
    return (String(text), matches)
  }

  /// Returns the start of a day that is written as `2024-05-31`; nil for other text.
  private static func date(_ text: String) -> Date? {
    try? Date(text, strategy: .iso8601.year().month().day())
  }

  /// Returns a path percent-encoded, as in the requests and responses of the helper.
  package static func encoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      if byte <= 0x20 || byte == 0x25 || byte >= 0x7F {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      } else {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
  }
}
