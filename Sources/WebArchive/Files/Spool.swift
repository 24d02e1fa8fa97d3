import Foundation
import Synchronization
import WARC

/// The content of an answer in flight: in memory up to 1 MB, then in a file without a name, so that
/// a kill leaves nothing behind; in memory alone where nothing is written. Its digest is made as it comes.
///
/// Writing never fails: a spool that cannot keep what it is given remembers why, and `append` then
/// reports it. So a full disk never stops a page from being shown.
package final class Spool: Sendable {
  /// How much is kept in memory.
  static let memoryLimit = 1 << 20
  /// How much is kept where there is no file.
  static let limitWithoutFile = 64 << 20

  private struct State {
    var memory: [UInt8] = []
    var file: OpenFile?
    var length: Int64 = 0
    var hasher = DigestBuilder(.sha256)
    var failure: ArchiveError?
  }

  private let folder: String?
  private let files: any FileSystem
  private let state = Mutex(State())

  /// Makes an empty spool.
  /// - Parameters:
  ///   - folder: where a long content goes; nil where nothing is written: what is longer than 64 MB is
  ///     not kept then.
  ///   - files: how files are reached.
  package init(folder: String?, files: any FileSystem = LocalFileSystem()) {
    self.folder = folder
    self.files = files
  }

  /// Adds bytes at the end.
  func write(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    // The pointer does not leave this call.
    nonisolated(unsafe) let bytes = bytes
    state.withLock { state in
      defer { state.length += Int64(bytes.count) }
      guard state.failure == nil else { return }
      state.hasher.update(bytes)
      do throws(ArchiveError) {
        try keep(bytes, in: &state)
      } catch {
        state.failure = error
        state.memory = []
        state.file = nil
      }
    }
  }

  /// Adds bytes at the end.
  package func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { write($0) }
  }

  /// How many bytes were written.
  package var length: Int64 { state.withLock(\.length) }

  /// Why the content was not kept, or nil.
  package var failure: ArchiveError? { state.withLock(\.failure) }

  /// The labelled digest of what was written.
  package var digest: String {
    state.withLock { $0.hasher }.digest()
      .description
  }

  /// The next up to 64 KB from an offset, or nil at the end.
  package func chunk(at offset: Int64) throws(ArchiveError) -> [UInt8]? {
    let (memory, file, length, failure) = state.withLock {
      ($0.memory, $0.file, $0.length, $0.failure)
    }
    if let failure { throw failure }
    let count = Int(min(65_536, length - offset))
    guard count > 0 else { return nil }
    guard let file else { return Array(memory[Int(offset)..<Int(offset) + count]) }
    let chunk = try file.bytes(at: offset, count: count)
    guard chunk.count == count else {
      throw .unreadable("a spool is shorter than what was written")
    }
    return chunk
  }

  private func keep(
    _ bytes: UnsafeRawBufferPointer, in state: inout State
  ) throws(ArchiveError) {
    if let file = state.file {
      return try file.write(bytes, at: state.length)
    }
    let limit = folder == nil ? Self.limitWithoutFile : Self.memoryLimit
    guard state.memory.count + bytes.count > limit else {
      state.memory.append(contentsOf: bytes)
      return
    }
    guard let folder else { throw .unwritable("it is too long to be kept in memory") }
    let file = try files.openSpool(in: folder)
    try file.write(state.memory, at: 0)
    try file.write(bytes, at: state.length)
    state.file = file
    state.memory = []
  }
}
