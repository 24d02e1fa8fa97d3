import DOM
import Foundation

/// The fields that precede a Markdown text: YAML between lines of `---`, or TOML between lines of
/// `+++`, as programs for notes and static sites write them, the title block of Pandoc, whose lines
/// begin with `%`, or the metadata of MultiMarkdown, which end at an empty line.
package struct MarkdownFrontMatter {
  /// A field at the outermost level.
  package struct Field: Sendable {
    /// The name of the field as written.
    package var name: String
    /// The text of the field, or the texts of its list.
    package var values: [String]
    /// The range of its lines in the text of the file.
    var lines: Range<Int>
  }

  package enum Format: String, Sendable {
    case yaml, toml
    /// The title, the authors and the date, in this order.
    case titleBlock = ""
    case multiMarkdown = "MultiMarkdown"
  }

  package let format: Format
  package private(set) var fields: [Field] = []
  /// The range of the lines between the delimiters in the text of the file.
  let source: Range<Int>
  /// The index after the last line.
  package let end: Int

  /// The maximum length in bytes.
  private static let maxLength = 1 << 16

  /// Parses the front matter at an index; nil if there is none. A line of `---` before text without
  /// fields is a thematic break. So is one before an empty line, unless only fields follow and one
  /// of them has a common name.
  package init?(_ text: [UInt8], from start: Int = 0) {
    let first = Line(text, from: start)
    switch String(decoding: first.text.prefix(4), as: UTF8.self) {
    case "---": self.init(text, between: first, .yaml)
    case "+++": self.init(text, between: first, .toml)
    case let beginning where beginning.hasPrefix("% "): self.init(titleBlock: text, from: first)
    default: self.init(multiMarkdown: text, from: first)
    }
  }

  private init(titleBlock text: [UInt8], from first: Line) {
    format = .titleBlock
    var lines: [Line] = []
    var next = first
    while lines.count < 20, "% ".utf8.contains(next.text.first ?? 0) {
      lines.append(next)
      next = Line(text, from: next.end)
    }
    (source, end) = (first.start..<next.start, next.start)
    readTitleBlock(lines)
  }

  private init?(multiMarkdown text: [UInt8], from first: Line) {
    let lines = Self.metadataLines(text, from: first)
    guard let last = lines.last else { return nil }
    format = .multiMarkdown
    (source, end) = (first.start..<last.end, Line(text, from: last.end).end)
    readFields(lines)
    guard fields.contains(where: { ["title", "author"].contains($0.name.lowercased()) }) else {
      return nil
    }
    for index in fields.indices { fields[index].values = fields[index].values.map(\.oneLine) }
  }

  /// Reads the fields between a line and the next line like it.
  private init?(_ text: [UInt8], between first: Line, _ format: Format) {
    self.format = format
    var lines: [Line] = []
    var next = Line(text, from: first.end)
    let beginsEmpty = next.text.isEmpty
    while !next.text.elementsEqual(first.text),
      format == .toml || !next.text.elementsEqual("...".utf8)
    {
      guard next.end < text.count, next.end - first.start <= Self.maxLength else { return nil }
      lines.append(next)
      next = Line(text, from: next.end)
    }
    (source, end) = (first.end..<next.start, next.end)
    readFields(lines)
    if fields.isEmpty, !lines.isEmpty { return nil }
    if beginsEmpty, !hasOnlyFields(lines) { return nil }
  }

  /// Returns the lines before the first empty line if each is a field, with white space after the
  /// colon, or the continuation of one; otherwise none.
  private static func metadataLines(_ text: [UInt8], from first: Line) -> [Line] {
    var lines: [Line] = []
    var next = first
    while !next.text.isEmpty {
      guard next.end - first.start <= maxLength,
        next.isField || !lines.isEmpty && (next.text.first == 0x20 || next.text.first == 0x09)
      else { return [] }
      lines.append(next)
      next = Line(text, from: next.end)
    }
    return lines
  }

  /// The names of fields of which one shows that lines after an empty line are front matter.
  private static let commonNames: Set<String> = [
    "title", "url", "source", "link", "author", "authors", "date", "created", "tags", "lang",
  ]

  /// Returns whether every line is empty, a field whose name is one word, or the continuation of a
  /// field, and one of the fields has a common name.
  private func hasOnlyFields(_ lines: [Line]) -> Bool {
    let starts = Set(fields.map(\.lines.lowerBound))
    let isEachField = lines.allSatisfy { line in
      guard let first = line.text.first, ![0x20, 0x09].contains(first) else { return true }
      return line.text.starts(with: "- ".utf8) || first == UInt8(ascii: "#")
        || starts.contains(line.start)
    }
    return isEachField && fields.allSatisfy { !$0.name.contains { $0.isWhitespace } }
      && fields.contains { Self.commonNames.contains($0.name.lowercased()) }
  }

  /// A line of the text, without white space at its end.
  private struct Line {
    let start: Int
    var text: ArraySlice<UInt8>
    /// The index after the line break.
    let end: Int

    init(_ bytes: [UInt8], from start: Int) {
      self.start = start
      let lineEnd = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      text = bytes[start..<lineEnd]
      while let last = text.last, last <= 0x20 { text.removeLast() }
      let isPair = bytes[lineEnd...].starts(with: [0x0D, 0x0A])
      end = min(bytes.count, lineEnd + (isPair ? 2 : 1))
    }

    /// Whether the line has a name of letters, digits, spaces, hyphens and underscores before a
    /// colon, which white space or nothing follows.
    var isField: Bool {
      let name = text.prefix { $0 != UInt8(ascii: ":") }
      guard let first = name.first, first.isLetter, name.endIndex < text.endIndex else {
        return false
      }
      return text[name.endIndex...].dropFirst().first.map { $0 == 0x20 || $0 == 0x09 } ?? true
        && name.allSatisfy { $0.isLetter || $0.isDigit || [0x20, 0x2D, 0x5F].contains($0) }
    }
  }

  private mutating func readTitleBlock(_ lines: [Line]) {
    var names = ["title", "author", "date"][...]
    for line in lines {
      let text = String(decoding: line.text.dropFirst(), as: UTF8.self)
        .trimmingCharacters(in: .whitespaces)
      if line.text.first == UInt8(ascii: "%"), let name = names.popFirst() {
        fields.append(Field(name: name, values: [text], lines: line.start..<line.end))
      } else {
        fields[fields.count - 1].values.append(text)
        fields[fields.count - 1].lines = fields[fields.count - 1].lines.lowerBound..<line.end
      }
    }
    // A line may have several authors; a title may have several lines.
    for index in fields.indices {
      let values = fields[index].values
      fields[index].values =
        fields[index].name == "author"
        ? values.flatMap { $0.split(separator: ";").map { Self.scalar($0) } }
        : [values.joined(separator: " ")]
    }
  }

  /// Reads the fields at the outermost level that have texts or lists of texts.
  private mutating func readFields(_ lines: [Line]) {
    let separator: Character = format == .toml ? "=" : ":"
    for line in lines {
      let written = String(decoding: line.text, as: UTF8.self)
      let text = written.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      // The rest of a TOML file belongs to tables.
      if format == .toml, text.hasPrefix("[") { return }
      let last = fields.count - 1
      if text.hasPrefix("- "), last >= 0 {
        fields[last].values.append(Self.scalar(text.dropFirst(2)))
      } else if written.first?.isWhitespace != true {
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { continue }
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        fields.append(
          Field(name: name, values: Self.values(parts[1]), lines: line.start..<line.end))
        continue
      } else if last >= 0, !fields[last].values.isEmpty {
        // A text may continue on further lines.
        fields[last].values[fields[last].values.count - 1] += "\n" + text
      }
      if last >= 0 { fields[last].lines = fields[last].lines.lowerBound..<line.end }
    }
  }

  /// Returns the texts of a field: none, one, or the items of a list in brackets.
  private static func values(_ text: Substring) -> [String] {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.isEmpty { return [] }
    // The text begins on the next line.
    if text.first == "|" || text.first == ">", text.count <= 2 { return [""] }
    // A list in brackets that continues on further lines is not read.
    if text == "[" || text.first == "[" && text.last == "," { return [] }
    guard text.first == "[", text.last == "]" else { return [scalar(text[...])] }
    return text.dropFirst().dropLast().split(separator: ",").map(scalar)
  }

  /// Returns a scalar without its quotation marks.
  private static func scalar(_ text: Substring) -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.count >= 2, let mark = text.first, text.last == mark else { return text }
    let inner = text.dropFirst().dropLast()
    return switch mark {
    case "'": inner.replacingOccurrences(of: "''", with: "'")
    case "\"": unescaped(inner)
    default: text
    }
  }

  /// Replaces the escape sequences of a scalar in double quotes (YAML 1.2 §5.7).
  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch escape {
      case "n": result += "\n"
      case "t": result += "\t"
      case "r": result += "\r"
      case "x", "u", "U":
        let length = escape == "x" ? 2 : escape == "u" ? 4 : 8
        let code = UInt32(String(rest.prefix(length)), radix: 16)
        result.unicodeScalars.append(code.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}")
        rest = rest.dropFirst(length)
      default: result.unicodeScalars.append(escape)
      }
    }
    return result
  }
}

