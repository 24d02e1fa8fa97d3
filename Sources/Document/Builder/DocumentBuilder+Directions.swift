import DOM

// The direction of parts of a line.

extension DocumentBuilder {
  /// Records the bidirectional isolate of a `bdi` element, of an element with a valid `dir`
  /// attribute, or of one that styles isolate.
  mutating func recordIsolate(_ frame: ElementState, _ name: ElementName) {
    let node = tree.nodes[Int(frame.node)]
    let end = leaf.textEnd
    let isStyled = frame.unicodeBidi == .isolate || frame.unicodeBidi == .bidiOverride
    guard name == .bdi || isStyled || node.start < node.end, frame.textStart < end else { return }
    let declared = tree.attribute(.dir, of: frame.node).flatMap {
      Document.Direction.parse(attribute: tree.bytes[$0])
    }
    guard name == .bdi || isStyled || declared != nil else { return }
    // The pending space before the element was written after it began.
    let start = leaf.text[frame.textStart...].firstIndex { $0 != 0x20 } ?? frame.textStart
    document.isolates.append(
      Document.Isolate(
        start: UInt32(start), end: UInt32(end),
        direction: declared ?? frame.direction,
        isOverride: name == .bdo || frame.unicodeBidi == .bidiOverride))
  }

  /// Adds the text of an element whose characters are forced from right to left (`bdo`,
  /// `unicode-bidi: bidi-override`) as it is seen, if it consists of letters that are read from
  /// left to right. Pages obscure email addresses in this way.
  /// - Returns: Whether the text was added.
  mutating func addReversedText(_ node: Int32, _ name: ElementName) -> Bool {
    guard name == .bdo || textStyle.unicodeBidi == .bidiOverride, !inherited.keepsWhiteSpace,
      inherited.leafKind != .preformatted,
      isRightToLeft(node), let bytes = shownText(below: node)
    else { return false }
    let text = cleanedLine(bytes[...])
    guard text.unicodeScalars.allSatisfy(\.isLeftToRight),
      text.contains(where: { $0.isLetter || $0.isNumber })
    else { return false }
    if bytes.last?.isWhiteSpace == true { leaf.addSpace() }
    addSafeText(String(text.reversed().map { Self.mirroredCharacters[$0] ?? $0 }))
    if bytes.first?.isWhiteSpace == true { leaf.addSpace() }
    return true
  }

  /// Returns whether the attribute or the style of an element declares its direction as right to
  /// left.
  private func isRightToLeft(_ node: Int32) -> Bool {
    if let declared = textStyle.isRightToLeft { return declared }
    guard let range = tree.attribute(.dir, of: node) else { return false }
    let declared = Document.Direction.parse(attribute: tree.bytes[range]) ?? nil
    return declared == .rightToLeft
  }

  /// Returns the text below an element that is not hidden; nil if it is long, or if the element
  /// contains more than text and its formatting.
  private func shownText(below root: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var next = tree.nodeAfter(root, in: root)
    for _ in 0..<Self.maxReversedNodes {
      guard let node = next else { break }
      let domNode = tree.nodes[Int(node)]
      switch domNode.name {
      case .characters: bytes += tree.bytes[Int(domNode.start)..<Int(domNode.end)]
      case .span, .b, .i, .em, .strong, .small, .font: break
      default: return nil
      }
      guard bytes.count <= Self.maxReversedLength else { return nil }
      let isHidden = domNode.name != .characters && hiding.hides(node, of: tree)
      next = isHidden ? tree.nodeAfterSubtree(node, in: root) : tree.nodeAfter(node, in: root)
    }
    return next == nil ? bytes : nil
  }

  private static let maxReversedNodes = 64
  private static let maxReversedLength = 400

  /// Characters that are mirrored in text from right to left (UAX 9, rule L4).
  private static let mirroredCharacters: [Character: Character] = [
    "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»",
    "»": "«",
  ]
}

extension Unicode.Scalar {
  /// Whether the character is not in the blocks of scripts that are written from right to left.
  fileprivate var isLeftToRight: Bool {
    value < 0x0590 || 0x1E00..<0x2E80 ~= value
  }
}
