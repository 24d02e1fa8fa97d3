import Foundation
import WARC

/// Writing segments anew.
///
/// A segment keeps its name: its new content is written beside it and then takes its place in one
/// step, so whenever the work is interrupted there is either the old file or the new one. Nobody waits
/// for the bulk of the copying; the segment's lock is held for what was appended meanwhile and for the
/// exchange. The new file begins with a new description, so everyone who knew the old one notices.
extension Archive {
  /// What writing segments anew came to.
  struct Rewriting: Sendable, Equatable {
    /// How many records went.
    var records = 0
    /// By how many bytes the files are shorter.
    var bytes: Int64 = 0
  }

  /// Does something that only one at a time may do with a folder, in this process and others.
  func maintaining<Value>(
    _ meter: ProgressMeter? = nil, waits: Bool = true, _ work: () throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value {
    if let refusal { throw refusal }
    if let warning = prepareFolder() { throw warning }
    let lock = try files.openForWriting("\(folder)/.maintenance")
    while try !lock.tryLock() {
      guard waits else { throw .stopped }
      try meter?.advance(by: 0)
      usleep(20_000)
    }
    defer { lock.unlock() }
    try removeStaleFiles()
    try finishJoining()
    return try work()
  }

  /// Whether a segment is this machine's, so that it may be written anew.
  func isOwn(_ segment: String) -> Bool { SegmentName(segment)?.machine == machine }

  /// Writes segments of ours anew, without some records and in one file.
  /// - Parameters:
  ///   - names: the segments, in their order; what several hold is joined under the first name, and
  ///     then none of them may be the one that is appended to.
  ///   - rule: which records go.
  ///   - now: the date of the new description.
  ///   - meter: is told of every step; it should expect the sizes of the segments.
  /// - Returns: what went.
  /// - Throws: `ArchiveError`; then the segments are as they were.
  func rewrite(
    _ names: [String], without rule: RemovalRule, now: Date, meter: ProgressMeter
  ) throws(ArchiveError) -> Rewriting {
    var sources: [Source] = []
    for name in names {
      if let source = try Source(name, in: self) { sources.append(source) }
    }
    guard let target = sources.first?.name else { return Rewriting() }
    let path = "\(folder)/\(Self.rewritingPrefix)\(target)"
    let file = try files.openForWriting(path)
    do throws(ArchiveError) {
      try file.truncate(to: 0)
      var included: [String] = []
      for source in sources.dropFirst() {
        guard let first = try SegmentScan.firstRecord(of: source.file) else { continue }
        included.append("\(source.name) \(first)")
      }
      var rewriter = try SegmentRewriter(
        into: file, name: target, including: included, rule: rule, now: now)
      for source in sources {
        let inode = try source.file.status().inode
        let known = try indexed { index throws(IndexError) in
          try index.records(staying: source.name, inode: inode, without: rule)
        }
        try rewriter.copy(source.file, source.name, 0..<source.end, known: known, meter: meter)
      }
      for index in sources.indices { try sources[index].lock(in: self) }
      defer { for source in sources { source.file.unlock() } }
      guard sources.dropLast().allSatisfy({ $0.end == $0.begun }) else {
        throw .unwritable("\(target): a segment grew while it was joined with others")
      }
      if let last = sources.last {
        try rewriter.copy(last.file, last.name, last.begun..<last.end, meter: meter)
      }
      try rewriter.finish()
      try exchange(sources.map(\.name), for: file, rewriter, rule)
      let old = sources.reduce(0) { $0 + $1.end }
      let new = rewriter.moves.isEmpty ? 0 : rewriter.length
      return Rewriting(records: rewriter.dropped, bytes: old - new)
    } catch {
      try? files.removeFile(path)
      throw error
    }
  }

  /// A segment that is read and then locked.
  private struct Source {
    let name: String
    let file: OpenFile
    /// Where it ended when the copying began: all before it is whole records.
    let begun: Int64
    /// Where it ends now.
    var end: Int64

    /// Looks at a segment; nil when it is gone.
    init?(_ name: String, in archive: Archive) throws(ArchiveError) {
      let path = "\(archive.folder)/\(name)"
      guard try archive.files.status(of: path) != nil else { return nil }
      let file = try archive.files.openForWriting(path)
      try file.lock()
      defer { file.unlock() }
      var locked = try SegmentWriter.Locked(file, name)
      _ = try archive.level(&locked)
      (self.name, self.file) = (name, file)
      (begun, end) = (locked.end, locked.end)
    }

    mutating func lock(in archive: Archive) throws(ArchiveError) {
      try file.lock()
      guard try file.isCurrent() else {
        throw .unwritable("\(name) was replaced while it was written anew")
      }
      var locked = try SegmentWriter.Locked(file, name)
      _ = try archive.level(&locked)
      end = locked.end
      guard end >= begun else {
        throw .unwritable("\(name) became shorter while it was written anew")
      }
    }
  }

  static let rewritingPrefix = ".rewriting-"

  /// Puts a file in the place of segments whose locks are held, and tells the index.
  private func exchange(
    _ names: [String], for file: OpenFile, _ rewriter: SegmentRewriter, _ rule: RemovalRule
  ) throws(ArchiveError) {
    let target = names[0]
    let isEmpty = rewriter.moves.isEmpty && rewriter.length == rewriter.start
    let status = try file.status()
    let state = SegmentState(
      name: target, seen: status.size, status: status, first: rewriter.first)
    var failure: ArchiveError?
    var isExchanged = false
    do throws(ArchiveError) {
      try indexed { index throws(IndexError) in
        // An index that was built again after the exchange knows the new file.
        guard !isExchanged else { return }
        try index.replace(names, by: isEmpty ? nil : state, rewriter, rule) {
          do throws(ArchiveError) {
            if isEmpty {
              try files.removeFile(file.path)
              try files.removeFile("\(folder)/\(target)")
            } else {
              try files.renameFile(file.path, to: "\(folder)/\(target)")
            }
            isExchanged = true
          } catch {
            failure = error
            throw error
          }
        }
      }
    } catch {
      if let failure { throw failure }
      guard isExchanged else { throw error }
      // The segments are what they should be; an index in memory learns it from them.
      leaveIndex(because: error.reason)
    }
    for name in names.dropFirst() { try files.removeFile("\(folder)/\(name)") }
    try files.syncFolder(folder)
  }

  /// Removes what an interrupted work has left in the folder. Only to be called by who maintains.
  private func removeStaleFiles() throws(ArchiveError) {
    for name in try segments.hidden()
    where name.hasPrefix(Self.rewritingPrefix) || name.hasPrefix(".spool-")
      || LockFile.isDraft(name)
    {
      try files.removeFile("\(folder)/\(name)")
    }
  }
}
