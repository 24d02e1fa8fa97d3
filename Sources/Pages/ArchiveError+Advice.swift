package import OfflineCache

extension ArchiveError {
  /// A one-line message for the command line: what is wrong and what to do.
  package var advised: String {
    if case .noDirectory = self {
      return description + "; choose another directory with --data-dir"
    }
    return description
  }
}
