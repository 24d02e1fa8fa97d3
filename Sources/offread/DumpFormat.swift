import ArgumentParser

/// The output formats of `dump`.
enum DumpFormat: String, CaseIterable, ExpressibleByArgument {
  /// Plain text.
  case text
  /// Text with colours, attributes and OSC 8 links.
  case ansi
  /// CommonMark.
  case markdown
  /// Semantic HTML without presentation.
  case html
  /// The document as a tree, with its text, headings and links.
  case json
  /// The absolute URLs of all links, one a line.
  case links
  /// The headings, indented by level.
  case outline

  /// Whether several pages can be written one after the other.
  var allowsSeveralPages: Bool { self != .html && self != .json }
}
