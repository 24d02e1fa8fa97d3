/// The reason why a ZIP archive cannot be written.
package enum ZIPError: Error, Sendable, Equatable {
  /// With this file, the archive would exceed its size limit or its maximum number of files.
  case tooLarge(path: String)
}

extension ZIPError: CustomStringConvertible {
  /// A description for the user, on one line.
  package var description: String {
    switch self {
    case .tooLarge(let path): "\(path): the archive would be larger than 4 GB"
    }
  }
}
