import Document
import Layout
import ReaderMode
import Testing

@testable import TerminalUI

@Suite struct FindingTests {
  /// Ten lines, with the term on lines 2, 5 and 8.
  private static let layout: PageLayout = {
    let text = (0..<10).map { $0 % 3 == 2 ? "needle \($0)" : "line \($0)" }
    let html = "<pre>" + text.joined(separator: "\n") + "</pre>"
    return PageLayout(Document(bytes: Array(html.utf8)), options: LayoutOptions(width: 40))
  }()

  private static func finding(_ text: String = "needle") -> PageSearch {
    var finding = PageSearch()
    finding.setQuery(text, isForward: true)
    finding.highlight(text, in: layout)
    return finding
  }

  @Test func `finding goes to the nearest match on the screen, and continues from there`() {
    var finding = Self.finding()
    let steps = [1, 1, -2].map { finding.moveByMatches(by: $0, screenLines: 4..<10) }
    #expect(
      steps == [
        .init(line: 5, message: "2 of 3"), .init(line: 8, message: "3 of 3"),
        .init(line: 2, message: "1 of 3"),
      ])
    #expect(finding.ordinalText == "1 of 3")
  }

  @Test func `wrapping around the ends of the page is reported`() {
    var finding = Self.finding()
    let steps = [
      finding.moveByMatches(by: -1, screenLines: 0..<2),
      finding.moveByMatches(by: 1, screenLines: 0..<10),
      finding.moveToNearestMatch(from: 9, isForward: true),
    ]
    #expect(
      steps == [
        .init(line: 8, message: "wrapped to the bottom"),
        .init(line: 2, message: "wrapped to the top"),
        .init(line: 2, message: "wrapped to the top"),
      ])
  }

  @Test func `a move past the first or the last match leaves the page`() {
    var finding = Self.finding()
    #expect(!finding.leavesPage(movingBy: 1, screenLines: 0..<3))
    #expect(finding.leavesPage(movingBy: 1, screenLines: 9..<10))
    #expect(finding.leavesPage(movingBy: -1, screenLines: 0..<2))
    _ = finding.moveToNearestMatch(from: 8, isForward: true)
    #expect(finding.leavesPage(movingBy: 1, screenLines: 0..<10))
    #expect(!finding.leavesPage(movingBy: -2, screenLines: 0..<10))
    #expect(finding.leavesPage(movingBy: -3, screenLines: 0..<10))
    let absent = Self.finding("nowhere")
    #expect(absent.leavesPage(movingBy: 1, screenLines: 0..<10))
  }

  @Test func `terms without a match lead nowhere, and are remembered`() {
    var finding = Self.finding("nowhere")
    #expect(finding.hasNoMatches && finding.ordinalText == nil)
    let step = finding.moveByMatches(by: 1, screenLines: 0..<10)
    #expect(step == nil)
    finding.clearMatches()
    finding.setQuery("", isForward: false)
    #expect(finding.query == "nowhere" && !finding.isForward && finding.pageMatches == nil)
  }

  @Test func `another layout keeps the current match unless it is gone`() {
    var finding = Self.finding()
    _ = finding.moveToNearestMatch(from: 8, isForward: true)
    finding.refreshHighlights(in: Self.layout)
    #expect(finding.currentMatchLine == 8)
    let short = PageLayout(
      Document(bytes: Array("<p>needle".utf8)), options: LayoutOptions(width: 40))
    finding.refreshHighlights(in: short)
    #expect(finding.currentMatchLine == nil && finding.pageMatches?.occurrenceCount == 1)
  }
}
