@testable import Saving
import Testing

@Suite struct SaveReportTests {
  @Test func `a collection that several requests refresh is reported once`() {
    let guide = CollectionSummary(name: "Guide", pageCount: 6, unreachedCount: 0)
    let manual = CollectionSummary(name: "Manual", pageCount: 6, unreachedCount: 0)
    var report = SaveReport()
    report.collections = [guide]
    var other = SaveReport()
    other.collections = [guide, manual]
    report.add(other)
    #expect(report.collections == [guide, manual])
  }
}
