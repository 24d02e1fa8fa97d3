package import Foundation

/// The refresh interval of pages with a certain tag.
package struct RefreshRule: Sendable, Equatable {
  /// The tag in its stored form.
  package var tag = ""
  /// The interval between two refreshes, in seconds; nil until it is set.
  package var interval: TimeInterval?

  /// Creates a rule without a tag and an interval. It applies to no page.
  package init() {}
}
