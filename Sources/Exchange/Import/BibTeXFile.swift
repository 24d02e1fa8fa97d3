import Feeds
import Foundation

/// References in BibTeX or BibLaTeX.
enum BibTeXFile {
  /// An entry, as in `@article{key, title = {Title}}`.
  private struct Entry {
    /// The type in lower case.
    var type: String
    /// The index of the `@` in the file.
    var start: Int
    /// The index after the opening brace in the file.
    var content: Int
  }

  /// The types of entries that contain other things than references.
  private static let otherTypes: Set = ["comment", "preamble", "string"]

  /// Whether a text is a list of references: its first reference begins with a key and a comma.
  static func matches(_ text: [UInt8]) -> Bool {
    var next = nextEntry(in: text, from: 0)
    while let other = next, otherTypes.contains(other.type) {
      next = nextEntry(in: text, from: lineStart(in: text, after: other.content))
    }
    guard let first = next else { return false }
    let rest = text[first.content...].drop { $0 <= 0x20 }
    let key = rest.prefix(256).prefix {
      $0 >= 0x20 && $0 != comma && !"=(){};".utf8.contains($0)
    }
    return text[key.endIndex...].first == comma
  }

  private static let comma = UInt8(ascii: ",")

  /// Adds the pages of the references to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var next = nextEntry(in: text, from: 0)
    while let entry = next {
      next = nextEntry(in: text, from: lineStart(in: text, after: entry.content))
      guard !otherTypes.contains(entry.type) else { continue }
      let end = next?.start ?? text.count
      reference(fields(of: text[entry.content..<end])).add(to: &list)
    }
  }

  // MARK: Entries

  /// Returns the first entry that begins a line. An entry ends where the next one begins, so that
  /// a missing brace affects one entry only.
  /// - Parameters:
  ///   - text: The list.
  ///   - index: The index of the line from which it is searched.
  /// - Returns: The entry; nil if there are no more.
  private static func nextEntry(in text: [UInt8], from index: Int) -> Entry? {
    var line = index
    while line < text.count {
      let rest = text[line...].drop { $0 == 0x20 || $0 == 0x09 }
      if rest.first == UInt8(ascii: "@") {
        let type = rest.dropFirst().prefix { (0x61...0x7A).contains($0 | 0x20) }
        let opening = text[type.endIndex...].drop { $0 == 0x20 }
        if !type.isEmpty, opening.first == UInt8(ascii: "{") {
          return Entry(
            type: String(decoding: type, as: UTF8.self).lowercased(), start: rest.startIndex,
            content: opening.startIndex + 1)
        }
      }
      line = lineStart(in: text, after: line)
    }
    return nil
  }

  /// Returns the index after the end of the line that contains an index.
  private static func lineStart(in text: [UInt8], after index: Int) -> Int {
    (text[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count) + 1
  }

  // MARK: Fields

  /// Returns the fields of an entry as written, by their names in lower case. Of several fields
  /// with the same name, the first one counts.
  private static func fields(of entry: ArraySlice<UInt8>) -> [String: [UInt8]] {
    var fields: [String: [UInt8]] = [:]
    var rest = entry.drop { $0 != comma }
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = rest[..<equals].split { $0 <= 0x20 || ",{}\"".utf8.contains($0) }.last ?? []
      rest = rest[(equals + 1)...]
      let value = consumeValue(&rest)
      let key = String(decoding: name, as: UTF8.self).lowercased()
      if fields[key] == nil { fields[key] = value }
    }
    return fields
  }

  /// Removes a value from the start of a text and returns it: texts in braces or quotation marks,
  /// numbers and names of abbreviations, which are joined by `#`.
  private static func consumeValue(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    while true {
      rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "#") }
      if rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "\"") {
        value += consumeText(&rest)
        continue
      }
      let word = rest.prefix { $0 > 0x20 && !",}#\"{".utf8.contains($0) }
      guard !word.isEmpty else { return value }
      value += word
      rest = rest[word.endIndex...]
    }
  }

  /// Removes a text in braces or quotation marks and returns what is between them. Braces in it are
  /// balanced; a text without an end ends with the entry.
  private static func consumeText(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBraced = rest.first == UInt8(ascii: "{")
    let start = rest.startIndex + 1
    var depth = 0
    for index in start..<rest.endIndex {
      let byte = rest[index]
      let isEnd =
        isBraced
        ? byte == UInt8(ascii: "}")
        : byte == UInt8(ascii: "\"") && rest[index - 1] != UInt8(ascii: "\\")
      if depth == 0, isEnd {
        let text = rest[start..<index]
        rest = rest[(index + 1)...]
        return text
      }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}"), depth > 0 { depth -= 1 }
    }
    let text = rest[start...]
    rest = rest[rest.endIndex...]
    return text
  }

  // MARK: References

  /// Returns the reference with these fields.
  private static func reference(_ fields: [String: [UInt8]]) -> Reference {
    func text(_ name: String) -> String { fields[name].map(LaTeXText.plain) ?? "" }
    func addresses(_ name: String) -> [String] {
      TextURLs.all(in: fields[name].map(LaTeXText.address) ?? "")
    }
    var reference = Reference()
    reference.addresses = fields["url"].map { [firstURL(in: LaTeXText.address($0))] } ?? []
    if ["archiveprefix", "eprinttype"].contains(where: { text($0).lowercased() == "arxiv" }) {
      reference.addresses.append("https://arxiv.org/abs/" + text("eprint"))
    }
    reference.addresses += ["bdsk-url-1", "howpublished", "note"].flatMap(addresses)
    reference.doi = fields["doi"].map(LaTeXText.address) ?? ""
    reference.link.title = text("title")
    reference.link.tags = text("keywords").split { $0 == "," || $0 == ";" }.map(String.init)
    reference.link.note =
      ["annote", "annotation", "abstract"].lazy.map(text).first { !$0.isEmpty } ?? ""
    // This is the date at which the reference was added, or else the date of access; the field
    // `date` is the date of publication.
    reference.link.date =
      ["timestamp", "date-added", "urldate"].lazy.compactMap { DateText.parse(text($0)) }.first
    return reference
  }

  /// Returns the first URL in the field `url`. Mendeley writes several, separated by spaces,
  /// commas or semicolons.
  private static func firstURL(in text: String) -> String {
    let ends = [" http", ",http", ", http", "; http"].compactMap {
      text.firstRange(of: $0)?.lowerBound
    }
    return ends.min().map { String(text[..<$0]) } ?? text
  }
}
