// The parser works in place: the bytes of the page stay where they are, and the nodes of the tree
// are ranges of them. What a character reference stands for is never longer than the reference
// (but for two of the 2231, see `Tokenizer+Text`), so it is written over it and the text behind it
// moves up.

/// The tokenization stage of HTML (HTML standard, section 13.2.5) over the bytes of a page as they
/// come in. The tokens go to a `TreeBuilder`.
///
/// The bytes are UTF-8 without NUL, as `CharacterEncoding` makes them.
struct Tokenizer {
  /// The page follows the rules of XML: CDATA sections and `<br/>` for any element.
  let isXML: Bool
  /// Takes the tokens.
  var builder = TreeBuilder()
  /// The value of `lang` on the html element.
  private(set) var language: [UInt8] = []
  /// The `dir` of the body, or of the html element.
  private(set) var direction: [UInt8] = []
  /// The contents of style elements.
  private(set) var styleSheet: [UInt8] = []
  /// Where in `styleSheet` the last element begins.
  private var lastStyleSheet = 0
  /// Hashes of the attributes that rules of the page name and the project does not know.
  private(set) var namesInRules: Set<UInt64> = []
  /// The contents of script elements that hold JSON, or may.
  private(set) var structuredData: [DOMTree.StructuredData] = []

  /// The bytes of the page so far; valid while `run` runs.
  var page = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  /// Text that was read and not handed on yet.
  var text = 0..<0
  private var state = State.markup

  /// What the next bytes are.
  private enum State {
    case markup
    case comment
    /// Contents of an element up to its end tag.
    case raw(ElementName, Treatment)
  }

  /// What happens to contents that are not markup.
  enum Treatment: Equatable {
    case drop, styleSheet, text, textWithReferences
    case structuredData(DOMTree.StructuredData.Kind)
  }

  private static let shortProgram = 40

  /// The most bytes of style sheets that are kept.
  private static let styleSheetLimit = 1_000_000

  init(isXML: Bool) {
    self.isXML = isXML
  }

