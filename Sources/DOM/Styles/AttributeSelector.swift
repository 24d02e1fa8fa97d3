/// An attribute selector (Selectors Level 4 §6), such as `[hidden]` or `[class^="col-"]`.
struct AttributeSelector: Sendable, Hashable {
  /// The attribute; `other` if the name is not in the vocabulary.
  let name: AttributeName
  /// A hash that distinguishes unknown names.
  private let nameHash: UInt64
  private let comparison: Comparison
  private let value: [UInt8]
  private let ignoresCase: Bool

  /// The comparison of the attribute with the value.
  private enum Comparison {
    case isPresent, isEqual, hasWord, isLanguagePrefix, hasPrefix, hasSuffix, contains

    /// Creates the comparison for the first character of an operator; nil for other characters.
    init?(operator sign: UInt8) {
      switch sign {
      case UInt8(ascii: "="): self = .isEqual
      case UInt8(ascii: "~"): self = .hasWord
      case UInt8(ascii: "|"): self = .isLanguagePrefix
      case UInt8(ascii: "^"): self = .hasPrefix
      case UInt8(ascii: "$"): self = .hasSuffix
      case UInt8(ascii: "*"): self = .contains
      default: return nil
      }
    }
  }

  /// Parses the text between the brackets; returns nil if it is invalid.
  init?(_ text: StyleBytes) {
    let text = text.trimmed
    let nameBytes = text.prefix(while: \.isNameByte)
    guard !nameBytes.isEmpty else { return nil }
    var name = Array(nameBytes)
    var rest = text[nameBytes.endIndex...]
    // A namespace prefix. `@namespace` is not evaluated: the prefix is expected to be the same in
    // the page.
    if rest.first == UInt8(ascii: "|"), rest.dropFirst().first?.isNameByte == true {
      let localName = rest.dropFirst().prefix(while: \.isNameByte)
      name += [UInt8(ascii: ":")] + localName
      rest = rest[localName.endIndex...]
    }
    self.name = name.withUnsafeBufferPointer { AttributeName.named($0) } ?? .other
    nameHash = CompoundSelector.hash(name.lazy.map(\.lowercased))
    rest = rest.trimmed
    guard let sign = rest.first else {
      (comparison, value, ignoresCase) = (.isPresent, [], false)
      return
    }
    guard let comparison = Comparison(operator: sign) else { return nil }
    self.comparison = comparison
    if comparison != .isEqual { rest = rest.dropFirst() }
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().trimmed
    guard let operand = Self.consumeOperand(&rest) else { return nil }
    guard rest.isEmpty || rest.isWord("i") || rest.isWord("s"),
      !operand.contains(UInt8(ascii: "\\"))
    else { return nil }
    ignoresCase = rest.isWord("i")
    value = ignoresCase ? operand.map(\.lowercased) : Array(operand)
  }

  /// Consumes a string or an identifier, and the white space after it; returns nil if there is
  /// neither, or if the string has no closing quotation mark.
  private static func consumeOperand(_ rest: inout StyleBytes) -> StyleBytes? {
    guard let firstByte = rest.first else { return nil }
    guard firstByte == UInt8(ascii: "\"") || firstByte == UInt8(ascii: "'") else {
      let operand = rest.prefix { !$0.isWhiteSpace }
      rest = rest[operand.endIndex...].trimmed
      return operand
    }
    let end = rest.endOfString(from: rest.startIndex)
    let operand = rest[..<end].dropFirst()
    guard operand.last == firstByte else { return nil }
    rest = rest[end...].trimmed
    return operand.dropLast()
  }

  /// The beginning of the name of the attribute that represents the name of a custom element, which
  /// the tree does not contain otherwise.
  static let customElementPrefix = Array("element--".utf8)

  /// Creates a selector that matches the custom elements with a name.
  init(customElement elementName: StyleBytes) {
    name = .other
    nameHash = Self.hash(ofCustomElement: elementName)
    (comparison, value, ignoresCase) = (.isPresent, [], false)
  }

  /// Returns the hash of the attribute for the name of a custom element.
  static func hash(ofCustomElement name: some Sequence<UInt8>) -> UInt64 {
    CompoundSelector.hash(customElementPrefix + name.map(\.lowercased))
  }

  /// Whether an element matches the selector.
  func matches(_ node: Int32, in tree: DOMTree) -> Bool {
    let range =
      name == .other
      ? tree.rangeOfUnknownAttribute(nameHash, of: node) : tree.attribute(name, of: node)
    guard let range else { return false }
    let text = tree.bytes[range]
    return ignoresCase ? matches(text.map(\.lowercased)[...]) : matches(text)
  }

  private func matches(_ text: ArraySlice<UInt8>) -> Bool {
    switch comparison {
    case .isPresent: true
    case .isEqual: text.elementsEqual(value)
    case .hasWord: text.split(whereSeparator: \.isWhiteSpace).contains { $0.elementsEqual(value) }
    case .isLanguagePrefix:
      text.starts(with: value)
        && (text.count == value.count || text.dropFirst(value.count).first == UInt8(ascii: "-"))
    case .hasPrefix: !value.isEmpty && text.starts(with: value)
    case .hasSuffix: !value.isEmpty && text.suffix(value.count).elementsEqual(value)
    case .contains:
      !value.isEmpty && text.indices.contains { text[$0...].starts(with: value) }
    }
  }

