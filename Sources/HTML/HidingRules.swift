/// The plain rules of a page's own style sheets that hide elements, or show them again (CSS 2.2,
/// sections 9.2.4 and 11.2).
///
/// Plain are selectors of one element by type, class, id and attribute, without combinators and
/// pseudo-classes; and `@media` without conditions other than `screen` and `all`. What a script
/// would show later stays hidden, as in a browser without scripts.
struct HidingRules {
  /// A selector with what it does.
  private struct Rule {
    var selector: Selector
    var display: Effect?
    var visibility: Effect?
  }

  /// What a declaration does.
  private struct Effect {
    var hides: Bool
    var isImportant: Bool
  }

  /// The rules by the hash of a class or id, or by type.
  private var byName: [UInt64: [Int]] = [:]
  private var byType: [ElementName: [Int]] = [:]
  private var rules: [Rule] = []
  private var hidesAnything = false

  /// The most rules that are kept, in all and for one name.
  private static let limit = 20_000
  private static let perNameLimit = 64

  /// Reads style sheets, one after the other.
  init(_ styleSheet: [UInt8]) {
    guard !styleSheet.isEmpty else { return }
    Self.withoutComments(styleSheet).withUnsafeBufferPointer { bytes in
      var reader = StyleSheetReader(bytes)
      while let (selectors, declarations) = reader.nextRule(), rules.count < Self.limit {
        add(selectors, declarations)
      }
    }
    if !hidesAnything {
      (byName, byType, rules) = ([:], [:], [])
    }
  }

  /// Whether no rule hides anything.
  var isEmpty: Bool { rules.isEmpty }

  /// Whether `style` attributes hide elements too.
  private(set) var readsAttributes = true

  /// What hides nothing but what HTML itself hides: for a page that hides all it has until a
  /// script shows it.
  static let none: HidingRules = {
    var rules = HidingRules([])
    rules.readsAttributes = false
    return rules
  }()

  /// Whether an element is hidden.
  func hides(_ node: Int32, of tree: DOMTree) -> Bool {
    guard mayName(node, in: tree) else { return false }
    var display: (rank: Int, hides: Bool)?
    var visibility: (rank: Int, hides: Bool)?
    let names = Selector.Names(of: node, in: tree)
    func consider(_ index: Int) {
      let rule = rules[index]
      guard rule.selector.matches(node, named: names, in: tree) else { return }
      let rank = rule.selector.specificity * (Self.limit + 1) + index
      Self.cascade(rule.display, rank, into: &display)
      Self.cascade(rule.visibility, rank, into: &visibility)
    }
    for name in names.classes { byName[name]?.forEach(consider) }
    if let id = names.id { byName[id]?.forEach(consider) }
    byType[tree.nodes[Int(node)].name]?.forEach(consider)
    return display?.hides ?? false || visibility?.hides ?? false
  }

  /// Whether a rule may mean an element; most elements have no name that is in a rule.
  private func mayName(_ node: Int32, in tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if byType[element.name] != nil { return true }
    guard !byName.isEmpty else { return false }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      guard attribute.name == .class || attribute.name == .id else { continue }
      let value = tree.bytes[Int(attribute.start)..<Int(attribute.end)]
      if attribute.name == .id {
        if byName[Selector.hash(value)] != nil { return true }
      } else if value.contains(wordWhere: { byName[Selector.hash($0)] != nil }) {
        return true
      }
    }
    return false
  }

  private static func cascade(
    _ effect: Effect?, _ rank: Int, into winner: inout (rank: Int, hides: Bool)?
  ) {
    guard let effect else { return }
    let rank = rank + (effect.isImportant ? 1 << 50 : 0)
    if winner.map({ $0.rank < rank }) ?? true { winner = (rank, effect.hides) }
  }

  // MARK: Reading rules

  /// A style sheet without comments and without what hid it from old browsers.
  private static func withoutComments(_ sheet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(sheet.count)
    sheet.withUnsafeBufferPointer { bytes in
      var index = 0
      var quote: UInt8 = 0
      while index < bytes.count {
        let byte = bytes[index]
        if quote == 0, let length = ignoredLength(bytes, at: index) {
          result.append(0x20)
          index += length
          continue
        }
        if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == quote || byte == 0x0A {
          quote = 0
        } else if quote != 0, byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
          result.append(byte)
          index += 1
        }
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// The length of a comment, or of a mark without meaning, at an index.
  private static func ignoredLength(_ bytes: Bytes, at index: Int) -> Int? {
    switch bytes[index] {
    case UInt8(ascii: "/") where bytes.hasPrefix("/*", at: index):
      var end = bytes.firstIndex(of: UInt8(ascii: "*"), from: index + 2)
      while end < bytes.count, !bytes.hasPrefix("*/", at: end) {
        end = bytes.firstIndex(of: UInt8(ascii: "*"), from: end + 1)
      }
      return min(bytes.count, end + 2) - index
    case UInt8(ascii: "<") where bytes.hasPrefix("<!--", at: index): return 4
    case UInt8(ascii: "-") where bytes.hasPrefix("-->", at: index): return 3
    default: return nil
    }
  }

  private mutating func add(_ selectors: Slice<Bytes>, _ declarations: Slice<Bytes>) {
    let (display, visibility) = Self.effects(declarations)
    guard display != nil || visibility != nil else { return }
    for selector in selectors.split(separator: UInt8(ascii: ",")) {
      guard let selector = Selector(selector.trimmed) else { continue }
      hidesAnything = hidesAnything || display?.hides ?? false || visibility?.hides ?? false
      let index = rules.count
      rules.append(Rule(selector: selector, display: display, visibility: visibility))
      if let name = selector.id ?? selector.classes.first {
        Self.append(index, to: &byName[name, default: []])
      } else if let type = selector.type {
        Self.append(index, to: &byType[type, default: []])
      }
    }
  }

  /// Of very many rules for one name the last ones are kept: an element must not cost much.
  private static func append(_ index: Int, to list: inout [Int]) {
    if list.count == perNameLimit { list.removeFirst() }
    list.append(index)
  }

  /// What declarations do to `display` and `visibility`; the last of each counts.
  private static func effects(_ text: Slice<Bytes>) -> (display: Effect?, visibility: Effect?) {
    var display: Effect?
    var visibility: Effect?
    for declaration in text.split(separator: UInt8(ascii: ";")) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let property = declaration[..<colon].trimmed.map(\.lowercased)
      guard property == displayName || property == visibilityName else { continue }
      var value = declaration[declaration.index(after: colon)...].trimmed.map(\.lowercased)
      var isImportant = false
      if let mark = value.firstIndex(of: UInt8(ascii: "!")) {
        isImportant = true
        value.removeSubrange(mark...)
        while value.last?.isWhiteSpace == true { value.removeLast() }
      }
      if property == displayName {
        display = Effect(hides: value == Array("none".utf8), isImportant: isImportant)
      } else {
        let hides = value == Array("hidden".utf8) || value == Array("collapse".utf8)
        visibility = Effect(hides: hides, isImportant: isImportant)
      }
    }
    return (display, visibility)
  }

  private static let displayName = Array("display".utf8)
  private static let visibilityName = Array("visibility".utf8)
}

