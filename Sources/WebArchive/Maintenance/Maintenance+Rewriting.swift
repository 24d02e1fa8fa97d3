import Foundation
import WARC

/// Rewriting segments.
///
/// A segment keeps its name: the new content is written to a file beside it, which then replaces it
/// in one step. If the work is interrupted, there is either the old file or the new one. Most of
/// the copying is done without a lock; the lock of the segment is only held for copying the records
/// that were appended meanwhile, and for the replacement. The new file begins with a new `warcinfo`
/// record, so that every process that has read the old one notices.
extension Maintenance {
  /// The result of rewriting segments.
  struct Rewriting: Sendable, Equatable {
    /// The number of records that were dropped.
    var droppedRecordCount = 0
    /// The number of bytes by which the files became shorter.
    var bytes: Int64 = 0
  }

  /// Rewrites segments of this device without some records, and joins several into one file.
  /// - Parameters:
  ///   - names: the segments, in order. Several are joined under the first name, and must not
  ///     include the one that is appended to.
  ///   - rule: selects the records to drop.
  ///   - now: the date of the new `warcinfo` record.
  ///   - meter: receives the progress; its total should be the size of the segments.
  /// - Returns: the numbers of dropped records and bytes.
  /// - Throws: `ArchiveError`; the segments are then unchanged.
  func rewrite(
    _ names: [String], without rule: RemovalRule, now: Date, meter: ProgressMeter
  ) throws(ArchiveError) -> Rewriting {
    var sources: [Source] = []
    for name in names {
      if let source = try Source(name, in: self) { sources.append(source) }
    }
    guard let target = sources.first?.name else { return Rewriting() }
    let path = store.path(of: Self.rewritingPrefix + target)
    let file = try store.files.openForWriting(path)
    do throws(ArchiveError) {
      try file.truncate(to: 0)
      var included: [String] = []
      for source in sources.dropFirst() {
        guard let first = try SegmentScan.firstRecord(of: source.file) else { continue }
        included.append("\(source.name) \(first)")
      }
      var rewriter = try SegmentRewriter(
        into: file, name: target, including: included, rule: rule, now: now)
      for source in sources { try copy(source, without: rule, to: &rewriter, meter: meter) }
      for index in sources.indices { try sources[index].lock(in: self) }
      defer { for source in sources { source.file.unlock() } }
      guard sources.dropLast().allSatisfy({ $0.end == $0.endAtCopyStart }) else {
        throw .unwritable("\(target): a segment grew while it was being merged")
      }
      if let last = sources.last {
        try rewriter.copy(last.file, last.name, last.endAtCopyStart..<last.end, meter: meter)
      }
      try rewriter.finish()
      try replaceSegments(sources.map(\.name), for: file, rewriter, rule)
      let sourceLength = sources.reduce(0) { $0 + $1.end }
      let targetLength = rewriter.moves.isEmpty ? 0 : rewriter.length
      return Rewriting(
        droppedRecordCount: rewriter.droppedCount, bytes: sourceLength - targetLength)
    } catch {
      try? store.files.removeFile(path)
      throw error
    }
  }

  /// A segment that is first read and then locked.
  private struct Source {
    let name: String
    let file: OpenFile
    /// The end of the segment when the copying began. Everything before it consists of whole
    /// records.
    let endAtCopyStart: Int64
    /// The current end.
    var end: Int64

    /// Determines the end of a segment; nil if it does not exist.
    init?(_ name: String, in maintenance: Maintenance) throws(ArchiveError) {
      let path = maintenance.store.path(of: name)
      guard try maintenance.store.files.status(of: path) != nil else { return nil }
      let file = try maintenance.store.files.openForWriting(path)
      try file.lock()
      defer { file.unlock() }
      var locked = try SegmentWriter.Locked(file, name)
      _ = try maintenance.index.bringUpToDate(&locked)
      (self.name, self.file) = (name, file)
      (endAtCopyStart, end) = (locked.end, locked.end)
    }

    mutating func lock(in maintenance: Maintenance) throws(ArchiveError) {
      try file.lock()
      guard try file.isCurrent() else {
        throw .unwritable("\(name) was replaced while it was being rewritten")
      }
      var locked = try SegmentWriter.Locked(file, name)
      _ = try maintenance.index.bringUpToDate(&locked)
      end = locked.end
      guard end >= endAtCopyStart else {
        throw .unwritable("\(name) became shorter while it was being rewritten")
      }
    }
  }

  private func copy(
    _ source: Source, without rule: RemovalRule, to rewriter: inout SegmentRewriter,
    meter: ProgressMeter
  ) throws(ArchiveError) {
    let inode = try source.file.status().inode
    let knownRecords = try index.withCompleteIndex { index throws(IndexError) in
      try index.records(staying: source.name, inode: inode, without: rule)
    }
    try rewriter.copy(source.file, source.name, 0..<source.end, known: knownRecords, meter: meter)
  }

  static let rewritingPrefix = ".rewriting-"

  /// Replaces locked segments by a new file, and updates the index.
  private func replaceSegments(
    _ names: [String], for file: OpenFile, _ rewriter: SegmentRewriter, _ rule: RemovalRule
  ) throws(ArchiveError) {
    let target = names[0]
    let isEmpty = rewriter.moves.isEmpty && rewriter.length == rewriter.start
    let status = try file.status()
    let state = SegmentState(
      name: target, indexedEnd: status.size, status: status, firstRecordID: rewriter.firstRecordID)
    var failure: ArchiveError?
    var isExchanged = false
    let copied = try forgetCopies(of: names, rewriter)
    do throws(ArchiveError) {
      try index.withCompleteIndex { index throws(IndexError) in
        // If the index was rebuilt after the replacement, it was built from the new file.
        guard !isExchanged else { return }
        try index.replace(names, by: isEmpty ? nil : state, rewriter, rule) {
          do throws(ArchiveError) {
            try exchange(file, for: target, isEmpty: isEmpty)
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
      // The segments are correct; an index in memory is built from them.
      index.switchToMemory(reason: error.reason)
    }
    if let copied, !isEmpty {
      try? store.recentAppends?.record(copied..<status.size, of: file, target)
    }
    for name in names.dropFirst() { try store.files.removeFile(store.path(of: name)) }
    try store.files.syncDirectory(store.directory)
  }

  /// Replaces a segment by a new file, or removes both if the new file has no records.
  private func exchange(_ file: OpenFile, for target: String, isEmpty: Bool) throws(ArchiveError) {
    let path = store.path(of: target)
    guard isEmpty else { return try store.files.renameFile(file.path, to: path) }
    try store.files.removeFile(file.path)
    try store.files.removeFile(path)
  }

  /// Removes the backup copies of recent appends to segments before the segments are replaced, so
  /// that removed records are not restored.
  /// - Returns: the offset in the new file of the first record that had a backup copy; nil if no
  ///   such record remains.
  private func forgetCopies(
    of names: [String], _ rewriter: SegmentRewriter
  ) throws(ArchiveError) -> Int64? {
    guard let recent = store.recentAppends else { return nil }
    var starts: [String: Int64] = [:]
    for name in names {
      starts[name] = try recent.start(of: name)
      try recent.forget(name)
    }
    return rewriter.moves.lazy.filter { move in
      starts[move.segment].map { move.oldPosition.offset >= $0 } ?? false
    }.map(\.newPosition.offset).min()
  }
}
