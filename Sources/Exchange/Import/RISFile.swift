import Feeds
import Foundation

/// References in RIS (Research Information Systems), as programs for references and the sites of
/// journals write them: a line for each field, such as `UR  - https://a.example/`. In the format of
/// EndNote, the same line is `%U https://a.example/`.
enum RISFile {
  private typealias Field = (tag: String, value: String)

  /// The maximum number of lines before the first reference.
  private static let maxHeaderLines = 16

  /// Whether a text is a list of references. In other texts, `%0` may begin a comment, which no
  /// other field follows.
  static func matches(_ text: [UInt8]) -> Bool {
    let lines = text.split(maxSplits: maxHeaderLines, whereSeparator: isLineEnd)
      .map { $0.prefix(64) }
    return lines.indices.contains { index in
      guard field(lines[index])?.tag == "TY" else { return false }
      return lines[index].first != UInt8(ascii: "%")
        || index + 1 < lines.count && field(lines[index + 1]) != nil
    }
  }

  /// Reads the references. Each begins with the field `TY` and ends with the field `ER`.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var fields: [Field] = []
    for line in text.split(whereSeparator: isLineEnd) {
      if let field = field(line) {
        if field.tag == "TY" || field.tag == "ER" {
          if !fields.isEmpty { reference(fields).add(to: &list) }
          fields = []
        }
        if field.tag == "TY" || !fields.isEmpty { fields.append(field) }
      } else if !fields.isEmpty {
        fields[fields.count - 1].value += "\n" + String(decoding: line, as: UTF8.self)
      }
    }
    if !fields.isEmpty { reference(fields).add(to: &list) }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The tags of RIS by the tags of EndNote, without the percent sign.
  private static let endNoteTags: [UInt8: String] = [
    UInt8(ascii: "0"): "TY", UInt8(ascii: "U"): "UR", UInt8(ascii: ">"): "L1",
    UInt8(ascii: "R"): "DO", UInt8(ascii: "T"): "TI", UInt8(ascii: "K"): "KW",
    UInt8(ascii: "X"): "AB", UInt8(ascii: "Z"): "N1", UInt8(ascii: "["): "Y2",
  ]

  /// Parses a line: two letters or digits, spaces, and the value after a hyphen, or a tag of
  /// EndNote, a space and the value; returns nil for other lines, which continue the previous one.
  private static func field(_ line: ArraySlice<UInt8>) -> Field? {
    let start = line.startIndex
    if line.count > 3, line[start] == UInt8(ascii: "%"), line[start + 2] == 0x20 {
      let value = String(decoding: line[(start + 3)...], as: UTF8.self)
      return (endNoteTags[line[start + 1]] ?? "", value)
    }
    let tag = line.prefix { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
    let rest = line.dropFirst(2).drop { $0 == 0x20 }
    guard tag.count == 2, rest.startIndex > line.startIndex + 2, rest.first == UInt8(ascii: "-")
    else { return nil }
    let value = rest.dropFirst().drop { $0 == 0x20 }
    return (String(decoding: tag, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// Returns the reference with these fields.
  private static func reference(_ fields: [Field]) -> Reference {
    func values(_ tags: [String]) -> [String] {
      tags.flatMap { tag in fields.filter { $0.tag == tag }.map(\.value) }
    }
    var reference = Reference()
    reference.addresses = values(["UR", "L2", "LK", "L1"]).flatMap { value in
      value.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    reference.doi = values(["DO"]).first ?? ""
    reference.link.title = values(["TI", "T1", "CT", "BT"]).first ?? ""
    reference.link.tags = values(["KW"]).flatMap { value in
      value.split { $0.isNewline || $0 == ";" }.map(String.init)
    }
    reference.link.note = values(["N1", "N2", "AB"]).first ?? ""
    // The date of access; `DA` and `PY` are dates of publication.
    let date = values(["Y2"]).first ?? ""
    reference.link.date =
      DateText.parse(date.split(separator: "/").prefix(3).joined(separator: "-"))
      ?? DateText.parse(date)
    return reference
  }
}
