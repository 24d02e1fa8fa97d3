/// Receives what a parser says of a page, one call an event, and puts it into a `TreeBuilder`.
///
/// A parser of HTML 4 ends elements by its own rules, too. Which ends the page has itself is told by
/// their places: all that one tag ends is reported at the place of that tag, and last what it names.
struct TokenSink {
  /// The page follows the rules of XML.
  let isXML: Bool
  /// Takes the tokens.
  private(set) var builder = TreeBuilder()
  /// The contents of script and style elements that come next.
  private var bodies: ArraySlice<Range<Int>> = []
  /// The bytes of the page that they are ranges of.
  private var page = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Where in the bytes of the tree the text begins that was not handed on yet.
  private var textStart = 0
  /// The end tag that was read last, and its place, while it is not handed on.
  private var endTag: (tag: TagName, place: Int)?
  /// The place of the start tag that was read last.
  private var startPlace = -3

  private static let shortProgram = 40

  /// What the page has for places before it.
  private var streamed = StreamedParts()
  /// Whether elements have shadow trees.
  private var hasShadowTrees = false

  /// The most bytes of style sheets that are kept.
  private static let styleSheetLimit = 1_000_000

  /// Makes a sink for a page of so many bytes.
  init(isXML: Bool, count: Int) {
    self.isXML = isXML
    builder.reserve(count)
  }

  /// The tree, when the page has ended.
  mutating func finish() -> (tree: DOMTree, frames: [Int32]) {
    flush()
    builder.placeFeet()
    streamed.place(in: &builder.tree)
    if hasShadowTrees { builder.tree.showShadowTrees() }
    return (builder.tree, builder.frames)
  }

  // MARK: Events

