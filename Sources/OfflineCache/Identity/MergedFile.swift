import Foundation
import Synchronization

/// A value in a file that several processes share. Each change is applied to the current content of
/// the file under a lock, and the file is replaced atomically.
final class MergedFile<Value: Equatable & Sendable>: Sendable {
  private let path: String?
  private let isReadOnly: Bool
  private let parse: @Sendable ([UInt8]) -> Value
  private let serialize: @Sendable (Value) -> [UInt8]

  private struct State {
    var value: Value
    /// The status of the file when it was last read.
    var lastReadStatus: OpenFile.Status?
  }

  private let state: Mutex<State>

  /// Creates the value without reading or writing the file.
  /// - Parameters:
  ///   - path: The path of the file; nil to keep the value in memory only.
  ///   - isReadOnly: Whether changes are kept in memory only.
  ///   - parse: Parses the bytes of a file; called with an empty array if the file does not exist.
  ///   - serialize: Serializes a value.
  init(
    path: String?, isReadOnly: Bool, parse: @escaping @Sendable ([UInt8]) -> Value,
    serialize: @escaping @Sendable (Value) -> [UInt8]
  ) {
    (self.path, self.isReadOnly, self.parse, self.serialize) = (path, isReadOnly, parse, serialize)
    state = Mutex(State(value: parse([])))
  }

  /// The current value.
  var value: Value {
    get throws(ArchiveError) {
      try state.withLock { state throws(ArchiveError) in
        try refresh(&state)
        return state.value
      }
    }
  }

  /// Applies a change to the value and writes the file if the value differs.
  func change(_ change: (inout Value) -> Void) throws(ArchiveError) {
    try state.withLock { state throws(ArchiveError) in
      guard !isReadOnly, let path else {
        try refresh(&state)
        return change(&state.value)
      }
      try LocalFileSystem().makeDirectories((path as NSString).deletingLastPathComponent)
      let lock = try LocalFileSystem().openForWriting(path + ".lock")
      try lock.lock()
      defer { lock.unlock() }
      try refresh(&state)
      let before = state.value
      change(&state.value)
      if state.value != before { try write(&state, to: path) }
    }
  }

  /// Reads the file again if another process has changed it.
  private func refresh(_ state: inout State) throws(ArchiveError) {
    guard let path else { return }
    let current = try LocalFileSystem().status(of: path)
    guard current != state.lastReadStatus else { return }
    state.value = parse(try CookieFile.bytes(path) ?? [])
    state.lastReadStatus = current
  }

  private func write(_ state: inout State, to path: String) throws(ArchiveError) {
    // Only the holder of the lock writes this file. If a killed process left one behind, it is
    // overwritten.
    let newFile = try LocalFileSystem().openForWriting(path + ".new")
    try newFile.truncate(to: 0)
    try newFile.write(serialize(state.value), at: 0)
    try newFile.sync()
    try LocalFileSystem().renameFile(newFile.path, to: path)
    state.lastReadStatus = try LocalFileSystem().status(of: path)
  }
}
