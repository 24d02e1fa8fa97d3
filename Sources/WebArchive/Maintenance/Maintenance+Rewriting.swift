import Foundation
import WARC

/// Writing segments anew.
///
/// A segment keeps its name: its new content is written beside it and then takes its place in one
/// step, so whenever the work is interrupted there is either the old file or the new one. Nobody waits
/// for the bulk of the copying; the segment's lock is held for what was appended meanwhile and for the
/// exchange. The new file begins with a new description, so everyone who knew the old one notices.
extension Maintenance {
  /// What writing segments anew came to.
  struct Rewriting: Sendable, Equatable {
    /// How many records went.
    var records = 0
    /// By how many bytes the files are shorter.
    var bytes: Int64 = 0
  }

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
      for source in sources {
        let inode = try source.file.status().inode
        let known = try index.whole { index throws(IndexError) in
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
      try? store.files.removeFile(path)
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
    init?(_ name: String, in maintenance: Maintenance) throws(ArchiveError) {
      let path = maintenance.store.path(of: name)
      guard try maintenance.store.files.status(of: path) != nil else { return nil }
      let file = try maintenance.store.files.openForWriting(path)
      try file.lock()
      defer { file.unlock() }
      var locked = try SegmentWriter.Locked(file, name)
      _ = try maintenance.index.level(&locked)
      (self.name, self.file) = (name, file)
      (begun, end) = (locked.end, locked.end)
    }

    mutating func lock(in maintenance: Maintenance) throws(ArchiveError) {
      try file.lock()
      guard try file.isCurrent() else {
        throw .unwritable("\(name) was replaced while it was written anew")
      }
      var locked = try SegmentWriter.Locked(file, name)
      _ = try maintenance.index.level(&locked)
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
    let copied = try forgetCopies(of: names, rewriter)
    do throws(ArchiveError) {
      try index.whole { index throws(IndexError) in
        // An index that was built again after the exchange knows the new file.
        guard !isExchanged else { return }
        try index.replace(names, by: isEmpty ? nil : state, rewriter, rule) {
          do throws(ArchiveError) {
            if isEmpty {
              try store.files.removeFile(file.path)
              try store.files.removeFile(store.path(of: target))
            } else {
              try store.files.renameFile(file.path, to: store.path(of: target))
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
      index.leave(because: error.reason)
    }
    if let copied, !isEmpty { try? store.recent?.note(copied..<status.size, of: file, target) }
    for name in names.dropFirst() { try store.files.removeFile(store.path(of: name)) }
    try store.files.syncFolder(store.folder)
  }

  /// Removes the second copies of recent appends to segments before the segments are rewritten, so that removed
  /// records are not restored.
  /// - Returns: the offset in the new file from which it holds the copied records that remain; nil when none
  ///   remain.
  private func forgetCopies(
    of names: [String], _ rewriter: SegmentRewriter
  ) throws(ArchiveError) -> Int64? {
    guard let recent = store.recent else { return nil }
    var starts: [String: Int64] = [:]
    for name in names {
      starts[name] = try recent.start(of: name)
      try recent.forget(name)
    }
    return rewriter.moves.lazy.filter { move in
      starts[move.segment].map { move.old.offset >= $0 } ?? false
    }.map(\.new.offset).min()
  }
}
