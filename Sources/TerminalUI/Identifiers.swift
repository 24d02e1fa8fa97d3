/// The identifier of a load, which distinguishes its reports from reports of abandoned loads.
package struct LoadID: Hashable, Sendable {
  /// The sequence number, from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// The identifier of a comparison, which distinguishes its result from results of abandoned
/// comparisons.
package struct ComparisonID: Hashable, Sendable {
  /// The sequence number, from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// The identifier of a download, which distinguishes its reports from reports of removed downloads.
package struct DownloadID: Hashable, Sendable {
  /// The sequence number, from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}
