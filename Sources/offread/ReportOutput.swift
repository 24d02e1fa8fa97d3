/// A report that is written on standard output while the work goes on, from places that cannot fail: after the
/// first error nothing is written any more, and the end tells it.
final class ReportOutput {
  private var error: (any Error)?

  /// Writes a part of the report.
  func write(_ text: String) {
    guard error == nil else { return }
    do { try StandardOutput.write(Array(text.utf8)) } catch { self.error = error }
  }

  /// Ends the report.
  /// - Throws: `StandardOutput.WriteError` when some of it could not be written.
  func end() throws {
    if let error { throw error }
  }
}
