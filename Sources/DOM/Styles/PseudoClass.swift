/// A pseudo-class whose result does not depend on user input (Selectors Level 4 §4, §8, §13 and
/// §14).
enum PseudoClass: Sendable, Hashable {
  /// `:not()`: matches an element that none of the selectors matches.
  case not([CompoundSelector])
  /// `:is()` and `:where()`: match an element that any of the selectors matches. `:where()` adds
  /// nothing to the specificity.
  case matchesAny([CompoundSelector], countsSpecificity: Bool)
  /// `:has()`: matches an element to which any of the selectors relates another element.
  case has(RelativeSelectorList)
  case firstChild, lastChild
  /// `:nth-child()`: matches children number `step * n + offset` for n ≥ 0, counted from 1.
  case nthChild(step: Int, offset: Int)
  /// `:nth-last-child()`, and `:nth-of-type()` or `:nth-last-of-type()`, which count only siblings
  /// of the same type.
  case nthSibling(step: Int, offset: Int, fromEnd: Bool, ofType: Bool)
  /// `:nth-child()` and `:nth-last-child()` with `of`, which count only siblings that any of the
  /// selectors matches.
  case nthChildOf(step: Int, offset: Int, fromEnd: Bool, [CompoundSelector])
  case firstOfType, lastOfType
  case onlyChild, onlyOfType, empty, checked
  case link
  /// `:disabled` and `:enabled`: match a form control with or without the attribute `disabled`.
  case disabled, enabled
  /// `:lang()`: matches an element in any of the languages, which are in lower case.
  case language([[UInt8]])
  /// `:dir()`: matches an element whose direction is the one in lower case.
  case direction([UInt8])
  /// A state that needs user interaction, such as `:hover`. It never matches.
  case userState

  /// Parses the name of a pseudo-class and its argument in parentheses; returns nil if it is
  /// invalid or not supported.
  init?(_ name: StyleBytes, argument: StyleBytes?) {
    if let argument {
      if name.isWord("not") {
        guard let list = Self.parseCompoundList(argument) else { return nil }
        self = .not(list)
      } else if name.isWord("is") || name.isWord("where") || name.isWord("matches") {
        guard let list = Self.parseCompoundList(argument) else { return nil }
        self = .matchesAny(list, countsSpecificity: !name.isWord("where"))
      } else if name.isWord("has") {
        guard argument.count(where: { $0 == UInt8(ascii: "(") }) <= Self.maxNestingDepth,
          let list = RelativeSelectorList(argument)
        else { return nil }
        self = .has(list)
      } else if name.isWord("nth-child") || name.isWord("nth-last-child"),
        let nthChildClass = Self.nthChildOf(argument, fromEnd: name.isWord("nth-last-child"))
      {
        self = nthChildClass
      } else if name.isWord("nth-child") {
        guard let (step, offset) = argument.trimmed.anPlusB else { return nil }
        self = .nthChild(step: step, offset: offset)
      } else if name.isWord("lang") {
        self = .language(argument.parts(separator: UInt8(ascii: ",")).map(\.languageRange))
      } else if name.isWord("dir") {
        self = .direction(argument.trimmed.map(\.lowercased))
      } else if let (fromEnd, ofType) = Self.countedSiblings(name) {
        guard let (step, offset) = argument.trimmed.anPlusB else { return nil }
        self = .nthSibling(step: step, offset: offset, fromEnd: fromEnd, ofType: ofType)
      } else {
        return nil
      }
      return
    }
    guard
      let simplePseudoClass = Self.simplePseudoClasses.first(where: { name.isWord($0.word) })?
        .meaning
    else { return nil }
    self = simplePseudoClass
  }

  /// Parses `An+B of` and a list of selectors; nil for other arguments, and for selectors that
  /// depend on other elements, because they would be compared with each sibling.
  private static func nthChildOf(_ argument: StyleBytes, fromEnd: Bool) -> PseudoClass? {
    let preposition = argument.indices.dropLast(3).first { index in
      argument[index].isWhiteSpace && argument[(index + 1)...].prefix(2).isWord("of")
        && argument[index + 3].isWhiteSpace
    }
    guard let preposition,
      let (step, offset) = argument[..<preposition].trimmed.anPlusB,
      let list = parseCompoundList(argument[(preposition + 3)...]),
      list.allSatisfy(\.dependsOnlyOnElement)
    else { return nil }
    return .nthChildOf(step: step, offset: offset, fromEnd: fromEnd, list)
  }

  private static func countedSiblings(_ name: StyleBytes) -> (fromEnd: Bool, ofType: Bool)? {
    if name.isWord("nth-last-child") { return (true, false) }
    if name.isWord("nth-of-type") { return (false, true) }
    return name.isWord("nth-last-of-type") ? (true, true) : nil
  }

