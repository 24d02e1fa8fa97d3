import Foundation
import Synchronization
import WARC

/// Cookies that answers set, kept in a file that several processes share: each change is merged
/// into what the file has at that moment, under a lock, and written whole under another name.
final class CookieJar: Sendable {
  private let path: String
  private let isReadOnly: Bool

  private struct State {
    var store = CookieStore()
    /// The file's state when it was read.
    var seen: OpenFile.Status?
  }

  private let state = Mutex(State())

  /// Makes a jar; nothing is read or written yet. A read-only one keeps what is set in memory.
  init(path: String, isReadOnly: Bool) {
    self.path = path
    self.isReadOnly = isReadOnly
  }

  /// The cookies that go with a request for a URL, or nil.
  func selection(for url: WebURL, now: Date) throws(ArchiveError) -> CookieStore.Selection? {
    try state.withLock { state throws(ArchiveError) in
      try refresh(&state)
      return state.store.selection(for: url, now: now)
    }
  }

  /// Takes the `Set-Cookie` lines of an answer of `url`; see `CookieStore.take`.
  func take(_ lines: [String], from url: WebURL, isSafe: Bool, now: Date) throws(ArchiveError) {
    try state.withLock { state throws(ArchiveError) in
      guard !isReadOnly else {
        try refresh(&state)
        state.store.take(lines, from: url, isSafe: isSafe, now: now, newOwner: Self.newOwner)
        return
      }
      try LocalFileSystem().makeFolders((path as NSString).deletingLastPathComponent)
      let lock = try LocalFileSystem().openForWriting(path + ".lock")
      try lock.lock()
      defer { lock.unlock() }
      try refresh(&state)
      let before = state.store
      state.store.take(lines, from: url, isSafe: isSafe, now: now, newOwner: Self.newOwner)
      if state.store != before { try write(&state) }
    }
  }

  /// Reads the file again when another process has changed it.
  private func refresh(_ state: inout State) throws(ArchiveError) {
    let current = try LocalFileSystem().status(of: path)
    guard current != state.seen else { return }
    state.store = CookieText.read(try CookieFile.bytes(path) ?? []).store
    state.seen = current
  }

  private func write(_ state: inout State) throws(ArchiveError) {
    // Only the holder of the lock writes; what a killed one left is overwritten.
    let draft = try LocalFileSystem().openForWriting(path + ".new")
    try draft.truncate(to: 0)
    var failure: ArchiveError?
    CookieText.write(state.store).withUnsafeBytes { bytes in
      do throws(ArchiveError) { try draft.write(bytes, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
    try draft.sync()
    try LocalFileSystem().renameFile(draft.path, to: path)
    state.seen = try LocalFileSystem().status(of: path)
  }

  private static func newOwner() -> String {
    Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  }
}
