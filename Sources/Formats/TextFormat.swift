import DOM

/// The text formats that are shown formatted; `definition` lists their media types and extensions.
package enum TextFormat: Sendable, CaseIterable {
  case json, commaSeparated, tabSeparated, markdown, gemtext, xml, calendar, contacts, subtitles
  case plain

  /// The properties by which a format is recognized.
  private struct Definition {
    /// The media types without parameters.
    var types: [String]
    /// The structured syntax suffix of other media types of the format (RFC 6839); nil for none.
    var suffix: String?
    /// The file name extensions, without the dot.
    var extensions: [String]
  }

  private var definition: Definition {
    switch self {
    case .json:
      Definition(
        types: [
          "application/json", "text/json", "application/x-json", "text/x-json",
          "application/x-ndjson",
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
        types: [
          "text/markdown", "text/x-markdown", "text/x-web-markdown",
          "text/vnd.daringfireball.markdown", "application/markdown", "application/x-markdown",
        ],
        extensions: ["md", "markdown", "mdown", "mkd", "mkdn", "mdx", "rmd", "qmd"])
    case .gemtext: Definition(types: ["text/gemini"], extensions: ["gmi", "gemini"])
    case .xml:
      Definition(
        types: ["application/xml", "text/xml", "application/xml-dtd", "text/x-opml"],
        suffix: "+xml",
        extensions: [
          "xml", "xsd", "xsl", "xslt", "gpx", "kml", "opml", "rdf", "plist", "dbk", "xliff", "fb2",
        ])
    case .calendar:
      Definition(
        types: ["text/calendar", "application/ics", "text/x-vcalendar"],
        extensions: ["ics", "ical", "vcs"])
    case .contacts:
      Definition(types: ["text/vcard", "text/x-vcard"], extensions: ["vcf", "vcard"])
    case .subtitles:
      Definition(
        types: ["text/vtt", "application/x-subrip", "text/srt"], extensions: ["srt", "vtt"])
    case .plain: Definition(types: ["text/plain"], extensions: ["txt", "text", "log"])
    }
  }

  /// Determines the format of a text.
  /// - Parameters:
  ///   - mediaType: The declared media type without parameters, in upper or lower case; nil if
  ///     unknown.
  ///   - name: The file name or URL, whose extension decides if the media type is `text/plain` or
  ///     unknown.
  package init(mediaType: String?, name: String) {
    let type = mediaType?.lowercased() ?? "text/plain"
    if let format = Self.named(byType: type), format != .plain {
      self = format
    } else {
      self = type == "text/plain" ? Self.named(byFile: name) ?? .plain : .plain
    }
  }

  /// Returns whether a media type belongs to a format of the table, which makes it text even if it
  /// is not `text/*`.
  package static func isText(_ mediaType: String) -> Bool { named(byType: mediaType) != nil }

  /// Returns the media type of a file by its file name extension; nil if the extension is not in
  /// the table.
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
