import CPageWatch
package import Foundation
import OfflineCache
import Synchronization

/// Limits crashes to two per page: the key of each page is written to a file before the page is
/// parsed, and the next process finds the key there after a crash (see `CrashLedger`).
///
/// The state is global to the process; call `start` with the directory of a profile.
package enum PageWatch {
  private struct State {
    var excludedPages: [String: CrashLedger.Page] = [:]
    /// The keys of the pages that other versions of offread exclude and this version tries again.
    var retriedPages: [String] = []
    /// The excluded pages that were skipped since the last call of `drainExcluded`.
    var unreportedPages: [CrashLedger.Page] = []
  }

  private static let state = Mutex(State())

  /// Starts the watch, and adds the records of earlier processes that crashed.
  /// - Parameters:
  ///   - directory: The directory for the files, in the state directory of the profile.
  ///   - version: The version of the program.
  ///   - isReadOnly: Whether the watch must not write any file; pages are excluded nevertheless.
  ///   - note: Receives a message if the file of earlier crashes is damaged and replaced.
  package static func start(
    directory: URL, version: String, isReadOnly: Bool, note: (String) -> Void = { _ in }
  ) {
    let collected = isReadOnly ? nil : (try? collect(in: directory, note))
    let ledger = collected ?? Self.ledger(in: directory)
    let excludedPages = ledger.excludedPages(by: version).map { ($0.key, $0) }
    state.withLock {
      $0.excludedPages = Dictionary(excludedPages, uniquingKeysWith: { _, last in last })
      $0.retriedPages = ledger.excludedPages(byOthersThan: version)
    }
    guard !isReadOnly else { return }
    // Without a file (if there is no directory, or the disk is full), pages are processed
    // unwatched.
    let name = "\(directory.path)/\(UUID().uuidString)"
    _ = offread_watch_open(name + Self.fileExtension, name + Self.draftEnding, version)
  }

  /// Processes a page under the watch.
  /// - Parameters:
  ///   - key: The key of the page.
  ///   - work: The work, which parses the page.
  /// - Returns: The result of `work`; nil without calling it if the page is excluded.
  /// - Throws: The error that `work` throws.
  package static func process<Value>(
    _ key: String, _ work: () throws -> Value
  ) rethrows -> Value? {
    var name = CrashLedger.name(of: key)
    let isLeftOut = state.withLock { state in
      guard let page = state.excludedPages[name] else { return false }
      if !state.unreportedPages.contains(page) { state.unreportedPages.append(page) }
      return true
    }
    guard !isLeftOut else { return nil }
    let slot = name.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { offread_watch_begin($0.baseAddress, $0.count) }
    }
    defer { offread_watch_end(slot) }
    return try work()
  }

  /// Returns the crash record of an excluded page; nil for other pages.
  package static func excludedPage(_ key: String) -> CrashLedger.Page? {
    state.withLock { $0.excludedPages[CrashLedger.name(of: key)] }
  }

  /// Returns the excluded pages that were skipped since the last call.
  package static func drainExcluded() -> [CrashLedger.Page] {
    state.withLock { state in
      defer { state.unreportedPages = [] }
      return state.unreportedPages
    }
  }

  /// The keys of the pages that other versions of offread exclude and this version tries again.
  package static var retriedPages: [String] { state.withLock { $0.retriedPages } }

  // MARK: Files

  private static let fileExtension = ".pages", draftEnding = ".draft"

  private static func file(in directory: URL) -> URL {
    directory.appendingPathComponent("crashes.json")
  }

  /// Returns the ledger of the pages on which earlier processes have crashed.
  package static func ledger(in directory: URL) -> CrashLedger {
    guard let data = try? Data(contentsOf: file(in: directory)),
      let ledger = try? JSONDecoder().decode(CrashLedger.self, from: data)
    else { return CrashLedger() }
    return ledger
  }

  /// Adds the records of processes that have ended, whose files are no longer locked. A damaged
  /// ledger is replaced, and copied to a file whose name ends in `.damaged`.
  static func collect(in directory: URL, _ note: (String) -> Void) throws -> CrashLedger {
    let files = LocalFileSystem()
    try files.makeDirectories(directory.path)
    var ledger = Self.ledger(in: directory)
    let names = try files.names(in: directory.path).filter {
      $0.hasSuffix(fileExtension) || $0.hasSuffix(draftEnding)
    }
    guard !names.isEmpty else { return ledger }
    let state = StateFile(file: file(in: directory))
    let lock = try state.openLocked()
    defer { lock.unlock() }
    let bytes = try lock.bytes(at: 0, count: Int(clamping: try lock.status().size))
    let stored = try? JSONDecoder().decode(CrashLedger.self, from: Data(bytes))
    ledger = stored ?? CrashLedger()
    let oldLedger = ledger
    var collectedPaths: [String] = []
    for name in names.sorted() {
      let path = "\(directory.path)/\(name)"
      guard let bytes = bytesOfLeftFile(path) else { continue }
      if let record = WatchRecord(bytes) { ledger.add(record) }
      collectedPaths.append(path)
    }
    if ledger != oldLedger {
      // A new file is empty and thus not damaged.
      if stored == nil, !bytes.isEmpty {
        let damagedCopy = StateFile(file: file(in: directory).appendingPathExtension("damaged"))
        try damagedCopy.replace(with: bytes)
        note(
          "the list of pages on which offread crashed is damaged, so they are opened again; a copy of"
            + " the list ends in .damaged")
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try state.replace(with: [UInt8](encoder.encode(ledger)) + [0x0A])
    }
    for path in collectedPaths { try files.removeFile(path) }
    return ledger
  }

  /// Returns the content of a file that an ended process left behind; nil if the process is still
  /// running, or the file cannot be read.
  private static func bytesOfLeftFile(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    let size = WatchRecord.headLength + WatchRecord.slotLength * WatchRecord.maxSlots
    var bytes = [UInt8](repeating: 0, count: size)
    let count = read(descriptor, &bytes, size)
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }
}
