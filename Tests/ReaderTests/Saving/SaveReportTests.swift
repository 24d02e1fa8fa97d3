@testable import Saving
import Testing

@Suite struct SaveReportTests {
  @Test func `a collection that several requests refresh is reported once`() {
    let guide = CollectionSummary(name: "Guide", pages: 6, unreached: 0)
    let manual = CollectionSummary(name: "Manual", pages: 6, unreached: 0)
    var report = SaveReport()
    report.collections = [guide]
    var other = SaveReport()
    other.collections = [guide, manual]
    report.add(other)
    #expect(report.collections == [guide, manual])
  }
}
