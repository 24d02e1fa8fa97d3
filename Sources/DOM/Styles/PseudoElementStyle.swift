/// The result of all rules for a pseudo-element.
struct PseudoElementStyle: Sendable, Equatable {
  private var content: GeneratedContent?
  private var hiding = HidingDeclarations()
  private var isOutOfFlow: Bool?
  private var keepsLineFeeds: Bool?

  /// Parses the declarations of a rule; nil if none of them concerns the text.
  init?(_ declarations: StyleBytes) {
    content = GeneratedContent(declarations)
    hiding = HidingDeclarations(declarations)
    declarations.forEachDeclaration { property, value in
      if property.isWord("position") {
        let value = value.trimmed
        isOutOfFlow = value.isWord("absolute") || value.isWord("fixed")
      } else if let whiteSpace = TextStyleDeclarations.whiteSpace(property, value) {
        keepsLineFeeds = whiteSpace != .collapse
      }
    }
    guard
      content != nil || hiding.mayAffectVisibility || isOutOfFlow != nil || keepsLineFeeds != nil
    else { return nil }
  }

  /// Whether the content depends on the number of the list item.
  var hasListItemCounter: Bool { content?.hasListItemCounter == true }

  /// Applies declarations of higher precedence.
  mutating func apply(_ others: Self) {
    content = others.content ?? content
    hiding.apply(others.hiding)
    isOutOfFlow = others.isOutOfFlow ?? isOutOfFlow
    keepsLineFeeds = others.keepsLineFeeds ?? keepsLineFeeds
  }

  /// The content that is shown; nil if there is none. The text of an attribute outside the line is
  /// a tooltip.
  var shownContent: GeneratedContent? {
    guard var content, !content.parts.isEmpty, !hiding.hidesElement, !hiding.concealsElement,
      !(isOutOfFlow == true && content.hasAttribute)
    else { return nil }
    content.keepsLineFeeds = keepsLineFeeds
    return content
  }
}
