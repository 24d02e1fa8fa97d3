/// A report that is written to standard output incrementally, from functions that cannot throw.
/// After the first error nothing more is written; `end` throws it.
final class ReportOutput {
  private var error: (any Error)?

  /// Writes a part of the report.
  func write(_ text: String) {
    guard error == nil else { return }
    do { try StandardOutput.write(Array(text.utf8)) } catch { self.error = error }
  }

  /// Ends the report.
  /// - Throws: the first error that occurred while writing, usually `StandardOutput.WriteError`.
  func end() throws {
    if let error { throw error }
  }
}
