import WARC

/// A ZIP archive that is read (PKWARE's APPNOTE 6.3.10), with ZIP64: its directory first, then what is asked
/// for. What the directory says is checked before anything is unpacked: how many entries, how large, how
/// tightly packed, and that no two of them share bytes of the file, as those of bombs do.
package struct ZIPArchive: Sendable {
  /// A file, or a folder, in the archive.
  package struct Entry: Sendable, Equatable {
    /// The path within the archive; that of a folder ends with a slash.
    package var path: String
    /// Its length unpacked, in bytes.
    package var size: Int64
    /// Its length in the archive, in bytes.
    package var packedSize: Int64
    /// Whether a password is needed.
    package var isEncrypted: Bool
    var method: Int
    /// The checksum of its content (CRC-32).
    package var checksum: UInt32
    var offset: Int64
    /// When it was changed, in seconds since 1970; nil where the directory does not say. Many archives tell the
    /// time of a place that they do not name: it is taken for UTC.
    package var modified: Int64?

    /// Whether it is a folder.
    package var isFolder: Bool { path.hasSuffix("/") }
    /// Whether its bytes stand in the archive as they are.
    package var isStored: Bool { method == 0 && !isEncrypted }
  }

  /// The entries by what the directory says, in its order; those in `refused` left out.
  package let entries: [Entry]
  /// The names of entries that lead out of the archive, or that another entry has already.
  package let refused: [String]
  private let places: [String: Int]
  /// The indices of the entries by `ContainedPath.key`; -1 for a key that several entries share.
  private let keys: [String: Int]
  private let access: ByteAccess
  private let bounds: ContainerBounds

  /// Whether bytes begin as those of an archive do; also of one without entries.
  package static func isBegun(by bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the directory.
  /// - Parameters:
  ///   - access: the bytes of the archive.
  ///   - bounds: what is read of it at most.
  /// - Throws: `ContainerError`.
  package init(
    _ access: ByteAccess, bounds: ContainerBounds = ContainerBounds()
  ) throws(ContainerError) {
    let directory = try ZIPDirectory(access, bounds: bounds)
    var entries: [Entry] = []
    var refused: [String] = []
    var places: [String: Int] = [:]
    var packed: Int64 = 0
    for (name, entry) in directory.entries {
      guard let path = ContainedPath.of(entry: name), places[path] == nil else {
        refused.append(name)
        continue
      }
      var entry = entry
      entry.path = path
      if !entry.isStored {
        let (sum, isTooMuch) = packed.addingReportingOverflow(entry.size)
        guard !isTooMuch, sum <= bounds.size else { throw .tooLarge(path: "", limit: bounds.size) }
        packed = sum
      }
      places[path] = entries.count
      entries.append(entry)
    }
    (self.entries, self.refused, self.places) = (entries, refused, places)
    keys = Dictionary(
      entries.enumerated().compactMap { index, entry in
        ContainedPath.key(of: entry.path).map { ($0, index) }
      }, uniquingKeysWith: { _, _ in -1 })
    self.access = access
    self.bounds = bounds
  }

  /// The entry with a path; nil when there is none.
  package subscript(path: String) -> Entry? { places[path].map { entries[$0] } }

  /// Returns the path of the entry that matches a path: exactly, or else the only entry whose path differs in
  /// percent-encoding, backslashes or letter case. Some books refer to their files only in such spellings.
  /// - Parameter path: a path that may not be in the archive.
  /// - Returns: the path of the entry; `path` when there is none.
  package func path(matching path: String) -> String {
    guard places[path] == nil, let key = ContainedPath.key(of: path), let index = keys[key],
      index >= 0
    else { return path }
    return entries[index].path
  }

  /// The content of an entry.
  /// - Parameter path: its path.
  /// - Returns: its bytes, unpacked.
  /// - Throws: `ContainerError`.
  package func content(of path: String) throws(ContainerError) -> [UInt8] {
    guard let entry = self[path], !entry.isFolder else { throw .missing(path: path) }
    guard entry.size <= bounds.size else { throw .tooLarge(path: path, limit: bounds.size) }
    var content: [UInt8] = []
    content.reserveCapacity(Int(min(entry.size, 1 << 24)))
    do {
      try read(entry) { content += $0 }
    } catch let error as ContainerError {
      throw error
    } catch {
      throw .unreadable("\(error)")
    }
    return content
  }

  /// The first bytes of an entry, as far as they can be read; what follows them is neither unpacked nor checked.
  /// - Parameters:
  ///   - entry: the entry.
  ///   - count: how many bytes at most.
  /// - Returns: the bytes.
  package func beginning(of entry: Entry, upTo count: Int) -> [UInt8] {
    struct Enough: Error {}
    var bytes: [UInt8] = []
    try? read(entry) { piece in
      bytes += piece
      if bytes.count >= count { throw Enough() }
    }
    return Array(bytes.prefix(count))
  }

  /// Hands out the content of an entry, piece by piece.
  /// - Parameters:
  ///   - entry: the entry.
  ///   - sink: takes up to 256 KB at a time.
  /// - Throws: `ContainerError`, also at the end when the checksum is wrong; what `sink` throws.
  package func read(_ entry: Entry, into sink: ([UInt8]) throws -> Void) throws {
    guard !entry.isEncrypted else { throw ContainerError.encrypted(path: entry.path) }
    guard entry.method == 0 || entry.method == 8 else {
      throw ContainerError.unknownMethod(path: entry.path, entry.method)
    }
    if entry.method == 8 {
      guard entry.size <= bounds.size else {
        throw ContainerError.tooLarge(path: entry.path, limit: bounds.size)
      }
      guard entry.size <= bounds.harmlessSize || entry.size / bounds.ratio <= entry.packedSize
      else { throw ContainerError.tooDense(path: entry.path, limit: bounds.ratio) }
    } else if entry.size != entry.packedSize {
      throw ContainerError.damaged("\(entry.path) has two lengths")
    }
    var checksum = CRC32()
    var size: Int64 = 0
    // What comes is never more than the directory has promised.
    func take(_ bytes: [UInt8]) throws {
      size += Int64(bytes.count)
      guard size <= entry.size else {
        throw ContainerError.damaged("\(entry.path) is longer than it says")
      }
      checksum.update(bytes)
      try sink(bytes)
    }
    try unpack(entry, into: take)
    guard size == entry.size else {
      throw ContainerError.damaged("\(entry.path) is shorter than it says")
    }
    guard checksum.value == entry.checksum else {
      throw ContainerError.wrongChecksum(path: entry.path)
    }
  }

  private func unpack(_ entry: Entry, into sink: ([UInt8]) throws -> Void) throws {
    let inflater = entry.method == 8 ? Inflater(format: .raw) : nil
    var offset = try start(of: entry)
    let end = offset + entry.packedSize
    while offset < end, inflater?.isFinished != true {
      let piece = try access.exactly(Int(min(Self.pieceLength, end - offset)), at: offset)
      offset += Int64(piece.count)
      guard let inflater else {
        try sink(piece)
        continue
      }
      do {
        try inflater.inflate(piece, into: sink)
      } catch is DeflateError {
        throw ContainerError.damaged("\(entry.path) cannot be unpacked")
      }
    }
    guard inflater?.isFinished != false else {
      throw ContainerError.damaged("\(entry.path) ends in the middle")
    }
  }

  /// Where the content of an entry begins. Its own head tells how long it is; all else the directory says.
  private func start(of entry: Entry) throws(ContainerError) -> Int64 {
    let head = try access.exactly(30, at: entry.offset)
    guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
      throw .damaged("\(entry.path) is not where the directory says")
    }
    let start = entry.offset + 30 + Int64(head.little(26, 2)) + Int64(head.little(28, 2))
    guard start <= access.size, entry.packedSize <= access.size - start else {
      throw .damaged("\(entry.path) ends beyond the end of the file")
    }
    return start
  }

  private static let pieceLength: Int64 = 1 << 16
}

extension [UInt8] {
  /// A number of `count` bytes, the lowest first, at an offset that is there.
  func little(_ offset: Int, _ count: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (0..<count).reversed() { number = number << 8 | UInt64(self[offset + index]) }
    return number
  }
}
