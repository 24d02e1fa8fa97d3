import DOM

/// What the names that authors give to elements (`class` and `id`) say of their content.
package struct NameHints: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Unlikely to be content: comments, menus, side bars.
  package static let unlikely = NameHints(rawValue: 1 << 0)
  /// May be content although its name also says otherwise.
  package static let candidate = NameHints(rawValue: 1 << 1)
  /// Speaks for content.
  package static let positive = NameHints(rawValue: 1 << 2)
  /// Speaks against content.
  package static let negative = NameHints(rawValue: 1 << 3)
  /// Names who wrote the page.
  package static let byline = NameHints(rawValue: 1 << 4)
  /// Offers to share the page.
  package static let share = NameHints(rawValue: 1 << 5)

  /// A role of elements around the content.
  package static let role = NameHints(rawValue: 1 << 6)

  /// Looks like the name of a byline and is none: another word begins with "author".
  package static let noByline = NameHints(rawValue: 1 << 7)

  /// The hints in the value of a `class` or `id`.
  static func hints(_ value: Range<Int>, in bytes: [UInt8]) -> NameHints {
    guard !value.isEmpty else { return [] }
    return bytes.withUnsafeBufferPointer {
      NameHints(rawValue: matcher.match($0, in: value))
    }
  }

  /// The hints in the value of a `class` or `id`.
  package static func hints(in value: UnsafeBufferPointer<UInt8>) -> NameHints {
    NameHints(rawValue: matcher.match(value, in: value.indices))
  }

  /// Whether a `role` is one of elements around the content.
  package static func isUnlikelyRole(_ role: ArraySlice<UInt8>) -> Bool {
    role.withUnsafeBufferPointer { unlikelyRoles.find($0) } ?? false
  }

  private static let unlikelyRoles = NameTable(
    lists: [(true, MetadataVocabulary.unlikelyRoles)])

  private static let matcher = WordMatcher(MetadataVocabulary.nameHints.map { ($0.rawValue, $1) })

}
