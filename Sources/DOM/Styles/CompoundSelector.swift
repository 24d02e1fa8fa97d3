/// A compound selector of type, class, id, attribute and `PseudoClass` selectors (Selectors Level 4
/// §3.1).
package struct CompoundSelector: Sendable, Hashable {
  /// The element type, or nil for any.
  private(set) var type: ElementName?
  /// The hash of the id, or nil for any.
  private(set) var idHash: UInt64?
  /// The hashes of the class names.
  private(set) var classHashes: [UInt64] = []
  private var attributes: [AttributeSelector] = []
  private var pseudoClasses: [PseudoClass] = []
  /// Whether the type was written as `:root`.
  private var isWrittenAsRoot = false
  /// Whether the first attribute selector represents the type of a custom element.
  private var isOfCustomElement = false
  /// The selector of which this one is the subject, in the argument of `:is()`, `:where()` or
  /// `:not()`; at most one. An array, because a struct cannot contain itself.
  private var complexSelectors: [ComplexSelector] = []
  /// Whether `:not([open])` matches `details`, as for rules about the parts of a `summary`. Other
  /// such rules hide the content of closed `details`, which offread shows as a fold.
  var matchesClosedDetails = false

  /// The specificity (CSS Cascade): ids weigh most, then classes and attributes, then the type.
  var specificity: Int {
    (idHash == nil ? 0 : 10_000) + 100 * (classHashes.count + attributes.count)
      + (isWrittenAsRoot ? 100 : type == nil ? 0 : 1) - (isOfCustomElement ? 99 : 0)
      + pseudoClasses.reduce(0) { $0 + $1.specificity }
      + complexSelectors.reduce(0) { $0 + $1.specificityOfAncestors }
  }

  /// Whether the selector matches `html` or `body`, of which the tree of a page has no nodes.
  var isOfRootElement: Bool { type == .html || type == .body }

  /// Whether the selector matches any `html` or any `body` element.
  var isAnyRootElement: Bool {
    isOfRootElement && idHash == nil && classHashes.isEmpty && attributes.isEmpty
      && pseudoClasses.isEmpty
  }

  /// Whether the selector has pseudo-classes.
  var hasPseudoClass: Bool { !pseudoClasses.isEmpty }

  /// Whether the selector has a pseudo-class such as `:nth-last-child()` or `:nth-of-type()`, for
  /// which it is not sufficient to count all preceding siblings.
  var countsSiblings: Bool {
    pseudoClasses.contains { pseudoClass in
      switch pseudoClass {
      case .nthSibling: true
      case .not(let list), .matchesAny(let list, _): list.contains(where: \.countsSiblings)
      default: false
      }
    }
  }

  /// The number of selectors that `:nth-child()` and `:nth-last-child()` compare with the siblings
  /// of an element.
  var siblingSelectorCount: Int {
    pseudoClasses.reduce(0) { count, pseudoClass in
      switch pseudoClass {
      case .nthChildOf(_, _, _, let list): count + list.count
      case .not(let list), .matchesAny(let list, _):
        list.reduce(count) { $0 + $1.siblingSelectorCount }
      default: count
      }
    }
  }

  /// Whether the selector matches nothing without user interaction.
  var requiresUserAction: Bool { pseudoClasses.contains(.userState) }

  /// Whether the selector excludes a state that user interaction changes, such as
  /// `:not(:checked)`, `:not(:has(:checked))` or `:has(:not(:checked))`.
  var excludesState: Bool {
    pseudoClasses.contains { pseudoClass in
      switch pseudoClass {
      case .not(let list): list.contains(where: \.requiresState)
      case .matchesAny(let list, _): list.contains(where: \.excludesState)
      case .has(let list): list.compoundSelectors.contains(where: \.excludesState)
      default: false
      }
    }
  }

  /// Whether the selector requires a state that user interaction changes.
  private var requiresState: Bool {
    pseudoClasses.contains { pseudoClass in
      switch pseudoClass {
      case .userState, .checked: true
      case .matchesAny(let list, _): list.contains(where: \.requiresState)
      case .has(let list): list.compoundSelectors.contains(where: \.requiresState)
      default: false
      }
    }
  }

  /// Whether the selector excludes elements with the attribute `open`.
  private var excludesOpen: Bool {
    pseudoClasses.contains { pseudoClass in
      guard case .not(let list) = pseudoClass else { return false }
      return list.contains { $0.attributes.contains { $0.name == .open } }
    }
  }

  /// Whether the selector examines neither siblings nor descendants of the element.
  var dependsOnlyOnElement: Bool {
    complexSelectors.isEmpty
      && pseudoClasses.allSatisfy { pseudoClass in
        switch pseudoClass {
        case .not(let list), .matchesAny(let list, _): list.allSatisfy(\.dependsOnlyOnElement)
        case .empty, .checked, .disabled, .enabled, .link, .userState: true
        default: false
        }
      }
  }

  /// Whether the tree can contain elements of the type of the selector. It contains no scripts, for
  /// example.
  var canMatchInTree: Bool {
    switch type {
    case .script, .style, .html, .head, .body: false
    default: true
    }
  }

  /// Whether the selector contains `:has()`.
  var hasRelativePseudoClass: Bool {
    pseudoClasses.contains { pseudoClass in
      switch pseudoClass {
      case .has: true
      case .not(let list), .matchesAny(let list, _): list.contains(where: \.hasRelativePseudoClass)
      default: false
      }
    }
  }

  /// The arguments of each `:has()` in the selector.
  var relativeSelectors: [RelativeSelectorList] {
    pseudoClasses.flatMap { pseudoClass -> [RelativeSelectorList] in
      switch pseudoClass {
      case .has(let list): [list]
      case .not(let list), .matchesAny(let list, _): list.flatMap(\.relativeSelectors)
      default: []
      }
    }
  }

  /// Whether the selector has neither type, id, class nor attribute, so that only pseudo-classes
  /// restrict it.
  var hasOnlyPseudoClasses: Bool {
    idHash == nil && classHashes.isEmpty && type == nil && attributes.isEmpty
  }

  /// Whether the selector is `*` alone.
  var isUniversal: Bool { hasOnlyPseudoClasses && pseudoClasses.isEmpty }

  /// The bit of an attribute that an element must have to match, or 0.
  var attributeBit: UInt64 { attributes.first?.name.bitMask ?? 0 }

  /// Whether an attribute is not in the vocabulary of `AttributeName`.
  var namesUnknownAttribute: Bool { attributes.contains { $0.name == .other } }

  /// Parses a complex selector in the argument of a pseudo-class; returns nil if it is invalid or
  /// not supported.
  init?(argument: StyleBytes) {
    // Complex selectors have no pseudo-classes.
    guard !argument.contains(UInt8(ascii: "(")), let selector = ComplexSelector(argument) else {
      return nil
    }
    self = selector.subject
    complexSelectors = [selector]
  }

  private static let maxAncestorComparisons = 64

  /// Parses a selector without white space around it, such as `div.post`, `#content` or
  /// `section[role=main]`; returns nil if it is invalid or not supported.
  init?(_ selector: StyleBytes) {
    var rest = selector
    guard consumeType(&rest) else { return nil }
    let hasType = rest.startIndex > selector.startIndex
    while let marker = rest.first {
      rest = rest.dropFirst()
      switch marker {
      case UInt8(ascii: "."), UInt8(ascii: "#"):
        guard let name = Self.consumeName(&rest) else { return nil }
        if marker == UInt8(ascii: ".") { classHashes.append(name) } else { idHash = name }
      case UInt8(ascii: "["):
        guard let end = selector.endOfBlock(from: rest.startIndex - 1),
          let attributeSelector = AttributeSelector(rest[..<end])
        else { return nil }
        attributes.append(attributeSelector)
        rest = rest[(end + 1)...]
      case UInt8(ascii: ":") where rest.first == marker:
        // The other pseudo-elements are parts of controls, list markers and the selection.
        pseudoClasses.append(.userState)
        rest = rest[rest.endIndex...]
      case UInt8(ascii: ":"):
        guard consumePseudoClass(&rest) else { return nil }
      default: return nil
      }
    }
    if isUniversal, !hasType { return nil }
  }

  /// Consumes the type selector or `*` at the beginning, if there is one.
  /// - Returns: False if the type is not supported.
  private mutating func consumeType(_ rest: inout StyleBytes) -> Bool {
    if let first = rest.first, first.isLetter {
      let name = rest.prefix(while: \.isNameByte)
      let type = ElementName.named(UnsafeBufferPointer(rebasing: name))
      if type == .other {
        guard name.contains(UInt8(ascii: "-")) else { return false }
        attributes.append(AttributeSelector(customElement: name))
        isOfCustomElement = true
      } else {
        self.type = type
      }
      rest = rest[name.endIndex...]
    } else if rest.first == UInt8(ascii: "*") {
      rest = rest.dropFirst()
    }
    return true
  }

  /// Consumes a pseudo-class after its colon.
  /// - Returns: False if it is invalid or not supported.
  private mutating func consumePseudoClass(_ rest: inout StyleBytes) -> Bool {
    let name = rest.prefix(while: \.isNameByte)
    rest = rest[name.endIndex...]
    var argument: StyleBytes?
    if rest.first == UInt8(ascii: "(") {
      guard let end = rest.endOfBlock(from: rest.startIndex) else { return false }
      argument = rest[(rest.startIndex + 1)..<end]
      rest = rest[(end + 1)...]
    }
    if name.isWord("root"), argument == nil, type == nil || type == .html {
      (type, isWrittenAsRoot) = (.html, true)
      return true
    }
    guard let pseudoClass = PseudoClass(name, argument: argument) else { return false }
    pseudoClasses.append(pseudoClass)
    return true
  }

  /// Consumes a name, in which characters may be escaped, such as `md\:hidden`.
  /// - Returns: Its hash; nil if there is no name.
  private static func consumeName(_ rest: inout StyleBytes) -> UInt64? {
    let plain = rest.prefix(while: \.isNameByte)
    rest = rest[plain.endIndex...]
    guard rest.first == UInt8(ascii: "\\") else { return plain.isEmpty ? nil : hash(plain) }
    var name = Array(plain)
    while let byte = rest.first, byte == UInt8(ascii: "\\") || byte.isNameByte {
      if byte.isNameByte {
        name.append(byte)
        rest = rest.dropFirst()
      } else {
        name += rest.consumeEscape()
      }
    }
    return hash(name)
  }

  /// Hashes of the class names and the id of an element.
  package struct NameHashes {
    /// The hashes of at most 64 class names, each once.
    private(set) var classHashes: [UInt64] = []
    /// The hash of the id; nil if the element has none.
    let idHash: UInt64?

    package init(of node: Int32, in tree: DOMTree) {
      if let range = tree.attribute(.class, of: node) {
        let names = tree.bytes[range]
          .split(maxSplits: Self.maxClasses, whereSeparator: \.isWhiteSpace)
        for name in names.prefix(Self.maxClasses) {
          let hash = CompoundSelector.hash(name)
          if !classHashes.contains(hash) { classHashes.append(hash) }
        }
      }
      idHash = tree.attribute(.id, of: node).map { CompoundSelector.hash(tree.bytes[$0]) }
    }

    private static let maxClasses = 64
  }

  /// Returns whether the selector matches an element.
  /// - Parameters:
  ///   - node: The element.
  ///   - names: The names of the element.
  ///   - position: The position of the element among its siblings; used by pseudo-classes only.
  ///   - relativeMatches: The elements that match the relative selectors of `:has()`.
  ///   - tree: The tree that contains the element.
  /// - Returns: Whether it matches.
  func matches(
    _ node: Int32, withNames names: NameHashes, at position: ElementPosition = ElementPosition(),
    relativeMatches: RelativeMatches = RelativeMatches(), in tree: DOMTree
  ) -> Bool {
    (idHash == nil || idHash == names.idHash) && classHashes.allSatisfy(names.classHashes.contains)
      && (type == nil || type == tree.nodes[Int(node)].name)
      && attributes.allSatisfy { $0.matches(node, in: tree) }
      && pseudoClasses.allSatisfy {
        $0.matches(node, withNames: names, at: position, relativeMatches, in: tree)
      }
      && complexSelectors.allSatisfy {
        $0.matchesAncestors(of: node, in: tree, maxComparisons: Self.maxAncestorComparisons)
      }
      && (pseudoClasses.isEmpty || matchesClosedDetails || tree.nodes[Int(node)].name != .details
        || !excludesOpen)
  }

  /// Returns the FNV-1a hash of bytes.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension UInt8 {
  /// Whether the byte may be part of a CSS name.
  var isNameByte: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || self >= 0x80
  }
}