  /// Text, or a part of one.
  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    flushEndTag()
    if text.count == 2, text[0] == 0xC2, text[1] < 0xA0 {
      // What a numeric reference to a C1 control character means.
      builder.tree.bytes.append(codePoint: Windows1252.upper[Int(text[1] - 0x80)])
    } else {
      builder.tree.bytes.append(text)
    }
  }

  /// A start tag; see `MarkupReceiver`.
  mutating func startTag(
    _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, place: Int
  ) {
    startPlace = place
    guard tag.name != .html, tag.name != .head, tag.name != .body else { return }
    flush()
    let first = builder.tree.attributes.count
    if let attributes { add(attributes) }
    if tag.name == .script { builder.tree.hasScripts = true }
    if tag.name == .template {
      if let id = value(.id, from: first) { streamed.note(template: id) }
      if value(.shadowRootMode, from: first) != nil { hasShadowTrees = true }
    }
    if tag.name == .script || tag.name == .style {
      if let body = bodies.popFirst() {
        let isFormula = tag.name == .script && !builder.isForeign
        if isFormula, value(.type, from: first)?.starts(with: "math/tex".utf8) == true {
          return addFormula(body, attributesFrom: first)
        }
        take(body, of: tag.name, attributesFrom: first)
      }
      builder.tree.attributes.removeSubrange(first...)
    } else {
      builder.startTag(
        tag, attributesFrom: first, isSelfClosing: isSelfClosing && (isXML || builder.isForeign))
    }
    textStart = builder.tree.bytes.count
  }

  /// An end tag, or an element that the parser ends; see `MarkupReceiver`.
  mutating func endTag(_ tag: TagName, place: Int) {
    // What has no content is ended where it begins, before or behind the `/>`.
    guard place > startPlace + 2 else { return }
    if endTag?.place != place { flush() }
    endTag = (tag, place)
  }

  /// Another part of the page begins; `bodies` is where in the page the contents of the script and style
  /// elements stand that come next.
  mutating func beginPart(bodies: [Range<Int>], of page: UnsafeBufferPointer<UInt8>) {
    flushEndTag()
    self.bodies = bodies[...]
    self.page = page
    startPlace = -3
  }

  private mutating func flush() {
    flushEndTag()
    let end = builder.tree.bytes.count
    if textStart < end { builder.characters(textStart..<end) }
    textStart = end
  }

  private mutating func flushEndTag() {
    guard let tag = endTag?.tag else { return }
    endTag = nil
    switch tag.name {
    case .html, .head, .body, .script, .style: break
    default: builder.endTag(tag)
    }
  }

  // MARK: Attributes

  private mutating func add(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>) {
    var pair = attributes
    while let name = pair[0] {
      let name = UnsafeBufferPointer(cString: name)
      let start = builder.tree.bytes.count
      let known = AttributeName.named(name)
      if known == nil {
        builder.tree.bytes.append(name)
        builder.tree.bytes.append(UInt8(ascii: "="))
      }
      if let value = pair[1] {
        builder.tree.bytes.append(UnsafeBufferPointer(cString: value))
      }
      builder.tree.attributes.append(
        DOMTree.Attribute(
          name: known ?? .other, start: UInt32(start), end: UInt32(builder.tree.bytes.count)))
      pair += 2
    }
  }

  /// The value of one of the attributes from `first` on.
  private func value(_ name: AttributeName, from first: Int) -> ArraySlice<UInt8>? {
    builder.tree.attributes[first...].first { $0.name == name }
      .map { builder.tree.bytes[Int($0.start)..<Int($0.end)] }
  }

  // MARK: Contents of scripts and styles

  /// Takes the contents of a script or style element.
  private mutating func take(_ body: Range<Int>, of name: ElementName, attributesFrom first: Int) {
    let contents = page[body]
    if name == .style {
      // Those of a shadow tree hold in it alone.
      if hasShadowTrees, builder.isInShadowTree { return }
      // Style sheets for paper and the like are not read.
      if let media = value(.media, from: first)?.indices,
        !builder.tree.bytes.withStyle(media, \.holdsOnScreen)
      {
        return
      }
      guard builder.tree.styleSheet.count < Self.styleSheetLimit else { return }
      builder.tree.styleSheet += isXML ? Array(contents).withoutSectionMarks : Array(contents)
      builder.tree.styleSheet.append(0x0A)
      return
    }
    builder.tree.formulaDelimiters.note(
      script: UnsafeBufferPointer(rebasing: contents), type: value(.type, from: first),
      source: value(.src, from: first))
    guard let kind = structuredDataKind(value(.type, from: first)) else { return }
    if kind == .program { streamed.note(program: UnsafeBufferPointer(rebasing: contents)) }
    // A program that short begins with nothing that could be read.
    guard kind != .program || contents.count >= Self.shortProgram else { return }
    let start = builder.tree.bytes.count
    builder.tree.bytes.append(contentsOf: contents)
    builder.tree.structuredData.append(
      DOMTree.StructuredData(
        kind: kind, start: UInt32(start), end: UInt32(builder.tree.bytes.count)))
  }

  /// Adds a script of MathJax as what it stands for: a `math` element, with its attributes and TeX in it.
  private mutating func addFormula(_ body: Range<Int>, attributesFrom first: Int) {
    builder.startTag(TagName(.math), attributesFrom: first, isSelfClosing: false)
    let start = builder.tree.bytes.count
    builder.tree.bytes.append(contentsOf: page[body])
    textStart = builder.tree.bytes.count
    if start < textStart { builder.characters(start..<textStart) }
    builder.endTag(TagName(.math))
  }

  /// What data a script may hold; nil for what is neither JSON nor a program. Parameters of the type
  /// (`charset`) do not count.
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

/// Sends what libxml2 reports to a sink.
final class TreeReceiver: MarkupReceiver {
  private let sink: UnsafeMutablePointer<TokenSink>

  init(_ sink: UnsafeMutablePointer<TokenSink>) {
    self.sink = sink
    super.init()
  }

  override func characters(_ text: UnsafeBufferPointer<UInt8>) { sink.pointee.characters(text) }

  override func startTag(
    _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, place: Int
  ) {
    sink.pointee.startTag(tag, attributes: attributes, isSelfClosing: isSelfClosing, place: place)
  }

  override func endTag(_ tag: TagName, place: Int) { sink.pointee.endTag(tag, place: place) }
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

extension UnsafeBufferPointer<UInt8> {
  /// The bytes of a C string, without the NUL at its end.
  init(cString: UnsafePointer<UInt8>) {
    var end = cString
    while end.pointee != 0 { end += 1 }
    self.init(start: cString, count: end - cString)
  }
}

/// The name of a tag.
struct TagName: Equatable {
  /// The element; `other` for one that the project does not know.
  let name: ElementName
  /// Tells unknown names from each other.
  let hash: UInt32

  init(_ name: ElementName) {
    self.name = name
    hash = 0
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    name = ElementName.named(bytes)
    guard name == .other else {
      hash = 0
      return
    }
    // FNV-1a
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte.lowercased)) &* 0x0100_0193 }
    self.hash = hash
  }
}
