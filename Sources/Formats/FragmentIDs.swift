package import Document
import Foundation

/// The IDs of the targets of fragments in an exported document.
///
/// An ID consists of ASCII letters, digits, hyphens, periods and underscores, and does not start
/// with a digit, so that it is valid in XML (NCName) and needs no escapes in a URL. Names with
/// other characters are escaped.
package struct FragmentIDs: Sendable, Equatable {
  /// A position in a document to which fragments lead.
  package struct Target: Sendable, Equatable {
    /// The offset in `Document.text` of the first byte in or after the target.
    package var offset: UInt32
    package var id: String
  }

  /// The targets, ordered by offset; each ID occurs once.
  package private(set) var targets: [Target] = []
  private var usedIDs: Set<String> = []
  /// The beginning of all IDs.
  private var prefix = ""

  /// The maximum length of a name in bytes; longer names get no ID.
  private static let maxLength = 256
  /// Code hosting sites add this prefix to the anchors in user content, and scripts resolve names
  /// without it.
  private static let userPrefix = "user-content-"

  /// Creates the IDs of all anchors of a document.
  /// - Parameters:
  ///   - document: The document.
  ///   - prefix: An XML name with which all IDs begin, or empty.
  package init(_ document: Document, prefix: String = "") {
    self.prefix = prefix
    for anchor in document.anchors {
      guard let id = Self.id(forName: anchor.name).map({ prefix + $0 }),
        usedIDs.insert(id).inserted
      else { continue }
      targets.append(Target(offset: anchor.offset, id: id))
    }
    targets.sort { $0.offset < $1.offset }
  }

  /// Adds the IDs of names to which exported links lead already. The ID of a name without an anchor
  /// in the document is at the beginning.
  package mutating func addIDs(_ names: some Sequence<String>) {
    let offsets = Dictionary(
      targets.map { ($0.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var addedTargets: [Target] = []
    for name in names {
      guard let id = Self.id(forName: name), usedIDs.insert(id).inserted else { continue }
      let prefixed = Self.id(forName: Self.userPrefix + name)
      addedTargets.append(Target(offset: prefixed.flatMap { offsets[$0] } ?? 0, id: id))
    }
    guard !addedTargets.isEmpty else { return }
    targets = (addedTargets + targets).sorted { $0.offset < $1.offset }
  }

  /// Returns the ID to which a fragment, given without `#`, leads; nil if the document has no such
  /// anchor.
  package func id(of fragment: String) -> String? {
    Self.anchorNames(of: fragment).compactMap(Self.id(forName:)).map { prefix + $0 }
      .first { usedIDs.contains($0) }
  }

  /// Returns the name to which a fragment leads, without percent-encoding and without a text
  /// directive (`:~:text=`); nil if the fragment leads to no name.
  package static func anchorName(of fragment: String) -> String? {
    let name = withoutDirective(fragment)
    return name.isEmpty ? nil : name.removingPercentEncoding ?? name
  }

  /// Returns the names that the anchor of a fragment can have, in order of precedence: the name as
  /// it is written, without percent-encoding, and with the prefix of code hosting sites. Empty if
  /// the fragment leads to no name.
  package static func anchorNames(of fragment: String) -> [String] {
    guard let name = anchorName(of: fragment) else { return [] }
    return [withoutDirective(fragment), name, userPrefix + name]
  }

  private static func withoutDirective(_ fragment: String) -> String {
    let end = fragment.firstRange(of: ":~:")?.lowerBound ?? fragment.endIndex
    return String(fragment[..<end])
  }

  /// Returns the fragment of a URL; nil if it has none.
  package static func fragment(of url: String) -> String? {
    url.firstIndex(of: "#").map { String(url[url.index(after: $0)...]) }
  }

  /// Returns the ID of an anchor; nil if its name is empty or too long.
  package static func id(forName name: String) -> String? {
    guard !name.isEmpty, name.utf8.count <= maxLength else { return nil }
    var id = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        id.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if id.isEmpty { id = "_" }
        id.unicodeScalars.append(Unicode.Scalar(byte))
      default: id += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return id
  }
}