  /// The bytes of the page, for reading.
  var input: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(page) }

  /// Reads tokens from `start` on; with `isLast` the page ends with these bytes.
  /// - Returns: Where reading goes on; the bytes from there belong to a token that is not complete.
  mutating func run(
    _ page: UnsafeMutableBufferPointer<UInt8>, from start: Int, isLast: Bool
  ) -> Int {
    self.page = page
    var index = start
    while index < page.count {
      let next: Int?
      switch state {
      case .markup: next = readMarkup(at: index, isLast: isLast)
      case .comment: next = skipComment(from: index, isLast: isLast)
      case .raw(let name, let treatment):
        next = readRaw(name, treatment, at: index, isLast: isLast)
      }
      guard let next, next > index else { break }
      index = next
    }
    if isLast { flushText() }
    self.page = UnsafeMutableBufferPointer(start: nil, count: 0)
    return isLast ? page.count : index
  }

  /// Reads text up to the next token, or that token. Nil when more bytes are needed.
  private mutating func readMarkup(at start: Int, isLast: Bool) -> Int? {
    let index = input.firstIndexOfMarkup(from: start)
    if index > start {
      addText(start..<index)
      return index
    }
    if page[index] == UInt8(ascii: "&") {
      return readReference(at: index, isLast: isLast)
    }
    guard index + 1 < page.count else { return isLast ? readLiteral(index..<index + 1) : nil }
    switch page[index + 1] {
    case UInt8(ascii: "/"):
      guard index + 2 < page.count else { return isLast ? readLiteral(index..<index + 2) : nil }
      guard page[index + 2].isLetter else { return skip(past: index + 2, isLast: isLast) }
      return readEndTag(at: index, isLast: isLast)
    case UInt8(ascii: "!"): return readDeclaration(at: index, isLast: isLast)
    case UInt8(ascii: "?"): return skip(past: index + 1, isLast: isLast)
    case let byte where byte.isLetter: return readStartTag(at: index, isLast: isLast)
    default: return readLiteral(index..<index + 1)
    }
  }

  private mutating func readLiteral(_ range: Range<Int>) -> Int {
    addText(range)
    return range.upperBound
  }

  /// Comments, document types and CDATA sections.
  private mutating func readDeclaration(at start: Int, isLast: Bool) -> Int? {
    if input.hasPrefix("<!--", at: start) {
      // `<!-->` and `<!--->` are complete.
      if input.hasPrefix(">", at: start + 4) { return start + 5 }
      if input.hasPrefix("->", at: start + 4) { return start + 6 }
      guard start + 6 <= page.count || isLast else { return nil }
      state = .comment
      return start + 4
    }
    if isXML || builder.isForeign, input.hasPrefix("<![CDATA[", at: start) {
      return readCharacterData(from: start + 9, isLast: isLast)
    }
    guard start + 9 <= page.count || isLast else { return nil }
    return skip(past: start + 2, isLast: isLast)
  }

  private mutating func readCharacterData(from start: Int, isLast: Bool) -> Int? {
    var end = input.firstIndex(of: UInt8(ascii: "]"), from: start)
    while end < page.count, !input.hasPrefix("]]>", at: end) {
      end = input.firstIndex(of: UInt8(ascii: "]"), from: end + 1)
    }
    guard end < page.count || isLast else { return nil }
    addText(start..<end)
    return min(page.count, end + 3)
  }

  private mutating func skipComment(from start: Int, isLast: Bool) -> Int? {
    var index = start
    while true {
      index = input.firstIndex(of: UInt8(ascii: "-"), from: index)
      if input.hasPrefix("-->", at: index) {
        state = .markup
        return index + 3
      }
      if input.hasPrefix("--!>", at: index) {
        state = .markup
        return index + 4
      }
      if index + 4 > page.count { return isLast ? page.count : index > start ? index : nil }
      index += 1
    }
  }

  /// Skips up to the next `>`.
  private func skip(past start: Int, isLast: Bool) -> Int? {
    let index = input.firstIndex(of: UInt8(ascii: ">"), from: start)
    return index < page.count ? index + 1 : isLast ? index : nil
  }

  // MARK: Tags

  private mutating func readStartTag(at start: Int, isLast: Bool) -> Int? {
    let nameEnd = input.endOfName(from: start + 1)
    guard nameEnd < page.count else { return isLast ? page.count : nil }
    let tagName = TagName(UnsafeBufferPointer(rebasing: input[start + 1..<nameEnd]))
    let first = builder.tree.attributes.count
    let isKept = tagName.name != .head
    guard let tag = readAttributes(from: nameEnd, isKept: isKept) else {
      builder.tree.attributes.removeSubrange(first...)
      return isLast ? page.count : nil
    }
    flushText()
    decodeAttributes(from: first)
    var treatment = tagName.name.treatment
    if tagName.name == .html || tagName.name == .body {
      takeLocale(from: first, isInner: tagName.name == .body)
    } else if tagName.name.isDropped {
      if tagName.name == .style, !isForScreen(attributesFrom: first) { treatment = .drop }
      if tagName.name == .script, let kind = structuredDataKind(attributesFrom: first) {
        treatment = .structuredData(kind)
      }
      builder.tree.attributes.removeSubrange(first...)
      if tag.isSelfClosing, isXML { return tag.end }
    } else {
      let isSelfClosing = tag.isSelfClosing && (isXML || builder.isForeign)
      builder.startTag(tagName, attributesFrom: first, isSelfClosing: isSelfClosing)
      if isSelfClosing { return tag.end }
    }
    if let treatment, !builder.isForeign || tagName.name.isDropped {
      state = .raw(tagName.name, treatment)
    }
    return tag.end
  }

  /// Whether a style sheet is for screens (its `media` says nothing else).
  private func isForScreen(attributesFrom first: Int) -> Bool {
    guard let media = builder.tree.attributes[first...].first(where: { $0.name == .media }) else {
      return true
    }
    return input[Int(media.start)..<Int(media.end)].holdsOnScreen
  }

  /// What data a script may hold; nil for what is neither JSON nor a program. Parameters of the type
  /// (`charset`) do not count.
  private func structuredDataKind(
    attributesFrom first: Int
  ) -> DOMTree.StructuredData.Kind? {
    guard let type = builder.tree.attributes[first...].first(where: { $0.name == .type }),
      type.end > type.start
    else { return .program }
    let value = page[Int(type.start)..<Int(type.end)].prefix { $0 != UInt8(ascii: ";") }
      .lazy.filter { !$0.isWhiteSpace }.map(\.lowercased)
    if value.elementsEqual("application/ld+json".utf8) { return .linkedData }
    if value.suffix(5).elementsEqual("/json".utf8) || value.suffix(5).elementsEqual("+json".utf8) {
      return .state
    }
    let isProgram =
      value.elementsEqual("module".utf8) || value.suffix(11).elementsEqual("/javascript".utf8)
    return isProgram ? .program : nil
  }

  private mutating func readEndTag(at start: Int, isLast: Bool) -> Int? {
    let nameEnd = input.endOfName(from: start + 2)
    guard nameEnd < page.count, let tag = readAttributes(from: nameEnd, isKept: false) else {
      return isLast ? page.count : nil
    }
    flushText()
    let tagName = TagName(UnsafeBufferPointer(rebasing: input[start + 2..<nameEnd]))
    if !tagName.name.isDropped, tagName.name != .html { builder.endTag(tagName) }
    return tag.end
  }

  /// Reads `lang` and `dir` from the attributes of the html element, or of the body, which is inside it.
  private mutating func takeLocale(from first: Int, isInner: Bool) {
    let attributes = builder.tree.attributes[first...]
    func value(_ name: AttributeName) -> [UInt8]? {
      attributes.first { $0.name == name }.map { Array(page[Int($0.start)..<Int($0.end)]) }
    }
    if isInner || language.isEmpty { language = value(.lang) ?? language }
    if isInner || direction.isEmpty { direction = value(.dir) ?? direction }
    builder.tree.attributes.removeSubrange(first...)
  }

  // MARK: Contents without markup

  /// Contents of an element that holds no markup, up to its end tag.
  private mutating func readRaw(
    _ name: ElementName, _ treatment: Treatment, at start: Int, isLast: Bool
  ) -> Int? {
    var index = start
    var isEscaped = false
    var isDoublyEscaped = false
    search: while index < page.count {
      index = input.firstIndex(
        of: UInt8(ascii: "<"), or: isEscaped ? UInt8(ascii: "-") : UInt8(ascii: "<"), from: index)
      guard index < page.count else { break }
      if name == .script {
        // A script inside a comment inside a script does not end the outer one.
        guard index + 9 <= page.count || isLast else { break }
        if input.hasPrefix("<!--", at: index) {
          isEscaped = true
        } else if input.hasPrefix("-->", at: index) {
          isEscaped = false
          isDoublyEscaped = false
        } else if isEscaped, input.hasTag("<script", at: index) {
          isDoublyEscaped = true
        } else if isDoublyEscaped, input.hasTag("</script", at: index) {
          isDoublyEscaped = false
          index += 1
          continue
        }
      }
      // Plain text has no end.
      switch name == .plaintext ? .missing : input.endTag(name, at: index, isLast: isLast) {
      case .found(let afterName) where !isDoublyEscaped:
        guard let tag = readAttributes(from: afterName, isKept: false) else {
          return isLast ? page.count : nil
        }
        take(start..<index, treatment)
        endRaw(name)
        return tag.end
      case .incomplete: break search
      default: index += 1
      }
    }
    // The contents go on after these bytes. A script is kept whole: its state is not carried over.
    if isLast {
      take(start..<page.count, treatment)
      endRaw(name)
      return page.count
    }
    if name == .script || treatment == .textWithReferences { return nil }
    take(start..<index, treatment)
    return index
  }

  private mutating func endRaw(_ name: ElementName) {
    flushText()
    state = .markup
    if name == .style, !styleSheet.isEmpty {
      namesInRules.formUnion(AttributeSelector.unknownNames(in: styleSheet[lastStyleSheet...]))
      styleSheet.append(0x0A)
      lastStyleSheet = styleSheet.count
    }
    if !name.isDropped { builder.endTag(TagName(name)) }
  }

  private mutating func take(_ contents: Range<Int>, _ treatment: Treatment) {
    switch treatment {
    case .drop: break
    case .styleSheet:
      guard styleSheet.count < Self.styleSheetLimit else { return }
      if isXML {
        styleSheet.append(contentsOf: Array(page[contents]).withoutSectionMarks)
      } else {
        styleSheet.append(contentsOf: page[contents])
      }
    case .structuredData(let kind):
      // A program that short begins with nothing that could be read.
      if kind == .program, contents.count < Self.shortProgram { return }
      structuredData.append(
        DOMTree.StructuredData(
          kind: kind, start: UInt32(contents.lowerBound), end: UInt32(contents.upperBound)))
    case .text: addText(contents)
    case .textWithReferences: addDecoded(contents)
    }
  }
}

extension [UInt8] {
  /// The text of an element without the marks around its CDATA sections.
  fileprivate var withoutSectionMarks: [UInt8] {
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

extension ElementName {
  /// Elements that make no node.
  fileprivate var isDropped: Bool {
    switch self {
    case .head, .body, .script, .style: true
    default: false
    }
  }

  /// What happens to the contents of an element that holds no markup; nil for all others.
  fileprivate var treatment: Tokenizer.Treatment? {
    switch self {
    case .script, .iframe, .noembed: .drop
    case .style: .styleSheet
    case .title, .textarea: .textWithReferences
    case .xmp, .plaintext: .text
    default: nil
    }
  }
}
