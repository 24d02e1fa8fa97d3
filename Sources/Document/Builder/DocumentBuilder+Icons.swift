import DOM

// Icon fonts draw a glyph for a character of a private use area, or for a name such as
// "arrow_forward" (a ligature).

extension DocumentBuilder {
  // MARK: Icons with a meaning

  /// Adds the meaning of an icon that an empty element shows: the name of the element, a ticked or
  /// empty box at the beginning of a line, or a sign that is the only content of a table cell.
  /// - Returns: Whether the icon has a meaning and is not a control or beside text that repeats it.
  mutating func addIconMeaning(_ node: Int32) -> Bool {
    let element = tree.nodes[Int(node)]
    guard element.start < element.end, element.contents.isDisjoint(with: [.text, .image, .block]),
      inherited.linkIndex == nil,
      inherited.leafKind == .paragraph, !inherited.style.contains(.control),
      !tree.hasAttribute(.role, node),
      let range = tree.attribute(.class, of: node)
    else { return false }
    let names = tree.bytes[range].split(whereSeparator: \.isWhiteSpace)
    guard names.contains(where: { DOMTree.isIconClass($0) || Self.isIconFont($0) }) else {
      return false
    }
    if let name = tree.firstText([.ariaLabel, .title], of: node) {
      guard name.split(separator: " ").count <= Self.maxNameWords,
        !tree.value(.ariaHidden, of: node, contains: "true"), !isRepeated(name, beside: node)
      else { return false }
      addSeparatedText(name, style: .image)
      return true
    }
    let terms = names.compactMap(Self.iconTerm)
    if !leaf.isOpen, let parent = element.parent, tree.nodes[Int(parent)].contents.contains(.text),
      let box = terms.lazy.compactMap({ Self.boxes[$0] }).first
    {
      addSeparatedText(box)
      return true
    }
    guard let sign = terms.lazy.compactMap({ Self.signs[$0] }).first, isInImageOnlyCell(node) else {
      return false
    }
    addSeparatedText(sign)
    return true
  }

  /// Maximum number of words of the name of an icon; longer ones are explanations.
  private static let maxNameWords = 3

  private static func isIconFont(_ name: ArraySlice<UInt8>) -> Bool {
    iconPrefixes.contains { name.elementsEqual($0.utf8) }
  }

  /// Returns the name of an icon in a class such as `fa-check`, without the prefix of the icon
  /// font; nil if the class has none.
  private static func iconTerm(_ name: ArraySlice<UInt8>) -> String? {
    let parts = name.split(separator: UInt8(ascii: "-"), maxSplits: 1)
    guard parts.count == 2, iconPrefixes.contains(where: { parts[0].elementsEqual($0.utf8) }) else {
      return nil
    }
    return String(decoding: parts[1], as: UTF8.self)
  }

  /// The classes of widespread icon fonts, which are also the prefixes of the names of their icons.
  private static let iconPrefixes = [
    "fa", "fas", "far", "fab", "fa-solid", "fa-regular", "bi", "glyphicon", "icon", "mdi",
  ]

  /// The boxes that icons of check lists stand for, by the names of the icons.
  private static let boxes = [
    "check-square": "[x]", "check-square-o": "[x]", "square-check": "[x]", "square-o": "[ ]",
  ]

  /// The signs that icons in table cells stand for, by the names of the icons.
  private static let signs = [
    "check": "✓", "check-circle": "✓", "circle-check": "✓", "check-lg": "✓", "ok": "✓",
    "times": "✗", "times-circle": "✗", "xmark": "✗", "circle-xmark": "✗", "x": "✗", "x-lg": "✗",
    "x-circle": "✗", "remove": "✗", "close": "✗",
  ]

  /// Completes a button without text: adds its label, or else removes the opening bracket that was
  /// written for it.
  /// - Returns: Whether the button is empty and has no label.
  mutating func endEmptyButton(_ node: Int32) -> Bool {
    guard leaf.followsAddedBracket else { return false }
    if let label = tree.firstText([.ariaLabel, .title], of: node) ?? buttonLabel(node) {
      addSafeText(label)
      return false
    }
    leaf.removeBracket()
    return true
  }

  /// Returns the name of the first image or icon with a name in a button or link without text; nil
  /// if there is none.
  func iconName(below button: Int32) -> String? {
    var next = tree.nodeAfter(button, in: button)
    for _ in 0..<Self.maxIconNodes {
      guard let node = next else { break }
      switch tree.nodes[Int(node)].name {
      case .img:
        if let name = tree.firstText([.alt, .ariaLabel, .title], of: node) { return name }
      case .svg:
        if let name = tree.firstText([.ariaLabel], of: node) { return name }
      // The title of an SVG image.
      case .desc:
        let name = tree.cleanedText(below: node)
        if !name.isEmpty { return name }
      case .characters: break
      default:
        if let name = tree.firstText([.ariaLabel, .title], of: node), !hiding.hides(node, of: tree)
        {
          return name
        }
      }
      next = tree.nodeAfter(node, in: button)
    }
    return nil
  }

  /// Maximum number of nodes of a button or link that are searched for an icon with a name.
  private static let maxIconNodes = 32
}

extension DOMTree {
  /// Returns whether the text of an element with this class is the name of an icon.
  func isIcon(_ node: Int32, _ name: Range<Int>) -> Bool {
    guard
      bytes.contains("icon", in: name) || bytes.contains("symbols", in: name)
    else { return false }
    for word in bytes[name].split(whereSeparator: \.isWhiteSpace) {
      if Self.iconFontClasses.contains(where: { word.starts(with: $0.utf8) }) { return true }
      if Self.isIconClass(word), isIconName(node) { return true }
    }
    return false
  }

  private static let iconFontClasses = [
    "material-icons", "material-symbols", "google-symbols", "google-material-icons",
  ]

  /// Returns whether a class contains the word "icon" or "icons".
  fileprivate static func isIconClass(_ name: ArraySlice<UInt8>) -> Bool {
    name.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }.contains { part in
      ["icon", "icons"].contains { part.elementsEqual($0.utf8) }
    }
  }

  /// Returns whether an element contains only the name of an icon: a word in lower case that has an
  /// underscore, is hidden from screen readers, or is in an `i` element beside other text.
  private func isIconName(_ node: Int32) -> Bool {
    guard let child = nodes[Int(node)].firstChild, nodes[Int(child)].name == .characters,
      nodes[Int(child)].nextSibling == nil
    else { return false }
    let text = bytes[Int(nodes[Int(child)].start)..<Int(nodes[Int(child)].end)]
    guard text.count <= 64, let word = text.split(whereSeparator: \.isWhiteSpace).first,
      text.split(whereSeparator: \.isWhiteSpace).count == 1,
      word.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isDigit || 0x61...0x7A ~= $0 })
    else { return false }
    return word.contains(UInt8(ascii: "_")) || value(.ariaHidden, of: node, contains: "true")
      || nodes[Int(node)].name == .i && hasTextBeside(node)
  }

  private func hasTextBeside(_ node: Int32) -> Bool {
    [nodes[Int(node)].previousSibling, nodes[Int(node)].nextSibling].contains { sibling in
      guard let sibling else { return false }
      let domNode = nodes[Int(sibling)]
      guard domNode.name == .characters else { return domNode.contents.contains(.text) }
      return !isBlank(sibling)
    }
  }
}