extension MarkdownFrontMatter {
  /// Returns the first field with one of the given names in lower case that has a text.
  private func field(_ names: String...) -> Field? {
    fields.first { names.contains($0.name.lowercased()) && !$0.values.joined().isEmpty }
  }

  /// The title on one line, or empty.
  var title: String { field("title")?.values.joined(separator: " ").oneLine ?? "" }

  /// The declared language (BCP 47), or empty.
  var language: String { field("lang", "language")?.values[0].oneLine ?? "" }

  /// The authors and the date on one line, or empty.
  var byline: String {
    let authors = field("author", "authors")?.values.map { value in
      let line = String(value.prefix { !$0.isNewline })
      return line.hasPrefix("name:") ? Self.scalar(line.dropFirst(5)) : line
    }
    return [authors?.joined(separator: ", ") ?? "", field("date")?.values[0].oneLine ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// Returns the lines of the fields that are not shown otherwise.
  func remainingLines(of text: [UInt8], showsTitle: Bool) -> [UInt8] {
    var shownFields = [field("author", "authors"), field("date"), field("lang", "language")]
    if format == .titleBlock { shownFields += fields.filter { $0.name != "title" } }
    if showsTitle { shownFields.append(field("title")) }
    var lines: [UInt8] = []
    var index = source.lowerBound
    for range in shownFields.compactMap(\.?.lines).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      lines += text[index..<max(index, range.lowerBound)]
      index = max(index, range.upperBound)
    }
    return (lines + text[index..<source.upperBound]).filter { $0 != 0x0D }
  }
}
