/// The arguments of `:has()`, which matches an element to which any of them relates another
/// element.
///
/// Two lists are equal if their texts have the same hash, so a comparison takes constant time.
struct RelativeSelectorList: Sendable, Hashable {
  /// The arguments, at least one.
  let selectors: [SelectorSequence]
  /// The hash of the text.
  private let textHash: UInt64

  /// Parses the text in the parentheses of `:has()`; returns nil if one of the arguments is invalid
  /// or not supported.
  init?(_ text: StyleBytes) {
    let parts = text.parts(separator: UInt8(ascii: ","))
    selectors = parts.compactMap { SelectorSequence(relative: $0.trimmed) }
    guard selectors.count == parts.count, !parts.isEmpty else { return nil }
    textHash = CompoundSelector.hash(text)
  }

  static func == (one: Self, other: Self) -> Bool { one.textHash == other.textHash }

  func hash(into hasher: inout Hasher) { hasher.combine(textHash) }

  /// The compound selectors of all arguments.
  var compoundSelectors: [CompoundSelector] { selectors.flatMap { $0.steps.map(\.compound) } }

  /// The specificity of the most specific argument.
  var specificity: Int {
    selectors.map { $0.steps.reduce(0) { $0 + $1.compound.specificity } }.max() ?? 0
  }
}
