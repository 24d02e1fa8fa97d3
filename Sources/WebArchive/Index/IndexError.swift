import GRDB

/// An error of the index.
enum IndexError: Error, Equatable {
  /// The content is damaged; the index must be rebuilt.
  case corrupt
  /// The index cannot be opened, read or written.
  case unusable(String)
  /// The work was stopped by its progress closure or by the user.
  case stopped
}

extension IndexError: CustomStringConvertible {
  /// A message that follows "the index:".
  var description: String {
    switch self {
    case .corrupt: "it is damaged"
    case .stopped: "it was stopped"
    case .unusable(let reason): reason
    }
  }
}
