import DOM

// Icon fonts draw a glyph for a character of a private use area, or for a name such as
// "arrow_forward" (a ligature).

extension DocumentBuilder {
  /// Returns whether the text of an element with this class is the name of an icon.
  func isIcon(_ node: Int32, _ name: Range<Int>) -> Bool {
    guard
      tree.bytes.contains("icon", in: name) || tree.bytes.contains("symbols", in: name)
    else { return false }
    for word in tree.bytes[name].split(whereSeparator: \.isWhiteSpace) {
      if Self.iconFonts.contains(where: { word.starts(with: $0.utf8) }) { return true }
      if isIconClass(word), isIconName(node) { return true }
    }
    return false
  }

  private static let iconFonts = [
    "material-icons", "material-symbols", "google-symbols", "google-material-icons",
  ]

  /// Returns whether a class contains the word "icon" or "icons".
  private func isIconClass(_ name: ArraySlice<UInt8>) -> Bool {
    name.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }.contains { part in
      ["icon", "icons"].contains { part.elementsEqual($0.utf8) }
    }
  }

  /// Returns whether an element contains only the name of an icon: a word in lower case that has an
  /// underscore, is hidden from screen readers, or is in an `i` element beside other text.
  private func isIconName(_ node: Int32) -> Bool {
    let child = tree.nodes[Int(node)].firstChild
    guard child >= 0, tree.nodes[Int(child)].name == .characters,
      tree.nodes[Int(child)].nextSibling < 0
    else { return false }
    let text = tree.bytes[Int(tree.nodes[Int(child)].start)..<Int(tree.nodes[Int(child)].end)]
    guard text.count <= 64, let word = text.split(whereSeparator: \.isWhiteSpace).first,
      text.split(whereSeparator: \.isWhiteSpace).count == 1,
      word.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isDigit || 0x61...0x7A ~= $0 })
    else { return false }
    return word.contains(UInt8(ascii: "_")) || tree.value(.ariaHidden, of: node, contains: "true")
      || tree.nodes[Int(node)].name == .i && hasTextBeside(node)
  }

  private func hasTextBeside(_ node: Int32) -> Bool {
    [tree.nodes[Int(node)].previousSibling, tree.nodes[Int(node)].nextSibling].contains { sibling in
      guard sibling >= 0 else { return false }
      let own = tree.nodes[Int(sibling)]
      guard own.name == .characters else { return own.contents.contains(.text) }
      return !tree.isBlank(sibling)
    }
  }

  /// Removes the bracket that began a button without text, or fills it with the name of the button.
  /// - Returns: Whether the button is empty and has no name.
  mutating func endEmptyButton(_ node: Int32) -> Bool {
    guard document.text.count == noSpaceOffset, document.text.last == UInt8(ascii: "[") else {
      return false
    }
    if let label = firstText([.ariaLabel, .title], of: node) {
      addLiteral(label)
      return false
    }
    document.text.removeLast()
    let run = document.runs.count - 1
    document.runs[run].end -= 1
    if document.runs[run].end == document.runs[run].start { document.runs.removeLast() }
    if document.runs.count == Int(leafRun) { leafRun = -1 }
    return true
  }
}
