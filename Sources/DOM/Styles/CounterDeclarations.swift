/// The declarations `counter-reset`, `counter-increment` and `counter-set` of a rule (CSS Lists 3
/// §4).
struct CounterDeclarations: Sendable, Equatable {
  /// A counter, by the hash of its name, and the number that it is set to or incremented by.
  struct Change: Sendable, Equatable {
    var nameHash: UInt64
    var number: Int32
  }

  /// The counters that `counter-reset` creates.
  private(set) var resets: [Change] = []
  /// The changes by `counter-increment`.
  private(set) var increments: [Change] = []
  /// The changes by `counter-set`.
  private(set) var sets: [Change] = []

  private static let maxChanges = 16

  init(resets: [Change] = [], increments: [Change] = [], sets: [Change] = []) {
    (self.resets, self.increments, self.sets) = (resets, increments, sets)
  }

  /// Parses declarations; nil if they have none of these properties.
  init?(_ declarations: StyleBytes) {
    guard declarations.mentionsCounters else { return nil }
    declarations.forEachDeclaration { property, value in
      if property.isWord("counter-reset") {
        resets = Self.parseChanges(value, defaultNumber: 0)
      } else if property.isWord("counter-increment") {
        increments = Self.parseChanges(value, defaultNumber: 1)
      } else if property.isWord("counter-set") {
        sets = Self.parseChanges(value, defaultNumber: 0)
      }
    }
    guard !resets.isEmpty || !increments.isEmpty || !sets.isEmpty else { return nil }
  }

  /// Applies declarations of higher precedence.
  mutating func apply(_ others: Self) {
    if !others.resets.isEmpty { resets = others.resets }
    if !others.increments.isEmpty { increments = others.increments }
    if !others.sets.isEmpty { sets = others.sets }
  }

  /// Parses names, each with an optional number, which is `defaultNumber` if missing.
  private static func parseChanges(_ value: StyleBytes, defaultNumber: Int32) -> [Change] {
    var changes: [Change] = []
    for word in value.split(whereSeparator: \.isWhiteSpace) where changes.count < maxChanges {
      if word.first == UInt8(ascii: "!") || word.isWord("none") { break }
      if let number = Int32(String(decoding: word, as: UTF8.self)) {
        if !changes.isEmpty { changes[changes.count - 1].number = number }
      } else {
        changes.append(Change(nameHash: CompoundSelector.hash(word), number: defaultNumber))
      }
    }
    return changes
  }
}

extension DOMTree {
  /// Returns the difference between the numbers of consecutive items of a list.
  func listStep(_ list: Int32) -> Int {
    nodes[Int(list)].name == .ol && hasAttribute(.reversed, list) ? -1 : 1
  }

  /// Returns the number of items of a list.
  package func itemCount(of list: Int32) -> Int {
    var count = 0
    var next = nodes[Int(list)].firstChild
    while let child = next {
      if nodes[Int(child)].name == .li { count += 1 }
      next = nodes[Int(child)].nextSibling
    }
    return count
  }
}

extension StyleBytes {
  /// Whether the declarations may contain a property that changes counters; a quick test.
  fileprivate var mentionsCounters: Bool {
    var rest = self
    while let index = rest.firstIndex(of: UInt8(ascii: "-")) {
      let (textBeforeHyphen, textAfterHyphen) = (rest[..<index], rest[(index + 1)...])
      if textBeforeHyphen.suffix(7).isWord("counter"),
        textAfterHyphen.prefix(5).isWord("reset") || textAfterHyphen.prefix(9).isWord("increment")
          || textAfterHyphen.prefix(3).isWord("set")
      {
        return true
      }
      rest = textAfterHyphen
    }
    return false
  }
}
