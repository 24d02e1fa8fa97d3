/// Names a load, so that reports of one that nobody waits for any more are known.
package struct LoadID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// Names a comparison, so that the result of one that nobody waits for any more is known.
package struct ComparisonID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// Names a download, so that reports of one that is gone are known.
package struct DownloadID: Hashable, Sendable {
  /// Counts from 1.
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}
