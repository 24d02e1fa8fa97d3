package import Foundation
package import Document

/// A highlighted passage of a page, with an optional note.
///
/// The passage is located by its text and the surrounding text (the text quote selector of the W3C
/// Web Annotation Data Model, §4.2.4), so it is independent of width and view and survives changes
/// of the page.
package struct Highlight: Sendable, Equatable, Identifiable {
  /// The name, unique across devices: lower-case letters and digits.
  package let id: String
  /// The text of the passage; each run of white space is a single space.
  package var exact: String
  /// The text before the passage, at most `Highlight.maxContextLength` bytes.
  package var prefix: String
  /// The text after the passage, at most `Highlight.maxContextLength` bytes.
  package var suffix: String
  /// The position of the passage in the text when the highlight was created, from 0 to 1. If
  /// several matches are equally good, the one nearest to this position is used.
  package var position: Double
  /// The note of the user, or empty.
  package var note: String

  /// The maximum length of a passage in bytes.
  package static let maxLength = 16 << 10
  /// The maximum length of a note in bytes.
  package static let maxNoteLength = 8 << 10
  /// The maximum number of bytes of the surrounding text stored on each side.
  static let maxContextLength = 64
  /// The maximum number of highlights that are located on one page.
  package static let maxPerPage = 500

  package init(
    id: String, exact: String, prefix: String = "", suffix: String = "", position: Double = 0,
    note: String = ""
  ) {
    self.id = id
    self.exact = exact
    self.prefix = prefix
    self.suffix = suffix
    self.position = position
    self.note = note
  }

  /// Creates a highlight of a range of a document; returns nil if the range has no text or more
  /// than `maxLength` bytes.
  /// - Parameters:
  ///   - range: The range of offsets in `Document.text`; white space at either end is excluded.
  ///   - document: The document.
  ///   - date: The time of creation, from which the name is derived.
  package init?(_ range: Range<UInt32>, of document: Document, date: Date) {
    let text = PassageText(document)
    guard let found = text.range(of: range) else { return nil }
    guard found.count <= Self.maxLength else { return nil }
    exact = text.string(found)
    prefix = text.string(text.rangeBefore(found.lowerBound, atMost: Self.maxContextLength))
    suffix = text.string(text.rangeAfter(found.upperBound, atMost: Self.maxContextLength))
    position = (Double(found.lowerBound) / Double(max(1, text.count)) * 10_000).rounded() / 10_000
    note = ""
    // The name is a hash, so that highlighting the same passage twice at the same time creates only
    // one highlight.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(exact)\n\(position)\n\(date.timeIntervalSince1970)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    id = String(hash, radix: 36)
  }

  // MARK: The library

  private struct StoredFields: Codable {
    var exact: String
    var prefix: String?
    var suffix: String?
    var position: Double?
    var note: String?

    private enum CodingKeys: String, CodingKey {
      case exact = "exact"
      case prefix = "prefix"
      case suffix = "suffix"
      case position = "place"
      case note = "note"
    }
  }

  /// The value of the fact in the library.
  package var value: String {
    func text(_ text: String) -> String? { text.isEmpty ? nil : text }
    let form = StoredFields(
      exact: exact, prefix: text(prefix), suffix: text(suffix), position: position, note: text(note)
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(form)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Parses the value of a fact in the library; returns nil if it is invalid.
  package init?(id: String, value: String) {
    guard Self.isValidName(id), value.utf8.count <= 8 * Self.maxLength,
      let form = try? JSONDecoder().decode(StoredFields.self, from: Data(value.utf8)),
      !form.exact.isEmpty, form.exact.utf8.count <= Self.maxLength
    else { return nil }
    self.id = id
    exact = form.exact
    prefix = form.prefix ?? ""
    suffix = form.suffix ?? ""
    let position = form.position ?? 0
    self.position = position.isFinite ? min(1, max(0, position)) : 0
    note = form.note ?? ""
  }

  /// Returns whether a text is a valid name.
  static func isValidName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }
}