  /// Returns hashes of the unknown attribute names in selectors of rules that may hide elements,
  /// and in generated content (`attr()`), and of the attributes for the names of custom elements in
  /// such selectors.
  ///
  /// - Parameter styleSheet: The source of a style sheet.
  /// - Returns: At most 32 hashes of names in selectors, 16 of names in content, and 64 for custom
  ///   elements.
  static func hashesOfUnknownNames(in styleSheet: UnsafeBufferPointer<UInt8>) -> Set<UInt64> {
    var names = hashesOfNamesInContent(of: styleSheet)
    names.formUnion(hashesOfCustomElements(in: styleSheet))
    let maxCount = 32 + names.count
    var test = HidingBlockTest(styleSheet: styleSheet)
    // The `{` of the current rule. Cached, because several attributes may precede the same brace.
    var brace = -1
    var mayHide = false
    var index = styleSheet.firstIndex(of: UInt8(ascii: "["), from: 0)
    while index < styleSheet.count, names.count < maxCount {
      let name = styleSheet[(index + 1)...].drop(while: \.isWhiteSpace).prefix(while: \.isNameByte)
      let next = styleSheet.firstIndex(of: UInt8(ascii: "["), from: index + 1)
      if !name.isEmpty, AttributeName.named(UnsafeBufferPointer(rebasing: name)) == nil {
        if brace < index {
          brace = styleSheet.firstIndex(of: UInt8(ascii: "{"), from: index)
          mayHide = test.mayHide(after: brace)
        }
        if mayHide { names.insert(CompoundSelector.hash(name.lazy.map(\.lowercased))) }
      }
      index = next
    }
    return names
  }

  /// Returns hashes of the attributes for at most 64 custom elements.
  private static func hashesOfCustomElements(
    in styleSheet: UnsafeBufferPointer<UInt8>
  ) -> Set<UInt64> {
    var names: Set<UInt64> = []
    var test = HidingBlockTest(styleSheet: styleSheet)
    var start = 0
    while names.count < maxCustomElements {
      let brace = styleSheet.firstIndex(of: UInt8(ascii: "{"), from: start)
      guard brace < styleSheet.count else { break }
      let found = styleSheet[start..<brace].namesOfCustomElements
      start = brace + 1
      guard !found.isEmpty, test.mayHide(after: brace) else { continue }
      for name in found where names.count < maxCustomElements {
        names.insert(hash(ofCustomElement: name))
      }
    }
    return names
  }

  private static let maxCustomElements = 64

  /// Returns hashes of at most 16 unknown attribute names in `attr()`.
  private static func hashesOfNamesInContent(of styleSheet: UnsafeBufferPointer<UInt8>) -> Set<
    UInt64
  > {
    var names: Set<UInt64> = []
    var index = styleSheet.firstIndex(of: UInt8(ascii: "("), from: 0)
    while index < styleSheet.count, names.count < 16 {
      if styleSheet[..<index].suffix(4).isWord("attr") {
        let name = styleSheet[(index + 1)...].drop(while: \.isWhiteSpace)
          .prefix(while: \.isNameByte)
        if !name.isEmpty, AttributeName.named(UnsafeBufferPointer(rebasing: name)) == nil {
          names.insert(CompoundSelector.hash(name.lazy.map(\.lowercased)))
        }
      }
      index = styleSheet.firstIndex(of: UInt8(ascii: "("), from: index + 1)
    }
    return names
  }
}

/// A test whether the block after a brace may hide elements. Braces before the same `}` share the
/// result of the first one, which keeps the time linear.
private struct HidingBlockTest {
  let styleSheet: UnsafeBufferPointer<UInt8>
  /// The index of the `}` after the last brace that was tested.
  private var end = -1
  private var result = false

  init(styleSheet: UnsafeBufferPointer<UInt8>) { self.styleSheet = styleSheet }

  /// Returns whether the block after a `{` may hide elements. The braces of later calls follow.
  mutating func mayHide(after brace: Int) -> Bool {
    if brace > end {
      end = styleSheet.firstIndex(of: UInt8(ascii: "}"), from: brace)
      result = styleSheet[brace..<end].mentionsHiding
    }
    return result
  }
}

extension StyleBytes {
  /// The type selectors with a hyphen in the selectors at the end of the text.
  fileprivate var namesOfCustomElements: [StyleBytes] {
    var names: [StyleBytes] = []
    let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "}") || byte == UInt8(ascii: ";") }
    var rest = self[(lastIndex(where: isEnd).map { $0 + 1 } ?? startIndex)...]
    while let start = rest.firstIndex(where: \.isNameByte) {
      let name = rest[start...].prefix(while: \.isNameByte)
      let isType =
        name.first?.isLetter == true && name.contains(UInt8(ascii: "-"))
        && (start == startIndex || self[start - 1].isWhiteSpace
          || ",>+~({};/".utf8.contains(self[start - 1]))
      if isType { names.append(name) }
      rest = rest[name.endIndex...]
    }
    return names
  }
}

extension DOMTree {
  /// Returns the range in `bytes` of the value of an attribute outside the vocabulary; nil if the
  /// element does not have it. Only attributes that a style sheet names are kept.
  func rangeOfUnknownAttribute(_ hash: UInt64, of node: Int32) -> Range<Int>? {
    let element = nodes[Int(node)]
    for index in Int(element.start)..<Int(element.end) where attributes[index].name == .other {
      let text = bytes[Int(attributes[index].start)..<Int(attributes[index].end)]
      let name = text.prefix { $0 != UInt8(ascii: "=") }
      guard CompoundSelector.hash(name.lazy.map(\.lowercased)) == hash else { continue }
      return name.endIndex + 1..<text.endIndex
    }
    return nil
  }
}
