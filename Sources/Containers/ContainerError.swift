/// An error of reading a container or an entry of it. Names are as in the container: they must be
/// sanitized before they are shown.
package enum ContainerError: Error, Sendable, Equatable {
  /// The bytes are not in this format.
  case otherFormat
  /// The format is right, but the content is invalid. The text describes the damage.
  case damaged(String)
  /// There are more entries than allowed.
  case tooManyEntries(limit: Int)
  /// An entry or, if the path is empty, the whole container is longer than allowed when
  /// decompressed.
  case tooLarge(path: String, limit: Int64)
  /// The compression ratio of an entry is suspiciously high, as in a decompression bomb.
  case suspiciousRatio(path: String, limit: Int64)
  /// The entry is encrypted and needs a password.
  case encrypted(path: String)
  /// The content is protected by DRM.
  case drmProtected
  /// The compression method is not supported; the number is the method of ZIP (APPNOTE 4.4.5).
  case unknownMethod(path: String, Int)
  /// The checksum of the content is wrong.
  case wrongChecksum(path: String)
  /// There is no such entry.
  case missing(path: String)
  /// The bytes cannot be read. The text contains the reason.
  case unreadable(String)
}

extension ContainerError: CustomStringConvertible {
  /// The rest of a sentence that begins with the name of the file.
  package var description: String {
    switch self {
    case .otherFormat: "is not in the format that its name indicates"
    case .damaged(let message): "is damaged: \(message)"
    case .tooManyEntries(let limit): "has more than \(limit) entries, which is the maximum"
    case .tooLarge("", let limit): "has more than \(limit >> 20) MB unpacked, which is the maximum"
    case .tooLarge(let path, let limit):
      "has \(path), which is larger than the maximum of \(limit >> 20) MB"
    case .suspiciousRatio(let path, let limit):
      "has \(path), which is compressed more than \(limit) times, as in a ZIP bomb; it is not read"
    case .encrypted(let path): "has \(path), which is encrypted; unpack it with its password first"
    case .drmProtected: "is protected by DRM: only programs of its seller can read it"
    case .unknownMethod(let path, let method):
      "has \(path), whose compression method \(method) is not supported"
    case .wrongChecksum(let path): "is damaged: the checksum of \(path) is wrong"
    case .missing(let path): "has no \(path)"
    case .unreadable(let message): "cannot be read: \(message)"
    }
  }
}
