import Foundation

/// The segments that lie in an archive's folder.
struct SegmentFolder: Sendable {
  /// The folder.
  let path: String
  /// How files are reached.
  let files: any FileSystem
  /// The only file that counts, whatever its name; nil for every WARC file.
  var only: String?

  /// Every WARC file in the folder with its state, sorted by name. Nothing is left out: a file that
  /// cannot be looked at is an error, for what is not listed counts as gone.
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
      guard let status = try files.status(of: "\(path)/\(name)"), status.isFile else { continue }
      found.append((name, status))
    }
    return found
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
