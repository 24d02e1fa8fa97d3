import DOM
import Foundation
import OfflineCache
import WARC

/// The lines of a journal: facts as JSON, one a line, after a first line that names the journal.
///
/// Each line has a checksum; see `LineChecksum`. One that is cut, damaged or of a later version is
/// passed over; those around it count.
package enum LibraryJournal {
  /// The first line.
  package struct Head: Codable, Equatable {
    /// The version of the form.
    var journal = 1
    /// The machine whose facts follow.
    package var machine: String
    /// Another one for each file, also when it is written anew under the same name.
    var id: String
  }

  /// That a page was removed: nothing counts that was said of it until then, on any machine.
  package struct Removal: Sendable, Equatable {
    /// What stands for the page, so that its address is nowhere.
    package var digest: String
    /// When it was removed, in milliseconds since 1970.
    package var date: Int64
  }

  /// What a line says.
  package enum Entry: Sendable, Equatable {
    case fact(LibraryFact)
    case removal(Removal)
    /// Not what was written there.
    case damaged
    /// Nothing that is understood; the page that it is about, if it names one.
    case other(key: String?)
  }

  /// The dates that can be: years with four digits, in milliseconds.
  private static let dates: Range<Double> = 0..<253_402_300_800_000
  /// The longest line that counts, in bytes.
  package static let lengthLimit = 1 << 20
  /// The longest first line, in bytes.
  package static let headLimit = 4096
  private static let newline: UInt8 = 10

  /// What stands for a page where its address must not.
  static func digest(of key: String) -> String {
    var text: [UInt8] = []
    for byte in DigestBuilder.bytes(of: key.utf8, .sha256).prefix(16) {
      for half in [byte >> 4, byte & 15] { text.append(half < 10 ? 0x30 + half : 0x57 + half) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of a first line.
  static func text(_ head: Head) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(head) else { return [] }
    return LineChecksum.sealed([UInt8](data)) + [newline]
  }

  /// The lines of facts; the machine is that of the journal.
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
      text += LineChecksum.sealed(line)
      text.append(newline)
    }
    return text
  }

  /// The lines of removals.
  static func text(_ removals: [Removal]) -> [UInt8] {
    removals.flatMap {
      LineChecksum.sealed(Array("{\"date\":\($0.date),\"removed\":\"\($0.digest)\"}".utf8)) + [
        newline
      ]
    }
  }

  /// Reads the first line; nil when it is none of a journal.
  package static func head(_ bytes: some Collection<UInt8>) -> Head? {
    let bytes = Array(bytes.prefix(headLimit))
    guard let end = bytes.firstIndex(of: newline), LineChecksum.isIntact(bytes[..<end]),
      let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])), head.journal == 1
    else { return nil }
    return head
  }

  /// Reads a line, without its end.
  /// - Parameters:
  ///   - line: the bytes.
  ///   - machine: whose it is.
  /// - Returns: what it says.
  package static func entry(_ line: ArraySlice<UInt8>, machine: String) -> Entry {
    guard LineChecksum.isIntact(line) else { return .damaged }
    guard line.count <= lengthLimit, line.first == UInt8(ascii: "{"),
      line.last == UInt8(ascii: "}"), let json = JSONValue(Array(line))
    else { return .other(key: nil) }
    let written: String? = if case .string(let url)? = json["url"] { url } else { nil }
    let key = written.map(CacheKey.normalised)
    guard case .number(let date)? = json["date"], dates.contains(date) else {
      return .other(key: key)
    }
    if case .string(let digest)? = json["removed"], digest.utf8.count == 32 {
      return .removal(Removal(digest: digest, date: Int64(date)))
    }
    guard let written, let key, WebURL(written) != nil, case .string(let word)? = json["set"],
      let attribute = LibraryAttribute(text: word)
    else { return .other(key: key) }
    let value: String? =
      switch json["to"] {
      case nil, .null?: nil
      case .string(let text)?: text
      default: ""
      }
    var fact = LibraryFact(
      key: key, attribute: attribute, value: value, date: Int64(date), machine: machine)
    if key != written { fact.otherDigest = digest(of: written) }
    // The value is the key of a feed.
    if attribute == .item { fact.value = value.map(CacheKey.normalised) }
    return .fact(fact)
  }

  /// What is wrong with a line, without its end; nil when nothing is, or it is of a later version.
  static func fault(of line: ArraySlice<UInt8>, isFirst: Bool) -> String? {
    guard LineChecksum.isIntact(line) else { return "a line is not what was written" }
    if isFirst { return head(line + [newline]) == nil ? "the first line cannot be read" : nil }
    // What a kill has cut off leaves a line of its own.
    return JSONValue(Array(line)) == nil ? "a line cannot be read" : nil
  }

  /// The page that a line is about, by its place in lines as they are written here; nil where that
  /// cannot be told without reading all of it.
  static func key(ofLine line: ArraySlice<UInt8>) -> String? {
    let end = line.endIndex - 2
    guard line.count > 8, line[end...].elementsEqual("\"}".utf8),
      let quote = line[..<end].lastIndex(of: UInt8(ascii: "\"")),
      line[..<quote].suffix(7).elementsEqual(",\"url\":".utf8),
      !line[quote..<end].contains(UInt8(ascii: "\\"))
    else { return nil }
    return CacheKey.normalised(String(decoding: line[(quote + 1)..<end], as: UTF8.self))
  }

  /// Reads lines.
  /// - Parameters:
  ///   - bytes: from the beginning of a line on.
  ///   - each: told of each line without its end.
  /// - Returns: how many bytes the whole lines take: one that does not end yet is still being
  ///   written.
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

  /// Writes a text as JSON does.
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
