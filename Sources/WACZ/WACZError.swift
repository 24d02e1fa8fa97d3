import Containers
public import Foundation

/// An error of reading a WACZ file. Names are as in the file: sanitize them before you show them.
public enum WACZError: Error, Sendable, Hashable {
  /// The file cannot be opened or read. The text contains the reason.
  case unreadable(String)
  /// The file is not a ZIP archive, or a part of it is invalid. The text describes the damage.
  case damaged(String)
  /// The file does not contain a file of this name.
  case missing(String)

  init(_ error: ContainerError) {
    self =
      switch error {
      case .unreadable(let reason): .unreadable(reason)
      case .missing(let path): .missing(path)
      case .otherFormat, .damaged, .tooManyEntries, .tooLarge, .suspiciousRatio, .encrypted,
        .drmProtected, .unknownMethod, .wrongChecksum:
        .damaged("the file \(error)")
      }
  }
}

extension WACZError: CustomStringConvertible {
  /// A message for the user, in one line.
  public var description: String {
    switch self {
    case .unreadable(let reason), .damaged(let reason): reason
    case .missing(let name): "the file does not contain \(name)"
    }
  }
}

extension WACZError: LocalizedError {
  /// The same line as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
