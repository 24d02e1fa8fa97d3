package import OfflineCache

extension ArchiveError {
  /// A one-line message for the command line, with the error and advice.
  package var advised: String {
    if case .noFolder = self {
      return description + "; choose another directory with --data-dir"
    }
    return description
  }

  /// Returns the message that an action failed because of this error, such as `the library cannot
  /// be changed: the disk is full`. It omits the consequence that `description` begins with.
  /// - Parameter action: The beginning of the message, such as `the library cannot be changed`.
  /// - Returns: The message.
  package func message(for action: String) -> String { "\(action): \(reason)" }
}
