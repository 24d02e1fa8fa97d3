import DOM

// Margin notes as Tufte CSS writes them: a `span` within the text, after a label and a check box
// that show the note on small screens. LaTeXML writes them as a `span` after the number of the
// note, and repeats the number in it; its style sheets show the note while the pointer is over the
// number. Others write a note as a popover after the button with its number.

extension DocumentBuilder {
  /// Returns whether a label is only the symbol of a margin note.
  func isNoteSymbol(_ label: Int32) -> Bool {
    tree.value(.class, of: label, contains: DOMTree.toggleClass)
      && !tree.cleanedText(below: label, maxLength: 16).contains(where: \.isPartOfWord)
      && hiding.generatedText(of: label, in: tree) == nil
  }

  /// Returns whether an inline element is a margin note. One without a check box is only recognized
  /// if a style sheet moves it to the margin: reader view has no check boxes that are hidden.
  func isMarginNote(_ node: Int32) -> Bool {
    tree.isMarginNote(node)
      || textStyle.isFloating == true && tree.isInlineText(node)
        && tree.value(.class, of: node, hasWordAmong: ["sidenote", "marginnote"])
  }

  /// Begins a margin note, which is in parentheses because it interrupts the sentence.
  mutating func beginMarginNote(_ node: Int32) {
    margin.beginNote(node)
    leaf.addSpace()
    addSafeText("(")
    leaf.forbidSpace()
  }

  /// Ends a margin note.
  mutating func endMarginNote() {
    margin.endNote()
    leaf.dropPendingSpace()
    addSafeText(")")
    leaf.insertSpace()
  }
}

extension DOMTree {
  fileprivate static let toggleClass: StaticString = "margin-toggle"

  /// Returns whether a check box shows and hides a margin note, which is always shown here.
  package func isNoteToggle(_ checkBox: Int32) -> Bool {
    value(.class, of: checkBox, contains: Self.toggleClass)
  }

  /// Returns whether an element has text and no blocks.
  fileprivate func isInlineText(_ node: Int32) -> Bool {
    let contents = nodes[Int(node)].contents
    return contents.contains(.text) && !contents.contains(.block)
  }

  /// Returns whether an element is a margin note without blocks, according to its neighbours.
  fileprivate func isMarginNote(_ node: Int32) -> Bool {
    guard isInlineText(node) else { return false }
    return isLaTeXMLNote(node) || isNotePopover(node)
      || followsNoteToggle(node)
        && (value(.class, of: node, contains: "sidenote")
          || value(.class, of: node, contains: "marginnote"))
  }

  private func followsNoteToggle(_ node: Int32) -> Bool {
    var before = nodes[Int(node)].previousSibling
    while let text = before, nodes[Int(text)].name == .characters, isBlank(text) {
      before = nodes[Int(text)].previousSibling
    }
    guard let before else { return false }
    return nodes[Int(before)].name == .input && isNoteToggle(before)
  }

  /// Returns whether an element repeats the number or names the kind of the LaTeXML note around it,
  /// or is a note that has nothing else.
  func isNoteLabel(_ node: Int32) -> Bool {
    guard let name = attribute(.class, of: node), bytes.contains("ltx_", in: name) else {
      return false
    }
    return isLaTeXMLNote(node) ? isEmptyNote(node) : isLabelInNote(node)
  }

  private func isLabelInNote(_ node: Int32) -> Bool {
    guard Self.noteLabelClasses.contains(where: { value(.class, of: node, contains: $0) })
    else { return false }
    guard let parent = nodes[Int(node)].parent else { return false }
    return value(.class, of: parent, contains: "ltx_note_content")
  }

  private static let noteLabelClasses: [StaticString] = [
    "ltx_note_mark", "ltx_note_type", "ltx_tag_note",
  ]

  /// Returns whether a LaTeXML note only refers to another one: it has no text but labels. At most
  /// 32 nodes are examined.
  private func isEmptyNote(_ note: Int32) -> Bool {
    guard !nodes[Int(note)].contents.contains(.image) else { return false }
    var next = nodeAfter(note, in: note)
    for _ in 0..<32 {
      guard let node = next else { break }
      if nodes[Int(node)].name == .characters {
        if !isBlank(node) { return false }
      } else if isLabelInNote(node) {
        next = nodeAfterSubtree(node, in: note)
        continue
      }
      next = nodeAfter(node, in: note)
    }
    return next == nil
  }
}
