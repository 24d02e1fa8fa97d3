import Foundation

/// The rows of one table in a document, which `scripts/bench --record` replaces by what it has measured.
///
/// They stand between two comments, `<!-- scripts/bench TABLE -->` and `<!-- end -->`, one row a figure, each with the
/// day on which it was measured. What is around them stays.
struct RecordedRows {
  private static let header = """
    | What | Figure | Target | | Row | Date |
    | --- | --- | --- | --- | --- | --- |
    """

  let table: String
  /// Lines of the document before, between and behind the comments.
  private var before: [String]
  private var rows: [String]
  private var after: [String]

  /// Finds the rows of a table.
  /// - Throws: when the document has no place for them.
  init(of table: String, in document: String) throws {
    let lines = document.components(separatedBy: "\n")
    let mark = "<!-- scripts/bench \(table) -->"
    guard let start = lines.firstIndex(of: mark),
      let end = lines[start...].firstIndex(of: "<!-- end -->")
    else { throw BenchError("the document has no lines \(mark) and <!-- end -->") }
    self.table = table
    before = Array(lines[...start])
    rows = lines[start + 1..<end].filter { $0.hasPrefix("| ") }.dropFirst(2).map { $0 }
    after = Array(lines[end...])
  }

  /// Puts the figures of a row of the benchmark in the place of what it gave before, or behind all others.
  /// - Parameters:
  ///   - name: the name of the row, as in `scripts/bench TABLE NAME`.
  ///   - results: what was measured.
  ///   - date: the day, in the form 2026-11-24.
  mutating func replace(_ name: String, by results: [ResultRow], date: String) {
    let cell = "| `\(name)` |"
    let place = rows.firstIndex { $0.contains(cell) } ?? rows.endIndex
    rows.removeAll { $0.contains(cell) }
    rows.insert(
      contentsOf: results.map { "\($0.line) `\(name)` | \(date) |" },
      at: Swift.min(place, rows.endIndex))
  }

  /// The document with the rows as they are now.
  var document: String {
    (before + ["", Self.header] + rows + [""] + after).joined(separator: "\n")
  }
}
