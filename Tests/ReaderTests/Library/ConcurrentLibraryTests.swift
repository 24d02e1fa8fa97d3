import Dispatch
import Foundation
import Library
import OfflineCache
import Synchronization
import Testing

/// Libraries that are opened at the same time on one database.
@Suite final class ConcurrentLibraryTests: Sendable {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("offread libraries \(UUID().uuidString)")
  private let notes = Mutex<[String]>([])
  private var database: URL { directory.appendingPathComponent("cache/library.sqlite") }
  private static let key = "https://example.org/"

  deinit { try? FileManager.default.removeItem(at: directory) }

  private func open() -> PageLibrary {
    PageLibrary(
      directory: directory.appendingPathComponent("library"), database: database, device: "m",
      note: { [self] note in notes.withLock { $0.append(note) } })
  }

  private func pinPages(_ count: Int) throws {
    let library = open()
    for number in 0..<count {
      try library.record([LibraryChange(Self.key + "\(number)", .pinned, "1")])
    }
    library.close()
  }

  private func pinnedCount() throws -> Int {
    let library = open()
    defer { library.close() }
    return try library.count(with: .pinned)
  }

  private func takeNotes() -> [String] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  private var hasDamagedCopy: Bool {
    FileManager.default.fileExists(atPath: database.path + ".damaged")
  }

  @Test func `a database damaged while it is open is rebuilt once`() throws {
    try pinPages(40)
    let (one, other) = (open(), open())
    #expect(try one.count(with: .pinned) == 40 && other.count(with: .pinned) == 40)
    one.close()
    other.close()
    var bytes = [UInt8](try Data(contentsOf: database))
    for position in 4096..<bytes.count { bytes[position] = 0 }
    try Data(bytes).write(to: database)
    let libraries = (0..<4).map { _ in open() }
    let counts = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      let count = (try? libraries[number].count(with: .pinned)) ?? -1
      counts.withLock { $0.append(count) }
    }
    #expect(counts.withLock(\.self) == [40, 40, 40, 40])
    for library in libraries { library.close() }
    #expect(takeNotes() == ["the database of the library was damaged and has been rebuilt"])
    #expect(hasDamagedCopy)
    #expect(try pinnedCount() == 40 && takeNotes().isEmpty)
    // Forgotten pages are removed from it, too.
    let library = open()
    try library.forget([Self.key + "7"])
    library.close()
    #expect(!hasDamagedCopy)
  }

  @Test func `a missing database can be opened by several threads`() throws {
    try pinPages(3)
    for _ in 0..<10 {
      try FileManager.default.removeItem(at: database.deletingLastPathComponent())
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let library = open()
        #expect((try? library.count(with: .pinned)) == 3)
        library.close()
      }
      #expect(takeNotes() == [])
      #expect(!hasDamagedCopy)
    }
  }
}
