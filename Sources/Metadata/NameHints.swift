import DOM

/// Hints that the `class`, `id` and `role` of an element give about its content.
package struct NameHints: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Unlikely to be content: comments, menus, sidebars.
  package static let unlikelyContent = NameHints(rawValue: 1 << 0)
  /// May be content even if `unlikelyContent` is set.
  package static let candidate = NameHints(rawValue: 1 << 1)
  /// Counts in favour of content.
  package static let positive = NameHints(rawValue: 1 << 2)
  /// Counts against content.
  package static let negative = NameHints(rawValue: 1 << 3)
  /// Indicates a byline.
  package static let byline = NameHints(rawValue: 1 << 4)
  package static let sharing = NameHints(rawValue: 1 << 5)

  /// The element has an ARIA role of something other than the content, such as navigation.
  package static let nonContentRole = NameHints(rawValue: 1 << 6)

  /// Looks like a byline but is not: another word begins with "author", such as "authority".
  package static let notByline = NameHints(rawValue: 1 << 7)

  /// Returns the hints in the value of a `class` or `id` attribute.
  static func hints(_ value: Range<Int>, in bytes: [UInt8]) -> NameHints {
    guard !value.isEmpty else { return [] }
    return bytes.withUnsafeBufferPointer {
      NameHints(rawValue: matcher.match($0, in: value))
    }
  }

  /// Returns the hints in the value of a `class` or `id` attribute.
  package static func hints(in value: UnsafeBufferPointer<UInt8>) -> NameHints {
    NameHints(rawValue: matcher.match(value, in: value.indices))
  }

  /// Whether an ARIA role is used by elements around the content.
  package static func isUnlikelyRole(_ role: ArraySlice<UInt8>) -> Bool {
    role.withUnsafeBufferPointer { unlikelyRoles.find($0) } ?? false
  }

  private static let unlikelyRoles = NameTable(
    valuesWithNames: [(true, MetadataVocabulary.unlikelyRoles)])

  private static let matcher = WordMatcher(MetadataVocabulary.nameHints.map { ($0.rawValue, $1) })

}
