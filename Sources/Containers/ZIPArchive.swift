import WARC

/// A reader for ZIP archives (PKWARE's APPNOTE 6.3.10), including ZIP64. The central directory is
/// read first, and entries on demand. An archive is rejected if it has too many entries, or if two
/// of them share bytes of the file, as in decompression bombs. Before an entry is decompressed, its
/// size and compression ratio are checked.
package struct ZIPArchive: Sendable {
  /// A file or directory in the archive.
  package struct Entry: Sendable, Equatable {
    /// The path within the archive; the path of a directory ends with a slash.
    package var path: String
    /// The decompressed size in bytes.
    package var size: Int64
    /// The compressed size in bytes.
    package var compressedSize: Int64
    package var isEncrypted: Bool
    var method: Int
    /// The CRC-32 checksum of the content.
    package var checksum: UInt32
    var offset: Int64
    /// The modification time in seconds since 1970; nil if the directory has none. Many archives
    /// contain a local time without a time zone, which is treated as UTC.
    package var modificationTime: Int64?

    package var isDirectory: Bool { path.hasSuffix("/") }
    /// Whether macOS added the entry to describe other files or their directory.
    package var isMacMetadata: Bool {
      path.hasPrefix("__MACOSX/") || path == ".DS_Store" || path.hasSuffix("/.DS_Store")
    }
    /// Whether the entry is neither compressed nor encrypted.
    package var isStored: Bool { method == 0 && !isEncrypted }
  }

  /// The entries in the order of the central directory, without those in `rejectedNames`.
  package let entries: [Entry]
  /// The names of entries that were rejected because they lead out of the archive, or because their
  /// path occurs twice.
  package let rejectedNames: [String]
  /// Whether the central directory is missing or damaged. `entries` then contains only the entries
  /// before the first incomplete one.
  package let isRecovered: Bool
  private let indicesByPath: [String: Int]
  /// The indices of the entries by `ContainedPath.key`; nil for a key that several entries share.
  private let indicesByKey: [String: Int?]
  private let access: ByteAccess
  private let bounds: ContainerBounds

  /// Returns whether bytes begin like an archive, including an empty one.
  package static func isFormat(of bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the central directory.
  /// - Parameters:
  ///   - access: the bytes of the archive.
  ///   - bounds: the limits.
  ///   - isRecovering: whether the entries are searched in the file if the central directory is
  ///     missing or damaged.
  ///   - decode: returns the text of the names that are not valid UTF-8; nil for code page 437.
  /// - Throws: `ContainerError`.
  package init(
    _ access: ByteAccess, bounds: ContainerBounds = ContainerBounds(),
    recovering isRecovering: Bool = false,
    decodingNames decode: (_ names: [[UInt8]]) -> [String]? = { _ in nil }
  ) throws(ContainerError) {
    var directory: ZIPDirectory
    (directory, isRecovered) = try Self.directory(
      of: access, bounds: bounds, recovering: isRecovering)
    directory.decodeNames(by: decode)
    var entries: [Entry] = []
    var rejectedNames: [String] = []
    var positions: [String: Int] = [:]
    var packed: Int64 = 0
    for (name, entry) in directory.entries {
      guard let path = ContainedPath.of(entry: name), positions[path] == nil else {
        rejectedNames.append(name)
        continue
      }
      var entry = entry
      entry.path = path
      if !entry.isStored {
        let (sum, isTooMuch) = packed.addingReportingOverflow(entry.size)
        guard !isTooMuch, sum <= bounds.maxSize else {
          throw .tooLarge(path: "", limit: bounds.maxSize)
        }
        packed = sum
      }
      positions[path] = entries.count
      entries.append(entry)
    }
    (self.entries, self.rejectedNames, self.indicesByPath) = (entries, rejectedNames, positions)
    indicesByKey = Dictionary(
      entries.enumerated().compactMap { index, entry in
        ContainedPath.key(of: entry.path).map { ($0, index) }
      }, uniquingKeysWith: { _, _ in nil })
    self.access = access
    self.bounds = bounds
  }

  /// Returns the central directory, and whether it was recovered from the file.
  private static func directory(
    of access: ByteAccess, bounds: ContainerBounds, recovering isRecovering: Bool
  ) throws(ContainerError) -> (ZIPDirectory, isRecovered: Bool) {
    do throws(ContainerError) {
      return (try ZIPDirectory(access, bounds: bounds), false)
    } catch {
      guard isRecovering, case .damaged = error,
        let recovered = try? ZIPDirectory(recovering: access, bounds: bounds)
      else { throw error }
      return (recovered, true)
    }
  }

  /// The entry with a path; nil if the archive has no such entry.
  package subscript(path: String) -> Entry? { indicesByPath[path].map { entries[$0] } }

  /// Returns the path of the entry that matches a path: exactly, or else the only entry whose path
  /// differs in percent-encoding, backslashes or letter case. Some books refer to their files only
  /// in such spellings.
  /// - Parameter path: a path that may not be in the archive.
  /// - Returns: the path of the entry; `path` if no entry matches.
  package func path(matching path: String) -> String {
    guard indicesByPath[path] == nil, let key = ContainedPath.key(of: path),
      let index = indicesByKey[key] ?? nil
    else { return path }
    return entries[index].path
  }

  /// Returns the content of an entry.
  /// - Parameters:
  ///   - path: the path of the entry.
  ///   - isVerified: whether a wrong checksum is an error.
  /// - Returns: the decompressed bytes.
  /// - Throws: `ContainerError`.
  package func content(
    of path: String, verified isVerified: Bool = true
  ) throws(ContainerError) -> [UInt8] {
    guard let entry = self[path], !entry.isDirectory else { throw .missing(path: path) }
    guard entry.size <= bounds.maxSize else { throw .tooLarge(path: path, limit: bounds.maxSize) }
    var content: [UInt8] = []
    content.reserveCapacity(Int(min(entry.size, 1 << 24)))
    do {
      try read(entry) { content += $0 }
    } catch let error as ContainerError {
      // Nothing but the checksum is wrong after the whole content.
      guard !isVerified, case .wrongChecksum = error else { throw error }
    } catch {
      throw .unreadable("\(error)")
    }
    return content
  }

  /// Returns random access to the content of an entry that is neither compressed nor encrypted; nil
  /// for any other. The checksum is not verified.
  /// - Throws: `ContainerError` if the entry is not at the offset in the directory.
  package func storedBytes(of entry: Entry) throws(ContainerError) -> ByteAccess? {
    guard entry.isStored, entry.size == entry.compressedSize else { return nil }
    let (start, access) = (try start(of: entry), access)
    return ByteAccess(size: entry.size) { offset, count in
      let count = min(Int64(count), max(0, entry.size - offset))
      return try access.readExactly(Int(count), at: start + offset)
    }
  }

  /// Returns the first bytes of an entry, or fewer if the others cannot be read. The rest is
  /// neither decompressed nor checked.
  /// - Parameters:
  ///   - entry: the entry.
  ///   - count: the maximum number of bytes.
  /// - Returns: the bytes.
  package func beginning(of entry: Entry, upTo count: Int) -> [UInt8] {
    struct EnoughRead: Error {}
    var bytes: [UInt8] = []
    try? read(entry) { piece in
      bytes += piece
      if bytes.count >= count { throw EnoughRead() }
    }
    return Array(bytes.prefix(count))
  }

  /// Passes the decompressed content of an entry to a closure, in pieces.
  /// - Parameters:
  ///   - entry: the entry.
  ///   - sink: receives the pieces.
  /// - Throws: `ContainerError`, also at the end if the checksum is wrong; errors of `sink`.
  package func read(_ entry: Entry, into sink: ([UInt8]) throws -> Void) throws {
    guard !entry.isEncrypted else { throw ContainerError.encrypted(path: entry.path) }
    guard entry.method == 0 || entry.method == 8 else {
      throw ContainerError.unknownMethod(path: entry.path, entry.method)
    }
    if entry.method == 8 {
      guard entry.size <= bounds.maxSize else {
        throw ContainerError.tooLarge(path: entry.path, limit: bounds.maxSize)
      }
      guard
        entry.size <= bounds.maxUncheckedSize
          || entry.size / bounds.maxRatio <= entry.compressedSize
      else { throw ContainerError.suspiciousRatio(path: entry.path, limit: bounds.maxRatio) }
    } else if entry.size != entry.compressedSize {
      throw ContainerError.damaged("\(entry.path) has two different lengths")
    }
    var checksum = CRC32()
    var size: Int64 = 0
    // The content must never be longer than the central directory states.
    func receive(_ bytes: [UInt8]) throws {
      size += Int64(bytes.count)
      guard size <= entry.size else {
        throw ContainerError.damaged("\(entry.path) is longer than the central directory states")
      }
      checksum.update(bytes)
      try sink(bytes)
    }
    try unpack(entry, into: receive)
    guard size == entry.size else {
      throw ContainerError.damaged("\(entry.path) is shorter than the central directory states")
    }
    guard checksum.value == entry.checksum else {
      throw ContainerError.wrongChecksum(path: entry.path)
    }
  }

  private func unpack(_ entry: Entry, into sink: ([UInt8]) throws -> Void) throws {
    let inflater = entry.method == 8 ? Inflater(format: .raw) : nil
    var offset = try start(of: entry)
    let end = offset + entry.compressedSize
    while offset < end, inflater?.isFinished != true {
      let piece = try access.readExactly(Int(min(Self.pieceLength, end - offset)), at: offset)
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
      throw ContainerError.damaged("\(entry.path) is truncated")
    }
  }

  /// Returns the offset at which the content of an entry begins. Only the length of the local file
  /// header is read from there; everything else comes from the central directory.
  private func start(of entry: Entry) throws(ContainerError) -> Int64 {
    let head = try access.readExactly(30, at: entry.offset)
    guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
      throw .damaged("\(entry.path) is not at the offset that the central directory states")
    }
    let start =
      entry.offset + 30 + Int64(head.littleEndian(26, 2)) + Int64(head.littleEndian(28, 2))
    guard start <= access.size, entry.compressedSize <= access.size - start else {
      throw .damaged("\(entry.path) ends beyond the end of the file")
    }
    return start
  }

  private static let pieceLength: Int64 = 1 << 16
}

extension [UInt8] {
  /// Returns a little-endian number of `count` bytes at an offset, which must be valid.
  func littleEndian(_ offset: Int, _ count: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (0..<count).reversed() { number = number << 8 | UInt64(self[offset + index]) }
    return number
  }
}
