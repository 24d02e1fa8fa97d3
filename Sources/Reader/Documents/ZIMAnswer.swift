import Containers
import Foundation

/// What `offread-zim` answers to a question: a line, its parts separated by tabs, and the bytes behind it.
struct ZIMAnswer: Equatable {
  /// A page that was found.
  struct Row: Equatable {
    /// Its path in the file.
    var path: String
    /// What it is called.
    var title: String
    /// A piece of its text.
    var snippet = ""
    /// Where what was looked for stands in the piece, in characters.
    var matches: [Range<Int>] = []
  }

  /// The media type.
  var type: String
  /// Where it is in the file.
  var path: String
  /// When the file was made, to the day.
  var date: Date?
  /// What it is called.
  var title: String
  /// The content.
  var bytes: [UInt8]

  /// Takes an answer apart.
  /// - Returns: nil when there is no such thing.
  /// - Throws: `ContainerError.damaged` in the words of the program; `.unreadable` when it is none of its answers.
  init?(_ output: [UInt8]) throws(ContainerError) {
    let other = ContainerError.unreadable("offread-zim gave an answer that cannot be understood")
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

  /// The pages that were found, if that was the question.
  var rows: [Row] {
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

  /// The text of a piece of markup as Xapian makes it, which has `<b>` and references to `&`, `<` and `>` alone.
  private static func piece(_ markup: Substring) -> (text: String, matches: [Range<Int>]) {
    var text: [Character] = []
    var matches: [Range<Int>] = []
    var start: Int?
    var rest = markup
    let marks: [(String, Character?)] = [
      ("<b>", nil), ("</b>", nil), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"),
    ]
    while let first = rest.first {
      guard let (mark, character) = marks.first(where: { rest.hasPrefix($0.0) }) else {
        text.append(first)
        rest.removeFirst()
        continue
      }
      rest.removeFirst(mark.count)
      if let character { text.append(character) }
      if mark == "<b>" { start = text.count }
      if mark == "</b>", let begin = start {
        if begin < text.count { matches.append(begin..<text.count) }
        start = nil
      }
    }
    return (String(text), matches)
  }

  /// The beginning of a day, as `2024-05-31`.
  private static func date(_ text: String) -> Date? {
    try? Date(text, strategy: .iso8601.year().month().day())
  }

  /// A path as it stands in a question or an answer.
  static func encoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      if byte <= 0x20 || byte == 0x25 || byte >= 0x7F {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      } else {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
  }
}