  private static let simplePseudoClasses: [(word: StaticString, meaning: PseudoClass)] = [
    ("first-child", .firstChild), ("last-child", .lastChild), ("first-of-type", .firstOfType),
    ("last-of-type", .lastOfType), ("only-child", .onlyChild), ("only-of-type", .onlyOfType),
    ("empty", .empty),
    ("checked", .checked), ("disabled", .disabled), ("enabled", .enabled), ("link", .link),
    ("any-link", .link), ("hover", .userState),
    ("focus", .userState), ("focus-visible", .userState), ("focus-within", .userState),
    ("active", .userState), ("visited", .userState), ("target", .userState),
    ("fullscreen", .userState), ("modal", .userState), ("popover-open", .userState),
  ]

  /// The specificity that the pseudo-class adds to a selector; for a list of selectors, that of the
  /// most specific one.
  var specificity: Int {
    switch self {
    case .not(let list), .matchesAny(let list, countsSpecificity: true):
      list.map(\.specificity).max() ?? 0
    case .matchesAny: 0
    case .has(let list): list.specificity
    case .nthChildOf(_, _, _, let list): 100 + (list.map(\.specificity).max() ?? 0)
    default: 100
    }
  }

  /// The maximum number of nested arguments.
  private static let maxNestingDepth = 16

  private static func parseCompoundList(_ list: StyleBytes) -> [CompoundSelector]? {
    guard list.count(where: { $0 == UInt8(ascii: "(") }) <= maxNestingDepth else { return nil }
    let parts = list.parts(separator: UInt8(ascii: ","))
    let selectors = parts.compactMap { part in
      CompoundSelector(part.trimmed) ?? CompoundSelector(argument: part.trimmed)
    }
    return selectors.count == parts.count && !parts.isEmpty ? selectors : nil
  }

  /// Returns whether the pseudo-class matches an element at a position among its siblings.
  func matches(
    _ node: Int32, withNames names: CompoundSelector.NameHashes, at position: ElementPosition,
    _ relativeMatches: RelativeMatches, in tree: DOMTree
  ) -> Bool {
    switch self {
    case .not(let list):
      !list.contains {
        $0.matches(node, withNames: names, at: position, relativeMatches: relativeMatches, in: tree)
      }
    case .matchesAny(let list, _):
      list.contains {
        $0.matches(node, withNames: names, at: position, relativeMatches: relativeMatches, in: tree)
      }
    case .has(let list): relativeMatches.contains(node, list)
    case .firstChild: position.indexFromStart == 1
    case .lastChild: tree.elementAfter(node) == nil
    case .onlyChild: position.indexFromStart == 1 && tree.elementAfter(node) == nil
    case .checked: tree.hasAttribute(.checked, node)
    case .empty: tree.nodes[Int(node)].firstChild == nil
    case .nthChild(let step, let offset):
      Self.isPosition(step, offset, position.indexFromStart)
    case .nthSibling(let step, let offset, let fromEnd, let ofType):
      Self.isPosition(step, offset, position[fromEnd: fromEnd, ofType: ofType])
    case .nthChildOf(let step, let offset, let fromEnd, let list):
      list.contains {
        $0.matches(node, withNames: names, at: position, relativeMatches: relativeMatches, in: tree)
      }
        && Self.isPosition(
          step, offset, 1 + tree.countSiblings(of: node, afterIt: fromEnd, matching: list))
    case .onlyOfType:
      !tree.hasSibling(ofTypeOf: node, \.previousSibling)
        && !tree.hasSibling(ofTypeOf: node, \.nextSibling)
    case .firstOfType: !tree.hasSibling(ofTypeOf: node, \.previousSibling)
    case .lastOfType: !tree.hasSibling(ofTypeOf: node, \.nextSibling)
    case .link: tree.nodes[Int(node)].name == .a && tree.hasAttribute(.href, node)
    case .disabled, .enabled:
      tree.nodes[Int(node)].name.isControl
        && tree.hasAttribute(.disabled, node) == (self == .disabled)
    case .language(let ranges):
      tree.inheritedValue(.lang, of: node, orElse: tree.language).isInLanguage(ranges)
    case .direction(let direction):
      tree.inheritedValue(.dir, of: node, orElse: tree.direction).trimmedDirection == direction
    case .userState: false
    }
  }

  /// Returns whether a position is `step * n + offset` for any n ≥ 0.
  private static func isPosition(_ step: Int, _ offset: Int, _ index: Int) -> Bool {
    guard index > 0 else { return false }
    return step == 0
      ? index == offset : (index - offset) % step == 0 && (index - offset) / step >= 0
  }
}

