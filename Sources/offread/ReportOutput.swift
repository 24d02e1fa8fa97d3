/// A report that is written to standard output incrementally, from functions that cannot throw.
/// After the first error nothing more is written; `finish` throws it.
final class ReportOutput {
  private var firstError: (any Error)?

  /// Writes a part of the report, unless an earlier part could not be written.
  func write(_ text: String) {
    guard firstError == nil else { return }
    do { try StandardOutput.write(Array(text.utf8)) } catch { self.firstError = error }
  }

  /// Ends the report.
  /// - Throws: the first error that occurred while writing, usually `StandardOutput.WriteError`.
  func finish() throws {
    if let firstError { throw firstError }
  }
}
