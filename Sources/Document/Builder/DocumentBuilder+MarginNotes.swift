import DOM

// Margin notes as Tufte CSS writes them: a `span` within the text, after a label and a check box
// that show the note on small screens.

extension DocumentBuilder {
  private static let toggleClass: StaticString = "margin-toggle"

  /// Returns whether a check box shows and hides a margin note, which is always shown here.
  func isNoteToggle(_ checkBox: Int32) -> Bool {
    tree.value(.class, of: checkBox, contains: Self.toggleClass)
  }

  /// Returns whether a label is only the symbol of a margin note.
  func isNoteSymbol(_ label: Int32) -> Bool {
    tree.value(.class, of: label, contains: Self.toggleClass)
      && !text(below: label, maxLength: 16).contains(where: \.isPartOfWord)
      && hiding.generatedText(of: label, in: tree) == nil
  }

  /// Returns whether an element is a margin note without blocks.
  func isMarginNote(_ node: Int32) -> Bool {
    let own = tree.nodes[Int(node)]
    var before = own.previousSibling
    while before >= 0, tree.nodes[Int(before)].name == .characters, tree.isBlank(before) {
      before = tree.nodes[Int(before)].previousSibling
    }
    guard before >= 0, tree.nodes[Int(before)].name == .input, isNoteToggle(before) else {
      return false
    }
    return own.contents.contains(.text) && !own.contents.contains(.block)
      && (tree.value(.class, of: node, contains: "sidenote")
        || tree.value(.class, of: node, contains: "marginnote"))
  }

  /// Begins a margin note, which is in parentheses because it interrupts the sentence.
  mutating func beginMarginNote(_ node: Int32) {
    openMarginNote = node
    leaf.hasPendingSpace = leaf.hasPendingSpace || leaf.isOpen
    addSafeText("(")
    leaf.noSpaceOffset = document.text.count
  }

  /// Ends a margin note.
  mutating func endMarginNote() {
    openMarginNote = -1
    leaf.hasPendingSpace = false
    addSafeText(")")
    leaf.hasPendingSpace = true
    leaf.insertedSpaceEnd = document.text.count
  }
}
