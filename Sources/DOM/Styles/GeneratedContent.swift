/// Text that a style sheet inserts before or after the content of an element, or as the marker of a
/// list item (CSS Generated Content 3 §1 and §2).
package struct GeneratedContent: Sendable, Equatable {
  /// The pseudo-element that shows the content.
  package enum PseudoElement: Sendable {
    case before, after, marker
  }

  /// A part of the value of `content`.
  enum Part: Sendable, Equatable {
    /// A string as UTF-8.
    case text([UInt8])
    /// `attr()`: the value of an attribute. The hash distinguishes names outside the vocabulary.
    case attribute(AttributeName, hash: UInt64)
    /// `counter()`: the innermost counter whose name has the hash.
    case counter(UInt64, CounterStyleName)
    /// `counters()`: all counters whose name has the hash, from the outermost, with a separator.
    case counters(UInt64, separator: [UInt8], CounterStyleName)
    case openQuote, closeQuote
  }

  /// The parts in order; empty if the rule sets no text.
  private(set) var parts: [Part] = []
  /// Whether line feeds in the text are line breaks (`white-space`); nil if the rules do not
  /// declare it.
  var keepsLineFeeds: Bool?
  /// The quotation marks of the element; nil for the usual ones.
  var quotes: QuotationMarks?

  /// Whether the content depends on counters.
  var hasCounters: Bool {
    parts.contains {
      switch $0 {
      case .counter, .counters: true
      default: false
      }
    }
  }

  private static let maxBytes = 200
  /// The maximum length of a string or attribute value; greater than `maxBytes`, so that `text`
  /// cuts a longer one between characters.
  private static let maxStringBytes = maxBytes + 1
  private static let maxParts = 16

  /// Parses the `content` property among the declarations of a rule; returns nil if there is none.
  init?(_ declarations: StyleBytes) {
    var content: [Part]?
    declarations.forEachDeclaration { property, value in
      guard property.isWord("content") else { return }
      content = Self.parseParts(of: value.trimmed) ?? []
    }
    guard let content else { return nil }
    parts = content
  }

  /// Whether the content depends on counters other than the number of the list item.
  var hasOtherCounters: Bool {
    parts.contains {
      switch $0 {
      case .counter(let name, _), .counters(let name, _, _): name != Self.listItemCounter
      default: false
      }
    }
  }

  /// Whether the content depends on the number of the list item.
  var hasListItemCounter: Bool {
    parts.contains {
      switch $0 {
      case .counter(let name, _), .counters(let name, _, _): name == Self.listItemCounter
      default: false
      }
    }
  }

  /// The hash of the name of the counter that numbers list items (CSS Lists 3 §4.6).
  static let listItemCounter = CompoundSelector.hash("list-item".utf8)

  /// Whether the content contains the value of an attribute.
  var hasAttribute: Bool {
    parts.contains { if case .attribute = $0 { true } else { false } }
  }

  /// Returns the text for an element, without private-use characters, which icon fonts use.
  /// - Parameters:
  ///   - node: The element.
  ///   - tree: The tree that contains it.
  ///   - styles: The counter styles that the style sheets define.
  ///   - counters: The values of the counters with the hash of a name, from the outermost.
  /// - Returns: The text, truncated after 200 bytes; empty if it has nothing visible and no line
  ///   break.
  func text(
    of node: Int32, in tree: DOMTree, styles: CounterStyles = CounterStyles(),
    counters: (UInt64) -> [Int32] = { _ in [] }
  ) -> GeneratedText {
    let isQuotation = tree.nodes[Int(node)].name == .q
    var text: [UInt8] = []
    for part in parts where text.count < Self.maxBytes {
      switch part {
      case .text(let bytes): text += bytes
      case .attribute(let name, let hash):
        let range =
          name == .other
          ? tree.rangeOfUnknownAttribute(hash, of: node) : tree.attribute(name, of: node)
        if let range { text += tree.bytes[range].prefix(Self.maxStringBytes) }
      case .counter(let name, let style):
        text += styles.text(of: counters(name).last ?? 0, in: style)
      case .counters(let name, let separator, let style):
        let values = counters(name)
        for (index, value) in (values.isEmpty ? [0] : values).enumerated()
        where text.count < Self.maxBytes {
          if index > 0 { text += separator }
          text += styles.text(of: value, in: style)
        }
      // A quotation has quotation marks of its own.
      case .openQuote where !isQuotation: text += quotes?.outer.open.bytes ?? Array("\u{201C}".utf8)
      case .closeQuote where !isQuotation:
        text += quotes?.outer.close.bytes ?? Array("\u{201D}".utf8)
      case .openQuote, .closeQuote: break
      }
    }
    return generatedText(text)
  }

  /// Returns the visible part of a text as `text(of:in:styles:counters:)` describes it.
  private func generatedText(_ text: [UInt8]) -> GeneratedText {
    var end = min(text.count, Self.maxBytes)
    while end < text.count, end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    let scalars = String(decoding: text[..<end], as: UTF8.self).unicodeScalars
    let shownScalars = scalars.filter { $0.properties.generalCategory != .privateUse }
    let isVisible = shownScalars.contains {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .format
    }
    guard isVisible || keepsLineFeeds != false && shownScalars.contains("\n") else {
      return GeneratedText()
    }
    return GeneratedText(
      bytes: Array(String(String.UnicodeScalarView(shownScalars)).utf8),
      hasAttributeValue: hasAttribute,
      keepsLineFeeds: keepsLineFeeds)
  }

  /// Returns the parts of a value; nil if it contains anything else.
  private static func parseParts(of value: StyleBytes) -> [Part]? {
    var parts: [Part] = []
    var rest = value
    while let first = rest.first, parts.count < maxParts {
      // An alternative text for speech, or `!important`.
      if first == UInt8(ascii: "/") || first == UInt8(ascii: "!") { break }
      if let string = consumeString(&rest) {
        parts.append(.text(Array(string.prefix(maxStringBytes))))
      } else {
        let name = rest.prefix(while: \.isNameByte)
        rest = rest[name.endIndex...]
        if name.isWord("open-quote") {
          parts.append(.openQuote)
        } else if name.isWord("close-quote") {
          parts.append(.closeQuote)
        } else {
          guard rest.first == UInt8(ascii: "("), let end = rest.endOfBlock(from: rest.startIndex)
          else { return nil }
          if !isImageFunction(name) {
            guard let part = parseFunction(name, rest[(rest.startIndex + 1)..<end]) else {
              return nil
            }
            parts.append(part)
          }
          rest = rest[(end + 1)...]
        }
      }
      rest = rest.trimmed
    }
    return parts
  }

  /// Returns whether a function is an image, which is not shown beside the text.
  private static func isImageFunction(_ name: StyleBytes) -> Bool {
    name.isWord("url") || name.suffix(9).isWord("image-set") || name.suffix(9).isWord("-gradient")
  }

  /// Parses a function; nil if it is not supported.
  private static func parseFunction(_ name: StyleBytes, _ argument: StyleBytes) -> Part? {
    var arguments = argument.parts(separator: UInt8(ascii: ",")).map(\.trimmed)
    guard let first = arguments.first, !first.isEmpty else { return nil }
    arguments.removeFirst()
    if name.isWord("attr") {
      let word = first.prefix(while: \.isNameByte)
      return .attribute(
        AttributeName.named(UnsafeBufferPointer(rebasing: word)) ?? .other,
        hash: CompoundSelector.hash(word.lazy.map(\.lowercased)))
    }
    let counter = CompoundSelector.hash(first)
    if name.isWord("counter") {
      let style = arguments.first.map { CounterStyleName($0) } ?? .predefined(.decimal)
      return .counter(counter, style)
    }
    guard name.isWord("counters"), var separator = arguments.first,
      let text = consumeString(&separator)
    else { return nil }
    let style =
      arguments.dropFirst().first.map { CounterStyleName($0) } ?? .predefined(.decimal)
    return .counters(counter, separator: Array(text.prefix(maxStringBytes)), style)
  }

  /// Consumes a string.
  /// - Returns: Its content; nil if the text does not begin with a complete string.
  static func consumeString(_ text: inout StyleBytes) -> [UInt8]? {
    guard let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    let end = text.endOfString(from: text.startIndex)
    guard end - text.startIndex >= 2, text[end - 1] == quote else { return nil }
    defer { text = text[end...] }
    return unescaped(text[(text.startIndex + 1)..<(end - 1)])
  }

  /// Decodes the escapes in a string.
  private static func unescaped(_ string: StyleBytes) -> [UInt8] {
    var result: [UInt8] = []
    var rest = string
    while let byte = rest.first {
      if byte == UInt8(ascii: "\\"), rest.count > 1 {
        result += rest.consumeEscape()
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

extension StyleBytes {
  /// The selector without a final `before`, `after` or `marker` pseudo-element, and that
  /// pseudo-element; nil if there is no such pseudo-element.
  var splitPseudoElement: (selector: Self, position: GeneratedContent.PseudoElement)? {
    guard let colon = lastIndex(of: UInt8(ascii: ":")),
      colon == startIndex || self[colon - 1] != UInt8(ascii: "\\")
    else { return nil }
    let name = self[(colon + 1)...]
    let isDouble = colon > startIndex && self[colon - 1] == UInt8(ascii: ":")
    let position: GeneratedContent.PseudoElement
    if name.isWord("before") {
      position = .before
    } else if name.isWord("after") {
      position = .after
    } else if isDouble, name.isWord("marker") {
      position = .marker
    } else {
      return nil
    }
    return (self[..<(isDouble ? colon - 1 : colon)], position)
  }
}
