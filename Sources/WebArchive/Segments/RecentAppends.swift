import Foundation
import Synchronization

/// Backup copies of recent appends to this device's segments and journals. When a synchroniser
/// overwrites such a file with an older version, the lost bytes are restored from the copies.
///
/// A copy is a file with runs of one original file; a run is a line with offset and length,
/// followed by the bytes. Each copy is written by a single process, which renames it at the end, so
/// that a synchroniser cannot replace the copy by an older version of it. A run whose line is
/// missing is ignored, because the append was not finished.
///
/// Every method blocks and may be called from any thread. Only the process that has locked the
/// original file writes copies of it.
package final class RecentAppends: Sendable {
  /// The copy that this process is writing for one file.
  private struct CurrentCopy {
    var file: OpenFile
    var size: Int64
    var startDate: Date
  }

  /// The state of a file in which every run was found in place.
  private struct IntactState: Equatable {
    var inode: UInt64
    var size: Int64
  }

  /// A part of a file that is being appended.
  package struct Run: Sendable {
    fileprivate let name: String
    fileprivate let offset: Int64
    fileprivate let copy: OpenFile
    /// The offset of the run in the copy.
    fileprivate let start: Int64
    fileprivate var count: Int64 = 0
  }

  /// A run that was read from a copy.
  private struct FoundRun {
    var copy: OpenFile
    /// The offset of the bytes of the run in the copy.
    var start: Int64
    /// The offset of the run in the original file.
    var offset: Int64
    var count: Int64
    var end: Int64 { offset + count }
  }

  /// The age in seconds, since the last write, at which a copy is removed.
  static let maxAge: TimeInterval = 600
  /// The maximum time in seconds for which one copy is written to.
  private static let maxWritingTime: TimeInterval = 300
  /// The size in bytes at which a copy is not written to any more.
  private static let maxSize: Int64 = 16 << 20
  /// The length of the line before a run: two hexadecimal numbers of 16 digits.
  private static let headLength = 34
  /// The number of bytes at the end of a run that are compared to find out whether it is in place.
  private static let tailLength: Int64 = 64
  /// The maximum number of the compared bytes that may differ because of damage.
  private static let maxDifferingBytes = 40
  private static let pieceLength = 1 << 18
  private static let separator: Unicode.Scalar = "~"

  private let directory: String
  private let files: any FileSystem
  private let currentCopies = Mutex<[String: CurrentCopy]>([:])
  private let intactStates = Mutex<[String: IntactState]>([:])

  /// Creates an object that stores backup copies in a directory, which is created on the first
  /// write.
  package init(directory: String, files: any FileSystem = LocalFileSystem()) {
    (self.directory, self.files) = (directory, files)
  }

  deinit { close() }

  // MARK: Writing

  /// Begins a run for an append to a file. Errors are ignored, because the file itself gets all
  /// bytes.
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - offset: the end of the file.
  /// - Returns: the run, for `add`; nil if no copy can be written.
  package func begin(_ name: String, at offset: Int64) -> Run? {
    currentCopies.withLock { all in
      guard let target = try? usableCopy(all[name], name) else {
        all[name] = nil
        return nil
      }
      all[name] = target
      return Run(name: name, offset: offset, copy: target.file, start: target.size)
    }
  }

  /// Appends bytes to a run, if there is one. The run becomes valid with the last bytes, which must
  /// be added before they are written to the file: then nothing is lost if the process is killed in
  /// between.
  package func add(_ bytes: [UInt8], to run: inout Run?, isLast: Bool) {
    guard var open = run else { return }
    do throws(ArchiveError) {
      try open.copy.write(bytes, at: open.start + Int64(Self.headLength) + open.count)
      open.count += Int64(bytes.count)
      run = open
      if isLast, open.count > 0 { try commit(open) }
    } catch {
      cancel(open)
      run = nil
    }
  }

  private func commit(_ run: Run) throws(ArchiveError) {
    let digits = [run.offset, run.count].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
    try run.copy.write(Array("\(digits[0]) \(digits[1])\n".utf8), at: run.start)
    setSize(run.start + Int64(Self.headLength) + run.count, of: run)
    intactStates.withLock { all in
      if all[run.name]?.size == run.offset { all[run.name]?.size += run.count }
    }
  }

  /// Removes a run, even a valid one, because the append failed.
  package func cancel(_ run: Run?) {
    guard let run else { return }
    _ = intactStates.withLock { $0.removeValue(forKey: run.name) }
    setSize(run.start, of: run)
    try? run.copy.truncate(to: run.start)
  }

  /// Copies bytes that are about to be appended to a file.
  /// - Returns: the run, for `cancel`.
  package func record(_ bytes: [UInt8], of name: String, at offset: Int64) -> Run? {
    var run = begin(name, at: offset)
    add(bytes, to: &run, isLast: true)
    return run
  }

  /// Copies a part that is already in a locked file. Errors in writing the copy are ignored.
  /// - Parameters:
  ///   - range: the part.
  ///   - file: the file.
  ///   - name: the name of the file after it is replaced.
  ///   - offset: the offset of the part in the file with that name; nil if the offset is the same.
  /// - Throws: `ArchiveError` when the file cannot be read.
  func record(
    _ range: Range<Int64>, of file: OpenFile, _ name: String, at offset: Int64? = nil
  ) throws(ArchiveError) {
    var run = begin(name, at: offset ?? range.lowerBound)
    do throws(ArchiveError) {
      try Self.pieces(of: file, range) { bytes, done throws(ArchiveError) in
        add(bytes, to: &run, isLast: done + Int64(bytes.count) == Int64(range.count))
      }
    } catch {
      cancel(run)
      throw error
    }
  }

  /// Finishes the copies that this process is writing. Later appends begin new ones.
  package func close() {
    let all = currentCopies.withLock { all in
      defer { all = [:] }
      return all
    }
    for target in all.values { finish(target) }
  }

  // MARK: Restoring

  /// Returns the names of the files that have copies, and removes copies that are older than
  /// `maxAge`.
  package func names() -> Set<String> {
    let now = Date().timeIntervalSince1970
    var names: Set<String> = []
    for copy in (try? files.names(in: directory)) ?? [] {
      guard let end = copy.unicodeScalars.firstIndex(of: Self.separator),
        let status = try? files.status(of: "\(directory)/\(copy)")
      else { continue }
      if abs(now - TimeInterval(status.modificationTime) / 1e9) > Self.maxAge {
        try? files.removeFile("\(directory)/\(copy)")
      } else {
        names.insert(String(copy[..<end]))
      }
    }
    return names
  }

  /// Restores the data that a file has lost, unless another process has locked the file; that
  /// process then restores the data.
  /// - Parameters:
  ///   - path: the file; nothing is restored if it does not exist.
  ///   - separator: the line separator of a text file; nil for a file of records.
  ///   - isThorough: whether to check the file even if its size has not changed since this process
  ///     wrote to it.
  /// - Returns: the number of bytes that were restored.
  /// - Throws: `ArchiveError` if the file cannot be read or written.
  @discardableResult
  package func restore(
    _ path: String, separator: UInt8? = nil, isThorough: Bool = false
  ) throws(ArchiveError) -> Int64 {
    let name = Self.fileName(of: path)
    guard let status = try files.status(of: path), isThorough || !isIntact(name, status) else {
      return 0
    }
    let runs = try runs(of: name)
    guard !runs.isEmpty, let reading = try files.openForReading(path) else { return 0 }
    let size = try reading.status().size
    var isLost = false
    for run in runs where !isLost {
      isLost = try !isPresent(run, in: reading, size, isText: separator != nil)
    }
    guard isLost else {
      setIntact(name, try reading.status(), size)
      return 0
    }
    let file = try files.openForWriting(path)
    guard try file.tryLock() else { return 0 }
    defer { file.unlock() }
    guard try file.isCurrent() else { return 0 }
    _ = intactStates.withLock { $0.removeValue(forKey: name) }
    return try repair(file, separator: separator)
  }

  private func isIntact(_ name: String, _ status: OpenFile.Status) -> Bool {
    intactStates.withLock { $0[name] } == IntactState(inode: status.inode, size: status.size)
  }

  private func setIntact(_ name: String, _ status: OpenFile.Status, _ size: Int64) {
    intactStates.withLock { $0[name] = IntactState(inode: status.inode, size: size) }
  }

  /// Restores the data that a locked file has lost; see `restore`.
  package func repair(_ file: OpenFile, separator: UInt8? = nil) throws(ArchiveError) -> Int64 {
    let name = Self.fileName(of: file.path)
    guard try !isIntact(name, file.status()) else { return 0 }
    let copies = try copies(of: name)
    let runs = try runs(of: name)
    var restoredLength: Int64 = 0
    var offsets: [Int64] = []
    for run in runs {
      let size = try file.status().size
      var (offset, missingRange) = (run.offset, run.start..<run.start + run.count)
      if try isPresent(run, in: file, size, isText: separator != nil) {
        offsets.append(offset)
        continue
      }
      if run.offset <= size, size < run.end, try isBeginning(run, in: file, size) {
        // Only the end of the run is missing.
        missingRange = (run.start + size - run.offset)..<missingRange.upperBound
      } else if try !isEmpty(run, in: file, size) {
        // Other records may be at the offset of the run, so the run is appended.
        offset = size
        if let separator, size > 0, try file.bytes(at: size - 1, count: 1) != [separator] {
          try file.write([separator], at: size)
          offset += 1
        }
      }
      let restoreOffset = offset + run.count - Int64(missingRange.count)
      try Self.pieces(of: run.copy, missingRange) { bytes, done throws(ArchiveError) in
        try file.write(bytes, at: restoreOffset + done)
      }
      restoredLength += Int64(missingRange.count)
      offsets.append(offset)
    }
    let status = try file.status()
    setIntact(name, status, status.size)
    guard restoredLength > 0 else { return 0 }
    try file.sync()
    if offsets != runs.map(\.offset) { move(runs, to: offsets, of: name, copies) }
    return restoredLength
  }

  /// Copies runs again at their new offsets, and removes the earlier copies, from which the runs
  /// would be appended a second time. A run that cannot be copied again no longer has a backup
  /// copy.
  private func move(
    _ runs: [FoundRun], to offsets: [Int64], of name: String, _ copies: [String]
  ) {
    currentCopies.withLock { $0[name] = nil }
    for (found, offset) in zip(runs, offsets) {
      try? record(found.start..<found.start + found.count, of: found.copy, name, at: offset)
    }
    _ = intactStates.withLock { $0.removeValue(forKey: name) }
    for copy in copies { try? files.removeFile("\(directory)/\(copy)") }
  }

  // MARK: Forgetting

  /// Returns the offset of the first copied run of a file; nil if no run is copied.
  func start(of name: String) throws(ArchiveError) -> Int64? {
    try runs(of: name).first?.offset
  }

  /// Removes the copies of a file, because it is about to be rewritten without some records.
  package func forget(_ name: String) throws(ArchiveError) {
    _ = currentCopies.withLock { $0.removeValue(forKey: name) }
    _ = intactStates.withLock { $0.removeValue(forKey: name) }
    for copy in try copies(of: name) { try files.removeFile("\(directory)/\(copy)") }
  }

  /// Removes the copies of the file with a name, and copies the last lines of the file that is
  /// about to replace it.
  package func begin(replacing name: String, with file: OpenFile) throws(ArchiveError) {
    try forget(name)
    let size = try file.status().size
    let start = max(0, size - Int64(Self.pieceLength))
    guard size > 0 else { return }
    let bytes = try file.bytes(at: start, count: Int(size - start))
    let first = start == 0 ? 0 : (bytes.firstIndex(of: 10) ?? bytes.count - 1) + 1
    guard first < bytes.count else { return }
    _ = record(Array(bytes[first...]), of: name, at: start + Int64(first))
  }

  /// Removes the copies of all files whose names satisfy a predicate.
  func forget(where isIncluded: (String) -> Bool) {
    for name in names() where isIncluded(name) { try? forget(name) }
  }

  // MARK: Files

  /// Returns the copy to write to: the current one, or a new one.
  private func usableCopy(_ current: CurrentCopy?, _ name: String) throws(ArchiveError)
    -> CurrentCopy
  {
    let now = Date()
    if let current {
      let status = try files.status(of: current.file.path)
      let isCurrent = try status?.inode == current.file.status().inode
      let isLong =
        current.size >= Self.maxSize
        || abs(now.timeIntervalSince(current.startDate)) >= Self.maxWritingTime
      if isCurrent, !isLong { return current }
      if isCurrent { finish(current) }
      // A synchroniser has replaced the copy by an older version, so all of it is written to a new
      // one.
      if status != nil, !isCurrent {
        let other = try copyContents(current, to: makeCopy(name, now).file.path)
        return CurrentCopy(file: other, size: current.size, startDate: now)
      }
    }
    return try makeCopy(name, now)
  }

  private func makeCopy(_ name: String, _ now: Date) throws(ArchiveError) -> CurrentCopy {
    try files.makeDirectories(directory)
    _ = names()
    let copy = "\(name)\(Self.separator)\(UUID().uuidString)\(Self.separator)"
    return CurrentCopy(
      file: try files.openForWriting("\(directory)/\(copy)"), size: 0, startDate: now)
  }

  private func finish(_ current: CurrentCopy) {
    let path = current.file.path
    guard let status = try? files.status(of: path), let own = try? current.file.status() else {
      return
    }
    guard current.size > 0 else {
      try? files.removeFile(path)
      return
    }
    guard status.inode != own.inode else {
      try? files.renameFile(path, to: String(path.dropLast()))
      return
    }
    // A synchroniser has replaced the file by an older version.
    _ = try? copyContents(current, to: String(path.dropLast()))
  }

  /// Writes the whole content of a copy to another file, because an older version has replaced the
  /// copy.
  private func copyContents(_ current: CurrentCopy, to path: String) throws(ArchiveError)
    -> OpenFile
  {
    let other = try files.openForWriting(path)
    try Self.pieces(of: current.file, 0..<current.size) { bytes, done throws(ArchiveError) in
      try other.write(bytes, at: done)
    }
    return other
  }

  private func setSize(_ size: Int64, of run: Run) {
    let (name, copy) = (run.name, run.copy)
    currentCopies.withLock { all in
      if all[name]?.file === copy { all[name]?.size = size }
    }
  }

  private static func fileName(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  private func copies(of name: String) throws(ArchiveError) -> [String] {
    try files.names(in: directory).filter { $0.hasPrefix("\(name)\(Self.separator)") }
  }

  /// Returns the copied runs of a file, ordered by offset.
  private func runs(of name: String) throws(ArchiveError) -> [FoundRun] {
    var found: [FoundRun] = []
    for copy in try copies(of: name) {
      guard let file = try files.openForReading("\(directory)/\(copy)") else { continue }
      let size = try file.status().size
      var location: Int64 = 0
      while let (offset, count) = Self.head(
        try file.bytes(at: location, count: Self.headLength), below: size - location)
      {
        let start = location + Int64(Self.headLength)
        found.append(FoundRun(copy: file, start: start, offset: offset, count: count))
        location = start + count
      }
    }
    return found.sorted { ($0.offset, $0.end) < ($1.offset, $1.end) }
  }

  /// Parses the line before a run; nil if the line is not valid, or the run is incomplete.
  private static func head(_ bytes: [UInt8], below limit: Int64) -> (Int64, Int64)? {
    guard bytes.count == headLength, bytes.last == 10 else { return nil }
    let numbers = bytes.dropLast().split(separator: 0x20).map {
      Int64(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard numbers.count == 2, let offset = numbers[0], let count = numbers[1],
      offset >= 0, offset < .max / 2, count > 0, count <= limit - Int64(headLength)
    else { return nil }
    return (offset, count)
  }

  /// Returns whether a run is in place in a file. An older version of the file always lacks the end
  /// of a lost run. The end of a record includes its checksum, so comparing it is enough; a line of
  /// a text file (`isText`) is compared as a whole.
  private func isPresent(
    _ run: FoundRun, in file: OpenFile, _ size: Int64, isText: Bool
  ) throws(ArchiveError) -> Bool {
    guard run.end <= size else { return false }
    guard !isText else { return try isBeginning(run, in: file, run.end) }
    let length = min(run.count, Self.tailLength)
    let bytes = try file.bytes(at: run.end - length, count: Int(length))
    let copied = try run.copy.bytes(at: run.start + run.count - length, count: Int(length))
    return bytes.count == copied.count
      && zip(bytes, copied).count { $0 != $1 } <= Self.maxDifferingBytes
  }

  /// Returns whether a file of the given size ends with the first part of a run.
  private func isBeginning(
    _ run: FoundRun, in file: OpenFile, _ size: Int64
  ) throws(ArchiveError) -> Bool {
    var isSame = true
    try Self.pieces(of: file, run.offset..<size) { bytes, done throws(ArchiveError) in
      let other = try run.copy.bytes(at: run.start + done, count: bytes.count)
      isSame = isSame && other == bytes
    }
    return isSame
  }

  /// Returns whether a file has only zeros in the range of a run, because it was extended by
  /// writing after that range.
  private func isEmpty(
    _ run: FoundRun, in file: OpenFile, _ size: Int64
  ) throws(ArchiveError) -> Bool {
    guard run.end <= size else { return false }
    var isEmpty = true
    try Self.pieces(of: file, run.offset..<run.end) { bytes, _ throws(ArchiveError) in
      isEmpty = isEmpty && bytes.allSatisfy { $0 == 0 }
    }
    return isEmpty
  }

  /// Reads a range of a file in pieces, and passes each to `each` with the number of bytes read
  /// before it.
  private static func pieces(
    of file: OpenFile, _ range: Range<Int64>,
    _ each: ([UInt8], Int64) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var done: Int64 = 0
    while done < Int64(range.count) {
      let count = Int(min(Int64(pieceLength), Int64(range.count) - done))
      let bytes = try file.bytes(at: range.lowerBound + done, count: count)
      guard bytes.count == count else { throw .unreadable("\(file.path) has become shorter") }
      try each(bytes, done)
      done += Int64(count)
    }
  }
}