extension StyleBytes {
  /// The subject of a complex selector, without pseudo-classes, if the selector describes a state
  /// that the user produces by clicking or selecting something, such as an opened panel. Nil for
  /// other selectors, for pseudo-elements, for states of the pointer or focus, and for dialogs and
  /// menus.
  var subjectOfOpenedState: CompoundSelector? {
    var subject: [UInt8] = []
    var (index, depth, describesState) = (startIndex, 0, isClickStateName)
    while index < endIndex {
      let byte = self[index]
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\\"):
        let end = endOfEscape(from: index)
        if depth == 0 { subject += self[index..<end] }
        index = end - 1
      case _ where depth > 0: break
      case UInt8(ascii: ":"):
        let name = self[(index + 1)...].prefix { $0.isNameByte || $0 == UInt8(ascii: ":") }
        let isPassing =
          name.prefix(5).isWord("focus") || name.isWord("hover") || name.isWord("active")
        if name.first == UInt8(ascii: ":") || isPassing || name.isWord("before")
          || name.isWord("after")
        {
          return nil
        }
        describesState =
          describesState
          || ["checked", "target", "nth", "first", "last", "not", "only"].contains {
            name.starts(with: $0.utf8)
          }
        index = name.endIndex - 1
      case _ where byte.isWhiteSpace: subject.removeAll()
      case UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "~"): subject.removeAll()
      default: subject.append(byte)
      }
      index += 1
    }
    guard describesState, !mentionsDialogOrNavigation else { return nil }
    return subject.withUnsafeBufferPointer { CompoundSelector($0[...]) }
  }

  /// The subject of a complex selector, without pseudo-classes, if the selector describes a state
  /// of the pointer or focus; nil for other selectors. `isStateOfOtherElement` is whether another
  /// element has such a state, as in `.term:hover .tip`.
  var subjectOfPointerState: (selector: CompoundSelector, isStateOfOtherElement: Bool)? {
    var subject: [UInt8] = []
    var (index, isPointed, isOther) = (startIndex, false, false)
    while index < endIndex {
      let byte = self[index]
      if byte == UInt8(ascii: "\\") {
        let end = endOfEscape(from: index)
        subject += self[index..<end]
        index = end
        continue
      }
      if byte == UInt8(ascii: ":") {
        let name = self[(index + 1)...].prefix { $0.isNameByte || $0 == UInt8(ascii: ":") }
        if name.prefix(5).isWord("focus") || name.isWord("hover") || name.isWord("active") {
          isPointed = true
        }
        index = name.endIndex
        continue
      }
      let isCombinator = byte.isWhiteSpace || ">+~".utf8.contains(byte)
      if isCombinator {
        subject.removeAll()
        isOther = isPointed
      } else {
        subject.append(byte)
      }
      index += 1
    }
    guard isPointed, let selector = subject.withUnsafeBufferPointer({ CompoundSelector($0[...]) })
    else {
      return nil
    }
    return (selector, isOther)
  }

  /// Returns the index after the escape that begins at an index.
  private func endOfEscape(from start: Int) -> Int {
    var rest = self[start...]
    _ = rest.consumeEscape()
    return rest.startIndex
  }

  /// The selector without `:target` and `:checked`; nil if it has neither, or if its names suggest
  /// a dialog, an overlay or navigation.
  var withoutTargetAndChecked: [UInt8]? {
    guard !mentionsDialogOrNavigation else { return nil }
    var (keptBytes, index, isChanged): ([UInt8], Int, Bool) = ([], startIndex, false)
    while index < endIndex {
      guard self[index] == UInt8(ascii: ":"),
        case let name = self[(index + 1)...].prefix(while: \.isNameByte),
        name.isWord("target") || name.isWord("checked")
      else {
        keptBytes.append(self[index])
        index += 1
        continue
      }
      // A compound selector without anything else applies to all elements that may be targets.
      if keptBytes.last.map({ $0.isWhiteSpace || ">+~(,".utf8.contains($0) }) ?? true {
        keptBytes += Array((name.isWord("target") ? "[id]" : "input").utf8)
      }
      isChanged = true
      index = name.endIndex
    }
    return isChanged ? keptBytes : nil
  }

  /// Whether a class name denotes a state that a click produces, such as `open` or `is-active`.
  private var isClickStateName: Bool {
    split { !$0.isNameByte && $0 != UInt8(ascii: ".") }.contains { part in
      part.split(separator: UInt8(ascii: ".")).contains { name in
        let word = name.prefix(3).isWord("is-") ? name.dropFirst(3) : name
        return ["open", "opened", "active", "show", "shown", "expanded", "selected", "visible"]
          .contains { word.elementsEqual($0.utf8) }
      }
    }
  }

  /// Whether a name suggests a dialog, an overlay or navigation.
  private var mentionsDialogOrNavigation: Bool {
    let text = String(decoding: self, as: UTF8.self).lowercased()
    return [
      "modal", "menu", "nav", "popup", "popover", "dropdown", "tooltip", "overlay", "dialog",
      "drawer", "lightbox", "cookie", "consent", "banner", "toast", "search", "sidebar",
      "offcanvas",
      "loader", "spinner", "loading", "alert", "error", "header", "cart", "notification", "share",
    ].contains { text.contains($0) }
  }
}
