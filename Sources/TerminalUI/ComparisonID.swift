/// The identifier of a comparison, which distinguishes its result from results of abandoned
/// comparisons.
package struct ComparisonID: Hashable, Sendable {
  /// The sequence number, from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}
