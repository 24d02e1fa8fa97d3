package import Foundation
package import Document

/// A passage of a page that somebody keeps, with an optional note.
///
/// It is found again by its words and by those around it (the text quote selector of the W3C's Web
/// Annotation Data Model, §4.2.4), so it outlives other widths, views and versions of the page.
package struct Highlight: Sendable, Equatable, Identifiable {
  /// Tells it from the others, on every machine: letters and digits.
  package let id: String
  /// The words of the passage; white space is a single space.
  package var exact: String
  /// The words before it, up to `Highlight.context` bytes.
  package var prefix: String
  /// The words behind it.
  package var suffix: String
  /// Where in the text it stood when it was made, from 0 to 1: of passages that are alike in all
  /// else the nearest counts.
  package var place: Double
  /// A person's own words on it, or empty.
  package var note: String

  /// The longest passage, in bytes.
  package static let longest = 16 << 10
  /// The longest note, in bytes.
  package static let longestNote = 8 << 10
  /// How many bytes of the words around a passage are kept on each side.
  static let context = 64
  /// The most passages of a page that are looked for.
  package static let mostOfPage = 500

  /// Makes a highlight; see the members.
  package init(
    id: String, exact: String, prefix: String = "", suffix: String = "", place: Double = 0,
    note: String = ""
  ) {
    self.id = id
    self.exact = exact
    self.prefix = prefix
    self.suffix = suffix
    self.place = place
    self.note = note
  }

  /// Keeps a part of a document; nil when there are no words in it, or more than `longest` bytes of
  /// them.
  /// - Parameters:
  ///   - range: the part, as offsets in `Document.text`; white space at its ends is left out.
  ///   - document: the document.
  ///   - date: when it is made, which makes its name.
  package init?(_ range: Range<UInt32>, of document: Document, date: Date) {
    let text = PassageText(document)
    guard let found = text.range(of: range) else { return nil }
    guard found.count <= Self.longest else { return nil }
    exact = text.string(found)
    prefix = text.string(text.before(found.lowerBound, atMost: Self.context))
    suffix = text.string(text.behind(found.upperBound, atMost: Self.context))
    place = (Double(found.lowerBound) / Double(max(1, text.count)) * 10_000).rounded() / 10_000
    note = ""
    // The same passage that is kept twice at once is one.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(exact)\n\(place)\n\(date.timeIntervalSince1970)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    id = String(hash, radix: 36)
  }

  // MARK: The library

  private struct Form: Codable {
    var exact: String
    var prefix: String?
    var suffix: String?
    var place: Double?
    var note: String?
  }

  /// What the library has of it.
  package var value: String {
    func text(_ text: String) -> String? { text.isEmpty ? nil : text }
    let form = Form(
      exact: exact, prefix: text(prefix), suffix: text(suffix), place: place, note: text(note))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(form)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads what the library has; nil when it is none.
  package init?(id: String, value: String) {
    guard Self.isName(id), value.utf8.count <= 8 * Self.longest,
      let form = try? JSONDecoder().decode(Form.self, from: Data(value.utf8)),
      !form.exact.isEmpty, form.exact.utf8.count <= Self.longest
    else { return nil }
    self.id = id
    exact = form.exact
    prefix = form.prefix ?? ""
    suffix = form.suffix ?? ""
    let place = form.place ?? 0
    self.place = place.isFinite ? min(1, max(0, place)) : 0
    note = form.note ?? ""
  }

  /// Whether a text may be a name.
  static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }
}
