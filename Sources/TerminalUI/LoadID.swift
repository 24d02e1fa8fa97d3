/// The identifier of a load, which distinguishes its reports from reports of abandoned loads.
package struct LoadID: Hashable, Sendable {
  /// The sequence number, from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}
