/// Receives the events of a parser and passes tokens to a `TreeBuilder`.
///
/// An HTML 4 parser also closes elements by its own rules. Positions distinguish these from end
/// tags of the page: all elements that a tag closes are reported at the position of that tag, and
/// the element that it names comes last.
struct TokenSink {
  /// Whether the page is XHTML.
  let isXML: Bool
  /// The tree builder that receives the tokens.
  private(set) var builder = TreeBuilder()
  /// The contents of the script and style elements of the current part that have not been read yet.
  private var rawContentRanges: ArraySlice<Range<Int>> = []
  /// The bytes of the page, to which the ranges in `rawContentRanges` refer.
  private var pageBytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The index in the bytes of the tree from which text has not been passed on yet.
  private var textStart = 0
  /// The last end tag and its position, if it has not been passed on yet.
  private var pendingEndTag: (tag: TagName, position: Int)?
  /// The position of the last start tag.
  private var lastStartTagPosition = -3

  private static let minProgramLength = 40

  /// The parts of the page that are streamed out of order.
  private var streamedParts = StreamedParts()
  private var hasShadowTrees = false
  private var hasEPUBSwitches = false

  /// The number of bytes of the style sheets so far.
  private var styleSheetSize = 0
  /// The index in the style sheet of the page at which the one that was stored last begins.
  private var lastSheetStart = 0
  /// The number of bytes of style sheets from which further style sheets are ignored.
  private static let maxStyleSheetSize = 1_000_000

  /// Creates a sink for a page of `byteCount` bytes.
  init(isXML: Bool, byteCount: Int) {
    self.isXML = isXML
    builder.reserve(byteCount)
  }

  /// Returns the tree after the end of the page.
  mutating func finish() -> (tree: DOMTree, frames: [Int32]) {
    flushText()
    builder.moveCaptions()
    builder.moveTableFeet()
    builder.moveTableHeads()
    streamedParts.moveParts(in: &builder.tree)
    if hasShadowTrees { builder.tree.flattenShadowTrees() }
    if hasEPUBSwitches { builder.tree.resolveEPUBSwitches() }
    if !builder.tree.formulaDelimiters.isEmpty { builder.tree.joinLinesOfFormulas() }
    return (builder.tree, builder.frames)
  }

  // MARK: Events

  /// Receives text, or a part of it.
  mutating func receiveText(_ text: UnsafeBufferPointer<UInt8>) {
    flushEndTag()
    if text.count == 2, text[0] == 0xC2, text[1] < 0xA0 {
      // A numeric reference to a C1 control character denotes a windows-1252 character.
      builder.tree.bytes.append(codePoint: Windows1252.codePointsFrom80[Int(text[1] - 0x80)])
    } else {
      builder.tree.bytes.append(text)
    }
  }

  /// Receives a start tag; see `MarkupReceiver`.
  mutating func receiveStartTag(
    _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, position: Int
  ) {
    lastStartTagPosition = position
    guard tag.name != .html, tag.name != .head, tag.name != .body else { return }
    flushText()
    let firstAttribute = builder.tree.attributes.count
    if let attributes { addAttributes(attributes) }
    if tag.name == .script { builder.tree.hasScripts = true }
    if tag.name == .epubSwitch { hasEPUBSwitches = true }
    if tag.name == .template {
      if let id = attributeValue(.id, from: firstAttribute) { streamedParts.record(template: id) }
      if attributeValue(.shadowRootMode, from: firstAttribute) != nil { hasShadowTrees = true }
    }
    if tag.name == .link, !builder.isForeign {
      storeEmbeddedStyleSheet(attributesFrom: firstAttribute)
    }
    if tag.name == .script || tag.name == .style {
      if let body = rawContentRanges.popFirst() {
        let isFormula = tag.name == .script && !builder.isForeign
        if isFormula,
          attributeValue(.type, from: firstAttribute)?.starts(with: "math/tex".utf8) == true
        {
          return addFormula(body, attributesFrom: firstAttribute)
        }
        storeRawContent(body, of: tag.name, attributesFrom: firstAttribute)
      }
      builder.tree.attributes.removeSubrange(firstAttribute...)
    } else {
      let formula = tag.name == .div ? formulaInAttributes(from: firstAttribute) : nil
      builder.handleStartTag(
        tag, attributesFrom: firstAttribute,
        isSelfClosing: isSelfClosing && (isXML || builder.isForeign))
      if let formula { addText(formula) }
    }
    textStart = builder.tree.bytes.count
  }

  /// Receives an end tag, or the end of an element that the parser closes; see `MarkupReceiver`.
  mutating func receiveEndTag(_ tag: TagName, position: Int) {
    // Ignores the end of a void element, which is reported at its start tag, before or after the
    // `/>`.
    guard position > lastStartTagPosition + 2 else { return }
    if pendingEndTag?.position != position { flushText() }
    pendingEndTag = (tag, position)
  }

