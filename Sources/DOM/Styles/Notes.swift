// Books hide notes beside the text that refers to them, because reading systems show them over the
// text when the user follows the link to them (EPUB Structural Semantics Vocabulary 1.1; DPUB-ARIA
// 1.1).

extension DOMTree {
  /// Returns whether an element is a footnote as LaTeXML writes it within the text.
  package func isLaTeXMLNote(_ node: Int32) -> Bool {
    value(.class, of: node, contains: "ltx_note_outer")
  }

  /// Returns whether an element is a note within a line that the button before it shows (HTML
  /// §6.12). The button has the number or mark of the note.
  package func isNotePopover(_ node: Int32) -> Bool {
    guard nodes[Int(node)].name == .span, hasAttribute(.popover, node),
      let button = siblingBefore(node), nodes[Int(button)].name == .button
    else { return false }
    let mark = collapsedText(below: button)
    return 1...3 ~= mark.count && !mark.contains(where: \.isLetter)
  }

  /// Returns whether an element is a footnote or endnote, or a list of these (`footnotes`), by its
  /// `epub:type`, role or class.
  func isFootnote(_ node: Int32) -> Bool {
    Self.noteTypes.contains { value(.epubType, of: node, contains: $0) }
      || Self.noteRoles.contains { value(.role, of: node, contains: $0) }
      || Self.noteClasses.contains { value(.class, of: node, contains: $0) } || isLaTeXMLNote(node)
  }

  /// The elements that references to notes lead to: links with the type or the role `noteref`, or
  /// with a class of that name on pages that have such attributes.
  package var noteTargets: NodeSet {
    guard attributes.contains(where: { $0.name == .epubType || $0.name == .role }) else {
      return NodeSet()
    }
    var names: Set<String> = []
    for index in nodes.indices where nodes[index].name == .a {
      let node = Int32(index)
      guard
        value(.epubType, of: node, contains: "noteref")
          || value(.role, of: node, contains: "doc-noteref")
          || Self.referenceClasses.contains(where: { value(.class, of: node, contains: $0) }),
        let reference = string(.href, of: node), reference.hasPrefix("#")
      else { continue }
      names.insert(String(reference.dropFirst()))
    }
    guard !names.isEmpty else { return NodeSet() }
    let targets = nodes.indices.map { Int32($0) }.filter { node in
      string(.id, of: node).map(names.contains) ?? false
    }
    return NodeSet(targets)
  }

  private static let referenceClasses: [StaticString] = ["noteref", "footnote-ref"]
  private static let noteTypes: [StaticString] = ["footnote", "endnote", "rearnote"]
  private static let noteRoles: [StaticString] = ["doc-footnote", "doc-endnote"]
  /// The classes of notes in books for Duokan.
  private static let noteClasses: [StaticString] = [
    "duokan-footnote-content", "duokan-footnote-item",
  ]
}
