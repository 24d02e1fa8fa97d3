import Foundation
import Synchronization
import WARC

/// A buffer for the content of a response that is being received. Up to 1 MB are held in memory;
/// more goes to an unnamed file, so that nothing is left if the process is killed. For a read-only
/// archive, all of it is held in memory. The digest is computed incrementally.
///
/// Writing never fails: a spool that cannot store the data remembers the error, and `append` then
/// reports it. So a full disk never prevents a page from being shown.
package final class Spool: Sendable {
  /// The maximum number of bytes in memory.
  static let maxMemory = 1 << 20
  /// The maximum number of bytes if there is no file.
  static let maxLengthWithoutFile = 64 << 20

  private struct State {
    var memory: [UInt8] = []
    var file: OpenFile?
    var length: Int64 = 0
    var hasher = DigestBuilder(.sha256)
    var failure: ArchiveError?
  }

  private let directory: String?
  private let files: any FileSystem
  private let state = Mutex(State())

  /// Creates an empty spool.
  /// - Parameters:
  ///   - directory: the directory for the file; nil for a read-only archive, where content of more
  ///     than 64 MB is not stored.
  ///   - files: the file system.
  package init(directory: String?, files: any FileSystem = LocalFileSystem()) {
    self.directory = directory
    self.files = files
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    // The pointer does not escape this call.
    nonisolated(unsafe) let bytes = bytes
    state.withLock { state in
      defer { state.length += Int64(bytes.count) }
      guard state.failure == nil else { return }
      state.hasher.update(bytes)
      do throws(ArchiveError) {
        try storeBytes(bytes, in: &state)
      } catch {
        state.failure = error
        state.memory = []
        state.file = nil
      }
    }
  }

  package func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { write($0) }
  }

  /// The number of bytes that were written.
  package var length: Int64 { state.withLock(\.length) }

  /// The error because of which the content was not stored; nil if there was none.
  package var failure: ArchiveError? { state.withLock(\.failure) }

  /// The labelled digest of the written bytes.
  package var digest: String {
    state.withLock { $0.hasher }.digest()
      .description
  }

  /// Returns the next chunk of at most 64 KB at an offset; nil at the end.
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
      throw .unreadable("a temporary file is shorter than the data written to it")
    }
    return chunk
  }

  private func storeBytes(
    _ bytes: UnsafeRawBufferPointer, in state: inout State
  ) throws(ArchiveError) {
    if let file = state.file {
      return try file.write(bytes, at: state.length)
    }
    let limit = directory == nil ? Self.maxLengthWithoutFile : Self.maxMemory
    guard state.memory.count + bytes.count > limit else {
      state.memory.append(contentsOf: bytes)
      return
    }
    guard let directory else { throw .unwritable("the content is too long to be kept in memory") }
    let file = try files.openSpool(in: directory)
    try file.write(state.memory, at: 0)
    try file.write(bytes, at: state.length)
    state.file = file
    state.memory = []
  }
}
