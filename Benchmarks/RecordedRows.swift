import Foundation

/// The rows of a table in a document, which `scripts/bench --record` replaces by new measurements.
///
/// They are between the comments `<!-- scripts/bench TABLE -->` and `<!-- end -->`, one row for
/// each figure, with the date of its measurement. The rest of the document is not changed.
struct RecordedRows {
  private static let header = """
    | What | Figure | Target | | Row | Date |
    | --- | --- | --- | --- | --- | --- |
    """

  let table: String
  /// The lines of the document before, between and after the comments.
  private var before: [String]
  private var rows: [String]
  private var after: [String]

  /// Finds the rows of a table.
  /// - Throws: `BenchError` if the document does not contain the comments.
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

  /// Replaces the previous results of a benchmark, or appends them after all others.
  /// - Parameters:
  ///   - name: The name of the benchmark, as in `scripts/bench TABLE NAME`.
  ///   - results: The measured figures.
  ///   - date: The date, in the form 2026-11-24.
  mutating func replace(_ name: String, by results: [ResultRow], date: String) {
    let cell = "| `\(name)` |"
    let place = rows.firstIndex { $0.contains(cell) } ?? rows.endIndex
    rows.removeAll { $0.contains(cell) }
    rows.insert(
      contentsOf: results.map { "\($0.line) `\(name)` | \(date) |" },
      at: Swift.min(place, rows.endIndex))
  }

  /// The document with the current rows.
  var document: String {
    (before + ["", Self.header] + rows + [""] + after).joined(separator: "\n")
  }
}
