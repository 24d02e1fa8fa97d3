import DOM

/// The first line of a note that extensions of Markdown set apart: `!!! note "Title"` or
/// `??? note`, whose text is indented (Python-Markdown, MkDocs), or `:::note`, whose text ends at
/// `:::` (Docusaurus, VuePress, MyST, Quarto). `::: {.class}` marks a part that is not a note.
struct MarkdownAdmonition {
  /// The way in which the extent of the text is marked.
  enum Extent: Equatable {
    /// By four columns of white space.
    case indented
    /// By a final line of at least as many colons.
    case fenced(colons: Int)
  }

  /// Whether the user can fold the text, and its initial state.
  enum Folding {
    case none, folded, unfolded
  }

  let extent: Extent
  /// The kind as a title, such as "Note"; empty for a part of the page without a kind.
  let name: String
  /// The range of the title; nil if `name` is the title, empty if there is no title.
  let title: Range<Int>?
  let folding: Folding

  /// Kinds that follow colons. Others are components of a page, such as columns.
  private static let fencedKinds: Set<String> = [
    "abstract", "attention", "bug", "caution", "danger", "details", "error", "example", "failure",
    "hint", "important", "info", "note", "question", "quote", "seealso", "success", "summary",
    "tip", "warning",
  ]

  private static let maxNameLength = 32

  /// Parses a line without white space around it; nil if it does not begin an admonition.
  init?(_ line: ArraySlice<UInt8>) {
    switch line.first {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): self.init(indented: line)
    case UInt8(ascii: ":"): self.init(fenced: line)
    default: return nil
    }
  }

  private init?(indented line: ArraySlice<UInt8>) {
    guard let marker = line.first, line.prefix(3).allSatisfy({ $0 == marker }), line.count > 3
    else { return nil }
    var rest = line.dropFirst(3)
    if marker != UInt8(ascii: "?") {
      folding = .none
    } else if rest.first == UInt8(ascii: "+") {
      folding = .unfolded
      rest = rest.dropFirst()
    } else {
      folding = .folded
    }
    rest = rest.drop(while: \.isWhiteSpace)
    guard let name = Self.consumeName(&rest) else { return nil }
    // Further classes, such as `inline end`.
    var classes = rest.prefix { $0 != UInt8(ascii: "\"") }
    rest = rest[classes.endIndex...]
    while let first = classes.first {
      guard first.isWhiteSpace else { return nil }
      classes = classes.drop(while: \.isWhiteSpace)
      guard classes.isEmpty || Self.consumeName(&classes) != nil else { return nil }
    }
    if rest.isEmpty {
      title = nil
    } else {
      guard rest.count >= 2, rest.last == UInt8(ascii: "\"") else { return nil }
      title = rest.startIndex + 1..<rest.endIndex - 1
    }
    self.name = Self.capitalized(name)
    extent = .indented
  }

  private init?(fenced line: ArraySlice<UInt8>) {
    let colons = line.prefix { $0 == UInt8(ascii: ":") }.count
    guard colons >= 3 else { return nil }
    var rest = line.dropFirst(colons).drop(while: \.isWhiteSpace)
    let isBraced = rest.first == UInt8(ascii: "{")
    if isBraced {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst() }
      if rest.starts(with: "callout-".utf8) { rest = rest.dropFirst(8) }
    }
    let attributeList = line.dropFirst(colons).drop(while: \.isWhiteSpace)
    guard let name = Self.consumeName(&rest)?.lowercased(), Self.fencedKinds.contains(name) else {
      guard Self.isDivision(attributeList) else { return nil }
      (self.name, title, folding, extent) = ("", nil, .none, .fenced(colons: colons))
      return
    }
    var attributes = rest.prefix(0)
    if isBraced {
      guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
      attributes = rest[..<end]
      rest = rest[(end + 1)...]
    }
    guard rest.first.map({ $0.isWhiteSpace || "[{".utf8.contains($0) }) ?? true else { return nil }
    title = Self.title(of: rest) ?? Self.titleAttribute(in: attributes)
    self.name = Self.capitalized(name)
    folding = name == "details" ? .folded : .none
    extent = .fenced(colons: colons)
  }

  /// Returns whether a line after its colons consists of attributes, such as `{.columns}` (Pandoc),
  /// and of further colons.
  private static func isDivision(_ line: ArraySlice<UInt8>) -> Bool {
    guard let sign = line.dropFirst().first, ".#".utf8.contains(sign),
      let end = MarkdownAttributes.end(in: Array(line), at: 0, limit: line.count)
    else { return false }
    return line.dropFirst(end).allSatisfy { $0.isWhiteSpace || $0 == UInt8(ascii: ":") }
  }

  /// Returns the range of a title after the kind: `[title]`, or the rest of the line without
  /// attributes in braces; nil if there is none.
  private static func title(of line: ArraySlice<UInt8>) -> Range<Int>? {
    var rest = line.drop(while: \.isWhiteSpace)
    if rest.first == UInt8(ascii: "["), let end = rest.lastIndex(of: UInt8(ascii: "]")) {
      return rest.startIndex + 1..<end
    }
    if rest.last == UInt8(ascii: "}"), let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      rest = rest[..<open]
      while rest.last?.isWhiteSpace == true { rest.removeLast() }
    }
    return rest.isEmpty ? nil : rest.startIndex..<rest.endIndex
  }

  /// Returns the range of the value of `title="…"` (Quarto); nil if there is none.
  private static func titleAttribute(in attributes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let start = attributes.firstRange(of: Array(" title=\"".utf8))?.upperBound,
      let end = attributes[start...].firstIndex(of: UInt8(ascii: "\"")), start < end
    else { return nil }
    return start..<end
  }

  /// Consumes a name of letters, digits, hyphens and underscores; nil if there is none, or if it is
  /// long.
  static func consumeName(_ rest: inout ArraySlice<UInt8>) -> String? {
    let name = rest.prefix {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard let first = name.first, first.isLetter, name.count <= maxNameLength else { return nil }
    rest = rest[name.endIndex...]
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns a name with a capital at its start and spaces for hyphens.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst().replacing("-", with: " ")
  }
}
