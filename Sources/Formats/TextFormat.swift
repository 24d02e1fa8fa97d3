import DOM

/// The formats of text that are shown as what they mean. Each has a row in the table and a file of
/// its own beside this one.
package enum TextFormat: Sendable, CaseIterable {
  case json, commaSeparated, tabSeparated, markdown, xml, plain

  /// A row of the table.
  private struct Definition {
    /// Media types without parameters.
    var types: [String]
    /// How other media types of the format end (RFC 6839, structured syntax suffixes).
    var suffix: String?
    /// How names of files end, without the dot; the first one stands for the format.
    var extensions: [String]
  }

  private var definition: Definition {
    switch self {
    case .json:
      Definition(
        types: [
          "application/json", "text/json", "application/x-json", "application/x-ndjson",
          "application/ndjson", "application/jsonl", "application/x-jsonlines",
          "application/json-seq", "application/json5",
        ], suffix: "+json",
        extensions: [
          "json", "jsonl", "ndjson", "geojson", "jsonld", "webmanifest", "har", "ipynb",
        ])
    case .commaSeparated:
      Definition(
        types: ["text/csv", "application/csv", "text/x-csv", "text/comma-separated-values"],
        extensions: ["csv"])
    case .tabSeparated:
      Definition(types: ["text/tab-separated-values", "text/tsv"], extensions: ["tsv", "tab"])
    case .markdown:
      Definition(
        types: ["text/markdown", "text/x-markdown"],
        extensions: ["md", "markdown", "mdown", "mkd", "mkdn"])
    case .xml:
      Definition(
        types: ["application/xml", "text/xml", "application/xml-dtd"], suffix: "+xml",
        extensions: [
          "xml", "xsd", "xsl", "xslt", "gpx", "kml", "opml", "rdf", "plist", "dbk", "xliff",
        ])
    case .plain: Definition(types: ["text/plain"], extensions: ["txt", "text", "log"])
    }
  }

  /// The format of a text.
  /// - Parameters:
  ///   - mediaType: what is said of it, without parameters, in any case; nil when nothing is.
  ///   - name: the name of its file, or its address; it counts where the media type says no more
  ///     than that it is text.
  package init(mediaType: String?, name: String) {
    let type = mediaType?.lowercased() ?? "text/plain"
    if let format = Self.named(byType: type), format != .plain {
      self = format
    } else {
      self = type == "text/plain" ? Self.named(byFile: name) ?? .plain : .plain
    }
  }

  /// Whether a media type is one of the table's: text, whatever it begins with.
  package static func isText(_ mediaType: String) -> Bool { named(byType: mediaType) != nil }

  /// The media type of a file by the end of its name; nil when the table has no such end.
  package static func mediaType(ofFile name: String) -> String? {
    named(byFile: name)?.definition.types.first
  }

  private static func named(byType type: String) -> TextFormat? {
    allCases.first { format in
      let definition = format.definition
      return definition.types.contains(type) || definition.suffix.map(type.hasSuffix) == true
    }
  }

  private static func named(byFile name: String) -> TextFormat? {
    let path = name.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let file = path.split(separator: UInt8(ascii: "/")).last,
      let dot = file.lastIndex(of: UInt8(ascii: "."))
    else { return nil }
    let end = String(decoding: file[file.index(after: dot)...].map(\.lowercased), as: UTF8.self)
    return allCases.first { $0.definition.extensions.contains(end) }
  }
}
