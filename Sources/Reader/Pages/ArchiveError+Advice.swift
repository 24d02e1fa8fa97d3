package import OfflineCache

extension ArchiveError {
  /// One line for a person at a command line: what is wrong, and what can be done.
  package var advised: String {
    if case .noFolder = self { return description + "; choose another folder with --data-dir" }
    return description
  }
}
