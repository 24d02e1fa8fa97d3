import DOM
import Foundation
import OfflineCache
import WARC

/// The format of a journal: a header line, followed by facts as one JSON object per line.
///
/// Each line has a checksum; see `LineChecksum`. Lines that are truncated, damaged or of a later
/// version are skipped; other lines remain readable.
package enum LibraryJournal {
  /// The content of the header line.
  package struct Head: Encodable, Equatable {
    /// The version of the format.
    var journal = 1
    /// The device whose facts follow.
    package var device: String
    /// A unique identifier of the file, which changes when the journal is rewritten under the same
    /// name.
    var id: String

    private enum CodingKeys: String, CodingKey {
      case journal = "journal"
      case device = "machine"
      case id = "id"
    }
  }

  /// The removal of a page: earlier facts about it, of any device, no longer apply.
  package struct Removal: Sendable, Equatable {
    /// The digest of the page's key, so that its URL is not stored.
    package var digest: String
    /// The time of the removal, in milliseconds since 1970.
    package var date: Int64
  }

  /// The content of a line.
  package enum Entry: Sendable, Equatable {
    case fact(LibraryFact)
    case removal(Removal)
    /// The line does not match its checksum.
    case damaged
    /// The entry is of an unknown type; `key` is the key of its page, if it has one.
    case other(key: String?)
  }

  /// The valid dates: years with four digits, in milliseconds since 1970.
  private static let validDates: Range<Double> = 0..<253_402_300_800_000
  /// The maximum length of a line in bytes.
  package static let maxLength = 1 << 20
  /// The maximum length of the header line in bytes.
  package static let maxHeadLength = 4096
  private static let newline: UInt8 = 10

  /// Returns the digest that identifies a page where its URL must not be stored.
  static func digest(of key: String) -> String {
    var text: [UInt8] = []
    for byte in DigestBuilder.bytes(of: key.utf8, .sha256).prefix(16) {
      for half in [byte >> 4, byte & 15] { text.append(half < 10 ? 0x30 + half : 0x57 + half) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the text of a header line.
  static func text(_ head: Head) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(head) else { return [] }
    return LineChecksum.withChecksum([UInt8](data)) + [newline]
  }

  /// Returns the lines for facts. They do not contain the device, because the header line does.
  static func text(_ facts: some Sequence<LibraryFact>) -> [UInt8] {
    var text: [UInt8] = []
    for fact in facts {
      var line = Array("{\"date\":\(fact.date),\"set\":".utf8)
      add(fact.attribute.text, to: &line)
      if let value = fact.value {
        line += ",\"to\":".utf8
        add(value, to: &line)
      }
      line += ",\"url\":".utf8
      add(fact.key, to: &line)
      line += "}".utf8
      text += LineChecksum.withChecksum(line)
      text.append(newline)
    }
    return text
  }

  /// Returns the lines for removals.
  static func text(_ removals: [Removal]) -> [UInt8] {
    removals.flatMap {
      LineChecksum.withChecksum(Array("{\"date\":\($0.date),\"removed\":\"\($0.digest)\"}".utf8))
        + [newline]
    }
  }

  /// Parses the header line; returns nil if it is not the header of a journal.
  package static func head(_ bytes: some Collection<UInt8>) -> Head? {
    let bytes = Array(bytes.prefix(maxHeadLength))
    guard let end = bytes.firstIndex(of: newline), LineChecksum.isIntact(bytes[..<end]),
      let json = JSONValue(Array(bytes[..<end])), json["journal"] == .number(1),
      case .string(let device)? = json["machine"], case .string(let id)? = json["id"]
    else { return nil }
    return Head(device: device, id: id)
  }

  /// Parses a line.
  /// - Parameters:
  ///   - line: The line without its line feed.
  ///   - device: The device of the journal.
  /// - Returns: The content of the line.
  package static func entry(_ line: ArraySlice<UInt8>, device: String) -> Entry {
    guard LineChecksum.isIntact(line) else { return .damaged }
    guard line.count <= maxLength, line.first == UInt8(ascii: "{"),
      line.last == UInt8(ascii: "}"), let json = JSONValue(Array(line))
    else { return .other(key: nil) }
    let writtenURL: String? = if case .string(let url)? = json["url"] { url } else { nil }
    let key = writtenURL.map(CacheKey.normalized)
    guard case .number(let date)? = json["date"], validDates.contains(date) else {
      return .other(key: key)
    }
    if case .string(let digest)? = json["removed"], digest.utf8.count == 32 {
      return .removal(Removal(digest: digest, date: Int64(date)))
    }
    guard let writtenURL, let key, WebURL(writtenURL) != nil, case .string(let word)? = json["set"],
      let attribute = LibraryAttribute(text: word)
    else { return .other(key: key) }
    let value: String? =
      switch json["to"] {
      case nil, .null?: nil
      case .string(let text)?: text
      default: ""
      }
    var fact = LibraryFact(
      key: key, attribute: attribute, value: value, date: Int64(date), device: device)
    if key != writtenURL { fact.otherDigest = digest(of: writtenURL) }
    // The value of this attribute is the key of a feed, which is normalized like the key of the
    // page.
    if attribute == .item { fact.value = value.map(CacheKey.normalized) }
    return .fact(fact)
  }

  /// Returns a description of the defect of a line, given without its line feed; nil if the line is
  /// valid or of a later version. The first line must be the header of a journal.
  static func fault(of line: ArraySlice<UInt8>, isFirst: Bool) -> String? {
    guard LineChecksum.isIntact(line) else { return "a line does not match its checksum" }
    if isFirst { return head(line + [newline]) == nil ? "the first line cannot be read" : nil }
    // Each append begins with a line feed if a crash has truncated the last line, so any unreadable
    // line is damaged.
    return JSONValue(Array(line)) == nil ? "a line cannot be read" : nil
  }

  /// Returns the key of the page in a line, based on the position where this version writes it; nil
  /// if the line must be parsed to find it.
  static func key(ofLine line: ArraySlice<UInt8>) -> String? {
    let end = line.endIndex - 2
    guard line.count > 8, line[end...].elementsEqual("\"}".utf8),
      let quote = line[..<end].lastIndex(of: UInt8(ascii: "\"")),
      line[..<quote].suffix(7).elementsEqual(",\"url\":".utf8),
      !line[quote..<end].contains(UInt8(ascii: "\\"))
    else { return nil }
    return CacheKey.normalized(String(decoding: line[(quote + 1)..<end], as: UTF8.self))
  }

  /// Splits text into lines.
  /// - Parameters:
  ///   - bytes: The text, from the start of a line.
  ///   - each: Receives each line without its line feed.
  /// - Returns: The number of bytes of all complete lines; another process may still be writing an
  ///   incomplete line.
  package static func lines(_ bytes: [UInt8], _ each: (ArraySlice<UInt8>) throws -> Void) rethrows
    -> Int
  {
    var start = 0
    while let end = bytes[start...].firstIndex(of: newline) {
      try each(bytes[start..<end])
      start = end + 1
    }
    return start
  }

  /// Appends a text as a JSON string.
  private static func add(_ value: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        text.append(UInt8(ascii: "\\"))
        text.append(byte)
      case 0..<0x20:
        text += "\\u00\(Hexadecimal.text([byte]))".utf8
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
