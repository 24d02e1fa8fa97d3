import Platform
import Pages
import Synchronization
import Terminal

/// A file whose content is written to a partial file in the same directory, which is renamed once
/// it is complete. One thread writes; any thread may discard the file.
final class PartialFile: Sendable {
  /// The reason why the file could not be created or written.
  struct Failure: Error, Equatable, CustomStringConvertible {
    /// The message for the user.
    var message: String
    /// Whether the reason is that the final path exists already.
    var exists = false

    var description: String { message }
  }

  /// The states of the partial file, with its descriptor while it is open.
  private enum State {
    case notCreated
    case open(Int32)
    /// `withDescriptor` is running its closure with the descriptor.
    case inUse(Int32)
    /// The file was discarded; `withDescriptor` closes the descriptor at the end of its closure.
    case discardedInUse(Int32)
    /// The file was completed or discarded, and is closed.
    case ended
  }

  /// The final path.
  let path: String
  /// The path of the partial file.
  let partialPath: String
  private let operations: PartialFileOperations
  private let state = Mutex(State.notCreated)

  /// Prepares a file without creating it.
  /// - Parameters:
  ///   - path: the final path.
  ///   - number: a number that distinguishes this file from other downloads of this process to the
  ///     same path.
  ///   - operations: the operations on the partial file.
  init(for path: String, number: Int, operations: PartialFileOperations = PartialFileOperations()) {
    self.path = path
    self.operations = operations
    partialPath = "\(path).\(getpid())-\(number).part"
  }

  /// Creates the partial file.
  /// - Returns: whether it was created; false if the file has been discarded.
  /// - Throws: `Failure` if the final path exists, or the partial file cannot be created.
  func open() throws(Failure) -> Bool {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw Failure(message: "\(path) already exists", exists: true)
    }
    let descriptor = operations.create(partialPath, path)
    guard descriptor >= 0 else {
      let refusal = -descriptor == EPERM ? operations.permissionError : nil
      throw Failure(
        message: "\(path) cannot be created: \(refusal ?? Self.errorMessage(-descriptor))")
    }
    return state.withLock { state in
      guard case .ended = state else {
        state = .open(descriptor)
        return true
      }
      operations.remove(partialPath)
      close(descriptor)
      return false
    }
  }

  /// Passes the descriptor to a closure. If the file is discarded meanwhile, the descriptor stays
  /// open until the closure returns.
  /// - Parameter body: receives the descriptor of the partial file, valid until it returns.
  /// - Returns: whether there was a descriptor; false if the file was discarded.
  /// - Throws: the errors that `body` throws.
  @discardableResult
  func withDescriptor(_ body: (Int32) throws(Failure) -> Void) throws(Failure) -> Bool {
    let usedDescriptor = state.withLock { state -> Int32? in
      guard case .open(let descriptor) = state else { return nil }
      state = .inUse(descriptor)
      return descriptor
    }
    guard let usedDescriptor else { return false }
    defer {
      state.withLock { state in
        if case .discardedInUse = state {
          close(usedDescriptor)
          state = .ended
        } else {
          state = .open(usedDescriptor)
        }
      }
    }
    try body(usedDescriptor)
    return true
  }

  /// Appends bytes to the partial file.
  /// - Returns: whether the bytes were written; false if the file has been discarded.
  /// - Throws: `Failure` if writing fails.
  func write(_ bytes: [UInt8]) throws(Failure) -> Bool {
    try withDescriptor { descriptor throws(Failure) in
      let error = OutputDescriptor(descriptor).write(bytes)
      if error != 0 { throw Failure(message: "\(path): \(Self.errorMessage(error))") }
    }
  }

  /// Flushes the complete file to the disk and renames it to its final path, without replacing an
  /// existing file.
  /// - Returns: whether the file was renamed; false if it has been discarded.
  /// - Throws: `Failure` if the file cannot be flushed or renamed; in that case, the partial file
  ///   remains.
  func complete() throws(Failure) -> Bool {
    let isSafe = try withDescriptor { descriptor throws(Failure) in
      if fsync(descriptor) != 0 { throw Failure(message: "\(path): \(Self.errorMessage(errno))") }
    }
    guard isSafe else { return false }
    return try state.withLock { state throws(Failure) in
      guard case .open(let descriptor) = state else { return false }
      state = .ended
      close(descriptor)
      let error = operations.rename(partialPath, path)
      guard error != 0 else { return true }
      let name = path.split(separator: "/").last ?? ""
      let why =
        error == EEXIST ? "already exists" : "cannot be created (\(Self.errorMessage(error)))"
      throw Failure(message: "\(name) \(why); the complete file is \(partialPath)")
    }
  }

  /// Discards the file: stops writing, and deletes the partial file unless it was renamed.
  func discard() {
    state.withLock { state in
      switch state {
      case .notCreated: state = .ended
      case .open(let descriptor):
        state = .ended
        operations.remove(partialPath)
        close(descriptor)
      case .inUse(let descriptor):
        state = .discardedInUse(descriptor)
        operations.remove(partialPath)
      case .discardedInUse, .ended: break
      }
    }
  }

  private static func errorMessage(_ error: Int32) -> String { LocalFile.message(for: error) }
}
