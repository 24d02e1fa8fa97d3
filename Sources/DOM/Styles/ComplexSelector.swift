/// A selector of CSS that also says what an element stands in: compound selectors with the combinators for
/// descendants (white space) and children (`>`) (Selectors Level 4, "complex selector").
package struct ComplexSelector: Sendable, Equatable {
  /// The element that is meant.
  private var subject: Selector
  /// What is around it, from the inside to the outside, and whether each is the parent of what comes
  /// before, not just around it.
  private var ancestors: [(selector: Selector, isParent: Bool)] = []

  package static func == (left: ComplexSelector, right: ComplexSelector) -> Bool {
    left.subject == right.subject
      && left.ancestors.elementsEqual(right.ancestors) { $0 == $1 }
  }

  /// Reads a list of selectors between commas, such as `main > article` or `aside, #comments .meta`.
  /// - Parameter text: the list.
  /// - Returns: the selectors; nil when one of them is none, or has what `Selector` does not know.
  package static func list(_ text: String) -> [ComplexSelector]? {
    let selectors = tokens(text).split(separator: ",", omittingEmptySubsequences: false)
      .map { ComplexSelector($0) }
    let known = selectors.compactMap(\.self)
    return known.count == selectors.count ? known : nil
  }

  private init?(_ tokens: ArraySlice<String>) {
    var compounds: [(selector: Selector, isParent: Bool)] = []
    var isParent = false
    for token in tokens {
      if token == ">" {
        guard !isParent, !compounds.isEmpty else { return nil }
        isParent = true
        continue
      }
      guard let selector = Selector(token), compounds.count < Self.mostCompounds else { return nil }
      // Of a child, the one before is the parent.
      if let last = compounds.indices.last { compounds[last].isParent = isParent }
      compounds.append((selector, false))
      isParent = false
    }
    // Everything stands in these two, of which a tree has no nodes.
    while let first = compounds.first?.selector, first.type == .html || first.type == .body {
      guard first == Selector("html") || first == Selector("body") else { return nil }
      compounds.removeFirst()
    }
    guard !isParent, let subject = compounds.popLast() else { return nil }
    self.subject = subject.selector
    ancestors = compounds.reversed()
  }

  private static let mostCompounds = 16

  /// The compound selectors, and the marks `>` and `,` between them. In brackets, where values stand, nothing
  /// is between.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    var token = ""
    var isInBrackets = false
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if isInBrackets, character == "\"" || character == "'" {
        quote = character
      } else if character == "[" || character == "]" {
        isInBrackets = character == "["
      } else if !isInBrackets, character.isWhitespace || character == ">" || character == "," {
        if !token.isEmpty { tokens.append(token) }
        token = ""
        if !character.isWhitespace { tokens.append(String(character)) }
        continue
      }
      token.append(character)
    }
    return token.isEmpty ? tokens : tokens + [token]
  }

  /// Whether the selector means an element.
  /// - Parameters:
  ///   - node: The element.
  ///   - names: Its names.
  ///   - tree: The page.
  /// - Returns: Whether it does.
  package func matches(_ node: Int32, named names: Selector.Names, in tree: DOMTree) -> Bool {
    guard subject.matches(node, named: names, in: tree) else { return false }
    var above = tree.nodes[Int(node)].parent
    var index = 0
    /// Where to try again further up: behind the last of which any place does.
    var retry: (index: Int, above: Int32)?
    while index < ancestors.count {
      guard above >= 0 else { return false }
      let (selector, isParent) = ancestors[index]
      let isMet = selector.matches(above, named: .init(of: above, in: tree), in: tree)
      if !isParent { retry = (index, tree.nodes[Int(above)].parent) }
      if isMet {
        index += 1
      } else if isParent {
        guard let last = retry else { return false }
        (index, above) = last
        continue
      }
      above = tree.nodes[Int(above)].parent
    }
    return true
  }
}