  /// Begins another part of the page. `rawContentRanges` are the ranges of the contents of its
  /// script and style elements.
  mutating func beginPart(
    rawContentRanges: [Range<Int>], of page: UnsafeBufferPointer<UInt8>
  ) {
    flushEndTag()
    self.rawContentRanges = rawContentRanges[...]
    pageBytes = page
    lastStartTagPosition = -3
  }

  /// Passes the pending end tag, and the text after it, to the builder.
  private mutating func flushText() {
    flushEndTag()
    let end = builder.tree.bytes.count
    if textStart < end { builder.insertText(textStart..<end) }
    textStart = end
  }

  /// Passes the pending end tag to the builder.
  private mutating func flushEndTag() {
    guard let tag = pendingEndTag?.tag else { return }
    pendingEndTag = nil
    switch tag.name {
    case .html, .head, .body, .script, .style: break
    default: builder.handleEndTag(tag)
    }
  }

  // MARK: Attributes

  /// Stores the attributes of a tag and the bytes of their values in the tree.
  private mutating func addAttributes(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>) {
    var pair = attributes
    while let name = pair[0] {
      let name = UnsafeBufferPointer(cString: name)
      let start = builder.tree.bytes.count
      let attributeName = AttributeName.named(name)
      if attributeName == nil {
        builder.tree.bytes.append(name)
        builder.tree.bytes.append(UInt8(ascii: "="))
      }
      if let value = pair[1] {
        let value = UnsafeBufferPointer(cString: value)
        switch attributeName {
        case .class, .id, .role: builder.tree.bytes.append(value.firstNames)
        default: builder.tree.bytes.append(value)
        }
      }
      builder.tree.attributes.append(
        DOMTree.Attribute(
          name: attributeName ?? .other, start: UInt32(start), end: UInt32(builder.tree.bytes.count)
        ))
      pair += 2
    }
  }

  /// Returns the value of an attribute among those from the index `first`; nil if it is missing.
  private func attributeValue(_ name: AttributeName, from first: Int) -> ArraySlice<UInt8>? {
    builder.tree.attributes[first...].first { $0.name == name }
      .map { builder.tree.bytes[Int($0.start)..<Int($0.end)] }
  }

  // MARK: Contents of scripts and styles

  /// Stores the contents of a script or style element if they are used.
  private mutating func storeRawContent(
    _ body: Range<Int>, of name: ElementName, attributesFrom first: Int
  ) {
    let contents = pageBytes[body]
    if name == .style {
      guard isForAllScreens(attributesFrom: first) else { return }
      // A style element of another type is not CSS, but the input of a script (HTML §4.2.6).
      if let type = attributeValue(.type, from: first), !type.isEmpty,
        !builder.tree.bytes.withStyleBytes(type.indices, { $0.isWord("text/css") })
      {
        return
      }
      let sheet = isXML ? Array(contents).withoutCDATADelimiters : Array(contents)
      return storeStyleSheet(sheet + [0x0A])
    }
    builder.tree.formulaDelimiters.record(
      script: UnsafeBufferPointer(rebasing: contents), type: attributeValue(.type, from: first),
      source: attributeValue(.src, from: first))
    guard let kind = structuredDataKind(attributeValue(.type, from: first)) else { return }
    if kind == .program { streamedParts.record(script: UnsafeBufferPointer(rebasing: contents)) }
    // Shorter programs cannot contain useful data.
    guard kind != .program || contents.count >= Self.minProgramLength else { return }
    let start = builder.tree.bytes.count
    builder.tree.bytes.append(contentsOf: contents)
    builder.tree.structuredData.append(
      DOMTree.StructuredData(
        kind: kind, start: UInt32(start), end: UInt32(builder.tree.bytes.count)))
  }

  /// Whether the `media` attribute of a style sheet applies it to screens of all sizes, as opposed
  /// to other media, such as print, or to screens of some sizes only.
  private func isForAllScreens(attributesFrom first: Int) -> Bool {
    guard let media = attributeValue(.media, from: first)?.indices else { return true }
    return builder.tree.bytes.withStyleBytes(media) {
      MediaQueryList.matches($0) && !MediaQueryList.dependsOnSize($0)
    }
  }

  /// Stores the style sheet that a `link` contains as a `data:` URL. Programs that save a page in
  /// one file embed its style sheets in this way.
  private mutating func storeEmbeddedStyleSheet(attributesFrom first: Int) {
    guard let reference = attributeValue(.href, from: first), EmbeddedData.hasScheme(reference),
      reference.count < 2 * Self.maxStyleSheetSize,
      let relation = attributeValue(.rel, from: first)?.indices,
      builder.tree.bytes.contains("stylesheet", in: relation),
      !builder.tree.bytes.contains("alternate", in: relation),
      attributeValue(.disabled, from: first) == nil, isForAllScreens(attributesFrom: first),
      let sheet = EmbeddedData(url: reference), sheet.mediaType.elementsEqual("text/css".utf8)
    else { return }
    storeStyleSheet(sheet.content)
  }

