package import OfflineCache

/// A link of a `Link` field or a TimeMap: `<target>; name="value"` (RFC 8288 §3).
package struct LinkValue: Equatable {
  /// The reference, as written.
  package let target: String
  private let parameters: [(name: String, value: String)]

  /// Parses a link; returns nil if it is invalid.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    rest = rest.drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    target = String(decoding: rest[..<end], as: UTF8.self)
    rest = rest[(end + 1)...]
    var parameters: [(name: String, value: String)] = []
    while let marker = rest.firstIndex(of: UInt8(ascii: ";")) {
      rest = rest[(marker + 1)...].drop { $0 <= 0x20 }
      let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      rest = rest[name.endIndex...].drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop { $0 <= 0x20 }
      let value = Self.value(&rest)
      parameters.append((String(decoding: name, as: UTF8.self).lowercased(), value))
    }
    self.parameters = parameters
  }

  /// Parses the links of a field line.
  package static func parseList(_ value: String) -> [LinkValue] {
    var splitter = LinkSplitter()
    let links = value.utf8.compactMap { splitter.consume($0) } + [splitter.finish() ?? []]
    return links.compactMap { LinkValue($0) }
  }

  /// Returns the next document in a series that `Link` fields declare (`rel=next`). The next
  /// capture of the same page in a web archive (RFC 7089 §2.2.4) and links from other pages do not
  /// count.
  /// - Parameters:
  ///   - fields: the values of the fields.
  ///   - url: the URL of the response.
  /// - Returns: the absolute URL; nil if the fields declare none.
  package static func nextURL(in fields: [String], of url: WebURL) -> String? {
    for link in fields.flatMap({ parseList($0) }).prefix(maxLinks) {
      let relations = (link["rel"] ?? "").lowercased().split(separator: " ")
      if relations.contains("next"), !relations.contains("memento"), link["anchor"] == nil {
        return url.resolve(link.target)?.description
      }
    }
    return nil
  }

  /// The maximum number of links in `Link` fields that are examined.
  private static let maxLinks = 100

  /// The first value of a parameter with a lower-case name; nil if there is none.
  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  package static func == (a: LinkValue, b: LinkValue) -> Bool {
    a.target == b.target && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    guard rest.first == UInt8(ascii: "\"") else {
      let token = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
      rest = rest[token.endIndex...]
      return String(decoding: token, as: UTF8.self)
    }
    var value: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
        value.append(next)
      } else {
        value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }
}
