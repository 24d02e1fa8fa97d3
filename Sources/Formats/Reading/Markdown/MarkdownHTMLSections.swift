import DOM

/// Finds sections of HTML that contain neither Markdown nor text to show. A terminator that is
/// missing is searched for only once, so the search takes linear time.
struct MarkdownHTMLSections {
  enum Kind: CaseIterable {
    case comment, processingInstruction, characterData, style, script

    var startDelimiter: StaticString {
      switch self {
      case .comment: "<!--"
      case .processingInstruction: "<?"
      case .characterData: "<![CDATA["
      case .style: "<style"
      case .script: "<script"
      }
    }

    fileprivate var terminator: StaticString {
      switch self {
      case .comment: "-->"
      case .processingInstruction: "?>"
      case .characterData: "]]>"
      case .style: "</style"
      case .script: "</script"
      }
    }

    /// Whether the section is an element, which ends with a tag.
    fileprivate var isElement: Bool { self == .style || self == .script }
  }

  /// The kinds whose terminator is not in the rest of the text.
  private var unterminatedKinds: Set<Kind> = []

  /// Returns the section that begins at an index, with the index after it; nil if there is none, or
  /// if it does not end before `limit`. Calls must have the same limit and ascending indices.
  mutating func findSection(
    in text: [UInt8], at start: Int, limit: Int, of kinds: [Kind] = Kind.allCases
  ) -> (kind: Kind, end: Int)? {
    guard
      let kind = kinds.first(where: {
        Self.hasMarker($0.startDelimiter, in: text, at: start, limit)
      }),
      !unterminatedKinds.contains(kind)
    else { return nil }
    let opening = start + kind.startDelimiter.utf8CodeUnitCount
    if kind.isElement, opening < limit, text[opening].isLetter || text[opening].isDigit {
      return nil
    }
    // `<!-->` is a comment, too.
    let first = kind == .comment ? opening - 2 : opening
    guard var end = Self.end(of: kind.terminator, in: text, from: first, limit) else {
      unterminatedKinds.insert(kind)
      return nil
    }
    if kind.isElement {
      guard let close = text[end..<limit].firstIndex(of: UInt8(ascii: ">")) else {
        // No later section of the kind ends either.
        unterminatedKinds.insert(kind)
        return nil
      }
      end = close + 1
    }
    return (kind, end)
  }

  private static func hasMarker(
    _ word: StaticString, in text: [UInt8], at start: Int, _ limit: Int
  ) -> Bool {
    let end = start + word.utf8CodeUnitCount
    return end <= limit && text.contains(word, in: start..<end)
  }

  /// Returns the index after the first occurrence of a terminator; nil if there is none.
  private static func end(
    of terminator: StaticString, in text: [UInt8], from start: Int, _ limit: Int
  ) -> Int? {
    var index = start
    while index < limit, let found = text[index..<limit].firstIndex(of: terminator.utf8Start[0]) {
      if hasMarker(terminator, in: text, at: found, limit) {
        return found + terminator.utf8CodeUnitCount
      }
      index = found + 1
    }
    return nil
  }
}
