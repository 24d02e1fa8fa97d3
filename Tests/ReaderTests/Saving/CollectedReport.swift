@testable import Saving

/// A report with all pages that were reported before it.
@dynamicMemberLookup
struct CollectedReport {
  let report: SaveReport
  let pages: [SaveOutcome]

  subscript<Value>(dynamicMember path: KeyPath<SaveReport, Value>) -> Value {
    report[keyPath: path]
  }
}

extension PageSaver {
  /// Saves everything, and collects the reports of the pages.
  func collected(progress: (SaveProgress) -> Bool = { _ in true }) -> CollectedReport {
    var pages: [SaveOutcome] = []
    let report = run(outcome: { pages.append($0) }, progress: progress)
    return CollectedReport(report: report, pages: pages)
  }
}
