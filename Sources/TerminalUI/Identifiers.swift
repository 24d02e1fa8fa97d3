/// The identifier of a load, which tells its reports from those of abandoned loads.
package struct LoadID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// The identifier of a comparison, which tells its result from those of abandoned comparisons.
package struct ComparisonID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// The identifier of a download, which tells its reports from those of removed downloads.
package struct DownloadID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}
