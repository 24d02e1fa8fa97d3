package import Foundation
package import OfflineCache
import Synchronization

/// The open tabs of a process, to be restored after a crash.
package struct SavedTabs: Codable, Sendable, Equatable {
  /// A history entry of a tab.
  package struct Step: Codable, Sendable, Equatable {
    /// The URL that loads the page again.
    package var url: String
    /// The title of the page, or empty.
    package var title: String
    /// The text at the top of the screen; nil for the top of the page.
    package var anchor: TextAnchor?
    /// Whether the page was shown in reader view.
    package var isReader: Bool

    package init(url: String, title: String, anchor: TextAnchor?, isReader: Bool) {
      self.url = url
      self.title = title
      self.anchor = anchor
      self.isReader = isReader
    }
  }

  /// A tab: the current page and its history.
  package struct Tab: Codable, Sendable, Equatable {
    /// The previous pages, the latest last.
    package var past: [Step]
    /// The current page.
    package var page: Step

    package init(past: [Step], page: Step) {
      self.past = past
      self.page = page
    }
  }

  /// The tabs, in order.
  package var tabs: [Tab]
  /// The index of the tab on the screen.
  package var shown: Int
  /// Whether a signal ended offread, which then wrote the file last of all; nil while it runs, and
  /// after a crash.
  package var isEnded: Bool?

  package init(tabs: [Tab], shown: Int, isEnded: Bool? = nil) {
    self.tabs = tabs
    self.shown = shown
    self.isEnded = isEnded
  }
}

/// The directory of saved tabs, with a file for each process. The file of a running process is
/// locked; an unlocked file was left by a crash. All methods block.
package final class SavedTabsFolder: Sendable {
  private let folder: URL
  private let name: String
  private let lock = Mutex<OpenFile?>(nil)

  /// - Parameters:
  ///   - folder: The directory, which is created with the first file.
  ///   - name: The file name for this process, which must be unique among running processes.
  package init(folder: URL, name: String = UUID().uuidString) {
    self.folder = folder
    self.name = name
  }

  /// The maximum size of a file in bytes; larger files are ignored.
  private static let sizeLimit = 4 << 20

  private func file(_ name: String) -> URL { folder.appendingPathComponent(name + ".json") }

  /// Saves the open tabs; nil removes the file.
  /// - Throws: `ArchiveError` if it cannot be written.
  package func write(_ tabs: SavedTabs?) throws(ArchiveError) {
    guard let tabs else { return remove() }
    try hold()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(tabs) else { return }
    try StateFile(file: file(name)).replace(with: Array(text) + [10])
  }

  /// Locks a separate file, because the file with the tabs is replaced on each write.
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

  /// Returns the tabs of processes that ended without closing them, and removes their files.
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
