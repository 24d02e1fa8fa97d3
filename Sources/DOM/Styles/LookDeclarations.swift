/// What declarations say of the lines and signs of a text, as far as text can show it: what stands on lines of its own
/// (CSS Display 3, section 2), which white space counts (CSS Text 4, section 3), what is raised, lowered or crossed out.
package struct LookDeclarations: Equatable {
  /// How an element stands among others.
  package enum Display: Sendable {
    /// On lines of its own.
    case block
    /// On lines of its own, its children apart from each other.
    case row
    /// In a line, its children apart from each other.
    case inlineRow
    case other
  }

  /// Which white space counts.
  package enum WhiteSpace: Sendable {
    case collapses
    /// Line feeds.
    case lines
    /// Line feeds and what lines begin with.
    case indentedLines
    /// All.
    case preformatted
  }

  /// Where text stands in its line.
  package enum Position: Sendable {
    case raised, lowered, other
  }

  package private(set) var display: Display?
  package private(set) var whiteSpace: WhiteSpace?
  package private(set) var position: Position?
  package private(set) var isDeleted: Bool?

  /// What says nothing.
  package init() {}

  /// Reads declarations; of each property the last valid one counts.
  init(_ text: StyleBytes) {
    guard text.mentionsLook else { return }
    text.forEachDeclaration { property, value in
      let value = value.prefix { $0 != UInt8(ascii: "!") }.trimmed
      if property.isWord("display") {
        display = Self.display(value)
      } else if property.isWord("white-space") {
        whiteSpace = Self.spaces.first { value.isWord($0.word) }?.meaning ?? whiteSpace
      } else if property.isWord("vertical-align") {
        position = value.isWord("super") ? .raised : value.isWord("sub") ? .lowered : .other
      } else if property.isWord("text-decoration") || property.isWord("text-decoration-line") {
        isDeleted = value.split(whereSeparator: \.isWhiteSpace).contains {
          $0.isWord("line-through")
        }
      }
    }
  }

  /// Takes what others say, which outrank these.
  package mutating func take(_ others: Self) {
    display = others.display ?? display
    whiteSpace = others.whiteSpace ?? whiteSpace
    position = others.position ?? position
    isDeleted = others.isDeleted ?? isDeleted
  }

  private static func display(_ value: StyleBytes) -> Display {
    for (word, meaning) in displays where value.isWord(word) { return meaning }
    return .other
  }

  private static let displays: [(word: StaticString, meaning: Display)] = [
    ("block", .block), ("flow-root", .block), ("list-item", .block), ("table", .block),
    ("flex", .row), ("grid", .row), ("inline-flex", .inlineRow), ("inline-grid", .inlineRow),
  ]
  private static let spaces: [(word: StaticString, meaning: WhiteSpace)] = [
    ("normal", .collapses), ("nowrap", .collapses), ("pre-line", .lines),
    ("pre-wrap", .indentedLines), ("break-spaces", .indentedLines), ("pre", .preformatted),
  ]
}

extension StyleBytes {
  /// Whether a property of the look of text may be in it.
  fileprivate var mentionsLook: Bool {
    if mentionsHiding { return true }
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      // They have a hyphen, which is rarer than letters.
      index = bytes.firstIndex(of: UInt8(ascii: "-"), from: index)
      guard index < bytes.count else { return false }
      let before = self[startIndex..<startIndex + index]
      let after = self[(startIndex + index + 1)...]
      if before.suffix(5).isWord("white") && after.prefix(5).isWord("space")
        || before.suffix(8).isWord("vertical") && after.prefix(5).isWord("align")
        || before.suffix(4).isWord("line") && after.prefix(7).isWord("through")
      {
        return true
      }
      index += 1
    }
  }
}

extension DOMTree {
  /// What the `style` attribute of an element says of the look of its text.
  /// - Parameter value: where the attribute's value is.
  /// - Returns: the declarations.
  package func styledLook(_ value: Range<Int>) -> LookDeclarations {
    bytes.withStyle(value) { LookDeclarations($0) }
  }
}
