/// How an editor that was given a text ended.
package enum EditedText: Sendable, Equatable {
  /// The editor succeeded, and the file has this content.
  case text([UInt8])
  /// The editor ended with this exit code, or with the negated number of a signal.
  case failed(Int32)
  /// The editor was not started, or its file cannot be read.
  case notStarted

  /// Creates the result of an editor that has ended.
  /// - Parameters:
  ///   - exitCode: As in `failed`, or 0.
  ///   - content: The content of its file; nil if it cannot be read.
  package init(exitCode: Int32, _ content: @autoclosure () -> [UInt8]?) {
    self = exitCode == 0 ? content().map { .text($0) } ?? .notStarted : .failed(exitCode)
  }
}
