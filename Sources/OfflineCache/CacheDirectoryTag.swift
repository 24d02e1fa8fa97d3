import Foundation

/// The tag file that marks a directory as reproducible, so that backup programs skip it (Cache
/// Directory Tagging Specification).
enum CacheDirectoryTag {
  private static let text = """
    Signature: 8a477f597d28d172789f06886806bc55
    # The index of an archive of web pages, made by the library OfflineCache.
    # It is built again from the archive when it is missing, so no backup needs it.
    # See https://bford.info/cachedir/

    """

  /// Creates the tag file in the directory of an index. Does nothing if the file exists or the
  /// directory contains other files, in particular the archive, which must be backed up.
  static func create(_ location: ArchiveLocation) {
    let directory = location.index.deletingLastPathComponent().standardizedFileURL.path
    let tag = directory + "/CACHEDIR.TAG"
    guard access(tag, F_OK) != 0,
      !(location.archive.standardizedFileURL.path + "/").hasPrefix(directory + "/"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: directory),
      names.allSatisfy({ $0.hasPrefix(location.index.lastPathComponent) || $0 == "seeds" })
    else { return }
    // A failure to write the tag has no other consequence.
    let descriptor = open(tag, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }
}
