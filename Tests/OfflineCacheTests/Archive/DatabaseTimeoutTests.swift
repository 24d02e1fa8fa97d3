import Dispatch
import Foundation
import GRDB
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite struct DatabaseTimeoutTests {
  private let archive: TemporaryArchive

  init() throws { archive = try TemporaryArchive() }

  @Test func `short locks are waited for in small steps that add up`() {
    #expect(DatabaseTimeout.seconds(after: 0) == 0)
    let steps = (0..<4000).map { DatabaseTimeout.seconds(after: $0) }
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 0.021 })
    #expect((steps.last ?? 0) > 60)
  }

  @Test func `a removal waits for a writer of the index`() throws {
    let saving = archive.open()
    try saving.save("a", at: 0)
    saving.close()
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let index = archive.location.index.path
    let writer = DispatchQueue(label: "writer")
    writer.async {
      let database = try? DatabaseQueue(path: index)
      try? database?.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE")
        begun.signal()
        end.wait()
        try db.execute(sql: "COMMIT")
      }
    }
    begun.wait()
    // The notification makes the writer release its lock.
    DatabaseTimeout.extend(to: 60, report: { end.signal() }, isStopped: { false })
    let removing = archive.open()
    let removal = try removing.remove("https://example.org/", now: Archive.start)
    #expect(removal.versions == 1)
    #expect(
      !removing.takeNotices().contains { if case .indexInMemory = $0 { true } else { false } })
    removing.close()
    writer.sync {}
  }

  @Test(
    arguments: [
      (DatabaseError(resultCode: .SQLITE_FULL, message: "x"), "the disk is full"),
      (DatabaseError(resultCode: .SQLITE_IOERR_SHMSIZE, message: "x"), "the disk is full"),
      (
        DatabaseError(resultCode: .SQLITE_IOERR, message: "disk I/O error", sql: "SELECT 1"),
        "disk I/O error"
      ),
    ] as [(DatabaseError, String)])
  func `error messages never contain the Swift description of the error`(
    _ error: DatabaseError, _ message: String
  ) {
    #expect(ErrorMessage.text(error) == message)
    struct Nameless: Error { var text = "x" }
    #expect(!ErrorMessage.text(Nameless()).contains("Nameless"))
    #expect(!ErrorMessage.text(CocoaError(.fileNoSuchFile)).contains("Domain"))
    #expect(ErrorMessage.text(ArchiveError.full) == ArchiveError.full.description)
  }
}
