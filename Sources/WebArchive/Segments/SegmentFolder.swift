import Foundation

/// The segments that lie in an archive's folder.
struct SegmentFolder: Sendable {
  /// The folder.
  let path: String
  /// How files are reached.
  let files: any FileSystem
  /// The only file that counts, whatever its name; nil for every WARC file.
  var only: String?

  /// Every WARC file in the folder with its state, sorted by name. What is not listed counts as gone,
  /// so a file that cannot be looked at is an error, unless it leads nowhere for this user.
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

  /// The state of a file; nil when there is none, or a link that leads in a circle or to where this user
  /// may not look: one of those must not stand in the way of all other files.
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

  /// The names that begin with a dot.
  func hidden() throws(ArchiveError) -> [String] {
    var names: [String] = []
    let result = files.retrying {
      names = []
      return files.list(path) { if $0.hasPrefix(".") { names.append($0) } }
    }
    guard result == 0 else { throw .reading(path, result) }
    return names
  }

  /// The latest segment of a machine.
  func latest(of machine: String) throws(ArchiveError) -> SegmentName? {
    try list().compactMap { SegmentName($0.name) }.filter { $0.machine == machine }.max()
  }

  private func isSegment(_ name: String) -> Bool {
    if let only { return name == only }
    return (name.hasSuffix(".warc.gz") || name.hasSuffix(".warc")) && !name.hasPrefix(".")
  }
}
