/// A permission to write files that the user has named in the arguments of a command.
package struct OutputGrant: Sendable, Equatable {
  /// The file or the directory, as the user wrote it.
  package var path: String
  /// The suffix that the names of files in the directory must have; nil for a single file.
  package var suffix: String?
  /// Whether existing files are replaced.
  package var replacesExisting: Bool

  /// Creates a grant for one file or, if `suffix` is not nil, for the files in a directory whose
  /// names end with it.
  package init(_ path: String, suffix: String? = nil, replacesExisting: Bool) {
    (self.path, self.suffix, self.replacesExisting) = (path, suffix, replacesExisting)
  }

  /// Returns whether the grant covers the file at a path.
  func covers(_ file: String) -> Bool {
    guard let suffix else { return file.utf8.elementsEqual(path.utf8) }
    // Bytes are compared, because a character after the slash might combine with the slash.
    let directory = (path + "/").utf8
    guard file.utf8.starts(with: directory) else { return false }
    let name = file.utf8.dropFirst(directory.count)
    return !name.contains(UInt8(ascii: "/")) && name.first != UInt8(ascii: ".")
      && !name.contains(0) && name.reversed().starts(with: suffix.utf8.reversed())
  }
}
