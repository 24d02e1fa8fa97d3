import DOM

extension DocumentBuilder {
  /// Applies the font of an element if it draws symbols, or if it replaces a font that does.
  mutating func enterFont(of node: Int32, _ name: ElementName) {
    if let font = textStyle.symbolFont {
      inherited.symbolFont = font
    } else if name == .font, let face = tree.attribute(.fontFace, of: node) {
      inherited.symbolFont = tree.symbolFont(ofFace: face)
    } else if inherited.symbolFont != nil, tree.value(.style, of: node, contains: "font-family") {
      inherited.symbolFont = nil
    }
  }

  /// Appends text in a font that draws symbols. Long text is usually legible in another font.
  /// - Returns: Whether the text was appended.
  mutating func addSymbols(_ range: Range<Int>) -> Bool {
    guard let font = inherited.symbolFont, range.count <= Self.maxSymbolBytes,
      !inherited.keepsWhiteSpace, let first = tree.bytes[range].first,
      let last = tree.bytes[range].last
    else { return false }
    let symbols = font.symbols(of: String(decoding: tree.bytes[range], as: UTF8.self))
    let line = cleanedLine(Array(symbols.utf8)[...])
    guard !line.isEmpty else { return false }
    if first.isWhiteSpace { leaf.addSpace() }
    addSafeText(line)
    if last.isWhiteSpace { leaf.addSpace() }
    return true
  }

  private static let maxSymbolBytes = 48
}