extension DOMTree {
  /// Returns the next sibling that is an element.
  fileprivate func elementAfter(_ node: Int32) -> Int32? {
    var next = nodes[Int(node)].nextSibling
    while let text = next, nodes[Int(text)].name == .characters {
      next = nodes[Int(text)].nextSibling
    }
    return next
  }

  /// Returns the number of elements before or after an element that any of the selectors matches.
  /// At most the 64 nearest siblings are examined.
  fileprivate func countSiblings(
    of node: Int32, afterIt: Bool, matching list: [CompoundSelector]
  ) -> Int {
    var count = 0
    var last = nodes[Int(node)]
    for _ in 0..<64 {
      guard let sibling = afterIt ? last.nextSibling : last.previousSibling else { break }
      last = nodes[Int(sibling)]
      guard last.name != .characters else { continue }
      let names = CompoundSelector.NameHashes(of: sibling, in: self)
      if list.contains(where: { $0.matches(sibling, withNames: names, in: self) }) { count += 1 }
    }
    return count
  }

  /// Returns whether a sibling on one side has the same type. At most the 64 nearest siblings are
  /// examined.
  fileprivate func hasSibling(ofTypeOf node: Int32, _ side: KeyPath<Node, Int32?>) -> Bool {
    var next = nodes[Int(node)][keyPath: side]
    for _ in 0..<64 {
      guard let sibling = next else { break }
      if nodes[Int(sibling)].name == nodes[Int(node)].name { return true }
      next = nodes[Int(sibling)][keyPath: side]
    }
    return false
  }
}

extension DOMTree {
  /// Returns the value of an attribute of an element or of the nearest of its 64 nearest ancestors
  /// that has it, or else the value for the page.
  fileprivate func inheritedValue(
    _ name: AttributeName, of node: Int32, orElse page: [UInt8]
  ) -> ArraySlice<UInt8> {
    var next: Int32? = node
    for _ in 0..<64 {
      guard let node = next else { break }
      if let range = attribute(name, of: node) { return bytes[range] }
      next = nodes[Int(node)].parent
    }
    return page[...]
  }
}

extension ElementName {
  /// Whether the element is a form control that may be disabled.
  fileprivate var isControl: Bool {
    switch self {
    case .button, .input, .select, .textarea, .optgroup, .option, .fieldset: true
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the language tag matches a range: it equals the range, or continues it by a hyphen
  /// (RFC 4647 §3.3.1). An empty range matches no tag but the empty one.
  fileprivate func isInLanguage(_ ranges: [[UInt8]]) -> Bool {
    ranges.contains { range in
      if range.elementsEqual("*".utf8) { return !isEmpty }
      guard count >= range.count, zip(self, range).allSatisfy({ $0.lowercased == $1 }) else {
        return false
      }
      return count == range.count
        || !range.isEmpty && self[startIndex + range.count] == UInt8(ascii: "-")
    }
  }

  /// The direction that the value of `dir` sets; an unknown value is `ltr`.
  fileprivate var trimmedDirection: [UInt8] {
    let value = filter { !$0.isWhiteSpace }.map(\.lowercased)
    return Array((value.elementsEqual("rtl".utf8) ? "rtl" : "ltr").utf8)
  }
}

extension StyleBytes {
  /// The language range in an argument of `:lang()`, in lower case; a final wildcard is left out.
  fileprivate var languageRange: [UInt8] {
    let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    let range = trimmed.filter { !quotes.contains($0) }.map(\.lowercased)
    return range.suffix(2).elementsEqual("-*".utf8) ? Array(range.dropLast(2)) : range
  }

  /// The step and offset of `An+B` (CSS Syntax 3 §6): `odd`, `even`, `3`, `2n+1`, `-n + 3`. Nil for
  /// other texts.
  fileprivate var anPlusB: (step: Int, offset: Int)? {
    if isWord("odd") { return (2, 1) }
    if isWord("even") { return (2, 0) }
    let text = String(decoding: self.filter { !$0.isWhiteSpace }, as: UTF8.self).lowercased()
    let parts = text.split(separator: "n", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return Int(text).map { (0, $0) }
    case 2:
      let step = ["": 1, "+": 1, "-": -1][parts[0]] ?? Int(parts[0])
      let offset = parts[1].isEmpty ? 0 : Int(parts[1])
      let validOffsets = -(1 << 20)...1 << 20
      guard let step, let offset, validOffsets.contains(step), validOffsets.contains(offset) else {
        return nil
      }
      return (step, offset)
    default: return nil
    }
  }
}
