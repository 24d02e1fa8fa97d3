/// The compound selectors of a complex selector, from the outermost ancestor to the subject, each
/// with the combinator before it (Selectors Level 4 §3.1); `descendant` before the first one.
///
/// Two selectors are equal if their texts have the same hash, so a comparison takes constant time.
struct SelectorSequence: Sendable, Hashable {
  /// The relation of an element to the one that the previous compound selector matches.
  enum Combinator: Sendable, Hashable {
    /// The element is a descendant.
    case descendant
    /// The element is a child.
    case child
    /// The element is the next sibling (`+`).
    case nextSibling
    /// The element is a later sibling (`~`).
    case laterSibling
  }

  /// Whether the selector matches nothing without user interaction, such as moving a pointer.
  var requiresUserAction: Bool { steps.contains { $0.compound.requiresUserAction } }

  /// Whether the selector below the root is a single compound selector without pseudo-classes.
  var isCompound: Bool {
    let stepsBelowRoot = steps.drop(while: \.compound.isAnyRootElement)
    return stepsBelowRoot.count == 1
      && stepsBelowRoot.allSatisfy { $0.combinator == .descendant && !$0.compound.hasPseudoClass }
  }

  /// A compound selector and the combinator before it.
  struct Step: Sendable, Hashable {
    var compound: CompoundSelector
    var combinator: Combinator
  }

  /// The steps, at least one; the last is the subject.
  let steps: [Step]
  /// The hash of the text.
  private let textHash: UInt64

  private static let maxSteps = 18

  /// Parses a complex selector without white space around it.
  ///
  /// Returns nil for more than 18 steps and for anything that `CompoundSelector` does not support.
  init?(_ text: StyleBytes) {
    guard let steps = Self.parseSteps(in: text, isRelative: false), !steps.isEmpty else {
      return nil
    }
    self.steps = steps
    textHash = CompoundSelector.hash(text)
  }

  /// Parses a selector relative to another element (Selectors Level 4 §3.1), such as `> .note` or
  /// `+ p`. The first combinator relates the first step to that element.
  ///
  /// Returns nil if a step depends on the position of its element or is `*`, or if its elements are
  /// not in the tree.
  init?(relative text: StyleBytes) {
    guard let steps = Self.parseSteps(in: text, isRelative: true), !steps.isEmpty,
      steps.allSatisfy({
        $0.compound.dependsOnlyOnElement && $0.compound.canMatchInTree && !$0.compound.isUniversal
      })
    else { return nil }
    self.steps = steps
    textHash = CompoundSelector.hash(text)
  }

  static func == (one: Self, other: Self) -> Bool { one.textHash == other.textHash }

  func hash(into hasher: inout Hasher) { hasher.combine(textHash) }

  private static func parseSteps(in text: StyleBytes, isRelative: Bool) -> [Step]? {
    var steps: [Step] = []
    var rest = text
    var combinator = Combinator.descendant
    if isRelative, let named = rest.first.flatMap({ Combinator(sign: $0) }) {
      combinator = named
      rest = rest.dropFirst().withoutLeadingWhiteSpace
    }
    while !rest.isEmpty {
      let end = rest.endOfCompound
      guard end > rest.startIndex, steps.count < maxSteps else { return nil }
      guard let selector = CompoundSelector(rest[..<end]) else { return nil }
      steps.append(Step(compound: selector, combinator: combinator))
      rest = rest[end...]
      rest = rest.withoutLeadingWhiteSpace
      guard !rest.isEmpty else { break }
      combinator = .descendant
      if let named = rest.first.flatMap({ Combinator(sign: $0) }) {
        combinator = named
        rest = rest.dropFirst().withoutLeadingWhiteSpace
        guard !rest.isEmpty else { return nil }
      }
    }
    if let summary = steps.lastIndex(where: { $0.compound.type == .summary }) {
      for index in steps[..<summary].indices { steps[index].compound.matchesClosedDetails = true }
    }
    return steps
  }
}

extension SelectorSequence.Combinator {
  fileprivate init?(sign: UInt8) {
    switch sign {
    case UInt8(ascii: ">"): self = .child
    case UInt8(ascii: "+"): self = .nextSibling
    case UInt8(ascii: "~"): self = .laterSibling
    default: return nil
    }
  }
}

extension StyleBytes {
  fileprivate var withoutLeadingWhiteSpace: Self { drop(while: \.isWhiteSpace) }

  /// The index after the compound selector at the start, which ends at white space or at a
  /// combinator outside brackets and strings.
  fileprivate var endOfCompound: Int {
    var (index, depth) = (startIndex, 0)
    while index < endIndex {
      let byte = self[index]
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = endOfString(from: index) - 1
      case UInt8(ascii: "\\"):
        var rest = self[index...]
        _ = rest.consumeEscape()
        index = rest.startIndex - 1
      case _ where depth > 0: break
      case _ where byte.isWhiteSpace: return index
      case UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "~"): return index
      default: break
      }
      index += 1
    }
    return endIndex
  }
}
