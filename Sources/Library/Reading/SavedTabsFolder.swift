package import Foundation
package import OfflineCache
import Synchronization

/// Where the open pages of programs are written down, a file for each. The file of a program that runs is
/// locked; one that nobody has locked was left by a crash. Every method blocks.
package final class SavedTabsFolder: Sendable {
  private let folder: URL
  private let name: String
  private let lock = Mutex<OpenFile?>(nil)

  /// - Parameters:
  ///   - folder: where the files are; it is made with the first one.
  ///   - name: that of this program's file, unlike those of others that run.
  package init(folder: URL, name: String = UUID().uuidString) {
    self.folder = folder
    self.name = name
  }

  /// Larger files are no such files, in bytes.
  private static let sizeLimit = 4 << 20

  private func file(_ name: String) -> URL { folder.appendingPathComponent(name + ".json") }

  /// Writes down what is open; nil removes the file.
  /// - Throws: `ArchiveError` when it cannot be written.
  package func write(_ tabs: SavedTabs?) throws(ArchiveError) {
    guard let tabs else { return remove() }
    try hold()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(tabs) else { return }
    try StateFile(file: file(name)).replace(with: Array(text) + [10])
  }

  /// Locks the file beside the one that is written anew.
  private func hold() throws(ArchiveError) {
    guard lock.withLock({ $0 == nil }) else { return }
    let opened = try StateFile(file: folder.appendingPathComponent(name + ".lock")).locked()
    lock.withLock { $0 = opened }
  }

  private func remove() {
    guard let opened = lock.withLock({ $0 }) else { return }
    for end in [".json", ".json.new", ".lock"] {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name + end))
    }
    opened.unlock()
    lock.withLock { $0 = nil }
  }

  /// Takes what programs had open that ended without closing it; it is found no more.
  package func takeLost() -> [SavedTabs] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".lock") }.compactMap {
      take(String($0.dropLast(5)))
    }
  }

  private func take(_ lost: String) -> SavedTabs? {
    let lock = folder.appendingPathComponent(lost + ".lock")
    guard lost != name, let opened = try? LocalFileSystem().openForWriting(lock.path),
      (try? opened.tryLock()) == true
    else { return nil }
    defer { opened.unlock() }
    let path = file(lost)
    let size = (try? FileManager.default.attributesOfItem(atPath: path.path)[.size]) as? Int ?? 0
    let data = size <= Self.sizeLimit ? try? Data(contentsOf: path) : nil
    for file in [path, path.appendingPathExtension("new"), lock] {
      try? FileManager.default.removeItem(at: file)
    }
    return data.flatMap { try? JSONDecoder().decode(SavedTabs.self, from: $0) }
  }
}
