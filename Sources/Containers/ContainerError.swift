/// Why a container, or something in it, cannot be read. Names are as the container has them: who shows them
/// cleans them.
package enum ContainerError: Error, Sendable, Equatable {
  /// The bytes are none of this form.
  case otherFormat
  /// They are, but cannot be right; the words say how.
  case damaged(String)
  /// More entries than are read.
  case tooManyEntries(limit: Int)
  /// More bytes than are read, of one entry or, with an empty path, of all.
  case tooLarge(path: String, limit: Int64)
  /// An entry is packed so tightly that it was made to do harm.
  case tooDense(path: String, limit: Int64)
  /// A password is needed.
  case encrypted(path: String)
  /// Its text is locked, for programs that have its key.
  case locked
  /// It is packed in a way that is not read; the number is that of ZIP (APPNOTE 4.4.5).
  case unknownMethod(path: String, Int)
  /// Its content is not what its checksum says.
  case wrongChecksum(path: String)
  /// There is no such entry.
  case missing(path: String)
  /// What holds the bytes failed.
  case unreadable(String)
}

extension ContainerError: CustomStringConvertible {
  /// The rest of a sentence that begins with the name of the file.
  package var description: String {
    switch self {
    case .otherFormat: "is not in the form that its name says"
    case .damaged(let words): "is damaged: \(words)"
    case .tooManyEntries(let limit): "has more than \(limit) entries; so many are not read"
    case .tooLarge("", let limit): "has more than \(limit >> 20) MB unpacked; so much is not read"
    case .tooLarge(let path, let limit):
      "has \(path), which is larger than \(limit >> 20) MB; so much is not read"
    case .tooDense(let path, let limit):
      "has \(path), which is packed more than \(limit) times smaller, as only bombs are; it is not read"
    case .encrypted(let path): "has \(path), which is encrypted; unpack it with its password first"
    case .locked: "is locked (DRM): only programs that its seller names can read it"
    case .unknownMethod(let path, let method):
      "has \(path), which is packed in a way that is not read (method \(method))"
    case .wrongChecksum(let path): "is damaged: the checksum of \(path) is wrong"
    case .missing(let path): "has no \(path)"
    case .unreadable(let words): "cannot be read: \(words)"
    }
  }
}

/// What is read of a container at most.
package struct ContainerBounds: Sendable, Equatable {
  /// Entries, or parts.
  package var entries = 10_000
  /// Bytes unpacked, of one entry and of all that are packed.
  package var size: Int64 = 1 << 30
  /// How many times larger an entry may be unpacked.
  package var ratio: Int64 = 200
  /// Entries of up to so many bytes may be packed more tightly: zeros are.
  package var harmlessSize: Int64 = 1 << 20

  /// The usual bounds.
  package init() {}
}
