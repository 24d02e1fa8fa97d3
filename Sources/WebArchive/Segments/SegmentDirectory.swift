import Foundation

/// The segments in an archive's directory.
struct SegmentDirectory: Sendable {
  let path: String
  let files: any FileSystem
  /// The name of the only file to read; nil to read all WARC files.
  var onlyFileName: String?

  /// Returns the regular WARC files in the directory with their status, sorted by name. The caller
  /// treats a file that is not listed as deleted, so a status that cannot be read is an error.
  /// Files that vanish meanwhile, and links that are broken or lead to an inaccessible path, are
  /// omitted.
  func list() throws(ArchiveError) -> [(name: String, OpenFile.Status)] {
    var names: [String] = []
    let result = files.retrying {
      names = []
      return files.list(path) { if isSegment($0) { names.append($0) } }
    }
    if result == -Int(ENOENT) { return [] }
    guard result == 0 else { throw .reading(path, result) }
    var found: [(name: String, OpenFile.Status)] = []
    for name in names.sorted() {
      guard let status = try status(of: name), status.isFile else { continue }
      found.append((name, status))
    }
    return found
  }

  /// Returns the status of a file; nil if it does not exist. Also nil for a symbolic link that
  /// forms a loop or leads to a path to which this user has no access, because an error for such a
  /// link would make all other files inaccessible.
  private func status(of name: String) throws(ArchiveError) -> OpenFile.Status? {
    var status = stat()
    let result = files.retrying { files.status(of: "\(path)/\(name)", &status) }
    let leadsNowhere = [ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG].contains {
      result == -Int($0)
    }
    if leadsNowhere { return nil }
    guard result == 0 else { throw .reading("\(path)/\(name)", result) }
    return OpenFile.Status(status)
  }

  /// Returns the names of files in the directory that begin with a dot.
  func hiddenFileNames() throws(ArchiveError) -> [String] {
    var names: [String] = []
    let result = files.retrying {
      names = []
      return files.list(path) { if $0.hasPrefix(".") { names.append($0) } }
    }
    guard result == 0 else { throw .reading(path, result) }
    return names
  }

  /// Returns the name of the latest segment of a device; nil if it has none.
  func latest(of device: String) throws(ArchiveError) -> SegmentName? {
    try list().compactMap { SegmentName($0.name) }.filter { $0.device == device }.max()
  }

  private func isSegment(_ name: String) -> Bool {
    if let onlyFileName { return name == onlyFileName }
    return (name.hasSuffix(".warc.gz") || name.hasSuffix(".warc")) && !name.hasPrefix(".")
  }
}