  /// Returns a style sheet after those that it imports from `data:` URLs.
  private static func sheetWithEmbeddedImports(_ sheet: [UInt8], depth: Int = 0) -> [UInt8] {
    guard depth < maxImportDepth else { return sheet }
    var imported: [UInt8] = []
    for rule in StyleImports(of: sheet).all {
      let reference = Array(rule.reference.utf8)[...]
      guard EmbeddedData.hasScheme(reference), let data = EmbeddedData(url: reference),
        data.mediaType.elementsEqual("text/css".utf8)
      else { continue }
      if !rule.condition.isEmpty { imported += "@media \(rule.condition) {".utf8 }
      let start = imported.count
      imported += sheetWithEmbeddedImports(data.content, depth: depth + 1)
      imported.closeStyleSheet(from: start)
      if !rule.condition.isEmpty { imported += "}\n".utf8 }
    }
    return imported.isEmpty ? sheet : imported + sheet
  }

  /// The maximum depth of style sheets that import each other.
  private static let maxImportDepth = 4

  /// Stores a style sheet; that of a shadow tree applies only within it.
  private mutating func storeStyleSheet(_ sheet: [UInt8]) {
    guard styleSheetSize < Self.maxStyleSheetSize else { return }
    let sheet = Self.sheetWithEmbeddedImports(sheet)
    styleSheetSize += sheet.count
    if hasShadowTrees, let template = builder.shadowTemplate {
      var closedSheet = sheet
      closedSheet.closeStyleSheet(from: 0)
      builder.tree.addShadowStyleSheet(closedSheet, in: template)
    } else {
      if !builder.tree.styleSheet.isEmpty {
        builder.tree.styleSheet.closeStyleSheet(from: lastSheetStart)
      }
      lastSheetStart = builder.tree.styleSheet.count
      builder.tree.styleSheet += sheet
    }
  }

  /// Adds a MathJax script as a formula: a `math` element with the same attributes and the TeX
  /// source as its text.
  private mutating func addFormula(_ body: Range<Int>, attributesFrom first: Int) {
    builder.handleStartTag(TagName(.math), attributesFrom: first, isSelfClosing: false)
    addText(pageBytes[body])
    builder.handleEndTag(TagName(.math))
  }

  /// Inserts text into the current node.
  private mutating func addText(_ text: some Collection<UInt8>) {
    let start = builder.tree.bytes.count
    builder.tree.bytes.append(contentsOf: text)
    textStart = builder.tree.bytes.count
    if start < textStart { builder.insertText(start..<textStart) }
  }

  /// Returns the formula that an empty element of Substack has in an attribute among those from the
  /// index `first`, as TeX between delimiters; nil for other elements.
  private func formulaInAttributes(from first: Int) -> [UInt8]? {
    guard attributeValue(.class, from: first)?.elementsEqual("latex-rendered".utf8) == true,
      let settings = attributeValue(.scriptSettings, from: first),
      let source = JSONValue(Array(settings))?["persistentExpression"]?.string
    else { return nil }
    return Array("\\[\(source)\\]".utf8)
  }

  /// Returns the kind of data in a script by its media type, without parameters; nil if it is
  /// neither JSON nor a program.
  private func structuredDataKind(_ type: ArraySlice<UInt8>?) -> DOMTree.StructuredData.Kind? {
    guard let type, !type.isEmpty else { return .program }
    let value = type.prefix { $0 != UInt8(ascii: ";") }
      .lazy.filter { !$0.isWhiteSpace }.map(\.lowercased)
    if value.elementsEqual("application/ld+json".utf8) { return .linkedData }
    if value.suffix(5).elementsEqual("/json".utf8) || value.suffix(5).elementsEqual("+json".utf8) {
      return .state
    }
    let isProgram =
      value.elementsEqual("module".utf8) || value.suffix(11).elementsEqual("/javascript".utf8)
    return isProgram ? .program : nil
  }
}

extension [UInt8] {
  /// The text of an element without CDATA section delimiters.
  fileprivate var withoutCDATADelimiters: [UInt8] {
    var result: [UInt8] = []
    var rest = self[...]
    while let first = rest.first {
      if rest.starts(with: "<![CDATA[".utf8) {
        rest = rest.dropFirst(9)
      } else if rest.starts(with: "]]>".utf8) {
        rest = rest.dropFirst(3)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The names in the first 4096 bytes, because those of an element are also searched for each of
  /// its descendants.
  fileprivate var firstNames: Self {
    let maxLength = 4096
    guard count > maxLength else { return self }
    let end = self[..<maxLength].lastIndex(where: \.isWhiteSpace) ?? 0
    return Self(rebasing: self[..<end])
  }

  /// Creates a buffer of the bytes of a C string without the terminating NUL.
  init(cString: UnsafePointer<UInt8>) {
    var end = cString
    while end.pointee != 0 { end += 1 }
    self.init(start: cString, count: end - cString)
  }
}