private typealias Bytes = UnsafeBufferPointer<UInt8>

/// Reads the rules of a style sheet that hold on a screen (CSS Syntax), without nested ones.
private struct StyleSheetReader {
  private let bytes: Bytes
  private var index = 0

  init(_ bytes: Bytes) {
    self.bytes = bytes
  }

  /// The selectors and declarations of the next rule; nil at the end.
  mutating func nextRule() -> (selectors: Slice<Bytes>, declarations: Slice<Bytes>)? {
    while index < bytes.count {
      let start = index
      guard let stop = skip(to: [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";")]) else {
        return nil
      }
      index = stop + 1
      guard bytes[stop] == UInt8(ascii: "{") else { continue }
      let prelude = bytes[start..<stop].trimmed
      if prelude.first == UInt8(ascii: "@") {
        // The rules of a group are read as if they stood alone; its end is passed over as a `}`.
        if !holdsOnScreen(prelude) { skipBlock() }
        continue
      }
      let inner = index
      // At the end of the sheet all that is open ends.
      let end = skip(to: [UInt8(ascii: "}"), UInt8(ascii: "{")]) ?? bytes.count
      if end < bytes.count, bytes[end] == UInt8(ascii: "{") {
        // Nested rules are not plain.
        index = inner
        skipBlock()
        continue
      }
      index = min(bytes.count, end + 1)
      return (prelude, bytes[inner..<end])
    }
    return nil
  }

  /// Whether the rules of an at-rule hold on a screen without further conditions.
  private func holdsOnScreen(_ prelude: Slice<Bytes>) -> Bool {
    let words = prelude.map(\.lowercased).split(whereSeparator: \.isWhiteSpace)
    guard words.first.map({ $0.elementsEqual("@media".utf8) }) ?? false else { return false }
    let query = words.dropFirst().filter { !$0.elementsEqual("only".utf8) }
    return query.count == 1
      && (query[query.startIndex].elementsEqual("screen".utf8)
        || query[query.startIndex].elementsEqual("all".utf8))
  }

  /// The index of the first of some bytes outside strings and comments; goes there.
  private mutating func skip(to stops: [UInt8]) -> Int? {
    while index < bytes.count {
      let byte = bytes[index]
      if stops.contains(byte) { return index }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
      default: index += 1
      }
    }
    return nil
  }

  private mutating func skipString(_ quote: UInt8) {
    index += 1
    while index < bytes.count, bytes[index] != quote, bytes[index] != 0x0A {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(bytes.count, index + 1)
  }

  /// Skips the rest of a block whose `{` was read.
  private mutating func skipBlock() {
    var depth = 1
    while depth > 0, let stop = skip(to: [UInt8(ascii: "{"), UInt8(ascii: "}")]) {
      depth += bytes[stop] == UInt8(ascii: "{") ? 1 : -1
      index = stop + 1
    }
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Without white space at both ends.
  var trimmed: Self {
    var slice = self
    while slice.first?.isWhiteSpace == true { slice = slice.dropFirst() }
    while slice.last?.isWhiteSpace == true { slice = slice.dropLast() }
    return slice
  }
}

extension ArraySlice<UInt8> {
  /// Whether one of the words between white space is meant.
  fileprivate func contains(wordWhere isMeant: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var rest = self
    while let start = rest.firstIndex(where: { !$0.isWhiteSpace }) {
      let word = rest[start...].prefix { !$0.isWhiteSpace }
      if isMeant(word) { return true }
      rest = rest[word.endIndex...]
    }
    return false
  }
}
