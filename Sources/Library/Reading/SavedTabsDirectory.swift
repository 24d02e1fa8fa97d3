package import Foundation
package import OfflineCache
import Synchronization

/// A directory with one file per process that lists the open tabs of the process. A running process
/// locks its file; a file without a lock was left by a crash. All methods block for file access.
package final class SavedTabsDirectory: Sendable {
  private let directory: URL
  private let name: String
  private let lock = Mutex<OpenFile?>(nil)

  /// Creates a reference to a directory without accessing it.
  /// - Parameters:
  ///   - directory: The directory, which is created when the first file is written.
  ///   - name: The name of this process's file, unique among running processes.
  package init(directory: URL, name: String = UUID().uuidString) {
    self.directory = directory
    self.name = name
  }

  /// The maximum length of a file in bytes; longer files are not read.
  private static let maxSize = 4 << 20

  private func file(_ name: String) -> URL { directory.appendingPathComponent(name + ".json") }

  /// Stores the open tabs of this process; nil removes the file.
  /// - Throws: `ArchiveError` if the file cannot be written.
  package func write(_ tabs: SavedTabs?) throws(ArchiveError) {
    guard let tabs else { return remove() }
    try lockFile()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(tabs) else { return }
    try StateFile(file: file(name)).replace(with: Array(text) + [10])
  }

  /// Locks a separate lock file, because writing replaces the file itself.
  private func lockFile() throws(ArchiveError) {
    guard lock.withLock({ $0 == nil }) else { return }
    let opened = try StateFile(file: directory.appendingPathComponent(name + ".lock")).openLocked()
    lock.withLock { $0 = opened }
  }

  private func remove() {
    guard let opened = lock.withLock({ $0 }) else { return }
    for end in [".json", ".json.new", ".lock"] {
      try? FileManager.default.removeItem(at: directory.appendingPathComponent(name + end))
    }
    opened.unlock()
    lock.withLock { $0 = nil }
  }

  /// Returns the open tabs of processes that ended without removing their files, and deletes these
  /// files. Files that are damaged, too long or unreadable get the file name extension `damaged`;
  /// their number is returned as well.
  package func recoverLost() -> (tabs: [SavedTabs], damagedCount: Int) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    var damagedCount = 0
    let tabs = names.sorted().filter { $0.hasSuffix(".lock") }.compactMap {
      recover(String($0.dropLast(5)), &damagedCount)
    }
    return (tabs, damagedCount)
  }

  private func recover(_ lost: String, _ damagedCount: inout Int) -> SavedTabs? {
    let lock = directory.appendingPathComponent(lost + ".lock")
    guard lost != name, let opened = try? LocalFileSystem().openForWriting(lock.path),
      (try? opened.tryLock()) == true
    else { return nil }
    defer { opened.unlock() }
    let path = file(lost)
    let tabs = Self.tabs(in: path)
    if tabs == nil {
      let moved = rename(path.path, path.appendingPathExtension("damaged").path)
      let error = moved == 0 ? 0 : errno
      if error != ENOENT { damagedCount += 1 }
      // If a file cannot be renamed, the next start tries again.
      guard error == 0 || error == ENOENT else { return nil }
    }
    for file in [path, path.appendingPathExtension("new"), lock] {
      try? FileManager.default.removeItem(at: file)
    }
    return tabs
  }

  /// Reads a file; nil if it is missing, damaged, too long or cannot be read.
  private static func tabs(in file: URL) -> SavedTabs? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard let size = attributes?[.size] as? Int, size <= maxSize,
      let data = try? Data(contentsOf: file)
    else { return nil }
    return try? JSONDecoder().decode(SavedTabs.self, from: data)
  }
}
